"""What conversations promise, whatever store they are kept in: asked of SQLite and of PostgreSQL."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.models import TurnView
from dialogue.store import ConversationStore
from dialogue.storing import UnknownConversation
from tests.contracts.stores import KINDS, shared
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent
from tests.postgres.serving import fresh_url

Open = Callable[[], AbstractAsyncContextManager[Conversations]]


@pytest.fixture(params=KINDS)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """The same conversations as one process after another has them."""
    url = fresh_url() if request.param == "postgres" else ""

    @asynccontextmanager
    async def once() -> AsyncIterator[Conversations]:
        ports = town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
        async with (
            shared(url) if url else ConversationStore(tmp_path) as store,
            Conversations(store, always(ports)) as talks,
        ):
            yield talks

    return once


async def say(talks: Conversations, thread: str, *utterances: str) -> list[TurnView]:
    """The finished turns of these utterances."""
    views = []
    for utterance in utterances:
        events = [event async for event in talks.turn(thread, utterance)]
        assert isinstance(events[-1], Finished)
        views.append(events[-1].view)
    return views


async def test_a_conversation_goes_on_in_another_process_as_if_nothing_had_been(opened: Open) -> None:
    async with opened() as talks:
        thread = await talks.start("restaurants", "ann")
        whole = await say(talks, thread, "ramen in Old Harbour", "quiet please", "more")
    async with opened() as talks:
        parted = await talks.start("restaurants", "bob")
        first = await say(talks, parted, "ramen in Old Harbour")
    async with opened() as talks:
        second = await say(talks, parted, "quiet please")
    async with opened() as talks:
        third = await say(talks, parted, "more")
        assert [view.reply for view in (*first, *second, *third)] == [view.reply for view in whole]
        assert [view.items for view in (*first, *second, *third)] == [view.items for view in whole]
        assert await talks.history(parted) == [*first, *second, *third]
        assert [row.thread for row in await talks.list("ann")] == [thread]


async def test_turns_are_taken_back_one_by_one(opened: Open) -> None:
    async with opened() as talks:
        thread = await talks.start("restaurants", "ann")
        views = await say(talks, thread, "ramen in Old Harbour", "quiet please", "more")
        for left in (2, 1, 0):
            await talks.undo(thread)
            assert await talks.history(thread) == views[:left]
        again = await say(talks, thread, "ramen in Old Harbour", "quiet please")
        assert [view.reply for view in again] == [view.reply for view in views[:2]]


async def test_a_conversation_goes_on_from_before_a_turn(opened: Open) -> None:
    async with opened() as talks:
        thread = await talks.start("restaurants", "ann")
        views = await say(talks, thread, "ramen in Old Harbour", "quiet please", "more")
        assert await talks.fork(thread, 2)
        [other] = await say(talks, thread, "with parking")
        assert [view.utterance for view in await talks.history(thread)] == ["ramen in Old Harbour", "with parking"]
        assert other.items != views[1].items


async def test_a_stopped_turn_changes_nothing_and_is_shown_as_unfinished(opened: Open) -> None:
    async with opened() as talks:
        thread = await talks.start("restaurants", "ann")
        await say(talks, thread, "ramen in Old Harbour")
        stopped = talks.turn(thread, "quiet please")
        await anext(stopped)
        await stopped.aclose()  # type: ignore[attr-defined]
        assert [view.finished for view in await talks.history(thread, unfinished=True)] == [True, False]
        await say(talks, thread, "with parking")
    async with opened() as talks:
        said = [(view.utterance, view.finished) for view in await talks.history(thread, unfinished=True)]
        assert said == [("ramen in Old Harbour", True), ("quiet please", False), ("with parking", True)]


async def test_words_that_no_database_likes_are_kept_word_for_word(opened: Open) -> None:
    async with opened() as talks:
        thread = await talks.start("restaurants", "ann")
        said = "ramen '; DROP TABLE conversations; -- %s {0} \\u0000 \u200f 🍜 日本語"
        await say(talks, thread, said, "nul \0 and half \ud83d")
        first, second = await talks.history(thread)
        assert first.utterance == said
        assert second.utterance.startswith("nul ")
        assert (await talks.find(thread)).title == said


async def test_a_deleted_conversation_is_unknown(opened: Open) -> None:
    async with opened() as talks:
        thread = await talks.start("restaurants", "ann")
        await say(talks, thread, "ramen in Old Harbour")
        await talks.delete(thread)
        assert await talks.list("ann") == []
        with pytest.raises(UnknownConversation):
            await talks.history(thread)


async def test_many_turns_leave_a_bounded_number_of_checkpoints(opened: Open) -> None:
    async with opened() as talks:
        thread = await talks.start("restaurants", "ann")
        await say(talks, thread, "ramen in Old Harbour", *["thanks", "quiet please"] * 13)
        saver = talks._store.checkpoints
        left = [each async for each in saver.alist({"configurable": {"thread_id": thread}})]
        assert len(left) == 21  # where it stands, and the twenty turns that can be taken back
        assert len(await talks.history(thread)) == 27
