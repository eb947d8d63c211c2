"""A web server on loopback that serves given pages, and the faults that pages have (RELIABILITY 4.2).

    async with PageServer({"/a": Served(b"<p>...</p>"), "/b": Redirect("/a"), "/c": Fault.HANG}) as server:
        await fetcher.fetch(server.url("/a"), budget)

A path may stand for every host or, written "host/path", for that host alone; what is asked for in vain is a 404.
"""

import asyncio
import gzip
import socket
import zlib
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from types import TracebackType
from typing import Self

from tests.loopback import DRIP_SECONDS, LONG, LoopbackServer, drip, read_head

HTML = "text/html; charset=utf-8"
FILLER = b"<p>" + b"A quiet film about a village and its one bakery. " * 20 + b"</p>\n"


@dataclass(frozen=True)
class Served:
    """An answer as it goes over the wire; `packed` is "gzip", "deflate" or "raw deflate", with its header."""

    body: bytes
    content_type: str | None = HTML
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    packed: str = ""


@dataclass(frozen=True)
class Redirect:
    """An answer that sends on, to an address or a path."""

    to: str
    status: int = 302


class Fault(StrEnum):
    """What a server does instead of answering."""

    HANG = "hang"  # takes the request and says nothing
    HANG_IN_BODY = "hang in body"
    DRIP = "drip"  # a byte at a time, for ever
    DRIP_IN_HEAD = "drip in head"
    RESET = "reset"  # closes without an answer
    NOT_HTTP = "not HTTP"
    FIFTY_MB = "50 MB"  # stated
    FIFTY_MB_UNSTATED = "50 MB, length unstated"
    GZIP_BOMB = "gzip bomb"  # 194 kB that become 200 MB
    CUT_BODY = "cut body"  # closes before the stated length
    CUT_CHUNKED = "cut chunked body"
    CUT_GZIP = "cut gzip"
    BAD_GZIP = "bad gzip"
    REDIRECT_LOOP = "redirect loop"  # a new path each time
    UNASKED_CODING = "unasked coding"


Answer = Served | Redirect | Fault | bytes


@dataclass(frozen=True)
class Request:
    """What a client asked for."""

    host: str
    path: str
    headers: Mapping[str, str]


class PageServer(LoopbackServer):
    """Serves pages in a thread of its own. `requests` are those that came, `most_at_once` how many were being answered
    at once, in all ("") and by host."""

    def __init__(self, pages: Mapping[str, Answer], *, latency: float = 0.0) -> None:
        super().__init__()
        self.pages = dict(pages)
        self.requests: list[Request] = []
        self.most_at_once: Counter[str] = Counter()
        self._latency = latency
        self._now: Counter[str] = Counter()
        self._dead = socket.socket()  # bound and never listening: its port refuses connections

    @property
    def authority(self) -> str:
        """host:port, as PDGF_ALLOW_HOSTS takes it."""
        return f"127.0.0.1:{self.port}"

    @property
    def refused_authority(self) -> str:
        """host:port of a place that refuses connections."""
        return f"127.0.0.1:{self._dead.getsockname()[1]}"

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def url(self, path: str) -> str:
        return f"http://{self.authority}{path}"

    def __enter__(self) -> Self:
        if Fault.GZIP_BOMB in self.pages.values():
            gzip_bomb()  # takes longer to make than a client waits
        self._dead.bind(("127.0.0.1", 0))
        return super().__enter__()

    def __exit__(self, *left: type[BaseException] | BaseException | TracebackType | None) -> None:
        super().__exit__(*left)
        self._dead.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pages one after another."""
        while (request := await _read(reader)) is not None:
            self.requests.append(request)
            with self._counted(request.host):
                await asyncio.sleep(self._latency)
                if not await self._answer(request, writer):
                    break

    def _counted(self, host: str) -> "_Counted":
        return _Counted(self._now, self.most_at_once, host)

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection can serve another request."""
        path = request.path.partition("?")[0]
        answer = self.pages.get(f"{request.host}{path}", self.pages.get(path, Served(b"not here", status=404)))
        if path.startswith("/loop/"):
            answer = Fault.REDIRECT_LOOP
        if isinstance(answer, bytes):
            answer = Served(answer)
        if isinstance(answer, Redirect):
            answer = Served(b"", status=answer.status, headers={"Location": answer.to})
        if isinstance(answer, Served):
            writer.write(_wire(answer))
            await writer.drain()
            return True
        await _fail(answer, path, writer)
        return False


@dataclass
class _Counted:
    now: Counter[str]
    most: Counter[str]
    host: str

    def __enter__(self) -> None:
        for name in ("", self.host):
            self.now[name] += 1
            self.most[name] = max(self.most[name], self.now[name])

    def __exit__(self, *_: object) -> None:
        for name in ("", self.host):
            self.now[name] -= 1


async def _read(reader: asyncio.StreamReader) -> Request | None:
    with suppress(asyncio.IncompleteReadError):
        first, headers = await read_head(reader)
        return Request(host=headers.get("host", "").rpartition(":")[0] or headers.get("host", ""),
                       path=first.split(" ")[1], headers=headers)  # fmt: skip
    return None


def _wire(answer: Served) -> bytes:
    body, headers = answer.body, dict(answer.headers)
    if answer.packed:
        body = _packed(body, answer.packed)
        headers["Content-Encoding"] = answer.packed.split()[-1]
    if answer.content_type is not None:
        headers.setdefault("Content-Type", answer.content_type)
    return _head(answer.status, {**headers, "Content-Length": str(len(body))}) + body


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _packed(body: bytes, how: str) -> bytes:
    if how == "gzip":
        return gzip.compress(body, mtime=0)
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS if how == "raw deflate" else zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


@cache
def gzip_bomb(size: int = 200_000_000) -> bytes:
    """`size` bytes of a page, packed to about a thousandth of them."""
    packer = zlib.compressobj(9, wbits=16 + zlib.MAX_WBITS)
    block = b"a" * 1_000_000
    parts = [packer.compress(b"<html><body><p>")]
    parts += [packer.compress(block) for _ in range(size // len(block))]
    return b"".join([*parts, packer.flush()])


async def _fail(fault: Fault, path: str, writer: asyncio.StreamWriter) -> None:
    plain = {"Content-Type": HTML}
    page = b"<html><body>" + FILLER * 10
    match fault:
        case Fault.HANG:
            await asyncio.sleep(LONG)
        case Fault.HANG_IN_BODY:
            writer.write(_head(200, {**plain, "Content-Length": "100000"}) + page)
            await asyncio.sleep(LONG)
        case Fault.DRIP:
            writer.write(_head(200, plain))
            await drip(writer, b"a" * int(LONG / DRIP_SECONDS))
        case Fault.DRIP_IN_HEAD:
            await drip(writer, b"HTTP/1.1 200 OK\r\nX: " + b"a" * int(LONG / DRIP_SECONDS))
        case Fault.RESET:
            pass
        case Fault.NOT_HTTP:
            writer.write(b"220 ready for mail\r\n")
        case Fault.FIFTY_MB:
            await _flood(writer, {**plain, "Content-Length": str(50_000_000)})
        case Fault.FIFTY_MB_UNSTATED:
            await _flood(writer, plain)
        case Fault.GZIP_BOMB:
            writer.write(_head(200, {**plain, "Content-Encoding": "gzip"}) + gzip_bomb())
        case Fault.CUT_BODY:
            writer.write(_head(200, {**plain, "Content-Length": str(len(page) + 1)}) + page)
        case Fault.CUT_CHUNKED:
            writer.write(_head(200, {**plain, "Transfer-Encoding": "chunked"}))
            writer.write(b"%x\r\n%b\r\n" % (len(page), page))
        case Fault.CUT_GZIP:
            writer.write(_head(200, {**plain, "Content-Encoding": "gzip"}) + gzip.compress(page)[:-12])
        case Fault.BAD_GZIP:
            writer.write(_head(200, {**plain, "Content-Encoding": "gzip"}) + page)
        case Fault.REDIRECT_LOOP:
            step = int(path.rpartition("/")[2]) + 1 if path.startswith("/loop/") else 1
            writer.write(_head(302, {"Location": f"/loop/{step}", "Content-Length": "0"}))
        case Fault.UNASKED_CODING:
            writer.write(_head(200, {**plain, "Content-Encoding": "br"}) + page)
    with suppress(OSError):
        await writer.drain()


async def _flood(writer: asyncio.StreamWriter, headers: Mapping[str, str]) -> None:
    writer.write(_head(200, headers))
    for _ in range(50_000_000 // (len(FILLER) * 64) + 1):
        writer.write(FILLER * 64)
        await writer.drain()
