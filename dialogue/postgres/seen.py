"""Where what owners know already is kept: one table of the shared database."""

import asyncio
from collections.abc import Sequence

from dialogue.postgres.database import Database
from dialogue.seen_lists import SeenTitle
from dialogue.seen_store import MAX_KEPT, by_key
from dialogue.storing import SeenCounts
from pdgf.errors import UploadTooLarge
from pdgf.identity import Exclusion

_ADD = """INSERT INTO seen SELECT %s, * FROM unnest(%s::text[], %s::integer[], %s::text[]) ON CONFLICT DO NOTHING"""
_COUNT = "SELECT count(*) FROM seen WHERE owner = %s"


class SharedSeen:
    """The titles that owners have brought as known already. Every method raises DatabaseUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, owner: str, titles: Sequence[SeenTitle]) -> SeenCounts:
        """Add titles, all or none. Raises UploadTooLarge when an owner would keep more than MAX_KEPT."""
        rows = await asyncio.to_thread(by_key, titles)
        keys, years = [text_of(key) for key, _ in rows], [year for _, year in rows]
        named = [text_of(title) for title in rows.values()]
        async with self._database.connection() as connection, connection.transaction():
            # one list at a time of an owner, or two together could pass the limit
            await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))", (owner,))
            [[before]] = await (await connection.execute(_COUNT, (owner,))).fetchall()
            if before + len(rows) > MAX_KEPT:
                raise UploadTooLarge(f"{MAX_KEPT:,} titles")
            added = (await connection.execute(_ADD, (owner, keys, years, named))).rowcount
        return SeenCounts(added=added, known=len(rows) - added, total=before + added)

    async def of(self, owner: str) -> tuple[Exclusion, ...]:
        """What an owner knows already, as exclusions, by title."""
        sql = "SELECT title, year FROM seen WHERE owner = %s ORDER BY lower(title), year"
        rows = await self._database.rows(sql, (owner,))
        return tuple(Exclusion(title=title, year=year or None, why="seen") for title, year in rows)

    async def drop(self, owner: str, titles: Sequence[SeenTitle]) -> None:
        """Delete some of what an owner has brought: those of the same key and year."""
        for key, year in by_key(titles):
            sql = "DELETE FROM seen WHERE owner = %s AND key = %s AND year = %s"
            await self._database.run(sql, (owner, text_of(key), year))

    async def forget(self, owner: str) -> None:
        """Delete what an owner has brought."""
        await self._database.run("DELETE FROM seen WHERE owner = %s", (owner,))


def text_of(words: str) -> str:
    """Words as the database can hold them: without NUL, and without half characters."""
    return words.replace("\0", "").encode("utf-8", "replace").decode()
