"""Where replies of language models are kept: one SQLite file, or a database that many processes share.

replies.sqlite3           (scope, key) -> the text of a reply that was read and checked
replies.sqlite3.damaged   what could not be read; kept until a conversation is deleted
"""

import sqlite3
import zlib
from pathlib import Path
from typing import Protocol

from pdgf.cache_file import BUSY_SECONDS, CacheFile
from pdgf.errors import StoreUnavailable

FILE = "replies.sqlite3"
SCHEMA_VERSION = 1  # a file of another version is moved aside: a cache can be begun anew
MAX_ROWS = 20_000  # about 40 MB of ordinary replies

_TABLE = """CREATE TABLE IF NOT EXISTS replies (scope TEXT NOT NULL, key TEXT NOT NULL, checksum INTEGER NOT NULL,
            text BLOB NOT NULL, PRIMARY KEY (scope, key))"""
_PRAGMAS = ("secure_delete = ON", "temp_store = MEMORY")  # VACUUM would write a copy outside the folder
_OLDEST = "DELETE FROM replies WHERE rowid IN (SELECT rowid FROM replies ORDER BY rowid LIMIT ?)"


class KeptReplies(Protocol):
    """Texts by scope and key. What cannot be read is a miss, what cannot be written is not kept: neither raises."""

    async def get(self, scope: str, key: str) -> str | None:
        """The reply kept under a key of a scope, None if there is none or it was damaged."""
        ...

    async def put(self, scope: str, key: str, text: str) -> None:
        """Keep a reply; the oldest of all scopes go when there are too many."""
        ...

    async def forget(self, scope: str) -> None:
        """Delete all replies of a scope. Raises StoreUnavailable."""
        ...

    async def close(self) -> None:
        """Let go of what is open. A later call opens it again."""
        ...


class FiledReplies:
    """Replies in a folder of its own, which only its owner can read. One a process and event loop."""

    def __init__(self, folder: Path, *, max_rows: int = MAX_ROWS, busy_seconds: float = BUSY_SECONDS) -> None:
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

    async def get(self, scope: str, key: str) -> str | None:
        """The reply kept under a key of a scope, None if there is none or it was damaged."""
        return await self._file.work(lambda db: _read(db, scope, key), None)

    async def put(self, scope: str, key: str, text: str) -> None:
        """Keep a reply; the oldest of all scopes go when there are too many."""
        await self._file.work(lambda db: _write(db, scope, key, text, self._max_rows), None)

    async def forget(self, scope: str) -> None:
        """Delete all replies of a scope and overwrite what they left in the files.

        Where that cannot be done row by row, the whole cache is deleted. Raises StoreUnavailable if not even that.
        """
        await self._file.in_turn(lambda: self._forget(scope))

    async def close(self) -> None:
        """Close the file and end the thread. A later call opens them again."""
        await self._file.close()

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
