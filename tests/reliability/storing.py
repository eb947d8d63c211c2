"""How much a conversation leaves on disk, how long writing its steps takes, and a store with very many of them."""

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph

from dialogue.conversation import ContextFor, Conversations
from dialogue.models import TurnRecord
from dialogue.past import config_of
from dialogue.store import CHATS, FOLDER, TURNS, ConversationStore
from tests.dialogue.town import open_town

STEPS = 6
OWNER = "whoever-has-many"
PADDING = "We talked about it for a while at the harbour and could not agree. "


def long_message(number: int, chars: int) -> str:
    """A wish, and as much beside it as makes it so long; no two are the same."""
    kinds = ("quiet", "with a terrace", "not loud", "with parking", "vegan")
    return f"Ramen in Old Harbour, {kinds[number % len(kinds)]}. That was evening {number}. {PADDING * chars}"[:chars]


async def growth(folder: Path, context_for: ContextFor, domain: str, turns: int, chars: int) -> tuple[int, int]:
    """Bytes of the store after so many turns of so many characters in one conversation, and turns that can be read."""
    async with Conversations(folder, context_for) as conversations:
        thread = await conversations.start(domain, OWNER)
        for number in range(turns):
            async for _ in conversations.turn(thread, long_message(number, chars)):
                pass
        kept = len(await conversations.history(thread))
    return sum(path.stat().st_size for path in (folder / FOLDER).iterdir()), kept


async def steps_at_once(folder: Path, threads: int) -> tuple[list[float], int]:
    """Seconds of a turn of six steps that do nothing, in each of so many conversations at once, every step written
    before the next begins; and how many conversations do not stand at their last step afterwards."""
    graph = StateGraph(TurnRecord)
    names = [f"step{number}" for number in range(STEPS)]
    for number, name in enumerate(names):
        graph.add_node(name, _step(number))
    for one, after in zip([START, *names], [*names, END], strict=True):
        graph.add_edge(one, after)
    said: TurnRecord = {"utterance": long_message(1, 500), "requests": []}
    async with ConversationStore(folder) as store:
        loop = graph.compile(checkpointer=store.checkpoints)

        async def timed(number: int) -> float:
            begun = time.perf_counter()
            async for _ in loop.astream(said, config_of(f"t{number}"), durability="sync"):
                pass
            return time.perf_counter() - begun

        took = list(await asyncio.gather(*map(timed, range(threads))))
        ended = [await loop.aget_state(config_of(f"t{number}")) for number in range(threads)]
    return took, sum(row.values.get("turn") != STEPS - 1 for row in ended)


def _step(number: int) -> Any:
    async def step(turn: TurnRecord) -> TurnRecord:
        return {"turn": number}

    return step


async def many_threads(folder: Path, count: int, *, mine: int) -> None:
    """A store with so many conversations of one turn, so many of which belong to OWNER: one was held, and the others
    have what it left."""
    async with open_town(folder) as town:
        await town.say("quiet ramen in Old Harbour with parking")
        first = town.thread
    names = [f"thread-{number:06d}" for number in range(count)]
    for file, tables in ((TURNS, ("checkpoints", "writes")), (CHATS, ("content",))):
        with sqlite3.connect(folder / FOLDER / file) as known:
            for table in tables:
                column = "thread_id" if file == TURNS else "thread"
                rows = known.execute(f"SELECT * FROM {table} WHERE {column} = ?", (first,)).fetchall()  # noqa: S608
                marks = ",".join("?" * len(rows[0])) if rows else ""
                for row in rows:
                    known.executemany(f"INSERT INTO {table} VALUES ({marks})", [(name, *row[1:]) for name in names])  # noqa: S608
        known.close()
    async with ConversationStore(folder) as store:
        await store._chats.execute("BEGIN")
        for number, name in enumerate(names):
            await store.add(thread=name, owner=OWNER if number < mine else f"owner-{number}", domain="restaurants")
            await store.touch(name, f"talk {number}")
        await store._chats.execute("COMMIT")


async def list_seconds(folder: Path) -> tuple[float, int]:
    """Seconds that the list of OWNER takes, the slowest of a few, and how many conversations it has."""
    async with ConversationStore(folder) as store:
        took: list[float] = []
        for _ in range(5):
            begun = time.perf_counter()
            rows = await store.of_owner(OWNER)
            took.append(time.perf_counter() - begun)
    return max(took), len(rows)
