"""The search without a key, over a package ddgs whose class is a stub."""

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest

from pdgf.errors import SearchFailed
from pdgf.sources.search.duckduckgo import EMPTY_IN_A_ROW, DuckDuckGo
from pdgf.usage import Budget
from tests.pdgf.sources.search.ddgs_package import (
    DDGSException,
    RatelimitException,
    TimeoutException,
    install,
    uninstall,
)

RESULTS = [
    {"title": "A quiet town", "href": "http://quiet.example/page", "body": "It is quiet."},
    {"title": "A village", "href": "http://village.example/page", "body": "It is small."},
]
NOTHING = DDGSException("No results found.")


@pytest.fixture
async def adapter() -> AsyncIterator[DuckDuckGo]:
    adapter = DuckDuckGo(pause=0.0)
    yield adapter
    await adapter.aclose()


def raising(error: BaseException) -> Any:
    def answer(query: str) -> Any:
        raise error

    return answer


async def test_results_become_hits(adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = install(monkeypatch, lambda query: RESULTS)
    [found] = await adapter.search(["quiet towns"], language="en", budget=Budget())
    assert [(hit.url, hit.title, hit.snippet, hit.rank) for hit in found.hits] == [
        ("http://quiet.example/page", "A quiet town", "It is quiet.", 1),
        ("http://village.example/page", "A village", "It is small.", 2),
    ]
    assert found.provider == "ddgs"
    [call] = calls
    assert (call["query"], call["region"], call["max_results"]) == ("quiet towns", "us-en", 10)


@pytest.mark.parametrize(("language", "region"), [("en", "us-en"), ("zh", "cn-zh"), ("de", "us-de")])
async def test_a_language_is_searched_in_its_region(
    language: str, region: str, adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = install(monkeypatch, lambda query: RESULTS)
    await adapter.search(["quiet towns"], language=language, budget=Budget())
    assert [call["region"] for call in calls] == [region]


async def test_encyclopedias_are_not_among_the_engines(adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = install(monkeypatch, lambda query: RESULTS)
    await adapter.search(["quiet towns"], language="en", budget=Budget())
    assert "duckduckgo" in calls[0]["backend"].split(",")
    assert {"wikipedia", "grokipedia", "auto"}.isdisjoint(calls[0]["backend"].split(","))


async def test_without_the_package_it_says_so(adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch) -> None:
    uninstall(monkeypatch)
    with pytest.raises(SearchFailed) as raised:
        await adapter.search(["quiet towns"], language="en", budget=Budget())
    assert (raised.value.provider, raised.value.why) == ("ddgs", "not_installed")


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (TimeoutException("operation timed out"), "timeout"),
        (RatelimitException("slow down"), "busy"),
        (DDGSException("202 Ratelimit"), "busy"),
        (DDGSException("status 429"), "busy"),
        (DDGSException("ConnectError: dns error"), "unreachable"),
        (ConnectionResetError("reset"), "unreachable"),
        (AttributeError("'NoneType' object has no attribute 'text'"), "unreachable"),
        (KeyError("href"), "unreachable"),
        (ValueError("not enough values to unpack"), "unreachable"),
    ],
)
async def test_an_error_of_the_package_comes_to_its_reason(
    error: Exception, why: str, adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = install(monkeypatch, raising(error))
    with pytest.raises(SearchFailed) as raised:
        await adapter.search(["quiet towns", "dry humour"], language="en", budget=Budget())
    assert (raised.value.why, calls.queries) == (why, ["quiet towns"])


@pytest.mark.parametrize("odd", ["no list", 7, {"results": []}])
async def test_an_odd_answer_is_no_api(odd: Any, adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, lambda query: odd)
    with pytest.raises(SearchFailed) as raised:
        await adapter.search(["quiet towns"], language="en", budget=Budget())
    assert raised.value.why == "no_api"


async def test_bad_hits_are_skipped(adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, lambda query: [{"title": "no link"}, None, {"href": 7}, *RESULTS])
    [found] = await adapter.search(["quiet towns"], language="en", budget=Budget())
    assert [hit.url for hit in found.hits] == [result["href"] for result in RESULTS]


async def test_nothing_found_is_an_answer(adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, raising(NOTHING))
    [found] = await adapter.search(["quiet towns"], language="en", budget=Budget())
    assert (found.hits, found.provider) == ((), "ddgs")


async def test_nothing_found_again_and_again_from_the_beginning_is_a_refusal(
    adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = install(monkeypatch, raising(NOTHING))
    with pytest.raises(SearchFailed) as raised:
        await adapter.search([f"query {number}" for number in range(9)], language="en", budget=Budget())
    assert (raised.value.why, len(calls)) == ("busy", EMPTY_IN_A_ROW)


async def test_nothing_found_for_many_is_an_answer_where_others_found_something(
    adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = install(monkeypatch, lambda query: RESULTS if query == "query 1" else [])
    found = await adapter.search([f"query {number}" for number in range(6)], language="en", budget=Budget())
    assert [len(result.hits) for result in found] == [0, 2, 0, 0, 0, 0]
    assert {result.provider for result in found} == {"ddgs"}
    assert len(calls) == 6


async def test_what_came_before_a_failure_is_kept(adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch) -> None:
    """C11: partial results survive."""

    def answer(query: str) -> Any:
        if query == "query 2":
            raise RatelimitException("slow down")
        return RESULTS

    calls = install(monkeypatch, answer)
    found = await adapter.search([f"query {number}" for number in range(5)], language="en", budget=Budget())
    assert [len(result.hits) for result in found] == [2, 2, 0, 0, 0]
    assert [result.provider for result in found] == ["ddgs", "ddgs", "", "", ""]
    assert len(calls) == 3


async def test_one_query_is_asked_at_a_time_and_not_in_the_thread_of_the_event_loop(
    adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, most, threads = 0, 0, set[str]()
    lock = threading.Lock()

    def answer(query: str) -> Any:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
            threads.add(threading.current_thread().name)
        threading.Event().wait(0.005)
        with lock:
            inside -= 1
        return RESULTS

    calls = install(monkeypatch, answer)
    turns = [adapter.search([f"{turn} a", f"{turn} b"], language="en", budget=Budget()) for turn in range(4)]
    await asyncio.gather(*turns)
    assert (most, len(calls), len(threads)) == (1, 8, 1)
    assert threading.current_thread().name not in threads


async def test_between_two_queries_there_is_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, lambda query: RESULTS)
    adapter = DuckDuckGo(pause=60.0)
    found = await adapter.search(["quiet towns", "dry humour"], language="en", budget=Budget(seconds=20.0))
    await adapter.aclose()
    assert [result.provider for result in found] == ["ddgs", ""]


async def test_a_query_without_end_costs_no_more_than_the_time_left(
    adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = threading.Event()
    calls = install(monkeypatch, lambda query: ended.wait(20.0))
    try:
        with pytest.raises(SearchFailed) as raised:
            await adapter.search(["quiet towns", "dry humour"], language="en", budget=Budget(seconds=0.3))
    finally:
        ended.set()
    assert (raised.value.why, calls.queries) == ("timeout", ["quiet towns"])


async def test_a_search_that_is_given_up_asks_nothing_more(
    adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def answer(query: str) -> Any:
        loop.call_soon_threadsafe(begun.set)
        ended.wait(20.0)
        return RESULTS

    calls = install(monkeypatch, answer)
    given_up = asyncio.create_task(adapter.search(["a", "b", "c"], language="en", budget=Budget()))
    await begun.wait()
    given_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    ended.set()
    [found] = await adapter.search(["d"], language="en", budget=Budget())
    assert (len(found.hits), calls.queries) == (2, ["a", "d"])


async def test_long_queries_are_cut_to_what_is_taken(adapter: DuckDuckGo, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = install(monkeypatch, lambda query: RESULTS)
    await adapter.search(["dry " * 300], language="en", budget=Budget())
    assert calls.queries == [("dry " * 100).strip()]
