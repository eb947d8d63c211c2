"""The guarded fetcher: what it brings, and every way in which a page cannot be had."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from pdgf.errors import ConfigInvalid, PageUnusable
from pdgf.sources.fetch import Fetched, FetchLimits, GuardedFetcher
from pdgf.usage import Budget
from tests.web.page_server import FILLER, Fault, PageServer, Redirect, Served

QUICK = FetchLimits(page_seconds=0.4)
LONG = 20.0  # seconds; what should not take long has failed by then

PAGES = {
    "/page": FILLER,
    "/sub/": FILLER,
    "/sub": Redirect("/sub/"),
    "/moved": Redirect("/page?utm_source=x&id=7", 301),
    "/%E7%94%B5%E5%BD%B1": FILLER,
    "/plain": Served(b"Just words.", "text/plain"),
    "/xhtml": Served(FILLER, "application/xhtml+xml;charset=GBK"),
    "/quoted": Served(FILLER, 'text/html; a=b; Charset="windows-1251"'),
    "/no-store": Served(FILLER, headers={"Cache-Control": "max-age=0, No-Store"}),
    "/gzip": Served(FILLER, packed="gzip"),
    "/deflate": Served(FILLER, packed="deflate"),
    "/raw-deflate": Served(FILLER, packed="raw deflate"),
    **{f"/{status}": Served(b"no", status=status) for status in (204, 304, 401, 403, 404, 418, 429, 500, 503)},
    "/nowhere": Served(b"no", status=302),
    "/empty": b"",
    "/blank": b" \r\n\t ",
    **{f"/type/{n}": Served(b"%PDF", kind) for n, kind in enumerate(("image/png", "application/pdf", "text/x", None))},
    **{f"/{fault.name}": fault for fault in Fault},
    "/hop/1": Redirect("/hop/2"), "/hop/2": Redirect("/hop/3"), "/hop/3": Redirect("/hop/4"),
    "/hop/4": Redirect("/hop/5"), "/hop/5": Redirect("/hop/6"), "/hop/6": Redirect("/page"),
    "/cookie": Served(b"", status=302, headers={"Location": "/page", "Set-Cookie": "id=1"}),
    "/to-video": Redirect("https://www.youtube.com/watch?v=1"),
    "/to-pdf": Redirect("/paper.pdf"),
}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[PageServer]:
    with PageServer(PAGES) as running:
        yield running


@pytest.fixture
async def fetcher(server: PageServer) -> AsyncIterator[GuardedFetcher]:
    made = GuardedFetcher(allow_hosts=[server.authority, server.refused_authority])
    yield made
    await made.aclose()


@pytest.fixture
async def impatient(server: PageServer) -> AsyncIterator[GuardedFetcher]:
    made = GuardedFetcher(allow_hosts=[server.authority], limits=QUICK)
    yield made
    await made.aclose()


async def why_not(fetcher: GuardedFetcher, url: str, budget: Budget | None = None) -> str:
    async with asyncio.timeout(LONG):
        with pytest.raises(PageUnusable) as raised:
            await fetcher.fetch(url, budget or Budget())
    assert raised.value.url == url
    return raised.value.why


async def test_a_page_comes_with_its_address_type_charset_and_bytes(server, fetcher) -> None:
    page = await fetcher.fetch(server.url("/page#part"), Budget())
    assert page == Fetched(url=server.url("/page"), mime="text/html", charset="utf-8", body=FILLER)


async def test_the_address_is_the_canonical_one_where_redirects_ended(server, fetcher) -> None:
    assert (await fetcher.fetch(server.url("/moved"), Budget())).url == server.url("/page?id=7")


async def test_a_trailing_slash_is_asked_for_though_the_canonical_address_has_none(server, fetcher) -> None:
    assert (await fetcher.fetch(server.url("/sub"), Budget())).url == server.url("/sub")
    assert "/sub/" in server.paths


async def test_addresses_in_other_scripts_are_asked_for_as_utf8(server, fetcher) -> None:
    assert (await fetcher.fetch(server.url("/电影"), Budget())).body == FILLER


@pytest.mark.parametrize(
    ("path", "mime", "charset"),
    [("/plain", "text/plain", None), ("/xhtml", "application/xhtml+xml", "GBK"),
     ("/quoted", "text/html", "windows-1251")],
)  # fmt: skip
async def test_type_and_charset_are_those_of_the_header(server, fetcher, path: str, mime: str, charset: str) -> None:
    page = await fetcher.fetch(server.url(path), Budget())
    assert (page.mime, page.charset) == (mime, charset)


async def test_a_server_that_wants_no_copy_is_heard(server, fetcher) -> None:
    assert (await fetcher.fetch(server.url("/page"), Budget())).may_store
    assert not (await fetcher.fetch(server.url("/no-store"), Budget())).may_store


@pytest.mark.parametrize("path", ["/gzip", "/deflate", "/raw-deflate"])
async def test_packed_pages_are_unpacked(server, fetcher, path: str) -> None:
    assert (await fetcher.fetch(server.url(path), Budget())).body == FILLER


async def test_nothing_but_the_product_is_told_to_a_server(server, fetcher) -> None:
    await fetcher.fetch(server.url("/cookie"), Budget())
    asked = server.requests[-1]
    assert set(asked.headers) == {"host", "user-agent", "accept", "accept-encoding"}
    assert asked.headers["user-agent"].startswith("pdgf/")
    assert asked.headers["accept-encoding"] == "gzip, deflate"


FAULTS = {
    Fault.HANG: "timeout",
    Fault.HANG_IN_BODY: "timeout",
    Fault.DRIP: "timeout",
    Fault.DRIP_IN_HEAD: "timeout",
    Fault.RESET: "broken",
    Fault.NOT_HTTP: "broken",
    Fault.FIFTY_MB: "too_large",
    Fault.FIFTY_MB_UNSTATED: "too_large",
    Fault.GZIP_BOMB: "too_large",
    Fault.CUT_BODY: "broken",
    Fault.CUT_CHUNKED: "broken",
    Fault.CUT_GZIP: "broken",
    Fault.BAD_GZIP: "broken",
    Fault.REDIRECT_LOOP: "redirects",
    Fault.UNASKED_CODING: "broken",
}


@pytest.mark.parametrize("fault", Fault)
async def test_each_fault_of_a_page_is_that_page_alone(server, fetcher, impatient, fault: Fault) -> None:
    """C13 a drip, C14 redirects for ever and C15 a gzip bomb are among them."""
    asked = impatient if FAULTS[fault] == "timeout" else fetcher
    assert await why_not(asked, server.url(f"/{fault.name}")) == FAULTS[fault]
    assert (await fetcher.fetch(server.url("/page"), Budget())).body == FILLER


@pytest.mark.parametrize("status", [304, 401, 403, 404, 418, 429, 500, 503])
async def test_a_status_other_than_success_is_no_page(server, fetcher, status: int) -> None:
    assert await why_not(fetcher, server.url(f"/{status}")) == "status"


@pytest.mark.parametrize(
    ("path", "why"),
    [("/204", "empty"), ("/empty", "empty"), ("/blank", "empty"), ("/nowhere", "status"), ("/type/0", "type"),
     ("/type/1", "type"), ("/type/2", "type"), ("/type/3", "type"), ("/to-video", "refused_address"),
     ("/to-pdf", "refused_address"), ("/paper.pdf", "refused_address")],
)  # fmt: skip
async def test_what_is_no_page_to_read_has_its_reason(server, fetcher, path: str, why: str) -> None:
    assert await why_not(fetcher, server.url(path)) == why


async def test_a_refused_connection_is_a_robots_file_that_cannot_be_had(server, fetcher) -> None:
    assert await why_not(fetcher, f"http://{server.refused_authority}/") == "robots_unreachable"


async def test_c14_five_redirects_are_followed_and_a_sixth_is_not(server, fetcher) -> None:
    assert (await fetcher.fetch(server.url("/hop/2"), Budget())).url == server.url("/page")
    server.requests.clear()
    assert await why_not(fetcher, server.url("/hop/1")) == "redirects"
    assert server.paths == [f"/hop/{n}" for n in range(1, 7)]


async def test_a_turn_without_time_asks_nobody(server, fetcher) -> None:
    server.requests.clear()
    assert await why_not(fetcher, server.url("/page"), Budget(seconds=0.0)) == "timeout"
    assert server.requests == []


async def test_c13_no_page_takes_longer_than_what_is_left_of_the_turn(server) -> None:
    fetcher = GuardedFetcher(allow_hosts=[server.authority], limits=FetchLimits(page_seconds=60.0))
    assert await why_not(fetcher, server.url(f"/{Fault.DRIP.name}"), Budget(seconds=0.3)) == "timeout"
    await fetcher.aclose()


async def test_cancelled_pages_leave_room_for_others(server, fetcher) -> None:
    tasks = [asyncio.create_task(fetcher.fetch(server.url(f"/{Fault.HANG.name}"), Budget())) for _ in range(40)]
    await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()
    assert all(
        isinstance(found, asyncio.CancelledError) for found in await asyncio.gather(*tasks, return_exceptions=True)
    )
    async with asyncio.timeout(LONG):
        assert (await fetcher.fetch(server.url("/page"), Budget())).body == FILLER


@pytest.mark.parametrize("pair", ["", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http", ":80", "a b:80", "x.example:70000"])
def test_a_pair_that_is_none_is_a_setting_to_mend(pair: str) -> None:
    with pytest.raises(ConfigInvalid, match="host:port"):
        GuardedFetcher(allow_hosts=[pair])


async def test_a_fetcher_serves_one_event_loop_after_another(server) -> None:
    fetcher = GuardedFetcher(allow_hosts=[server.authority])

    async def once() -> Fetched:
        return await fetcher.fetch(server.url("/page"), Budget())

    for _ in range(2):
        assert (await asyncio.to_thread(asyncio.run, once())).body == FILLER
    await fetcher.aclose()
