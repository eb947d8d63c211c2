"""The PreferenceAgent without an LLM: deterministic, offline, English and Chinese (METHOD 12).

Each call's work runs off the event loop. Analyses of recent narratives are kept, because judging pairs, describing
and rewriting read the same one; nothing about a user is kept beyond that.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pdgf.contractions import Contracted, with_apostrophes
from pdgf.engines.builtin import relations
from pdgf.engines.builtin.attachments import Attachment
from pdgf.engines.builtin.candidates import read_chunk, records_of
from pdgf.engines.builtin.chinese import judging
from pdgf.engines.builtin.chinese.reading import analyse_chinese, era_only, joined, shifted, stretches
from pdgf.engines.builtin.chinese.wording import chinese_feature, chinese_query
from pdgf.engines.builtin.column_lines import with_columns, with_measures
from pdgf.engines.builtin.features import feature_of, web_query
from pdgf.engines.builtin.food.reading import analyse_food
from pdgf.engines.builtin.function_words import without_function_words
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.reading import Analysis, analyse
from pdgf.engines.builtin.title_index import TitleIndex, title_index
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.errors import LanguageNotSupported, ParserUnavailable
from pdgf.glossary import has_han, language_of, segmentation
from pdgf.glossary.tongues import other_tongue
from pdgf.graph import least_supported
from pdgf.identity import name_key
from pdgf.models import NOT_UNDERSTOOD, AtomKind, Dropped, RelationLabel
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

if TYPE_CHECKING:
    from spacy.tokens import Doc

KEPT_ANALYSES = 64  # narratives; one chat turn needs one
READ = frozenset({"en", "zh"})  # languages


class BuiltinAgent:
    """PDG-A by parse, cue rules and sentence similarity."""

    def __init__(
        self,
        *,
        parser: EnglishParser,
        embedder: Embedder,
        vocabulary: Vocabulary,
        titles: TitleIndex | None = None,
        chinese: Embedder | None = None,
    ) -> None:
        """`chinese` encodes what is Chinese; without it only rules judge Chinese texts."""
        self._chinese = chinese
        self._parser = parser
        self._embedder = embedder
        self._vocabulary = vocabulary
        self._titles = titles or title_index(())
        self._analyses: OrderedDict[tuple[str, tuple[Span, ...] | None], Analysis] = OrderedDict()

    async def extract_nodes(
        self, narrative: str, hard_spans: Sequence[Span] | None, config: MethodConfig, budget: Budget
    ) -> Reading:
        """Raises LanguageNotSupported for a narrative that is in no language this engine reads."""
        language = language_of(narrative)
        if language not in READ:
            raise LanguageNotSupported(language)
        with budget.agent_call():
            analysis = await self._analysis(narrative, hard_spans)
        named = name_key(narrative) in self._vocabulary.titles
        named = named or any(atom.kind is not AtomKind.CRITERION for atom in analysis.atoms)
        if not named and (tongue := other_tongue(narrative)) is not None:
            raise LanguageNotSupported(tongue)
        notes = tuple(Dropped(what=words, why=NOT_UNDERSTOOD) for words in analysis.left_out)
        return Reading(language=language, atoms=analysis.atoms, nodes=analysis.nodes, notes=notes)

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
            return [_feature(request) for request in requests]

    async def rewrite(
        self, narrative: str, requests: Sequence[RewriteRequest], item_word: str, budget: Budget
    ) -> list[str]:
        with budget.agent_call():
            return [_query(request, item_word) for request in requests]

    async def label_relations(self, requests: Sequence[RelationRequest], budget: Budget) -> list[RelationLabel]:
        with budget.agent_call():
            labels = await self._labels(requests)
            columns, measures = self._vocabulary.columns, self._vocabulary.measures
            if columns is not None:
                return await asyncio.to_thread(with_columns, requests, labels, columns)
            return labels if measures is None else await asyncio.to_thread(with_measures, requests, labels, measures)

    async def _labels(self, requests: Sequence[RelationRequest]) -> list[RelationLabel]:
        if any(map(judging.touches_chinese, requests)):
            return await judging.label_in_both(requests, self._embedder, self._chinese)
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
        chunks = dict.fromkeys(request.chunk for request in requests)  # each is asked about once for each f_v
        read = {chunk: read_chunk(chunk, item_word, self._titles) for chunk in chunks}
        return [records_of(read[request.chunk], request.feature) for request in requests]

    async def _analysis(self, narrative: str, hard_spans: Sequence[Span] | None) -> Analysis:
        key = (narrative, None if hard_spans is None else tuple(hard_spans))
        if key not in self._analyses:
            read = self._analysis_of_both if has_han(narrative) else self._analysis_of_english
            told = with_apostrophes(narrative)
            spans = None if hard_spans is None else [told.mended(span) for span in hard_spans]
            analysis = without_function_words(await read(told.text, spans))
            self._analyses[key] = _as_written(analysis, told, narrative) if told.places else analysis
            while len(self._analyses) > KEPT_ANALYSES:
                self._analyses.popitem(last=False)
        return self._analyses[key]

    async def _analysis_of_english(self, narrative: str, hard_spans: Sequence[Span] | None) -> Analysis:
        doc = await self._parser.parse(narrative)
        if self._vocabulary.english is not self._parser.words:
            self._vocabulary = replace(self._vocabulary, english=self._parser.words)
        return await asyncio.to_thread(_analyse_english, doc, narrative, self._vocabulary, hard_spans)

    async def _analysis_of_both(self, narrative: str, hard_spans: Sequence[Span] | None) -> Analysis:
        """Each stretch in its language. Raises ParserUnavailable when the one of Chinese is not installed."""
        parts: list[Analysis] = []
        found = stretches(narrative)
        if {stretch.language for stretch in found} <= {"en"}:
            return await self._analysis_of_english(narrative, hard_spans)
        if not await asyncio.to_thread(segmentation.available):
            raise ParserUnavailable("the package jieba is not installed")
        for stretch in found:
            start, end = stretch.start, stretch.end
            if stretch.language == "zh":
                read = await asyncio.to_thread(analyse_chinese, narrative, stretch, self._vocabulary, hard_spans)
                parts.append(read)
            else:
                inner = None if hard_spans is None else [(a - start, b - start) for a, b in hard_spans]
                parts.append(shifted(await self._analysis_of_english(narrative[start:end], inner), start))
        analysis = joined(parts)
        return analysis if analysis.nodes or analysis.atoms else era_only(narrative)


def _analyse_english(doc: "Doc", narrative: str, vocabulary: Vocabulary, hard_spans: Sequence[Span] | None) -> Analysis:
    food = analyse_food(doc, narrative, vocabulary, hard_spans)
    return analyse(doc, narrative, vocabulary, hard_spans) if food is None else food


def _as_written(analysis: Analysis, told: Contracted, narrative: str) -> Analysis:
    """An analysis of a text with its apostrophes as one of what was written: its spans, and the words of its atoms."""
    atoms = []
    for atom in analysis.atoms:
        span = told.original(atom.span)
        own = atom.text == told.text[slice(*atom.span)]
        atoms.append(atom.model_copy(update={"span": span, "text": narrative[slice(*span)] if own else atom.text}))
    nodes = [node.model_copy(update={"span": told.original(node.span)}) for node in analysis.nodes]
    return replace(analysis, atoms=tuple(atoms), nodes=tuple(nodes))


def _feature(request: RefinementRequest) -> str:
    return chinese_feature(request) if has_han(request.node.instantiation) else feature_of(request)


def _query(request: RewriteRequest, item_word: str) -> str:
    words = "".join(node.instantiation for node in (request.base, request.node) if node is not None)
    return chinese_query(request, item_word) if has_han(words) else web_query(request, item_word)


def _judgement(link: Attachment | None) -> PairJudgement | None:
    if link is None:
        return None
    return PairJudgement(
        base=link.base, qualifier=link.qualifier, aspect=link.aspect, span=link.cue, confidence=link.confidence
    )
