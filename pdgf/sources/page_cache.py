"""Texts of pages on disk by the address where they were found, for a day.

    pages.sqlite3   address -> when, and the text as packed JSON; other address asked for -> address

It holds what pages say and nothing of who asked. A cache never fails a turn: what cannot be read is a miss, what
cannot be written is not kept, a damaged file is begun anew.
"""

import sqlite3
import time
import zlib
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from pdgf.cache_file import BUSY_SECONDS, CacheFile
from pdgf.pages import canonical_url
from pdgf.sources.extract import PageText
from pdgf.sources.fetch import Fetched

FILE = "pages.sqlite3"
SCHEMA_VERSION = 2  # to be raised when the same page is read differently: a file of another version is begun anew
TTL_SECONDS = 86_400.0
MAX_BYTES = 200_000_000  # of packed texts: about 40,000 pages

_TABLES = """
CREATE TABLE IF NOT EXISTS pages (url TEXT PRIMARY KEY, stored REAL NOT NULL, size INTEGER NOT NULL,
    checksum INTEGER NOT NULL, content BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS by_age ON pages (stored, size);
CREATE TABLE IF NOT EXISTS ways (asked TEXT PRIMARY KEY, url TEXT NOT NULL, checksum INTEGER NOT NULL);
"""


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
        self._file = CacheFile(
            folder / FILE, what="pages", version=SCHEMA_VERSION, tables=_TABLES, busy_seconds=busy_seconds
        )
        self._ttl_seconds = ttl_seconds
        self._max_bytes = max_bytes
        self._clock = clock

    async def get(self, url: str) -> PageText | None:
        """The text found at an address, or where that address led, if it is there and not too old."""
        asked = canonical_url(url)
        return await self._file.work(lambda db: self._read(db, asked), None) if asked else None

    async def put(self, asked: str, fetched: Fetched, page: PageText) -> None:
        """Keep the text of a page under its address, and the address that was asked for as a way to it. A page whose
        server asked for no copy is not kept, and an earlier copy goes."""
        way = canonical_url(asked) or page.url
        if fetched.may_store:
            await self._file.work(lambda db: self._write(db, way, page), None)
        else:
            await self._file.work(lambda db: _delete(db, page.url), None)

    async def close(self) -> None:
        """Close the file and end the thread. A later call opens them again."""
        await self._file.close()

    def _read(self, db: sqlite3.Connection, asked: str) -> PageText | None:
        url, way = asked, db.execute("SELECT url, checksum FROM ways WHERE asked = ?", (asked,)).fetchone()
        if way is not None:
            url = str(way[0])
            if way[1] != _checksum(asked, url.encode()):
                return None
        row = db.execute("SELECT stored, checksum, content FROM pages WHERE url = ?", (url,)).fetchone()
        if row is None:
            return None
        stored, checksum, content = row
        # By its distance, so that a clock set back makes nothing young for ever.
        if not isinstance(stored, float) or abs(self._clock() - stored) >= self._ttl_seconds:
            return None
        if not isinstance(content, bytes) or _checksum(url, content) != checksum:
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
            row = (page.url, now, len(content), _checksum(page.url, content), content)
            db.execute("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?)", row)
            db.execute("DELETE FROM ways WHERE asked = ?", (way,))
            if way != page.url:
                db.execute("INSERT INTO ways VALUES (?, ?, ?)", (way, page.url, _checksum(way, page.url.encode())))
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


def _checksum(name: str, content: bytes) -> int:
    """That of a row: what stands under the name of another one is damage too."""
    return zlib.crc32(content, zlib.crc32(name.encode("utf-8", "surrogatepass")))


def _delete(db: sqlite3.Connection, url: str) -> None:
    with db:
        db.execute("BEGIN IMMEDIATE")
        db.execute("DELETE FROM pages WHERE url = ?", (url,))
        db.execute("DELETE FROM ways WHERE url = ?", (url,))
