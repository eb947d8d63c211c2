"""How many requests at once and how close together, trying again, and going through queries one by one."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

from pdgf.sources.search.asking import Answers
from pdgf.sources.search.faults import SearchFault
from pdgf.sources.search.hits import Hits

CALL_SECONDS = 10.0  # the longest that one request may take
LONGEST_WAIT = 10.0  # seconds; a server that asks for more is taken as busy

T = TypeVar("T")


@dataclass(frozen=True)
class Tries:
    """How often what may pass is tried again: `retries` times, the first after `first_wait` seconds."""

    retries: int = 2
    first_wait: float = 0.5


TRIES = Tries()


class Pace:
    """At most `at_once` requests in flight, and `pause` seconds from one's begin or end to the next one's begin.

    Bursts make engines behind a metasearch refuse everything for a while. Belongs to one event loop.
    """

    def __init__(self, *, at_once: int, pause: float) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._pause = pause
        self._next = 0.0

    @asynccontextmanager
    async def turn(self, patience: Callable[[], float]) -> AsyncIterator[None]:
        """Hold one place. Raises SearchFault `busy` when none comes free within `patience()` seconds."""
        try:
            async with asyncio.timeout(patience()):
                await self._free.acquire()
        except TimeoutError:
            raise SearchFault("busy", "other searches came first") from None
        clock = asyncio.get_running_loop().time
        try:
            now = clock()
            start = max(now, self._next)
            if start - now > patience():
                raise SearchFault("busy", "other searches came first")
            self._next = start + self._pause
            await asyncio.sleep(start - now)
            yield
        finally:
            self._next = max(self._next, clock() + self._pause)
            self._free.release()


async def retried(attempt: Callable[[], Awaitable[T]], *, tries: Tries, patience: Callable[[], float]) -> T:
    """The outcome of the attempt that succeeds. A failure that may pass is followed by another try, after a wait that
    doubles each time, or after what the server asks. Raises the SearchFault of the last try."""
    failed = 0
    while True:
        try:
            return await attempt()
        except SearchFault as caught:
            fault = caught
        wait = max(tries.first_wait * 2**failed, fault.wait or 0.0)
        if not fault.retry or failed >= tries.retries or wait > LONGEST_WAIT or wait >= patience():
            raise fault
        failed += 1
        await asyncio.sleep(wait)


async def asked_each(queries: Sequence[str], ask: Callable[[str], Awaitable[Hits]], *, at_once: int) -> Answers:
    """What `ask` finds for each query, `at_once` at a time. After a fault that is not the query's own no further one
    is sent; what was found is kept (C11)."""
    answers = Answers()
    waiting = iter(queries)

    async def go_on() -> None:
        for query in waiting:
            if answers.stopped is not None:
                return
            try:
                answers.found(query, await ask(query))
            except SearchFault as fault:
                answers.failed(query, fault)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(min(at_once, len(queries))):
            tasks.create_task(go_on())
    return answers
