"""The tables of the database: brought up to date once, all or nothing, and never by an older release."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest
from langgraph.checkpoint.postgres.base import MIGRATIONS as OF_LANGGRAPH

from dialogue import wording
from dialogue.postgres import migrating
from dialogue.postgres.database import Connection, Database, conninfo_of
from dialogue.postgres.migrating import LOCK, Migration, migrate, migrations
from pdgf.errors import DatabaseTooNew, DatabaseUnusable
from tests.postgres.serving import fresh_url
from tests.reliability.forked import Tell, fork

BROKEN = Migration(len(migrations()) + 1, "broken", "CREATE TABLE half (x int); SELECT 1 / 0;")


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Connection]:
    async with await psycopg.AsyncConnection.connect(conninfo_of(url), autocommit=True) as connection:
        yield connection


async def tables(connection: Connection) -> list[str]:
    found = await connection.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'pdgf'")
    return sorted(str(row[0]) for row in await found.fetchall())


async def test_an_empty_database_gets_every_table_and_a_second_look_changes_nothing() -> None:
    async with connected(fresh_url()) as connection:
        assert await migrate(connection) == len(migrations())
        made = await tables(connection)
        assert {"conversations", "content", "seen", "spent", "replies", "pages", "ways", "checkpoints"} <= set(made)
        assert await migrate(connection) == 0
        assert await tables(connection) == made
        found = await connection.execute("SELECT count(*) FROM pg_index WHERE NOT indisvalid")
        assert await found.fetchone() == (0,)


async def test_processes_that_begin_together_bring_it_up_to_date_once() -> None:
    url = fresh_url()

    async def one() -> int:
        async with connected(url) as connection:
            return await migrate(connection)

    assert sorted(await asyncio.gather(*(one() for _ in range(5)))) == [0, 0, 0, 0, len(migrations())]


async def test_a_step_that_fails_leaves_nothing_of_itself_and_nothing_of_those_before_it() -> None:
    async with connected(fresh_url()) as connection:
        with pytest.raises(psycopg.errors.DivisionByZero):
            await migrate(connection, (*migrations(), BROKEN))
        assert await tables(connection) == []
        assert await migrate(connection) == len(migrations())
        with pytest.raises(psycopg.errors.DivisionByZero):
            await migrate(connection, (*migrations(), BROKEN))
        assert "half" not in await tables(connection)


def test_a_process_that_is_killed_in_the_middle_leaves_no_half_and_no_lock() -> None:
    url = fresh_url()
    slow = Migration(len(migrations()) + 1, "slow", "CREATE TABLE half (x int); SELECT pg_sleep(60);")

    async def work(tell: Tell) -> None:
        async with connected(url) as connection:
            tell("begun")
            await migrate(connection, (*migrations(), slow))

    async def seen() -> tuple[list[str], int]:
        async with connected(url) as connection:
            async with asyncio.timeout(10.0):
                while (await (await connection.execute(_SLEEPS)).fetchone()) == (0,):  # noqa: ASYNC110  another process
                    await asyncio.sleep(0.05)
            child.kill()
            before = await tables(connection)
            async with asyncio.timeout(10.0):
                return before, await migrate(connection)

    child = fork(work)
    before, done = asyncio.run(seen())
    child.lines()
    assert child.killed
    assert before == []
    assert done == len(migrations())


_SLEEPS = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()"


async def test_a_database_of_a_newer_release_is_refused_in_words_and_left_as_it_is() -> None:
    url = fresh_url()
    async with connected(url) as connection:
        await migrate(connection)
        await connection.execute("INSERT INTO migrations VALUES (%s, 'from the future')", (len(migrations()) + 1,))
        before = await (await connection.execute("SELECT * FROM migrations")).fetchall()
        database = Database(url)
        with pytest.raises(DatabaseTooNew) as refused:
            await database.open()
        assert "newer release" in wording.sentence_for(refused.value)
        assert await (await connection.execute("SELECT * FROM migrations")).fetchall() == before


async def test_checkpoints_of_a_newer_langgraph_are_refused_too() -> None:
    async with connected(fresh_url()) as connection:
        await migrate(connection)
        await connection.execute("INSERT INTO checkpoint_migrations VALUES (%s)", (len(OF_LANGGRAPH),))
        with pytest.raises(DatabaseTooNew):
            await migrate(connection)


async def test_a_step_that_a_newer_langgraph_adds_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    async with connected(fresh_url()) as connection:
        await migrate(connection)
        more = [*OF_LANGGRAPH, "CREATE INDEX CONCURRENTLY more ON checkpoints (type)"]
        monkeypatch.setattr(migrating, "OF_LANGGRAPH", more)
        await migrate(connection)
        found = await connection.execute("SELECT max(v), to_regclass('more') IS NOT NULL FROM checkpoint_migrations")
        assert await found.fetchone() == (len(OF_LANGGRAPH), True)


async def test_tables_of_another_program_are_refused() -> None:
    url = fresh_url()
    async with connected(url) as connection:
        await connection.execute("CREATE SCHEMA pdgf")
        await connection.execute("CREATE TABLE migrations (number int, name text)")
        await connection.execute("INSERT INTO migrations VALUES (1, 'users')")
        with pytest.raises(DatabaseUnusable, match="another program"):
            await Database(url).open()


async def test_while_another_process_does_it_one_waits_and_then_has_nothing_to_do() -> None:
    url = fresh_url()
    async with connected(url) as first, connected(url) as second:
        await first.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        waiting = asyncio.create_task(migrate(second))
        await asyncio.sleep(0.2)
        assert not waiting.done()
        assert await migrate(first) == len(migrations())  # a session can take its own lock again
        await first.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))
        assert await waiting == 0
