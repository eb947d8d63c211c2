"""How long whoever waits for a turn still wants to wait: what is slow can be cut short without losing what is there."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


class Patience:
    """The patience for one turn. Stretches of work that can end early with what they have so far announce themselves;
    while one of them runs, a request to stop ends it instead of the turn."""

    def __init__(self) -> None:
        self._lost = asyncio.Event()
        self._stretches = 0

    @property
    def lost(self) -> bool:
        """Whether somebody wanted what was there by then."""
        return self._lost.is_set()

    def lose(self) -> bool:
        """Ask for what is there. False where that cannot be had: nothing that can end early runs, or it was asked for
        before."""
        if self._lost.is_set() or not self._stretches:
            return False
        self._lost.set()
        return True

    @contextmanager
    def stretch(self) -> Iterator[None]:
        """Work that looks at `lost`, or waits with `wait`, while it runs."""
        self._stretches += 1
        try:
            yield
        finally:
            self._stretches -= 1

    async def wait(self, work: "asyncio.Future[Any]", *, seconds: float | None = None) -> bool:
        """Wait for work until it is done, patience is lost or the seconds are over; whether it is done. What is not
        done goes on: the caller cancels it or takes of it what there is."""
        lost = asyncio.ensure_future(self._lost.wait())
        try:
            await asyncio.wait({work, lost}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await ended(lost)
        return work.done()


async def ended(work: "asyncio.Future[Any]") -> None:
    """Cancel work and wait until it is over."""
    work.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.wait({work})
