"""A page shows words as taken, and empties the box, once they are stored and no earlier (F2, F4)."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from dialogue.events import Event
from dialogue.ui import runs
from dialogue.ui.desk import Desk, Screen
from dialogue.ui.runs import Runs
from dialogue.ui.texts import page_texts
from dialogue.ui.visits import say
from pdgf.errors import StoreUnavailable
from tests.browser.fake_conversations import DOMAINS, FakeConversations

WORDS = "a film for tonight"


class Slow(FakeConversations):
    """Conversations that tell nothing of a turn, because they have not stored it, until they are let."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__(pace=0)
        self.let = asyncio.Event()
        self._error = error

    async def turn(self, thread_id: str, utterance: str, **how: Any) -> AsyncIterator[Event]:
        await self.let.wait()
        if self._error is not None:
            raise self._error
        async for event in super().turn(thread_id, utterance, **how):
            yield event


def desk_over(conversations: FakeConversations) -> Desk:
    made: Any = conversations
    return Desk(
        conversations=made, runs=Runs(made, at_once=1), domains={row.name: row for row in DOMAINS}, texts=page_texts()
    )


async def test_nothing_is_shown_as_said_before_it_is_stored() -> None:
    conversations = Slow()
    screens = say(desk_over(conversations), None, WORDS, "tab")
    first = asyncio.ensure_future(anext(screens))
    await asyncio.sleep(0.05)
    assert not first.done()
    conversations.let.set()
    assert (await first).box == ""
    assert [screen async for screen in screens][-1].running is False


async def test_words_that_cannot_be_stored_stay_in_the_box_with_a_sentence() -> None:
    conversations = Slow(StoreUnavailable("full"))
    conversations.let.set()
    screens = [screen async for screen in say(desk_over(conversations), None, WORDS, "tab")]
    assert "" not in [screen.box for screen in screens]
    assert "not saved" in screens[-1].status


async def test_where_storing_takes_long_the_turn_is_shown_and_the_words_stay_in_the_box_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runs, "TAKING", 0.01)
    conversations = Slow()
    screens = say(desk_over(conversations), None, WORDS, "tab")
    first = await anext(screens)
    assert (first.running, first.box, said_in(first)) == (True, None, [])
    conversations.let.set()
    later = [screen async for screen in screens]
    assert [said_in(screen) for screen in later if screen.box == ""] == [[WORDS]]
    assert all(said_in(screen) == [WORDS] for screen in later)
    assert later[-1].running is False


async def test_turning_to_another_conversation_makes_no_words_count_as_stored() -> None:
    made: Any = Slow()
    run = Runs(made, at_once=1).start("t", WORDS, after=0, tab="tab")
    run.leave("tab")
    assert not run.stored
    assert run.task is not None
    run.task.cancel()
    await asyncio.wait([run.task])
    assert not run.stored


def said_in(screen: Screen) -> list[str]:
    return [message["content"] for message in screen.chat or () if message["role"] == "user"]
