"""How many wrong passwords have come of late, in bounded memory. Pure but for the clock.

They are counted twice: for a name from an address, so that whoever mistypes shuts nobody out who shares the address (an
office, a household, a proxy that names no visitor), and for the address whatever the name. Where several processes
share a database, they count together as well (`CommonTries`).
"""

import hashlib
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Protocol

TRIES = 10  # wrong passwords for one name from one address
FROM_ONE = 100  # from one address, for whatever names
WITHIN = 900.0  # seconds; after that they are forgotten
REMEMBERED = 20_000  # counts, the latest
NETWORK = 64  # bits of an IPv6 address that are one visitor's


class CommonTries(Protocol):
    """What all processes that share a database have counted. Nothing raises: where the database does not answer, each
    process goes by its own count."""

    async def wait(self, counted: Mapping[str, int]) -> float:
        """For how many seconds no password is looked at, where any of these has come so often; 0 where the next one
        is."""
        ...

    async def add(self, counted: Mapping[str, int]) -> None:
        """One more of each."""
        ...


class WrongPasswords:
    """The counts of one process. A right password takes none back, or one who has an account could guess on with it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._counts: OrderedDict[str, tuple[int, float]] = OrderedDict()  # how many, and since when

    def __len__(self) -> int:
        return len(self._counts)

    def add(self, counted: Mapping[str, int]) -> None:
        """One more of each."""
        for key in counted:
            count, since = self._standing(key)
            self._counts[key] = count + 1, since
            self._counts.move_to_end(key)
            if len(self._counts) > REMEMBERED:
                self._counts.popitem(last=False)

    def wait(self, counted: Mapping[str, int]) -> float:
        """For how many seconds no password is looked at, where any of these has come so often; 0 where the next one
        is."""
        return max(self._wait(key, most) for key, most in counted.items())

    def _wait(self, key: str, most: int) -> float:
        count, since = self._standing(key)
        return since + WITHIN - self._clock() if count >= most else 0.0

    def _standing(self, key: str) -> tuple[int, float]:
        now = self._clock()
        count, since = self._counts.get(key, (0, now))
        return (count, since) if now - since < WITHIN else (0, now)


def counted_for(name: str, address: str) -> Mapping[str, int]:
    """What a wrong password is counted under, and after how many of each no further one is looked at. A name counts
    alike whether or not there is somebody of that name, so that nobody learns who has an account."""
    visitor = visitor_of(address)
    return {visitor: FROM_ONE, f"{visitor} {hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()}": TRIES}


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
