"""Small real classes that stand in for the ports: they answer from a script and remember what they were asked."""

import asyncio
import hashlib
import re
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence

import numpy as np

from dialogue import explanation
from dialogue.models import Piece, QuotedSource, Understanding
from dialogue.ports import Question, Utterance
from pdgf.models import (
    Atom,
    Candidate,
    Evidence,
    Label,
    Metadata,
    Node,
    Passage,
    Polarity,
    PreferenceGraph,
    RankedItem,
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
    ProposedTitle,
    Reading,
    RefinementRequest,
    RelationRequest,
    ReviewHit,
    RewriteRequest,
    Span,
    Vectors,
)
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

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

    async def extract_nodes(
        self, narrative: str, hard_spans: Sequence[Span] | None, config: MethodConfig, budget: Budget
    ) -> Reading:
        self._asked(budget, "extract_nodes")
        if hard_spans is None:
            return self.reading
        hard = {a.id for a in self.reading.atoms if any(s < a.span[1] and a.span[0] < e for s, e in hard_spans)}
        nodes = tuple(n.model_copy(update={"hard": n.atom in hard}) for n in self.reading.nodes)
        return self.reading.model_copy(update={"nodes": nodes})

    async def judge_pairs(
        self, narrative: str, pairs: Sequence[NodePair], budget: Budget
    ) -> list[PairJudgement | None]:
        self._asked(budget, "judge_pairs")
        self.pairs_seen.extend(pairs)
        return [self._judge(pair) for pair in pairs]

    def _judge(self, pair: NodePair) -> PairJudgement | None:
        for base, qualifier in ((pair.u, pair.v), (pair.v, pair.u)):
            confidence = self.edges.get((base.instantiation, qualifier.instantiation))
            if confidence is not None:
                return PairJudgement(base=base.id, qualifier=qualifier.id, confidence=confidence, span="cue")
        return None

    async def choose_edge_to_remove(self, narrative: str, cycle: Cycle, budget: Budget) -> tuple[str, str] | None:
        self._asked(budget, "choose_edge_to_remove")
        return self.choices.pop(0) if self.choices else None

    async def describe(self, narrative: str, requests: Sequence[RefinementRequest], budget: Budget) -> list[str]:
        self._asked(budget, "describe")
        self.described.extend(requests)
        return [
            " < ".join((request.node.instantiation, *(ancestor.feature for ancestor in request.ancestors)))
            for request in requests
        ]

    async def rewrite(
        self, narrative: str, requests: Sequence[RewriteRequest], item_word: str, budget: Budget
    ) -> list[str]:
        self._asked(budget, "rewrite")
        self.rewritten.extend(requests)
        return [f"{r.base.instantiation if r.base else 'ROOT'} {r.node.instantiation} {item_word}" for r in requests]

    async def label_relations(self, requests: Sequence[RelationRequest], budget: Budget) -> list[RelationLabel]:
        self._asked(budget, "label_relations")
        self.label_rounds.append(list(requests))
        return [self.labels.get((request.text, request.feature), NOT_ADDRESSED) for request in requests]

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        self._asked(budget, "extract_candidates")
        return [[] for _ in requests]

    def _asked(self, budget: Budget, method: str) -> None:
        with budget.agent_call():
            self.asked.append(method)


class ListedTitles:
    """A TitleProposer that names the titles of a list. `asked` holds (narrative, item word, limit) of each call; while
    `gate` is set to an event, a call waits for it."""

    def __init__(self, *titles: ProposedTitle) -> None:
        self._titles = titles
        self.asked: list[tuple[str, str, int]] = []
        self.gate: asyncio.Event | None = None

    async def propose_titles(self, narrative: str, item_word: str, limit: int, budget: Budget) -> list[ProposedTitle]:
        with budget.agent_call():
            self.asked.append((narrative, item_word, limit))
            await (asyncio.sleep(0) if self.gate is None else self.gate.wait())
        return list(self._titles[:limit])


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


class VocabularyAgent:
    """A PreferenceAgent that knows a list of words: each is a node where it stands, unwanted after "not", "no", "too".

    `words` maps a word to its perspective. A text supports a wish whose word it holds, without any "not" before it;
    it contradicts an unwanted one. `calls` counts the calls by method; `failing` makes every call raise.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        self.words = words
        self.calls: Counter[str] = Counter()
        self.failing: Exception | None = None
        self._found = re.compile(
            rf"(?P<denied>\b(?:not|no|too|less|hate|actually not)\s+)?\b(?P<word>{'|'.join(map(re.escape, words))})\b",
            re.IGNORECASE,
        )

    async def extract_nodes(
        self, narrative: str, hard_spans: Sequence[Span] | None, config: MethodConfig, budget: Budget
    ) -> Reading:
        self._called(budget, "extract_nodes")
        atoms, nodes = [], []
        for order, match in enumerate(self._found.finditer(narrative)):
            polarity = Polarity.AVOID if match["denied"] else Polarity.WANT
            perspective = self.words[match["word"].casefold()]
            hard = any(start < match.end() and match.start() < end for start, end in hard_spans or ())
            atom = Atom(id=f"a{order}", text=match[0], span=match.span(), hard=hard)
            nodes.append(
                Node(
                    id=node_id(match[0], perspective, match["word"], polarity),
                    atom=atom.id,
                    perspective=perspective,
                    instantiation=match["word"],
                    polarity=polarity,
                    hard=hard,
                    order=order,
                    span=match.span("word"),
                )
            )
            atoms.append(atom)
        unique = {made.id: made for made in reversed(nodes)}
        return Reading(language="en", atoms=tuple(atoms), nodes=tuple(n for n in nodes if unique[n.id] is n))

    async def judge_pairs(
        self, narrative: str, pairs: Sequence[NodePair], budget: Budget
    ) -> list[PairJudgement | None]:
        self._called(budget, "judge_pairs")
        return [None for _ in pairs]

    async def choose_edge_to_remove(self, narrative: str, cycle: Cycle, budget: Budget) -> tuple[str, str] | None:
        return None

    async def describe(self, narrative: str, requests: Sequence[RefinementRequest], budget: Budget) -> list[str]:
        self._called(budget, "describe")
        unwanted = {True: "not ", False: ""}
        return [f"{unwanted[r.node.polarity is Polarity.AVOID]}{r.node.instantiation}" for r in requests]

    async def rewrite(
        self, narrative: str, requests: Sequence[RewriteRequest], item_word: str, budget: Budget
    ) -> list[str]:
        self._called(budget, "rewrite")
        return [f"{request.node.instantiation} {item_word}" for request in requests]

    async def label_relations(self, requests: Sequence[RelationRequest], budget: Budget) -> list[RelationLabel]:
        self._called(budget, "label_relations")
        return [self._label(request.text, request.feature.casefold()) for request in requests]

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        self._called(budget, "extract_candidates")
        return [[] for _ in requests]

    def _label(self, text: str, feature: str) -> RelationLabel:
        unwanted = feature.startswith("not ")
        word = feature.removeprefix("not ")
        for line in text.split("\n"):
            if re.search(rf"\b{re.escape(word)}\b", line, re.IGNORECASE):
                denied = bool(re.search(rf"\b(?:not|no) {re.escape(word)}", line, re.IGNORECASE))
                label = Label.CONTRADICTS if unwanted != denied else Label.SUPPORT
                return RelationLabel(label=label, quotes=(line,))
        return NOT_ADDRESSED

    def _called(self, budget: Budget, method: str) -> None:
        with budget.agent_call():
            self.calls[method] += 1
            if self.failing is not None:
                raise self.failing


class Shelf:
    """EvidenceSource, ReviewIndex and ItemCatalogue over a few items whose texts are listed with them.

    An item is found at a node when one of its texts holds the node's word. `acquired` counts the searches. While
    `gate` is set to an event, a search sets `reached` and waits for it, so that a turn can be stopped in the middle.
    """

    def __init__(self, pairs: Sequence[tuple[Candidate, Sequence[str]]]) -> None:
        self._items = [candidate for candidate, _ in pairs]
        self._passages = {
            candidate.id: [
                Passage(text=text, source=Source(id=f"{candidate.id}#r{number}"))
                for number, text in enumerate(texts, start=1)
            ]
            for candidate, texts in pairs
        }
        self._reviews = ListedReviews(self._passages)
        self.acquired = 0
        self.gate: asyncio.Event | None = None
        self.reached = asyncio.Event()

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        self.acquired += 1
        if self.gate is not None:
            self.reached.set()
            await self.gate.wait()
        budget.spend_searches(len(queries))
        evidence = tuple(
            Evidence(candidate=item.id, node=made.id, passages=found)
            for made in graph.nodes
            for item in self._items
            if (found := self._about(item.id, made.instantiation))
        )
        named = {record.candidate for record in evidence}
        return Acquired(candidates=tuple(i for i in self._items if i.id in named), evidence=evidence)

    def _about(self, item: str, word: str) -> tuple[Passage, ...]:
        pattern = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
        return tuple(passage for passage in self._passages[item] if pattern.search(passage.text))

    async def nearest(self, query: str, items: Sequence[str], k: int) -> list[ReviewHit]:
        return await self._reviews.nearest(query, items, k)

    def items(self) -> Sequence[Candidate]:
        return self._items

    def metadata_of(self, item: str) -> Metadata:
        return {candidate.id: candidate.metadata for candidate in self._items}[item]


class ScriptedDialogueAgent:
    """A DialogueAgent that reads turns from a script and remembers what it was asked."""

    def __init__(self, readings: Sequence[Understanding] = (), answers: Mapping[str, str] | None = None) -> None:
        self._readings = list(readings)
        self._answers = answers or {}
        self.utterances: list[Utterance] = []
        self.questions: list[Question] = []
        self.explained: list[str] = []

    async def understand(self, utterance: Utterance, budget: Budget) -> Understanding:
        with budget.agent_call():
            self.utterances.append(utterance)
            return self._readings.pop(0)

    async def explain(self, item: RankedItem, graph: PreferenceGraph, budget: Budget) -> AsyncIterator[Piece]:
        with budget.agent_call():
            self.explained.append(item.candidate.id)
        yield Piece(text=f"Because of {item.candidate.title}.", sources=explanation.reasons(item, graph).sources)

    async def answer(self, question: Question, budget: Budget) -> AsyncIterator[Piece]:
        with budget.agent_call():
            self.questions.append(question)
        quote = self._answers.get(question.item.id)
        if quote is not None:
            source = QuotedSource(item=question.item.id, title=question.item.title, quote=quote, source="s")
            yield Piece(text=quote, sources=(source,))


class MemoryContent:
    """A ContentStore in memory."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    async def put(self, text: str) -> str:
        digest = hashlib.sha256(text.encode()).hexdigest()
        self._texts[digest] = text
        return digest

    async def get(self, digest: str) -> str:
        return self._texts[digest]
