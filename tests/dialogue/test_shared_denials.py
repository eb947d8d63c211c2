"""Unwanted things that share their denial, in the state and when one of them is edited by hand."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dialogue.composition import Composition
from dialogue.contract import turn_json
from dialogue.conversation import Conversations
from dialogue.edits import Act, Edit
from dialogue.events import Event, Finished
from dialogue.models import TurnView
from dialogue.record import unwanted, values_of
from dialogue.shared_denials import bereft
from tests.opened import bundled
from tests.variants import every


def spans(text: str, *words: str) -> list[tuple[int, int]]:
    return [(text.index(word), text.index(word) + len(word)) for word in words]


@pytest.mark.parametrize(
    ("text", "gone", "unwanted", "left"),
    [
        ("a thriller, no violence or gore", "no violence", ["gore"], ["gore"]),
        ("without violence, gore and sex", "without violence", ["gore", "sex"], ["gore", "sex"]),
        ("no violence and no gore", "no violence", ["no gore"], []),
        ("no violence, set in Japan, gore", "no violence", ["gore"], []),
        ("no violence or gore", "gore", ["no violence"], []),
        ("quiet and gore", "quiet", ["gore"], []),
        ("不要暴力和血腥", "不要暴力", ["血腥"], ["血腥"]),
        ("不要太暴力、太血腥", "不要太暴力", ["血腥"], ["血腥"]),
        ("不要暴力，别太长", "不要暴力", ["别太长"], []),
    ],
)
def test_what_follows_in_one_breath_and_denies_nothing_itself_loses_its_denial(
    text: str, gone: str, unwanted: list[str], left: list[str]
) -> None:
    [words] = spans(text, gone)
    assert [text[slice(*span)] for span in bereft(text, words, spans(text, *unwanted))] == left


@pytest.fixture
def composition(data_dir: Path) -> Composition:
    return bundled(data_dir)


@pytest.fixture
async def films(composition: Composition, tmp_path: Path) -> AsyncIterator[Conversations]:
    async with Conversations(tmp_path, composition.ports) as conversations:
        yield conversations


def ended(events: list[Event]) -> TurnView:
    assert isinstance(events[-1], Finished)
    return events[-1].view


async def say(films: Conversations, thread: str, words: str) -> TurnView:
    return ended([event async for event in films.turn(thread, words)])


async def edit(films: Conversations, thread: str, act: Act, wish: str, view: TurnView) -> TurnView:
    node = next(node for node in view.graph.graph["nodes"] if node["instantiation"] == wish)
    return ended([event async for event in films.edit(thread, [Edit(act=act, node=node["id"], text=wish)])])


def polarities(view: TurnView) -> dict[str, str]:
    return {node["instantiation"]: node["polarity"] for node in view.graph.graph["nodes"]}


def values(view: TurnView) -> dict[str, bool]:
    """The words of every wish of the state, and whether they are unwanted."""
    return {value.text: unwanted(value) for _, value, _ in values_of(view.state)}


SAID = [
    ("a thriller, no violence or gore", "violence", "gore", {"thriller": False, "no violence": True, "gore": True}),
    (
        "a thriller without violence and gore",
        "violence",
        "gore",
        {"thriller": False, "without violence": True, "gore": True},
    ),
    ("想看一部悬疑片，不要暴力和血腥", "暴力", "血腥", {"悬疑片": False, "不要暴力": True, "血腥": True}),
]


@pytest.mark.parametrize(("said", "one", "other", "state"), SAID)
async def test_each_unwanted_thing_stands_in_the_state_as_unwanted(
    films: Conversations, said: str, one: str, other: str, state: dict[str, bool]
) -> None:
    view = await say(films, await films.start("movies", "someone"), said)
    assert values(view) == state
    assert polarities(view)[one] == polarities(view)[other] == "avoid"


@pytest.mark.parametrize(("said", "one", "other", "state"), SAID)
@pytest.mark.parametrize("act", every(2, [Act.WANT, Act.DROP]))
async def test_one_of_two_things_that_were_refused_in_one_breath_is_edited_alone(
    films: Conversations, act: Act, said: str, one: str, other: str, state: dict[str, bool]
) -> None:
    thread = await films.start("movies", "someone")
    first = await say(films, thread, said)
    view = await edit(films, thread, act, one, first)
    assert polarities(view).get(one) == ("want" if act is Act.WANT else None)
    assert polarities(view)[other] == "avoid"
    assert not any(other in note for note in view.notes)
    later = await say(films, thread, "something funny" if said.isascii() else "要搞笑一点")
    assert polarities(later)[other] == "avoid"
    again = await edit(films, thread, Act.WANT, other, later)
    assert polarities(again)[other] == "want"


@pytest.mark.parametrize(
    ("said", "wish"), [("a funny film for a nine-year-old", "nine-year-old"), ("适合九岁孩子看的动画", "九岁孩子")]
)
async def test_whom_something_is_for_cannot_be_made_something_to_avoid_and_the_reply_says_so(
    films: Conversations, said: str, wish: str
) -> None:
    thread = await films.start("movies", "someone")
    first = await say(films, thread, said)
    view = await edit(films, thread, Act.AVOID, wish, first)
    assert wish in view.reply
    assert ("changed nothing" in view.reply) or ("什么都没有改动" in view.reply)
    assert view.state == first.state
    assert polarities(view) == polarities(first)
    node = next(node["id"] for node in first.graph.graph["nodes"] if node["instantiation"] == wish)
    foreseen = await films.foreseen(thread, [Edit(act=Act.AVOID, node=node, text=wish)])
    assert foreseen is not None
    assert "avoid" not in {each.polarity.value for each in foreseen.nodes if each.instantiation == wish}


async def test_what_is_unwanted_by_the_words_before_it_is_told_kept_and_taken_back_as_such(
    films: Conversations,
) -> None:
    thread = await films.start("movies", "someone")
    first = await say(films, thread, "a thriller, no violence or gore")
    told = await say(films, thread, "what are my wishes?")
    assert 'What must not be: "violence" and "gore".' in told.reply
    assert {frozenset(value) for held in turn_json(first)["state"]["hard_constraints"].values() for value in held} == {
        frozenset({"text", "span"})
    }
    assert values((await films.history(thread))[0]) == values(first)
    view = await say(films, thread, "gore is fine after all")
    assert values(view) == {"thriller": False, "no violence": True}
