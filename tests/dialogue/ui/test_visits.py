"""Visits without a browser: refusals, stopping, coming back, strangers, failures."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from dialogue.events import Event, ReplyPiece
from dialogue.ui.desk import Desk, Screen, choices, recall, remembered
from dialogue.ui.handlers import Ending
from dialogue.ui.runs import Runs
from dialogue.ui.texts import page_texts
from dialogue.ui.visits import open_page, say, start_fresh, stop, turn_to
from tests.browser.fake_conversations import DOMAINS, STORY, FakeConversations, PatientConversations

TEXTS = page_texts()
TAB = "tab"
PARTIAL = "These 3 films fit best, the"  # what "slowly" lets through


def desk_over(conversations: Any, at_once: int = 8, grace: float = 30.0) -> Desk:
    domains = {domain.name: domain for domain in DOMAINS}
    runs = Runs(conversations, at_once=at_once, grace=grace)
    return Desk(conversations=conversations, runs=runs, domains=domains, texts=TEXTS)


@pytest.fixture
def desk() -> Desk:
    return desk_over(FakeConversations(pace=0))


async def said(desk: Desk, stored: Any, utterance: str) -> list[Screen]:
    return [screen async for screen in say(desk, stored, utterance, TAB)]


async def opened(desk: Desk, stored: Any) -> Screen:
    return [screen async for screen in open_page(desk, stored, TAB)][-1]


async def turned(desk: Desk, stored: Any, domain: str) -> Screen:
    return [screen async for screen in turn_to(desk, stored, domain, TAB)][-1]


def memory_of(screens: list[Screen]) -> dict[str, Any]:
    return remembered(next(screen.memory for screen in screens if screen.memory))


def words(screen: Screen) -> str:
    return "\n".join(str(message["content"]) for message in screen.chat or [])


async def until_running(desk: Desk, stored: Any, utterance: str) -> tuple[dict[str, Any], AsyncIterator[Screen]]:
    """A turn that waits in the middle of its reply: the memory of the browser that began it, and what it shows on."""
    stream, screens = say(desk, stored, utterance, TAB), []
    async for screen in stream:
        screens.append(screen)
        if words(screen).endswith(PARTIAL):
            break
    return memory_of(screens), stream


async def rest(stream: AsyncIterator[Screen]) -> Screen:
    """The last screen that is still to come."""
    return [screen async for screen in stream][-1]


async def test_a_turn_ends_with_picks_and_an_empty_box(desk: Desk) -> None:
    screens = await said(desk, None, STORY)
    assert (screens[0].box, screens[0].running) == ("", True)
    assert screens[-1].running is False
    assert screens[-1].panels is not None
    assert "The Lantern Road" in screens[-1].panels.picks


async def test_the_words_of_a_button_leave_what_is_being_written_in_the_box(desk: Desk) -> None:
    screens = [screen async for screen in say(desk, None, STORY, TAB, typed=False)]
    assert {screen.box for screen in screens} == {None}
    assert STORY in words(screens[-1])


async def test_a_reload_shows_the_same_chat(desk: Desk) -> None:
    screens = await said(desk, None, STORY)
    again = await opened(desk, memory_of(screens))
    assert (again.chat, again.panels, again.strip) == (screens[-1].chat, screens[-1].panels, screens[-1].strip)


async def test_stopping_keeps_what_is_there_and_the_next_turn_works(desk: Desk) -> None:
    memory, stream = await until_running(desk, None, "slowly " + STORY)
    await stop(desk, memory, TAB)
    last = await rest(stream)
    assert f"{PARTIAL}\n\n*Stopped here. Nothing was changed by it" in words(last)
    assert last.running is False
    assert words(await opened(desk, memory)) == words(last)
    after = (await said(desk, memory, STORY))[-1]
    said_then = [message["content"] for message in after.chat or [] if message["role"] == "user"]
    assert said_then == ["slowly " + STORY, STORY]


async def test_a_reload_in_the_middle_of_a_turn_finds_the_turn_again(desk: Desk) -> None:
    memory, stream = await until_running(desk, None, "slowly " + STORY)
    watcher = open_page(desk, memory, "another tab")
    assert (await anext(watcher)).running is True
    assert PARTIAL in words(await anext(watcher))
    await stop(desk, memory, TAB)
    last = await rest(watcher)
    assert words(last) == words(await rest(stream))


async def test_closing_the_page_lets_the_turn_finish_and_be_stored(desk: Desk) -> None:
    stream = say(desk, None, STORY, TAB)
    memory = remembered((await anext(stream)).memory)  # type: ignore[arg-type]
    await stream.aclose()  # type: ignore[attr-defined]
    run = desk.runs.running(memory["threads"]["movies"])
    assert run is not None
    assert run.task is not None
    await run.task
    assert "The Lantern Road" in words(await opened(desk, memory))


async def test_stop_ends_what_the_tab_is_shown_before_the_browser_knows_which_conversation_that_is(desk: Desk) -> None:
    memory, stream = await until_running(desk, None, "slowly " + STORY)
    behind = {**memory, "threads": {}}
    assert (await stop(desk, behind, "another tab")).status is None
    assert (await stop(desk, None, TAB)).status is None  # a stranger
    assert (await stop(desk, behind, TAB)).status == TEXTS["status"]["stopping"]
    assert "Stopped here." in words(await rest(stream))


async def test_a_second_message_is_refused_in_words_and_kept_in_the_box(desk: Desk) -> None:
    memory, stream = await until_running(desk, None, "slowly " + STORY)
    (refused,) = await said(desk, memory, "and another thing")
    assert refused.box == "and another thing"
    assert refused.status == TEXTS["status"]["still_answering"]
    await stop(desk, memory, TAB)
    await rest(stream)


async def test_the_same_message_sent_twice_is_said_once(desk: Desk) -> None:
    memory, stream = await until_running(desk, None, "slowly " + STORY)
    (refused,) = await said(desk, memory, "slowly " + STORY)
    assert refused.box is None
    await stop(desk, memory, TAB)
    assert words(await rest(stream)).count("Stopped here.") == 1


async def test_two_first_messages_of_one_tab_make_one_conversation(desk: Desk) -> None:
    first, second = await asyncio.gather(said(desk, None, STORY), said(desk, None, "and another thing"))
    assert first[-1].panels is not None
    assert [screen.box for screen in second] == ["and another thing"]


async def test_a_crowd_is_refused_in_words_and_kept_in_the_box() -> None:
    desk = desk_over(FakeConversations(pace=0), at_once=1)
    memory, stream = await until_running(desk, None, "slowly " + STORY)
    refused = [screen async for screen in say(desk, None, STORY, "another tab")][-1]
    assert (refused.box, refused.status) == (STORY, TEXTS["status"]["crowded"])
    await stop(desk, memory, TAB)
    await rest(stream)


async def test_blank_words_start_nothing(desk: Desk) -> None:
    (screen,) = await said(desk, None, "  \n")
    assert screen.status == TEXTS["status"]["empty"]


async def test_a_failure_is_a_sentence_and_the_message_can_be_sent_again(desk: Desk) -> None:
    last = (await said(desk, None, "breakdown"))[-1]
    assert "The index of the catalogue cannot be read" in words(last)
    assert last.strip is not None
    assert last.strip.entries == (("Send again", "breakdown"),)


async def test_an_unforeseen_error_is_a_sentence_too() -> None:
    class Broken(FakeConversations):
        async def turn(self, thread_id: str, utterance: str) -> AsyncIterator[Event]:
            yield ReplyPiece(text="He")
            raise RuntimeError("unforeseen")

    last = (await said(desk_over(Broken()), None, STORY))[-1]
    assert words(last).endswith(f"*{TEXTS['errors']['unexpected']}*")
    assert last.running is False


async def test_a_conversation_of_somebody_else_is_not_shown(desk: Desk) -> None:
    theirs = memory_of(await said(desk, None, STORY))
    mine = {"owner": "somebody-else", "threads": theirs["threads"], "domain": "movies"}
    screen = await opened(desk, mine)
    assert screen.chat == []
    assert screen.memory is not None
    assert screen.memory.thread is None


async def test_a_conversation_that_is_gone_is_forgotten(desk: Desk) -> None:
    screen = await opened(desk, {"owner": "me", "threads": {"books": "gone"}, "domain": "books"})
    assert screen.memory is not None
    assert (screen.memory.owner, screen.memory.domain, screen.memory.threads) == ("me", "books", {})


@pytest.mark.parametrize(
    "stored", [None, 7, [], {}, {"owner": 3}, {"owner": "x" * 1000}, {"owner": "", "threads": {"movies": "t"}}]
)
def test_a_memory_that_cannot_be_believed_makes_a_new_visitor(desk: Desk, stored: Any) -> None:
    memory = recall(desk, stored)
    assert len(memory.owner) == 32  # 24 random bytes in base 64
    assert (memory.thread, memory.domain) == (None, "movies")
    assert recall(desk, stored).owner != memory.owner


@pytest.mark.parametrize("threads", [None, "t", ["t"], {"movies": 3}, {"movies": ""}, {"operas": "t"}])
def test_conversations_that_cannot_be_believed_are_none(desk: Desk, threads: Any) -> None:
    memory = recall(desk, {"owner": "me", "domain": "movies", "threads": threads})
    assert (memory.owner, memory.threads) == ("me", {})


async def test_a_fresh_start_ends_what_is_running(desk: Desk) -> None:
    memory, stream = await until_running(desk, None, "slowly " + STORY)
    fresh = await start_fresh(desk, memory, TAB)
    assert desk.runs.running(memory["threads"]["movies"]) is None
    assert (fresh.chat, fresh.memory and fresh.memory.thread) == ([], None)
    assert fresh.strip is not None
    assert fresh.strip.entries[0][0] == DOMAINS[0].examples[0]
    assert [screen async for screen in stream] == []  # the end of the old turn never shows over the new page


async def test_each_domain_keeps_its_own_conversation(desk: Desk) -> None:
    films = await said(desk, None, STORY)
    books = await turned(desk, memory_of(films), "books")
    assert books.chat == []
    assert books.strip is not None
    assert books.strip.entries[0][0] == DOMAINS[1].examples[0]
    talk = await said(desk, memory_of([books]), "a book about a lighthouse")
    back = await turned(desk, memory_of(talk), "movies")
    assert (back.chat, back.panels, back.strip) == (films[-1].chat, films[-1].panels, films[-1].strip)
    again = await turned(desk, memory_of([back]), "books")
    assert again.chat == talk[-1].chat


async def test_a_new_conversation_stays_empty_in_whichever_domain_it_begins_and_deletes_none(desk: Desk) -> None:
    films = await said(desk, None, STORY)
    talk = await said(desk, memory_of([await turned(desk, memory_of(films), "books")]), "a book about a lighthouse")
    fresh = await start_fresh(desk, memory_of(talk), TAB)
    assert (fresh.chat, fresh.memory and fresh.memory.domain) == ([], "books")
    moved = await turned(desk, memory_of([fresh]), "movies")
    assert (moved.chat, moved.memory and moved.memory.domain) == ([], "movies")
    begun = await said(desk, memory_of([moved]), "a slow one")
    assert len([row for row in words(begun[-1]).splitlines() if row == STORY]) == 0
    rows = await desk.conversations.list(recall(desk, memory_of(films)).owner)
    assert len(rows) == 3
    back = await turned(desk, memory_of(begun), "books")
    assert back.chat == []


async def test_a_turn_goes_on_while_its_tab_is_at_another_domain_and_is_found_again(desk: Desk) -> None:
    memory, stream = await until_running(desk, None, "slowly " + STORY)
    books = await turned(desk, memory, "books")
    assert (books.chat, books.running) == ([], False)
    assert [screen async for screen in stream] == []  # nothing of it shows over the other conversation
    talk = await said(desk, memory_of([books]), "a book about a lighthouse")
    assert talk[-1].running is False
    watcher = turn_to(desk, memory_of(talk), "movies", TAB)
    assert (await anext(watcher)).running is True
    assert PARTIAL in words(await anext(watcher))
    await stop(desk, memory, TAB)
    last = await rest(watcher)
    assert "Stopped here." in words(last)
    assert last.memory is None  # an older memory would forget the books


async def test_a_fresh_start_in_one_tab_shows_the_other_tab_how_its_turn_ended(desk: Desk) -> None:
    memory, _ = await until_running(desk, None, "slowly " + STORY)
    other = open_page(desk, memory, "another tab")
    await anext(other)
    await start_fresh(desk, memory, TAB)
    last = await rest(other)
    assert "Stopped here." in words(last)
    assert last.running is False


async def test_many_watchers_see_the_same_end(desk: Desk) -> None:
    thread = await desk.conversations.start(DOMAINS[0], "me")
    run = desk.runs.start(thread, STORY, after=0, tab=TAB)

    async def last() -> Ending:
        return [exchange.ending async for exchange in run.watch()][-1]

    assert set(await asyncio.gather(last(), last(), last())) == {Ending.FINISHED}


async def test_a_turn_whose_page_is_closed_ends_with_what_it_has_after_a_while_and_is_stored() -> None:
    conversations = PatientConversations()
    desk = desk_over(conversations, grace=0.05)
    stream = say(desk, None, STORY, TAB)
    memory = remembered((await anext(stream)).memory)  # type: ignore[arg-type]
    await asyncio.sleep(0.2)
    assert not conversations.bidden.is_set()  # somebody watches
    await stream.aclose()  # type: ignore[attr-defined]
    run = desk.runs.running(memory["threads"]["movies"])
    assert run is not None
    assert run.task is not None
    await asyncio.wait_for(run.task, 5)
    assert conversations.bidden.is_set()
    assert "The Lantern Road" in words(await opened(desk, memory))


async def test_a_turn_is_left_alone_while_its_tab_is_at_another_conversation_or_another_tab_watches() -> None:
    conversations = PatientConversations()
    desk = desk_over(conversations, grace=0.05)
    stream = say(desk, None, STORY, TAB)
    memory = remembered((await anext(stream)).memory)  # type: ignore[arg-type]
    await turned(desk, memory, "books")
    assert [screen async for screen in stream] == []
    await asyncio.sleep(0.2)
    assert not conversations.bidden.is_set()
    await stop(desk, memory, TAB)


def test_catalogues_without_a_title_are_told_apart_by_their_names(desk: Desk) -> None:
    films = desk.domains["movies"]
    own = {
        name: films.model_copy(update={"name": name, "title": "", "items_word": "items"}) for name in ("herbs", "toys")
    }
    called = dict((name, label) for label, name in choices(desk, {"movies": films, **own}))
    assert called == {"movies": "Films", "herbs": "herbs", "toys": "toys"}
    titled = films.model_copy(update={"name": "herbs", "title": "Herbs of the garden"})
    assert choices(desk, {"herbs": titled}) == [("Herbs of the garden", "herbs")]
