"""Turns that are worked at side by side, and the line of those that wait: first come, first served.

A turn that gets its place begins once the event loop has caught up: answering whoever has just come, even if only to
say that they wait, goes before working at what is there already.
"""

import asyncio
import time
from contextlib import AsyncExitStack
from types import TracebackType

PAUSE = 0.01  # seconds of a rest by which the loop is judged
LATE = 0.03  # seconds after which it is late
PATIENCE = 2.0  # seconds after which a turn begins although it still is


class Places:
    """So many places; without a number as many as are asked for. A place is held by `async with`."""

    def __init__(self, number: int | None = None) -> None:
        self._free = asyncio.Semaphore(number) if number else None

    @property
    def taken(self) -> bool:
        """Whether whoever comes now has to wait."""
        return self._free is not None and self._free.locked()

    async def __aenter__(self) -> None:
        if self._free is None:
            return
        async with AsyncExitStack() as held:  # given back where the wait is broken off
            await held.enter_async_context(self._free)
            await _caught_up()
            held.pop_all()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._free is not None:
            self._free.release()


async def _caught_up() -> None:
    until = time.monotonic() + PATIENCE
    late = True
    while late and time.monotonic() < until:
        begun = time.monotonic()
        await asyncio.sleep(PAUSE)
        late = time.monotonic() - begun > LATE
