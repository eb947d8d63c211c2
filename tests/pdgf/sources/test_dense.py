"""Inner products and nearest vectors, by numpy and by FAISS."""

import numpy as np
import pytest

from pdgf.sources import dense
from pdgf.sources.dense import MISSING, nearest, products

VECTORS = np.array([[1, 0], [0, 1], [1, 0], [-1, 0]], np.float32)
QUERY = np.array([0.75, 0.25], np.float32)


@pytest.fixture(params=["numpy", "faiss"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "faiss":
        monkeypatch.setattr(dense, "NUMPY_VECTORS", 0)
    return str(request.param)


def test_products_are_the_inner_products() -> None:
    assert products(QUERY[None, :], VECTORS).tolist() == [[0.75, 0.25, 0.75, -0.75]]


def test_a_product_that_is_no_number_is_missing() -> None:
    found = products(np.array([[np.nan, 0.0], [1.0, 0.0]], np.float32), VECTORS)
    assert found[0].tolist() == [MISSING] * 4
    assert found[1].tolist() == [1.0, 0.0, 1.0, -1.0]


@pytest.mark.usefixtures("engine")
class TestNearest:
    def test_the_best_come_first_and_ties_go_to_the_smaller_row(self) -> None:
        assert nearest(QUERY, VECTORS, 3) == [(0, 0.75), (2, 0.75), (1, 0.25)]

    def test_a_short_list_is_fine(self) -> None:
        assert [row for row, _ in nearest(QUERY, VECTORS[:2], 5)] == [0, 1]

    def test_no_vectors_or_no_k_give_no_hit(self) -> None:
        assert nearest(QUERY, VECTORS[:0], 5) == nearest(QUERY, VECTORS, 0) == nearest(QUERY, VECTORS, -1) == []

    def test_a_query_that_is_no_number_has_no_neighbour(self) -> None:
        assert nearest(np.array([np.nan, np.nan], np.float32), VECTORS, 5) == []

    def test_a_vector_that_is_no_number_is_no_neighbour(self) -> None:
        vectors = np.vstack([VECTORS, [[np.nan, 0.0]]]).astype(np.float32)
        assert {row for row, _ in nearest(QUERY, vectors, 5)} <= {0, 1, 2, 3}


def test_faiss_finds_what_numpy_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    vectors = random.standard_normal((500, 16)).astype(np.float32)
    query = random.standard_normal(16).astype(np.float32)
    plain = nearest(query, vectors, 20)
    monkeypatch.setattr(dense, "NUMPY_VECTORS", 0)
    assert [row for row, _ in nearest(query, vectors, 20)] == [row for row, _ in plain]
