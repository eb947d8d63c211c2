"""An agent and a shelf whose answers depend on nothing but their declared inputs, the narrative left out (METHOD 10).

Every answer is drawn from a digest of what the port shows: cycles, shortcuts and diamonds happen by themselves. With
such an agent an incremental turn must give exactly what a rebuild from scratch gives.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from pdgf.models import (
    Aspect,
    Atom,
    AtomKind,
    Candidate,
    Evidence,
    Label,
    Metadata,
    Node,
    Passage,
    Polarity,
    PreferenceGraph,
    Recommendation,
    RelationLabel,
    SearchQuery,
    Source,
    node_id,
)
from pdgf.ports import (
    Acquired,
    Cycle,
    ExtractionRequest,
    FoundRecord,
    NodePair,
    PairJudgement,
    Ports,
    Reading,
    RefinementRequest,
    RelationRequest,
    ReviewHit,
    RewriteRequest,
    Span,
)
from pdgf.ranking import LabelCache
from pdgf.recommend import Request, recommend
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

WORDS = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta",
    "kappa", "lambda", "sigma", "omega", "quartz", "onyx",
)  # fmt: skip
FACETS = {"delta": ("theme", "tone"), "sigma": ("genre", "pace")}  # wishes that are read in two ways
ITEMS = tuple(f"Item {number:02}" for number in range(24))
_WISH = re.compile(rf"\b(?P<denied>not |too )?(?P<word>{'|'.join(WORDS)})\b", re.IGNORECASE)


def drawn(*inputs: object) -> int:
    """A number that the inputs decide."""
    return int.from_bytes(hashlib.sha256(repr(inputs).encode()).digest()[:8], "big")


def told(node: Node, atom: Atom) -> tuple[object, ...]:
    """c_v^0 and its atom: what a step of the method may use of a node."""
    return atom.text, atom.kind, node.perspective, node.instantiation, node.polarity, node.strength


class DeclaredAgent:
    """Remembers all that it was asked for. `density` is the share of pairs that qualify one another."""

    def __init__(self, density: float = 0.5) -> None:
        self.density = density
        self.pairs: list[frozenset[str]] = []
        self.described: list[RefinementRequest] = []
        self.rewritten: list[RewriteRequest] = []
        self.labelled: list[tuple[str, str]] = []
        self.cycles = 0

    async def extract_nodes(
        self, narrative: str, hard_spans: Sequence[Span] | None, config: MethodConfig, budget: Budget
    ) -> Reading:
        atoms: list[Atom] = []
        nodes: dict[str, Node] = {}
        for match in _WISH.finditer(narrative):
            hard = any(start < match.end() and match.start() < end for start, end in hard_spans or ())
            atom = Atom(id=f"a{len(atoms) + 1}", text=match[0], span=match.span(), kind=AtomKind.CRITERION, hard=hard)
            polarity = Polarity.AVOID if match["denied"] else Polarity.WANT
            for facet in FACETS.get(match["word"].lower(), ("theme",)):
                made = Node(
                    id=node_id(atom.text, facet, match["word"], polarity), atom=atom.id, perspective=facet,
                    instantiation=match["word"], polarity=polarity, hard=hard, order=len(nodes),
                    span=match.span("word"),
                    strength=(match["denied"] or "").strip(),
                )  # fmt: skip
                known = nodes.get(made.id, made)
                nodes[made.id] = known.model_copy(update={"hard": known.hard or hard})  # said again as a must
            atoms.append(atom)
        return Reading(language="en", atoms=tuple(atoms), nodes=tuple(nodes.values()))

    async def judge_pairs(
        self, narrative: str, pairs: Sequence[NodePair], budget: Budget
    ) -> list[PairJudgement | None]:
        self.pairs += [frozenset((pair.u.id, pair.v.id)) for pair in pairs]
        return [self._judged(pair) for pair in pairs]

    def _judged(self, pair: NodePair) -> PairJudgement | None:
        number = drawn("pair", told(pair.u, pair.atom_u), told(pair.v, pair.atom_v))
        if number % 1_000 >= 1_000 * self.density:
            return None
        base, qualifier = (pair.u, pair.v) if number // 1_000 % 2 else (pair.v, pair.u)
        return PairJudgement(
            base=base.id,
            qualifier=qualifier.id,
            aspect=list(Aspect)[number % 3],
            span=f"cue {number % 7}",
            confidence=number % 5 / 4,
        )

    async def choose_edge_to_remove(self, narrative: str, cycle: Cycle, budget: Budget) -> tuple[str, str] | None:
        self.cycles += 1
        atoms = {atom.id: atom for atom in cycle.atoms}
        nodes = [told(node, atoms[node.atom]) for node in cycle.nodes]
        inner, outer = (sorted(map(repr, edges)) for edges in (cycle.internal_edges, cycle.external_edges))
        choice = drawn("cycle", nodes, inner, outer) % (len(inner) + 1)
        return cycle.internal_edges[choice].ends if choice < len(inner) else None

    async def describe(self, narrative: str, requests: Sequence[RefinementRequest], budget: Budget) -> list[str]:
        made: dict[str, str] = {}
        for request in requests:  # an ancestor without f is described further up in the same list
            self.described.append(request)
            above = [(u.instantiation, u.feature or made[u.id]) for u in request.ancestors]
            node = request.node
            own = (node.instantiation, node.perspective, node.polarity, node.hard, node.strength)
            made[node.id] = f"{node.instantiation} {drawn('f', own, above, request.edges)}"
        return [made[request.node.id] for request in requests]

    async def rewrite(
        self, narrative: str, requests: Sequence[RewriteRequest], item_word: str, budget: Budget
    ) -> list[str]:
        self.rewritten += requests
        return [
            f"{item_word} {[(n.perspective, n.instantiation, n.polarity.value) for n in (r.base, r.node) if n]}"
            for r in requests
        ]

    async def label_relations(self, requests: Sequence[RelationRequest], budget: Budget) -> list[RelationLabel]:
        self.labelled += [(request.text, request.feature) for request in requests]
        kinds = [_label(request.text, request.feature) for request in requests]
        return [
            RelationLabel(label=kind, quotes=() if kind is Label.NOT_ADDRESSED else (request.text.split("\n")[0],))
            for kind, request in zip(kinds, requests, strict=True)
        ]

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        return [[] for _ in requests]


def _label(text: str, feature: str) -> Label:
    """Items differ in quality, so that the labels of one agree more than by chance."""
    quality = drawn("quality", text.partition(",")[0]) % 1_000 / 1_000
    weights = (quality, 0.5, 1.2 - quality, 0.2)  # SUPPORT, PARTIAL, NOT_ADDRESSED, CONTRADICTS
    place = drawn("label", text, feature) % 1_000 / 1_000 * sum(weights)
    return next(label for label, end in zip(Label, accumulate(weights), strict=True) if place < end)


class DrawnShelf:
    """An EvidenceSource, ReviewIndex and ItemCatalogue: the words of a query decide which items it finds, f_v which
    passages of an item are x."""

    def __init__(self, items: Sequence[str] = ITEMS, share: float = 0.3) -> None:
        self._items = [Candidate(id=name.lower().replace(" ", "-"), title=name) for name in items]
        self._share = share

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        budget.spend_searches(len(queries))
        evidence = tuple(
            Evidence(candidate=item.id, node=node, passages=self._passages(item, graph.node_by_id[node].feature))
            for node in dict.fromkeys(query.node for query in queries)
            for item in self._items
            if any(self._finds(query, item) for query in queries if query.node == node)
        )
        found = {record.candidate for record in evidence}
        return Acquired(candidates=tuple(item for item in self._items if item.id in found), evidence=evidence)

    def _finds(self, query: SearchQuery, item: Candidate) -> bool:
        return drawn("recall", query.text, query.words, item.id) % 1_000 < 1_000 * self._share

    def _passages(self, item: Candidate, feature: str) -> tuple[Passage, ...]:
        number = drawn("x", item.id, feature) % 3
        return tuple(
            Passage(text=f"{item.title}, passage {place}.", source=Source(id=f"{item.id}#{place}"))
            for place in (number, number + 3)
        )

    async def nearest(self, query: str, items: Sequence[str], k: int) -> list[ReviewHit]:
        return []

    def items(self) -> Sequence[Candidate]:
        return self._items

    def metadata_of(self, item: str) -> Metadata:
        return {}


async def from_scratch(narrative: str, request: Request) -> Recommendation:
    """The same request where nothing is known from before."""
    density = request.ports.agent.density if isinstance(request.ports.agent, DeclaredAgent) else 0.5
    alone = replace(
        request,
        ports=Ports(agent=DeclaredAgent(density), source=request.ports.source),
        budget=Budget(),
        previous=None,
        previous_queries=(),
        labels=LabelCache(),
        settled=None,
    )
    return await recommend(narrative, alone)
