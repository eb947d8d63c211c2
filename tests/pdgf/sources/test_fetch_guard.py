"""No address leads inside: the SSRF matrix of RELIABILITY 4.8 at every hop (C19, C20, C21)."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

import pytest
from httpcore2 import ConnectError

from pdgf.errors import PageUnusable
from pdgf.sources.fetch import FetchLimits, GuardedFetcher
from pdgf.sources.guard import SystemResolver, host_port_pairs
from pdgf.usage import Budget
from tests.pdgf.sources.inner_places import (
    ONLY_FIRST,
    ONLY_REDIRECT,
    PUBLIC,
    PUBLIC_ADDRESSES,
    REACHABLE,
    ROWS,
    Canary,
    Wire,
    resolve,
)
from tests.variants import every
from tests.web.page_server import FILLER, PageServer, Redirect

STATUSES = (301, 302, 303, 307, 308)
MANY = FetchLimits(per_host=16, page_seconds=20.0)
PLACES = [url for urls in ROWS.values() for url in urls]


@dataclass
class Net:
    """A server that public addresses lead to, and a canary for all others."""

    server: PageServer
    canary: Canary

    def fetcher(self, **settings: object) -> tuple[GuardedFetcher, Wire]:
        wire = Wire(self.server.port, self.canary.port)
        given = {"resolve": resolve, "dial": wire.dial, "limits": MANY, "obey_robots": False, **settings}
        return GuardedFetcher(**given), wire  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def net() -> Iterator[Net]:
    with PageServer({"/": FILLER}) as server, Canary() as canary:
        yield Net(server, canary)


@pytest.fixture(autouse=True)
async def nobody_comes_to_the_canary(net: Net) -> AsyncIterator[None]:
    before = net.canary.hits
    yield
    assert net.canary.hits == before


async def outcome(fetcher: GuardedFetcher, url: str) -> str:
    try:
        await fetcher.fetch(url, Budget())
    except PageUnusable as error:
        return error.why
    return "fetched"


@pytest.mark.parametrize("row", ROWS)
async def test_c19_c21_an_inner_place_is_refused_before_a_connection(net: Net, row: str) -> None:
    urls = [form for url in ROWS[row] for form in respelled(url)]
    for obey_robots in (False, True):
        fetcher, wire = net.fetcher(obey_robots=obey_robots)
        found = {url: await outcome(fetcher, url) for url in urls}
        assert {url: why for url, why in found.items() if why != "refused_address"} == {}
        assert wire.dialled == []
        await fetcher.aclose()


async def test_what_is_no_address_is_refused(net: Net) -> None:
    fetcher, wire = net.fetcher()
    assert {await outcome(fetcher, url) for url in ONLY_FIRST} == {"refused_address"}
    assert wire.dialled == []
    await fetcher.aclose()


def redirected(hop: int) -> list[tuple[str, str, int]]:
    """(scheme, inner place, status): after one hop each place with each status, after more with one in turn."""
    places = [*PLACES, *ONLY_REDIRECT]
    if hop > 1:
        return [("http", url, STATUSES[(number + hop) % 5]) for number, url in enumerate(places)]
    return [("http", url, status) for url in places for status in STATUSES] + [("https", url, 302) for url in places]


def respelled(url: str) -> list[str]:
    """The same place, written otherwise."""
    scheme, colon, rest = url.partition(":")
    forms = [url, f" {url}\n", f"{scheme.upper()}{colon}{rest}", f"{url}?q=1&utm_source=x", f"{url}#part"]
    return [*forms, url.replace("http:", "https:"), url.upper(), f"{url}a/../b"]


@pytest.mark.parametrize("hop", every(2, [1, 2, 5, 3, 4]))
async def test_c20_an_inner_place_is_refused_as_the_target_of_a_redirect(net: Net, hop: int) -> None:
    """Every row after 1 to 5 hops, with every status that redirects, and from https down to http."""
    cases = redirected(hop)
    for number, (_, url, status) in enumerate(cases):
        for step in range(1, hop):
            net.server.pages[f"/{number}/{step}"] = Redirect(f"/{number}/{step + 1}", status)
        net.server.pages[f"/{number}/{hop}"] = Redirect(url, status)
    fetcher, wire = net.fetcher()
    starts = (f"{scheme}://public.example/{number}/1" for number, (scheme, _, _) in enumerate(cases))
    found = await asyncio.gather(*(outcome(fetcher, start) for start in starts))
    assert {case: why for case, why in zip(cases, found, strict=True) if why != "refused_address"} == {}
    assert {address for address, _ in wire.dialled} == {PUBLIC}
    await fetcher.aclose()


def test_the_matrix_is_tried_in_more_than_1700_ways() -> None:
    first = sum(len(set(respelled(url))) for url in PLACES) + len(ONLY_FIRST)
    assert first + sum(len(redirected(hop)) for hop in range(1, 6)) >= 1_700


@pytest.mark.parametrize("url", REACHABLE)
async def test_public_places_are_reached(net: Net, url: str) -> None:
    fetcher, wire = net.fetcher()
    assert await outcome(fetcher, url) == "fetched"
    assert wire.dialled[0][0] in {str(address) for address in PUBLIC_ADDRESSES}
    await fetcher.aclose()


async def test_a_redirect_from_https_to_http_and_to_another_public_host_is_followed(net: Net) -> None:
    net.server.pages["/down"] = Redirect("http://public-six.example/")
    fetcher, wire = net.fetcher()
    assert (await fetcher.fetch("https://public.example/down", Budget())).url == "http://public-six.example"
    assert [port for _, port in wire.dialled] == [443, 80]
    await fetcher.aclose()


async def test_the_checked_address_is_connected_to_under_the_name_of_the_page(net: Net) -> None:
    fetcher, wire = net.fetcher()
    await fetcher.fetch("https://PUBLIC.example./", Budget())
    assert wire.dialled == [(PUBLIC, 443)]
    assert wire.tls_names == ["public.example"]
    assert net.server.requests[-1].headers["host"] == "public.example"
    await fetcher.aclose()


async def test_a_name_is_resolved_once_for_a_connection(net: Net) -> None:
    """A name server that answers otherwise the second time moves nothing."""
    answers = iter([[PUBLIC], ["127.0.0.1"]])

    async def rebinding(host: str) -> Sequence[str]:
        return next(answers)

    fetcher, wire = net.fetcher(resolve=rebinding)
    assert await outcome(fetcher, "http://public.example/") == "fetched"
    assert await outcome(fetcher, "http://public.example:443/") == "refused_address"
    assert wire.dialled == [(PUBLIC, 80)]
    await fetcher.aclose()


async def test_the_system_is_asked_for_all_addresses_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def looked_up(host: str, port: object, **_: object) -> list[tuple[object, ...]]:
        if host != "two.example":
            raise socket.gaierror("no such name")
        return [(0, 0, 0, "", (address, 0)) for address in ("93.184.216.34", "::1", "93.184.216.34")]

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    resolver = SystemResolver(threads=2)
    assert await resolver("two.example") == ["93.184.216.34", "::1"]
    with pytest.raises(OSError, match="no such name"):
        await resolver("nobody.example")
    resolver.close()


def test_allowed_pairs_are_hosts_and_ports_in_the_form_that_is_asked_for() -> None:
    pairs = host_port_pairs(["127.0.0.1:8000", "[::1]:80", " LOCALHOST.:7860 "])
    assert pairs == {("127.0.0.1", 8000), ("::1", 80), ("localhost", 7860)}


async def test_a_name_without_an_address_is_unreachable(net: Net) -> None:
    fetcher, _ = net.fetcher()
    assert await outcome(fetcher, "http://nobody.example/") == "unreachable"
    await fetcher.aclose()


async def test_a_name_server_that_hangs_costs_its_page_alone(net: Net) -> None:
    async def hanging(host: str) -> Sequence[str]:
        return await resolve(host) if host == "public.example" else await asyncio.sleep(60) or []

    fetcher, _ = net.fetcher(resolve=hanging, limits=FetchLimits(connect_seconds=0.5))
    assert await outcome(fetcher, "http://slow.example/") == "timeout"
    assert await outcome(fetcher, "http://public.example/") == "fetched"
    await fetcher.aclose()


async def test_an_address_that_is_dead_is_followed_by_the_next(net: Net) -> None:
    fetcher, wire = net.fetcher()
    alive = wire.dial

    async def dial(address: str, port: int, seconds: float):  # type: ignore[no-untyped-def]
        if address == PUBLIC:
            raise ConnectError("dead")
        return await alive(address, port, seconds)

    fetcher, _ = net.fetcher(dial=dial)
    assert await outcome(fetcher, "http://two.example/") == "fetched"
    assert wire.dialled == [("93.184.216.35", 80)]
    await fetcher.aclose()


async def test_the_environment_changes_neither_the_way_nor_the_check(net: Net, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{net.canary.port}")
    monkeypatch.setenv("NO_PROXY", "")
    fetcher, wire = net.fetcher()
    assert await outcome(fetcher, "http://public.example/") == "fetched"
    assert await outcome(fetcher, "http://127.0.0.1/") == "refused_address"
    assert wire.dialled == [(PUBLIC, 80)]
    await fetcher.aclose()


async def test_an_allowed_pair_is_that_host_and_port_and_nothing_else(net: Net) -> None:
    fetcher, wire = net.fetcher(allow_hosts=["inside.example:8000"])
    net.canary.hits -= 1  # the one who comes in by leave
    assert await outcome(fetcher, "http://inside.example:8000/") == "fetched"
    for url in (
        "http://inside.example/",
        "http://inside.example:8001/",
        "http://127.0.0.1:8000/",
        "http://a.inside.example:8000/",
    ):
        assert await outcome(fetcher, url) in ("refused_address", "unreachable")
    assert wire.dialled == [("127.0.0.1", 8000)]
    await fetcher.aclose()


async def test_a_robots_file_cannot_lead_inside_either(net: Net) -> None:
    net.server.pages["/robots.txt"] = Redirect("http://127.0.0.1/robots.txt")
    fetcher, _ = net.fetcher(obey_robots=True)
    assert await outcome(fetcher, "http://public.example/") == "refused_address"
    del net.server.pages["/robots.txt"]
    await fetcher.aclose()
