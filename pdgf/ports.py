"""The seams: what PDG-F needs from outside, as protocols with one job each.

`PreferenceAgent` is PDG-A with one method a step of the method. What each method may see is binding (METHOD 2):
a relation judge never sees the narrative or another text, a rewriter never sees f. Lists go in and lists of the
same length come out, so that an adapter decides how many comparisons share a call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pdgf.constraints import MetadataSchema
from pdgf.models import (
    Aspect,
    Atom,
    Candidate,
    Dropped,
    Evidence,
    Metadata,
    Node,
    Passage,
    PreferenceGraph,
    QualificationEdge,
    RelationLabel,
    SearchQuery,
    Value,
)
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

Span = tuple[int, int]
Vectors = NDArray[np.float32]


class Reading(Value):
    """What NodeExtractor returns: the language of the narrative, its atoms and its nodes in order of first mention.

    `judgements` holds d_q(u, v) for all pairs, those of NONE left out, where the agent judged them in the same call;
    None where the pairs are still to be judged.
    """

    language: str
    atoms: tuple[Atom, ...]
    nodes: tuple[Node, ...]
    notes: tuple[Dropped, ...] = ()
    judgements: "tuple[PairJudgement, ...] | None" = None


class NodePair(Value):
    """What EdgeJudge sees besides q: two initial nodes and their atoms, the one mentioned first as `u`."""

    u: Node
    v: Node
    atom_u: Atom
    atom_v: Atom


class PairJudgement(Value):
    """d_q(u, v) when it is not NONE: which node qualifies which, in what aspect, by which words, how surely."""

    base: str
    qualifier: str
    aspect: Aspect = Aspect.TARGET
    span: str = ""
    confidence: float = 1.0


class Cycle(Value):
    """What CycleJudge sees besides q: one strongly connected component with its inner and outer edges."""

    nodes: tuple[Node, ...]
    atoms: tuple[Atom, ...]
    internal_edges: tuple[QualificationEdge, ...]
    external_edges: tuple[QualificationEdge, ...]


class RefinementRequest(Value):
    """What Refiner sees besides q: c_v^0, the refined ancestors in order pi, and the reduced edges among them and v.

    An ancestor without a feature is described in the same list, further up.
    """

    node: Node
    ancestors: tuple[Node, ...] = ()
    edges: tuple[QualificationEdge, ...] = ()


class RewriteRequest(Value):
    """What Rewriter sees besides q: c_u^0 (None for ROOT) and c_v^0, never f."""

    base: Node | None
    node: Node


class RelationRequest(Value):
    """What RelationJudge sees: x_{v,i} and f_u, nothing else."""

    text: str
    feature: str


class ExtractionRequest(Value):
    """What CandidateExtractor sees: one chunk of a page and f_v, nothing else (METHOD 6.1)."""

    chunk: str
    feature: str


class FoundRecord(Value):
    """<name, year, x>: one item that a chunk identifies, and the passages of the chunk that speak of it, verbatim."""

    name: str
    year: int | None = None
    passages: tuple[str, ...]


class PreferenceAgent(Protocol):
    """PDG-A. Every list returned has the length and order of the list given.

    A reply that stays unusable after the adapter's own retries is answered with the fallback of METHOD 2:
    no edge (None), the edge of least confidence (None), NOT_ADDRESSED, no record; the budget is told of it as a
    setback. Calls, waves and tokens are counted on the budget by the adapter, which alone knows how many requests share
    a call.
    """

    async def extract_nodes(
        self, narrative: str, hard_spans: Sequence[Span] | None, config: MethodConfig, budget: Budget
    ) -> Reading:
        """Without `hard_spans` the agent derives hardness from the words (METHOD 4.2, Strength)."""
        ...

    async def judge_pairs(
        self, narrative: str, pairs: Sequence[NodePair], budget: Budget
    ) -> list[PairJudgement | None]: ...

    async def choose_edge_to_remove(self, narrative: str, cycle: Cycle, budget: Budget) -> tuple[str, str] | None: ...

    async def describe(self, narrative: str, requests: Sequence[RefinementRequest], budget: Budget) -> list[str]: ...

    async def rewrite(
        self, narrative: str, requests: Sequence[RewriteRequest], item_word: str, budget: Budget
    ) -> list[str]: ...

    async def label_relations(self, requests: Sequence[RelationRequest], budget: Budget) -> list[RelationLabel]: ...

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]: ...


class ProposedTitle(Value):
    """A title that somebody believes to fit, from memory: a lead to search for, never evidence and never a candidate.

    `name` is one line without the year; `year` is None where it is not known for sure.
    """

    name: str
    year: int | None = None


class TitleProposer(Protocol):
    """Names titles that may fit a narrative, so that the open web can be searched for them."""

    async def propose_titles(self, narrative: str, item_word: str, limit: int, budget: Budget) -> list[ProposedTitle]:
        """At most `limit` different items (METHOD 6.3), the most fitting first; none where it cannot answer, of which
        the budget is told as a setback. Calls and tokens are counted on the budget. Raises BudgetSpent."""
        ...


class Acquired(Value):
    """(C_q, EV_q): the candidates and, for each (item, node) with a record, x_{v,i}.

    `known_metadata` are the keys and values of everything the source knows: what a wish can be checked against must not
    shrink when items leave the pool.
    """

    candidates: tuple[Candidate, ...]
    evidence: tuple[Evidence, ...]
    known_metadata: MetadataSchema = MetadataSchema()
    dropped: tuple[Dropped, ...] = ()


class EvidenceSource(Protocol):
    """Turns the queries of a graph into candidates and evidence (METHOD 5 and 6)."""

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired: ...


class SearchHit(Value):
    """One organic result: its address, what the provider shows of it, and its rank from 1."""

    url: str
    title: str = ""
    snippet: str = ""
    rank: int


class Found(Value):
    """What one provider found for one query, best first; empty when it found nothing."""

    query: str
    provider: str
    hits: tuple[SearchHit, ...]


class Search(Protocol):
    """A web search (METHOD 5.2, 13.1)."""

    @property
    def name(self) -> str: ...

    async def search(self, queries: Sequence[str], *, language: str, budget: Budget) -> list[Found]:
        """One result for each query, in their order; each query is counted on the budget.

        Raises SearchFailed when no provider answers at all.
        """
        ...


class ReadPage(Value):
    """The visible text of a page, one block or table cell a line, under the address where its redirects ended."""

    url: str
    text: str


class PageReader(Protocol):
    """Fetches and extracts pages (METHOD 5.3, 5.4)."""

    async def read(self, url: str, budget: Budget) -> ReadPage:
        """One page is spent on the budget when the request for it is sent, none for a page that is refused before
        or kept from earlier. Raises PageUnusable for a page that cannot be read, `cap` when no page is left to
        spend, and nothing else."""
        ...


class Embedder(Protocol):
    """A sentence encoder. `id` names the model; vectors are float32 rows, normalised when `normalised` is true."""

    @property
    def id(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension); empty in, empty out. Raises EmbedderUnavailable."""
        ...


class ReviewHit(Value):
    """One passage of one item and its similarity to a question."""

    item: str
    passage: Passage
    score: float


class ReviewIndex(Protocol):
    """Nearest passages of given items: the evidence for explanations and answers (METHOD 9.5, 9.7)."""

    async def nearest(self, query: str, items: Sequence[str], k: int) -> list[ReviewHit]:
        """At most k hits an item, best first within each item, items in the order given. Unknown items are skipped."""
        ...


class ItemCatalogue(Protocol):
    """Items by id and by name, with their metadata."""

    def items(self) -> Sequence[Candidate]: ...

    def metadata_of(self, item: str) -> Metadata:
        """Metadata by item id. Raises KeyError for an unknown id."""
        ...


@dataclass(frozen=True, kw_only=True)
class Ports:
    """What a recommendation needs from outside."""

    agent: PreferenceAgent
    source: EvidenceSource
