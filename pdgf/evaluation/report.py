"""From the orders of all requests to figures with intervals (METHOD 14.1). Pure: nothing is asked or measured here.

strategies       each metric: macro mean over requests with a truth, bootstrap interval
recall_curve     recall among the first k = 1..50
gaps             what the best order of the pool would reach, what retrieval and what ranking lost
deciles          relevance rate by tenths of the ordered pool
complementarity  what one strategy's first ten found of the truth and another's did not; the same for retrieval
paired           full against each other strategy over the same requests
runs             of strategies whose lists vary: each run's macro mean, and the standard deviation of those
"""

import hashlib
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pdgf.evaluation import metrics
from pdgf.evaluation.dataset import Query
from pdgf.evaluation.runner import QueryResult
from pdgf.evaluation.statistics import mean_of, paired
from pdgf.evaluation.strategies import WITH_MODEL, Strategy

RANDOM_SEEDS = 20
CURVE = range(1, 51)
FIRST = 10
PAIRED = ("ndcg@10", "ndcg@10_binary", "h@1", "mrr")
Order = Sequence[str]
Truth = Mapping[str, float]
Metric = Callable[[Order, Truth], float]

METRICS: dict[str, Metric] = {
    "p@10": metrics.precision_at,
    "r@10": metrics.recall_at,
    "ndcg@10": metrics.ndcg_at,
    "ndcg@10_binary": lambda order, truth: metrics.ndcg_at(order, truth, binary=True),
    "h@1": lambda order, truth: metrics.hit_at(order, truth, 1),
    "h@5": lambda order, truth: metrics.hit_at(order, truth, 5),
    "mrr": metrics.reciprocal_rank,
    "pool_recall": metrics.pool_recall,
}


def figures(queries: Sequence[Query], results: Mapping[str, QueryResult], wanted: Sequence[Strategy]) -> dict[str, Any]:
    """All figures of a run, as JSON; only requests that have a result count. Raises ValueError without one."""
    measured = [query for query in queries if query.qid in results]
    if not measured:
        raise ValueError("nothing was measured")
    orders = {
        strategy.value: [orders_of(query, results[query.qid], strategy) for query in measured] for strategy in wanted
    }
    values = {
        name: {metric: _values(measured, found, function) for metric, function in METRICS.items()}
        for name, found in orders.items()
    }
    truths = [query.truth for query in measured]
    return {
        "strategies": {
            name: {
                **{metric: mean_of(each).model_dump() for metric, each in by_metric.items()},
                "seconds": _seconds(measured, results, name),
            }
            for name, by_metric in values.items()
        },
        "recall_curve": {name: _curve(found, truths) for name, found in orders.items()},
        "gaps": {name: _gaps(found, truths) for name, found in orders.items()},
        "deciles": {name: _deciles(found, truths) for name, found in orders.items()},
        "complementarity": {
            "first_ten": _only(
                {name: [[order[:FIRST] for order in each] for each in found] for name, found in orders.items()}, truths
            ),
            "retrieved": _only(
                {way: [[results[query.qid].found[way]] for query in measured] for way in ("full", "flat")}, truths
            ),
        },
        "paired": _paired(values),
        "runs": {name.value: _runs(measured, orders[name.value]) for name in wanted if name in WITH_MODEL},
        "requests": _counts(measured, results),
    }


def random_orders(order: Order, qid: str, seeds: int = RANDOM_SEEDS) -> list[list[str]]:
    """So many random orders of a pool, the same ones in every run."""
    made: list[list[str]] = []
    for seed in range(seeds):
        digest = hashlib.sha256(f"{seed}|{qid}".encode()).digest()
        places = np.random.default_rng(int.from_bytes(digest[:8], "big")).permutation(len(order))
        made.append([order[place] for place in places])
    return made


def orders_of(query: Query, result: QueryResult, strategy: Strategy) -> list[list[str]]:
    """The lists whose mean counts: one, or one a seed or a run. An unread request has an empty one."""
    order = result.rankings.get(strategy.value, [])
    if strategy is Strategy.RANDOM:
        return random_orders(order, query.qid)
    return [order, *result.again.get(strategy.value, [])]


def _values(measured: Sequence[Query], orders: Sequence[Sequence[Order]], metric: Metric) -> list[float]:
    """A metric of each request, of several lists their mean."""
    return [_mean([metric(order, query.truth) for order in each]) for query, each in zip(measured, orders, strict=True)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _seconds(measured: Sequence[Query], results: Mapping[str, QueryResult], name: str) -> dict[str, float] | None:
    taken = [results[query.qid].seconds[name] for query in measured if name in results[query.qid].seconds]
    return mean_of(taken).model_dump() if taken else None


def _curve(orders: Sequence[Sequence[Order]], truths: Sequence[Truth]) -> list[float]:
    return [
        _mean(
            [
                _mean([metrics.recall_at(order, truth, k) for order in each])
                for each, truth in zip(orders, truths, strict=True)
            ]
        )
        for k in CURVE
    ]


def _gaps(orders: Sequence[Sequence[Order]], truths: Sequence[Truth]) -> dict[str, float]:
    """Oracle@10, coverage gap and ranking gap, by graded gain; the two gaps add up to 1 - NDCG@10."""
    pairs = list(zip(orders, truths, strict=True))
    oracle = _mean([_mean([metrics.oracle_at(order, truth) for order in each]) for each, truth in pairs])
    ndcg = _mean([_mean([metrics.ndcg_at(order, truth) for order in each]) for each, truth in pairs])
    return {"oracle@10": oracle, "coverage_gap": 1.0 - oracle, "ranking_gap": oracle - ndcg}


def _deciles(orders: Sequence[Sequence[Order]], truths: Sequence[Truth]) -> list[float] | None:
    """The macro mean by tenths over pools of at least ten items; None without such a pool."""
    found = [
        rates
        for each, truth in zip(orders, truths, strict=True)
        for order in each
        if (rates := metrics.score_deciles(order, truth)) is not None
    ]
    return [_mean(tenth) for tenth in zip(*found, strict=True)] if found else None


def _only(found: Mapping[str, Sequence[Sequence[Order]]], truths: Sequence[Truth]) -> dict[str, dict[str, float]]:
    """only-A of METHOD 14.1 for every pair of strategies; of several lists the mean over all pairs of them."""
    return {
        a: {
            b: _mean(
                [
                    _mean([metrics.only_a(x, y, truth) for x in xs for y in ys])
                    for xs, ys, truth in zip(found[a], found[b], truths, strict=True)
                ]
            )
            for b in found
            if b != a
        }
        for a in found
    }


def _runs(measured: Sequence[Query], orders: Sequence[Sequence[Order]]) -> dict[str, Any]:
    """The macro mean of each run by each metric, and how far the runs lie apart."""
    count = min(map(len, orders))
    means = {
        name: [_mean(_values(measured, [[each[run]] for each in orders], metric)) for run in range(count)]
        for name, metric in METRICS.items()
    }
    spread = {name: statistics.stdev(each) if count > 1 else 0.0 for name, each in means.items()}
    return {"count": count, "means": means, "deviation": spread}


def _paired(values: Mapping[str, Mapping[str, Sequence[float]]]) -> dict[str, dict[str, Any]]:
    """full minus each other strategy."""
    full = values.get(Strategy.FULL.value)
    if full is None:
        return {}
    return {
        name: {metric: paired(full[metric], other[metric]).model_dump() for metric in PAIRED}
        for name, other in values.items()
        if name != Strategy.FULL.value
    }


def _counts(measured: Sequence[Query], results: Mapping[str, QueryResult]) -> dict[str, Any]:
    each = [results[query.qid] for query in measured]
    setbacks: dict[str, int] = {}
    for result in each:
        for step, count in result.setbacks.items():
            setbacks[step] = setbacks.get(step, 0) + count
    return {
        "measured": len(each),
        "unread": sum(bool(result.unread) for result in each),
        "pool": _mean([result.pool for result in each]),
        "nodes": _mean([result.nodes for result in each]),
        "edges": _mean([result.edges for result in each]),
        "setbacks": setbacks,
    }
