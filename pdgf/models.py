"""What flows through PDG-F, in the papers' words.

    narrative q
      -> Atom                    a_i
      -> Node                    c_v^0 = <atom, perspective, instantiation, feature>, then feature = f_v
      -> QualificationEdge       (u, v): v qualifies u
      -> PreferenceGraph         acyclic and reduced; E^0 and the log of removed edges are kept
      -> SearchQuery             r_uv, one an edge of E+
      -> Evidence                x_{v,i}, the description of item i recalled at node v
      -> RelationLabel           label(x, f)
      -> PathScore               H(x, v) and the path that won the maximum
      -> RankedItem              S(i)
      -> Recommendation

Every value is frozen and can be written as JSON. Symbols follow METHOD sections 4 to 7.
"""

import hashlib
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

MetadataValue = str | int | float | bool | list[str]
Metadata = Mapping[str, MetadataValue]


class Value(BaseModel):
    """A frozen value; an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy without what was cached from the old fields: pydantic would carry cached properties over."""
        copy = super().model_copy(update=update, deep=deep)
        for name in set(copy.__dict__) - set(type(copy).model_fields):
            del copy.__dict__[name]
        return copy


class AtomKind(StrEnum):
    """What a span of the narrative is: a reference item, an evaluation of something known, or a criterion."""

    REFERENCE = "reference"
    FEEDBACK = "feedback"
    CRITERION = "criterion"


class Polarity(StrEnum):
    """Whether the user wants what a node names or wants it kept away."""

    WANT = "want"
    AVOID = "avoid"


class Aspect(StrEnum):
    """What of the base preference a qualifier narrows (PDG-F, "Edge: Qualification Dependencies")."""

    TARGET = "target"
    MANNER = "manner"
    CONDITION = "condition"


class Label(StrEnum):
    """How a description of an item relates to a preference description (METHOD 7.1)."""

    SUPPORT = "SUPPORT"
    PARTIAL = "PARTIAL"
    NOT_ADDRESSED = "NOT_ADDRESSED"
    CONTRADICTS = "CONTRADICTS"


class RemovalReason(StrEnum):
    """Why an initial edge is not part of the final graph."""

    CYCLE = "cycle"
    SHORTCUT = "shortcut"


class Atom(Value):
    """a_i: one preference atom and the half-open character span of the narrative it was read from."""

    id: str
    text: str
    span: tuple[int, int]
    kind: AtomKind = AtomKind.CRITERION
    hard: bool = False
    year: int | None = None


class Node(Value):
    """c_v: one instantiation z of a perspective p of an atom; `feature` is f_v and empty until refined.

    `order` is the rank of first mention, `span` the characters of the narrative that name z, `strength` the
    words of the narrative that weaken or strengthen it ("as a subplot", "must", "nothing too").
    """

    id: str
    atom: str
    perspective: str
    instantiation: str
    polarity: Polarity = Polarity.WANT
    feature: str = ""
    hard: bool = False
    order: int = 0
    span: tuple[int, int] = (0, 0)
    strength: str = ""


class QualificationEdge(Value):
    """(u, v): `qualifier` v further qualifies `base` u. `span` is the wording that shows it, confidence in [0, 1]."""

    base: str
    qualifier: str
    span: str = ""
    aspect: Aspect = Aspect.TARGET
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)

    @property
    def ends(self) -> tuple[str, str]:
        return self.base, self.qualifier


class RemovedEdge(Value):
    """An edge of E^0 that is not in E, with the reason (METHOD 4.4, 4.5)."""

    base: str
    qualifier: str
    reason: RemovalReason


class PreferenceGraph(Value):
    """G_q = (V, E, F): acyclic and transitively reduced, with E^0 and the log of removed edges kept.

    `order` is the reproducible topological order pi. Bases and ancestors always mean the reduced E.
    """

    narrative: str
    language: str = "en"
    atoms: tuple[Atom, ...] = ()
    nodes: tuple[Node, ...] = ()
    initial_edges: tuple[QualificationEdge, ...] = ()
    removed_edges: tuple[RemovedEdge, ...] = ()
    edges: tuple[QualificationEdge, ...] = ()
    order: tuple[str, ...] = ()

    @cached_property
    def node_by_id(self) -> Mapping[str, Node]:
        return {node.id: node for node in self.nodes}

    @cached_property
    def _bases(self) -> Mapping[str, tuple[str, ...]]:
        bases: dict[str, list[str]] = {node.id: [] for node in self.nodes}
        for edge in self.edges:
            bases[edge.qualifier].append(edge.base)
        rank = {node_id: position for position, node_id in enumerate(self.order)}
        return {node_id: tuple(sorted(found, key=lambda n: rank.get(n, 0))) for node_id, found in bases.items()}

    @cached_property
    def _ancestors(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, set[str]] = {}
        for node_id in self.order:
            found[node_id] = set(self._bases[node_id]).union(*(found[base] for base in self._bases[node_id]), set())
        return {n: tuple(u for u in self.order if u in upstream) for n, upstream in found.items()}

    def bases(self, node_id: str) -> tuple[str, ...]:
        """Pa(v) in order pi. Raises KeyError for an unknown node."""
        return self._bases[node_id]

    def ancestors(self, node_id: str) -> tuple[str, ...]:
        """Anc(v) in order pi. Raises KeyError for an unknown node."""
        return self._ancestors[node_id]

    def roots(self) -> tuple[str, ...]:
        """The nodes without a base, in order pi: the targets of the virtual ROOT (METHOD 5.1)."""
        return tuple(node_id for node_id in self.order if not self._bases[node_id])


class SearchQuery(Value):
    """r_uv for one edge of E+; `base` None stands for the virtual ROOT, which is never scored.

    `text` is the web form; `words` the plain words of c_u^0 and c_v^0 that a catalogue is searched with.
    """

    base: str | None
    node: str
    text: str
    words: str


class Source(Value):
    """Where a piece of text stands: an id that is unique in its evidence store, and an address if it has one."""

    id: str
    url: str | None = None


class Passage(Value):
    """One contiguous piece of visible text and where it stands."""

    text: str
    source: Source


class Candidate(Value):
    """An item i of the pool. `id` is unique; equal titles of different years are different items."""

    id: str
    title: str
    year: int | None = None
    metadata: dict[str, MetadataValue] = Field(default_factory=dict)


class Evidence(Value):
    """x_{v,i}: what was found about one candidate at one node. Passages of different nodes are never mixed."""

    candidate: str
    node: str
    passages: tuple[Passage, ...]

    @cached_property
    def text(self) -> str:
        """x_{v,i}, the passages joined by newlines: all that a relation judge may see of an item."""
        return "\n".join(passage.text for passage in self.passages)

    def sources_of(self, quote: str) -> tuple[Source, ...]:
        """The sources whose text holds the quote word for word (white space aside)."""
        wanted = " ".join(quote.split())
        return tuple(p.source for p, text in zip(self.passages, self._collapsed, strict=True) if wanted in text)

    @cached_property
    def _collapsed(self) -> tuple[str, ...]:
        return tuple(" ".join(passage.text.split()) for passage in self.passages)


class RelationLabel(Value):
    """label(x, f) with the quotes of x that show it; a label other than NOT_ADDRESSED has at least one quote.

    `by_default`: given because the agent asked had no usable judgement. It holds for this request only.
    """

    label: Label
    quotes: tuple[str, ...] = ()
    by_default: bool = False


class PathScore(Value):
    """H(x_{v,i}, v), the path from a root that won the maximum, and the labels of v and all its ancestors."""

    node: str
    score: float
    path: tuple[str, ...]
    labels: dict[str, Label]


class RankedItem(Value):
    """S(i): a candidate with its paths (one a node of V_i) and evidence; `demoted` is the reason, or None.

    `judged` holds, for each node v of V_i, the label of (x_{v,i}, f_u) for v and the ancestors that were needed.
    `unknown` are the facts that hard wishes ask for and nobody gives, `unchecked` the nodes of those wishes.
    """

    candidate: Candidate
    score: float
    demoted: str | None = None
    paths: tuple[PathScore, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    judged: dict[str, dict[str, RelationLabel]] = Field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


class PoolEntry(Value):
    """What the ranking knew of one item of the pool when it ended: all that its place depends on, without texts.

    `broken` names the hard nodes that its metadata break, with the reason (METHOD 7.5). `records` gives for each node
    v of V_i where x_{v,i} stands, `labels` the labels of (x_{v,i}, f_u) as far as they were needed.
    """

    id: str
    title: str
    year: int | None = None
    broken: dict[str, str] = Field(default_factory=dict)
    records: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    labels: dict[str, dict[str, Label]] = Field(default_factory=dict)


class Dropped(Value):
    """Something that was left out or failed, and why; counted and shown, never silently lost."""

    what: str
    why: str


NOT_UNDERSTOOD = "not_understood"  # why words of a narrative were left out: no wish could be made of them


class Usage(Value):
    """What a request has spent. `waves` counts agent calls that had to wait for one another; `cost` is in US dollars,
    None when the price of a model is not known."""

    agent_calls: int = 0
    waves: int = 0
    comparisons: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    searches: int = 0
    pages: int = 0
    seconds: float = 0.0
    cost: float | None = 0.0


class Reused(Value):
    """What a turn has taken over from earlier ones instead of asking for it again (METHOD 10)."""

    pairs: int = 0
    descriptions: int = 0
    queries: int = 0
    searches: int = 0
    labels: int = 0


class Recommendation(Value):
    """The ranked list L_q with everything needed to explain and recompute it.

    `provisional`: an agent could not do a step of the graph or its queries as asked (METHOD 2, "on bad output"), so
    that no later turn takes them over. `entries` are all items of the pool, in the order in which they were first seen.
    """

    graph: PreferenceGraph
    queries: tuple[SearchQuery, ...]
    items: tuple[RankedItem, ...]
    pool: int
    dropped: tuple[Dropped, ...] = ()
    usage: Usage = Usage()
    provisional: bool = False
    config: dict[str, Any] = Field(default_factory=dict)
    entries: tuple[PoolEntry, ...] = ()


def normalised(text: str) -> str:
    """Text folded for comparison: NFKC, lower case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def node_id(atom: str, perspective: str, instantiation: str, polarity: Polarity) -> str:
    """The id of a node: a digest of its normalised texts, so that it stays the same over turns (METHOD 4.2)."""
    key = "|".join(normalised(part) for part in (atom, perspective, instantiation, polarity.value))
    return hashlib.sha1(key.encode(), usedforsecurity=False).hexdigest()[:10]
