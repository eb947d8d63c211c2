"""Ranking metrics of METHOD 14.1, for one query each; a macro mean is the plain mean over queries with a truth.

    T = ground truth with support g(i) > 0;  L_k = the first k of the list;  C = the pool
    P@k = |L_k and T| / k          R@k = |L_k and T| / |T|          NDCG@k = DCG(L_k) / DCG(best k of T)
    DCG = sum over ranks r of g(l_r) / log2(r + 1), g = support floored at 1, or 1 when binary
    oracle@k = NDCG@k of the best order of T and C;  coverage gap = 1 - oracle;  ranking gap = oracle - NDCG@k

An item that a list names twice counts at its first rank only. Every function that divides by T raises ValueError
when T is empty: such a query has no value and must be left out of the mean.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

BINS = 10  # deciles


def precision_at(ranked: Sequence[str], truth: Mapping[str, float], k: int = 10) -> float:
    """P@k: relevant items among the first k, always over k, however short the list. Raises ValueError without truth."""
    return len(_relevant(truth).keys() & set(_distinct(ranked)[:k])) / k


def recall_at(ranked: Sequence[str], truth: Mapping[str, float], k: int = 10) -> float:
    """R@k: the share of the truth among the first k. Raises ValueError without truth."""
    relevant = _relevant(truth)
    return len(relevant.keys() & set(_distinct(ranked)[:k])) / len(relevant)


def ndcg_at(ranked: Sequence[str], truth: Mapping[str, float], k: int = 10, *, binary: bool = False) -> float:
    """NDCG@k with gains linear in support, or all 1 when `binary`. Raises ValueError without truth."""
    gains = _gains(truth, binary=binary)
    found = [gains.get(item, 0.0) for item in _distinct(ranked)[:k]]
    return _dcg(found) / _dcg(_best(gains.values(), k))


def hit_at(ranked: Sequence[str], truth: Mapping[str, float], k: int) -> float:
    """H@k: 1 if a relevant item is among the first k, else 0. Raises ValueError without truth."""
    return float(not _relevant(truth).keys().isdisjoint(_distinct(ranked)[:k]))


def reciprocal_rank(ranked: Sequence[str], truth: Mapping[str, float]) -> float:
    """1 / rank of the first relevant item, 0 without one. Raises ValueError without truth."""
    relevant = _relevant(truth)
    return next((1 / rank for rank, item in enumerate(_distinct(ranked), start=1) if item in relevant), 0.0)


def pool_recall(pool: Iterable[str], truth: Mapping[str, float]) -> float:
    """The share of the truth that was retrieved at all. Raises ValueError without truth."""
    relevant = _relevant(truth)
    return len(relevant.keys() & set(pool)) / len(relevant)


def oracle_at(pool: Iterable[str], truth: Mapping[str, float], k: int = 10, *, binary: bool = False) -> float:
    """NDCG@k that the best order of the pool would reach. Raises ValueError without truth."""
    gains = _gains(truth, binary=binary)
    reachable = [gains[item] for item in gains.keys() & set(pool)]
    return _dcg(_best(reachable, k)) / _dcg(_best(gains.values(), k))


def coverage_gap(pool: Iterable[str], truth: Mapping[str, float], k: int = 10, *, binary: bool = False) -> float:
    """What retrieval lost: 1 - oracle@k. Raises ValueError without truth."""
    return 1.0 - oracle_at(pool, truth, k, binary=binary)


def ranking_gap(
    ranked: Sequence[str], pool: Iterable[str], truth: Mapping[str, float], k: int = 10, *, binary: bool = False
) -> float:
    """What ranking lost: oracle@k - NDCG@k; with the coverage gap it adds up to 1 - NDCG@k."""
    return oracle_at(pool, truth, k, binary=binary) - ndcg_at(ranked, truth, k, binary=binary)


def score_deciles(ranked: Sequence[str], truth: Mapping[str, float]) -> tuple[float, ...] | None:
    """The relevance rate in each tenth of a pool sorted by S, the best tenth first; None for pools of less than ten."""
    if len(ranked) < BINS:
        return None
    relevant = _relevant(truth)
    flags = np.array([item in relevant for item in ranked], dtype=np.float64)
    return tuple(float(part.mean()) for part in np.array_split(flags, BINS))


def only_a(a: Collection[str], b: Collection[str], truth: Mapping[str, float]) -> float:
    """Complementarity: the share of the truth that A found and B did not. Raises ValueError without truth."""
    relevant = _relevant(truth)
    return len((relevant.keys() & set(a)) - set(b)) / len(relevant)


def _relevant(truth: Mapping[str, float]) -> dict[str, float]:
    relevant = {item: support for item, support in truth.items() if support > 0}
    if not relevant:
        raise ValueError("a query without a relevant item has no value of this metric")
    return relevant


def _gains(truth: Mapping[str, float], *, binary: bool) -> dict[str, float]:
    return {item: 1.0 if binary else max(1.0, support) for item, support in _relevant(truth).items()}


def _distinct(ranked: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(ranked))


def _best(gains: Iterable[float], k: int) -> list[float]:
    return sorted(gains, reverse=True)[:k]


def _dcg(gains: Sequence[float]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
