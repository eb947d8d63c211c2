"""Connections to the database of the index, vectors in its binary format, and what is said when something fails."""

import logging
import re
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import psycopg
from psycopg import AsyncConnection, Error, OperationalError
from psycopg.adapt import Dumper
from psycopg.errors import InvalidSchemaName, UndefinedTable
from psycopg.pq import Format
from psycopg.types import TypeInfo

from pdgf.errors import IndexUnavailable
from pdgf.ports import Vectors

CONNECT_SECONDS = 10
LISTING_SECONDS = 2  # while others wait
PARTS_OF_A_KEY = 2  # a lock has two numbers
NO_EXTENSION = (
    "the database has not the extension pgvector: install version 0.8 or newer on its server, then say "
    "CREATE EXTENSION vector in it"
)
WORDS_OF_STATE = {
    "25006": "the database can only be read right now; whoever runs it has to let it be written to again",
    "40001": "others have changed the same in the database at the same time; please try again",
    "40P01": "others have changed the same in the database at the same time; please try again",
    "53100": "the disk of the database is full; nothing half-written is used, so make room first",
    "53200": "the database has no memory left for this",
    "53300": "the database takes no further connections",
    "55P03": "something else is using these tables of the database; please try again in a moment",
    "57014": "the database has broken the work off",
    "42501": "the database does not permit it to this user",
    "28P01": "the database refuses the name or the password",
    "28000": "the database refuses the name or the password",
    "3D000": "there is no database of that name",
    "0A000": NO_EXTENSION,
    "58P01": NO_EXTENSION,
}
REFUSALS = (
    (re.compile(r'role ".*" does not exist|authentication failed|no password|pg_hba\.conf'), "28000"),
    (re.compile(r'database ".*" does not exist'), "3D000"),
    (re.compile("too many|connection slots"), "53300"),
)  # as PostgreSQL words them in English
MAY_NOT_EXTEND = (
    "this user may not add the extension pgvector to the database; its administrator does so once, with the statement "
    "CREATE EXTENSION vector"
)
MAY_NOT_CREATE = (
    "this user may not make tables in the database; its administrator lets it, with the statement "
    "GRANT CREATE ON DATABASE (its name) TO (this user)"
)

log = logging.getLogger(__name__)
Connection = AsyncConnection[Any]


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Connection]:
    """A connection of one's own. Raises IndexUnavailable in words, also for what fails within."""
    async with failing_in_words():
        connection = await AsyncConnection.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS)
        async with connection:
            yield connection


@asynccontextmanager
async def failing_in_words() -> AsyncIterator[None]:
    """What the database reports becomes IndexUnavailable; addresses, names and texts are not repeated."""
    try:
        yield
    except Error as error:
        log.debug("the database reports %s", error.sqlstate)
        raise IndexUnavailable(reason_of(error)) from error


def reason_of(error: Error) -> str:
    """A failure of the database in words."""
    if error.sqlstate == "42501" and '"vector"' in (error.diag.message_primary or ""):
        return MAY_NOT_EXTEND
    if error.sqlstate == "42501" and " database " in (error.diag.message_primary or ""):
        return MAY_NOT_CREATE
    known = WORDS_OF_STATE.get(error.sqlstate or _refusal(str(error)))
    if known is not None:
        return known
    unreachable = isinstance(error, OperationalError) and (error.sqlstate is None or error.sqlstate[:2] in ("08", "57"))
    code = f" ({error.sqlstate})" if error.sqlstate else ""
    return "the database cannot be reached" if unreachable else f"the database reports a fault{code}; its log says more"


def _refusal(said: str) -> str:
    """The state of a server that lets nobody in: an attempt to connect carries only its words."""
    return next((state for words, state in REFUSALS if "FATAL" in said and words.search(said)), "")


def noted(url: str, owner: str) -> dict[str, str]:
    """What is kept beside each catalogue of an owner that is served, by name. Raises IndexUnavailable."""
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=LISTING_SECONDS) as connection:
            found = connection.execute(
                "select name, about from pdgf_index.catalogues "
                "where owner = %s and current is not null and about is not null order by name",
                (owner,),
            )
            return dict(found.fetchall())
    except (UndefinedTable, InvalidSchemaName):
        return {}
    except Error as error:
        raise IndexUnavailable(reason_of(error)) from error


async def take_vectors(connection: Connection) -> None:
    """Let arrays be sent as vectors over this connection. Raises IndexUnavailable without the extension."""
    info = await TypeInfo.fetch(connection, "vector")
    if info is None:
        raise IndexUnavailable(WORDS_OF_STATE["0A000"])
    info.register(connection)
    connection.adapters.register_dumper(np.ndarray, _dumper(info.oid))


def literal(vector: Vectors) -> str:
    """A vector as the extension writes it, every bit kept."""
    return f"[{','.join(map(repr, vector.tolist()))}]"


def _dumper(vector_oid: int) -> type[Dumper]:
    class VectorDumper(Dumper):
        """Two bytes for the dimension, two unused, then floats, the most significant byte first."""

        format = Format.BINARY
        oid = vector_oid

        def dump(self, obj: Any) -> bytes:
            return struct.pack(">HH", len(obj), 0) + bytes(obj.astype(">f4").tobytes())

    return VectorDumper


@asynccontextmanager
async def alone(connection: Connection, key: tuple[int, int], otherwise: str) -> AsyncIterator[None]:
    """As long as this lasts no other session holds the key. Raises IndexUnavailable(otherwise) when one does."""
    found = await (await connection.execute("select pg_try_advisory_lock(%s, %s)", key)).fetchone()
    if found is None or not found[0]:
        raise IndexUnavailable(otherwise)
    try:
        yield
    finally:
        if not connection.closed:
            await connection.execute("select pg_advisory_unlock(%s, %s)", key)


Said = Callable[[str, int, int], None]
"""Called with what is done, how many so far, and how many in all (0: not known)."""
