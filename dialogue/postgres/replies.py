"""Kept replies of language models in the shared database, so that a call that one process has paid is paid by none.

They are kept for a month; of very many the oldest go first.
"""

import logging
import zlib

from dialogue.postgres.database import Database
from pdgf.errors import DatabaseUnavailable, StoreDamaged

DAYS = 30
MAX_ROWS = 500_000
SWEEP = 200  # replies that a process writes from one look at age and number to the next

_PUT = """INSERT INTO replies (scope, key, text) VALUES (%s, %s, %s)
    ON CONFLICT (scope, key) DO UPDATE SET text = excluded.text, stored = excluded.stored"""
_SWEEP = """DELETE FROM replies WHERE stored < clock_timestamp() - make_interval(days => %s)
    OR stored < (SELECT stored FROM replies ORDER BY stored DESC OFFSET %s LIMIT 1)"""

log = logging.getLogger(__name__)


class SharedReplies:
    """Texts by scope and key; what the database cannot give is a miss."""

    def __init__(self, database: Database, *, days: float = DAYS, max_rows: int = MAX_ROWS, sweep: int = SWEEP) -> None:
        self._database = database
        self._days = days
        self._max_rows = max_rows
        self._sweep = sweep
        self._written = 0

    async def get(self, scope: str, key: str) -> str | None:
        """The reply kept under a key of a scope, None if there is none or it is too old."""
        sql = """SELECT text FROM replies WHERE scope = %s AND key = %s
                 AND stored >= clock_timestamp() - make_interval(days => %s)"""
        try:
            rows = await self._database.rows(sql, (scope, key, self._days))
            return zlib.decompress(rows[0][0]).decode("utf-8", "surrogatepass") if rows else None
        except (DatabaseUnavailable, StoreDamaged, zlib.error, UnicodeDecodeError) as error:
            log.warning("a kept reply cannot be read: %s", error)
            return None

    async def put(self, scope: str, key: str, text: str) -> None:
        """Keep a reply."""
        packed = zlib.compress(text.encode("utf-8", "surrogatepass"))
        try:
            await self._database.run(_PUT, (scope, key, packed))
            self._written += 1
            if self._written % self._sweep == 0:
                await self._database.run(_SWEEP, (self._days, self._max_rows - 1))
        except DatabaseUnavailable as error:
            log.warning("a reply is not kept: %s", error)

    async def forget(self, scope: str) -> None:
        """Delete all replies of a scope. Raises DatabaseUnavailable."""
        await self._database.run("DELETE FROM replies WHERE scope = %s", (scope,))

    async def close(self) -> None:
        """The database is closed by whoever has made it."""
