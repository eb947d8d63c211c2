"""Ranking metrics (METHOD 14.1)."""

from itertools import permutations
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.evaluation.metrics import (
    coverage_gap,
    hit_at,
    ndcg_at,
    only_a,
    oracle_at,
    pool_recall,
    precision_at,
    ranking_gap,
    recall_at,
    reciprocal_rank,
    score_deciles,
)

TRUTH = {"a": 10.0, "b": 5.0, "c": 1.0}
LIST = ["b", "x", "a"]
IDEAL = 10 / log2(2) + 5 / log2(3) + 1 / log2(4)

truths = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0.1, 50), min_size=1)
rankings = st.lists(st.sampled_from("abcdefghxyz"), unique=True, max_size=11)


def test_the_worked_example_of_the_method() -> None:
    """T12."""
    assert ndcg_at(LIST, TRUTH) == pytest.approx((5 + 0 + 10 / log2(4)) / IDEAL)
    assert ndcg_at(LIST, TRUTH) == pytest.approx(0.732351, abs=1e-6)
    assert ndcg_at(LIST, TRUTH, binary=True) == pytest.approx(1.5 / (1 + 1 / log2(3) + 1 / log2(4)))
    assert ndcg_at(LIST, TRUTH, binary=True) == pytest.approx(0.703918, abs=1e-6)
    assert precision_at(LIST, TRUTH) == pytest.approx(2 / 10)
    assert recall_at(LIST, TRUTH) == pytest.approx(2 / 3)


def test_the_relevance_rate_falls_over_the_tenths_of_a_pool() -> None:
    """T13: 20 candidates, relevant at ranks 1, 2, 4 and 19."""
    pool = [f"i{rank}" for rank in range(1, 21)]
    truth = {"i1": 1.0, "i2": 3.0, "i4": 1.0, "i19": 1.0}
    assert score_deciles(pool, truth) == (1.0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0.5)
    assert score_deciles(pool[:9], truth) is None
    assert score_deciles(pool[:11], truth) == (1.0, 0, 1.0, 0, 0, 0, 0, 0, 0, 0)  # the first tenth holds two


def test_what_retrieval_and_ranking_lost_adds_up() -> None:
    """T14."""
    assert oracle_at("abx", TRUTH) == pytest.approx((10 + 5 / log2(3)) / IDEAL)
    assert oracle_at("abx", TRUTH) == pytest.approx(0.963382, abs=1e-6)
    assert coverage_gap("abx", TRUTH) == pytest.approx(0.036618, abs=1e-6)
    assert ranking_gap(LIST, "abx", TRUTH) == pytest.approx(0.231031, abs=1e-6)
    total = coverage_gap("abx", TRUTH) + ranking_gap(LIST, "abx", TRUTH)
    assert total == pytest.approx(1 - ndcg_at(LIST, TRUTH)) == pytest.approx(0.267649, abs=1e-6)
    assert oracle_at("bcx", TRUTH) == pytest.approx((5 + 1 / log2(3)) / IDEAL) == pytest.approx(0.412382, abs=1e-6)


def test_hits_and_the_first_hit() -> None:
    assert [hit_at(["x", "b", "a"], TRUTH, k) for k in (1, 2, 5)] == [0.0, 1.0, 1.0]
    assert reciprocal_rank(["x", "b", "a"], TRUTH) == 1 / 2
    assert reciprocal_rank(["x", "y"], TRUTH) == 0.0


def test_what_one_pool_found_and_the_other_did_not() -> None:
    assert pool_recall("abx", TRUTH) == pytest.approx(2 / 3)
    assert only_a("abx", "by", TRUTH) == pytest.approx(1 / 3)
    assert pool_recall("abx", TRUTH) - only_a("abx", "by", TRUTH) + only_a("by", "abx", TRUTH) == pytest.approx(
        pool_recall("by", TRUTH)
    )


def test_support_below_one_counts_as_one_and_no_support_not_at_all() -> None:
    assert ndcg_at(["a"], {"a": 0.2, "b": 1.0}) == pytest.approx(1 / (1 + 1 / log2(3)))
    assert recall_at(["z"], {"a": 1.0, "z": 0.0}) == 0.0


def test_an_item_named_twice_counts_at_its_first_rank() -> None:
    assert ndcg_at(["a", "a", "b"], TRUTH) == ndcg_at(["a", "b"], TRUTH)
    assert precision_at(["a", "a"], TRUTH, k=2) == 1 / 2
    assert reciprocal_rank(["x", "x", "a"], TRUTH) == 1 / 2


def test_short_lists_are_divided_by_k_all_the_same() -> None:
    assert precision_at(["a"], TRUTH, k=5) == 1 / 5
    assert precision_at([], TRUTH) == recall_at([], TRUTH) == ndcg_at([], TRUTH) == 0.0


def test_a_query_without_truth_has_no_value() -> None:
    for undefined in (
        lambda: precision_at(LIST, {}),
        lambda: recall_at(LIST, {"a": 0.0}),
        lambda: ndcg_at(LIST, {}),
        lambda: hit_at(LIST, {}, 1),
        lambda: reciprocal_rank(LIST, {}),
        lambda: pool_recall(LIST, {}),
        lambda: oracle_at(LIST, {}),
        lambda: only_a(LIST, LIST, {}),
        lambda: score_deciles([str(number) for number in range(10)], {}),
    ):
        with pytest.raises(ValueError, match="without a relevant item"):
            undefined()


@given(rankings, truths, st.booleans(), st.integers(1, 5))
def test_gaps_are_never_negative_and_add_up(ranked: list[str], truth: dict[str, float], binary: bool, k: int) -> None:
    ndcg = ndcg_at(ranked, truth, k, binary=binary)
    assert 0 <= ndcg <= 1 + 1e-12
    lost = ranking_gap(ranked, ranked, truth, k, binary=binary)
    assert lost >= -1e-12
    assert coverage_gap(ranked, truth, k, binary=binary) + lost == pytest.approx(1 - ndcg)


@given(st.lists(st.sampled_from("abcx"), unique=True), truths, st.integers(1, 3))
def test_the_oracle_is_the_best_of_all_orders_of_the_pool(pool: list[str], truth: dict[str, float], k: int) -> None:
    best = max(ndcg_at(order, truth, k) for order in permutations(pool))
    assert oracle_at(pool, truth, k) == pytest.approx(best)
