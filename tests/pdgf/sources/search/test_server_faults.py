"""Every fault of a search server and what it comes to (RELIABILITY 4.2), alone and in the middle of a search."""

import logging
import traceback
from typing import Any

import pytest

from pdgf.errors import SearchFailed
from pdgf.sources.search.pacing import Tries
from pdgf.sources.search.searxng import SearXNG
from pdgf.sources.search.serper import Serper
from pdgf.usage import Budget
from tests.pdgf.sources.search.servers import KEY, QUIET, TOWN, searxng, serper
from tests.web.search_server import LONG, Fault, SearchServer

TRIES = Tries(retries=1, first_wait=0.01)
BOTH = ("serper", "searxng")
GOOD = (QUIET, 1)

# For Serper and SearXNG: the addresses found or the reason of the failure, and after how many requests.
Outcome = tuple[list[str] | str, int]
OUTCOMES: dict[Fault, tuple[Outcome, Outcome]] = {
    Fault.REFUSED: (("unreachable", 1), ("unreachable", 1)),  # the second one finds nobody
    Fault.HANG: (("timeout", 1), ("timeout", 1)),
    Fault.RESET: (("unreachable", 2), ("unreachable", 2)),
    Fault.CUT: (("unreachable", 2), ("unreachable", 2)),
    Fault.DRIP: (("timeout", 1), ("timeout", 1)),
    Fault.FORBIDDEN: (("key", 1), ("refused", 1)),
    Fault.BLOCKED: (("refused", 1), ("refused", 1)),
    Fault.NO_KEY: (("key", 1), ("key", 1)),
    Fault.NO_CREDIT: (("credit", 1), ("credit", 1)),
    Fault.PAYMENT: (("credit", 1), ("credit", 1)),
    Fault.BAD_REQUEST: (("refused", 1), ("refused", 1)),
    Fault.NOT_FOUND: (("no_api", 1), ("no_api", 1)),
    Fault.REDIRECT: (("no_api", 1), ("no_api", 1)),
    Fault.TOO_MANY: (("busy", 2), ("busy", 2)),
    Fault.TOO_MANY_SOON: (("busy", 2), ("busy", 2)),
    Fault.TOO_MANY_LONG: (("busy", 1), ("busy", 1)),
    Fault.SPENT: (("credit", 1), ("credit", 1)),
    Fault.SERVER_ERROR: (("unreachable", 2), ("unreachable", 2)),
    Fault.UNAVAILABLE: (("busy", 2), ("busy", 2)),
    Fault.ECHO: (("unreachable", 2), ("unreachable", 2)),
    Fault.HTML: (("no_api", 1), ("no_api", 1)),
    Fault.NOT_JSON: (("no_api", 1), ("no_api", 1)),
    Fault.DEEP: (("no_api", 1), ("no_api", 1)),
    Fault.FLOOD: (("no_api", 1), ("no_api", 1)),
    Fault.TEXT: (("no_api", 1), ("no_api", 1)),
    Fault.ERROR_IN_200: (("key", 1), ([], 1)),
    Fault.WRONG_LENGTH: (("no_api", 1), GOOD),
    Fault.LIST: (GOOD, GOOD),
    Fault.ODD_ANSWER: (("no_api", 1), GOOD),
    Fault.NO_LIST: (([], 1), ([], 1)),
    Fault.NULL_LIST: (([], 1), ([], 1)),
    Fault.WRONG_LIST: (("no_api", 1), ("no_api", 1)),
    Fault.NO_LINK: ((QUIET[1:], 1), (QUIET[1:], 1)),
    Fault.NUMBER_LINK: ((QUIET[1:], 1), (QUIET[1:], 1)),
    Fault.EMPTY_LINK: ((QUIET[1:], 1), (QUIET[1:], 1)),
    Fault.NO_HITS: (([], 1), ([], 1)),
    Fault.SAME_HITS: ((QUIET[:1], 1), (QUIET[:1], 1)),
    Fault.LONG_SNIPPET: (GOOD, GOOD),
    Fault.SILENT_ENGINES: (([], 1), ("busy", 1)),
}
CELLS = [(name, fault) for fault in Fault for name in BOTH]


def seconds(fault: Fault) -> float:
    return 0.4 if fault in (Fault.HANG, Fault.DRIP) else LONG


def test_every_fault_has_a_stated_outcome() -> None:
    assert set(OUTCOMES) == set(Fault)


async def outcome_of(adapter: Serper | SearXNG, budget: Budget) -> list[str] | str:
    try:
        [found] = await adapter.search(["quiet towns"], language="en", budget=budget)
    except SearchFailed as caught:
        error = caught
    else:
        assert all(len(hit.snippet) <= 500 for hit in found.hits)
        return [hit.url for hit in found.hits]
    assert error.provider == adapter.name
    assert KEY not in "".join(traceback.format_exception(error)) + repr(vars(error))
    return error.why


@pytest.mark.parametrize(("name", "fault"), CELLS)
async def test_a_fault_comes_to_its_outcome_and_the_next_search_works(
    name: str, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    expected, requests = OUTCOMES[fault][BOTH.index(name)]
    connected = serper if name == "serper" else searxng
    async with SearchServer(TOWN, faults=fault) as server, connected(server, tries=TRIES) as adapter:
        assert await outcome_of(adapter, Budget(seconds=seconds(fault))) == expected
        assert len(server.requests) == requests
        server.faults = None
        server.up()
        assert await outcome_of(adapter, Budget()) == QUIET
    assert KEY not in caplog.text
    assert "quiet towns" not in caplog.text


@pytest.mark.parametrize(("connected", "module"), [(serper, "serper"), (searxng, "searxng")])
async def test_one_request_never_takes_longer_than_its_own_limit(
    connected: Any, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"pdgf.sources.search.{module}.CALL_SECONDS", 0.3)
    async with SearchServer(TOWN, faults=Fault.HANG) as server, connected(server) as adapter:
        assert await outcome_of(adapter, Budget(seconds=3_600.0)) == "timeout"
        assert len(server.requests) == 1


@pytest.mark.parametrize("fault", list(Fault))
async def test_a_fault_at_the_third_of_five_queries_costs_nothing_that_was_found(fault: Fault) -> None:
    """C11, at a server that is asked one query after another."""
    queries = [f"query {number}" for number in range(5)]
    async with SearchServer(dict.fromkeys(queries, TOWN["quiet towns"]), faults={2: fault}) as server:
        adapter = SearXNG(server.url, at_once=1, pause=0.0, tries=Tries(retries=0))
        found = await adapter.search(queries, language="en", budget=Budget(seconds=seconds(fault)))
        await adapter.aclose()
    assert [result.query for result in found] == queries
    assert [[hit.url for hit in result.hits] for result in found[:2]] == [QUIET, QUIET]
    expected, _ = OUTCOMES[fault][1]
    assert [hit.url for hit in found[2].hits] == ([] if isinstance(expected, str) else expected)
    assert found[2].provider == ("" if isinstance(expected, str) else "searxng")
