"""Whole conversations over the bundled films: what is known already, near titles, subtitles, the words of a wish."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.models import Action, Intent, TurnView
from dialogue.seen_lists import SeenTitle
from tests.dialogue.talks import talk, wishes
from tests.opened import bundled


@pytest.mark.usefixtures("data_dir")
async def test_a_list_of_known_titles_in_one_sentence_holds_no_wish() -> None:
    async with talk("movies") as say:
        before = await say("a quiet drama about a boy")
        known = [item["title"] for item in before.items[1:]]
        view = await say(f"I've already seen The 39 Steps, {known[0]} and {known[1]}")
    assert view.state.soft_constraints == before.state.soft_constraints
    assert {"The 39 Steps", *known} <= {item.title for item in view.seen}
    assert not {item["title"] for item in view.items} & set(known)


@pytest.mark.usefixtures("data_dir")
@pytest.mark.parametrize(("asked", "taken"), [("The Lady Vanish", True), ("The Lady Vanishes", False), ("Jaws", False)])
async def test_why_not_a_nearly_named_title_first_says_which_is_meant(asked: str, taken: bool) -> None:
    async with talk("movies") as say:
        view = await say("a quiet drama about a boy", f"why not {asked}?")
    assert view.reply.startswith(f"I know no “{asked}”") is taken


@pytest.mark.usefixtures("data_dir")
@pytest.mark.parametrize(
    "question",
    ["does the first have English subtitles?", "Does the first have subtitles in English?", "第一部有没有中文字幕？"],
)
async def test_no_language_of_a_film_answers_for_its_subtitles_and_asking_wishes_for_none(question: str) -> None:
    async with talk("movies") as say:
        before = await say("a quiet drama about a boy")
        view = await say(question)
    assert (view.action, view.intents) == (Action.ANSWER, (Intent.INQUIRE,))
    assert wishes(view.state) == wishes(before.state)
    assert {source.source.rpartition("#")[2] for source in view.sources}.isdisjoint(("language", "country"))


@pytest.mark.usefixtures("data_dir")
async def test_a_wish_that_is_denied_by_degree_keeps_its_degree() -> None:
    async with talk("movies") as say:
        view = await say("fantasy with romance as a subplot, not mostly sex")
    assert "not mostly sex" in wishes(view.state)
    assert '"not mostly sex"' in view.reply
    assert '"not sex"' not in view.reply


@pytest.mark.usefixtures("data_dir")
async def test_why_one_stands_above_another_may_be_asked_of_one_that_is_not_on_the_list() -> None:
    async with talk("movies") as say:
        listed = await say("fantasy with romance as a subplot, shown through banter")
        asked = "The Princess Bride"
        assert asked not in [item["title"] for item in listed.items]
        view = await say(f"why is {asked} above {listed.items[0]['title']}?")
    assert view.reply.startswith("It is the other way round.")
    assert f"above “{asked}”" in view.reply


@pytest.mark.usefixtures("data_dir")
async def test_what_to_watch_once_there_is_a_list_is_answered_with_its_best() -> None:
    async with talk("movies") as say:
        listed = await say("fantasy with romance as a subplot, shown through banter")
        view = await say("what should I watch tonight?")
    assert view.action is Action.ANSWER
    assert listed.items[0]["title"] in view.reply


@pytest.fixture
async def films(data_dir: Path, tmp_path: Path) -> AsyncIterator[Conversations]:
    async with Conversations(tmp_path, bundled(data_dir).ports) as conversations:
        yield conversations


@pytest.mark.parametrize("said", ["a quiet drama about a boy", "hmm"])
async def test_what_a_list_names_is_off_the_picks_at_the_next_turn(said: str, films: Conversations) -> None:
    async def say(words: str) -> TurnView:
        events = [event async for event in films.turn(thread, words)]
        assert isinstance(events[-1], Finished)
        return events[-1].view

    thread = await films.start("movies", "ann")
    before = await say("a quiet drama about a boy")
    known = before.items[0]
    await films.add_seen("ann", [SeenTitle(title=known["title"], year=known["year"])])
    after = await say(said)
    assert known["id"] not in after.standing
    assert len(after.standing) == len(before.standing)
    assert set(before.standing) - {known["id"]} <= set(after.standing)
    assert known["title"] in after.reply
