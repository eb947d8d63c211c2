"""Texts of pages in the shared database, for a day, so that one process need not fetch what another has read.

It holds what pages say and nothing of who asked.
"""

import logging
import zlib

from pydantic import ValidationError

from dialogue.postgres.database import Database
from pdgf.errors import DatabaseUnavailable
from pdgf.pages import canonical_url
from pdgf.sources.extract import PageText
from pdgf.sources.fetch import Fetched
from pdgf.sources.page_cache import MAX_BYTES, SCHEMA_VERSION, TTL_SECONDS

SWEEP = 50  # pages that a process writes from one look at age and size to the next

_YOUNG = "stored >= clock_timestamp() - make_interval(secs => %s)"
_GET = f"SELECT content FROM pages WHERE url = coalesce((SELECT url FROM ways WHERE asked = %s), %s) AND {_YOUNG}"  # noqa: S608
_PUT = """INSERT INTO pages (url, content) VALUES (%s, %s)
    ON CONFLICT (url) DO UPDATE SET content = excluded.content, stored = excluded.stored"""
_WAY = "INSERT INTO ways VALUES (%s, %s) ON CONFLICT (asked) DO UPDATE SET url = excluded.url"
_SWEEP = f"""DELETE FROM pages WHERE NOT ({_YOUNG}) OR url IN (SELECT url FROM
    (SELECT url, sum(length(content)) OVER (ORDER BY stored DESC, url) AS so_far FROM pages) p WHERE so_far > %s)"""  # noqa: S608

log = logging.getLogger(__name__)


class SharedPages:
    """Texts by the address where they were found; what the database cannot give is a miss."""

    def __init__(
        self,
        database: Database,
        *,
        ttl_seconds: float = TTL_SECONDS,
        max_bytes: int = MAX_BYTES,
        sweep: int = SWEEP,
    ) -> None:
        self._database = database
        self._ttl_seconds = ttl_seconds
        self._max_bytes = max_bytes
        self._sweep = sweep
        self._written = 0

    async def get(self, url: str) -> PageText | None:
        """The text found at an address, or where that address led, if it is there and not too old."""
        asked = canonical_url(url)
        if not asked:
            return None
        try:
            rows = await self._database.rows(_GET, (_key(asked), _key(asked), self._ttl_seconds))
            return PageText.model_validate_json(zlib.decompress(rows[0][0])) if rows else None
        except (DatabaseUnavailable, zlib.error, ValidationError) as error:
            log.warning("the text of a page cannot be read: %s", type(error).__name__)
            return None

    async def put(self, asked: str, fetched: Fetched, page: PageText) -> None:
        """Keep the text of a page under its address, and the address that was asked for as a way to it. A page whose
        server asked for no copy is not kept, and an earlier copy goes."""
        way, url = _key(canonical_url(asked) or page.url), _key(page.url)
        try:
            if not fetched.may_store:
                await self._database.run("DELETE FROM pages WHERE url = %s", (url,))
                return
            packed = zlib.compress(page.model_dump_json().encode())
            async with self._database.connection() as connection, connection.transaction():
                await connection.execute(_PUT.encode(), (url, packed))
                await connection.execute("DELETE FROM ways WHERE asked IN (%s, %s)", (way, url))
                if way != url:
                    await connection.execute(_WAY.encode(), (way, url))
            self._written += 1
            if self._written % self._sweep == 0:
                await self._database.run(_SWEEP, (self._ttl_seconds, self._max_bytes))
        except DatabaseUnavailable as error:
            log.warning("the text of a page is not kept: %s", error)

    async def close(self) -> None:
        """The database is closed by whoever has made it."""


def _key(url: str) -> str:
    """An address under which the same page is read in the same way."""
    return f"{SCHEMA_VERSION} {url}"
