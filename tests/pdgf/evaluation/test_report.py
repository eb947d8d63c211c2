"""Figures of a run, against an independent computation of every metric."""

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, P, R, Success, nDCG

from pdgf.evaluation import metrics
from pdgf.evaluation.dataset import Query
from pdgf.evaluation.report import METRICS, figures, random_orders
from pdgf.evaluation.runner import QueryResult, measure
from pdgf.evaluation.strategies import WITHOUT_MODEL, Strategy
from tests.pdgf.evaluation.village import QUERIES, setup

ITEMS = [f"i{number}" for number in range(14)]
THEIRS = {
    "p@10": P @ 10,
    "r@10": R @ 10,
    "ndcg@10": nDCG @ 10,
    "h@1": Success @ 1,
    "h@5": Success @ 5,
    "mrr": RR,
    "pool_recall": R @ 1_000,
}

truths = st.dictionaries(st.sampled_from(ITEMS), st.integers(1, 9).map(float), min_size=1, max_size=12)
orders = st.permutations(ITEMS).flatmap(lambda items: st.integers(1, len(items)).map(lambda n: items[:n]))


@given(truths, orders)
def test_our_metrics_equal_those_of_ir_measures(truth: dict[str, float], order: list[str]) -> None:
    qrels = [ir_measures.Qrel("q", item, int(grade)) for item, grade in truth.items()]
    run = [ir_measures.ScoredDoc("q", item, float(-place)) for place, item in enumerate(order)]
    theirs = ir_measures.calc_aggregate(list(THEIRS.values()), qrels, run)
    for name, measure_ in THEIRS.items():
        assert METRICS[name](order, truth) == pytest.approx(theirs[measure_]), name
    flat = ir_measures.calc_aggregate([nDCG @ 10], [ir_measures.Qrel("q", item, 1) for item in truth], run)
    assert METRICS["ndcg@10_binary"](order, truth) == pytest.approx(flat[nDCG @ 10])


@given(truths, orders)
def test_curve_oracle_and_gaps_equal_those_of_ir_measures(truth: dict[str, float], order: list[str]) -> None:
    """The oracle is the nDCG of the pool in the order of its grades; what is missing to it and to 1 are the gaps."""
    query = Query(qid="q", text="q", truth=truth)
    made = figures([query], {"q": result("q", full=order, bm25=order[::-1])}, [Strategy.FULL])
    qrels = [ir_measures.Qrel("q", item, int(grade)) for item, grade in truth.items()]
    run = [ir_measures.ScoredDoc("q", item, float(-place)) for place, item in enumerate(order)]
    best = sorted(order, key=lambda item: -truth.get(item, 0.0))
    ideal = [ir_measures.ScoredDoc("q", item, float(-place)) for place, item in enumerate(best)]
    cuts = (1, 3, 10, 50)
    recall = ir_measures.calc_aggregate([R @ k for k in cuts], qrels, run)
    assert [made["recall_curve"]["full"][k - 1] for k in cuts] == pytest.approx([recall[R @ k] for k in cuts])
    oracle = ir_measures.calc_aggregate([nDCG @ 10], qrels, ideal)[nDCG @ 10]
    ndcg = ir_measures.calc_aggregate([nDCG @ 10], qrels, run)[nDCG @ 10]
    assert made["gaps"]["full"] == pytest.approx(
        {"oracle@10": oracle, "coverage_gap": 1 - oracle, "ranking_gap": oracle - ndcg}
    )


def result(qid: str, **rankings: list[str]) -> QueryResult:
    pool = sorted({item for order in rankings.values() for item in order})
    return QueryResult(
        qid=qid,
        rankings=rankings,
        found={"full": pool, "flat": pool[:1]},
        seconds=dict.fromkeys(rankings, 0.5),
        pool=len(pool),
        nodes=3,
        edges=1,
    )


ASKED = (Query(qid="a", text="a", truth={"x": 2.0, "z": 1.0}), Query(qid="b", text="b", truth={"y": 1.0}))
RESULTS = {
    "a": result("a", full=["x", "y", "z"], bm25=["y", "z", "x"], random=["x", "y", "z"]),
    "b": result("b", full=["y", "x"], bm25=["x", "y"], random=["x", "y"]),
}
WANTED = (Strategy.FULL, Strategy.BM25, Strategy.RANDOM)


def test_figures_are_macro_means_with_an_interval_around_them() -> None:
    made = figures(ASKED, RESULTS, WANTED)
    full = made["strategies"]["full"]
    assert full["h@1"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert full["r@10"]["value"] == 1.0
    assert full["mrr"]["value"] == 1.0
    bm25 = made["strategies"]["bm25"]["mrr"]
    assert bm25["value"] == pytest.approx((1 / 2 + 1 / 2) / 2)
    assert bm25["low"] <= bm25["value"] <= bm25["high"]
    assert full["seconds"]["value"] == 0.5
    assert set(full) == {*METRICS, "seconds"}


def test_what_each_strategy_lost_adds_up_to_what_is_missing() -> None:
    made = figures(ASKED, RESULTS, WANTED)
    for name, gaps in made["gaps"].items():
        missing = 1.0 - made["strategies"][name]["ndcg@10"]["value"]
        assert gaps["coverage_gap"] + gaps["ranking_gap"] == pytest.approx(missing)


def test_recall_rises_along_the_curve_to_the_recall_of_the_pool() -> None:
    made = figures(ASKED, RESULTS, WANTED)
    for name, curve in made["recall_curve"].items():
        assert curve == sorted(curve)
        assert len(curve) == 50
        assert curve[-1] == pytest.approx(made["strategies"][name]["pool_recall"]["value"])


def test_complementarity_is_what_one_pool_found_and_the_other_did_not() -> None:
    """full found x and z, flat found x: z, half of the truth of a, is full's alone; of b flat found nothing."""
    made = figures(ASKED, RESULTS, WANTED)["complementarity"]["retrieved"]
    assert made == {"full": {"flat": pytest.approx((1 / 2 + 1) / 2)}, "flat": {"full": 0.0}}


def test_full_is_compared_with_each_other_strategy() -> None:
    made = figures(ASKED, RESULTS, WANTED)
    assert set(made["paired"]) == {"bm25", "random"}
    difference = made["paired"]["bm25"]["mrr"]
    assert difference["difference"] == pytest.approx(1.0 - 0.5)
    assert difference["queries"] == 2


def test_random_is_the_mean_of_twenty_orders_that_are_the_same_in_every_run() -> None:
    made = random_orders(ITEMS, "q")
    assert len(made) == 20
    assert made == random_orders(ITEMS, "q") != random_orders(ITEMS, "another")
    assert all(sorted(order) == sorted(ITEMS) for order in made)
    value = figures(ASKED, RESULTS, WANTED)["strategies"]["random"]["mrr"]["value"]
    by_hand = [
        sum(metrics.reciprocal_rank(o, q.truth) for o in random_orders(RESULTS[q.qid].rankings["random"], q.qid)) / 20
        for q in ASKED
    ]
    assert value == pytest.approx(sum(by_hand) / 2)


def test_a_request_that_could_not_be_read_counts_as_nothing_found() -> None:
    results = {**RESULTS, "b": result("b", bm25=["y", "x"]).model_copy(update={"unread": "NoPreferences"})}
    made = figures(ASKED, results, (Strategy.FULL, Strategy.BM25))
    assert made["strategies"]["full"]["h@1"]["value"] == 0.5
    assert made["strategies"]["bm25"]["h@1"]["value"] == 0.5
    assert made["requests"]["unread"] == 1


def test_nothing_measured_is_no_figure() -> None:
    with pytest.raises(ValueError, match="nothing was measured"):
        figures(ASKED, {}, WANTED)


async def test_the_figures_of_a_whole_run_have_every_part() -> None:
    measured = {query.qid: await measure(query, await setup(), WITHOUT_MODEL) for query in QUERIES}
    made = figures(QUERIES, measured, WITHOUT_MODEL)
    assert set(made["strategies"]) == {strategy.value for strategy in WITHOUT_MODEL}
    recalls = {name: row["pool_recall"]["value"] for name, row in made["strategies"].items()}
    assert recalls.pop("year_on") < recalls["full"]  # the Old Mill of 1950 is newer than the Heron of 1931
    assert len(set(recalls.values())) == 1
    assert made["requests"]["measured"] == len(QUERIES)
