"""A PreferenceAgent that follows a script and remembers what it was shown."""

from collections.abc import Mapping, Sequence

from pdgf.models import Atom, Label, Node, Polarity, RelationLabel, node_id
from pdgf.ports import Cycle, NodePair, PairJudgement, Reading, RefinementRequest, RelationRequest, RewriteRequest, Span
from pdgf.settings import MethodConfig


def node(name: str, order: int, *, hard: bool = False, polarity: Polarity = Polarity.WANT) -> tuple[Atom, Node]:
    """An atom and its only node, both called `name`."""
    atom = Atom(id=f"a{order}", text=name, span=(0, len(name)), hard=hard)
    made = Node(
        id=node_id(name, "theme", name, polarity), atom=atom.id, perspective="theme", instantiation=name, hard=hard,
        order=order, polarity=polarity,
    )  # fmt: skip
    return atom, made


class ScriptedAgent:
    """`edges` maps (base, qualifier) instantiations to a confidence; `choices` are answers to cycle questions."""

    def __init__(
        self,
        names: Sequence[str],
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
        return [self.labels.get((r.text, r.feature), RelationLabel(label=Label.NOT_ADDRESSED)) for r in requests]
