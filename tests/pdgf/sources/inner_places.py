"""The SSRF matrix of RELIABILITY 4.8 as data, and a network without a wire to try it on."""

import socket
import threading
from collections.abc import Sequence
from ipaddress import ip_address
from types import TracebackType
from typing import Any, Self

from httpcore2 import AnyIOBackend, AsyncNetworkStream

PUBLIC = "93.184.216.34"
PUBLIC_V6 = "2606:2800:220:1:248:1893:25c8:1946"

# What the names of the tests resolve to; numeric spellings resolve as the system resolves them.
NAMES: dict[str, list[str]] = {
    "public.example": [PUBLIC],
    "public-six.example": [PUBLIC_V6],
    "two.example": [PUBLIC, "93.184.216.35"],
    "inside.example": ["127.0.0.1"],
    "inside-six.example": ["::1"],
    "half-inside.example": [PUBLIC, "::1"],
    "one-inside.example": [PUBLIC, "10.0.0.5"],
    "metadata.example": ["169.254.169.254"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "scoped.example": ["fe80::1%eth0"],
    "127.0.0.1.nip.example": ["127.0.0.1"],
}

PUBLIC_ADDRESSES = frozenset(
    ip_address(address) for name in ("public.example", "public-six.example", "two.example") for address in NAMES[name]
)

ROWS: dict[str, tuple[str, ...]] = {
    "loopback v4": (
        *("http://127.0.0.1/", "http://127.8.8.8/", "http://localhost/", "http://localhost./", "http://LOCALHOST/"),
        *("https://127.0.0.1/", "http://127.0.0.1./", "http://127.0.0.1:80/", "http://127.255.255.254/latest"),
    ),
    "loopback v6": ("http://[::1]/", "http://[0:0:0:0:0:0:0:1]/", "https://[::1]:443/", "http://[::0001]/"),
    "unspecified": ("http://0.0.0.0/", "http://[::]/", "http://0/", "http://0.1.2.3/"),
    "private v4": ("http://10.0.0.1/", "http://172.16.0.1/", "http://172.31.255.255/", "http://192.168.1.1/"),
    "unique local v6": ("http://[fc00::1]/", "http://[fd12:3456::1]/"),
    "link local, metadata": (
        *("http://169.254.169.254/latest/meta-data/", "http://169.254.170.2/", "http://[fe80::1]/"),
        *("http://[fd00:ec2::254]/", "http://metadata.google.internal/", "http://metadata/", "http://metadata.goog/"),
        *("http://100.100.100.200/", "http://168.63.129.16/", "http://[fe80::1%25eth0]/"),
    ),
    "other networks": (
        *("http://100.64.0.1/", "http://192.0.0.8/", "http://192.0.2.1/", "http://198.18.0.1/", "http://198.51.100.1/"),
        *("http://203.0.113.1/", "http://224.0.0.1/", "http://240.0.0.1/", "http://255.255.255.255/"),
        *("http://[ff02::1]/", "http://[2001:db8::1]/", "http://[fec0::1]/", "http://[100::1]/", "http://[3fff::1]/"),
    ),
    "IPv4 inside IPv6": (
        *("http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::127.0.0.1]/", "http://[2002:7f00:1::]/"),
        *("http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::7f00:1]/", "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/"),
        "http://[::ffff:169.254.169.254]/",
    ),
    "other spellings": (
        *("http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/", "http://0x7f000001/"),
        *("http://017700000001/", "http://0x7f.0x0.0x0.0x1/", "http://127.0.1/", "http://３２３２２３５７７７/"),
        *("http://１２７.０.０.１/", "http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://0xA9.0xFE.0xA9.0xFE/"),
        *("http://%31%32%37.0.0.1/", "http://127.0.0.1%00.example/", "http://999.1.1.1/", "http://1.2.3.4.5/"),
    ),
    "name that resolves inside": (
        *("http://inside.example/", "http://inside-six.example/", "http://half-inside.example/"),
        *("http://one-inside.example/", "http://metadata.example/", "http://mapped.example/", "http://scoped.example/"),
        *("http://127.0.0.1.nip.example/", "https://inside.example/"),
    ),
    "schemes": (
        *("file:///etc/passwd", "ftp://public.example/a", "gopher://127.0.0.1:70/_", "data:text/html,<p>hi</p>"),
        *("javascript:alert(1)", "dict://127.0.0.1:11211/stat", "ws://public.example/", "blob:http://public.example/1"),
        *("view-source:http://127.0.0.1/", "unix:///var/run/docker.sock"),
    ),
    "user part": (
        *("http://good.example@127.0.0.1/", "http://127.0.0.1#@public.example/", "http://127.0.0.1\\@public.example/"),
        *("http://public.example\\@127.0.0.1/", "http://public.example:80@127.0.0.1/", "http:\\\\127.0.0.1\\"),
        *("http://user:secret@public.example/", "http://@127.0.0.1/", "http://127.0.0.1?@public.example/"),
    ),
    "ports": tuple(f"http://public.example:{port}/" for port in (0, 22, 25, 3306, 6379, 7860, 8080, 11211, 65535)),
    "names": (
        *(
            "http://printer.local/",
            "http://db.internal/",
            "http://a.localhost/",
            "http://intranet/",
            "http://router.lan/",
        ),
        *("http://kubernetes.default.svc/", "http://vault.corp/", "http://a.b.home.arpa/", "http://x.onion/"),
    ),
}
# Only where an address begins; in a redirect such a form stands for a path or a host of the page itself.
ONLY_FIRST = ("//127.0.0.1/", "127.0.0.1/", "public.example/", "", "http://", "http:///a", "http://[::1/", "://a")
ONLY_REDIRECT = ("//127.0.0.1/", "//localhost/", "//[::1]/", "/\\127.0.0.1/", "\\\\127.0.0.1/")

REACHABLE = (
    *("http://public.example/", "https://public.example/", "http://public.example:443/", "http://public-six.example/"),
    *("http://two.example/", "http://93.184.216.34/", "http://[2606:2800:220:1:248:1893:25c8:1946]/"),
    *("http://0x5db8d822/", "http://1572395042/", "http://PUBLIC.example./"),
)


async def resolve(host: str) -> Sequence[str]:
    """The addresses of a name of the tests, without asking anybody."""
    if host in NAMES:
        return NAMES[host]
    try:
        return [socket.inet_ntoa(socket.inet_aton(host))]
    except OSError:
        raise socket.gaierror(f"{host}: no such name") from None


class Canary:
    """Listens on loopback where nobody may come, and counts who comes."""

    def __init__(self) -> None:
        self.hits = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.hits += 1
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\nsecret")
            connection.close()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


class PlainStream(AsyncNetworkStream):
    """A connection that takes TLS for granted and notes for which name it was asked."""

    def __init__(self, stream: AsyncNetworkStream, names: list[str | None]) -> None:
        self._stream = stream
        self._names = names

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: Any,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> Any:
        self._names.append(server_hostname)
        return self

    def get_extra_info(self, info: str) -> Any:
        return None if info == "ssl_object" else self._stream.get_extra_info(info)


class Wire:
    """Leads connections to public addresses to one loopback server and all others to a canary."""

    def __init__(self, server_port: int, canary_port: int) -> None:
        self.dialled: list[tuple[str, int]] = []
        self.tls_names: list[str | None] = []
        self._server_port = server_port
        self._canary_port = canary_port

    async def dial(self, address: str, port: int, seconds: float) -> AsyncNetworkStream:
        self.dialled.append((address, port))
        public = ip_address(address) in PUBLIC_ADDRESSES
        to = self._server_port if public else self._canary_port
        return PlainStream(await AnyIOBackend().connect_tcp("127.0.0.1", to, timeout=seconds), self.tls_names)
