"""Two tabs at one conversation: one goes back while the other speaks. Neither hangs, and no turn is lost unseen."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from dialogue.events import Event, ReplyPiece
from dialogue.ui.api import Refused, answer
from dialogue.ui.desk import Desk, Screen
from dialogue.ui.going_back import Place, again, change, take_back
from dialogue.ui.visits import say, start_fresh, stop
from tests.browser.fake_conversations import STORY, FakeConversations
from tests.dialogue.ui.test_visits import TEXTS, desk_over, memory_of

ONE, OTHER = "one tab", "another tab"
FIRST = Place(0, STORY)


class SlowToGoBack(FakeConversations):
    """Going back waits for a gate; `reached` says that somebody stands before it."""

    def __init__(self) -> None:
        super().__init__(pace=0)
        self.reached, self.gate = asyncio.Event(), asyncio.Event()

    async def fork(self, thread_id: str, turn_number: int) -> bool:
        self.reached.set()
        await self.gate.wait()
        return await super().fork(thread_id, turn_number)


async def shown(screens: AsyncIterator[Screen]) -> list[Screen]:
    return [screen async for screen in screens]


async def a_conversation(conversations: FakeConversations) -> tuple[Desk, Any, str]:
    desk = desk_over(conversations)
    memory = memory_of(await shown(say(desk, None, STORY, ONE)))
    return desk, memory, memory["threads"]["movies"]


def said_in(conversations: FakeConversations, thread: str) -> list[str]:
    return [view.utterance for view in conversations.views[thread]]


@pytest.mark.parametrize("words", [None, "A heist"])
async def test_while_one_tab_goes_back_the_other_is_refused_and_keeps_its_words(words: str | None) -> None:
    conversations = SlowToGoBack()
    desk, memory, thread = await a_conversation(conversations)
    back = again(desk, memory, FIRST, ONE) if words is None else change(desk, memory, FIRST, words, ONE)
    going = asyncio.create_task(shown(back))
    await conversations.reached.wait()
    (refused,) = await shown(say(desk, memory, "more", OTHER))
    assert (refused.status, refused.box) == (TEXTS["status"]["still_answering"], "more")
    conversations.gate.set()
    ended = await asyncio.wait_for(going, 5)
    assert (ended[-1].running, said_in(conversations, thread)) == (False, [words or STORY])
    after = await asyncio.wait_for(shown(say(desk, memory, "more", OTHER)), 5)
    assert (after[-1].running, said_in(conversations, thread)) == (False, [words or STORY, "more"])


async def test_while_one_tab_takes_a_turn_back_the_other_can_neither_speak_nor_go_back() -> None:
    conversations = SlowToGoBack()
    desk, memory, thread = await a_conversation(conversations)
    going = asyncio.create_task(take_back(desk, memory, FIRST, "", ONE))
    await conversations.reached.wait()
    refused = [
        *await shown(say(desk, memory, "more", OTHER)),
        *await shown(again(desk, memory, FIRST, OTHER)),
        await take_back(desk, memory, FIRST, "", OTHER),
    ]
    assert [screen.status for screen in refused] == [TEXTS["status"]["still_answering"]] * 3
    conversations.gate.set()
    assert (await asyncio.wait_for(going, 5)).status == TEXTS["status"]["taken_back"]
    assert said_in(conversations, thread) == []
    assert desk.runs.refusal(thread, OTHER) is None


async def test_a_failure_while_going_back_leaves_the_conversation_free() -> None:
    conversations = FakeConversations(pace=0)
    desk, memory, thread = await a_conversation(conversations)
    del conversations.rows[thread]
    assert (await take_back(desk, memory, FIRST, "", ONE)).status == TEXTS["status"]["moved_on"]
    with pytest.raises(ZeroDivisionError), desk.runs.opening(thread, ONE):
        raise ZeroDivisionError
    assert desk.runs.refusal(thread, ONE) is None


async def test_a_message_that_another_tab_has_replaced_meanwhile_is_not_gone_back_to() -> None:
    conversations = FakeConversations(pace=0)
    desk, memory, thread = await a_conversation(conversations)
    await shown(change(desk, memory, FIRST, "A heist", OTHER))
    (moved_on,) = await shown(again(desk, memory, FIRST, ONE))
    assert moved_on.status == TEXTS["status"]["moved_on"]
    assert said_in(conversations, thread) == ["A heist"]


async def test_a_turn_that_ends_takes_no_other_one_with_it() -> None:
    class Waiting(FakeConversations):
        async def turn(self, thread_id: str, utterance: str, **how: Any) -> AsyncIterator[Event]:
            yield ReplyPiece(text="So far")
            await gates[utterance].wait()
            async for event in super().turn(thread_id, utterance, **how):
                yield event

    conversations, gates = Waiting(pace=0), {"first": asyncio.Event(), "second": asyncio.Event()}
    desk = desk_over(conversations)
    thread = await conversations.start(next(iter(desk.domains.values())), "me")
    first = desk.runs.start(thread, "first", after=0, tab=ONE)
    second = desk.runs.start(thread, "second", after=0, tab=OTHER)
    for run in (first, second):
        assert desk.runs.running(thread) is second
        gates[run.exchange.utterance].set()
        await asyncio.wait_for(shown_exchanges(run), 5)
    assert desk.runs.running(thread) is None


async def shown_exchanges(run: Any) -> list[Any]:
    return [exchange async for exchange in run.watch()]


async def test_a_browser_that_names_somebody_elses_conversation_ends_nothing_in_it() -> None:
    desk = desk_over(FakeConversations(pace=0))
    theirs = say(desk, None, f"slowly {STORY}", ONE)
    memory = memory_of([await anext(theirs)])
    thread = memory["threads"]["movies"]
    stranger = {**memory, "owner": "somebody else"}
    await stop(desk, stranger, OTHER)
    await start_fresh(desk, stranger, OTHER)
    run = desk.runs.running(thread)
    assert run is not None
    await stop(desk, memory, ONE)
    assert run.task is not None
    await asyncio.wait([run.task])
    assert desk.runs.running(thread) is None
    await theirs.aclose()  # type: ignore[attr-defined]


async def test_while_a_page_goes_back_a_program_is_refused_and_loses_no_turn() -> None:
    conversations = SlowToGoBack()
    desk, memory, thread = await a_conversation(conversations)
    going = asyncio.create_task(shown(again(desk, memory, FIRST, ONE)))
    await conversations.reached.wait()
    with pytest.raises(Refused, match=TEXTS["status"]["still_answering"][:20]):
        await answer(desk, None, "more", thread, "", memory["owner"])
    conversations.gate.set()
    await asyncio.wait_for(going, 5)
    assert (await answer(desk, None, "more", thread, "", memory["owner"]))["utterance"] == "more"
    assert said_in(conversations, thread) == [STORY, "more"]
