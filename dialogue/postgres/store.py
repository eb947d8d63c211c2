"""Where the conversations of many processes live: one database that they share."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Any, Self

from dialogue.packing import packed, unpacked
from dialogue.postgres.checkpoints import SharedSaver
from dialogue.postgres.database import Database, check_version, translated
from dialogue.postgres.seen import SharedSeen, text_of
from dialogue.postgres.thread_locks import DatabaseLocks
from dialogue.storing import PATIENCE, Conversation, UnknownConversation
from pdgf.errors import ConversationBusy

_NOW = "extract(epoch FROM now())"  # one clock for all processes
_COLUMNS = ", ".join(Conversation.model_fields)
_TAKE = """UPDATE conversations SET fence = fence + 1 WHERE thread = %s
    RETURNING fence, (SELECT max(number) FROM migrations)"""

_DUE = """INSERT INTO chores VALUES (%s, clock_timestamp()) ON CONFLICT (name) DO UPDATE SET done = excluded.done
    WHERE chores.done <= clock_timestamp() - make_interval(secs => %s)"""


class SharedStore:
    """Open with `async with`; one store a process and event loop. The database is closed by whoever has made it.

    Every method raises DatabaseUnavailable. What was acknowledged is on the server's disk, and what the server holds is
    guarded by its own checksums; checkpoints carry ours too.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._fences: dict[str, int] = {}  # of the conversations that this process has to itself

    async def __aenter__(self) -> Self:
        """Raises DatabaseUnusable and DatabaseTooNew; then nothing has been changed."""
        await self._database.open()
        self._locks = DatabaseLocks(self._database)
        self.checkpoints = SharedSaver(self._database, self._fences)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._locks.close()

    @asynccontextmanager
    async def alone(self, thread: str) -> AsyncIterator[None]:
        """Inside, no other process changes a conversation. Raises ConversationBusy, and DatabaseTooNew once a newer
        release has taken over."""
        async with self._locks.held(thread, patience=PATIENCE):
            rows = await self._database.rows(_TAKE, (thread,))
            for fence, version in rows:  # none of a conversation that is not stored
                check_version(version)
                self._fences[thread] = fence
            try:
                yield
            finally:
                self._fences.pop(thread, None)

    async def add(self, *, thread: str, owner: str, domain: str) -> None:
        """Add a conversation without a title."""
        sql = f"INSERT INTO conversations (thread, owner, domain, created, updated) VALUES (%s, %s, %s, {_NOW}, {_NOW})"  # noqa: S608
        await self._database.run(sql, (thread, owner, domain))

    async def touch(self, thread: str, title: str) -> None:
        """Note that a conversation went on; its first words become its title. Raises as `find`."""
        changes = {"title": "CASE WHEN title = '' THEN %(title)s ELSE title END", "updated": _NOW}
        await self._change(thread, changes, title=text_of(title))

    async def rename(self, thread: str, title: str) -> None:
        """Give a conversation another title; without one, its next words become its title. Raises as `find`."""
        await self._change(thread, {"title": "%(title)s"}, title=text_of(title))

    async def note(self, thread: str, checkpoint: str) -> None:
        """Note a checkpoint that has to be there from now on, in place of the one noted before; none when empty."""
        await self._change(thread, {"noted": "%(noted)s"}, noted=checkpoint)

    async def noted(self, thread: str) -> str:
        """The checkpoint that has to be there. Raises as `find`."""
        rows = await self._database.rows("SELECT noted FROM conversations WHERE thread = %s", (thread,))
        if not rows:
            raise UnknownConversation(thread)
        return str(rows[0][0])

    async def has(self, thread: str) -> bool:
        """Whether a conversation of that id is stored."""
        sql = "SELECT 1 FROM conversations WHERE thread = %s"
        return text_of(thread) == thread and bool(await self._database.rows(sql, (thread,)))

    async def find(self, thread: str) -> Conversation:
        """The row of a conversation. Raises UnknownConversation."""
        sql = f"SELECT {_COLUMNS} FROM conversations WHERE thread = %s"  # noqa: S608  our own words
        rows = await self._database.rows(sql, (thread,)) if text_of(thread) == thread else []
        if not rows:
            raise UnknownConversation(thread)
        return _conversation(rows[0])

    async def has_checkpoint(self, thread: str, checkpoint: str) -> bool:
        """Whether a checkpoint of a conversation is there."""
        return await self.checkpoints.has(thread, checkpoint)

    async def newest_checkpoint(self, thread: str) -> str:
        """The id of the checkpoint that was written last, whatever its clock said; empty without any."""
        return await self.checkpoints.newest(thread)

    async def of_owner(self, owner: str) -> list[Conversation]:
        """The conversations of one owner, the latest first."""
        sql = f"SELECT {_COLUMNS} FROM conversations WHERE owner = %s ORDER BY updated DESC, thread"  # noqa: S608
        rows = await self._database.rows(sql, (owner,)) if text_of(owner) == owner else []
        return [_conversation(row) for row in rows]

    async def delete(self, thread: str) -> None:
        """Delete checkpoints, content and row of a conversation, all or nothing. The server gives their room to others
        when it next cleans up."""
        async with self._database.connection() as connection, connection.transaction():
            for table in ("checkpoint_writes", "checkpoint_blobs", "checkpoints"):
                await connection.execute(f"DELETE FROM {table} WHERE thread_id = %s".encode(), (thread,))  # noqa: S608
            await connection.execute("DELETE FROM conversations WHERE thread = %s", (thread,))

    async def untouched(self, seconds: float) -> list[Conversation]:
        """The conversations of all owners whose last turn is that long ago by the clock of the database, the oldest
        first."""
        sql = f"SELECT {_COLUMNS} FROM conversations WHERE updated <= {_NOW} - %s ORDER BY updated, thread"  # noqa: S608
        return [_conversation(row) for row in await self._database.rows(sql, (seconds,))]

    @asynccontextmanager
    async def chore(self, name: str, every: float) -> AsyncIterator[bool]:
        """Whether this process is the one to do it now; its lock ends with the process."""
        async with AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(self._locks.held(f"chore {name}", patience=0.0))
                due = bool(await self._database.run(_DUE, (name, every)))
            except ConversationBusy:
                due = False
            yield due

    async def forget_checkpoints(self, thread: str, *, keep: Sequence[str]) -> None:
        """Delete the checkpoints of a thread but those kept: every step stores the whole record anew."""
        await self.checkpoints.forget(thread, keep=keep)

    @property
    def seen(self) -> SharedSeen:
        """What owners have brought as known already."""
        return SharedSeen(self._database)

    def content(self, thread: str) -> "SharedContent":
        """The texts of one conversation."""
        return SharedContent(self._database, thread)

    async def _change(self, thread: str, changes: Mapping[str, str], **values: Any) -> None:
        """Give columns of a row the values of these expressions. Raises as `find`, and ConversationBusy where this
        process has lost the conversation to another one."""
        columns = ", ".join(f"{column} = {value}" for column, value in changes.items())
        sql = f"UPDATE conversations SET {columns} WHERE thread = %(thread)s"  # noqa: S608  our own words
        fence = self._fences.get(thread)
        held = " AND fence = %(fence)s" if fence is not None else ""
        async with self._database.connection() as connection:
            cursor = await connection.execute(f"{sql}{held}".encode(), {**values, "thread": thread, "fence": fence})
            changed = cursor.rowcount
        if not changed:
            await self.find(thread)
            raise ConversationBusy(thread)


class SharedContent:
    """The ContentStore of one thread, which has to be stored."""

    def __init__(self, database: Database, thread: str) -> None:
        self._database = database
        self._thread = thread

    async def put(self, text: str) -> str:
        """Store a text under the SHA-256 of its UTF-8 form. Raises DatabaseUnavailable."""
        digest, data = await asyncio.to_thread(packed, text)
        sql = "INSERT INTO content VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
        await self._database.run(sql, (self._thread, digest, data))
        return digest

    async def get(self, digest: str) -> str:
        """The text of a digest, checked against it. Raises KeyError, StoreDamaged and DatabaseUnavailable."""
        sql = "SELECT text FROM content WHERE thread = %s AND digest = %s"
        rows = await self._database.rows(sql, (self._thread, digest))
        if not rows:
            raise KeyError(digest)
        with translated():
            return unpacked(rows[0][0], digest)


def _conversation(row: Sequence[Any]) -> Conversation:
    return Conversation(**dict(zip(Conversation.model_fields, row, strict=True)))
