"""One turn at a time in a conversation, over all processes that share a database.

The locks belong to one connection of the process, so that a process that is killed leaves none: the server lets go of
them as soon as it sees that the connection is closed. They take no connection of the pool. A process that is frozen
keeps its connections, so this one gives a sign of life every few seconds, and the server ends it where none comes for
LEASE seconds. Where it breaks while the process lives on, or is to go on later, its locks are gone without its knowing;
then the fence of the conversation (store.py) keeps it from writing once another process has taken over.
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import psycopg

from dialogue.postgres import database as databases
from dialogue.postgres.database import Connection, Database, translated
from pdgf.errors import ConversationBusy

SHORTEST, LONGEST = 0.02, 0.3  # seconds between two attempts, growing
SIGNS = 6  # of life in a lease: a busy process may be late with some

_EXPIRES = "SELECT set_config('idle_session_timeout', %s, false)"

log = logging.getLogger(__name__)


class DatabaseLocks:
    """The locks of one process; close them at the end."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Connection | None = None
        self._connecting = asyncio.Lock()
        self._living: asyncio.Task[None] | None = None
        self._held: set[int] = set()  # in a session of the server one can take the same lock twice

    async def close(self) -> None:
        """Let go of everything."""
        connection, self._connection = self._connection, None
        living, self._living = self._living, None
        if living is not None:
            living.cancel()
            await asyncio.wait([living])
        if connection is not None:
            await connection.close()

    @asynccontextmanager
    async def held(self, thread: str, *, patience: float) -> AsyncIterator[None]:
        """Inside, no other process is. Raises ConversationBusy after so many seconds of waiting for one, and
        DatabaseUnavailable."""
        place, pause, until = place_of(thread), SHORTEST, time.monotonic() + patience
        while not await self._taken(place):
            if time.monotonic() > until:
                raise ConversationBusy(thread)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST)
        try:
            yield
        finally:
            await asyncio.shield(asyncio.ensure_future(self._let_go(place)))

    async def _taken(self, place: int) -> bool:
        """Whether the lock is ours now. What is begun with the server is ended with it, also where nobody waits for
        it any more: a lock that came too late is given back."""
        if place in self._held:
            return False
        self._held.add(place)
        trying = asyncio.ensure_future(self._try(place))
        try:
            return await asyncio.shield(trying)
        except asyncio.CancelledError:
            trying.add_done_callback(lambda done: self._too_late(done, place))
            raise

    async def _try(self, place: int) -> bool:
        got = False
        try:
            with translated():
                got = await self._asked(place)
        finally:
            if not got:
                self._held.discard(place)
        return got

    async def _asked(self, place: int) -> bool:
        """Whether the server gives us the lock. That it was restarted while nobody asked is seen only now."""
        connection = await self._connected()
        try:
            return await _given(connection, place)
        except psycopg.OperationalError as error:
            if not connection.closed:
                raise
            log.warning("the connection that holds locks was lost and is made anew: %s", type(error).__name__)
        return await _given(await self._connected(), place)

    def _too_late(self, trying: "asyncio.Task[bool]", place: int) -> None:
        if not trying.cancelled() and trying.exception() is None and trying.result():
            task = asyncio.ensure_future(self._let_go(place))
            task.add_done_callback(lambda done: done.exception())

    async def _let_go(self, place: int) -> None:
        self._held.discard(place)
        connection = self._connection
        if connection is None:
            return
        try:
            await connection.execute("SELECT pg_advisory_unlock(%s)", (place,))
        except (psycopg.Error, OSError) as error:
            log.warning("the locks of conversations are lost: %s", type(error).__name__)
            await connection.close()

    async def _connected(self) -> Connection:
        async with self._connecting:
            if self._connection is None or self._connection.closed:
                self._connection = None
                connection = await self._database.apart()
                async with AsyncExitStack() as unless_whole:
                    unless_whole.push_async_callback(connection.close)
                    await connection.execute(_EXPIRES, (f"{databases.LEASE:g}s",))
                    unless_whole.pop_all()
                if self._living is not None:
                    self._living.cancel()
                self._connection, self._living = connection, asyncio.create_task(self._live(connection))
            return self._connection

    async def _live(self, connection: Connection) -> None:
        """Give signs of life as long as the connection is there. Without a lock too: one that the server has ended
        would be found out only by whoever asks next."""
        while not connection.closed:
            await asyncio.sleep(databases.LEASE / SIGNS)
            try:
                await connection.execute("SELECT 1")
            except (psycopg.Error, OSError) as error:
                if self._held:
                    log.warning("the locks of conversations are lost: %s", type(error).__name__)
                await connection.close()


async def _given(connection: Connection, place: int) -> bool:
    row = await (await connection.execute("SELECT pg_try_advisory_lock(%s)", (place,))).fetchone()
    return bool(row and row[0])


def place_of(thread: str) -> int:
    """The number of the lock of a conversation, as the server counts them: 64 bits with a sign."""
    digest = hashlib.blake2b(thread.encode("utf-8", "surrogatepass"), digest_size=8, person=b"pdgf-thread").digest()
    return int.from_bytes(digest, "big", signed=True)
