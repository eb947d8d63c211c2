"""The ways to order one and the same pool (METHOD 14.4). Pure: labels and scores in, an order out.

    full          S(i) = ln(1 + sum H) along the paths of the graph
    gamma0        the same labels with gamma 0: H = s, no path counts
    no_reduction  the same labels, paths over E without transitive reduction
    max, mean     the best and the mean H of an item's nodes instead of their sum
    sum_of_logs   the same H, S = sum ln(1 + H)
    map_*         the same labels, other score maps of METHOD 7.1
    keep          full without demoting what contradicts a hard wish
    no_edges      E empty: own descriptions, entry queries and labels of isolated wishes
    flat          the whole request as one wish
    year_on/off   full with the benchmark's year rule, and with none

An item of the pool without a record at a strategy's nodes has S = 0 and stands behind those that have one.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from pdgf.constraints import MetadataSchema, hard_violation
from pdgf.identity import name_key
from pdgf.models import Candidate, Label, PreferenceGraph, RankedItem, RemovalReason
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
    SUM_OF_LOGS = "sum_of_logs"
    MAP_SILENT_0 = "map_silent_0"
    MAP_SILENT_25 = "map_silent_25"
    MAP_FOUR_STEPS = "map_four_steps"
    MAP_BINARY = "map_binary"
    KEEP = "keep"
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
MAPS: Mapping[Strategy, tuple[float, float, float, float]] = {  # SUPPORT, PARTIAL, NOT_ADDRESSED, CONTRADICTS
    Strategy.MAP_SILENT_0: (1.0, 0.5, 0.0, 0.0),
    Strategy.MAP_SILENT_25: (1.0, 0.5, 0.25, 0.0),
    Strategy.MAP_FOUR_STEPS: (1.0, 0.67, 0.33, 0.0),
    Strategy.MAP_BINARY: (1.0, 1.0, 0.0, 0.0),
}
_LABELS = (Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS)


class Way(NamedTuple):
    """How the labels of a graph become an order."""

    graph: PreferenceGraph
    config: MethodConfig
    aggregate: Aggregate
    gamma: float


def ways(graph: PreferenceGraph, config: MethodConfig) -> dict[Strategy, Way]:
    """Every strategy that works on the labels of `full` alone."""
    full = Way(graph, config, summed(config), config.gamma)
    logs = config.model_copy(update={"aggregate": "sum_of_logs"})
    keep = config.model_copy(update={"hard_contradiction": "keep"})
    return {
        Strategy.FULL: full,
        Strategy.GAMMA0: full._replace(gamma=0.0),
        Strategy.NO_REDUCTION: full._replace(graph=unreduced(graph)),
        Strategy.MAX: full._replace(aggregate=best_node),
        Strategy.MEAN: full._replace(aggregate=mean_node),
        Strategy.SUM_OF_LOGS: full._replace(config=logs, aggregate=summed(logs)),
        Strategy.KEEP: full._replace(config=keep),
        **{name: full._replace(config=_with_map(config, scores)) for name, scores in MAPS.items()},
    }


def _with_map(config: MethodConfig, scores: Sequence[float]) -> MethodConfig:
    score_map = dict(zip(_LABELS, scores, strict=True))
    return config.model_copy(update={"score_map": score_map, "allow_unsafe_map": True})


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
    pool: Sequence[Candidate], judged: Mapping[str, RankedItem], way: Way, *, schema: MetadataSchema
) -> list[str]:
    """The pool in the order of METHOD 7.4, by H with the gamma of a way on the edges of its graph, made one by its
    aggregate.

    `judged` are the items that have a record, with all their labels; the keys of the order are worked out anew.
    """
    keys = []
    demotes = way.config.hard_contradiction == "demote"
    for place, candidate in enumerate(pool):
        item = judged.get(candidate.id)
        scores = {} if item is None else _path_scores(item, way)
        breaks = (
            bool(hard_violation(way.graph, candidate, schema).violated) if item is None else item.demoted is not None
        )
        key = rank_key(
            demoted=demotes and breaks,
            score=way.aggregate(scores),
            best_path_score=best_node(scores),
            sources=0 if item is None else _sources(item),
            nodes=len(scores),
            first_seen=place,
            name_key=name_key(candidate.title),
            year=candidate.year,
        )
        keys.append((key, candidate.id))
    return [item for _, item in sorted(keys)]


def _path_scores(item: RankedItem, way: Way) -> dict[str, float]:
    return {
        node: path_score(
            way.graph,
            node,
            {u: found.label for u, found in labels.items()},
            score_map=way.config.score_map,
            gamma=way.gamma,
        ).score
        for node, labels in item.judged.items()
    }


def _sources(item: RankedItem) -> int:
    passages = (passage for record in item.evidence for passage in record.passages)
    return len({passage.source.url or passage.source.id for passage in passages})
