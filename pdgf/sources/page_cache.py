"""Texts of pages on disk by the address where they were found, for a day.

    pages.sqlite3   address -> when, and the text as packed JSON; other address asked for -> address

It holds what pages say and nothing of who asked. A cache never fails a turn: what cannot be read is a miss, what
cannot be written is not kept, a damaged file is begun anew.
"""

import asyncio
import logging
import os
import sqlite3
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from pdgf.pages import canonical_url
from pdgf.sources.extract import PageText
from pdgf.sources.fetch import Fetched

FILE = "pages.sqlite3"
SCHEMA_VERSION = 1  # to be raised when the same page is read differently: a file of another version is begun anew
TTL_SECONDS = 86_400.0
MAX_BYTES = 200_000_000  # of packed texts: about 40,000 pages
BUSY_SECONDS = 2.0  # how long to wait for another process

T = TypeVar("T")

_TABLES = """
CREATE TABLE IF NOT EXISTS pages (url TEXT PRIMARY KEY, stored REAL NOT NULL, size INTEGER NOT NULL,
    checksum INTEGER NOT NULL, content BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS by_age ON pages (stored, size);
CREATE TABLE IF NOT EXISTS ways (asked TEXT PRIMARY KEY, url TEXT NOT NULL);
"""
_FOUND = """SELECT stored, checksum, content FROM pages
    WHERE url = coalesce((SELECT url FROM ways WHERE asked = :asked), :asked)"""
_DAMAGE = frozenset([sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR])

_log = logging.getLogger(__name__)


class _OtherVersion(sqlite3.DatabaseError):
    """Raised when a file was written by another release."""


class PageCache:
    """Texts in a folder of its own, which only its owner can read. One a process and event loop; close it at the end.

    `max_bytes` bounds the packed texts, the oldest go first; `clock` gives seconds of the calendar.
    """

    def __init__(
        self,
        folder: Path,
        *,
        ttl_seconds: float = TTL_SECONDS,
        max_bytes: int = MAX_BYTES,
        busy_seconds: float = BUSY_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._path = folder / FILE
        self._ttl_seconds = ttl_seconds
        self._max_bytes = max_bytes
        self._busy_seconds = busy_seconds
        self._clock = clock
        # One thread does all the work with the file, in the order it was asked for.
        self._worker: ThreadPoolExecutor | None = None
        self._connection: sqlite3.Connection | None = None
        self._warned = False

    async def get(self, url: str) -> PageText | None:
        """The text found at an address, or where that address led, if it is there and not too old."""
        asked = canonical_url(url)
        return await self._work(lambda db: self._read(db, asked), None) if asked else None

    async def put(self, asked: str, fetched: Fetched, page: PageText) -> None:
        """Keep the text of a page under its address, and the address that was asked for as a way to it. A page whose
        server asked for no copy is not kept, and an earlier copy goes."""
        way = canonical_url(asked) or page.url
        if fetched.may_store:
            await self._work(lambda db: self._write(db, way, page), None)
        else:
            await self._work(lambda db: _delete(db, page.url), None)

    async def close(self) -> None:
        """Close the file and end the thread. A later call opens them again."""
        worker, self._worker = self._worker, None
        if worker is not None:
            await asyncio.get_running_loop().run_in_executor(worker, self._disconnect)
            worker.shutdown()

    async def _work(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        if self._worker is None:
            self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pages")
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._tolerant, work, otherwise)

    def _tolerant(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """What the work gives; `otherwise` if the file cannot be used. A damaged file is begun anew, once a call."""
        for attempt in range(2):
            try:
                return work(self._connected())
            except sqlite3.Error as error:
                if attempt or not _is_damage(error):
                    self._warn(error)
                    return otherwise
                _log.warning("the cache of pages is damaged and begun anew: %s", error)
            except OSError as error:
                self._warn(error)
                return otherwise
            try:
                self._begin_anew()
            except OSError as error:
                self._warn(error)
                return otherwise
        return otherwise

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            os.chmod(self._folder, 0o700)
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))  # the write-ahead log inherits the mode
            connection = sqlite3.connect(self._path, timeout=self._busy_seconds, isolation_level=None)
            try:
                _prepare(connection)
            except sqlite3.Error:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _begin_anew(self) -> None:
        self._disconnect()
        for suffix in ("", "-wal", "-shm"):
            self._path.with_name(FILE + suffix).unlink(missing_ok=True)

    def _read(self, db: sqlite3.Connection, asked: str) -> PageText | None:
        row = db.execute(_FOUND, {"asked": asked}).fetchone()
        if row is None:
            return None
        stored, checksum, content = row
        # By its distance, so that a clock set back makes nothing young for ever.
        if not isinstance(stored, float) or abs(self._clock() - stored) >= self._ttl_seconds:
            return None
        if not isinstance(content, bytes) or zlib.crc32(content) != checksum:
            return None
        try:
            return PageText.model_validate_json(zlib.decompress(content))
        except (zlib.error, ValidationError):
            return None

    def _write(self, db: sqlite3.Connection, way: str, page: PageText) -> None:
        content = zlib.compress(page.model_dump_json().encode())
        now = self._clock()
        with db:
            db.execute("BEGIN IMMEDIATE")
            row = (page.url, now, len(content), zlib.crc32(content), content)
            db.execute("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?)", row)
            db.execute("DELETE FROM ways WHERE asked = ?", (way,))
            if way != page.url:
                db.execute("INSERT INTO ways VALUES (?, ?)", (way, page.url))
            db.execute("DELETE FROM pages WHERE abs(? - stored) >= ?", (now, self._ttl_seconds))
            self._make_room(db)
            db.execute("DELETE FROM ways WHERE url NOT IN (SELECT url FROM pages)")

    def _make_room(self, db: sqlite3.Connection) -> None:
        surplus = (db.execute("SELECT sum(size) FROM pages").fetchone()[0] or 0) - self._max_bytes
        if surplus <= 0:
            return
        oldest = []
        for url, size in db.execute("SELECT url, size FROM pages ORDER BY stored, rowid").fetchall():
            oldest.append((url,))
            surplus -= size
            if surplus <= 0:
                break
        db.executemany("DELETE FROM pages WHERE url = ?", oldest)

    def _warn(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            _log.warning("pages are not kept: %s: %s", type(error).__name__, error)


def _delete(db: sqlite3.Connection, url: str) -> None:
    with db:
        db.execute("BEGIN IMMEDIATE")
        db.execute("DELETE FROM pages WHERE url = ?", (url,))
        db.execute("DELETE FROM ways WHERE url = ?", (url,))


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, SCHEMA_VERSION):
        raise _OtherVersion(f"version {version}")
    db.executescript(_TABLES)
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _is_damage(error: sqlite3.Error) -> bool:
    # The low byte is the primary code of an extended one.
    return isinstance(error, _OtherVersion) or getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE
