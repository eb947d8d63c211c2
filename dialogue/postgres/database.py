"""The database that many processes share: its connections, and its errors in our words.

One object a process and event loop, opened at first use. A connection that has died is replaced when it is next asked
for, so that a database that comes back is used again without a restart.
"""

import asyncio
import logging
import re
import time
import zlib
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg import AsyncConnection, errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from dialogue.postgres.migrating import SCHEMA, migrate, newest
from pdgf.database_pool import living
from pdgf.errors import (
    ConfigInvalid,
    ConversationBusy,
    DatabaseReadOnly,
    DatabaseTooNew,
    DatabaseUnavailable,
    DatabaseUnusable,
    StoreDamaged,
)

T = TypeVar("T")
Row = tuple[Any, ...]
Connection = AsyncConnection[Row]

OLDEST = 140_000  # of the servers that this was made for: PostgreSQL 14
CONNECTIONS = 10
WAIT = 5.0  # seconds until a connection is free, or one to the server is made
QUICK = 1.5  # the same for what programs ask that soon lose patience
START = 20.0  # seconds that a database that is only starting up is waited for
PAUSE = 0.5  # seconds between two attempts then
LEASE = 30.0  # seconds without a sign of life after which a process has lost what it holds
TAKEN_OVER = "PD001"  # what `still_held` raises (migrations/0001)
_EXAMPLE = "postgresql://user:password@host:5432/name"
_ENCODE = (
    "Percent-encode what is special in its user name and its password: %40 for @, %2F for /, %3A for :, %3F for ?, "
    "%23 for #, %25 for %"
)

# A server or a network that is gone is noticed by either side within half a minute.
_CLIENT = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
    "application_name": "pdgf",
}
_SERVER = {
    "search_path": SCHEMA,
    "statement_timeout": "30s",
    "idle_in_transaction_session_timeout": f"{LEASE:g}s",  # rows too that a frozen process has locked are free by then
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
_PASSING = re.compile("starting up|shutting down|recovery|too many|connection slots")  # of what a server refuses with

log = logging.getLogger(__name__)


class Database:
    """`url` as libpq reads it (postgresql://user:password@host/name). Raises ConfigInvalid for one that is none.

    It is at most `connections` at once; whoever finds none free waits for WAIT seconds. `patience`: seconds that a
    database that does not answer is waited for when it is opened.
    """

    def __init__(self, url: str, *, connections: int = CONNECTIONS, patience: float = START) -> None:
        self._conninfo = conninfo_of(url)
        self._most = connections
        self._patience = patience
        self._pool: AsyncConnectionPool[Connection] | None = None
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        """Reach the database and bring its tables up to date; nothing where that is done. Raises DatabaseUnusable and
        DatabaseTooNew."""
        async with self._opening:
            if self._pool is None:
                await self._prepared()
                pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
                    self._conninfo,
                    min_size=1,
                    max_size=self._most,
                    timeout=WAIT,
                    reconnect_timeout=WAIT,  # whoever comes after an outage tries anew, and waits for no long pause
                    kwargs={"autocommit": True},
                    configure=durable,
                    name="pdgf",
                    open=False,
                )
                await pool.open()
                self._pool = pool

    @property
    def is_open(self) -> bool:
        """Whether it has been asked for anything yet."""
        return self._pool is not None

    async def close(self) -> None:
        """Close every connection. A later call opens them again."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.close()

    @asynccontextmanager
    async def connection(self, *, wait: float | None = None) -> AsyncIterator[Connection]:
        """A connection of its own for as long as this lasts, which commits each statement by itself; waited for up to
        so many seconds. Raises DatabaseUnavailable, also for what psycopg raises inside."""
        await self.open()
        assert self._pool is not None  # noqa: S101  opened just now
        with translated():
            async with living(self._pool, WAIT if wait is None else wait) as connection:
                yield connection

    async def rows(
        self, sql: str, values: Sequence[Any] | Mapping[str, Any] = (), *, wait: float | None = None
    ) -> list[Row]:
        """What a statement gives; a connection is waited for as in `connection`. Raises DatabaseUnavailable."""
        async with self.connection(wait=wait) as connection:
            return await (await connection.execute(sql.encode(), values)).fetchall()

    async def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run a statement, and say how many rows it changed. Raises DatabaseUnavailable."""
        async with self.connection() as connection:
            return (await connection.execute(sql.encode(), values)).rowcount

    async def apart(self) -> Connection:
        """A connection outside of the pool, to be closed by whoever asks. Raises DatabaseUnavailable."""
        await self.open()
        with translated():
            return await AsyncConnection.connect(self._conninfo, autocommit=True)

    async def check(self) -> None:
        """Whether turns can be kept now. Raises DatabaseUnavailable where it does not answer, DatabaseReadOnly where
        nothing can be written, DatabaseTooNew where a newer release has taken over."""
        sql = "SELECT max(number), current_setting('transaction_read_only') = 'on' FROM migrations"
        [[version, read_only]] = await self.rows(sql, wait=min(QUICK, WAIT))
        check_version(version)
        if read_only:
            raise DatabaseReadOnly("transactions are read-only")

    def counts(self) -> dict[str, int]:
        """How many connections there are, how many of them are free, and how many wait for one."""
        stats = self._pool.get_stats() if self._pool else {}
        kinds = {"open": "pool_size", "free": "pool_available", "waiting": "requests_waiting"}
        return {kind: int(stats.get(name, 0)) for kind, name in kinds.items()}

    async def _prepared(self) -> None:
        """Bring the tables up to date, and wait for a database that is only starting up."""
        until, told = time.monotonic() + self._patience, False
        while True:
            try:
                async with await AsyncConnection.connect(self._conninfo, autocommit=True) as connection:
                    if connection.info.server_version < OLDEST:
                        raise DatabaseUnusable(f"it is older than PostgreSQL {OLDEST // 10_000}")
                    if steps := await migrate(connection):
                        log.info("the database was brought up to date (%s steps)", steps)
                return
            except (psycopg.Error, OSError) as error:
                if time.monotonic() + PAUSE >= until or not may_pass(error):
                    raise DatabaseUnusable(told_by(error)) from error
                if not told:
                    log.warning("waiting for the database: %s", told_by(error))
                told = True
            await asyncio.sleep(PAUSE)


async def promptly(work: Coroutine[Any, Any, T], seconds: float) -> T:
    """What some work gives. Raises DatabaseUnavailable where that takes longer: it then goes on by itself, for to break
    off what a server has begun that says nothing takes long too."""
    task = asyncio.ensure_future(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be left to hear of it
    await asyncio.wait({task}, timeout=seconds)
    if not task.done():
        raise DatabaseUnavailable(f"no answer within {seconds} s")
    return task.result()


def may_pass(error: psycopg.Error | OSError) -> bool:
    """Whether a database that cannot be reached may be so in a moment: none is there yet, or it says so itself."""
    refused = "FATAL" in str(error)
    return isinstance(error, psycopg.OperationalError | OSError) and (not refused or bool(_PASSING.search(str(error))))


def check_version(version: int | None) -> None:
    """Raises DatabaseTooNew for a database that a newer release has brought up to date."""
    if version is not None and version > newest():
        raise DatabaseTooNew(version, newest())


async def durable(connection: Connection) -> None:
    """Let what is acknowledged be on disk, also on a server that is set to acknowledge before that."""
    await connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )


def conninfo_of(url: str) -> str:
    """An address with what we need beside it, where it does not say otherwise. Raises ConfigInvalid, and never tells
    the address: it may hold a password."""
    try:
        given = conninfo_to_dict(url)
    except psycopg.Error:
        given = {}
    if not given:
        raise ConfigInvalid(f"PDGF_DATABASE_URL must be an address such as {_EXAMPLE}. {_ENCODE}")
    if _torn(given):
        raise ConfigInvalid(f"PDGF_DATABASE_URL cannot be taken apart into {_EXAMPLE}. {_ENCODE}")
    asked = " ".join(f"-c {name}={value}" for name, value in _SERVER.items())
    options = " ".join(filter(None, [asked, str(given.get("options", ""))]))
    return make_conninfo("", **{**_CLIENT, **given, "options": options})


def _torn(given: Mapping[str, Any]) -> bool:
    """Whether a password with @ or / in it was cut there, and its pieces are taken for host, port or name: the server's
    answer would repeat them."""
    ports = str(given.get("port") or "").split(",")
    marked = any("@" in str(given.get(part) or "") for part in ("host", "hostaddr", "dbname"))
    return marked or any(port and not port.isdigit() for port in ports)


@contextmanager
def translated() -> Iterator[None]:
    """Turn errors of psycopg and of the network into DatabaseUnavailable, or into what they are a sign of."""
    try:
        yield
    except (PoolTimeout, PoolClosed) as error:
        raise DatabaseUnavailable(f"no connection: {type(error).__name__}") from error
    except psycopg.Error as error:
        if error.sqlstate == TAKEN_OVER:
            raise ConversationBusy("it is held by another process by now") from error
        if isinstance(error, errors.ReadOnlySqlTransaction):
            raise DatabaseReadOnly(told_by(error)) from error
        raise DatabaseUnavailable(told_by(error)) from error
    except OSError as error:
        raise DatabaseUnavailable(f"{type(error).__name__}: {error}") from error
    except (zlib.error, UnicodeDecodeError) as error:
        raise StoreDamaged(f"{type(error).__name__}: {error}") from error


def told_by(error: psycopg.Error | OSError) -> str:
    """What an error says in one line, without the row it is about: that may hold words of users."""
    if isinstance(error, psycopg.Error) and error.diag.message_primary:
        return str(error.diag.message_primary)
    lines = str(error).splitlines() or [type(error).__name__]
    return lines[0].rstrip(". ")
