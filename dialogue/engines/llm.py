"""The DialogueAgent on a language model: one call reads a turn; explanations and answers are streamed prose.

What it says is held against what it was given, sentence by sentence, before anything of it is shown. Fallbacks are
those of METHOD 2, noted on the budget as setbacks.
"""

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from dialogue import claims, explanation, wording
from dialogue.citations import CitationCheck, Sourced, evidence_of, facts_of, passages_of
from dialogue.engines.llm_reading import grounded, items_of, understanding_of
from dialogue.engines.llm_replies import UnderstandReply
from dialogue.models import ConstraintValue, Intent, ItemRef, Piece, Understanding
from dialogue.ports import DialogueAgent, Question, Utterance
from dialogue.prose import SentenceStream, joined
from dialogue.record import values_of
from dialogue.standings import best_path, standings, wish_of
from dialogue.streams import closing
from pdgf.constraints import fact_line
from pdgf.errors import BadInput, BudgetSpent, PromptTooLong, ReplyCutOff, ReplyUnusable, StepFailed
from pdgf.llm.calls import Ask, Prose, Rendered, Role
from pdgf.llm.prompt_files import load
from pdgf.llm.structured import StructuredModel
from pdgf.models import Label, PreferenceGraph, RankedItem
from pdgf.usage import Budget

UNKNOWN = "UNKNOWN"  # the whole reply of `answer` when nothing given answers
EXPLANATION_TOKENS = 700
ANSWER_TOKENS = 500
RECITED_WORDS, FEWEST_RECITED = 8, 5  # in a row, and in a whole sentence: none about an item shares them by chance
SHOWN_WISHES = 16_000  # characters of standing wishes that a reading is shown
SHOWN_EARLIER = 60  # items of earlier lists that a reading is shown, the newest
CHARS_A_TOKEN = 8  # twice what they mostly are; a server that does not keep to the limit is hung up on
LANGUAGE = "that of the question"  # a message is too short to tell every language by

_phrase = lru_cache(maxsize=8)(claims.phrase)  # of the system text, which is the same for every call of a prompt


class LLMDialogueAgent:
    """Understands, explains and answers by prompts. `reserve` supplies cue rules where a reading is unusable;
    `titles` are the names of all items, so that prose about one names no other."""

    def __init__(
        self,
        model: StructuredModel,
        prose: Prose,
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
        items = items_of(utterance)
        try:
            reply = await self._model.ask(
                load("dialogue/understand", UnderstandReply).render(**_shown(utterance, items)),
                UnderstandReply,
                role=Role.MAIN,
                max_tokens=1_500,
                budget=budget,
                check=lambda reply: grounded(reply, utterance.text),
            )
        except StepFailed:
            budget.set_back("understand", "unreadable")
            return await self._by_cues(utterance, budget)
        return understanding_of(reply, utterance, items)

    async def explain(self, item: RankedItem, graph: PreferenceGraph, budget: Budget) -> AsyncGenerator[Piece, None]:
        """Checked sentences as they come; the labels' own words when none can be shown."""
        candidate = item.candidate
        about = ItemRef(id=candidate.id, title=candidate.title, year=candidate.year)
        evidence, facts = evidence_of(item, graph), facts_of(about, candidate.metadata)
        said = False
        if evidence or facts:
            rendered = load("dialogue/explain").render(
                language=graph.language,
                title=candidate.title,
                year=candidate.year,
                demoted=item.demoted,
                unknown=list(item.unknown),
                wishes=_standings(item, graph, evidence),
                facts=_rows(facts),
            )
            check = self._check_of_explanation(item, graph, (*evidence, *facts), rendered.system)
            try:
                async with closing(self._checked(rendered, check, EXPLANATION_TOKENS, budget, step="explain")) as told:
                    async for piece in told:
                        yield piece if said else _with_broken_condition(piece, item)
                        said = True
            except BudgetSpent:
                if said:
                    raise
                budget.set_back("explain", "unreadable")
        if not said:
            for piece in explanation.told_by_labels(item, graph):
                yield piece

    async def answer(self, question: Question, budget: Budget) -> AsyncGenerator[Piece, None]:
        """Checked sentences as they come; nothing at all when the model says that nothing given answers."""
        item = question.item
        facts, passages = facts_of(item, question.metadata), passages_of(item, question.hits)
        if not (facts or passages):
            return
        rendered = load("dialogue/answer").render(
            language=LANGUAGE,
            question=question.said or question.text,
            title=item.title,
            year=item.year,
            facts=_rows(facts),
            passages=_rows(passages),
        )
        check = CitationCheck(
            (*facts, *passages),
            title=item.title,
            known=(question.said or question.text, str(item.year or "")),
            others=self._titles(),
            orders=rendered.system,
        )
        async with closing(self._checked(rendered, check, ANSWER_TOKENS, budget, step="answer")) as told:
            async for piece in told:
                yield piece

    def _check_of_explanation(
        self, item: RankedItem, graph: PreferenceGraph, sourced: Sequence[Sourced], orders: str
    ) -> CitationCheck:
        found = standings(item, graph)
        silent = [standing.wish for standing in found if standing.label is Label.NOT_ADDRESSED]
        spoken = [standing.wish for standing in found if standing.label is not Label.NOT_ADDRESSED]
        year = str(item.candidate.year or "")
        return CitationCheck(
            sourced,
            title=item.candidate.title,
            known=(*silent, *spoken, year, item.demoted or "", *item.unknown),
            others=self._titles(),
            silent=(*silent, *item.unknown),
            spoken=spoken,
            orders=orders,
        )

    async def _checked(
        self, rendered: Rendered, check: CitationCheck, max_tokens: int, budget: Budget, *, step: str
    ) -> AsyncGenerator[Piece, None]:
        """The sentences that may be shown. What breaks off before the first of them is asked for once more; what breaks
        off later ends with a broken piece. Where none may be shown that is noted, unless the answer is not known."""
        ask = Ask(rendered=rendered, role=Role.MAIN, max_tokens=max_tokens)
        said, unknown = "", False
        for _ in range(2):
            try:
                async with closing(_sentences(self._prose, ask, budget, unbroken=check.title)) as sentences:
                    async for sentence in sentences:
                        unknown = unknown or (step == "answer" and UNKNOWN in sentence)
                        piece = check.piece(sentence)
                        if piece is not None and not _recites(piece.text, rendered.system):
                            yield piece.model_copy(update={"text": joined(said, piece.text) + piece.text})
                            said = piece.text
                break
            except ReplyCutOff:
                if said:
                    budget.set_back(f"{step}_cut", "cut_off")
                    yield Piece(text=" …", broken=True)
                    break
            except (ReplyUnusable, PromptTooLong):
                break
        if not said and not unknown:
            budget.set_back(step, "unreadable")

    async def _by_cues(self, utterance: Utterance, budget: Budget) -> Understanding:
        """METHOD 2: cue rules for the intents, the state unchanged."""
        try:
            reading = await self._reserve.understand(utterance, budget)
        except BadInput:
            return Understanding()
        kept = tuple(intent for intent in reading.intents if intent is not Intent.PROVIDE_PREFERENCE)
        changes = ("edits", "accepted", "rejected", "interest", "seen", "liked", "disliked")
        return reading.model_copy(update={"intents": kept, **dict.fromkeys(changes, ())})


def _recites(text: str, system: str) -> bool:
    """Whether a text repeats a stretch of the words that the model was instructed with."""
    words, instructions = claims.phrase(text).split(), _phrase(system)
    size = min(max(len(words), FEWEST_RECITED), RECITED_WORDS)
    stretches = (words[start : start + size] for start in range(len(words) - size + 1))
    return any(f" {' '.join(stretch)} " in instructions for stretch in stretches)


async def _sentences(prose: Prose, ask: Ask, budget: Budget, *, unbroken: str) -> AsyncGenerator[str, None]:
    """The whole sentences of a stream; what stands at the end of a whole reply is one without a full stop too."""
    cutter, received = SentenceStream((unbroken,)), 0
    async with closing(prose.stream(ask, budget)) as pieces:
        async for piece in pieces:
            received += len(piece)
            if received > CHARS_A_TOKEN * ask.max_tokens:
                raise ReplyCutOff("the reply is far longer than asked for")
            for sentence in cutter.feed(piece):
                yield sentence
    for sentence in cutter.end():
        yield sentence


def _shown(utterance: Utterance, items: Sequence[ItemRef]) -> dict[str, Any]:
    rows = [{"number": number, "title": item.title, "year": item.year} for number, item in enumerate(items, start=1)]
    shown = len(utterance.shown)
    focus = {item.id for item in utterance.focus}
    return {
        "utterance": utterance.text,
        "wishes": [{"key": key, "text": v.text, "hard": hard} for key, v, hard in _newest(values_of(utterance.state))],
        "keys": [
            {"key": row.key, "description": row.description, "hard": row.hard}
            for row in utterance.domain.constraint_keys
        ],
        "shown": [
            {**row, "facts": _facts(item, utterance)} for row, item in zip(rows[:shown], utterance.shown, strict=True)
        ],
        "earlier": rows[shown : shown + SHOWN_EARLIER],
        "focus": [row["number"] for row, item in zip(rows, items, strict=True) if item.id in focus],
        "asked": list(utterance.asked),
        "domains": [{"name": domain.name, "items": domain.items_word} for domain in utterance.domains],
        "item_word": utterance.domain.item_word,
        "current_year": utterance.current_year,
    }


def _newest(wishes: Sequence[tuple[str, ConstraintValue, bool]]) -> list[tuple[str, ConstraintValue, bool]]:
    """The wishes in their order, without the oldest where they are more than a prompt should hold; conditions stay
    before other wishes."""
    kept, room = set(), SHOWN_WISHES
    for place in sorted(range(len(wishes)), key=lambda at: (wishes[at][2], wishes[at][1].span), reverse=True):
        room -= len(wishes[place][1].text)
        if room >= 0:
            kept.add(place)
    return [wish for place, wish in enumerate(wishes) if place in kept]


def _facts(item: ItemRef, utterance: Utterance) -> list[str]:
    """What a card shows of an item: enough to know which one "the cheaper one" is."""
    metadata = utterance.metadata.get(item.id, {})
    return [fact_line(key, metadata[key]) for key in utterance.domain.facts if key in metadata]


def _with_broken_condition(first: Piece, item: RankedItem) -> Piece:
    """The first words of an explanation, after the condition that the item breaks where they do not speak of it."""
    if item.demoted is None or claims.touches(first.text, item.demoted):
        return first
    broken = wording.say("explain.demoted", reason=wording.reason(item.demoted))
    return first.model_copy(update={"text": f"{broken} {first.text}"})


def _rows(sourced: Iterable[Sourced]) -> list[dict[str, str]]:
    return [{"id": each.id, "text": each.text} for each in sourced]


def _standings(item: RankedItem, graph: PreferenceGraph, evidence: Sequence[Sourced]) -> list[dict[str, Any]]:
    ids = {each.text: each.id for each in evidence}
    hard = {wish_of(node) for node in graph.nodes if node.hard}
    path = best_path(item)
    place = {node: number for number, node in enumerate(path)}
    found = sorted(standings(item, graph), key=lambda s: (s.wish not in hard, place.get(s.node, len(path))))
    return [
        {
            "words": standing.wish,
            "label": standing.label.value,
            "hard": standing.wish in hard,
            "qualifies": next((wish_of(graph.node_by_id[b]) for b in graph.bases(standing.node)), ""),
            "evidence": [{"id": ids[quote], "quote": quote} for quote in standing.quotes if quote in ids],
        }
        for standing in found
    ]
