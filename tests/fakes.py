"""Small real classes that stand in for the ports: they answer from a script and remember what they were asked."""

import re
import zlib
from collections.abc import Mapping, Sequence

import numpy as np

from pdgf.models import Atom, Label, Node, Passage, Polarity, RelationLabel, node_id
from pdgf.ports import (
    Cycle,
    NodePair,
    PairJudgement,
    Reading,
    RefinementRequest,
    RelationRequest,
    ReviewHit,
    RewriteRequest,
    Span,
    Vectors,
)
from pdgf.settings import MethodConfig

NOT_ADDRESSED = RelationLabel(label=Label.NOT_ADDRESSED)


def node(name: str, order: int, *, hard: bool = False, polarity: Polarity = Polarity.WANT) -> tuple[Atom, Node]:
    """An atom and its only node, both called `name`."""
    atom = Atom(id=f"a{order}", text=name, span=(0, len(name)), hard=hard)
    made = Node(
        id=node_id(name, "theme", name, polarity), atom=atom.id, perspective="theme", instantiation=name, hard=hard,
        order=order, polarity=polarity,
    )  # fmt: skip
    return atom, made


class ScriptedAgent:
    """A PreferenceAgent that follows a script and remembers what it was shown.

    `edges` maps (base, qualifier) instantiations to a confidence, `choices` are answers to cycle questions, `labels`
    a table of (x, f); pairs that are not in it are not addressed. `label_rounds` holds the requests of each call.
    """

    def __init__(
        self,
        names: Sequence[str] = (),
        edges: Mapping[tuple[str, str], float] | None = None,
        choices: Sequence[tuple[str, str]] = (),
        atoms: Sequence[Atom] = (),
        labels: Mapping[tuple[str, str], RelationLabel] | None = None,
    ) -> None:
        pairs = [node(name, order) for order, name in enumerate(names)]
        self.reading = Reading(
            language="en", atoms=(*atoms, *(atom for atom, _ in pairs)), nodes=tuple(made for _, made in pairs)
        )
        self.edges = edges or {}
        self.choices = list(choices)
        self.labels = labels or {}
        self.label_rounds: list[list[RelationRequest]] = []
        self.asked: list[str] = []
        self.pairs_seen: list[NodePair] = []
        self.described: list[RefinementRequest] = []
        self.rewritten: list[RewriteRequest] = []

    def id_of(self, name: str) -> str:
        return next(n.id for n in self.reading.nodes if n.instantiation == name)

    async def extract_nodes(self, narrative: str, hard_spans: Sequence[Span] | None, config: MethodConfig) -> Reading:
        self.asked.append("extract_nodes")
        if hard_spans is None:
            return self.reading
        hard = {a.id for a in self.reading.atoms if any(s < a.span[1] and a.span[0] < e for s, e in hard_spans)}
        nodes = tuple(n.model_copy(update={"hard": n.atom in hard}) for n in self.reading.nodes)
        return self.reading.model_copy(update={"nodes": nodes})

    async def judge_pairs(self, narrative: str, pairs: Sequence[NodePair]) -> list[PairJudgement | None]:
        self.asked.append("judge_pairs")
        self.pairs_seen.extend(pairs)
        return [self._judge(pair) for pair in pairs]

    def _judge(self, pair: NodePair) -> PairJudgement | None:
        for base, qualifier in ((pair.u, pair.v), (pair.v, pair.u)):
            confidence = self.edges.get((base.instantiation, qualifier.instantiation))
            if confidence is not None:
                return PairJudgement(base=base.id, qualifier=qualifier.id, confidence=confidence, span="cue")
        return None

    async def choose_edge_to_remove(self, narrative: str, cycle: Cycle) -> tuple[str, str] | None:
        self.asked.append("choose_edge_to_remove")
        return self.choices.pop(0) if self.choices else None

    async def describe(self, narrative: str, requests: Sequence[RefinementRequest]) -> list[str]:
        self.asked.append("describe")
        self.described.extend(requests)
        return [
            " < ".join((request.node.instantiation, *(ancestor.feature for ancestor in request.ancestors)))
            for request in requests
        ]

    async def rewrite(self, narrative: str, requests: Sequence[RewriteRequest], item_word: str) -> list[str]:
        self.asked.append("rewrite")
        self.rewritten.extend(requests)
        return [f"{r.base.instantiation if r.base else 'ROOT'} {r.node.instantiation} {item_word}" for r in requests]

    async def label_relations(self, requests: Sequence[RelationRequest]) -> list[RelationLabel]:
        self.asked.append("label_relations")
        self.label_rounds.append(list(requests))
        return [self.labels.get((request.text, request.feature), NOT_ADDRESSED) for request in requests]


class HashingEmbedder:
    """An Embedder without a model: each word of three letters or more counts in one of 64 dimensions.

    Equal words make texts similar, nothing else does. `calls` holds the texts of each encode.
    """

    id = "hashing-64"
    dimension = 64
    normalised = True

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    async def encode(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w{3,}", text.casefold()) or [""]:
                vectors[row, zlib.crc32(word.encode()) % self.dimension] += 1.0
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(lengths > 0.0, lengths, 1.0)


class ListedReviews:
    """A ReviewIndex over passages listed by item: similarity is the number of words shared with the query."""

    def __init__(self, passages: Mapping[str, Sequence[Passage]]) -> None:
        self._passages = passages

    async def nearest(self, query: str, items: Sequence[str], k: int) -> list[ReviewHit]:
        asked = set(query.casefold().split())
        hits: list[ReviewHit] = []
        for item in dict.fromkeys(items):
            scored = [
                ReviewHit(item=item, passage=p, score=float(len(asked & set(p.text.casefold().split()))))
                for p in self._passages.get(item, ())
            ]
            hits.extend(sorted(scored, key=lambda hit: -hit.score)[:k])
        return hits
