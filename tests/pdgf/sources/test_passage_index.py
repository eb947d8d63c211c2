"""Late fusion over vectors: the exact index is the definition, the approximate one differs in recall only."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pdgf.late_fusion import TextsByItem
from pdgf.ports import Vectors
from pdgf.reviewed_items import PassageIndex
from pdgf.sources import passage_index
from pdgf.sources.passage_index import ApproximatePassages, ExactPassages, reviewed_items

ITEMS, WIDTH = 400, 16
Ranking = list[tuple[int, float]]


def by_hand(
    vectors: Vectors, owners: list[int], query: Vectors, n: int, k: int, allowed: NDArray[np.bool_] | None = None
) -> Ranking:
    """The definition: each text scored on its own in double precision, each item fused on its own."""
    own: dict[int, list[float]] = {}
    for vector, item in zip(vectors, owners, strict=True):
        score = float(vector.astype(np.float64) @ query.astype(np.float64))
        if np.isfinite(score) and (allowed is None or allowed[item]):
            own.setdefault(item, []).append(score)
    means = [(item, sum(sorted(s)[-k:]) / min(k, len(s))) for item, s in own.items()]
    return sorted(means, key=lambda pair: (-pair[1], pair[0]))[:n]


class Reviews:
    """8,000 texts around 60 topics, 1 to 80 an item, in no order; queries near topics."""

    def __init__(self, *, length: float = 1.0) -> None:
        random = np.random.default_rng(5)
        topics = random.standard_normal((60, WIDTH))
        counts = np.minimum(random.geometric(0.05, ITEMS), 80)
        self.owners = random.permutation(np.repeat(np.arange(ITEMS), counts))
        self.vectors = self._near(topics[(self.owners + random.integers(0, 3, self.owners.size)) % 60], random, length)
        self.queries = self._near(topics[:20], random, length)
        self.texts = TextsByItem.of(self.owners, ITEMS)

    def _near(self, centres: NDArray[np.float64], random: np.random.Generator, length: float) -> Vectors:
        near = centres + 0.5 * random.standard_normal(centres.shape)
        near *= length / np.linalg.norm(near, axis=1, keepdims=True)
        return near.astype(np.float32)


@pytest.fixture(scope="module")
def reviews() -> Reviews:
    return Reviews()


@pytest.fixture(scope="module")
def approximate(reviews: Reviews) -> ApproximatePassages:
    return ApproximatePassages(reviews.vectors, reviews.texts)


def same(found: Ranking, expected: Ranking) -> bool:
    """One ranking, up to the last digits of single precision."""
    return [i for i, _ in found] == [i for i, _ in expected] and [s for _, s in found] == pytest.approx(
        [s for _, s in expected], abs=1e-5
    )


def test_the_exact_index_ranks_as_scoring_and_fusing_text_by_text_does(reviews: Reviews) -> None:
    exact: PassageIndex = ExactPassages(reviews.vectors, reviews.texts)
    for query in reviews.queries[:5]:
        for n, k in ((10, 3), (1, 1), (ITEMS, 100)):
            expected = by_hand(reviews.vectors, reviews.owners.tolist(), query, n, k)
            assert same(exact.best_items(query, n=n, k=k), expected)


def test_what_the_approximate_index_returns_has_its_exact_score(
    reviews: Reviews, approximate: ApproximatePassages
) -> None:
    index: PassageIndex = approximate
    exact = ExactPassages(reviews.vectors, reviews.texts)
    recalled = 0
    for query in reviews.queries:
        true = dict(exact.best_items(query, n=ITEMS, k=3))
        found = index.best_items(query, n=10, k=3)
        assert len(found) == 10
        assert [score for _, score in found] == pytest.approx([true[item] for item, _ in found], abs=1e-6)
        assert found == sorted(found, key=lambda pair: (-pair[1], pair[0]))
        recalled += len({item for item, _ in found} & set(list(true)[:10]))
    assert recalled >= 0.95 * 10 * len(reviews.queries)


def test_the_lists_are_used_and_built_once(reviews: Reviews, monkeypatch: pytest.MonkeyPatch) -> None:
    built = []
    build = passage_index._build
    monkeypatch.setattr(passage_index, "_build", lambda *given: built.append(1) or build(*given))
    index = ApproximatePassages(reviews.vectors, reviews.texts)
    assert built == []
    first = index.best_items(reviews.queries[0], n=10, k=3)
    assert built == [1]
    assert index.best_items(reviews.queries[0], n=10, k=3) == first
    assert built == [1]


def test_two_indexes_of_the_same_vectors_give_the_same_items(
    reviews: Reviews, approximate: ApproximatePassages
) -> None:
    other = ApproximatePassages(reviews.vectors, reviews.texts)
    for query in reviews.queries:
        assert other.best_items(query, n=10, k=3) == approximate.best_items(query, n=10, k=3)


@pytest.mark.parametrize("share", [0.9, 0.5, 0.1, 0.02, 0.0])
def test_filtered_items_never_appear_and_as_many_others_are_found_as_there_are(
    reviews: Reviews, approximate: ApproximatePassages, share: float
) -> None:
    random = np.random.default_rng(8)
    owners, exact = reviews.owners.tolist(), ExactPassages(reviews.vectors, reviews.texts)
    recalled = wanted = 0
    for query in reviews.queries[:8]:
        allowed = random.random(ITEMS) < share
        expected = by_hand(reviews.vectors, owners, query, 10, 3, allowed)
        found = approximate.best_items(query, n=10, k=3, allowed=allowed)
        assert len(found) == len(expected) == min(10, int(allowed.sum()))
        assert all(allowed[item] for item, _ in found)
        assert same(exact.best_items(query, n=10, k=3, allowed=allowed), expected)
        recalled += len({item for item, _ in found} & {item for item, _ in expected})
        wanted += len(expected)
    assert recalled >= 0.95 * wanted


def test_the_items_farthest_away_are_found_when_only_they_are_allowed(
    reviews: Reviews, approximate: ApproximatePassages
) -> None:
    """Half of the items, those with the lowest and mostly negative scores, lie in lists that are probed last."""
    for query in reviews.queries[:5]:
        ranked = ExactPassages(reviews.vectors, reviews.texts).best_items(query, n=ITEMS, k=3)
        allowed = np.zeros(ITEMS, np.bool_)
        allowed[[item for item, _ in ranked[ITEMS // 2 :]]] = True
        found = approximate.best_items(query, n=10, k=3, allowed=allowed)
        assert len(found) == 10
        assert all(allowed[item] for item, _ in found)


@pytest.mark.parametrize("n", [1, 10, ITEMS, 10 * ITEMS])
def test_as_many_items_come_as_are_asked_for_or_exist(
    reviews: Reviews, approximate: ApproximatePassages, n: int
) -> None:
    assert len(approximate.best_items(reviews.queries[0], n=n, k=3)) == min(n, ITEMS)


def test_vectors_that_are_not_normalised_are_found_by_inner_product() -> None:
    long = Reviews(length=9.0)
    long.vectors *= np.random.default_rng(2).uniform(0.5, 1.5, (len(long.vectors), 1)).astype(np.float32)
    exact, index = ExactPassages(long.vectors, long.texts), ApproximatePassages(long.vectors, long.texts)
    recalled = 0
    for query in long.queries:
        true = exact.best_items(query, n=10, k=3)
        assert true[0][1] > 9.0
        recalled += len({item for item, _ in index.best_items(query, n=10, k=3)} & {item for item, _ in true})
    assert recalled >= 0.95 * 10 * len(long.queries)


def test_vectors_that_are_no_numbers_count_as_no_texts() -> None:
    broken = Reviews()
    broken.vectors[::3] = np.nan
    index = ApproximatePassages(broken.vectors, broken.texts)
    for query in broken.queries[:5]:
        found = index.best_items(query, n=10, k=3)
        true = dict(ExactPassages(broken.vectors, broken.texts).best_items(query, n=ITEMS, k=3))
        assert len(found) == 10
        assert [score for _, score in found] == pytest.approx([true[item] for item, _ in found], abs=1e-6)


def test_where_hardly_a_vector_is_a_number_the_few_are_found() -> None:
    broken = Reviews()
    broken.vectors[20:] = np.nan
    index = ApproximatePassages(broken.vectors, broken.texts)
    expected = by_hand(broken.vectors[:20], broken.owners[:20].tolist(), broken.queries[0], 30, 3)
    assert same(index.best_items(broken.queries[0], n=30, k=3), expected)


def test_a_mask_of_another_length_is_refused(reviews: Reviews, approximate: ApproximatePassages) -> None:
    for index in (ExactPassages(reviews.vectors, reviews.texts), approximate):
        with pytest.raises(ValueError, match="one entry an item"):
            index.best_items(reviews.queries[0], n=10, k=3, allowed=np.ones(ITEMS + 1, np.bool_))


def test_a_query_that_is_no_number_finds_nothing(reviews: Reviews, approximate: ApproximatePassages) -> None:
    query = np.full(WIDTH, np.nan, np.float32)
    for index in (ExactPassages(reviews.vectors, reviews.texts), approximate):
        assert index.best_items(query, n=10, k=3) == []
        assert index.best_items(reviews.queries[0], n=0, k=3) == []
        with pytest.raises(ValueError, match="k >= 1"):
            index.best_items(reviews.queries[0], n=10, k=0)


def test_many_equal_items_go_by_their_order() -> None:
    """With 8,000 equal texts nothing but the order of the items decides."""
    owners = np.repeat(np.arange(800), 10)
    vectors = np.tile(np.eye(1, WIDTH, dtype=np.float32), (owners.size, 1))
    index = ApproximatePassages(vectors, TextsByItem.of(owners, 800))
    assert index.best_items(vectors[0], n=5, k=3) == [(item, 1.0) for item in range(5)]


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(0, 40), st.integers(1, 8), st.integers(1, 5), st.booleans())
def test_both_indexes_equal_the_definition_on_small_sets(
    seed: int, texts: int, items: int, k: int, masked: bool
) -> None:
    """Coordinates are small whole numbers, so that products are exact and many of them tie."""
    random = np.random.default_rng(seed)
    vectors = random.integers(-2, 3, (texts, 4)).astype(np.float32)
    owners, query = random.integers(0, items, texts), random.integers(-2, 3, 4).astype(np.float32)
    allowed = random.random(items) < 0.5 if masked else None
    expected = by_hand(vectors, owners.tolist(), query, 5, k, allowed)
    found = reviewed_items([str(i) for i in range(items)], vectors, owners, "e")
    for index in (found.exact, found.approximate):
        assert same(index.best_items(query, n=5, k=k, allowed=allowed), expected)


def test_vectors_need_one_row_a_text() -> None:
    with pytest.raises(ValueError, match="one row a text"):
        reviewed_items(["a"], np.zeros((2, 4), np.float32), np.zeros(3, np.int64), "e")
