"""The arithmetic of topological path ranking (METHOD 7.2 to 7.4).

    s(x, f) = score_map[label(x, f)]
    H(x, u) = s(x, f_u) + gamma * max over p in Pa(u) of H(x, p)        no bases: H(x, u) = s(x, f_u)
    S(i)    = ln(1 + sum over v in V_i of H(x_{v,i}, v))

H is always taken with the same x = x_{v,i} on v and its ancestors, in order pi; the virtual ROOT has no part in it.
Pure and without any check of gamma or the map: the config checks itself (METHOD 3).
"""

import math
from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pdgf.models import Label, PathScore, PreferenceGraph

Scores = NDArray[np.float64]
DIGITS = 12  # decimals of S and H that count in the order: enough for every true difference, above float noise


class RankKey(NamedTuple):
    """The sort key of METHOD 7.4, ascending: demoted ones last, then by score, then by what cannot be a tie."""

    demoted: int
    minus_score: float
    minus_best_path: float
    minus_sources: int
    minus_nodes: int
    first_seen: int
    name_key: str
    year: int


def chain(graph: PreferenceGraph, node_id: str) -> tuple[str, ...]:
    """Anc(v) in order pi, then v: the nodes whose labels H(x, v) depends on. Raises KeyError for an unknown node."""
    return (*graph.ancestors(node_id), node_id)


def path_score(
    graph: PreferenceGraph, node_id: str, labels: Mapping[str, Label], *, score_map: Mapping[Label, float], gamma: float
) -> PathScore:
    """H(x, v) and the path from a root that won the maximum; of equal bases the first in order pi wins.

    `labels` are those of one x. Raises KeyError when v or one of its ancestors has no label.
    """
    scores = {u: score_map[labels[u]] for u in chain(graph, node_id)}
    path, score = best_path(graph, node_id, scores, gamma)
    return PathScore(node=node_id, score=score, path=path, labels={u: labels[u] for u in scores})


def best_path(
    graph: PreferenceGraph, node_id: str, scores: Mapping[str, float], gamma: float
) -> tuple[tuple[str, ...], float]:
    """The best discounted refinement path that ends at v, root first, and its H, from the scores s of one x."""
    found: dict[str, tuple[tuple[str, ...], float]] = {}
    for u in chain(graph, node_id):
        upstream = max((found[p] for p in graph.bases(u)), key=lambda path: path[1], default=((), 0.0))
        found[u] = (*upstream[0], u), scores[u] + gamma * upstream[1]
    return found[node_id]


def path_values(graph: PreferenceGraph, node_id: str, scores: Scores, gamma: float) -> Scores:
    """H(x, v) for many x at once: `scores` is (records, len(chain)), its columns in the order of `chain`; (records,)
    comes back. Bit for bit what `best_path` computes."""
    column = {u: position for position, u in enumerate(chain(graph, node_id))}
    values: dict[str, Scores] = {}
    for u, position in column.items():
        upstream = [values[p] for p in graph.bases(u)]
        own = scores[:, position]
        values[u] = own + gamma * np.maximum.reduce(upstream) if upstream else own
    return values[node_id]


def path_bounds(
    graph: PreferenceGraph, node_id: str, scores: Scores, *, score_map: Mapping[Label, float], gamma: float
) -> tuple[Scores, Scores]:
    """Lower and upper bound of H(x, v), where NaN stands for a score that is not known yet (METHOD 11.2).

    An unknown s becomes the smallest and the largest value of the map: 0 and 1 with the default map. H rises with
    every s, so the true value lies between the two.
    """
    unknown = np.isnan(scores)
    low = path_values(graph, node_id, np.where(unknown, min(score_map.values()), scores), gamma)
    high = path_values(graph, node_id, np.where(unknown, max(score_map.values()), scores), gamma)
    return low, high


def final_score(path_scores: Mapping[str, float], *, aggregate: Literal["log_of_sum", "sum_of_logs"]) -> float:
    """S(i) from H(x_{v,i}, v) for v in V_i, by node id: ln(1 + sum H), or sum ln(1 + H) for sensitivity runs.

    Exact sums over sorted ids make it the same to the last bit for every order of the records.
    """
    values = [path_scores[node] for node in sorted(path_scores)]
    if aggregate == "sum_of_logs":
        return math.fsum(math.log1p(value) for value in values)
    return math.log1p(math.fsum(values))


def rank_key(
    *,
    demoted: bool,
    score: float,
    best_path_score: float,
    sources: int,
    nodes: int,
    first_seen: int,
    name_key: str,
    year: int | None,
) -> RankKey:
    """METHOD 7.4: (demoted, -round(S, 12), -round(max H, 12), -sources, -|V_i|, first seen, name key, year or 0)."""
    return RankKey(
        int(demoted),
        -round(score, DIGITS),
        -round(best_path_score, DIGITS),
        -sources,
        -nodes,
        first_seen,
        name_key,
        year or 0,
    )
