"""Opening the files of the store: private to their owner, ours and no newer, to be read alone where nothing can be
written. A file that cannot be used is left as it is."""

import asyncio
import errno
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Set
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiosqlite

from pdgf.errors import StoreFileDamaged, StoreUnavailable

BUSY_SECONDS = 5.0  # how long to wait for another process
PAUSE = 0.05  # seconds from one attempt to empty a log to the next
_FULL = frozenset([sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN])
_DAMAGE = frozenset([sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB])


def private_folder(folder: Path, names: Iterable[str]) -> bool:
    """Make the folder of the store, which only its owner can read. Whether it and its files can be written.
    Raises OSError."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if not os.access(folder, os.W_OK):
        return False
    os.chmod(folder, 0o700)
    files = (folder / name for name in names)
    return all(os.access(file, os.W_OK) for file in files if file.exists())


@asynccontextmanager
async def connected(
    path: Path, *, tables: Set[str], writable: bool, **options: Any
) -> AsyncIterator[aiosqlite.Connection]:
    """A connection to a file that only its owner may read; the write-ahead log inherits the mode.

    Raises StoreFileDamaged for a file that is no database or holds other tables than these.
    """
    async with aiosqlite.connect(_address(path, writable), timeout=BUSY_SECONDS, uri=True, **options) as connection:
        with named(path):
            async with connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'") as cursor:
                found = {str(row[0]) for row in await cursor.fetchall()}
            if not found <= tables:
                raise StoreFileDamaged(path, "it holds something else")
        yield connection


async def durable(connection: aiosqlite.Connection, *, writable: bool) -> None:
    """Let what is written be there after a crash, and what is deleted be gone."""
    for pragma in ("secure_delete = ON", "journal_mode = WAL", "synchronous = FULL") if writable else ():
        await connection.execute(f"PRAGMA {pragma}")


async def empty_log(connection: aiosqlite.Connection) -> None:
    """Leave nothing in the write-ahead log of the file of a connection: what was deleted is then in no file any more.
    Raises sqlite3.OperationalError where others read on for longer than one waits.

    SQLite refuses at once while any statement of the same connection is in the middle of its rows.
    """
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            [(busy, _, _)] = await connection.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_LOCKED or time.monotonic() > until:
                raise
            busy = True
        if not busy:
            return
        if time.monotonic() > until:
            raise sqlite3.OperationalError("the log could not be emptied: database is locked")
        await asyncio.sleep(PAUSE)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Turn what SQLite says of a damaged file into StoreFileDamaged, which names it."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if is_damage(error):
            raise StoreFileDamaged(path, str(error)) from error
        raise


def is_damage(error: BaseException) -> bool:
    """Whether SQLite says that a file is not as it was written: in bytes that are no text, where it names a part."""
    return isinstance(error, UnicodeDecodeError) or (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF in _DAMAGE


def is_full(error: BaseException) -> bool:
    """Whether an error says that nothing more can be written."""
    code = (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
    return code in _FULL or getattr(error, "errno", None) in (errno.ENOSPC, errno.EFBIG, errno.EROFS, errno.EDQUOT)


def due(path: Path, every: float) -> bool:
    """Whether a file is older than so many seconds, or missing, or from a time that is yet to come; it is new then.
    Raises StoreUnavailable where it cannot be written."""
    try:
        if path.exists() and 0.0 <= time.time() - path.stat().st_mtime < every:
            return False
        path.touch(mode=0o600)
        os.utime(path, (time.time(), time.time()))
    except OSError as error:
        raise StoreUnavailable(f"{path.name}: {error.strerror or error}") from error
    return True


def empty(path: Path) -> bool:
    """Whether nothing is in the place of a file, or nothing in it."""
    return not path.exists() or (path.is_file() and not path.stat().st_size)


def _address(path: Path, writable: bool) -> str:
    place = f"file:{quote(str(path))}"
    if writable:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        os.chmod(path, 0o600)
        return place
    # Without a log beside it a file can be read as it stands; with one SQLite has to see both.
    log = path.with_name(f"{path.name}-wal")
    still = not log.exists() or not log.stat().st_size
    return f"{place}?mode=ro{'&immutable=1' if still else ''}"
