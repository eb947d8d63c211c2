"""What a conversation withstands between its turns: bad states, long talk, deletion, crafted rows (C45, C47 to C49)."""

import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import ormsgpack
import pytest

from dialogue.events import Finished
from dialogue.models import TurnView
from dialogue.store import FOLDER
from pdgf.errors import PdgfError
from tests.dialogue.llm_cells import plain_model
from tests.dialogue.llm_town import open_llm_town
from tests.dialogue.town import Town, open_town
from tests.openai_server import FakeOpenAI
from tests.stress.long_chat import LONGEST, long_chat

REQUEST = "ramen in Old Harbour"
CANARY = "kanarienvogel"

BAD_STATES: Mapping[str, Any] = {
    "a text for a list": {"dialogue": {"rejected_items": "all of them"}},
    "a list for a state": {"dialogue": ["nothing"]},
    "a value without words": {"dialogue": {"hard_constraints": {"location": [{"span": [1, 0, 4]}]}}},
    "an unknown key": {"dialogue": {"mood": "good"}},
    "a huge text for a state": {"dialogue": "x" * 1_000_000},
    "a number for a list": {"requests": 7},
    "items that are none": {"seen": [{"name": "Heat"}]},
    "a text for texts": {"asked": "location"},
}


async def said(town: Town, utterance: str) -> TurnView:
    events = [event async for event in town.conversations.turn(town.thread, utterance)]
    assert isinstance(events[-1], Finished)
    return events[-1].view


@pytest.mark.parametrize("name", BAD_STATES)
async def test_c45_a_step_that_leaves_a_bad_state_ends_its_turn_and_the_next_one_has_the_last_good_state(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_town(tmp_path) as town:
        good = await town.say(REQUEST)
        revise = town_revise()
        with monkeypatch.context() as broken:
            broken.setattr("dialogue.state.revise", lambda *given: {**revise(*given), **BAD_STATES[name]})
            with pytest.raises((ValueError, TypeError, AttributeError)):  # which the page tells as a failure
                await said(town, "quiet please")
        assert [view.state for view in await town.conversations.history(town.thread)] == [good.state]
        view = await town.say("quiet please")
        assert view.items
        assert view.state.hard_constraints == good.state.hard_constraints
    async with open_town(tmp_path) as again:
        assert await again.conversations.history(town.thread) == [good, view]


def town_revise() -> Any:
    from dialogue import state

    return state.revise


def holding(folder: Path, words: bytes) -> list[Path]:
    """The files under a folder that hold these words."""
    return [path for path in folder.rglob("*") if path.is_file() and words in path.read_bytes()]


async def test_c47_a_deleted_conversation_leaves_no_byte_under_the_data_folder(tmp_path: Path) -> None:
    with FakeOpenAI(plain_model) as server:
        async with open_llm_town(tmp_path, server.base_url) as town:
            kept = await town.conversations.start("restaurants", "someone")
            for words in (f"{REQUEST} near the {CANARY}", f"is the first like a {CANARY}?", f"quieter than a {CANARY}"):
                await said(town, words)
            await town.conversations.rename(town.thread, f"My {CANARY}")
            assert any(CANARY in record.text for record in server.records)
            assert holding(tmp_path, town.thread.encode())
            await town.conversations.delete(town.thread)
            assert [row.thread for row in await town.conversations.list("someone")] == [kept]
            assert holding(tmp_path, CANARY.encode()) == holding(tmp_path, town.thread.encode()) == []
    assert holding(tmp_path, CANARY.encode()) == holding(tmp_path, town.thread.encode()) == []


async def test_c48_more_words_than_a_prompt_holds_leave_the_newest_in_it_and_the_chat_goes_on(tmp_path: Path) -> None:
    told = await long_chat(tmp_path, turns=8, chars=6_000, wish_chars=2_500)
    assert told.refused == 0
    assert told.longest <= LONGEST / 2
    assert all(view.items for view in told.views)
    assert len(told.views[-1].state.soft_constraints["others"]) == 8  # nothing is forgotten


@pytest.mark.parametrize("kind", range(6))
async def test_c49_a_crafted_checkpoint_runs_nothing_and_the_conversation_is_told_or_goes_on(
    kind: int, tmp_path: Path
) -> None:
    """LangGraph's extension types that name a module, a name and arguments: to call, to build, to import."""
    trap = tmp_path / "sprung"
    made = ormsgpack.packb(("os", "system", (f"touch {trap}",)) if kind < 2 else ("os", "system", f"touch {trap}", "x"))
    crafted = ormsgpack.packb({"channel_values": {"turn": ormsgpack.Ext(kind, made)}, "id": "x", "v": 4})
    async with open_town(tmp_path / "data") as town:
        await town.say(REQUEST)
        thread = town.thread
    with sqlite3.connect(tmp_path / "data" / FOLDER / "turns.sqlite3") as turns:
        changed = turns.execute("UPDATE checkpoints SET checkpoint = ?, type = 'msgpack'", (crafted,)).rowcount
    assert changed
    async with open_town(tmp_path / "data") as again:
        other = await again.say(REQUEST)
        with suppress(PdgfError):  # which says in plain words that it cannot be read
            await again.conversations.history(thread)
            [event async for event in again.conversations.turn(thread, REQUEST)]
        assert other.items
    assert not trap.exists()
