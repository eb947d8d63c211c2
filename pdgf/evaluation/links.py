"""The links that an agent draws, against those that a reader has found by hand (METHOD 4.3).

A pair names base and qualifier by words of the request; a node stands for the words that its own span overlaps. Where a
graph has an edge from a node of the base to a node of the qualifier, the pair is found.

    right    edges that are an annotated pair          precision = right / (right + wrong)
    wrong    edges that are none                       recall    = found / pairs
    open     edges that a reader may draw or leave out; they count nowhere
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pdgf.evaluation.classification import Counts
from pdgf.models import Node, PreferenceGraph, RelationLabel, RemovalReason, Value
from pdgf.ports import (
    Cycle,
    ExtractionRequest,
    FoundRecord,
    NodePair,
    PairJudgement,
    PreferenceAgent,
    Reading,
    RefinementRequest,
    RelationRequest,
    RewriteRequest,
    Span,
)
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

Pair = tuple[str, str]


class Links(Value):
    """What a reader has found in a request: pairs that must be drawn, and pairs that may be."""

    text: str
    pairs: tuple[Pair, ...] = ()
    open_to_both: tuple[Pair, ...] = ()


class Compared(Value):
    """The edges of one graph against the links of its request. `missed` says of each pair that is not drawn why."""

    right: int = 0
    wrong: tuple[Pair, ...] = ()
    left_open: int = 0
    found: int = 0
    missed: tuple[tuple[Pair, str], ...] = ()


def compared(graph: PreferenceGraph, links: Links) -> Compared:
    """The edges of a graph, shortcuts that reduction took away among them, against what a reader has found."""
    nodes = graph.node_by_id
    shortcuts = {(e.base, e.qualifier) for e in graph.removed_edges if e.reason is RemovalReason.SHORTCUT}
    kept = {edge.ends for edge in graph.edges} | shortcuts
    edges = [(nodes[base], nodes[qualifier]) for base, qualifier in sorted(kept)]
    right = [edge for edge in edges if any(_is(edge, pair, links.text) for pair in links.pairs)]
    others = [edge for edge in edges if edge not in right]
    left_open = [edge for edge in others if any(_is(edge, pair, links.text) for pair in links.open_to_both)]
    missed = [pair for pair in links.pairs if not any(_is(edge, pair, links.text) for edge in right)]
    return Compared(
        right=len(right),
        wrong=tuple((u.instantiation, v.instantiation) for u, v in others if (u, v) not in left_open),
        left_open=len(left_open),
        found=len(links.pairs) - len(missed),
        missed=tuple((pair, _why_missed(graph, edges, pair, links.text)) for pair in missed),
    )


def summary(each: Sequence[Compared]) -> dict[str, Any]:
    """Precision, recall and F1 over all requests, and how often which fault lost a pair."""
    edges = Counts(right=sum(c.right for c in each), wrong=sum(len(c.wrong) for c in each))
    found, missed = sum(c.found for c in each), [why for c in each for _, why in c.missed]
    pairs = found + len(missed)
    precision, recall = edges.precision, found / pairs if pairs else 0.0
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "edges": edges.right + edges.wrong,
        "left_open": sum(c.left_open for c in each),
        "pairs": pairs,
        "missed": {why: missed.count(why) for why in sorted(set(missed))},
    }


@dataclass(frozen=True)
class HandLinked:
    """A PreferenceAgent that draws the links of a reader between the nodes that another one reads, and leaves
    everything else to that one. `links` are found by the text of the request."""

    inner: PreferenceAgent
    links: Sequence[Links]

    async def extract_nodes(
        self, narrative: str, hard_spans: Sequence[Span] | None, config: MethodConfig, budget: Budget
    ) -> Reading:
        read = await self.inner.extract_nodes(narrative, hard_spans, config, budget)
        return read.model_copy(update={"judgements": None})

    async def judge_pairs(
        self, narrative: str, pairs: Sequence[NodePair], budget: Budget
    ) -> list[PairJudgement | None]:
        links = next((found for found in self.links if found.text == narrative), Links(text=narrative))
        return [_by_hand(pair, links) for pair in pairs]

    async def choose_edge_to_remove(self, narrative: str, cycle: Cycle, budget: Budget) -> tuple[str, str] | None:
        return await self.inner.choose_edge_to_remove(narrative, cycle, budget)

    async def describe(self, narrative: str, requests: Sequence[RefinementRequest], budget: Budget) -> list[str]:
        return await self.inner.describe(narrative, requests, budget)

    async def rewrite(
        self, narrative: str, requests: Sequence[RewriteRequest], item_word: str, budget: Budget
    ) -> list[str]:
        return await self.inner.rewrite(narrative, requests, item_word, budget)

    async def label_relations(self, requests: Sequence[RelationRequest], budget: Budget) -> list[RelationLabel]:
        return await self.inner.label_relations(requests, budget)

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        return await self.inner.extract_candidates(requests, item_word, budget)


def _by_hand(pair: NodePair, links: Links) -> PairJudgement | None:
    for base, qualifier in ((pair.u, pair.v), (pair.v, pair.u)):
        if any(_is((base, qualifier), words, links.text) for words in links.pairs):
            return PairJudgement(base=base.id, qualifier=qualifier.id)
    return None


def _is(edge: tuple[Node, Node], pair: Pair, text: str) -> bool:
    """Whether an edge goes from the base of a pair to its qualifier. A node that spans both is taken for neither end
    where the edge could be read in both directions."""
    (base, qualifier), (first, second) = edge, pair
    forth = _names(base, first, text) and _names(qualifier, second, text)
    back = _names(base, second, text) and _names(qualifier, first, text)
    return forth and not back


def _names(node: Node, words: str, text: str) -> bool:
    start, end = node.span
    return any(place < end and start < place + len(words) for place in _places(words, text))


def _places(words: str, text: str) -> list[int]:
    """Where words stand in a text."""
    found, place = [], text.find(words)
    while place >= 0:
        found.append(place)
        place = text.find(words, place + 1)
    return found


def _why_missed(graph: PreferenceGraph, edges: Sequence[tuple[Node, Node]], pair: Pair, text: str) -> str:
    if any(_is((v, u), pair, text) for u, v in edges):
        return "drawn the other way round"
    ends = [[node for node in graph.nodes if _names(node, words, text)] for words in pair]
    if not ends[0] or not ends[1]:
        return "base not read" if not ends[0] else "qualifier not read"
    return "read as one wish" if {n.id for n in ends[0]} == {n.id for n in ends[1]} else "not drawn"
