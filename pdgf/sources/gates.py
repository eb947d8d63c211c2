"""How many pages are read at once, in all and of one host, and how long a host is left alone between two."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

MANY_HOSTS = 1_000  # when to forget those that nobody waits for


@dataclass
class _Host:
    free: asyncio.Semaphore
    users: int = 0
    next_start: float = 0.0


class HostGates:
    """The gates of one event loop."""

    def __init__(self, *, at_once: int, per_host: int) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._per_host = per_host
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def host(self, name: str) -> AsyncIterator[None]:
        """Hold one of the places of a host. It is taken before one of all, so that a queue at one host holds up no
        other."""
        self._forget_idle()
        host = self._hosts.setdefault(name, _Host(asyncio.Semaphore(self._per_host)))
        host.users += 1
        try:
            async with host.free:
                yield
        finally:
            host.users -= 1

    @asynccontextmanager
    async def any(self) -> AsyncIterator[None]:
        """Hold one of the places of all."""
        async with self._free:
            yield

    async def pause(self, name: str, delay: float, patience: float) -> None:
        """Wait until `delay` seconds after the last begin of a request to a host whose place is held. Raises
        TimeoutError at once when that takes longer than `patience` seconds."""
        if delay <= 0.0:
            return
        host, now = self._hosts[name], asyncio.get_running_loop().time()
        start = max(now, host.next_start)
        if start - now > patience:
            raise TimeoutError
        host.next_start = start + delay
        await asyncio.sleep(start - now)

    def _forget_idle(self) -> None:
        if len(self._hosts) >= MANY_HOSTS:
            now = asyncio.get_running_loop().time()
            self._hosts = {name: host for name, host in self._hosts.items() if host.users or host.next_start > now}
