"""A PostgreSQL that is really stopped and begun again while a process talks to it, or stands idle, or says no more."""

import asyncio
import tempfile
import time
from pathlib import Path

import pytest

from dialogue import wording
from dialogue.conversation import Conversations
from dialogue.operating import STORE, Operation
from dialogue.postgres import database as databases
from dialogue.postgres.database import Database
from dialogue.postgres.tries import SharedTries
from pdgf.errors import DatabaseReadOnly, DatabaseUnavailable, IndexUnavailable, StoreUnavailable
from pdgf.sources.pgvector.building import index_file
from pdgf.sources.pgvector.reviews import CONNECTIONS, PgvectorReviews
from tests.contracts.stores import shared
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import HashingEmbedder, Shelf, VocabularyAgent
from tests.pdgf.sources.pgvector.made_up import shop
from tests.postgres.own_server import own_server
from tests.postgres.serving import fresh_url
from tests.postgres.test_outages import say
from tests.postgres.wire import wire
from tests.vector_database import write_items

pytestmark = pytest.mark.long

PROXY = 2.0  # seconds that what asks a process waits for its answer


async def widened(database: Database) -> None:
    """Let every connection of the pool have been used, as in a process that has served many at once."""
    taken = [database.connection() for _ in range(database._most)]
    await asyncio.gather(*(one.__aenter__() for one in taken))
    await asyncio.gather(*(one.__aexit__(None, None, None) for one in taken))
    assert database.counts()["free"] == database._most


async def test_the_first_turn_after_the_server_is_back_is_answered_however_many_connections_have_died(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(databases, "WAIT", 2.0)
    ports = town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
    async with own_server() as server, shared(server.url) as store, Conversations(store, always(ports)) as talks:
        await talks.start("restaurants", "ann", "t")
        await say(talks, "ramen in Old Harbour")
        await widened(store._database)
        await server.stop()  # while nobody asks
        await server.start()
        await say(talks, "quiet please")
        await widened(store._database)
        await server.stop()
        with pytest.raises(StoreUnavailable) as raised:
            await say(talks, "vegan please")
        assert "was not saved" in wording.sentence_for(raised.value)
        await asyncio.sleep(3.0)  # longer than the pool tries anew by itself
        await server.start()
        await say(talks, "vegan please")
        assert [view.utterance for view in await talks.history("t")] == [
            "ramen in Old Harbour",
            "quiet please",
            "vegan please",
        ]


async def test_a_catalogue_in_the_database_is_searched_at_once_after_the_server_is_back(tmp_path: Path) -> None:
    async with own_server() as server:
        path = write_items(tmp_path / "a.jsonl", shop(5))
        await index_file(server.url, path, owner="ann", name="shop", embedder=HashingEmbedder())
        reviews = PgvectorReviews(server.url, HashingEmbedder(), owner="ann", name="shop")
        await asyncio.gather(*(reviews.ask("SELECT pg_sleep(0.3) FROM {items}", {}) for _ in range(CONNECTIONS)))
        assert reviews._pool.get_stats()["pool_size"] == CONNECTIONS
        await server.stop()
        with pytest.raises(IndexUnavailable, match="cannot be reached"):
            await reviews.version()
        await server.start()
        assert await reviews.version() > 0
        await reviews.close()


async def test_where_the_database_says_nothing_more_it_is_told_so_before_a_proxy_loses_patience() -> None:
    with tempfile.TemporaryDirectory(prefix="wire-") as folder:
        async with wire(fresh_url(), Path(folder)) as way:
            database = Database(way.url)
            operation, tries = Operation(database.check), SharedTries(database)
            operation.warm.set()
            assert await operation.missing() == ""
            way.freeze()
            begun = time.monotonic()
            assert await operation.missing() == STORE
            assert await tries.wait({"name ann": 1}) == 0.0
            taken = time.monotonic() - begun
            way.thaw()
            async with asyncio.timeout(30.0):
                while await operation.missing():  # noqa: ASYNC110  another program
                    await asyncio.sleep(0.05)
            await database.close()
    assert taken < 2 * PROXY


async def test_a_database_that_can_only_be_read_is_told_apart_from_one_that_does_not_answer() -> None:
    url, ports = fresh_url(), town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
    async with shared(url) as store, Conversations(store, always(ports)) as talks:
        await talks.start("restaurants", "ann", "t")
        await say(talks, "ramen in Old Harbour")
        await store._database.check()
        name = url.rpartition("/")[2].partition("?")[0]
        async with await store._database.apart() as administrator:
            await administrator.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'.encode())
            others = (
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
            )
            await administrator.execute(others, (name,))
        with pytest.raises(DatabaseReadOnly):
            await store._database.check()
        with pytest.raises(DatabaseReadOnly) as raised:
            await say(talks, "quiet please")
    for language in wording.LANGUAGES:
        with wording.speaking(language):
            assert wording.sentence_for(raised.value) != wording.sentence_for(DatabaseUnavailable("none"))
