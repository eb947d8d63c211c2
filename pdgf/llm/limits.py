"""How fast and how many at once one server is asked by everything in one event loop."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from pdgf.errors import ModelUnreachable
from pdgf.per_loop import PerLoop

MINUTE = 60.0  # seconds


class Gate:
    """At most `at_once` requests in flight, and at most `per_minute` begun in any minute (0: as many as you like)."""

    def __init__(self, *, at_once: int, per_minute: int) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._begun: deque[float] = deque(maxlen=per_minute or 1)
        self._limited = per_minute > 0

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
            if wait > patience():
                raise ModelUnreachable("busy", f"the limit of {self._begun.maxlen} requests a minute is reached")
            await asyncio.sleep(wait)
        self._begun.append(clock())


_GATES: PerLoop[Gate] = PerLoop()


def gate_of(server: str, *, at_once: int, per_minute: int) -> Gate:
    """The one gate to a server in the running event loop. Whoever comes first in a loop sets its limits."""
    return _GATES.get(server, lambda: Gate(at_once=at_once, per_minute=per_minute))
