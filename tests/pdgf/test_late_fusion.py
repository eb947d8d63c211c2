"""Late fusion (METHOD 9.5, T15)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.late_fusion import NOT_SCORED, late_fusion

finite = st.floats(-10, 10, width=32)


def by_hand(scores: list[float], item_of_text: list[int], items: int, k: int) -> list[float]:
    """The definition, text by text."""
    fused = []
    for item in range(items):
        own = sorted(
            (s for s, i in zip(scores, item_of_text, strict=True) if i == item and math.isfinite(s)), reverse=True
        )
        fused.append(sum(own[:k]) / min(k, len(own)) if own else NOT_SCORED)
    return fused


def test_t15_the_three_largest_are_averaged_and_two_are_two() -> None:
    scores = np.array([0.9, 0.2, 0.5, 0.4, 0.7, 0.3])
    fused = late_fusion(scores, np.array([0, 0, 0, 0, 1, 1]), 2, 3)
    assert fused == pytest.approx([(0.9 + 0.5 + 0.4) / 3, (0.7 + 0.3) / 2])
    assert fused == pytest.approx([0.6, 0.5])


def test_an_item_without_a_text_is_not_scored_and_never_zero() -> None:
    fused = late_fusion(np.array([-0.5]), np.array([1]), 3, 3)
    assert fused.tolist() == [NOT_SCORED, -0.5, NOT_SCORED]


def test_masked_texts_are_gone_before_the_largest_are_chosen() -> None:
    scores, items = np.array([0.9, 0.8, 0.1, 0.7]), np.array([0, 0, 0, 1])
    fused = late_fusion(scores, items, 2, 2, mask=np.array([False, True, True, False]))
    assert fused.tolist() == [(0.8 + 0.1) / 2, NOT_SCORED]


def test_a_score_that_is_no_number_counts_as_no_text() -> None:
    fused = late_fusion(np.array([np.nan, 0.4, np.inf, -np.inf]), np.array([0, 0, 1, 1]), 2, 3)
    assert fused.tolist() == [0.4, NOT_SCORED]


def test_equal_scores_are_taken_one_by_one() -> None:
    assert late_fusion(np.array([0.5, 0.5, 0.5, 0.1]), np.zeros(4, int), 1, 2).tolist() == [0.5]


def test_no_text_at_all_scores_nothing() -> None:
    assert late_fusion(np.zeros(0), np.zeros(0, int), 2, 3).tolist() == [NOT_SCORED, NOT_SCORED]


@pytest.mark.parametrize(
    ("scores", "items", "k"), [(np.zeros(2), np.zeros(3, int), 1), (np.zeros(2), np.zeros(2, int), 0)]
)
def test_shapes_and_k_are_checked(scores: np.ndarray, items: np.ndarray, k: int) -> None:
    with pytest.raises(ValueError, match=r"k >= 1|one length"):
        late_fusion(scores, items, 1, k)


@given(st.lists(st.tuples(st.integers(0, 5), finite | st.just(math.nan)), max_size=40), st.integers(1, 6))
def test_it_equals_the_definition_for_texts_in_any_order(texts: list[tuple[int, float]], k: int) -> None:
    items, scores = [item for item, _ in texts], [score for _, score in texts]
    fused = late_fusion(np.array(scores, np.float32), np.array(items, np.int64), 6, k)
    assert fused.tolist() == by_hand(scores, items, 6, k)


@given(st.lists(st.tuples(st.integers(0, 3), finite), min_size=1, max_size=20), st.integers(1, 4))
def test_the_scores_given_stay_as_they_are(texts: list[tuple[int, float]], k: int) -> None:
    texts.sort()
    scores = np.array([score for _, score in texts])
    before = scores.copy()
    late_fusion(scores, np.array([item for item, _ in texts]), 4, k)
    assert (scores == before).all()


def test_a_large_ranking_is_exactly_the_brute_force_ranking() -> None:
    random = np.random.default_rng(7)
    items = np.sort(random.integers(0, 300, 6_000))
    scores = random.standard_normal(6_000).astype(np.float32).round(2)
    fused = late_fusion(scores, items, 300, 3)
    slow = np.array(by_hand(scores.tolist(), items.tolist(), 300, 3))
    assert np.argsort(-fused, kind="stable").tolist() == np.argsort(-slow, kind="stable").tolist()
