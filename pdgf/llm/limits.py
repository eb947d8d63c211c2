"""How fast and how many at once one server is asked by everything in one event loop."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from pdgf.errors import ModelUnreachable

MINUTE = 60.0  # seconds

T = TypeVar("T")


class PerLoop(Generic[T]):
    """Things that belong to the event loop they were made in. What belongs to a closed loop is forgotten."""

    def __init__(self) -> None:
        self._kept: dict[asyncio.AbstractEventLoop, dict[Hashable, T]] = {}

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The running loop's thing of that name, made at first use."""
        loop = asyncio.get_running_loop()
        if loop not in self._kept:
            self._kept = {kept: things for kept, things in self._kept.items() if not kept.is_closed()}
            self._kept[loop] = {}
        things = self._kept[loop]
        if key not in things:
            things[key] = make()
        return things[key]

    def find(self, key: Hashable) -> T | None:
        """The running loop's thing of that name, if it was made."""
        return self._kept.get(asyncio.get_running_loop(), {}).get(key)

    def pop(self, key: Hashable) -> T | None:
        """Take the running loop's thing of that name out."""
        return self._kept.get(asyncio.get_running_loop(), {}).pop(key, None)

    def __len__(self) -> int:
        return len(self._kept)


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
