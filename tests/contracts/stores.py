"""The stores that a promise is asked of: files of one process, and a database that many share."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from dialogue.postgres.database import Database
from dialogue.postgres.store import SharedStore
from dialogue.store import ConversationStore
from dialogue.storing import Store
from tests.postgres.serving import fresh_url

KINDS = ("sqlite", "postgres")


@asynccontextmanager
async def shared(url: str, **options: float) -> AsyncIterator[SharedStore]:
    """A process's store over a database."""
    database = Database(url, **options)  # type: ignore[arg-type]
    try:
        async with SharedStore(database) as store:
            yield store
    finally:
        await database.close()


@asynccontextmanager
async def a_store(kind: str, folder: Path) -> AsyncIterator[Store]:
    """An empty store of that kind."""
    async with ConversationStore(folder) if kind == "sqlite" else shared(fresh_url()) as store:
        yield store
