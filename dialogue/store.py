"""Where the conversations of one process live: two SQLite files in one private folder.

    turns.sqlite3     LangGraph's checkpoints
    chats.sqlite3     conversations (id, owner, title, domain, times), their content (digest -> compressed text) and
                      what each owner has brought as known already (seen_store.py)

Content belongs to one thread, so that nothing is shared between conversations and deleting one leaves no text
behind. Everything carries a checksum (seals.py), so that damage is told and never read as something else. Errors of
SQLite become StoreUnavailable.
"""

import logging
import sqlite3
import time
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dialogue import checkpoints, store_schema
from dialogue.checkpoints import CheckedSaver
from dialogue.packing import packed, unpacked
from dialogue.seals import seal, sealed
from dialogue.seen_store import SeenStore
from dialogue.store_files import connected, due, durable, empty, empty_log, is_damage, is_full, named, private_folder
from dialogue.store_schema import ROW
from dialogue.store_schema import SCHEMA_VERSION as SCHEMA_VERSION
from dialogue.storing import PATIENCE
from dialogue.storing import Conversation as Conversation
from dialogue.storing import UnknownConversation as UnknownConversation
from dialogue.thread_locks import ThreadLocks
from pdgf.errors import StoreBeingCopied, StoreDamaged, StoreFileDamaged, StoreUnavailable

FOLDER = "conversations"
CHATS, TURNS = "chats.sqlite3", "turns.sqlite3"

log = logging.getLogger(__name__)


@contextmanager
def translated() -> Iterator[None]:
    """Turn errors of SQLite and of the file system into StoreUnavailable, StoreDamaged where that is their reason."""
    try:
        yield
    except (sqlite3.Error, OSError, zlib.error, UnicodeDecodeError) as error:
        damaged = isinstance(error, zlib.error) or is_damage(error)
        raise (StoreDamaged if damaged else StoreUnavailable)(f"{type(error).__name__}: {error}") from error


class ConversationStore:
    """Open with `async with`; one store a process and event loop. `checkpoints` is the saver of the loop."""

    checkpoints: CheckedSaver

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Raises StoreFileDamaged, StoreTooNew, StoreBeingCopied and StoreUnavailable; then no file has been changed.
        Where nothing can be written, conversations can be read."""
        with translated():
            writable = private_folder(self._folder, (CHATS, TURNS))
            try:
                await self._enter(writable=writable)
            except (sqlite3.OperationalError, OSError) as error:
                if not writable or not is_full(error):
                    raise
                writable = False
                await self._enter(writable=False)
        if not writable:
            log.warning("conversations can be read but not written: %s", self._folder)
        return self

    async def _enter(self, *, writable: bool) -> None:
        chats, turns = self._folder / CHATS, self._folder / TURNS
        async with AsyncExitStack() as stack:
            if empty(chats) and not empty(turns):
                raise StoreFileDamaged(chats, "it is missing or empty, and its conversations are there")
            self._chats = await stack.enter_async_context(
                connected(chats, tables=store_schema.NAMES, writable=writable, isolation_level=None)
            )
            with named(chats):
                await store_schema.prepare(self._chats, chats, writable=writable)
                await durable(self._chats, writable=writable)
            await self._tell_of_damaged_entries()
            if empty(turns) and await self._read("SELECT 1 FROM conversations WHERE noted > '' LIMIT 1", ()):
                raise StoreFileDamaged(turns, "it is missing or empty, and its conversations are listed")
            saved = await stack.enter_async_context(connected(turns, tables=checkpoints.TABLES, writable=writable))
            self.checkpoints = CheckedSaver(saved, read_only=not writable)
            with named(turns):
                await durable(saved, writable=writable)
                await self.checkpoints.setup()
            self._files = {path: path.stat().st_ino for path in (chats, turns)}
            self._locks = ThreadLocks(self._folder) if writable else None
            if self._locks:
                stack.callback(self._locks.close)
                if not self._locks.use():
                    raise StoreBeingCopied(str(self._folder))
            self._open = stack.pop_all()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with translated():
            await self._open.aclose()

    def use_alone(self) -> bool:
        """Keep other processes from opening these files until they are closed here; False where one has them open."""
        with translated():
            return self._locks is None or self._locks.use_alone()

    @asynccontextmanager
    async def alone(self, thread: str) -> AsyncIterator[None]:
        """Inside, no other process changes a conversation. Raises ConversationBusy, and StoreUnavailable where the
        files are no longer in their folder: what is written to them would be lost."""
        for path, opened in self._files.items():
            if not path.exists() or path.stat().st_ino != opened:
                raise StoreUnavailable(f"{path} is no longer the file that was opened")
        async with self._locks.held(thread, patience=PATIENCE) if self._locks else nullcontext():
            yield

    async def add(self, *, thread: str, owner: str, domain: str) -> None:
        """Add a conversation without a title."""
        now = time.time()
        row = (thread, owner, "", domain, now, now, "")
        await self._write("INSERT INTO conversations VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, seal(*row)))

    async def touch(self, thread: str, title: str) -> None:
        """Note that a conversation went on; its first words become its title. Raises as `find`."""
        await self._change(thread, {"title": "iif(title = '', :title, title)", "updated": ":now"}, title=title)

    async def rename(self, thread: str, title: str) -> None:
        """Give a conversation another title; without one, its next words become its title. Raises as `find`."""
        await self._change(thread, {"title": ":title"}, title=title)

    async def note(self, thread: str, checkpoint: str) -> None:
        """Note a checkpoint that has to be there from now on, in place of the one noted before; none when empty."""
        await self._change(thread, {"noted": ":noted"}, noted=checkpoint)

    async def noted(self, thread: str) -> str:
        """The checkpoint that has to be there. Raises as `find`."""
        return str((await self._row(thread))[-2])

    async def has(self, thread: str) -> bool:
        """Whether a conversation of that id is stored."""
        return bool(await self._read("SELECT 1 FROM conversations WHERE thread = ?", (thread,)))

    async def find(self, thread: str) -> Conversation:
        """The row of a conversation. Raises UnknownConversation and StoreDamaged."""
        return _conversation(await self._row(thread))

    async def has_checkpoint(self, thread: str, checkpoint: str) -> bool:
        """Whether a checkpoint of a conversation is there."""
        with translated():
            return await self.checkpoints.has(thread, checkpoint)

    async def newest_checkpoint(self, thread: str) -> str:
        """The id of the checkpoint that was written last, whatever its clock said; empty without any."""
        with translated():
            return await self.checkpoints.newest(thread)

    async def of_owner(self, owner: str) -> list[Conversation]:
        """The conversations of one owner, the latest first. What is damaged is left out, and logged: whose it is
        cannot be known."""
        found: dict[str, Conversation] = {}
        # around a page that is damaged
        whole = await self._rows(owner, "ASC", found) or await self._rows(owner, "DESC", found)
        if not whole and not found:
            raise StoreDamaged("the list of conversations")
        return sorted(found.values(), key=lambda row: (-row.updated, row.thread))

    async def delete(self, thread: str) -> None:
        """Delete checkpoints, content and row of a conversation, and overwrite what they left in the files."""
        with translated():
            await self.checkpoints.adelete_thread(thread)
            await self._write("DELETE FROM content WHERE thread = ?", (thread,))
            await self._write("DELETE FROM conversations WHERE thread = ?", (thread,))
            for connection in (self.checkpoints.conn, self._chats):
                await empty_log(connection)

    async def untouched(self, seconds: float) -> list[Conversation]:
        """The conversations of all owners whose last turn is that long ago, the oldest first; damaged ones are left
        out."""
        sql = f"SELECT {ROW}, seal FROM conversations WHERE updated <= ? ORDER BY updated, thread"  # noqa: S608
        rows = await self._read(sql, (time.time() - seconds,))
        return [_conversation(row) for row in rows if sealed(tuple(row))]

    @asynccontextmanager
    async def chore(self, name: str, every: float) -> AsyncIterator[bool]:
        """Whether this process is the one to do it now, by the time of a file of that name."""
        async with self.alone(f"chore {name}"):
            yield self._locks is not None and due(self._folder / f"{name}.done", every)

    async def forget_checkpoints(self, thread: str, *, keep: Sequence[str]) -> None:
        """Delete the checkpoints of a thread but those kept: every step stores the whole record anew."""
        with translated():
            await self.checkpoints.forget(thread, keep=keep)

    @property
    def seen(self) -> SeenStore:
        """What owners have brought as known already."""
        return SeenStore(self._chats, translated)

    def content(self, thread: str) -> "SqliteContent":
        """The texts of one conversation."""
        return SqliteContent(self, thread)

    async def _row(self, thread: str) -> Sequence[Any]:
        rows = await self._read(f"SELECT {ROW}, seal FROM conversations WHERE thread = ?", (thread,))  # noqa: S608
        if not rows:
            raise UnknownConversation(thread)
        if not sealed(rows[0]):
            raise StoreDamaged("the entry of a conversation was changed")
        return tuple(rows[0])

    async def _rows(self, owner: str, order: str, found: dict[str, Conversation]) -> bool:
        """Read the conversations of one owner as far as the list of all can be read; whether that is to its end."""
        sql = f"SELECT {ROW}, seal FROM conversations WHERE owner = ? ORDER BY thread {order}"  # noqa: S608  our own words
        try:
            async with self._chats.execute(sql, (owner,)) as cursor:
                async for row in cursor:
                    if sealed(tuple(row)):
                        found[row[0]] = _conversation(row)
                    else:
                        log.warning("the entry of a conversation is damaged and left out of the list")
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            log.warning("a part of the list of conversations cannot be read: %s", error)
            return False
        return True

    async def _tell_of_damaged_entries(self) -> None:
        """Log that entries of the list are damaged: one whose owner was changed is in nobody's list any more."""
        try:
            rows = await self._read(f"SELECT count(*) FROM conversations WHERE seal IS NOT seal({ROW})", ())  # noqa: S608
        except StoreUnavailable as error:
            log.warning("a part of the list of conversations cannot be read: %s", error)
            return
        if count := rows[0][0]:
            log.warning("%d entries of conversations are damaged and left out of every list", count)

    async def _change(self, thread: str, changes: Mapping[str, str], **values: Any) -> None:
        """Give columns of a row the values of these expressions, and the row its new checksum; a damaged row stays as
        it is. Raises as `find`."""
        columns = ", ".join(f"{column} = {value}" for column, value in changes.items())
        after = ", ".join(changes.get(column, column) for column in ROW.split(", "))
        sql = f"UPDATE conversations SET {columns}, seal = seal({after}) WHERE thread = :thread AND seal = seal({ROW})"  # noqa: S608
        with translated():
            async with self._chats.execute(sql, {**values, "thread": thread, "now": time.time()}) as cursor:
                changed = cursor.rowcount
        if not changed:
            await self._row(thread)

    async def _read(self, sql: str, values: Sequence[Any]) -> list[Any]:
        with translated():
            async with self._chats.execute(sql, values) as cursor:
                return list(await cursor.fetchall())

    async def _write(self, sql: str, values: Sequence[Any]) -> None:
        with translated():
            await self._chats.execute(sql, values)


class SqliteContent:
    """The ContentStore of one thread."""

    def __init__(self, store: ConversationStore, thread: str) -> None:
        self._store = store
        self._thread = thread

    async def put(self, text: str) -> str:
        """Store a text under the SHA-256 of its UTF-8 form. Raises StoreUnavailable."""
        digest, data = packed(text)
        await self._store._write("INSERT OR IGNORE INTO content VALUES (?, ?, ?)", (self._thread, digest, data))
        return digest

    async def get(self, digest: str) -> str:
        """The text of a digest, checked against it. Raises KeyError and StoreUnavailable."""
        sql = "SELECT text FROM content WHERE thread = ? AND digest = ?"
        rows = await self._store._read(sql, (self._thread, digest))
        if not rows:
            raise KeyError(digest)
        if not isinstance(rows[0][0], bytes):
            raise StoreDamaged("content of another type")
        with translated():
            return unpacked(rows[0][0], digest)


def _conversation(row: Sequence[Any]) -> Conversation:
    return Conversation(**dict(zip(Conversation.model_fields, row, strict=False)))
