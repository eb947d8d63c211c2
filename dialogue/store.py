"""Where conversations live: two SQLite files in one private folder.

    turns.sqlite3     LangGraph's checkpoints
    chats.sqlite3     conversations (id, owner, title, domain, times), their content (digest -> compressed text) and
                      what each owner has brought as known already (seen_store.py)

Content belongs to one thread, so that nothing is shared between conversations and deleting one leaves no text
behind. Errors of SQLite become StoreUnavailable.
"""

import hashlib
import os
import sqlite3
import time
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from dialogue.seen_store import SEEN_TABLE, SeenStore
from pdgf.errors import BadInput, StoreUnavailable
from pdgf.models import Value

SCHEMA_VERSION = 1  # of chats.sqlite3 and of the record of a thread; a newer store is refused unchanged
FOLDER = "conversations"
BUSY_SECONDS = 5.0  # how long to wait for another process

_TABLES = (
    """CREATE TABLE IF NOT EXISTS conversations (thread TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL,
       domain TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS conversations_of_owner ON conversations (owner, updated)",
    """CREATE TABLE IF NOT EXISTS content (thread TEXT NOT NULL, digest TEXT NOT NULL, text BLOB NOT NULL,
       PRIMARY KEY (thread, digest)) WITHOUT ROWID""",
    SEEN_TABLE,
)


class UnknownConversation(BadInput):
    """Raised when no conversation of that id is stored."""


class Conversation(Value):
    """One row of the list of conversations; times are seconds since the epoch."""

    thread: str
    owner: str
    title: str
    domain: str
    created: float
    updated: float


@contextmanager
def translated() -> Iterator[None]:
    """Turn errors of SQLite and of the file system into StoreUnavailable."""
    try:
        yield
    except (sqlite3.Error, OSError, zlib.error) as error:
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error


class ConversationStore:
    """Open with `async with`; one store a process and event loop. `checkpoints` is the saver of the loop."""

    checkpoints: AsyncSqliteSaver

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            with translated():
                os.makedirs(self._folder, mode=0o700, exist_ok=True)
                os.chmod(self._folder, 0o700)
                self._chats = await stack.enter_async_context(
                    _connected(self._folder / "chats.sqlite3", isolation_level=None)
                )
                await _prepare(self._chats)
                turns = await stack.enter_async_context(_connected(self._folder / "turns.sqlite3"))
                # Plain JSON only: no row may name a type to build.
                self.checkpoints = AsyncSqliteSaver(turns, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
                await self.checkpoints.setup()
            self._open = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with translated():
            await self._open.aclose()

    async def add(self, *, thread: str, owner: str, domain: str) -> None:
        """Add a conversation without a title."""
        now = time.time()
        await self._write("INSERT INTO conversations VALUES (?, ?, '', ?, ?, ?)", (thread, owner, domain, now, now))

    async def touch(self, thread: str, title: str) -> None:
        """Note that a conversation went on; its first words become its title."""
        sql = "UPDATE conversations SET updated = ?, title = CASE title WHEN '' THEN ? ELSE title END WHERE thread = ?"
        await self._write(sql, (time.time(), title, thread))

    async def rename(self, thread: str, title: str) -> None:
        """Give a conversation another title; without one, its next words become its title."""
        await self._write("UPDATE conversations SET title = ? WHERE thread = ?", (title, thread))

    async def has(self, thread: str) -> bool:
        """Whether a conversation of that id is stored."""
        return bool(await self._read("SELECT 1 FROM conversations WHERE thread = ?", (thread,)))

    async def find(self, thread: str) -> Conversation:
        """The row of a conversation. Raises UnknownConversation."""
        rows = await self._read("SELECT * FROM conversations WHERE thread = ?", (thread,))
        if not rows:
            raise UnknownConversation(thread)
        return _conversation(rows[0])

    async def of_owner(self, owner: str) -> list[Conversation]:
        """The conversations of one owner, the latest first."""
        rows = await self._read("SELECT * FROM conversations WHERE owner = ? ORDER BY updated DESC, thread", (owner,))
        return [_conversation(row) for row in rows]

    async def delete(self, thread: str) -> None:
        """Delete checkpoints, content and row of a conversation, and overwrite what they left in the files."""
        with translated():
            await self.checkpoints.adelete_thread(thread)
            await self._write("DELETE FROM content WHERE thread = ?", (thread,))
            await self._write("DELETE FROM conversations WHERE thread = ?", (thread,))
            for connection in (self.checkpoints.conn, self._chats):
                await connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    async def forget_checkpoints(self, thread: str, *, keep: Sequence[str]) -> None:
        """Delete the checkpoints of a thread but those kept: every step stores the whole record anew."""
        marks = ",".join("?" * len(keep))
        with translated():
            async with self.checkpoints.lock:
                for table in ("writes", "checkpoints"):
                    # The names are ours and `marks` holds question marks only.
                    sql = f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id NOT IN ({marks})"  # noqa: S608
                    await self.checkpoints.conn.execute(sql, (thread, *keep))
                await self.checkpoints.conn.commit()

    @property
    def seen(self) -> SeenStore:
        """What owners have brought as known already."""
        return SeenStore(self._chats, translated)

    def content(self, thread: str) -> "SqliteContent":
        """The texts of one conversation."""
        return SqliteContent(self, thread)

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
        data = text.encode()
        digest = hashlib.sha256(data).hexdigest()
        packed = zlib.compress(data)
        await self._store._write("INSERT OR IGNORE INTO content VALUES (?, ?, ?)", (self._thread, digest, packed))
        return digest

    async def get(self, digest: str) -> str:
        """The text of a digest, checked against it. Raises KeyError and StoreUnavailable."""
        sql = "SELECT text FROM content WHERE thread = ? AND digest = ?"
        rows = await self._store._read(sql, (self._thread, digest))
        if not rows:
            raise KeyError(digest)
        with translated():
            data = zlib.decompress(rows[0][0])
        if hashlib.sha256(data).hexdigest() != digest:
            raise StoreUnavailable(f"content {digest} is damaged")
        return data.decode()


@asynccontextmanager
async def _connected(path: Path, **options: Any) -> AsyncIterator[aiosqlite.Connection]:
    """A connection to a file that only its owner may read; the write-ahead log inherits the mode."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    os.chmod(path, 0o600)
    async with aiosqlite.connect(path, timeout=BUSY_SECONDS, **options) as connection:
        await connection.execute("PRAGMA secure_delete = ON")
        await connection.execute("PRAGMA journal_mode = WAL")
        await connection.execute("PRAGMA synchronous = FULL")
        yield connection


async def _prepare(chats: aiosqlite.Connection) -> None:
    """Create the tables of a new file. Raises StoreUnavailable for the file of a newer release."""
    async with chats.execute("PRAGMA user_version") as cursor:
        row = await cursor.fetchone()
    version = row[0] if row else 0
    if version > SCHEMA_VERSION:
        raise StoreUnavailable(f"written by a newer release (schema {version}, this one knows {SCHEMA_VERSION})")
    for table in _TABLES:
        await chats.execute(table)
    await chats.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _conversation(row: Sequence[Any]) -> Conversation:
    return Conversation(**dict(zip(Conversation.model_fields, row, strict=True)))
