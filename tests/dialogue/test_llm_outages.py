"""A model that is away, or of no use, for a whole conversation: what is said at once, and what the turns come to.

With the built-in engine in reserve a turn is what the built-in engine makes of it, and the next turn asks the model
again (DESIGN section 1, METHOD 2; RELIABILITY S1, C04).
"""

import asyncio
import logging
from collections import Counter
from pathlib import Path

import pytest

from dialogue import wording
from dialogue.models import Action, DialogueState, TurnView
from tests.dialogue.llm_bar import added_notes, first_words, no_trace, of_turn
from tests.dialogue.llm_cells import (
    CALM,
    CANARY,
    CONVERSATION,
    HASTY,
    MORE,
    OBJECTION,
    PATIENT,
    QUESTION,
    REQUEST,
    RETRIES,
    SLOW,
    STEPS,
    FailsAt,
    Turn,
    listening,
    plain_model,
    stored_in,
    take,
    town_of,
)
from tests.dialogue.town import open_town
from tests.openai_server import FakeOpenAI, Fault
from tests.variants import every

# What is heard of an outage: a key of the wording.
HEARD = {
    Fault.SERVER_DOWN: "unreachable",
    Fault.SERVER_ERROR: "unreachable",
    Fault.DROPPED: "unreachable",
    Fault.RATE_LIMITED: "busy",
    Fault.RATE_LIMITED_LONG: "busy",
    Fault.HANG: "timeout",
    Fault.HTML: "no_api",
    Fault.WRONG_PATH: "no_api",
    Fault.UNAUTHORIZED: "key",
    Fault.FORBIDDEN: "key",
    Fault.NO_CREDIT: "credit",
    Fault.INSUFFICIENT_QUOTA: "credit",
    Fault.UNKNOWN_MODEL: "model",
    Fault.BAD_REQUEST: "refused",
}
NOT_RETRIED = frozenset(["key", "credit", "model"])
NOTHING = TurnView(utterance="", action=Action.GREET, reply="", state=DialogueState())
TERRACE = "and with a terrace please"


async def by_reserve(folder: Path) -> list[TurnView]:
    """What the built-in engine makes of the conversation by itself."""
    async with open_town(folder) as town:
        return [await town.say(utterance) for utterance in CONVERSATION]


def engine_note(why: str) -> str:
    return wording.say("setback.engine", why=wording.say(f"model.{why}"))


@pytest.mark.parametrize("fault", every(4, HEARD, named=lambda fault: fault.name))
async def test_a_conversation_without_its_model_is_that_of_the_built_in_engine_and_says_so_first(
    fault: Fault, tmp_path: Path
) -> None:
    expected = await by_reserve(tmp_path / "reserve")
    patience = HASTY if fault in SLOW else PATIENT
    with FakeOpenAI(plain_model, faults=fault, key=CANARY) as server:
        if fault is Fault.SERVER_DOWN:
            server.down()
        async with town_of(tmp_path / "llm", server, **patience) as town:
            for utterance, reserve in zip(CONVERSATION, expected, strict=True):
                turn = await take(town, server, utterance, patience)
                assert of_turn(turn) == []
                assert (turn.view.reply, turn.view.state) == (reserve.reply, reserve.state)
                assert first_words(turn) == ([engine_note(HEARD[fault])], 1)
                assert added_notes(turn.view, reserve) == [engine_note(HEARD[fault])]
                asked = Counter(record.prompt for record in turn.records)
                assert asked["understand"] <= (1 if HEARD[fault] in NOT_RETRIED else 1 + RETRIES + 4)
                assert set(asked) <= {"understand", "read_graph"}  # what is read ahead of its need is asked beside


@pytest.mark.parametrize("fault", every(4, (*HEARD, Fault.SAME_WRONG), named=lambda fault: fault.name))
async def test_the_turn_after_an_outage_asks_the_model_again(fault: Fault, tmp_path: Path) -> None:
    patience = CALM if fault in SLOW else PATIENT
    with FakeOpenAI(plain_model, faults=fault, key=CANARY) as server:
        if fault is Fault.SERVER_DOWN:
            server.down()
        async with town_of(tmp_path, server, **patience) as town:
            assert added_notes((await take(town, server, REQUEST, patience)).view, NOTHING)
            server.faults = None
            server.up() if fault is Fault.SERVER_DOWN else None
            turn = await take(town, server, REQUEST if fault is Fault.SAME_WRONG else TERRACE, PATIENT)
            assert added_notes(turn.view, NOTHING) == []
            assert {record.prompt for record in turn.records} >= {"understand", "label_relations", "explain"}
            assert "For ramen it has “The ramen is rich" in turn.view.reply


async def test_a_server_that_is_away_in_the_middle_is_missed_in_its_turn_alone(tmp_path: Path) -> None:
    with FakeOpenAI(plain_model, key=CANARY) as server:
        async with town_of(tmp_path, server) as town:
            good = await take(town, server, REQUEST)
            server.down()
            away = await take(town, server, QUESTION)
            server.up()
            back = await take(town, server, OBJECTION)
    assert [added_notes(turn.view, NOTHING) for turn in (good, away, back)] == [[], [engine_note("unreachable")], []]
    assert away.view.reply.startswith("Lantern Room – “")  # what the built-in engine quotes
    assert back.records


async def test_the_same_useless_reply_for_ever_is_asked_for_twice_a_step_and_changes_nothing(tmp_path: Path) -> None:
    """C04: a cap on repairs. METHOD 2: intents by cue rules, the state unchanged."""
    with FakeOpenAI(plain_model, faults=Fault.SAME_WRONG, key=CANARY) as server:
        async with town_of(tmp_path, server) as town:
            for utterance in (*CONVERSATION, MORE):
                turn = await take(town, server, utterance)
                assert of_turn(turn) == []
                assert turn.view.state == DialogueState()
                heard, _ = first_words(turn)
                assert heard == [wording.say("setback.understand")]
                asked = Counter(record.prompt for record in turn.records)
                assert asked["understand"] == 2
                assert set(asked) <= {"understand", "read_graph"}
                assert asked["read_graph"] <= 2


async def test_a_step_that_never_ends_leaves_the_turn_time_to_finish_without_the_model(tmp_path: Path) -> None:
    """A request may wait for longer than its turn may last (RELIABILITY F9)."""
    patience = {"llm_timeout": 30.0, "budget_seconds": 8.0}

    async def hanging(prompt: str) -> list[Turn]:
        with FailsAt(Fault.HANG) as server:
            async with town_of(tmp_path / prompt, server, **patience) as town:
                asked = QUESTION if prompt == "answer" else REQUEST
                turns = [await take(town, server, REQUEST, patience)] if prompt == "answer" else []
                server.prompt = prompt
                turns.append(await take(town, server, asked, patience))
                server.prompt = ""
                return [*turns, await take(town, server, MORE, patience)]

    for turns in await asyncio.gather(*map(hanging, STEPS)):
        assert [of_turn(turn) for turn in turns] == [[]] * len(turns)
        hung, after = turns[-2:]
        assert added_notes(hung.view, NOTHING)
        assert hung.view.reply.count("\n\n### ") == (0 if hung.utterance == QUESTION else 3)
        assert (after.view.action, added_notes(after.view, NOTHING)) == (Action.SHOW_MORE, [])


async def test_where_no_judgement_can_be_used_the_list_goes_by_the_evidence_that_was_found(tmp_path: Path) -> None:
    """RELIABILITY F10: without scoring a ranking by evidence count, and it is said."""
    with FailsAt(Fault.CONTENT_FILTER, "label_relations") as server:
        async with town_of(tmp_path, server) as town:
            turn = await take(town, server, REQUEST)
    assert of_turn(turn) == []
    assert [note for note in turn.view.notes if "judgements" in note]
    found = [len(item["evidence"]) for item in turn.view.items]
    assert found
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize(
    "fault", [pytest.param(fault, id=fault.name) for fault in (Fault.UNAUTHORIZED, Fault.CUT, Fault.HTML, Fault.HUGE)]
)
async def test_the_key_is_nowhere_not_even_in_the_most_talkative_log(fault: Fault, tmp_path: Path) -> None:
    """S1: in what is told, noted, logged, stored, or sent as text (S4)."""
    turns: list[Turn] = []
    with listening(logging.DEBUG) as log, FakeOpenAI(plain_model, faults=fault, key=CANARY) as server:
        async with town_of(tmp_path, server) as town:
            turns += [await take(town, server, utterance) for utterance in (REQUEST, MORE)]
            assert CANARY not in repr((town, await town.conversations.history(town.thread)))
        sent = server.all_records
    assert len(log) > 20
    assert no_trace(log) == []
    assert CANARY not in repr([turn.events for turn in turns])
    assert CANARY.encode() not in stored_in(tmp_path)
    assert {record.headers["authorization"] for record in sent} == {f"Bearer {CANARY}"}
    assert not [record for record in sent if CANARY in repr(record.body)]
