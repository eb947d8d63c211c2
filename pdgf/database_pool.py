"""A connection of a pool that has not died while it lay there; needs the extra `postgres`."""

import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

C = TypeVar("C", bound=AsyncConnection[Any])

log = logging.getLogger(__name__)


@asynccontextmanager
async def living(pool: AsyncConnectionPool[C], seconds: float) -> AsyncIterator[C]:
    """A connection of its own for as long as this lasts. After a restart of the server all that lie in the pool have
    died, and its own look at them pauses longer and longer after each. Raises PoolTimeout after so many seconds."""
    connection = await _found(pool, seconds)
    try:
        async with connection:
            yield connection
    finally:
        await pool.putconn(connection)


async def _found(pool: AsyncConnectionPool[C], seconds: float) -> C:
    until = time.monotonic() + seconds
    while True:
        connection = await pool.getconn(until - time.monotonic())
        alive = False
        try:
            await AsyncConnectionPool.check_connection(connection)
            alive = True
            return connection
        except psycopg.Error as error:
            log.info("a connection had died and is replaced: %s", type(error).__name__)
        finally:
            if not alive:
                await pool.putconn(connection)  # it makes another one in its place
