"""How fast and how many at once one server is asked by everything in one event loop, and how fast by all processes."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Protocol

from pdgf.errors import ModelUnreachable
from pdgf.per_loop import PerLoop

MINUTE = 60.0  # seconds


class CommonPace(Protocol):
    """How fast a server is asked by all processes that share a database."""

    async def wait(self, server: str, per_minute: int) -> float:
        """Begin a request and give 0, or give the seconds until one may be begun. Raises nothing."""
        ...


class Gate:
    """At most `at_once` requests in flight, and at most `per_minute` begun in any minute (0: as many as you like), with
    a `common` pace by all processes together."""

    def __init__(self, *, at_once: int, per_minute: int, server: str = "", common: CommonPace | None = None) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._begun: deque[float] = deque(maxlen=per_minute or 1)
        self._limited = per_minute > 0
        self._server = server
        self._common = common

    @asynccontextmanager
    async def passed(self, patience: Callable[[], float]) -> AsyncIterator[None]:
        """Hold one place. Raises ModelUnreachable("busy") at once when the rate allows no request within `patience()`
        seconds, so that a turn does not wait for nothing."""
        async with self._free:
            await self._take_turn(patience)
            yield

    async def _take_turn(self, patience: Callable[[], float]) -> None:
        clock = asyncio.get_running_loop().time
        while self._limited and len(self._begun) == self._begun.maxlen:
            wait = self._begun[0] + MINUTE - clock()
            if wait <= 0.0:
                break
            await self._rest(wait, patience)
        self._begun.append(clock())
        while self._limited and self._common is not None:
            wait = await self._common.wait(self._server, self._begun.maxlen or 0)
            if wait <= 0.0:
                break
            await self._rest(wait, patience)

    async def _rest(self, seconds: float, patience: Callable[[], float]) -> None:
        if seconds > patience():
            raise ModelUnreachable("busy", f"the limit of {self._begun.maxlen} requests a minute is reached")
        await asyncio.sleep(seconds)


_GATES: PerLoop[Gate] = PerLoop()


def gate_of(server: str, *, at_once: int, per_minute: int, common: CommonPace | None = None) -> Gate:
    """The one gate to a server in the running event loop. Whoever comes first in a loop sets its limits."""
    return _GATES.get(server, lambda: Gate(at_once=at_once, per_minute=per_minute, server=server, common=common))
