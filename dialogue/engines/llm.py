"""The DialogueAgent on a language model: one call reads a turn; explanations and answers are streamed prose.

What it says is held against what it was given, sentence by sentence, before anything of it is shown. Fallbacks are
those of METHOD 2, noted on the budget as setbacks.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import aclosing
from typing import Any, cast

from dialogue import explanation
from dialogue.citations import CitationCheck, SentenceStream, Sourced, evidence_of, facts_of, passages_of
from dialogue.engines.llm_replies import UnderstandReply
from dialogue.models import EditKind, Intent, ItemRef, Piece, StateEdit, Understanding
from dialogue.ports import DialogueAgent, Question, Utterance
from dialogue.record import values_of
from pdgf.constraints import fact_line
from pdgf.engines.builtin.agent import language_of
from pdgf.errors import BadInput, PromptTooLong, ReplyCutOff, ReplyUnusable, StepFailed
from pdgf.identity import name_key
from pdgf.llm.calls import Ask, ChatModel, Rendered, Role
from pdgf.llm.prompt_files import load
from pdgf.llm.structured import StructuredModel
from pdgf.models import PreferenceGraph, RankedItem
from pdgf.quotes import place_of
from pdgf.usage import Budget

UNKNOWN = "UNKNOWN"  # the whole reply of `answer` when nothing given answers
EXPLANATION_TOKENS = 700
ANSWER_TOKENS = 500
EARLIER = 12  # items of earlier lists that an utterance may point back to


class LLMDialogueAgent:
    """Understands, explains and answers by prompts. `reserve` supplies cue rules where a reading is unusable;
    `titles` are the names of all items, so that prose about one names no other."""

    def __init__(
        self,
        model: StructuredModel,
        prose: ChatModel,
        *,
        reserve: DialogueAgent,
        titles: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._model = model
        self._prose = prose
        self._reserve = reserve
        self._titles = titles

    async def understand(self, utterance: Utterance, budget: Budget) -> Understanding:
        """Intents, edits and references in one call. Unusable: intents by cue rules and no change of the state."""
        items = _items(utterance)
        try:
            reply = await self._model.ask(
                load("dialogue/understand", UnderstandReply).render(**_shown(utterance, items)),
                UnderstandReply,
                role=Role.MAIN,
                max_tokens=1_500,
                budget=budget,
                check=lambda reply: _grounded(reply, utterance.text),
            )
        except StepFailed:
            budget.set_back("understand", "unreadable")
            return await self._by_cues(utterance, budget)
        return understanding_of(reply, utterance, items)

    async def explain(self, item: RankedItem, graph: PreferenceGraph, budget: Budget) -> AsyncIterator[Piece]:
        """Checked sentences as they come; the labels' own words when none can be shown."""
        candidate = item.candidate
        about = ItemRef(id=candidate.id, title=candidate.title, year=candidate.year)
        evidence, facts = evidence_of(item, graph), facts_of(about, candidate.metadata)
        wishes = [standing.wish for standing in explanation.standings(item, graph)]
        check = CitationCheck(
            (*evidence, *facts),
            known=(*wishes, candidate.title, str(candidate.year or ""), item.demoted or "", *item.unknown),
            others=(title for title in self._titles() if title != candidate.title),
        )
        rendered = load("dialogue/explain").render(
            language=graph.language,
            title=candidate.title,
            year=candidate.year,
            demoted=item.demoted,
            unknown=list(item.unknown),
            wishes=_standings(item, graph, evidence),
            facts=[{"id": fact.id, "text": fact.text} for fact in facts],
        )
        said = False
        async for piece in self._checked(rendered, check, EXPLANATION_TOKENS, budget):
            said = True
            yield piece
        if not said:
            budget.set_back("explain", "unreadable")
            for piece in explanation.told_by_labels(item, graph):
                yield piece

    async def answer(self, question: Question, budget: Budget) -> AsyncIterator[Piece]:
        """Checked sentences as they come; nothing at all when the model says that nothing given answers."""
        item = question.item
        facts, passages = facts_of(item, question.metadata), passages_of(item, question.hits)
        check = CitationCheck(
            (*facts, *passages),
            known=(question.text, item.title),
            others=(title for title in self._titles() if title != item.title and title not in question.text),
        )
        rendered = load("dialogue/answer").render(
            language=language_of(question.text),
            question=question.text,
            title=item.title,
            year=item.year,
            facts=[{"id": fact.id, "text": fact.text} for fact in facts],
            passages=[{"id": passage.id, "text": passage.text} for passage in passages],
        )
        async for piece in self._checked(rendered, check, ANSWER_TOKENS, budget):
            yield piece

    async def _checked(
        self, rendered: Rendered, check: CitationCheck, max_tokens: int, budget: Budget
    ) -> AsyncIterator[Piece]:
        """The sentences that may be shown. What breaks off before the first of them is asked for once more; what breaks
        off later ends with a broken piece."""
        ask = Ask(rendered=rendered, role=Role.MAIN, max_tokens=max_tokens)
        for last_try in (False, True):
            said = False
            try:
                async for sentence in _sentences(self._prose, ask, budget):
                    piece = check.piece(sentence)
                    if piece is not None:
                        text = f" {piece.text}" if said else piece.text
                        said = True
                        yield piece.model_copy(update={"text": text})
                return
            except ReplyCutOff:
                if said:
                    budget.set_back("explain_cut", "cut_off")
                    yield Piece(text=" …", broken=True)
                if said or last_try:
                    return
            except (ReplyUnusable, PromptTooLong):
                return

    async def _by_cues(self, utterance: Utterance, budget: Budget) -> Understanding:
        """METHOD 2: cue rules for the intents, the state unchanged."""
        try:
            reading = await self._reserve.understand(utterance, budget)
        except BadInput:
            return Understanding()
        kept = tuple(intent for intent in reading.intents if intent is not Intent.PROVIDE_PREFERENCE)
        return reading.model_copy(update={"intents": kept, "edits": (), "accepted": (), "rejected": (), "seen": ()})


def understanding_of(reply: UnderstandReply, utterance: Utterance, items: Sequence[ItemRef]) -> Understanding:
    """The reply in the terms of the dialogue: numbers become items, words become spans, the order of edits is that of
    the built-in engine (what is taken back first)."""
    edits = [StateEdit(kind=EditKind.DROP, key=row.key, text=row.text) for row in reply.taken_back if row.text.strip()]
    for row in reply.wishes:
        span = place_of(row.text, utterance.text)
        if span is not None:
            edits.append(
                StateEdit(
                    kind=EditKind.ADD,
                    key=row.key,
                    text=utterance.text[slice(*span)],
                    hard=row.hard,
                    span=(utterance.turn, *span),
                    mention=row.mention,
                    avoid=row.avoid,
                    replaces=row.replaces,
                )
            )
    return Understanding(
        intents=reply.intents,
        edits=tuple(edits),
        about=_numbered(reply.about, items),
        accepted=_numbered(reply.accepted, items),
        rejected=_numbered(reply.rejected, items),
        seen=tuple(_seen(row.title, row.year, items) for row in reply.seen if row.title.strip()),
        questions=tuple(question for question in reply.questions if question.strip()),
        unresolved=tuple(words for words in reply.unresolved if place_of(words, utterance.text)),
        greeting=reply.greeting,
        hello=reply.hello,
        about_system=reply.about_system,
        about_accepted=reply.about_accepted,
    )


async def _sentences(prose: ChatModel, ask: Ask, budget: Budget) -> AsyncIterator[str]:
    """The whole sentences of a stream; UNKNOWN says nothing."""
    cutter = SentenceStream()
    async with aclosing(cast(Any, prose.stream(ask, budget))) as pieces:
        async for piece in pieces:
            for sentence in cutter.feed(piece):
                yield sentence
    for sentence in cutter.end():
        if sentence.strip(" .") != UNKNOWN:
            yield sentence


def _grounded(reply: UnderstandReply, text: str) -> UnderstandReply:
    """The reply, unless it has wishes of which none is in the user's own words."""
    if reply.wishes and not any(place_of(row.text, text) for row in reply.wishes):
        raise ReplyUnusable("no wish is copied from the utterance; copy its words character by character")
    return reply


def _items(utterance: Utterance) -> tuple[ItemRef, ...]:
    """What the utterance can point at, in the order of its numbers: the last list, then earlier items, newest first."""
    listed = {item.id for item in utterance.shown}
    earlier = [item for item in reversed(utterance.state.recommended_items) if item.id not in listed]
    return (*utterance.shown, *earlier[:EARLIER])


def _shown(utterance: Utterance, items: Sequence[ItemRef]) -> dict[str, Any]:
    rows = [{"number": number, "title": item.title, "year": item.year} for number, item in enumerate(items, start=1)]
    shown = len(utterance.shown)
    focus = {item.id for item in utterance.focus}
    return {
        "utterance": utterance.text,
        "wishes": [{"key": key, "text": v.text, "hard": hard} for key, v, hard in values_of(utterance.state)],
        "keys": [
            {"key": row.key, "description": row.description, "hard": row.hard}
            for row in utterance.domain.constraint_keys
        ],
        "shown": [
            {**row, "facts": _facts(item, utterance)} for row, item in zip(rows[:shown], utterance.shown, strict=True)
        ],
        "earlier": rows[shown:],
        "focus": [row["number"] for row, item in zip(rows, items, strict=True) if item.id in focus],
        "asked": list(utterance.asked),
        "item_word": utterance.domain.item_word,
        "current_year": utterance.current_year,
    }


def _facts(item: ItemRef, utterance: Utterance) -> list[str]:
    """What a card shows of an item: enough to know which one "the cheaper one" is."""
    metadata = utterance.metadata.get(item.id, {})
    return [fact_line(key, metadata[key]) for key in utterance.domain.facts if key in metadata]


def _standings(item: RankedItem, graph: PreferenceGraph, evidence: Sequence[Sourced]) -> list[dict[str, Any]]:
    ids = {each.text: each.id for each in evidence}
    hard = {explanation.wish_of(node) for node in graph.nodes if node.hard}
    return [
        {
            "words": standing.wish,
            "label": standing.label.value,
            "hard": standing.wish in hard,
            "evidence": [{"id": ids[quote], "quote": quote} for quote in standing.quotes if quote in ids],
        }
        for standing in explanation.standings(item, graph)
    ]


def _numbered(numbers: Iterable[int], items: Sequence[ItemRef]) -> tuple[ItemRef, ...]:
    return tuple(dict.fromkeys(items[number - 1] for number in numbers if 1 <= number <= len(items)))


def _seen(title: str, year: int | None, items: Sequence[ItemRef]) -> ItemRef:
    """A known item: one that was shown, or its title alone."""
    same = (item for item in items if name_key(item.title) == name_key(title) and year in (None, item.year))
    return next(same, ItemRef(id="", title=" ".join(title.split()), year=year))
