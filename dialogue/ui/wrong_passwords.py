"""How many wrong passwords have come from an address of late, in bounded memory. Pure but for the clock.

Where several processes share a database, they count together as well (`CommonTries`).
"""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

TRIES = 10  # wrong passwords of one address
WITHIN = 900.0  # seconds; after that they are forgotten
ADDRESSES = 10_000  # that are remembered, the latest
NETWORK = 64  # bits of an IPv6 address that are one visitor's


class CommonTries(Protocol):
    """What all processes that share a database have counted, by visitor. Nothing raises: where the database does not
    answer, each process goes by its own count."""

    async def wait(self, visitor: str) -> float:
        """For how many seconds no password from there is looked at; 0 where the next one is."""
        ...

    async def add(self, visitor: str) -> None:
        """One more from there."""
        ...


class WrongPasswords:
    """Counts by address. A right password takes none back, or one who has an account could guess on with it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._counts: OrderedDict[str, tuple[int, float]] = OrderedDict()  # how many, and since when

    def __len__(self) -> int:
        return len(self._counts)

    def add(self, address: str) -> None:
        """One more from there."""
        visitor = visitor_of(address)
        count, since = self._standing(visitor)
        self._counts[visitor] = count + 1, since
        self._counts.move_to_end(visitor)
        if len(self._counts) > ADDRESSES:
            self._counts.popitem(last=False)

    def wait(self, address: str) -> float:
        """For how many seconds no password from there is looked at; 0 where the next one is."""
        count, since = self._standing(visitor_of(address))
        return since + WITHIN - self._clock() if count >= TRIES else 0.0

    def _standing(self, visitor: str) -> tuple[int, float]:
        now = self._clock()
        count, since = self._counts.get(visitor, (0, now))
        return (count, since) if now - since < WITHIN else (0, now)


def visitor_of(address: str) -> str:
    """The address, or for IPv6, where one visitor has many, their network."""
    try:
        read = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if read.version == 4:
        return str(read)
    if read.ipv4_mapped:
        return str(read.ipv4_mapped)
    return str(ipaddress.ip_network((int(read), NETWORK), strict=False))
