"""How sites are treated: robots.txt, pauses, and how much is asked for at once."""

import asyncio

import pytest

from pdgf.errors import PageUnusable
from pdgf.sources.fetch import FetchLimits, GuardedFetcher
from pdgf.usage import Budget
from tests.web.page_server import FILLER, Fault, PageServer, Redirect, Served

ROBOTS = b"User-agent: *\nDisallow: /private\n"


def fetcher_of(server: PageServer, **settings: object) -> GuardedFetcher:
    async def resolve(host: str) -> list[str]:
        return ["127.0.0.1"]

    hosts = [server.authority, *(f"host{n}.example:{server.port}" for n in range(12))]
    return GuardedFetcher(allow_hosts=hosts, resolve=resolve, **settings)  # type: ignore[arg-type]


async def outcome(server: PageServer, path: str, *, budget: Budget | None = None, **settings: object) -> str:
    fetcher = fetcher_of(server, **settings)
    try:
        await fetcher.fetch(server.url(path), budget or Budget())
    except PageUnusable as error:
        return error.why
    finally:
        await fetcher.aclose()
    return "fetched"


async def test_what_a_site_disallows_is_not_asked_for() -> None:
    async with PageServer({"/robots.txt": Served(ROBOTS, "text/plain"), "/private/a": FILLER, "/a": FILLER}) as server:
        assert await outcome(server, "/private/a") == "robots"
        assert await outcome(server, "/a") == "fetched"
        assert "/private/a" not in server.paths
        assert await outcome(server, "/private/a", obey_robots=False) == "fetched"


async def test_the_target_of_a_redirect_may_be_disallowed() -> None:
    pages = {"/robots.txt": Served(ROBOTS, "text/plain"), "/a": Redirect("/private/a"), "/private/a": FILLER}
    async with PageServer(pages) as server:
        assert await outcome(server, "/a") == "robots"
        assert "/private/a" not in server.paths


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
async def test_a_robots_file_that_is_not_there_forbids_nothing(status: int) -> None:
    """RFC 9309, 2.3.1.3."""
    async with PageServer({"/robots.txt": Served(b"", status=status), "/a": FILLER}) as server:
        assert await outcome(server, "/a") == "fetched"


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_a_server_that_cannot_say_forbids_everything(status: int) -> None:
    """RFC 9309, 2.3.1.4; 429 asks for less, not for more."""
    async with PageServer({"/robots.txt": Served(b"", status=status), "/a": FILLER}) as server:
        assert await outcome(server, "/a") == "robots_unreachable"
        assert "/a" not in server.paths


@pytest.mark.parametrize("fault", [Fault.HANG, Fault.RESET, Fault.BAD_GZIP, Fault.DRIP])
async def test_an_unreachable_robots_file_forbids_everything_and_is_told_from_one_that_does(fault: Fault) -> None:
    async with PageServer({"/robots.txt": fault, "/a": FILLER}) as server:
        assert await outcome(server, "/a", limits=FetchLimits(page_seconds=1.0)) == "robots_unreachable"
        assert "/a" not in server.paths


async def test_a_site_that_refuses_connections_has_no_robots_file_to_be_had() -> None:
    async with PageServer({}) as server:
        pass  # nobody listens there any more
    assert await outcome(server, "/a") == "robots_unreachable"
    assert await outcome(server, "/a", obey_robots=False) == "unreachable"


async def test_a_turn_that_is_over_is_no_fault_of_the_robots_file() -> None:
    async with PageServer({"/robots.txt": Fault.HANG, "/a": FILLER}) as server:
        assert await outcome(server, "/a", budget=Budget(seconds=0.2)) == "timeout"


@pytest.mark.parametrize(
    ("path", "robots", "pages", "why"),
    [
        ("/a", Served(ROBOTS, "text/plain"), 1, "fetched"),
        ("/missing", Served(ROBOTS, "text/plain"), 1, "status"),
        ("/long", Served(ROBOTS, "text/plain"), 1, "fetched"),  # with its two redirects
        ("/to-private", Served(ROBOTS, "text/plain"), 1, "robots"),  # refused only after a request
        ("/private/a", Served(ROBOTS, "text/plain"), 0, "robots"),
        ("/a", Served(b"", status=503), 0, "robots_unreachable"),
        ("/film.pdf", Served(ROBOTS, "text/plain"), 0, "refused_address"),
    ],
)
async def test_a_page_is_spent_when_the_request_for_it_is_sent(path: str, robots: Served, pages: int, why: str) -> None:
    served = {
        **{"/robots.txt": robots, "/a": FILLER, "/private/a": FILLER, "/to-private": Redirect("/private/a")},
        **{"/long": Redirect("/longer"), "/longer": Redirect("/a"), "/missing": Served(b"", status=404)},
    }
    async with PageServer(served) as server:
        budget = Budget()
        assert await outcome(server, path, budget=budget) == why
        assert budget.usage().pages == pages


async def test_an_inner_address_is_no_page_whether_robots_are_obeyed_or_not() -> None:
    async def inside(host: str) -> list[str]:
        return ["10.0.0.1"]

    for obey_robots in (True, False):
        fetcher, budget = GuardedFetcher(resolve=inside, obey_robots=obey_robots), Budget()
        with pytest.raises(PageUnusable, match="refused_address"):
            await fetcher.fetch("http://inner.example/a", budget)
        assert budget.usage().pages == 0
        await fetcher.aclose()


async def test_no_request_is_sent_above_the_cap_however_many_pages_are_asked_for_at_once() -> None:
    pages = {"/robots.txt": Served(ROBOTS, "text/plain"), **{f"/{n}": FILLER for n in range(12)}}
    async with PageServer(pages) as server:
        fetcher, budget = fetcher_of(server), Budget(pages=5)
        asked = [fetcher.fetch(f"http://host{n}.example:{server.port}/{n}", budget) for n in range(12)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        await fetcher.aclose()
        assert len([path for path in server.paths if path != "/robots.txt"]) == budget.usage().pages == 5
        assert [error.why for error in found if isinstance(error, PageUnusable)] == ["cap"] * 7


async def test_redirects_of_a_robots_file_are_followed_up_to_five() -> None:
    """Its rules hold for the site that was asked; a file behind more redirects counts as missing (2.3.1.2)."""
    async with PageServer({"/robots.txt": Redirect("/r2"), "/r2": Served(ROBOTS, "text/plain")}) as server:
        assert await outcome(server, "/private/a") == "robots"
    async with PageServer({"/robots.txt": Fault.REDIRECT_LOOP, "/a": FILLER}) as server:
        assert await outcome(server, "/a") == "fetched"


async def test_only_the_first_500_kib_of_a_robots_file_are_read() -> None:
    text = b"# long\n" * 80_000 + ROBOTS
    async with PageServer({"/robots.txt": Served(text, "text/plain"), "/private": FILLER}) as server:
        assert await outcome(server, "/private") == "fetched"
    async with PageServer({"/robots.txt": Served(ROBOTS + text, "text/plain"), "/private": FILLER}) as server:
        assert await outcome(server, "/private") == "robots"


async def test_a_robots_file_is_asked_for_once_by_all_who_wait_for_it() -> None:
    pages = {"/robots.txt": Served(ROBOTS, "text/plain"), **{f"/{n}": FILLER for n in range(12)}}
    async with PageServer(pages, latency=0.01) as server:
        fetcher = fetcher_of(server)
        await asyncio.gather(*(fetcher.fetch(server.url(f"/{n}"), Budget()) for n in range(12)))
        assert server.paths.count("/robots.txt") == 1
        await fetcher.aclose()


async def test_a_robots_file_is_asked_for_again_after_its_time() -> None:
    async with PageServer({"/a": FILLER}) as server:
        fetcher = fetcher_of(server, limits=FetchLimits(robots_seconds=0.0))
        for _ in range(2):
            await fetcher.fetch(server.url("/a"), Budget())
        assert server.paths == ["/robots.txt", "/a"] * 2
        await fetcher.aclose()


async def test_a_site_is_left_alone_for_its_crawl_delay() -> None:
    robots = Served(b"User-agent: pdgf\nCrawl-delay: 0.2\n", "text/plain")
    async with PageServer({"/robots.txt": robots, "/a": FILLER}) as server:
        fetcher = fetcher_of(server)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await asyncio.gather(*(fetcher.fetch(server.url("/a"), Budget()) for _ in range(3)))
        assert loop.time() - begun >= 2 * 0.2  # never less, however busy the machine
        await fetcher.aclose()


async def test_a_pause_that_the_turn_has_no_time_for_is_not_begun() -> None:
    robots = Served(b"User-agent: *\nCrawl-delay: 30\n", "text/plain")
    async with PageServer({"/robots.txt": robots, "/a": FILLER}) as server:
        fetcher = fetcher_of(server)
        await fetcher.fetch(server.url("/a"), Budget())
        with pytest.raises(PageUnusable, match="timeout"):
            await fetcher.fetch(server.url("/a"), Budget(seconds=2.0))
        assert server.paths.count("/a") == 1
        await fetcher.aclose()


async def test_at_most_sixteen_pages_are_read_at_once_and_two_of_a_host() -> None:
    async with PageServer({"/a": FILLER}, latency=0.05) as server:
        fetcher = fetcher_of(server, limits=FetchLimits(page_seconds=5.0))
        urls = [f"http://host{n % 12}.example:{server.port}/a" for n in range(96)]
        pages = await asyncio.gather(*(fetcher.fetch(url, Budget()) for url in urls))
        assert [page.url for page in pages] == urls
        assert 2 < server.most_at_once[""] <= 16
        assert max(server.most_at_once[f"host{n}.example"] for n in range(12)) <= 2
        await fetcher.aclose()


async def test_waiting_for_a_place_is_not_counted_against_a_page() -> None:
    async with PageServer({"/a": FILLER}, latency=0.3) as server:
        fetcher = fetcher_of(server, limits=FetchLimits(page_seconds=1.2, per_host=1), obey_robots=False)
        pages = await asyncio.gather(*(fetcher.fetch(server.url("/a"), Budget()) for _ in range(5)))
        assert len(pages) == 5  # the last one was through after 1.5 s at least
        await fetcher.aclose()


async def test_a_slow_host_holds_up_no_other() -> None:
    async with PageServer({"/hang": Fault.HANG, "/a": FILLER}) as server:
        fetcher = fetcher_of(server, limits=FetchLimits(page_seconds=60.0))
        slow = [asyncio.create_task(fetcher.fetch(server.url("/hang"), Budget())) for _ in range(40)]
        await asyncio.sleep(0.1)
        async with asyncio.timeout(20.0):
            await fetcher.fetch(f"http://host1.example:{server.port}/a", Budget())
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        await fetcher.aclose()
