"""The ways to order one and the same pool (METHOD 14.4). Pure: labels and scores in, an order out.

    full          S(i) = ln(1 + sum H) along the paths of the graph
    gamma0        the same labels with gamma 0: H = s, no path counts
    no_reduction  the same labels, paths over E without transitive reduction
    max, mean     the best and the mean H of an item's nodes instead of their sum
    no_edges      E empty: own descriptions, entry queries and labels of isolated wishes
    flat          the whole request as one wish
    year_on/off   full with the benchmark's year rule, and with none

An item of the pool without a record at a strategy's nodes has S = 0 and stands behind those that have one.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from pdgf.constraints import MetadataSchema, hard_violation
from pdgf.identity import name_key
from pdgf.models import Candidate, PreferenceGraph, RankedItem, RemovalReason
from pdgf.scoring import final_score, path_score, rank_key
from pdgf.settings import MethodConfig

PathScores = Mapping[str, float]
Aggregate = Callable[[PathScores], float]


class Strategy(StrEnum):
    """Every strategy by its name on the command line."""

    FULL = "full"
    NO_EDGES = "no_edges"
    GAMMA0 = "gamma0"
    NO_REDUCTION = "no_reduction"
    MAX = "max"
    MEAN = "mean"
    RANDOM = "random"
    FLAT = "flat"
    BM25 = "bm25"
    DENSE = "dense"
    LATE_FUSION = "late_fusion"
    RANK_FUSION = "rank_fusion"
    YEAR_ON = "year_on"
    YEAR_OFF = "year_off"
    LLM_MEMORY = "llm_memory"
    LLM_RERANK = "llm_rerank"
    LLM_ATTRIBUTES = "llm_attributes"


WITH_MODEL = (Strategy.LLM_MEMORY, Strategy.LLM_RERANK, Strategy.LLM_ATTRIBUTES)
WITHOUT_MODEL = tuple(strategy for strategy in Strategy if strategy not in WITH_MODEL)


def unreduced(graph: PreferenceGraph) -> PreferenceGraph:
    """The graph with the edges that transitive reduction took away; ancestors and order are the same."""
    shortcuts = {(e.base, e.qualifier) for e in graph.removed_edges if e.reason is RemovalReason.SHORTCUT}
    kept = {edge.ends for edge in graph.edges}
    edges = tuple(edge for edge in graph.initial_edges if edge.ends in kept or edge.ends in shortcuts)
    return graph.model_copy(update={"edges": edges})


def best_node(scores: PathScores) -> float:
    """max H over V_i; 0 for an item without a record."""
    return max(scores.values(), default=0.0)


def mean_node(scores: PathScores) -> float:
    """mean H over V_i; 0 for an item without a record."""
    return math.fsum(scores.values()) / len(scores) if scores else 0.0


def summed(config: MethodConfig) -> Aggregate:
    """S of METHOD 7.3."""
    return lambda scores: final_score(scores, aggregate=config.aggregate)


def graph_order(
    pool: Sequence[Candidate],
    judged: Mapping[str, RankedItem],
    graph: PreferenceGraph,
    config: MethodConfig,
    *,
    aggregate: Aggregate,
    gamma: float,
    schema: MetadataSchema,
) -> list[str]:
    """The pool in the order of METHOD 7.4, by H with this gamma on the edges of `graph`, made one by `aggregate`.

    `judged` are the items that have a record, with all their labels; the keys of the order are worked out anew.
    """
    keys = []
    for place, candidate in enumerate(pool):
        item = judged.get(candidate.id)
        scores = {} if item is None else _path_scores(item, graph, config, gamma)
        if item is None:
            demoted = config.hard_contradiction == "demote" and bool(hard_violation(graph, candidate, schema).violated)
        else:
            demoted = item.demoted is not None
        key = rank_key(
            demoted=demoted,
            score=aggregate(scores),
            best_path_score=best_node(scores),
            sources=0 if item is None else _sources(item),
            nodes=len(scores),
            first_seen=place,
            name_key=name_key(candidate.title),
            year=candidate.year,
        )
        keys.append((key, candidate.id))
    return [item for _, item in sorted(keys)]


def _path_scores(item: RankedItem, graph: PreferenceGraph, config: MethodConfig, gamma: float) -> dict[str, float]:
    return {
        node: path_score(
            graph, node, {u: found.label for u, found in labels.items()}, score_map=config.score_map, gamma=gamma
        ).score
        for node, labels in item.judged.items()
    }


def _sources(item: RankedItem) -> int:
    passages = (passage for record in item.evidence for passage in record.passages)
    return len({passage.source.url or passage.source.id for passage in passages})
