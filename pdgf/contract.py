"""The JSON of the commands: a stable contract that others drive the product through (DESIGN section 6)."""

from typing import Any

from pdgf.models import Evidence, Label, PreferenceGraph, RankedItem, Recommendation, SearchQuery


def graph_json(graph: PreferenceGraph, queries: tuple[SearchQuery, ...]) -> dict[str, Any]:
    """The object that `pdgf graph --json` prints."""
    return {
        "narrative": graph.narrative,
        "language": graph.language,
        "atoms": [atom.model_dump(mode="json", include={"id", "text", "kind", "hard"}) for atom in graph.atoms],
        "nodes": [
            node.model_dump(
                mode="json",
                include={"id", "atom", "perspective", "instantiation", "polarity", "feature", "hard", "span"},
            )
            for node in graph.nodes
        ],
        "initial_edges": [{"base": edge.base, "qualifier": edge.qualifier} for edge in graph.initial_edges],
        "removed_edges": [edge.model_dump(mode="json") for edge in graph.removed_edges],
        "edges": [{"base": edge.base, "qualifier": edge.qualifier, "span": edge.span} for edge in graph.edges],
        "order": list(graph.order),
        "queries": [{"base": query.base, "node": query.node, "text": query.text} for query in queries],
        "excluded_titles": [
            {"title": atom.text, "year": atom.year} for atom in graph.atoms if atom.kind.value == "reference"
        ],
    }


def item_json(item: RankedItem, rank: int) -> dict[str, Any]:
    """One entry of `items`: score unrounded, labels of every path covering the node and all its ancestors."""
    return {
        "rank": rank,
        "id": item.candidate.id,
        "title": item.candidate.title,
        "year": item.candidate.year,
        "score": item.score,
        "demoted": item.demoted,
        "unknown": list(item.unknown),
        "metadata": dict(item.candidate.metadata),
        "paths": [
            {
                "node": path.node,
                "score": path.score,
                "path": list(path.path),
                "labels": {node: label.value for node, label in path.labels.items()},
            }
            for path in item.paths
        ],
        "evidence": [_evidence_json(item, evidence) for evidence in item.evidence],
    }


def _evidence_json(item: RankedItem, evidence: Evidence) -> dict[str, Any]:
    """x_{v,i} with the quote that decided the node's own label, or its first passage where none did."""
    own = item.judged.get(evidence.node, {}).get(evidence.node)
    quotes = own.quotes if own else ()
    quote = quotes[0] if quotes else evidence.passages[0].text
    sources = evidence.sources_of(quote) or tuple(passage.source for passage in evidence.passages)
    return {
        "node": evidence.node,
        "text": evidence.text,
        "quote": quote,
        "label": (own.label if own else Label.NOT_ADDRESSED).value,
        "sources": [{"id": source.id, "url": source.url} for source in sources],
    }


def recommendation_json(recommendation: Recommendation) -> dict[str, Any]:
    """The object that `pdgf recommend --json` prints."""
    return {
        "graph": graph_json(recommendation.graph, recommendation.queries),
        "items": [item_json(item, rank) for rank, item in enumerate(recommendation.items, start=1)],
        "pool": recommendation.pool,
        "dropped": [dropped.model_dump(mode="json") for dropped in recommendation.dropped],
        "usage": recommendation.usage.model_dump(mode="json"),
        "config": recommendation.config,
    }
