"""The saver of LangGraph, which trusts what it reads, with a check of what was read."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NotRequired

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from dialogue.seals import SealedSerializer
from pdgf.errors import StoreDamaged

TABLES = frozenset(["checkpoints", "writes"])


class _Checkpoint(TypedDict):
    """What LangGraph relies on in a checkpoint."""

    v: int
    id: str
    ts: str
    channel_values: dict[str, Any]
    channel_versions: dict[str, str | int | float]
    versions_seen: dict[str, dict[str, str | int | float]]
    updated_channels: NotRequired[list[str] | None]


_CHECKPOINT = TypeAdapter(_Checkpoint)


class CheckedSaver(AsyncSqliteSaver):
    """Gives checkpoints as they were written, or raises StoreDamaged."""

    def __init__(self, connection: aiosqlite.Connection, *, read_only: bool = False) -> None:
        super().__init__(connection, serde=SealedSerializer())
        self.is_setup = read_only  # setting up writes

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """A checkpoint with what was written after it, the newest of a thread where none is named. Raises
        StoreDamaged."""
        return await checked(config, super().aget_tuple, self.newest)

    async def newest(self, thread: str) -> str:
        """The id of the checkpoint of a thread that was written last; empty without any. Ids alone would name another
        one where the clock has been set back."""
        sql = """SELECT checkpoint_id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ''
                 ORDER BY rowid DESC LIMIT 1"""
        async with self.lock, self.conn.execute(sql, (thread,)) as cursor:
            row = await cursor.fetchone()
        return str(row[0]) if row else ""

    async def has(self, thread: str, checkpoint: str) -> bool:
        """Whether a checkpoint of a thread is there."""
        sql = "SELECT 1 FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ?"
        async with self.lock, self.conn.execute(sql, (thread, checkpoint)) as cursor:
            return await cursor.fetchone() is not None

    async def forget(self, thread: str, *, keep: Sequence[str]) -> None:
        """Delete the checkpoints of a thread but those kept."""
        marks = ",".join("?" * len(keep))
        async with self.lock:
            for table in sorted(TABLES):
                # The names are ours and `marks` holds question marks only.
                sql = f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id NOT IN ({marks})"  # noqa: S608
                await self.conn.execute(sql, (thread, *keep))
            await self.conn.commit()


async def checked(
    config: RunnableConfig,
    read: Callable[[RunnableConfig], Awaitable[CheckpointTuple | None]],
    newest: Callable[[str], Awaitable[str]],
) -> CheckpointTuple | None:
    """The checkpoint that a saver reads, the newest of a thread where none is named. Raises StoreDamaged for one that
    is not as LangGraph writes them."""
    thread = config["configurable"]["thread_id"]
    try:
        if not config["configurable"].get("checkpoint_id"):
            found_newest = await newest(thread)
            config = {"configurable": {**config["configurable"], "checkpoint_id": found_newest}}
            if not found_newest:
                return None
        found = await read(config)
        if found is None:
            return None
        _CHECKPOINT.validate_python(found.checkpoint, strict=True)
        _check(found.metadata.get("step", 0), int)
        _check(found.parent_config["configurable"]["checkpoint_id"] if found.parent_config else "", str)
    except (ValidationError, ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
        raise StoreDamaged(f"unreadable ({type(error).__name__})") from error
    place = found.config["configurable"]
    if place["thread_id"] != thread or place["checkpoint_id"] != found.checkpoint["id"]:
        raise StoreDamaged("a checkpoint in the place of another")
    return found


def _check(value: Any, kind: type) -> None:
    if not isinstance(value, kind):
        raise TypeError(type(value).__name__)
