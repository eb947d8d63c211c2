"""The tables of the database: made and brought up to date once, whoever comes first, all or nothing.

The steps are the SQL files of `migrations/`, in the order of their numbers, after those that LangGraph lists for its
checkpoints. One transaction does all of them under a lock of the database, so that an interruption leaves no half and a
second process waits and then finds nothing to do.
"""

from contextlib import suppress
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import psycopg
from langgraph.checkpoint.postgres.base import MIGRATIONS as OF_LANGGRAPH
from psycopg import AsyncConnection

from pdgf.errors import DatabaseTooNew, DatabaseUnusable

SCHEMA = "pdgf"
LOCK = 0x70646766  # of the database, held while its tables are brought up to date
PATIENCE = "120s"  # for another process that does it

_OF_OURS = "CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, name text NOT NULL)"


class Migration(NamedTuple):
    """One step: its number, from 1 without a gap, what it is called, and its SQL."""

    number: int
    name: str
    sql: str


class Standing(NamedTuple):
    """The last steps that a database has seen, ours and LangGraph's; 0 and -1 before the first."""

    ours: int
    langgraph: int


@cache
def migrations() -> tuple[Migration, ...]:
    """Every step that this release knows, in their order."""
    folder = resources.files("dialogue.postgres").joinpath("migrations")
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    found = [Migration(int(name[:4]), name[5:-4], folder.joinpath(name).read_text(encoding="utf-8")) for name in files]
    assert [step.number for step in found] == list(range(1, len(found) + 1))  # noqa: S101  they come with the package
    return tuple(found)


def newest() -> int:
    """The number of the last step that this release knows."""
    return migrations()[-1].number


async def migrate(connection: AsyncConnection[Any], steps: tuple[Migration, ...] | None = None) -> int:
    """Bring the tables up to date, and say how many steps that took; none where they are. The connection commits by
    itself.

    Raises DatabaseTooNew and DatabaseUnusable, and psycopg.Error; then nothing is changed.
    """
    steps = migrations() if steps is None else steps
    standing = await _standing(connection)
    if not _missing(standing, steps) and standing.langgraph + 1 == len(OF_LANGGRAPH):
        return 0
    with suppress(psycopg.Error):  # not every server can look whether we are still there while it works
        await connection.execute("SET client_connection_check_interval = '2s'")
    async with connection.transaction():
        await connection.execute("SET LOCAL statement_timeout = 0")
        await connection.execute("SELECT set_config('lock_timeout', %s, true)", (PATIENCE,))
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        await connection.execute(_OF_OURS)
        await connection.execute(OF_LANGGRAPH[0])
        before = await _standing(connection)
        missing = _missing(before, steps)
        await _of_langgraph(connection, before.langgraph)
        for step in missing:
            await connection.execute(step.sql.encode())
            await connection.execute("INSERT INTO migrations VALUES (%s, %s)", (step.number, step.name))
    return len(missing)


async def _of_langgraph(connection: AsyncConnection[Any], done: int) -> None:
    """LangGraph's own steps, which it would do one by one and some of them outside of any transaction."""
    for number, statement in enumerate(OF_LANGGRAPH[done + 1 :], start=done + 1):
        await connection.execute(statement.replace("CONCURRENTLY", "").encode())
        await connection.execute("INSERT INTO checkpoint_migrations (v) VALUES (%s)", (number,))


async def _standing(connection: AsyncConnection[Any]) -> Standing:
    """How far a database has come. Raises DatabaseUnusable where its steps are not ours."""
    found = await connection.execute(f"SELECT to_regclass('{SCHEMA}.migrations') IS NOT NULL")
    row = await found.fetchone()
    if row is None or not row[0]:
        return Standing(0, -1)
    done = await (await connection.execute("SELECT number, name FROM migrations ORDER BY number")).fetchall()
    known = {step.number: step.name for step in migrations()}
    if any(known.get(number, name) != name for number, name in done):
        raise DatabaseUnusable(f"its schema {SCHEMA} holds the tables of another program")
    [langgraph] = await (await connection.execute("SELECT max(v) FROM checkpoint_migrations")).fetchall()
    return Standing(done[-1][0] if done else 0, -1 if langgraph[0] is None else langgraph[0])


def _missing(standing: Standing, steps: tuple[Migration, ...]) -> tuple[Migration, ...]:
    """The steps that are still to be done. Raises DatabaseTooNew."""
    last = steps[-1].number
    if standing.ours > last:
        raise DatabaseTooNew(standing.ours, last)
    if standing.langgraph >= len(OF_LANGGRAPH):
        raise DatabaseTooNew(standing.langgraph, len(OF_LANGGRAPH) - 1)
    return steps[standing.ours :]
