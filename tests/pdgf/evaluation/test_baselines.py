"""Rankings without a graph."""

import numpy as np
import pytest

from pdgf.evaluation.baselines import baseline_orders, best_first, reciprocal_ranks
from pdgf.evaluation.strategies import Strategy
from tests.fakes import HashingEmbedder
from tests.pdgf.evaluation.village import INNS, corpus


async def test_each_baseline_orders_the_pool_and_nothing_else() -> None:
    pool = ["crown", "heron", "mill", "swan"]
    found = await baseline_orders("a quiet room with a lake view", pool, await corpus(), texts_of_an_item=3)
    assert set(found) == {Strategy.BM25, Strategy.DENSE, Strategy.LATE_FUSION, Strategy.RANK_FUSION}
    assert all(sorted(order) == sorted(pool) for order in found.values())
    assert all(order[0] == "swan" for order in found.values())


async def test_late_fusion_and_dense_are_what_a_plain_computation_gives() -> None:
    request, embedder, pool = "a warm fire", HashingEmbedder(), list(INNS)
    query = (await embedder.encode([request]))[0]
    late: dict[str, float] = {}
    dense: dict[str, float] = {}
    for item, (_, _, texts) in INNS.items():
        vectors = await embedder.encode(texts)
        late[item] = float(np.mean(np.sort(vectors @ query)[::-1][:1]))
        mean = vectors.mean(axis=0)
        dense[item] = float(mean / np.linalg.norm(mean) @ query)
    found = await baseline_orders(request, pool, await corpus(), texts_of_an_item=1)
    assert [round(late[item], 5) for item in found[Strategy.LATE_FUSION]] == sorted(
        (round(value, 5) for value in late.values()), reverse=True
    )
    assert [round(dense[item], 5) for item in found[Strategy.DENSE]] == sorted(
        (round(value, 5) for value in dense.values()), reverse=True
    )


def test_reciprocal_ranks_count_from_the_best_and_leave_out_what_matches_nothing() -> None:
    found = reciprocal_ranks(np.array([0.0, 5.0, 2.0]), least=0.0)
    assert found == pytest.approx([0.0, 1 / 61, 1 / 62])
    assert reciprocal_ranks(np.array([0.0, 5.0])) == pytest.approx([1 / 62, 1 / 61])


def test_ties_go_to_what_comes_first() -> None:
    assert best_first(np.array([1.0, 2.0, 2.0, 0.0])) == [1, 2, 0, 3]
