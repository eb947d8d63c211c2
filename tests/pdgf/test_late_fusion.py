"""Late fusion (METHOD 9.5, T15)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.late_fusion import NOT_SCORED, PASSES, TextsByItem, best_items, fused, late_fusion

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


@st.composite
def scored_texts(draw: st.DrawFn) -> tuple[list[float], list[int], list[bool], int]:
    """Few different scores, so that they tie; some negative, some no number; texts in any order; some masked."""
    items = draw(st.integers(1, 7))
    score = st.sampled_from([-2.0, -0.5, 0.0, 0.25, 0.25, 1.0]) | finite | st.sampled_from([math.nan, math.inf])
    texts = draw(st.lists(st.tuples(score, st.integers(0, items - 1), st.booleans()), max_size=40))
    return [s for s, _, _ in texts], [i for _, i, _ in texts], [kept for _, _, kept in texts], items


@given(scored_texts(), st.integers(1, 30), st.data())
def test_masks_of_texts_and_items_equal_leaving_both_out_by_hand(
    given_texts: tuple[list[float], list[int], list[bool], int], k: int, data: st.DataObject
) -> None:
    scores, owners, kept, items = given_texts
    allowed = data.draw(st.lists(st.booleans(), min_size=items, max_size=items))
    found = fused(
        np.array(scores, np.float32),
        TextsByItem.of(np.array(owners, np.int64), items),
        k,
        mask=np.array(kept, np.bool_),
        allowed=np.array(allowed),
    )
    counted = [(s, i) for s, i, keep in zip(scores, owners, kept, strict=True) if keep and allowed[i]]
    assert found.tolist() == by_hand([s for s, _ in counted], [i for _, i in counted], items, k)


@given(scored_texts(), st.integers(1, 5), st.integers(-1, 9))
def test_the_best_items_are_those_of_a_stable_sort_and_never_one_without_a_score(
    given_texts: tuple[list[float], list[int], list[bool], int], k: int, n: int
) -> None:
    scores, owners, _, items = given_texts
    slow = by_hand(scores, owners, items, k)
    expected = [i for i in sorted(range(items), key=lambda i: -slow[i]) if slow[i] > NOT_SCORED][: max(n, 0)]
    found = late_fusion(np.array(scores, np.float32), np.array(owners, np.int64), items, k)
    assert best_items(found, n).tolist() == expected


def test_a_kept_item_with_a_negative_score_stands_before_a_filtered_one_that_has_none() -> None:
    texts = TextsByItem.of(np.array([0, 1, 2]), 3)
    found = fused(np.array([0.9, -0.5, -0.7]), texts, 3, allowed=np.array([False, True, True]))
    assert found.tolist() == [NOT_SCORED, -0.5, -0.7]
    assert best_items(found, 3).tolist() == [1, 2]


@pytest.mark.parametrize("k", [1, 3, PASSES, PASSES + 1, 200])
def test_one_layout_serves_every_query_and_every_number_of_texts(k: int) -> None:
    random = np.random.default_rng(11)
    owners = random.permutation(np.repeat(np.arange(50), random.integers(1, 60, 50)))
    texts = TextsByItem.of(owners, 50)
    for _ in range(3):
        scores = random.standard_normal(owners.size).astype(np.float32).round(1)
        assert fused(scores, texts, k).tolist() == by_hand(scores.tolist(), owners.tolist(), 50, k)


def test_a_layout_knows_the_rows_of_its_owners_in_any_order() -> None:
    for owners in ([0, 0, 2, 2, 2], [2, 0, 2, 0, 2]):
        texts = TextsByItem.of(np.array(owners), 4)
        assert texts.owners.tolist() == [0, 2]
        assert [sorted(np.arange(5)[texts.rows(run)]) for run in (0, 1)] == [
            [row for row, owner in enumerate(owners) if owner == item] for item in (0, 2)
        ]


@pytest.mark.parametrize("owners", [[-1, 0], [0, 3], [[0], [1]]])
def test_a_text_of_no_item_is_refused(owners: list[int]) -> None:
    with pytest.raises(ValueError, match="item_of_text"):
        TextsByItem.of(np.array(owners), 3)


def test_masks_of_another_length_are_refused() -> None:
    texts = TextsByItem.of(np.array([0, 1]), 2)
    with pytest.raises(ValueError, match="one length"):
        fused(np.zeros(2), texts, 1, mask=np.ones(3, np.bool_))
    with pytest.raises(ValueError, match="one entry an item"):
        fused(np.zeros(2), texts, 1, allowed=np.ones(3, np.bool_))
