"""What should be known before a list: asked for once, with what was heard, and never in the way of a list."""

import pytest

from dialogue.models import Action
from tests.dialogue.talks import talk, wishes
from tests.variants import every

FIVE = "somewhere quiet, vegetarian, step-free, under 20 a head, open on Sunday"


@pytest.mark.usefixtures("data_dir")
@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (FIVE, "somewhere with a garden"),
        (FIVE, "anywhere"),
        (FIVE, "anything goes, anywhere"),
        (FIVE, "just show me something"),
        (FIVE, "hmm, you choose"),
        ("想找个安静的地方吃素", "要便宜"),
        ("想找个安静的地方吃素", "哪里都行"),
        ("想找个安静的地方吃素", "哪里都行，什么都行"),
        ("想找个安静的地方吃素", "随便推荐几家"),
    ],
)
async def test_after_one_question_there_are_picks_whatever_the_answer(said: str, answer: str) -> None:
    async with talk("restaurants") as say:
        asked = await say(said)
        assert asked.action is Action.REQUEST_INFORMATION
        assert all(wish in asked.reply for wish in wishes(asked.state))
        listed = await say(answer)
    assert listed.action is Action.RECOMMEND
    assert len(listed.items) == 3


@pytest.mark.usefixtures("data_dir")
@pytest.mark.parametrize(
    "said",
    [
        "just show me something",
        "anything goes, anywhere",
        "anything goes anywhere",
        "surprise me",
        "都行",
        "随便推荐几家",
    ],
)
@pytest.mark.parametrize("domain", every(2, ["restaurants", "movies"]))
async def test_who_leaves_everything_open_is_shown_something_at_once_and_can_go_on_from_it(
    domain: str, said: str
) -> None:
    async with talk(domain) as say:
        listed = await say(said)
        assert listed.action is Action.RECOMMEND
        more = await say("more")
        narrowed = await say("something quiet")
    assert len({item["id"] for item in (*listed.items, *more.items)}) == 6
    assert narrowed.graph.graph["nodes"]
    assert "quiet" in narrowed.reply


@pytest.mark.usefixtures("data_dir")
async def test_anywhere_says_nothing_of_what_to_eat() -> None:
    async with talk("restaurants") as say:
        view = await say("anywhere")
    assert "location" in view.state.soft_constraints
    assert "cuisine_type" not in view.state.soft_constraints
    assert view.suggestions == ("Any cuisine",)


@pytest.mark.usefixtures("data_dir")
async def test_a_question_about_the_first_look_is_answered_from_the_facts() -> None:
    async with talk("restaurants") as say:
        listed = await say("just show me something")
        answered = await say("does the first have parking?")
    assert answered.action is Action.ANSWER
    assert answered.sources[0].item == listed.items[0]["id"]


@pytest.mark.usefixtures("data_dir")
@pytest.mark.parametrize("domain", ["movies", "restaurants"])
async def test_what_is_shown_to_whoever_leaves_it_open_can_be_compared_and_asked_about(domain: str) -> None:
    async with talk(domain) as say:
        await say("hmm", "surprise me")
        why = await say("why the first?")
        compared = await say("compare the first two")
    assert "you left it open" in why.reply
    assert "| Year |" in compared.reply or "| Location |" in compared.reply
    assert "0 of 0" not in compared.reply
    assert "I do not know" not in compared.reply
