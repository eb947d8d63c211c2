"""An answer to our "which one do you mean?" settles what was said first."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.models import Action, TurnRecord, TurnView, Understanding
from dialogue.resuming import left_open, said_again
from pdgf.models import Candidate
from tests.opened import bundled

Say = Callable[[str], Awaitable[TurnView]]

KNOWN = (Candidate(id="1", title="The Long Quay", year=1950), Candidate(id="2", title="Brine", year=1981))
OPEN: TurnRecord = {"open": ["I have seen that one already", "that one"]}


@pytest.mark.parametrize(
    ("answer", "whole"),
    [
        ("the second", "I have seen the second already"),
        ("The second one.", "I have seen The second one already"),
        ("I mean the last one", "I have seen the last one already"),
        ("sorry, I meant Brine", "I have seen Brine already"),
        ("“The Long Quay”", "I have seen The Long Quay already"),
        ("long quay", "I have seen long quay already"),
        ("Bryne", None),  # five letters are too few to be sure of a slip
        ("The Lonq Quay", "I have seen The Lonq Quay already"),
    ],
)
def test_an_answer_stands_in_the_place_of_the_words_that_were_open(answer: str, whole: str | None) -> None:
    assert said_again(OPEN, answer, KNOWN) == whole


@pytest.mark.parametrize(
    "text", ["I'll take the second", "something shorter", "the second is too long", "", "why?", "!!"]
)
def test_more_or_less_than_an_answer_is_heard_for_itself(text: str) -> None:
    assert said_again(OPEN, text, KNOWN) is None


@given(st.text(max_size=40))
def test_nothing_is_resumed_where_nothing_is_open(text: str) -> None:
    assert said_again({}, text, KNOWN) is None


@pytest.mark.parametrize(
    ("unresolved", "unclear", "kept"),
    [
        (("that one",), (), ["take that one", "that one"]),
        ((), ("that one",), ["take that one", "that one"]),
        (("that one", "take"), (), []),
        (("the fifth",), (), []),  # words that do not stand in the utterance
        ((), (), []),
    ],
)
def test_one_place_that_points_at_nothing_is_left_open(
    unresolved: tuple[str, ...], unclear: tuple[str, ...], kept: list[str]
) -> None:
    assert left_open(Understanding(unresolved=unresolved, unclear=unclear), "take that one") == kept


@pytest.fixture
async def say(data_dir: Path, tmp_path: Path) -> AsyncIterator[Say]:
    async with Conversations(tmp_path, bundled(data_dir).ports) as conversations:
        thread = await conversations.start("movies", "somebody")

        async def turn(utterance: str) -> TurnView:
            events = [event async for event in conversations.turn(thread, utterance)]
            assert isinstance(events[-1], Finished)
            return events[-1].view

        yield turn


async def test_what_was_asked_back_about_is_settled_by_the_answer_and_not_taken_for_a_choice(say: Say) -> None:
    first = await say("a slow sad film about friendship")
    second = first.items[1]
    asked = await say("I have seen that one")
    assert asked.action is Action.REQUEST_INFORMATION
    assert first.items[2]["title"] in asked.reply
    settled = await say("the second")
    assert settled.state.accepted_items == ()
    assert second["id"] not in [item["id"] for item in settled.items] != []
    again = await say("show me everything again from the start, I want a slow sad film")
    assert second["id"] not in [item["id"] for item in again.items]


async def test_what_is_taken_is_taken_once_it_is_named(say: Say) -> None:
    first = await say("a slow sad film about friendship")
    asked = await say("great, I'll watch that one tonight")
    assert asked.state.accepted_items == ()
    told = await say(first.items[2]["title"])
    assert told.action is Action.RESPOND_TO_ACCEPTANCE
    assert [item.id for item in told.state.accepted_items] == [first.items[2]["id"]]


async def test_an_objection_to_one_of_several_is_heeded_and_turns_none_of_them_down(say: Say) -> None:
    await say("a slow sad film about friendship")
    told = await say("that one is too violent, what else?")
    assert told.action is Action.RESPOND_TO_REJECTION
    assert told.items
    assert told.state.rejected_items == ()
