"""What every Search promises, asked of the fake, of the adapters and of several together."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest

from pdgf.errors import BudgetSpent, SearchFailed
from pdgf.ports import Search
from pdgf.sources.search.duckduckgo import DuckDuckGo
from pdgf.sources.search.fallback import FallbackSearch
from pdgf.sources.search.remembered import RememberedSearch
from pdgf.usage import Budget
from tests.pdgf.sources.search.ddgs_package import RatelimitException, install
from tests.pdgf.sources.search.listed import ListedProvider, ListedSearch, always
from tests.pdgf.sources.search.servers import DRY, QUIET, TOWN, searxng, serper
from tests.web.search_server import Fault, SearchServer

LISTED = {"quiet towns": QUIET, "dry humour": DRY}
KINDS = ("fake", "serper", "searxng", "ddgs", "fallback", "remembered", "remembering")


def of_package(query: str) -> Sequence[dict[str, str]]:
    return [{"href": link["link"], "title": link["title"], "body": link["snippet"]} for link in TOWN.get(query, ())]


def refusing(query: str) -> Any:
    raise RatelimitException("slow down")


async def opened(kind: str, stack: AsyncExitStack, patch: pytest.MonkeyPatch, *, works: bool) -> Search:
    """A search of that kind which knows TOWN, or which never answers."""
    if kind == "fake":
        return ListedSearch(LISTED, why="" if works else "busy")
    if kind.startswith("remember"):
        remembered = RememberedSearch(ListedSearch(LISTED, why="" if works else "busy"))
        if works and kind == "remembering":  # some of what will be asked for is known already
            await remembered.search(["quiet towns", "nowhere"], language="zh", budget=Budget())
        return remembered
    if kind == "ddgs":
        install(patch, of_package if works else refusing)
        adapter = DuckDuckGo(pause=0.0)
        stack.push_async_callback(adapter.aclose)
        return adapter
    if kind == "fallback":
        broken = ListedProvider(fault=always("busy"))
        return FallbackSearch([broken, ListedProvider(LISTED, name="other") if works else broken])
    server = await stack.enter_async_context(SearchServer(TOWN, faults=None if works else Fault.TOO_MANY_LONG))
    return await stack.enter_async_context(serper(server) if kind == "serper" else searxng(server))


@pytest.fixture(params=KINDS)
async def search(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Search]:
    async with AsyncExitStack() as stack:
        yield await opened(request.param, stack, monkeypatch, works=True)


@pytest.fixture(params=KINDS)
async def silent(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Search]:
    async with AsyncExitStack() as stack:
        yield await opened(request.param, stack, monkeypatch, works=False)


async def test_there_is_one_result_for_each_query_in_their_order(search: Search) -> None:
    queries = ["dry humour", "nowhere", "quiet towns", "dry humour"]
    found = await search.search(queries, language="en", budget=Budget())
    assert [result.query for result in found] == queries
    assert [[hit.url for hit in result.hits] for result in found] == [DRY, [], QUIET, DRY]


async def test_hits_are_ranked_from_one(search: Search) -> None:
    [found] = await search.search(["quiet towns"], language="zh", budget=Budget())
    assert [hit.rank for hit in found.hits] == [1, 2, 3]
    assert all(hit.title for hit in found.hits)


async def test_a_result_says_who_answered_also_when_nothing_was_found(search: Search) -> None:
    found = await search.search(["quiet towns", "nowhere"], language="en", budget=Budget())
    assert found[0].provider == found[1].provider != ""


async def test_a_search_has_a_name(search: Search) -> None:
    assert search.name


async def test_each_query_is_counted_once_and_an_empty_one_never(search: Search) -> None:
    budget = Budget()
    found = await search.search(["quiet towns", "", "dry humour", "quiet towns", " "], language="en", budget=budget)
    assert budget.usage().searches == 2
    assert [len(result.hits) for result in found] == [3, 0, 2, 3, 0]


async def test_no_queries_find_nothing_and_cost_nothing(search: Search) -> None:
    budget = Budget()
    assert await search.search([], language="en", budget=budget) == []
    assert budget.usage().searches == 0


async def test_after_the_deadline_the_budget_is_spent(search: Search) -> None:
    times = iter([0.0])
    clock: Callable[[], float] = lambda: next(times, 100.0)  # noqa: E731 (typed for strictness)
    with pytest.raises(BudgetSpent):
        await search.search(["quiet towns"], language="en", budget=Budget(seconds=50.0, clock=clock))


async def test_a_search_that_nobody_answers_fails_with_its_reason(silent: Search) -> None:
    with pytest.raises(SearchFailed) as raised:
        await silent.search(["quiet towns", "dry humour"], language="en", budget=Budget())
    assert raised.value.why == "busy"
    assert raised.value.provider


async def test_a_search_that_nobody_answers_still_has_nothing_to_say_to_no_query(silent: Search) -> None:
    found = await silent.search(["", " "], language="en", budget=Budget())
    assert [result.hits for result in found] == [(), ()]
