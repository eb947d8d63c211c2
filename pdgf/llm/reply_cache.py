"""Replies on disk by everything they depend on, each belonging to a conversation; equal calls in flight become one.

    replies.sqlite3           (scope, key) -> the text of a reply that was read and checked
    replies.sqlite3.damaged   what could not be read; kept until a conversation is deleted

A cache never fails a turn: what cannot be read is a miss, what cannot be written is not kept. Only a deletion that
could not be carried out is an error.
"""

import asyncio
import hashlib
import json
import sqlite3
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic_core import to_jsonable_python

from pdgf.cache_file import BUSY_SECONDS, CacheFile
from pdgf.errors import StoreUnavailable
from pdgf.llm.calls import Ask

FILE = "replies.sqlite3"
SCHEMA_VERSION = 1  # a file of another version is moved aside: a cache can be begun anew
MAX_ROWS = 20_000  # about 40 MB of ordinary replies
MAX_CHARS = 200_000  # of one reply; a longer one is not kept

_TABLE = """CREATE TABLE IF NOT EXISTS replies (scope TEXT NOT NULL, key TEXT NOT NULL, checksum INTEGER NOT NULL,
            text BLOB NOT NULL, PRIMARY KEY (scope, key))"""
_PRAGMAS = ("secure_delete = ON", "temp_store = MEMORY")  # VACUUM would write a copy outside the folder
_OLDEST = "DELETE FROM replies WHERE rowid IN (SELECT rowid FROM replies ORDER BY rowid LIMIT ?)"


@dataclass
class _Flight:
    """One call that several callers wait for."""

    task: asyncio.Task[str] | None = None
    waiting: int = 0
    keep: bool = True


def reply_key(model: str, ask: Ask) -> str:
    """The key of a reply: a digest of the model, the role, the prompt, its inputs and the schema of the reply."""
    rendered = ask.rendered
    parts = [model, ask.role.value, rendered.name, rendered.digest, rendered.inputs, ask.reply_schema]
    canonical = json.dumps(to_jsonable_python(parts), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


class ReplyCache:
    """Replies in a folder of its own, which only its owner can read. One a process and event loop; close it at the end.

    `scope` is the conversation a reply belongs to; for an empty one, which nobody could ever forget, nothing is kept.
    """

    def __init__(
        self,
        folder: Path,
        *,
        max_rows: int = MAX_ROWS,
        max_chars: int = MAX_CHARS,
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        self._aside = folder / f"{FILE}.damaged"
        self._file = CacheFile(
            folder / FILE,
            what="replies",
            version=SCHEMA_VERSION,
            tables=_TABLE,
            pragmas=_PRAGMAS,
            aside=self._aside,
            busy_seconds=busy_seconds,
        )
        self._max_rows = max_rows
        self._max_chars = max_chars
        self._flights: dict[tuple[str, str], _Flight] = {}

    async def get(self, scope: str, key: str) -> str | None:
        """The reply kept under a key of a scope, None if there is none or it was damaged."""
        return await self._file.work(lambda db: _read(db, scope, key), None) if scope else None

    async def put(self, scope: str, key: str, text: str) -> None:
        """Keep a reply; the oldest of all scopes go when there are too many."""
        if scope and len(text) <= self._max_chars:
            await self._file.work(lambda db: _write(db, scope, key, text, self._max_rows), None)

    async def forget(self, scope: str) -> None:
        """Delete all replies of a scope and overwrite what they left in the files; calls in flight are not kept.

        Where that cannot be done row by row, the whole cache is deleted. Raises StoreUnavailable if not even that.
        """
        for (flying, _), flight in self._flights.items():
            if flying == scope:
                flight.keep = False
        await self._file.in_turn(lambda: self._forget(scope))

    async def shared(
        self,
        scope: str,
        key: str,
        make: Callable[[], Awaitable[str]],
        *,
        usable: Callable[[str], bool] | None = None,
    ) -> str:
        """The reply kept under a key, if `usable` says so; else what `make` returns, which is then kept.

        Equal calls at the same time are one. It goes on while anyone waits for it and is cancelled when nobody does.
        What `make` raises is raised to everyone who waits, and nothing is kept.
        """
        place = (scope, key)
        flight = self._flights.get(place)
        if flight is None:
            flight = self._flights[place] = _Flight()
            flight.task = asyncio.create_task(self._kept_or_made(flight, place, make, usable))
        task = flight.task
        assert task is not None  # noqa: S101  set in the same step of the loop that made the flight
        flight.waiting += 1
        try:
            return await asyncio.shield(task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                if self._flights.get(place) is flight:
                    del self._flights[place]
                if not task.done():
                    task.cancel()
                    await asyncio.wait([task])

    async def close(self) -> None:
        """Close the file and end the thread. A later call opens them again."""
        await self._file.close()

    async def _kept_or_made(
        self,
        flight: _Flight,
        place: tuple[str, str],
        make: Callable[[], Awaitable[str]],
        usable: Callable[[str], bool] | None,
    ) -> str:
        kept = await self.get(*place)
        if kept is not None and (usable is None or usable(kept)):
            return kept
        made = await make()
        if flight.keep:
            await self.put(*place, made)
        return made

    def _forget(self, scope: str) -> None:
        try:
            self._aside.unlink(missing_ok=True)
            if self._file.path.exists() and not self._file.tolerant(lambda db: _delete(db, scope), False):
                self._file.delete()
            self._aside.unlink(missing_ok=True)
        except NotADirectoryError:
            return
        except OSError as error:
            raise StoreUnavailable(f"kept replies could not be deleted: {type(error).__name__}") from error


def _read(connection: sqlite3.Connection, scope: str, key: str) -> str | None:
    sql = "SELECT checksum, text FROM replies WHERE scope = ? AND key = ?"
    row = connection.execute(sql, (scope, key)).fetchone()
    if row is None or not isinstance(row[1], bytes) or _checksum(scope, key, row[1]) != row[0]:
        return None
    return row[1].decode("utf-8", "surrogatepass")


def _write(connection: sqlite3.Connection, scope: str, key: str, text: str, max_rows: int) -> None:
    # As bytes a text comes back as it was, NUL and unpaired surrogates included.
    data = text.encode("utf-8", "surrogatepass")
    connection.execute(
        "INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", (scope, key, _checksum(scope, key, data), data)
    )
    surplus = connection.execute("SELECT count(*) FROM replies").fetchone()[0] - max_rows
    if surplus > 0:
        connection.execute(_OLDEST, (surplus,))


def _checksum(scope: str, key: str, text: bytes) -> int:
    """That of a row: a text in the place of another one is damage too."""
    return zlib.crc32(text, zlib.crc32(f"{scope}\0{key}".encode("utf-8", "surrogatepass")))


def _delete(connection: sqlite3.Connection, scope: str) -> bool:
    """Whether the rows are gone from the file and from its write-ahead log, where old pages live on."""
    connection.execute("DELETE FROM replies WHERE scope = ?", (scope,))
    connection.execute("VACUUM")  # secure_delete misses the copies that stay behind when rows move between pages
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy
