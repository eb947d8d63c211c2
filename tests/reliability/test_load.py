"""More people than there are places for: nobody waits in silence, and no words are lost (RELIABILITY L3, L7, L9)."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from dialogue import wording
from dialogue.conversation import Conversations
from dialogue.events import Event, Finished, ReplyPiece, Step
from dialogue.ui import runs
from dialogue.ui.api import answer
from dialogue.ui.desk import Screen
from dialogue.ui.texts import page_texts
from dialogue.ui.visits import say, stop
from pdgf.errors import Crowded
from tests.browser.fake_conversations import STORY, FakeConversations
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.dialogue.ui.test_visits import desk_over
from tests.fakes import Shelf, VocabularyAgent
from tests.reliability import storing

WISH = "quiet ramen in Old Harbour with parking"


class Crowd(VocabularyAgent):
    """Counts how many turns are read at once; each goes on when the gate is open."""

    def __init__(self) -> None:
        super().__init__(WORDS)
        self.gate = asyncio.Event()
        self.now = self.most = 0

    async def extract_nodes(self, narrative: str, *given: Any, **more: Any) -> Any:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await self.gate.wait()
            return await super().extract_nodes(narrative, *given, **more)
        finally:
            self.now -= 1


async def heard(
    conversations: Conversations, thread: str, words: str, into: list[Event], order: list[str] | None = None
) -> None:
    async for event in conversations.turn(thread, words):
        into.append(event)
        if order is not None and isinstance(event, Step) and event.name == "understanding":
            order.append(words)


async def test_turns_beyond_the_places_say_that_they_wait_are_stored_and_come_in_their_order(tmp_path: Path) -> None:
    agent = Crowd()
    async with Conversations(tmp_path, always(town_ports(agent, Shelf(PLACES))), at_once=2) as conversations:
        threads = [await conversations.start("restaurants", f"owner{number}") for number in range(6)]
        told: list[list[Event]] = [[] for _ in threads]
        turns, order = [], list[str]()
        for number, (thread, into) in enumerate(zip(threads, told, strict=True)):
            turns.append(asyncio.create_task(heard(conversations, thread, f"{WISH} {number}", into, order)))
            while not into:  # noqa: ASYNC110 one after the other, so that there is an order
                await asyncio.sleep(0.01)
        waiting = [[event.name for event in into if isinstance(event, Step)][:1] for into in told]
        assert waiting == [["understanding"]] * 2 + [["waiting"]] * 4
        kept = await conversations.history(threads[5], unfinished=True)
        assert [view.utterance for view in kept] == [f"{WISH} 5"]  # a crash would not lose it
        agent.gate.set()
        await asyncio.wait_for(asyncio.gather(*turns), 30)
        assert all(isinstance(into[-1], Finished) for into in told)
        assert agent.most <= 2
        assert order == sorted(order)


async def test_who_stops_waiting_gives_the_place_in_line_to_the_next(tmp_path: Path) -> None:
    agent = Crowd()
    async with Conversations(tmp_path, always(town_ports(agent, Shelf(PLACES))), at_once=1) as conversations:
        threads = [await conversations.start("restaurants", f"owner{number}") for number in range(3)]
        told: list[list[Event]] = [[] for _ in threads]
        turns = []
        for thread, into in zip(threads, told, strict=True):
            turns.append(asyncio.create_task(heard(conversations, thread, WISH, into)))
            while not into:  # noqa: ASYNC110 as above
                await asyncio.sleep(0.01)
        turns[1].cancel()
        await asyncio.wait([turns[1]])
        agent.gate.set()
        await asyncio.wait_for(asyncio.gather(turns[0], turns[2]), 30)
        assert await conversations.history(threads[1]) == []
        again: list[Event] = []
        await asyncio.wait_for(heard(conversations, threads[1], WISH, again), 30)
        assert isinstance(again[-1], Finished)


@pytest.mark.parametrize("language", wording.LANGUAGES)
def test_waiting_and_being_refused_are_said_in_both_languages(language: str) -> None:
    with wording.speaking(language):
        waiting, refused = wording.sentence_of_step(Step(name="waiting")), wording.sentence_for(Crowded("full"))
    assert waiting not in ("", "waiting")
    assert "full" not in refused
    assert page_texts(language)["status"]["crowded"]


async def test_four_hundred_at_once_are_each_served_or_told_at_once_with_their_words_in_the_box() -> None:
    conversations = FakeConversations(pace=0)
    desk = desk_over(conversations, at_once=256)

    async def one(number: int) -> tuple[list[Screen], float]:
        begun = time.perf_counter()
        screens = [screen async for screen in say(desk, None, f"{STORY} {number}", f"tab{number}")]
        return screens, time.perf_counter() - begun

    came = await asyncio.gather(*map(one, range(400)))
    refused = [(number, screens) for number, (screens, _) in enumerate(came) if screens[-1].running is not False]
    assert len(refused) == 400 - 256
    assert all(len(screens) == 1 and screens[0].box == f"{STORY} {number}" for number, screens in refused)
    assert {screens[0].status for _, screens in refused} == {desk.texts["status"]["crowded"]}
    assert len(conversations.rows) == 256


async def test_a_program_is_refused_with_an_error_of_its_own_kind_and_leaves_nothing_behind() -> None:
    conversations = FakeConversations(pace=0)
    desk = desk_over(conversations, at_once=1)
    with desk.runs.opening(None, "somebody"), pytest.raises(Crowded):
        await answer(desk, None, STORY)
    assert not conversations.rows
    assert (await answer(desk, None, STORY))["reply"]


class Babbling(FakeConversations):
    """Says a word every moment for a while."""

    async def turn(self, thread_id: str, utterance: str, **how: Any) -> AsyncIterator[Event]:
        until = time.monotonic() + 2.2
        while time.monotonic() < until:
            yield ReplyPiece(text="word ")
            await asyncio.sleep(0.01)
        async for event in super().turn(thread_id, utterance, **how):
            yield event


async def test_a_running_turn_is_shown_no_more_often_than_a_page_is_told_and_its_end_at_once() -> None:
    desk = desk_over(Babbling(pace=0))
    chats = [screen.chat async for screen in say(desk, None, STORY, "tab") if screen.chat is not None]
    assert runs.BEAT >= 0.5
    assert 3 <= len(chats) <= 2.2 / runs.BEAT + 3  # the first, the last one and the page at rest beside


async def test_a_long_conversation_keeps_its_store_small_and_can_still_go_back(tmp_path: Path) -> None:
    ports = always(town_ports(VocabularyAgent(WORDS), Shelf(PLACES)))
    size, kept = await storing.growth(tmp_path, ports, "restaurants", 12, 500)
    assert (size <= 250_000, kept) == (True, 12)
    async with Conversations(tmp_path, ports) as conversations:
        [row] = await conversations.list(storing.OWNER)
        await conversations.undo(row.thread)
        assert await conversations.fork(row.thread, 8)
        async for _ in conversations.turn(row.thread, WISH):
            pass
        views = await conversations.history(row.thread)
    assert (len(views), views[-1].utterance) == (8, WISH)


async def test_steps_written_at_once_in_many_conversations_all_stand(tmp_path: Path) -> None:
    took, lost = await storing.steps_at_once(tmp_path, 30)
    assert (len(took), lost) == (30, 0)


async def alone() -> None:
    """Until no task is left but this one; none that belongs to a turn may go on."""
    async with asyncio.timeout(10):
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)


async def test_many_turns_leave_no_task_and_no_thread_behind(tmp_path: Path) -> None:
    desk = desk_over(FakeConversations(pace=0), at_once=50)

    async def talk(number: int) -> None:
        stored = None
        for turn in range(3):
            async for screen in say(desk, stored, f"{STORY} {turn}", f"tab{number}"):
                stored = {**vars(screen.memory), "threads": dict(screen.memory.threads)} if screen.memory else stored
            await stop(desk, stored, f"tab{number}")

    await talk(99)
    await alone()
    threads = threading.active_count()
    await asyncio.gather(*map(talk, range(20)))
    await alone()
    assert threading.active_count() <= threads
    assert not desk.runs.full
