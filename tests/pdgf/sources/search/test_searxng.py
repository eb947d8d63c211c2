"""SearXNG's requests and answers, against a server on loopback."""

import asyncio

import pytest

from pdgf.errors import ConfigInvalid, SearchFailed
from pdgf.ports import Found
from pdgf.sources.search.searxng import SearXNG
from pdgf.usage import Budget
from tests.pdgf.sources.search.servers import DRY, QUIET, TOWN, hit, searxng
from tests.web.search_server import Fault, SearchServer, from_call


def urls(found: list[Found]) -> list[list[str]]:
    return [[result.url for result in one.hits] for one in found]


async def test_a_query_is_sent_with_its_language_for_the_first_page_in_json() -> None:
    async with SearchServer(TOWN) as server, searxng(server) as adapter:
        [found] = await adapter.search(["quiet towns"], language="zh-CN", budget=Budget())
    [request] = server.requests
    assert (request.method, request.path) == ("GET", "/search")
    assert request.searches == ({"q": "quiet towns", "format": "json", "language": "zh", "pageno": "1"},)
    assert (urls([found]), found.provider) == ([QUIET], "searxng")
    assert found.hits[0].snippet == "It is about quiet."


async def test_each_query_is_a_request_of_its_own_two_at_a_time() -> None:
    queries = [f"query {number}" for number in range(7)]
    answers = {query: [hit(query.replace(" ", "-"))] for query in queries}
    async with SearchServer(answers, latency=0.03) as server, searxng(server) as adapter:
        found = await adapter.search(queries, language="en", budget=Budget())
    assert sorted(server.queries) == queries
    assert urls(found) == [[f"http://query-{number}.example/page"] for number in range(7)]
    assert server.most_at_once == 2


async def test_searches_of_different_turns_together_keep_to_two_at_a_time() -> None:
    async with SearchServer(TOWN, latency=0.03) as server, searxng(server) as adapter:
        await asyncio.gather(*(adapter.search([*TOWN], language="en", budget=Budget()) for _ in range(3)))
    assert (len(server.requests), server.most_at_once) == (6, 2)


async def test_a_query_in_any_script_arrives_as_it_is() -> None:
    query = '温柔的动画 "乡村 生活" & 100% + a=b #c'
    async with SearchServer(TOWN) as server, searxng(server) as adapter:
        await adapter.search([query], language="zh", budget=Budget())
    assert server.queries == [query]


async def test_words_that_would_steer_the_server_lose_their_mark() -> None:
    async with SearchServer(TOWN) as server, searxng(server) as adapter:
        await adapter.search(["!!g wow! :fr <90 ?x a<b 3:2 -site:a.example"], language="en", budget=Budget())
    assert server.queries == ["g wow! fr 90 x a<b 3:2 -site:a.example"]


async def test_403_says_that_json_is_to_be_allowed_and_nothing_more_is_sent() -> None:
    async with SearchServer(TOWN, faults=Fault.BLOCKED) as server:
        adapter = SearXNG(server.url, at_once=1, pause=0.0)
        with pytest.raises(SearchFailed) as raised:
            await adapter.search([*TOWN], language="en", budget=Budget())
        await adapter.aclose()
    assert (raised.value.why, len(server.requests)) == ("refused", 1)
    assert "search.formats" in raised.value.detail


async def test_a_page_in_place_of_json_is_no_api() -> None:
    async with SearchServer(TOWN, faults=Fault.HTML) as server, searxng(server) as adapter:
        with pytest.raises(SearchFailed) as raised:
            await adapter.search(["quiet towns"], language="en", budget=Budget())
    assert (raised.value.provider, raised.value.why) == ("searxng", "no_api")


async def test_nothing_found_by_engines_that_do_not_answer_is_a_failure() -> None:
    async with SearchServer(TOWN, faults={1: Fault.SILENT_ENGINES}) as server:
        adapter = SearXNG(server.url, at_once=1, pause=0.0)
        found = await adapter.search(["quiet towns", "dry humour"], language="en", budget=Budget())
        server.faults = Fault.SILENT_ENGINES
        with pytest.raises(SearchFailed) as raised:
            await adapter.search(["quiet towns"], language="en", budget=Budget())
        await adapter.aclose()
    assert (urls(found), [one.provider for one in found]) == ([QUIET, []], ["searxng", ""])
    assert (raised.value.why, raised.value.detail) == ("busy", "no answer from brave (too many requests)")


async def test_from_the_first_refusal_on_nothing_is_sent_and_what_was_found_is_kept() -> None:
    """C11: 429 from some call on."""
    queries = [f"query {number}" for number in range(9)]
    answers = {query: [hit("quiet")] for query in queries}
    async with SearchServer(answers, faults=from_call(4, Fault.TOO_MANY_LONG)) as server:
        adapter = SearXNG(server.url, at_once=1, pause=0.0)
        found = await adapter.search(queries, language="en", budget=Budget())
        await adapter.aclose()
    assert [bool(result.hits) for result in found] == [True] * 4 + [False] * 5
    assert len(server.requests) == 5


async def test_a_login_in_the_address_is_sent_and_never_shown() -> None:
    async with SearchServer(TOWN, faults={1: Fault.ECHO, 2: Fault.ECHO, 3: Fault.ECHO}) as server:
        adapter = SearXNG(server.url.replace("//", "//canary-user:canary-word@") + "?token=canary-token", pause=0.0)
        await adapter.search(["quiet towns"], language="en", budget=Budget())
        with pytest.raises(SearchFailed) as raised:
            await adapter.search(["dry humour"], language="en", budget=Budget(seconds=0.4))
        await adapter.aclose()
    request = server.requests[0]
    assert request.headers["authorization"].startswith("Basic ")
    assert request.searches[0]["token"] == "canary-token"  # noqa: S105
    assert "canary" not in repr(adapter)
    assert "canary" not in str(raised.value)


async def test_long_queries_are_cut_to_what_is_taken() -> None:
    async with SearchServer(TOWN) as server, searxng(server) as adapter:
        await adapter.search(["dry " * 300], language="en", budget=Budget())
    assert server.queries == [("dry " * 250).strip()]


async def test_the_hits_of_two_queries_are_their_own() -> None:
    async with SearchServer(TOWN) as server, searxng(server) as adapter:
        found = await adapter.search(["dry humour", "quiet towns"], language="en", budget=Budget())
    assert urls(found) == [DRY, QUIET]


def test_an_address_that_is_none_is_told_by_the_name_of_its_setting() -> None:
    with pytest.raises(ConfigInvalid, match="SEARXNG_URL"):
        SearXNG("ftp://canary:word@search.example")
