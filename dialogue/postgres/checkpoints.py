"""The saver of LangGraph over the shared database, with what it lacks: seals, an order that no clock sets, a fence."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_serializable_checkpoint_metadata,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb

from dialogue.checkpoints import checked
from dialogue.postgres.database import Database
from dialogue.seals import SealedSerializer

_KEPT = """SELECT DISTINCT c.checkpoint_ns, v.key, v.value
    FROM checkpoints c CROSS JOIN LATERAL jsonb_each_text(c.checkpoint -> 'channel_versions') v
    WHERE c.thread_id = %(thread)s"""
_FORGET = (
    "DELETE FROM checkpoint_writes WHERE thread_id = %(thread)s AND checkpoint_id <> ALL(%(keep)s)",
    "DELETE FROM checkpoints WHERE thread_id = %(thread)s AND checkpoint_id <> ALL(%(keep)s)",
    f"""WITH kept AS ({_KEPT}) DELETE FROM checkpoint_blobs b WHERE b.thread_id = %(thread)s AND NOT EXISTS
        (SELECT 1 FROM kept k WHERE k.checkpoint_ns = b.checkpoint_ns AND k.key = b.channel AND k.value = b.version)""",  # noqa: S608
)


class SharedSaver(AsyncPostgresSaver):
    """Gives checkpoints as they were written, or raises StoreDamaged; every other trouble is DatabaseUnavailable.

    `fences` holds, for each conversation that this process has to itself, the number under which it took it. Whoever
    has lost a conversation to another process can write no checkpoint: ConversationBusy.
    """

    def __init__(self, database: Database, fences: Mapping[str, int]) -> None:
        super().__init__(cast(Any, None), serde=SealedSerializer())  # it never sees a connection but by `_cursor`
        self._database = database
        self._fences = fences

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """A checkpoint with what was written after it, the newest of a thread where none is named."""
        return await checked(config, super().aget_tuple, self.newest)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Write a checkpoint, all or nothing. LangGraph would put short values beside it in the open, as JSON, which
        takes no NUL: here every value is sealed."""
        place, values = config["configurable"], checkpoint["channel_values"]
        thread, space = place["thread_id"], place["checkpoint_ns"]
        fresh = {name: version for name, version in new_versions.items() if name in values}
        sealed = await asyncio.to_thread(self._dump_blobs, thread, space, values, fresh)
        bare, described = {**checkpoint, "channel_values": {}}, get_serializable_checkpoint_metadata(config, metadata)
        row = (thread, space, checkpoint["id"], place.get("checkpoint_id"), Jsonb(bare), Jsonb(described))
        async with self._cursor(pipeline=True) as cursor:
            if thread in self._fences:
                await cursor.execute("SELECT still_held(%s, %s)", (thread, self._fences[thread]))
            if sealed:
                await cursor.executemany(self.UPSERT_CHECKPOINT_BLOBS_SQL.encode(), sealed)
            await cursor.execute(self.UPSERT_CHECKPOINTS_SQL.encode(), row)
        return {"configurable": {"thread_id": thread, "checkpoint_ns": space, "checkpoint_id": checkpoint["id"]}}

    async def newest(self, thread: str) -> str:
        """The id of the checkpoint of a thread that was written last; empty without any."""
        sql = """SELECT checkpoint_id FROM checkpoints WHERE thread_id = %s AND checkpoint_ns = ''
                 ORDER BY written DESC LIMIT 1"""
        rows = await self._database.rows(sql, (thread,))
        return str(rows[0][0]) if rows else ""

    async def has(self, thread: str, checkpoint: str) -> bool:
        """Whether a checkpoint of a thread is there."""
        sql = "SELECT 1 FROM checkpoints WHERE thread_id = %s AND checkpoint_ns = '' AND checkpoint_id = %s"
        return bool(await self._database.rows(sql, (thread, checkpoint)))

    async def forget(self, thread: str, *, keep: Sequence[str]) -> None:
        """Delete the checkpoints of a thread but those kept, and the values that none of these has."""
        async with self._cursor(pipeline=True) as cursor:
            if thread in self._fences:
                await cursor.execute("SELECT still_held(%s, %s)", (thread, self._fences[thread]))
            for sql in _FORGET:
                await cursor.execute(sql.encode(), {"thread": thread, "keep": list(keep)})

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        """Of a connection of the pool; where LangGraph asks for a pipeline, all that is done in it is one
        transaction."""
        async with self._database.connection() as connection:
            if pipeline:
                async with connection.transaction(), connection.cursor(binary=True, row_factory=dict_row) as cursor:
                    yield cursor
            else:
                async with connection.cursor(binary=True, row_factory=dict_row) as cursor:
                    yield cursor
