"""Serper's requests and answers (METHOD 13.1), against a server on loopback."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from pydantic import SecretStr

from pdgf.errors import ConfigInvalid, SearchFailed
from pdgf.ports import Found
from pdgf.sources.search.serper import Serper
from pdgf.usage import Budget
from tests.pdgf.sources.search.servers import DRY, KEY, QUIET, TOWN, hit, serper
from tests.web.search_server import Fault, SearchServer, from_call


def urls(found: Sequence[Found]) -> list[list[str]]:
    return [[result.url for result in one.hits] for one in found]


async def test_a_query_is_sent_with_its_key_its_place_and_ten_results_uncorrected() -> None:
    async with SearchServer(TOWN, key=KEY) as server, serper(server) as adapter:
        found = await adapter.search(["quiet towns"], language="en", budget=Budget())
    [request] = server.requests
    assert (request.method, request.path) == ("POST", "/search")
    assert request.headers["x-api-key"] == KEY
    assert request.headers["content-type"] == "application/json"
    assert request.searches == ({"q": "quiet towns", "gl": "us", "hl": "en", "num": 10, "autocorrect": False},)
    assert urls(found) == [QUIET]


async def test_several_queries_share_one_request_and_their_answers_keep_the_order() -> None:
    async with SearchServer(TOWN) as server, serper(server) as adapter:
        found = await adapter.search(["dry humour", "nowhere", "quiet towns"], language="en", budget=Budget())
    assert [request.queries for request in server.requests] == [["dry humour", "nowhere", "quiet towns"]]
    assert urls(found) == [DRY, [], QUIET]
    assert [result.query for result in found] == ["dry humour", "nowhere", "quiet towns"]
    assert {result.provider for result in found} == {"serper"}


@pytest.mark.parametrize(
    ("language", "place"),
    [
        ("en", ("us", "en")),
        ("zh", ("cn", "zh-cn")),
        ("zh-TW", ("cn", "zh-cn")),
        ("de", ("us", "de")),
        ("?", ("us", "en")),
    ],
)
async def test_a_language_is_searched_in_its_place(language: str, place: tuple[str, str]) -> None:
    async with SearchServer(TOWN) as server, serper(server) as adapter:
        await adapter.search(["quiet towns"], language=language, budget=Budget())
    [search] = server.requests[0].searches
    assert (search["gl"], search["hl"]) == place


async def test_the_places_can_be_set() -> None:
    places: Mapping[str, tuple[str, str]] = {"zh": ("tw", "zh-tw"), "en": ("gb", "en")}
    async with SearchServer(TOWN) as server:
        adapter = Serper(SecretStr(KEY), base_url=server.url, places=places)
        for language in ("zh", "en", "fr"):
            await adapter.search(["quiet towns"], language=language, budget=Budget())
        await adapter.aclose()
    assert [(request.searches[0]["gl"], request.searches[0]["hl"]) for request in server.requests] == [
        ("tw", "zh-tw"),
        ("gb", "en"),
        ("us", "fr"),
    ]


async def test_more_queries_than_a_request_takes_go_in_several() -> None:
    queries = [f"query {number}" for number in range(250)]
    async with SearchServer(lambda query: [hit(query.replace(" ", "-"))]) as server, serper(server) as adapter:
        found = await adapter.search(queries, language="en", budget=Budget())
    assert [len(request.queries) for request in server.requests] == [100, 100, 50]
    assert urls(found) == [[f"http://query-{number}.example/page"] for number in range(250)]


async def test_a_query_that_spoils_a_batch_costs_only_itself() -> None:
    async with SearchServer(TOWN, barred=["bad one"]) as server, serper(server) as adapter:
        found = await adapter.search(["quiet towns", "bad one", "dry humour"], language="en", budget=Budget())
    assert urls(found) == [QUIET, [], DRY]
    assert [result.provider for result in found] == ["serper", "", "serper"]
    assert sorted(len(request.queries) for request in server.requests) == [1, 1, 1, 3]


async def test_a_batch_with_an_answer_too_few_is_refused() -> None:
    async with SearchServer(TOWN, faults=Fault.WRONG_LENGTH) as server, serper(server) as adapter:
        with pytest.raises(SearchFailed) as raised:
            await adapter.search(["quiet towns", "dry humour"], language="en", budget=Budget())
    assert (raised.value.provider, raised.value.why) == ("serper", "no_api")


async def test_one_query_may_be_answered_by_an_object_or_by_a_list_of_one() -> None:
    async with SearchServer(TOWN, faults={1: Fault.LIST}) as server, serper(server) as adapter:
        one = await adapter.search(["quiet towns"], language="en", budget=Budget())
        other = await adapter.search(["quiet towns"], language="en", budget=Budget())
    assert urls(one) == urls(other) == [QUIET]


async def test_an_answer_that_is_none_costs_its_own_query_only() -> None:
    async with SearchServer(TOWN, faults=Fault.ODD_ANSWER) as server, serper(server) as adapter:
        found = await adapter.search(["quiet towns", "dry humour"], language="en", budget=Budget())
    assert urls(found) == [[], DRY]
    assert [result.provider for result in found] == ["", "serper"]


async def test_a_failure_that_passes_is_not_seen() -> None:
    passing = {0: Fault.SERVER_ERROR, 1: Fault.TOO_MANY_SOON}
    async with SearchServer(TOWN, faults=passing) as server, serper(server) as adapter:
        found = await adapter.search(["quiet towns"], language="en", budget=Budget())
    assert urls(found) == [QUIET]
    assert len(server.requests) == 3


async def test_what_came_before_a_failure_is_kept() -> None:
    """C11: partial results survive."""
    queries = [f"query {number}" for number in range(150)]
    answers = {query: [hit("quiet")] for query in queries}
    async with SearchServer(answers, faults=from_call(1, Fault.TOO_MANY)) as server, serper(server) as adapter:
        found = await adapter.search(queries, language="en", budget=Budget())
    assert [bool(result.hits) for result in found] == [True] * 100 + [False] * 50


async def test_long_queries_are_cut_to_what_is_taken() -> None:
    async with SearchServer(TOWN) as server, serper(server) as adapter:
        found = await adapter.search(["banter " * 400], language="en", budget=Budget())
    assert server.queries == [("banter " * 292).strip()]
    assert 292 * 7 <= 2_048 < 293 * 7
    assert found[0].query == "banter " * 400


async def test_queries_that_are_equal_once_cut_are_sent_once() -> None:
    long = "banter " * 400
    async with SearchServer(lambda query: [hit("wit")]) as server, serper(server) as adapter:
        found = await adapter.search([long + "a", long + "b"], language="en", budget=Budget())
    assert len(server.queries) == 1
    assert urls(found) == [["http://wit.example/page"]] * 2


async def test_a_server_that_hangs_costs_no_more_than_the_time_left() -> None:
    async with SearchServer(TOWN, faults=Fault.HANG) as server, serper(server) as adapter:
        with pytest.raises(SearchFailed) as raised:
            await adapter.search(["quiet towns"], language="en", budget=Budget(seconds=0.3))
    assert (raised.value.why, len(server.requests)) == ("timeout", 1)


async def test_a_search_that_is_given_up_sends_nothing_more_and_the_next_one_works() -> None:
    async with SearchServer(TOWN, faults={0: Fault.HANG}) as server, serper(server) as adapter:
        given_up = asyncio.create_task(adapter.search(["dry humour"], language="en", budget=Budget()))
        await server.until(lambda: len(server.requests) == 1)
        given_up.cancel()
        with pytest.raises(asyncio.CancelledError):
            await given_up
        found = await adapter.search(["quiet towns"], language="en", budget=Budget())
    assert urls(found) == [QUIET]
    assert server.queries == ["dry humour", "quiet towns"]


async def test_many_searches_at_once_come_as_five_requests_at_a_time() -> None:
    async with SearchServer(TOWN, latency=0.03) as server, serper(server) as adapter:
        one = [adapter.search(["quiet towns"], language="en", budget=Budget()) for _ in range(12)]
        assert [urls(found) for found in await asyncio.gather(*one)] == [[QUIET]] * 12
    assert server.most_at_once == 5


def test_one_adapter_serves_several_event_loops_one_after_another() -> None:
    async def once(adapter: Serper) -> list[list[str]]:
        found = await adapter.search(["quiet towns"], language="en", budget=Budget())
        await adapter.aclose()
        return urls(found)

    with SearchServer(TOWN) as server:
        adapter = Serper(SecretStr(KEY), base_url=server.url)
        assert [asyncio.run(once(adapter)) for _ in range(2)] == [[QUIET]] * 2


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with SearchServer(TOWN) as server, serper(server) as adapter:
        assert urls(await adapter.search(["quiet towns"], language="en", budget=Budget())) == [QUIET]


async def test_the_pasted_endpoint_is_an_address_too() -> None:
    async with SearchServer(TOWN) as server:
        adapter = Serper(SecretStr(KEY), base_url=f"{server.url}/search/")
        assert urls(await adapter.search(["quiet towns"], language="en", budget=Budget())) == [QUIET]
        await adapter.aclose()


@pytest.mark.parametrize("address", ["", "ftp://search.example", "http://", "http://a:b:c", "http://x:99999999"])
def test_an_address_that_is_none_is_told_by_the_name_of_its_setting(address: str) -> None:
    with pytest.raises(ConfigInvalid, match="SERPER_BASE_URL") as raised:
        Serper(SecretStr(KEY), base_url=address)
    assert KEY not in str(raised.value)


def test_a_key_that_no_request_can_carry_is_refused_without_showing_it() -> None:
    with pytest.raises(ConfigInvalid, match="SERPER_API_KEY") as raised:
        Serper(SecretStr("canary-\n-key"))
    assert "canary" not in str(raised.value)


def test_the_adapter_does_not_show_its_key() -> None:
    assert repr(Serper(SecretStr(KEY))) == "Serper('google.serper.dev')"
