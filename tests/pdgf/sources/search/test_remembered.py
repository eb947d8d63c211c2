"""A search that remembers: what was found is not sent again for an hour, what failed is."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from pdgf.errors import BudgetSpent, SearchFailed
from pdgf.models import Reused
from pdgf.ports import Found
from pdgf.sources.search.remembered import MAX_AGE, RememberedSearch
from pdgf.usage import Budget
from tests.pdgf.sources.search.listed import hits

LISTED = {"quiet towns": ("https://a.test/1",), "dry humour": ("https://b.test/1", "https://b.test/2")}


@dataclass
class Counted:
    """A Search that notes what it is sent. A query in `unanswered` gets no answer; with all in it, it fails."""

    sent: list[list[str]] = field(default_factory=list)
    unanswered: set[str] = field(default_factory=set)
    name: str = "counted"

    async def search(self, queries: Sequence[str], *, language: str, budget: Budget) -> list[Found]:
        self.sent.append(list(queries))
        budget.spend_searches(len(set(queries)))
        if queries and set(queries) <= self.unanswered:
            raise SearchFailed(self.name, "busy")
        return [
            Found(query=query, provider="", hits=())
            if query in self.unanswered
            else Found(query=query, provider=self.name, hits=hits(*LISTED.get(query, ())))
            for query in queries
        ]


@pytest.fixture
def inner() -> Counted:
    return Counted()


async def searched(search: RememberedSearch, *queries: str, language: str = "en") -> tuple[list[Found], Budget]:
    budget = Budget()
    return await search.search(queries, language=language, budget=budget), budget


async def test_a_query_that_was_answered_is_not_sent_or_counted_again(inner: Counted) -> None:
    search = RememberedSearch(inner)
    first, _ = await searched(search, "quiet towns")
    again, budget = await searched(search, "quiet towns", "dry humour", " quiet  towns")
    assert inner.sent == [["quiet towns"], ["dry humour"]]
    assert budget.usage().searches == 1
    assert budget.reused() == Reused(searches=1)
    assert [each.query for each in again] == ["quiet towns", "dry humour", " quiet  towns"]
    assert again[0] == first[0]
    assert again[2].hits == first[0].hits


async def test_what_this_turn_has_found_is_no_reuse(inner: Counted) -> None:
    search, budget = RememberedSearch(inner), Budget()
    for _ in range(2):
        await search.search(["quiet towns"], language="en", budget=budget)
    assert (len(inner.sent), budget.reused()) == (1, Reused())


async def test_another_language_is_another_search(inner: Counted) -> None:
    search = RememberedSearch(inner)
    await searched(search, "quiet towns")
    await searched(search, "quiet towns", language="zh")
    assert len(inner.sent) == 2


async def test_after_an_hour_the_web_is_asked_again(inner: Counted) -> None:
    now = [0.0]
    search = RememberedSearch(inner, clock=lambda: now[0])
    await searched(search, "quiet towns")
    now[0] = MAX_AGE - 1.0
    await searched(search, "quiet towns")
    assert len(inner.sent) == 1
    now[0] = MAX_AGE
    await searched(search, "quiet towns")
    assert len(inner.sent) == 2


@pytest.mark.parametrize("queries", [("dry humour",), ("quiet towns", "dry humour")])
async def test_a_query_without_an_answer_is_sent_again(inner: Counted, queries: tuple[str, ...]) -> None:
    inner.unanswered = {"dry humour"}
    search = RememberedSearch(inner)
    if len(queries) == 1:
        with pytest.raises(SearchFailed):
            await searched(search, *queries)
    else:
        found, _ = await searched(search, *queries)
        assert [each.provider for each in found] == ["counted", ""]
    inner.unanswered = set()
    found, _ = await searched(search, "dry humour")
    assert inner.sent[-1] == ["dry humour"]
    assert len(found[0].hits) == 2


async def test_a_query_that_found_nothing_is_sent_again(inner: Counted) -> None:
    search = RememberedSearch(inner)
    await searched(search, "nowhere")
    await searched(search, "nowhere")
    assert inner.sent == [["nowhere"]] * 2


async def test_a_failure_beside_what_is_remembered_leaves_that_and_is_told(inner: Counted) -> None:
    search = RememberedSearch(inner)
    await searched(search, "quiet towns")
    inner.unanswered = {"dry humour"}
    found, budget = await searched(search, "quiet towns", "dry humour")
    assert [len(each.hits) for each in found] == [1, 0]
    assert [(setback.step, setback.why) for setback in budget.setbacks()] == [("search_some", "busy")]


async def test_the_least_recently_used_query_leaves_first(inner: Counted) -> None:
    search = RememberedSearch(inner, capacity=1)
    await searched(search, "quiet towns")
    await searched(search, "dry humour")
    await searched(search, "quiet towns")
    assert len(inner.sent) == 3


async def test_also_what_is_remembered_comes_too_late_after_the_deadline(inner: Counted) -> None:
    search = RememberedSearch(inner)
    await searched(search, "quiet towns")
    times = iter([0.0])
    with pytest.raises(BudgetSpent):
        await search.search(
            ["quiet towns"], language="en", budget=Budget(seconds=50.0, clock=lambda: next(times, 100.0))
        )


async def test_no_query_is_kept_in_words(inner: Counted) -> None:
    search = RememberedSearch(inner)
    await searched(search, "quiet towns")
    assert "quiet towns" not in repr(vars(search._found))
