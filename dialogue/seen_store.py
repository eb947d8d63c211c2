"""Where what an owner knows already is kept: one table of the database of conversations."""

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import aiosqlite

from dialogue.seen_lists import SeenTitle
from dialogue.store_files import empty_log
from dialogue.storing import SeenCounts
from pdgf.errors import UploadTooLarge
from pdgf.identity import Exclusion, name_key

MAX_KEPT = 50_000  # titles of one owner

SEEN_TABLE = """CREATE TABLE IF NOT EXISTS seen (owner TEXT NOT NULL, key TEXT NOT NULL, year INTEGER NOT NULL,
                title TEXT NOT NULL, PRIMARY KEY (owner, key, year)) WITHOUT ROWID"""  # year 0: not known
_ADD = """INSERT OR IGNORE INTO seen SELECT ?, json_extract(value, '$[0]'), json_extract(value, '$[1]'),
          json_extract(value, '$[2]') FROM json_each(?)"""

log = logging.getLogger(__name__)


class SeenStore:
    """The titles that owners have brought as known already. Every method raises StoreUnavailable."""

    def __init__(
        self, connection: aiosqlite.Connection, translated: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._connection = connection
        self._translated = translated

    async def add(self, owner: str, titles: Sequence[SeenTitle]) -> SeenCounts:
        """Add titles, all or none. Raises UploadTooLarge when an owner would keep more than MAX_KEPT."""
        rows = await asyncio.to_thread(by_key, titles)
        before = await self._count(owner)
        if before + len(rows) > MAX_KEPT:
            raise UploadTooLarge(f"{MAX_KEPT:,} titles")
        values = json.dumps([[key, year, title] for (key, year), title in rows.items()])
        with self._translated():
            await self._connection.execute(_ADD, (owner, values))
        total = await self._count(owner)
        return SeenCounts(added=total - before, known=len(rows) - (total - before), total=total)

    async def of(self, owner: str) -> tuple[Exclusion, ...]:
        """What an owner knows already, as exclusions, by title."""
        sql = "SELECT title, year FROM seen WHERE owner = ? ORDER BY title COLLATE NOCASE, year"
        with self._translated():
            async with self._connection.execute(sql, (owner,)) as cursor:
                rows = list(await cursor.fetchall())
        whole = [(title, year) for title, year in rows if isinstance(title, str) and isinstance(year, int)]
        if len(whole) < len(rows):
            log.warning("%s titles that were brought as known are damaged and left out", len(rows) - len(whole))
        return tuple(Exclusion(title=title, year=year or None, why="seen") for title, year in whole)

    async def drop(self, owner: str, titles: Sequence[SeenTitle]) -> None:
        """Delete some of what an owner has brought: those of the same key and year."""
        rows = [(owner, key, year) for key, year in by_key(titles)]
        with self._translated():
            await self._connection.executemany("DELETE FROM seen WHERE owner = ? AND key = ? AND year = ?", rows)

    async def forget(self, owner: str) -> None:
        """Delete what an owner has brought, and overwrite what it left in the files."""
        with self._translated():
            await self._connection.execute("DELETE FROM seen WHERE owner = ?", (owner,))
            await empty_log(self._connection)

    async def _count(self, owner: str) -> int:
        with self._translated():
            async with self._connection.execute("SELECT count(*) FROM seen WHERE owner = ?", (owner,)) as cursor:
                row = await cursor.fetchone()
        return int(row[0]) if row else 0


def by_key(titles: Sequence[SeenTitle]) -> dict[tuple[str, int], str]:
    """Each title once, as it was first written, by name key and year."""
    return {(name_key(title.title), title.year or 0): title.title for title in reversed(titles)}
