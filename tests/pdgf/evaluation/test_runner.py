"""One request through all strategies: one pool, one order each."""

import pytest

from pdgf.evaluation.dataset import Query
from pdgf.evaluation.runner import measure, warmed
from pdgf.evaluation.strategies import WITHOUT_MODEL, Strategy
from pdgf.settings import MethodConfig
from tests.pdgf.evaluation.village import INNS, QUERIES, setup


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.qid)
async def test_every_strategy_orders_the_same_pool(query: Query) -> None:
    result = await measure(query, await setup(), WITHOUT_MODEL)
    assert set(result.rankings) == {strategy.value for strategy in WITHOUT_MODEL}
    same = {name: order for name, order in result.rankings.items() if name != "year_on"}
    assert len({frozenset(order) for order in same.values()}) == 1
    assert all(len(order) == len(set(order)) == result.pool for order in same.values())
    assert set(result.rankings["full"]) == {*result.found["full"], *result.found["flat"]}
    assert {strategy.value for strategy in WITHOUT_MODEL} <= result.seconds.keys()


async def test_wishes_that_more_of_an_item_speaks_of_put_it_first() -> None:
    result = await measure(QUERIES[1], await setup(), [Strategy.FULL, Strategy.MAX])
    assert result.rankings["full"][0] == "mill"
    assert result.nodes == 2
    assert set(result.rankings) == {"full", "max"}


async def test_an_item_that_the_request_names_is_in_no_list() -> None:
    result = await measure(QUERIES[2], await setup(), WITHOUT_MODEL)
    assert all("heron" not in order for order in result.rankings.values())
    assert all("heron" not in items for items in result.found.values())


async def test_year_rules_differ_only_in_what_they_leave_out() -> None:
    query = Query(qid="y", text="A quiet fire as in 1988", truth={"mill": 1.0})
    result = await measure(query, await setup(), [Strategy.FULL, Strategy.YEAR_ON, Strategy.YEAR_OFF])
    newer = {item for item, (_, year, _) in INNS.items() if year is not None and year > 1988}
    assert newer & set(result.rankings["year_off"])
    assert result.rankings["year_on"] == [item for item in result.rankings["year_off"] if item not in newer]


async def test_a_request_without_a_wish_still_has_the_orders_that_need_none() -> None:
    query = Query(qid="n", text="Anything, please", truth={"mill": 1.0})
    setup_ = await setup()
    setup_.asking.ports.agent.words["stone"] = "material"  # type: ignore[attr-defined]
    result = await measure(query, setup_, WITHOUT_MODEL)
    assert result.unread == "NoPreferences"
    assert set(result.rankings) == {"random", "flat", "bm25", "dense", "late_fusion", "rank_fusion"}


async def test_labels_are_the_same_whether_they_are_made_lazily_or_not() -> None:
    lazy = await measure(QUERIES[0], await setup(), [Strategy.FULL])
    full = await measure(QUERIES[0], await setup(MethodConfig(lazy_labels=False)), [Strategy.FULL])
    assert lazy.rankings == full.rankings


async def test_warming_up_loads_what_a_first_request_would_wait_for() -> None:
    setup_ = await setup()
    assert await warmed(setup_) is setup_
    assert setup_.asking.ports.agent.calls["extract_nodes"] == 1  # type: ignore[attr-defined]
