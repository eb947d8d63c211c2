"""Conversations over the real store: turns, bad inputs, history, undo, list, delete, stopping, failing, queueing."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from dialogue.beginning import UNDO_DEPTH
from dialogue.conversation import Conversations
from dialogue.events import Finished, ReplyPiece, Step
from dialogue.models import Action, Intent
from dialogue.ports import DomainPorts
from dialogue.store import FOLDER, SCHEMA_VERSION, UnknownConversation
from pdgf.errors import EmbedderUnavailable, StoreUnavailable
from tests.dialogue.town import PLACES, WORDS, Shelf, Town, VocabularyAgent, open_town, town_ports

REQUEST = "ramen in Old Harbour"


async def test_a_turn_streams_steps_then_the_reply_and_ends_finished(town: Town) -> None:
    events = await town.events(REQUEST)
    steps = [event.name for event in events if isinstance(event, Step)]
    assert steps == ["understanding", "graph", "queries", "evidence", "ranking"]
    said = "".join(event.text for event in events if isinstance(event, ReplyPiece))
    assert isinstance(events[-1], Finished)
    assert events[-1].view.reply == said
    assert events[1].counts == {"nodes": 2, "edges": 0}


async def test_thread_ids_cannot_be_guessed_and_a_given_one_is_continued(town: Town) -> None:
    assert len(town.thread) >= 32
    assert await town.conversations.start("restaurants", "someone") != town.thread
    named = await town.conversations.start("restaurants", "someone", "my-thread")
    assert named == "my-thread"
    await town.say(REQUEST)
    assert await town.conversations.start(town.ports.domain, "someone", town.thread) == town.thread
    assert len(await town.conversations.history(town.thread)) == 1


async def test_an_unknown_thread_is_named_as_such(town: Town) -> None:
    with pytest.raises(UnknownConversation):
        [event async for event in town.conversations.turn("nowhere", "hello")]
    with pytest.raises(UnknownConversation):
        await town.conversations.history("nowhere")


@pytest.mark.parametrize("utterance", ["", "   ", "\u200b", "🎉🎊", "...", "\n" * 10_000])
async def test_blank_input_gets_a_gentle_prompt_without_an_agent_call(town: Town, utterance: str) -> None:
    await town.say(REQUEST)
    before = (await town.conversations.history(town.thread))[-1].state
    calls = dict(town.agent.calls)
    view = await town.say(utterance)
    assert view.action is Action.REQUEST_INFORMATION
    assert view.reply.startswith("I am listening.")
    assert view.utterance == utterance
    assert view.state == before
    assert town.agent.calls == calls
    assert view.usage.agent_calls == 0
    assert (await town.say("more")).items


async def test_fifty_thousand_characters_are_refused_in_a_sentence_and_change_nothing(town: Town) -> None:
    await town.say(REQUEST)
    before = (await town.conversations.history(town.thread))[-1].state
    view = await town.say("ramen " * 8_334)
    assert "50004 characters" in view.reply
    assert "20000" in view.reply
    assert view.state == before
    assert (await town.say("more")).items


async def test_a_lone_surrogate_and_a_nul_are_replaced_once_and_what_is_stored_is_what_is_shown(town: Town) -> None:
    view = await town.say("ramen \udcff in Old\x00 Harbour, no: Old Harbour")
    assert view.utterance == "ramen \ufffd in Old\ufffd Harbour, no: Old Harbour"
    assert (await town.conversations.history(town.thread))[0].utterance == view.utterance
    assert view.items
    assert (await town.say("more")).items


async def test_right_to_left_text_is_answered_and_kept(town: Town) -> None:
    view = await town.say("أريد مطعما هادئا")
    assert view.reply
    assert (await town.conversations.history(town.thread))[0].utterance == "أريد مطعما هادئا"
    assert (await town.say(REQUEST)).items


async def test_a_question_before_anything_was_recommended_is_told_so_and_changes_nothing(town: Town) -> None:
    view = await town.say("does it have parking?")
    assert view.action is Action.ANSWER
    assert view.intents == (Intent.INQUIRE,)
    assert view.reply.startswith("I have not recommended anything yet")
    assert not view.state.known_keys
    assert (await town.say(REQUEST)).items


async def test_rejecting_the_fifth_of_three_changes_nothing_and_says_what_there_is(town: Town) -> None:
    shown = await town.say(REQUEST)
    view = await town.say("not the fifth")
    assert view.action is Action.RESPOND_TO_REJECTION
    assert "the fifth" in view.reply
    assert all(item["title"] in view.reply for item in shown.items)
    assert view.state == shown.state
    assert view.items == ()
    assert (await town.say("not the second")).state.rejected_items[0].id == shown.items[1]["id"]


async def test_a_narrative_that_no_item_fits_gets_a_plain_sentence(town: Town) -> None:
    view = await town.say("pizza with dragons in Old Harbour")
    assert view.action is Action.RECOMMEND
    assert view.items == ()
    assert view.reply.startswith("I found nothing")
    assert [value.text for value in view.state.hard_constraints["location"]] == ["Old Harbour"]
    assert (await town.say("forget the pizza and the dragons, ramen instead")).reply


async def test_history_is_what_was_streamed_and_survives_a_restart(tmp_path: Path) -> None:
    async with open_town(tmp_path) as town:
        views = [await town.say(said) for said in (REQUEST, "does the second have parking?", "more")]
        thread = town.thread
    async with open_town(tmp_path) as again:
        assert await again.conversations.history(thread) == views


async def test_undo_takes_the_last_turn_back_and_the_chat_goes_on_from_there(town: Town) -> None:
    first = await town.say(REQUEST)
    await town.say("too loud, something quieter")
    await town.conversations.undo(town.thread)
    assert await town.conversations.history(town.thread) == [first]
    again = await town.say("more")
    assert again.state.hard_constraints == first.state.hard_constraints
    assert not again.state.soft_constraints
    assert {item["id"] for item in again.items}.isdisjoint(item["id"] for item in first.items)


async def test_undo_reaches_back_to_the_empty_conversation_and_no_further(town: Town) -> None:
    await town.say(REQUEST)
    await town.say("more")
    for _ in range(3):
        await town.conversations.undo(town.thread)
    assert await town.conversations.history(town.thread) == []
    assert (await town.say("hello")).action is Action.GREET


async def test_undo_reaches_back_a_bounded_number_of_turns(town: Town) -> None:
    for _ in range(UNDO_DEPTH + 3):
        await town.say("hello")
    for _ in range(UNDO_DEPTH + 3):
        await town.conversations.undo(town.thread)
    assert 0 < len(await town.conversations.history(town.thread)) <= 3
    assert (await town.say("hello")).action is Action.GREET


async def test_five_messages_at_once_make_five_turns_in_order(town: Town) -> None:
    await asyncio.gather(*(town.say(f"hello {'again ' * n}") for n in range(5)))
    history = await town.conversations.history(town.thread)
    assert [view.utterance for view in history] == [f"hello {'again ' * n}" for n in range(5)]


async def test_a_stopped_turn_leaves_the_state_before_it_and_the_next_turn_works(town: Town) -> None:
    first = await town.say(REQUEST)
    town.shelf.gate = asyncio.Event()
    running = asyncio.create_task(town.say("too loud, something quieter"))
    await town.shelf.reached.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    town.shelf.gate = None
    assert await town.conversations.history(town.thread) == [first]
    kept = await town.conversations.history(town.thread, unfinished=True)
    assert [view.finished for view in kept] == [True, False]
    assert kept[-1].utterance == "too loud, something quieter"
    assert kept[-1].state == first.state
    view = await town.say("more")
    assert view.state.soft_constraints == {}
    assert [v.finished for v in await town.conversations.history(town.thread, unfinished=True)] == [True, False, True]


async def test_a_stopped_first_turn_leaves_an_empty_conversation(town: Town) -> None:
    town.shelf.gate = asyncio.Event()
    running = asyncio.create_task(town.say(REQUEST))
    await town.shelf.reached.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    town.shelf.gate = None
    assert not (await town.say("hello")).state.known_keys


@pytest.mark.parametrize("steps", range(0, 60, 6))
async def test_a_turn_stopped_at_any_moment_leaves_a_working_conversation(town: Town, steps: int) -> None:
    first = await town.say(REQUEST)
    running = asyncio.create_task(town.say("something quieter"))
    for _ in range(steps):
        await asyncio.sleep(0.002)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    view = await town.say("I'll take the first")
    assert view.state.accepted_items
    assert view.state.hard_constraints == first.state.hard_constraints


async def test_a_listener_that_leaves_ends_the_turn(town: Town) -> None:
    stream = town.conversations.turn(town.thread, REQUEST)
    assert isinstance(await anext(stream), Step)
    await stream.aclose()
    assert (await town.say(REQUEST)).items


async def test_a_failing_service_rises_and_leaves_the_state_before_the_turn(town: Town) -> None:
    first = await town.say(REQUEST)
    town.agent.failing = EmbedderUnavailable("no model")
    with pytest.raises(EmbedderUnavailable):
        await town.say("something quieter")
    town.agent.failing = None
    assert await town.conversations.history(town.thread) == [first]
    assert (await town.say("something quieter")).state.soft_constraints["atmosphere"][0].text == "quieter"


async def test_the_list_holds_the_owners_conversations_latest_first_with_their_first_words(town: Town) -> None:
    other = await town.conversations.start("restaurants", "someone")
    await town.conversations.start("restaurants", "somebody else")
    await town.say(f"  {REQUEST}\nplease " + "and more " * 20)
    rows = await town.conversations.list("someone")
    assert [row.thread for row in rows] == [town.thread, other]
    assert rows[0].title.startswith("ramen in Old Harbour please")
    assert len(rows[0].title) == 60
    assert rows[0].domain == "restaurants"
    assert rows[0].updated >= rows[0].created


async def test_deleting_leaves_no_byte_of_a_conversation(town: Town, tmp_path: Path) -> None:
    canary = "ramen near the kanarienvogel in Old Harbour"
    kept = await town.conversations.start("restaurants", "someone")
    await town.say(canary)
    await town.conversations.delete(town.thread)
    assert [row.thread for row in await town.conversations.list("someone")] == [kept]
    for path in (tmp_path / "data" / FOLDER).iterdir():
        data = path.read_bytes()
        assert b"kanarienvogel" not in data
        assert town.thread.encode() not in data
    with sqlite3.connect(tmp_path / "data" / FOLDER / "chats.sqlite3") as chats:
        assert chats.execute("SELECT count(*) FROM content").fetchone() == (0,)


async def test_a_deleted_conversation_stays_gone_while_a_turn_was_in_flight(town: Town) -> None:
    town.shelf.gate = asyncio.Event()
    running = asyncio.create_task(town.say(REQUEST))
    await town.shelf.reached.wait()
    deleting = asyncio.create_task(town.conversations.delete(town.thread))
    town.shelf.gate.set()
    await running
    await deleting
    with pytest.raises(UnknownConversation):
        await town.conversations.history(town.thread)


async def test_the_stored_ranking_is_there_for_the_views_and_says_what_made_it(town: Town) -> None:
    assert await town.conversations.recommendation(town.thread) is None
    view = await town.say(REQUEST)
    found = await town.conversations.recommendation(town.thread)
    assert found is not None
    assert [item.candidate.id for item in found.items][:3] == [item["id"] for item in view.items]
    assert found.config["engine"] == "builtin"
    assert found.config["embedder"] == "none"
    assert len(found.items) == 8


async def test_a_missing_content_is_an_unavailable_store_not_a_crash(town: Town, tmp_path: Path) -> None:
    await town.say(REQUEST)
    with sqlite3.connect(tmp_path / "data" / FOLDER / "chats.sqlite3") as chats:
        chats.execute("DELETE FROM content")
    with pytest.raises(StoreUnavailable):
        await town.say("more")


async def test_a_record_of_a_newer_release_is_refused(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as newer:
        for module in ("beginning", "past"):
            newer.setattr(f"dialogue.{module}.SCHEMA_VERSION", SCHEMA_VERSION + 1)
        await town.say("hello")
    with pytest.raises(StoreUnavailable):
        await town.say("hello")


async def test_a_hundred_turns_stay_small_on_disk(town: Town, tmp_path: Path) -> None:
    await town.say(REQUEST)
    for _ in range(99):
        await town.say("thanks " * 70)
    used = sum(path.stat().st_size for path in (tmp_path / "data" / FOLDER).iterdir() if path.suffix != ".sqlite3-wal")
    assert used <= 2_000_000


async def test_a_domain_that_takes_long_to_open_is_said_to_be_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dialogue.conversation.OPENING_SECONDS", 0.0)
    opened = asyncio.Event()

    async def slowly(name: str) -> DomainPorts:
        await opened.wait()
        return town_ports(VocabularyAgent(WORDS), Shelf(PLACES))

    async with Conversations(tmp_path, slowly) as conversations:
        thread = await conversations.start("restaurants", "someone")
        turn = conversations.turn(thread, REQUEST)
        assert await anext(turn) == Step(name="opening", language="en")
        opened.set()
        events = [event async for event in turn]
    assert isinstance(events[-1], Finished)
