"""The PreferenceAgent without an LLM: deterministic, offline, English (METHOD 12).

Each call's work runs off the event loop. Analyses of recent narratives are kept, because judging pairs, describing
and rewriting read the same one; nothing about a user is kept beyond that.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

from pdgf.engines.builtin import relations
from pdgf.engines.builtin.candidates import candidates_of
from pdgf.engines.builtin.features import feature_of, web_query
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.reading import Analysis, Attachment, analyse
from pdgf.engines.builtin.title_index import TitleIndex, title_index
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.errors import LanguageNotSupported
from pdgf.graph import least_supported
from pdgf.models import RelationLabel
from pdgf.ports import (
    Cycle,
    Embedder,
    ExtractionRequest,
    FoundRecord,
    NodePair,
    PairJudgement,
    Reading,
    RefinementRequest,
    RelationRequest,
    RewriteRequest,
    Span,
)
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

KEPT_ANALYSES = 64  # narratives; one chat turn needs one
CJK_SHARE = 0.3  # share of ideographs and kana among the letters from which a text is not English


class BuiltinAgent:
    """PDG-A by parse, cue rules and sentence similarity."""

    def __init__(
        self,
        *,
        parser: EnglishParser,
        embedder: Embedder,
        vocabulary: Vocabulary,
        titles: TitleIndex | None = None,
    ) -> None:
        self._parser = parser
        self._embedder = embedder
        self._vocabulary = vocabulary
        self._titles = titles or title_index(())
        self._analyses: OrderedDict[tuple[str, tuple[Span, ...] | None], Analysis] = OrderedDict()

    async def extract_nodes(
        self, narrative: str, hard_spans: Sequence[Span] | None, config: MethodConfig, budget: Budget
    ) -> Reading:
        """Raises LanguageNotSupported for a narrative that is not written in letters this engine reads."""
        language = language_of(narrative)
        if language != "en":
            raise LanguageNotSupported(language)
        with budget.agent_call():
            analysis = await self._analysis(narrative, hard_spans)
        return Reading(language=language, atoms=analysis.atoms, nodes=analysis.nodes)

    async def judge_pairs(
        self, narrative: str, pairs: Sequence[NodePair], budget: Budget
    ) -> list[PairJudgement | None]:
        with budget.agent_call():
            analysis = await self._analysis(narrative, None)
        links = {frozenset((link.base, link.qualifier)): link for link in analysis.attachments}
        return [_judgement(links.get(frozenset((pair.u.id, pair.v.id)))) for pair in pairs]

    async def choose_edge_to_remove(self, narrative: str, cycle: Cycle, budget: Budget) -> tuple[str, str] | None:
        with budget.agent_call():
            return least_supported(cycle.internal_edges, {node.id: node.order for node in cycle.nodes}).ends

    async def describe(self, narrative: str, requests: Sequence[RefinementRequest], budget: Budget) -> list[str]:
        with budget.agent_call():
            return [feature_of(request) for request in requests]

    async def rewrite(
        self, narrative: str, requests: Sequence[RewriteRequest], item_word: str, budget: Budget
    ) -> list[str]:
        with budget.agent_call():
            return [web_query(request, item_word) for request in requests]

    async def label_relations(self, requests: Sequence[RelationRequest], budget: Budget) -> list[RelationLabel]:
        with budget.agent_call():
            texts = await asyncio.to_thread(relations.texts_to_encode, requests)
            vectors = await self._embedder.encode(texts)
            return await asyncio.to_thread(relations.label, requests, texts, vectors)

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        """The items that each chunk names by its form: lists, headings, tables, quotes, known titles (METHOD 12)."""
        with budget.agent_call():
            return await asyncio.to_thread(self._extracted, requests, item_word)

    def _extracted(self, requests: Sequence[ExtractionRequest], item_word: str) -> list[list[FoundRecord]]:
        return [
            candidates_of(request.chunk, request.feature, item_word=item_word, known_titles=self._titles)
            for request in requests
        ]

    async def _analysis(self, narrative: str, hard_spans: Sequence[Span] | None) -> Analysis:
        key = (narrative, None if hard_spans is None else tuple(hard_spans))
        if key not in self._analyses:
            doc = await self._parser.parse(narrative)
            self._analyses[key] = await asyncio.to_thread(analyse, doc, narrative, self._vocabulary, hard_spans)
            while len(self._analyses) > KEPT_ANALYSES:
                self._analyses.popitem(last=False)
        return self._analyses[key]


def _judgement(link: Attachment | None) -> PairJudgement | None:
    if link is None:
        return None
    return PairJudgement(
        base=link.base, qualifier=link.qualifier, aspect=link.aspect, span=link.cue, confidence=link.confidence
    )


def language_of(text: str) -> str:
    """ "zh" or "ja" when the script says so, "other" for letters outside Latin, else "en"."""
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return "en"
    kana = sum("\u3040" <= character <= "\u30ff" for character in letters)
    ideographs = sum("\u4e00" <= character <= "\u9fff" for character in letters)
    if (kana + ideographs) / len(letters) >= CJK_SHARE:
        return "ja" if kana else "zh"
    latin = sum(character < "\u0250" for character in letters)
    return "en" if latin / len(letters) >= 1 - CJK_SHARE else "other"
