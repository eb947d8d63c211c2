"""One GET over the guarded network: no cookies, no credentials, no referrer, no proxy, nothing unpacked unseen."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from ssl import SSLContext

import httpcore2

from pdgf.sources.bodies import ACCEPTED, Body
from pdgf.sources.client import version
from pdgf.sources.guard import GuardedNetwork, Place
from pdgf.sources.unusable import Unusable

AGENT = "pdgf"
IDLE_SECONDS = 5.0  # how long a connection waits for the next page of its host


class Answer:
    """Status and headers, names in lower case; the body is still to come."""

    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response
        self.status = response.status
        self.headers = _headers(response)

    async def body(self, *, max_raw: int, max_decoded: int, cut: bool = False) -> bytes:
        """The unpacked body. One that is too long is refused, or with `cut` ends at the cap."""
        stated = self.headers.get("content-length", "")
        if not cut and stated.isascii() and stated.isdigit() and int(stated[:20]) > max_raw:
            raise Unusable("too_large")
        coding = self.headers.get("content-encoding", "")
        body = Body([coding], max_raw=max_raw, max_decoded=max_decoded, cut=cut)
        async for chunk in self._response.aiter_stream():
            body.add(chunk)
            if body.full:
                break
        return body.value()


class Wire:
    """The connections of one event loop. Seconds are those of one wait, not of a page."""

    def __init__(
        self, network: GuardedNetwork, *, tls: SSLContext, connect_seconds: float, seconds: float, at_once: int
    ) -> None:
        self._timeouts = {"connect": connect_seconds, "read": seconds, "write": seconds, "pool": seconds}
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls,
            max_connections=at_once,
            keepalive_expiry=IDLE_SECONDS,
            network_backend=network,
        )

    @asynccontextmanager
    async def get(self, place: Place, *, sending: Callable[[], None] | None = None) -> AsyncIterator[Answer]:
        """The answer of a place; what goes wrong with it until it is left is Unusable. `sending` is called when the
        connection stands and the request is about to be sent, and may refuse that with Unusable."""
        try:
            response = await self._opened(place, sending)
            try:
                yield Answer(response)
            finally:
                await response.aclose()
        except httpcore2.TimeoutException as error:
            raise Unusable("timeout") from error
        except (httpcore2.ConnectError, httpcore2.WriteError) as error:
            raise Unusable("unreachable") from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            raise Unusable("broken", type(error).__name__) from error

    async def aclose(self) -> None:
        await self._pool.aclose()

    async def _opened(self, place: Place, sending: Callable[[], None] | None) -> httpcore2.Response:
        url = httpcore2.URL(
            scheme=place.scheme.encode(), host=place.host.encode(), port=place.port, target=place.target.encode()
        )
        headers = [
            ("Host", place.host_header),
            ("User-Agent", f"{AGENT}/{version()} (recommender; reads single pages on a person's request)"),
            ("Accept", "text/html,application/xhtml+xml,text/plain;q=0.8"),
            ("Accept-Encoding", ACCEPTED),
        ]
        extensions: dict[str, object] = {"timeout": self._timeouts}
        if sending is not None:
            extensions["trace"] = _told_when_sending(sending)
        request = httpcore2.Request("GET", url, headers=headers, extensions=extensions)
        try:
            return await self._pool.handle_async_request(request)
        except (httpcore2.RemoteProtocolError, httpcore2.ReadError):
            # A connection that was kept may have ended on the other side just now.
            return await self._pool.handle_async_request(request)


def _told_when_sending(sending: Callable[[], None]) -> Callable[[str, object], Awaitable[None]]:
    async def told(event: str, _: object) -> None:
        if event.endswith(".send_request_headers.started"):
            sending()

    return told


def _headers(response: httpcore2.Response) -> Mapping[str, str]:
    """Of a name that comes more than once the values joined, as HTTP has it; the last of the types."""
    found: dict[str, str] = {}
    for name, value in response.headers:
        key, text = name.decode("latin-1").lower(), value.decode("utf-8", "replace").strip()
        found[key] = f"{found[key]}, {text}" if key in found and key != "content-type" else text
    return found
