"""The guarded fetcher: the only way in which an address from outside is read (METHOD 5.2, 5.3, 5.4).

    address -> judged by its text -> robots.txt -> judged by what it resolves to -> body within its caps -> Fetched
       ^------------- redirect, at most 5, judged like the first -------------'

Nothing of the user goes out with a request: no cookies, no credentials, no referrer.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from ssl import SSLContext
from urllib.parse import urljoin

from pdgf.errors import BudgetSpent, PageUnusable
from pdgf.models import Value
from pdgf.pages import canonical_url, is_page
from pdgf.per_loop import PerLoop
from pdgf.sources.client import tls
from pdgf.sources.gates import HostGates
from pdgf.sources.guard import Dial, GuardedNetwork, Place, Resolve, SystemResolver, dial_tcp, host_port_pairs, place_of
from pdgf.sources.robots import Rules, rules_for
from pdgf.sources.unusable import Unusable
from pdgf.sources.wire import AGENT, Wire
from pdgf.usage import Budget

MIMES = frozenset({"text/html", "application/xhtml+xml", "text/plain"})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
ROBOTS_BYTES = 512_000  # of a robots.txt that are read; RFC 9309 asks for 500 KiB at least
ROBOTS_KEPT = 2_000  # origins
ROBOTS_WAIT = 5.0  # seconds, for a robots.txt with its redirects
UNREACHABLE = "robots_unreachable"  # no rule forbids the page, but none could be read
ROBOTS_FAILED_SECONDS = 60.0  # how long an origin without a readable robots.txt is not asked again

Origin = tuple[str, str, int]

_CHARSET = re.compile(r""";\s*charset\s*=\s*["']?\s*([^\s"';,]+)""", re.IGNORECASE)


class FetchLimits(Value):
    """The caps of the fetcher. Bytes of one body, seconds of one page with all its redirects, pages at once."""

    raw_bytes: int = 5_000_000
    decoded_bytes: int = 5_000_000
    connect_seconds: float = 5.0
    page_seconds: float = 10.0
    redirects: int = 5
    at_once: int = 16
    per_host: int = 2
    robots_seconds: float = 3_600.0


class Fetched(Value):
    """A page as it came: its final canonical address, its type, the charset of its header and its unpacked body.

    `may_store` is false when the server asked that no copy be kept.
    """

    url: str
    mime: str
    charset: str | None = None
    body: bytes
    may_store: bool = True


class _Stopwatch:
    """The seconds a page has left. Waiting for a place in the queue is not counted, except against the turn."""

    def __init__(self, seconds: float, budget: Budget) -> None:
        self._left = seconds
        self._budget = budget

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            async with asyncio.timeout(max(0.0, min(self._left, self._budget.remaining_seconds()))):
                yield
        finally:
            self._left -= loop.time() - begun


class _Loop:
    """What belongs to one event loop."""

    def __init__(self, network: GuardedNetwork, limits: FetchLimits, trusted: SSLContext) -> None:
        self.gates = HostGates(at_once=limits.at_once, per_host=limits.per_host)
        self.wire = Wire(
            network,
            tls=trusted,
            connect_seconds=limits.connect_seconds,
            seconds=limits.page_seconds,
            at_once=limits.at_once,
        )
        self.asking: dict[Origin, asyncio.Lock] = {}
        self.rules: dict[Origin, tuple[float, Rules]] = {}


class GuardedFetcher:
    """Reads pages that a search found. Close it at the end, once in each event loop that used it.

    `allow_hosts` are host:port pairs that may be reached although their addresses are inner ones. `readable` says of
    each address, redirects included, whether it is a page to read. `resolve` and `dial` are the ways to the network.
    """

    def __init__(
        self,
        *,
        allow_hosts: Collection[str] = (),
        obey_robots: bool = True,
        readable: Callable[[str], bool] = is_page,
        limits: FetchLimits | None = None,
        resolve: Resolve | None = None,
        dial: Dial = dial_tcp,
    ) -> None:
        self._limits = limits or FetchLimits()
        self._allowed = host_port_pairs(allow_hosts)
        self._obey_robots = obey_robots
        self._readable = readable
        self._resolver = SystemResolver(self._limits.at_once)
        self._resolve: Resolve = resolve or self._resolver
        self._dial = dial
        self._loops: PerLoop[_Loop] = PerLoop()
        self._making: PerLoop[asyncio.Lock] = PerLoop()

    async def fetch(self, url: str, budget: Budget) -> Fetched:
        """The page at an address, after at most 5 redirects. Never takes longer than the turn.

        It is a page of the budget from the moment in which its first request is sent: one that is refused before
        costs nothing. Raises PageUnusable with the address asked for: `refused_address`, `robots`,
        `robots_unreachable`, `cap` (of the pages of the turn), `timeout`, `unreachable`, `status`, `redirects`, `type`,
        `too_large`, `broken` or `empty`.
        """
        try:
            return await self._followed(url, budget)
        except (TimeoutError, BudgetSpent) as error:
            raise PageUnusable(url, "timeout") from error
        except Unusable as error:
            raise PageUnusable(url, error.why) from error

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        here = self._loops.pop("fetch")
        if here is not None:
            await here.wire.aclose()
        self._resolver.close()

    async def _followed(self, url: str, budget: Budget) -> Fetched:
        watch, spend = _Stopwatch(self._limits.page_seconds, budget), _spending_once(budget)
        async with asyncio.timeout(budget.remaining_seconds()):
            for _ in range(self._limits.redirects + 1):
                if budget.remaining_seconds() <= 0.0:
                    raise TimeoutError
                found = await self._asked(url, watch, budget, spend)
                if isinstance(found, Fetched):
                    return found
                url = found
        raise Unusable("redirects")

    async def _asked(self, url: str, watch: _Stopwatch, budget: Budget, spend: Callable[[], None]) -> Fetched | str:
        """One hop: a page, or the address it sends on to."""
        place = self._judged(url)
        here = await self._here()
        async with here.gates.host(place.host):
            if self._obey_robots:
                try:
                    async with here.gates.any(), watch.running():
                        rules = await self._rules(here, place)
                except TimeoutError as error:
                    raise Unusable(UNREACHABLE if budget.remaining_seconds() > 0.0 else "timeout") from error
                if not rules.allow(place.target):
                    raise Unusable(rules.closed or "robots")
                await here.gates.pause(place.host, rules.delay, budget.remaining_seconds())
            async with here.gates.any(), watch.running():
                return await self._page(here, place, url, spend)

    def _judged(self, url: str) -> Place:
        place = place_of(url, self._allowed)
        if not self._readable(url):
            raise Unusable("refused_address", "not a page to read")
        return place

    async def _page(self, here: _Loop, place: Place, url: str, spend: Callable[[], None]) -> Fetched | str:
        async with here.wire.get(place, sending=spend) as answer:
            if answer.status in REDIRECTS and answer.headers.get("location"):
                return _joined(url, answer.headers["location"])
            if answer.status not in (200, 203):
                raise Unusable("empty" if answer.status in (204, 205) else "status", str(answer.status))
            kind = answer.headers.get("content-type", "")
            mime = kind.partition(";")[0].strip().lower()
            if mime not in MIMES:
                raise Unusable("type", mime[:100])
            body = await answer.body(max_raw=self._limits.raw_bytes, max_decoded=self._limits.decoded_bytes)
            if not body.strip():
                raise Unusable("empty")
        named = _CHARSET.search(kind)
        return Fetched(
            url=canonical_url(url) or url,
            mime=mime,
            charset=named.group(1) if named else None,
            body=body,
            may_store="no-store" not in answer.headers.get("cache-control", "").lower(),
        )

    async def _rules(self, here: _Loop, place: Place) -> Rules:
        """What the robots.txt of an origin allows, asked for once by all who wait for it."""
        loop = asyncio.get_running_loop()
        async with here.asking.setdefault(place.origin, asyncio.Lock()):
            until, rules = here.rules.get(place.origin, (0.0, Rules()))
            if until > loop.time():
                return rules
            if len(here.rules) >= ROBOTS_KEPT:
                here.rules.clear()
                here.asking = {origin: lock for origin, lock in here.asking.items() if lock.locked()}
            try:
                async with asyncio.timeout(ROBOTS_WAIT):
                    rules = await self._robots(here, place)
            except TimeoutError:
                rules = Rules(closed=UNREACHABLE)
            kept = ROBOTS_FAILED_SECONDS if rules.closed else self._limits.robots_seconds
            here.rules[place.origin] = (loop.time() + kept, rules)
            return rules

    async def _robots(self, here: _Loop, place: Place) -> Rules:
        """RFC 9309, 2.3.1: a file that is not there (4xx, too many redirects) forbids nothing; one that cannot be
        reached (5xx, network) forbids everything, and so does a server that asks to slow down (429)."""
        url = f"{place.scheme}://{place.host_header}/robots.txt"
        try:
            for _ in range(self._limits.redirects + 1):
                asked = place_of(url, self._allowed)
                async with here.wire.get(asked) as answer:
                    if answer.status in REDIRECTS and answer.headers.get("location"):
                        url = _joined(url, answer.headers["location"])
                        continue
                    if answer.status == 429 or answer.status >= 500:
                        return Rules(closed=UNREACHABLE)
                    if answer.status != 200:
                        return Rules()
                    body = await answer.body(max_raw=2 * ROBOTS_BYTES, max_decoded=ROBOTS_BYTES, cut=True)
                    return rules_for(AGENT, body.decode("utf-8", "replace"))
        except Unusable as error:
            return Rules(closed=error.why if error.why == "refused_address" else UNREACHABLE)
        return Rules()

    async def _here(self) -> _Loop:
        """What belongs to the running loop. Pages that come while it is made keep their order."""
        async with self._making.get("fetch", asyncio.Lock):
            here = self._loops.find("fetch")
            if here is None:
                trusted = await asyncio.to_thread(tls)
                here = self._loops.get("fetch", lambda: self._loop(trusted))
            return here

    def _loop(self, trusted: SSLContext) -> _Loop:
        network = GuardedNetwork(allowed=self._allowed, resolve=self._resolve, dial=self._dial)
        return _Loop(network, self._limits, trusted)


def _spending_once(budget: Budget) -> Callable[[], None]:
    """Counts one page when it is first called, if the cap of the turn lets it through, and nothing after that."""
    spent = False

    def spend() -> None:
        nonlocal spent
        if spent:
            return
        if budget.room_for("pages", 1) < 1:
            raise Unusable("cap")
        budget.spend_pages(1)
        spent = True

    return spend


def _joined(url: str, location: str) -> str:
    try:
        return urljoin(url, location.replace(" ", "%20"))
    except ValueError as error:
        raise Unusable("refused_address", "not a web address") from error
