"""The guard at the socket: a host is resolved once, every address it has is judged, and one of those is connected to.

It sits below TLS and HTTP, so that the name in the certificate and in the Host header stay those of the page, and no
connection of the pool can be opened around it. Nothing of the environment (proxies, hosts to leave out) is read.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import ip_address
from string import punctuation
from urllib.parse import quote, urlsplit

from httpcore2 import AnyIOBackend, AsyncNetworkBackend, AsyncNetworkStream, ConnectError, ConnectTimeout

from pdgf.errors import ConfigInvalid
from pdgf.pages import DEFAULT_PORTS, canonical_url
from pdgf.sources.addresses import PORTS, IPAddress, ascii_host, is_reachable, is_refused_name, written_address
from pdgf.sources.unusable import Unusable

MAX_URL = 8_000  # characters
TRIES = 3  # addresses of one host
TRY_SECONDS = 2.0  # for an address that is not the last to be tried

Resolve = Callable[[str], Awaitable[Sequence[str]]]
Dial = Callable[[str, int, float], Awaitable[AsyncNetworkStream]]


@dataclass(frozen=True)
class Place:
    """Where a request goes: what is judged here is what is connected to. `host` is an `ascii_host`."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port: what a robots.txt speaks for."""
        return self.scheme, self.host, self.port

    @property
    def host_header(self) -> str:
        """Host and, where it is not the scheme's own, port, as HTTP and addresses write them."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return shown if self.port == DEFAULT_PORTS[self.scheme] else f"{shown}:{self.port}"


def place_of(url: str, allowed: frozenset[tuple[str, int]] = frozenset()) -> Place:
    """Where an address leads. Raises Unusable("refused_address") for one that is refused by its text alone:
    another scheme, user data, an inner name, a port other than 80 and 443. Host and port pairs in `allowed` pass."""
    if len(url) > MAX_URL or canonical_url(url) is None:
        raise Unusable("refused_address", "not a web address")
    parts = urlsplit(url.strip())
    host = ascii_host(parts.hostname or "")
    if host is None:
        raise Unusable("refused_address", "not a host")
    port = DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port
    if (host, port) not in allowed:
        if port not in PORTS:
            raise Unusable("refused_address", f"port {port}")
        if is_refused_name(host):
            raise Unusable("refused_address", "an inner name")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Place(scheme=parts.scheme, host=host, port=port, target=quote(target, safe=punctuation))


def host_port_pairs(pairs: Iterable[str]) -> frozenset[tuple[str, int]]:
    """Pairs written host:port, IPv6 in brackets, as they are set in PDGF_ALLOW_HOSTS. Raises ConfigInvalid."""
    found = set()
    for pair in pairs:
        name, _, digits = pair.strip().rpartition(":")
        host = ascii_host(name.removeprefix("[").removesuffix("]"))
        if host is None or not (digits.isascii() and digits.isdigit()) or not 0 < int(digits) < 65_536:
            raise ConfigInvalid(f"{pair!r} is not host:port, as in 127.0.0.1:8000")
        found.add((host, int(digits)))
    return frozenset(found)


class SystemResolver:
    """Asks the system for all addresses of a host, in threads of its own: a name server that hangs holds up no other
    work. Close it at the end."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None

    async def __call__(self, host: str) -> Sequence[str]:
        """Raises OSError for a name without an address."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="resolve")
        found = await asyncio.get_running_loop().run_in_executor(self._pool, _looked_up, host)
        return list(dict.fromkeys(found))

    def close(self) -> None:
        """Let the threads end; a later call begins new ones."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


async def dial_tcp(address: str, port: int, seconds: float) -> AsyncNetworkStream:
    """A connection to an IP address. Raises ConnectError or ConnectTimeout."""
    return await AnyIOBackend().connect_tcp(address, port, timeout=seconds)


class GuardedNetwork(AsyncNetworkBackend):
    """Opens the connections of a pool: refuses a host unless every one of its addresses is reachable.

    Host and port pairs in `allowed` are connected to whatever their addresses are.
    """

    def __init__(self, *, allowed: frozenset[tuple[str, int]], resolve: Resolve, dial: Dial) -> None:
        self._allowed = allowed
        self._resolve = resolve
        self._dial = dial

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (the interface of the library)
        local_address: str | None = None,
        socket_options: Iterable[object] | None = None,
    ) -> AsyncNetworkStream:
        """Resolving included, at most `timeout` seconds. Raises Unusable("refused_address"), ConnectError or
        ConnectTimeout."""
        try:
            async with asyncio.timeout(timeout):
                return await self._connected(await self._judged(host, port), port, timeout or TRY_SECONDS)
        except TimeoutError as error:
            raise ConnectTimeout(host) from error

    async def _judged(self, host: str, port: int) -> list[IPAddress]:
        written = written_address(host)
        try:
            addresses = [written] if written else [ip_address(found) for found in await self._resolve(host)]
        except (OSError, UnicodeError) as error:  # no such name, or none that DNS could have
            raise ConnectError(f"{host} has no address") from error
        except ValueError as error:  # a scope that ip_address cannot read
            raise Unusable("refused_address", "not an address") from error
        if (host, port) not in self._allowed and not all(is_reachable(address) for address in addresses):
            raise Unusable("refused_address", "an inner address")
        return sorted(addresses, key=lambda address: address.version)  # IPv6 is often configured and leads nowhere

    async def _connected(self, addresses: list[IPAddress], port: int, seconds: float) -> AsyncNetworkStream:
        tried = addresses[:TRIES]
        for address in tried[:-1]:
            try:
                return await self._dial(str(address), port, TRY_SECONDS)
            except (ConnectError, ConnectTimeout):
                continue
        if not tried:
            raise ConnectError("no address")
        return await self._dial(str(tried[-1]), port, seconds)


def _looked_up(host: str) -> list[str]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(address[0]) for _, _, _, _, address in found]
