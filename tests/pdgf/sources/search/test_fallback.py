"""Several providers as one search."""

import logging

import pytest

from pdgf.errors import BudgetSpent, SearchFailed
from pdgf.sources.search.asking import ProviderFailure
from pdgf.sources.search.fallback import FallbackSearch
from pdgf.sources.search.faults import SearchFault
from pdgf.usage import Budget
from tests.pdgf.sources.search.listed import ListedProvider, always, hits
from tests.pdgf.sources.search.servers import QUIET, TOWN, searxng, serper
from tests.web.search_server import Fault, SearchServer, from_call

ALL = {"a": ["http://a.example/"], "b": ["http://b.example/"], "c": ["http://c.example/"]}


def first(**changes: object) -> ListedProvider:
    return ListedProvider(name="first", **changes)  # type: ignore[arg-type]


def second(**changes: object) -> ListedProvider:
    return ListedProvider(name="second", **changes)  # type: ignore[arg-type]


def only(query: str, why: str) -> object:
    """A fault at that query and no other."""
    return lambda asked: SearchFault(why) if asked == query else None


async def test_the_first_provider_answers_and_the_others_are_not_asked() -> None:
    one, other = first(listed=ALL), second(listed=ALL)
    found = await FallbackSearch([one, other]).search(["b", "a"], language="en", budget=Budget())
    assert [(result.query, result.provider, result.hits) for result in found] == [
        ("b", "first", hits("http://b.example/")),
        ("a", "first", hits("http://a.example/")),
    ]
    assert other.asked == []


@pytest.mark.parametrize("why", ["key", "credit", "busy", "unreachable", "timeout", "refused", "no_api"])
async def test_what_one_does_not_answer_the_next_one_does(why: str) -> None:
    one, other = first(fault=always(why)), second(listed=ALL)
    found = await FallbackSearch([one, other]).search(["a", "b"], language="en", budget=Budget())
    assert [result.provider for result in found] == ["second", "second"]


async def test_what_was_answered_before_a_failure_is_kept_and_only_the_rest_is_asked_again() -> None:
    """C11: partial results survive."""
    one, other = first(listed=ALL, fault=only("b", "busy")), second(listed=ALL)
    found = await FallbackSearch([one, other]).search(["a", "b", "c"], language="en", budget=Budget())
    assert [(result.query, result.provider) for result in found] == [("a", "first"), ("b", "second"), ("c", "second")]
    assert other.asked == [["b", "c"]]


async def test_no_hits_are_an_answer_and_nobody_else_is_asked() -> None:
    one, other = first(), second(listed=ALL)
    [found] = await FallbackSearch([one, other]).search(["a"], language="en", budget=Budget())
    assert (found.provider, found.hits, other.asked) == ("first", (), [])


@pytest.mark.parametrize("why", ["key", "credit", "refused", "not_installed"])
async def test_a_provider_that_will_not_serve_us_is_left_out_from_then_on(why: str) -> None:
    one, other = first(fault=always(why, "says so")), second(listed=ALL)
    search = FallbackSearch([one, other])
    for _ in range(3):
        await search.search(["a"], language="en", budget=Budget())
    assert (len(one.asked), len(other.asked)) == (1, 3)
    assert search.left_out == (ProviderFailure(provider="first", why=why, detail="says so", queries=1, lasting=True),)


@pytest.mark.parametrize("why", ["busy", "unreachable", "timeout", "no_api"])
async def test_a_provider_that_may_serve_us_again_is_asked_in_the_next_search(why: str) -> None:
    one, other = first(fault=always(why)), second(listed=ALL)
    search = FallbackSearch([one, other])
    await search.search(["a"], language="en", budget=Budget())
    one.fault, one.listed = lambda query: None, ALL
    [found] = await search.search(["a"], language="en", budget=Budget())
    assert (found.provider, search.left_out) == ("first", ())


async def test_a_query_that_is_refused_does_not_cost_the_provider() -> None:
    def fault(query: str) -> SearchFault | None:
        return SearchFault("refused", of_query=True) if query == "b" else None

    one, other = first(listed=ALL, fault=fault), second(listed=ALL)
    search = FallbackSearch([one, other])
    found = await search.search(["a", "b", "c"], language="en", budget=Budget())
    assert [result.provider for result in found] == ["first", "second", "first"]
    assert search.left_out == ()


async def test_of_two_providers_of_one_name_the_one_that_failed_is_left_out() -> None:
    good, bad = first(listed=ALL), first(listed=ALL, fault=always("key"))
    search = FallbackSearch([bad, good])
    for _ in range(2):
        await search.search(["a"], language="en", budget=Budget())
    assert (len(bad.asked), len(good.asked)) == (1, 2)


async def test_when_all_fail_the_last_reason_is_told() -> None:
    search = FallbackSearch([first(fault=always("key")), second(fault=always("busy", "later"))])
    with pytest.raises(SearchFailed) as raised:
        await search.search(["a", "b"], language="en", budget=Budget())
    assert (raised.value.provider, raised.value.why, raised.value.detail) == ("second", "busy", "later")


async def test_when_all_are_left_out_nobody_is_asked_and_the_reason_is_told_again() -> None:
    one, other = first(fault=always("key")), second(fault=always("credit"))
    search = FallbackSearch([one, other])
    for _ in range(2):
        with pytest.raises(SearchFailed, match="second: credit"):
            await search.search(["a"], language="en", budget=Budget())
    assert (len(one.asked), len(other.asked)) == (1, 1)


async def test_without_providers_there_is_none() -> None:
    with pytest.raises(SearchFailed) as raised:
        await FallbackSearch([]).search(["a"], language="en", budget=Budget())
    assert raised.value.why == "none"
    [found] = await FallbackSearch([]).search([" "], language="en", budget=Budget())
    assert found.hits == ()


async def test_a_query_that_nobody_answers_among_others_has_no_provider() -> None:
    search = FallbackSearch([first(listed=ALL, fault=only("c", "busy")), second(fault=always("unreachable"))])
    found = await search.search(["a", "b", "c"], language="en", budget=Budget())
    assert [(result.provider, len(result.hits)) for result in found] == [("first", 1), ("first", 1), ("", 0)]


async def test_every_failure_is_told_with_the_budget_of_its_turn() -> None:
    told: list[tuple[ProviderFailure, Budget]] = []
    search = FallbackSearch(
        [first(listed=ALL, fault=only("b", "busy")), second(listed=ALL)],
        tell=lambda failure, budget: told.append((failure, budget)),
    )
    budget = Budget()
    await search.search(["a", "b", "c"], language="en", budget=budget)
    assert told == [(ProviderFailure(provider="first", why="busy", queries=2), budget)]
    assert told[0][1] is budget


async def test_the_failures_of_a_search_can_be_had_with_its_results() -> None:
    search = FallbackSearch([first(fault=always("busy")), second(fault=always("timeout"))])
    searched = await search.search_all(["a"], language="en", budget=Budget())
    assert searched.failed
    assert [(failure.provider, failure.why) for failure in searched.failures] == [
        ("first", "busy"),
        ("second", "timeout"),
    ]


async def test_equal_queries_are_sent_once_and_counted_once_whoever_answers() -> None:
    one, other, budget = first(fault=always("busy")), second(listed=ALL), Budget()
    search = FallbackSearch([one, other])
    found = await search.search(["a", " a ", "", "b", "a", "\n"], language="en", budget=budget)
    assert one.asked == other.asked == [["a", "b"]]
    assert [len(result.hits) for result in found] == [1, 1, 0, 1, 1, 0]
    assert [result.query for result in found] == ["a", " a ", "", "b", "a", "\n"]
    assert budget.usage().searches == 2


async def test_each_provider_gets_queries_of_a_length_that_it_takes() -> None:
    query = "gentle anime about countryside life"
    one, other = first(fault=always("busy"), query_chars=20), second(listed={"gentle anime": ["http://a.example/"]})
    other.query_chars = 12
    [found] = await FallbackSearch([one, other]).search([query], language="en", budget=Budget())
    assert (one.asked, other.asked) == ([["gentle anime about"]], [["gentle anime"]])
    assert (found.query, len(found.hits)) == (query, 1)


async def test_only_empty_queries_ask_nobody_and_do_not_fail() -> None:
    one, budget = first(fault=always("key")), Budget()
    found = await FallbackSearch([one]).search(["", "  "], language="en", budget=budget)
    assert [(result.provider, result.hits) for result in found] == [("", ()), ("", ())]
    assert (one.asked, budget.usage().searches) == ([], 0)


async def test_half_of_the_time_left_is_kept_for_what_comes_after_the_search() -> None:
    now = [0.0]

    def ten_seconds_later() -> None:
        now[0] += 10.0

    one = first(fault=always("timeout"), meanwhile=ten_seconds_later)
    other = second(listed=ALL, meanwhile=ten_seconds_later)
    budget = Budget(seconds=90.0, clock=lambda: now[0])
    now[0] = 10.0
    await FallbackSearch([one, other]).search(["a"], language="en", budget=budget)
    assert (one.patient, other.patient) == ([40.0], [30.0])


async def test_when_the_time_is_used_up_no_further_provider_is_asked() -> None:
    now = [0.0]
    one = first(fault=always("timeout"), meanwhile=lambda: now.__setitem__(0, now[0] + 30.0))
    other = second(listed=ALL)
    with pytest.raises(SearchFailed, match="first: timeout"):
        await FallbackSearch([one, other]).search(
            ["a"], language="en", budget=Budget(seconds=60.0, clock=lambda: now[0])
        )
    assert other.asked == []


async def test_after_the_deadline_nothing_is_sent() -> None:
    now = [0.0]
    one, budget = first(listed=ALL), Budget(seconds=60.0, clock=lambda: now[0])
    now[0] = 61.0
    with pytest.raises(BudgetSpent):
        await FallbackSearch([one]).search(["a"], language="en", budget=budget)
    assert one.asked == []


async def test_the_log_names_provider_and_reason_and_none_of_the_words_of_users(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    search = FallbackSearch([first(fault=always("refused", "bad query: my secret wish")), second(listed=ALL)])
    await search.search(["my secret wish"], language="en", budget=Budget())
    assert "first left 1 queries unanswered: refused" in caplog.text
    assert "secret" not in caplog.text


async def test_closing_it_closes_every_provider() -> None:
    providers = [first(), second()]
    await FallbackSearch(providers).aclose()
    assert [provider.closed for provider in providers] == [True, True]


async def test_a_server_without_credit_is_followed_by_one_that_answers_until_it_tires() -> None:
    queries = [f"query {number}" for number in range(6)]
    answers = dict.fromkeys(queries, TOWN["quiet towns"])
    async with (
        SearchServer({}, faults=Fault.NO_CREDIT) as google,
        SearchServer(answers, faults=from_call(3, Fault.TOO_MANY_LONG)) as own,
        serper(google) as one,
        searxng(own) as other,
    ):
        search = FallbackSearch([one, other])
        searched = await search.search_all(queries, language="en", budget=Budget())
    answered = [result for result in searched.found if result.provider]
    assert {result.provider for result in answered} == {"searxng"}
    assert all([hit.url for hit in result.hits] == QUIET for result in answered)
    assert len(answered) == 3
    assert [(failure.provider, failure.why, failure.queries) for failure in searched.failures] == [
        ("serper", "credit", 6),
        ("searxng", "busy", 3),
    ]
    assert [failure.provider for failure in search.left_out] == ["serper"]
