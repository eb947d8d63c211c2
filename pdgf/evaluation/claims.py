"""Does the graph help? `full` against what leaves a part of it out, where it should and where it must not.

The ablations of METHOD 14.4 over two kinds of requests:

qualified   requests in which one wish changes the meaning of another: full should beat what does not know it
flat        requests whose wishes stand side by side: full should tie with no_edges

Beside ranking metrics, `told_apart` is the share of (acceptable, unacceptable) pairs of items in which the acceptable
one stands first: items with both wishes but not joined are what a ranking without links confuses. Pure.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import Field

from pdgf.evaluation.dataset import Query
from pdgf.evaluation.links import Links, Pair
from pdgf.evaluation.report import METRICS, orders_of
from pdgf.evaluation.runner import QueryResult
from pdgf.evaluation.statistics import mean_of, paired
from pdgf.evaluation.strategies import Strategy
from pdgf.models import Value

AGAINST = (
    Strategy.NO_EDGES,
    Strategy.GAMMA0,
    Strategy.MAX,
    Strategy.MEAN,
    Strategy.FLAT,
    Strategy.LATE_FUSION,
)
BESIDE = (Strategy.SUM_OF_LOGS, Strategy.MAP_SILENT_0, Strategy.MAP_SILENT_25, Strategy.RANK_FUSION, Strategy.RANDOM)
WANTED = (Strategy.FULL, *AGAINST, *BESIDE)
RANKING = ("ndcg@10", "h@1", "mrr", "pool_recall")
TOLD_APART = "told_apart"


class Annotated(Value):
    """A request with the links that a reader finds in it, the items that answer it and those that would be wrong."""

    domain: str
    text: str
    pairs: tuple[Pair, ...] = ()
    open_to_both: tuple[Pair, ...] = ()
    acceptable: tuple[str, ...]
    unacceptable: dict[str, str] = Field(default_factory=dict)

    @property
    def links(self) -> Links:
        return Links(text=self.text, pairs=self.pairs, open_to_both=self.open_to_both)


def told_apart(order: Sequence[str], acceptable: Collection[str], unacceptable: Collection[str]) -> float:
    """The share of pairs in which the acceptable item stands before the unacceptable one; an item that is not listed
    stands last, two such items count a half. Raises ValueError without a pair."""
    place = {item: number for number, item in enumerate(dict.fromkeys(order))}
    pairs = [(place.get(a, len(place)), place.get(u, len(place))) for a in acceptable for u in unacceptable]
    if not pairs:
        raise ValueError("without an acceptable and an unacceptable item nothing can be told apart")
    return sum(1.0 if a < u else 0.5 if a == u else 0.0 for a, u in pairs) / len(pairs)


def compared_with_full(
    queries: Sequence[Query],
    results: Mapping[str, QueryResult],
    wanted: Sequence[Strategy] = WANTED,
    unacceptable: Mapping[str, Collection[str]] | None = None,
) -> dict[str, Any]:
    """Each strategy over the same requests, with full against each other one. `unacceptable` items by request allow to
    say what was told apart. Raises ValueError without a result."""
    measured = [query for query in queries if query.qid in results]
    if not measured:
        raise ValueError("nothing was measured")
    kinds = RANKING if unacceptable is None else (TOLD_APART, *RANKING)
    values = {
        name.value: {metric: _values(measured, results, name, metric, unacceptable or {}) for metric in kinds}
        for name in wanted
    }
    full = values[Strategy.FULL.value]
    return {
        "requests": len(measured),
        "edges": sum(results[query.qid].edges for query in measured) / len(measured),
        "strategies": {
            name: {metric: mean_of(each).model_dump() for metric, each in found.items()}
            for name, found in values.items()
        },
        "paired": {
            name: {metric: paired(full[metric], each).model_dump() for metric, each in found.items()}
            for name, found in values.items()
            if name != Strategy.FULL.value
        },
    }


def _values(
    measured: Sequence[Query],
    results: Mapping[str, QueryResult],
    name: Strategy,
    metric: str,
    unacceptable: Mapping[str, Collection[str]],
) -> list[float]:
    """A metric of each request; of several orders their mean."""
    found = []
    for query in measured:
        orders = orders_of(query, results[query.qid], name)
        if metric == TOLD_APART:
            each = [told_apart(order, query.truth, unacceptable[query.qid]) for order in orders]
        else:
            each = [METRICS[metric](order, query.truth) for order in orders]
        found.append(sum(each) / len(each))
    return found


def verdict(difference: Mapping[str, float], level: float = 0.05) -> str:
    """What a paired comparison says, in words."""
    if difference["p"] >= level:
        return "no difference shown"
    return "full is better" if difference["difference"] > 0 else "full is worse"
