"""The DialogueAgent without an LLM (METHOD 12): cue rules over the words, wishes from the PreferenceAgent's nodes.

Deterministic and English. It says only what labels, metadata and passages hold: an answer is a quoted sentence or
"I do not know", an explanation names what is met, partly met, contradicted and silent.
"""

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from dialogue import explanation, facts
from dialogue.engines import wishes
from dialogue.engines.answers import quoted_answer
from dialogue.engines.cues import Act, Part, allowed, greets, parts_of, states_a_wish
from dialogue.engines.feedback import Feedback, pointing_spans, read_feedback, taken_by_name
from dialogue.engines.references import Shown
from dialogue.models import DialogueState, EditKind, Intent, ItemRef, Mention, Piece, StateEdit, Understanding
from dialogue.ports import Question, Utterance
from dialogue.spans import Span, overlaps
from pdgf.models import PreferenceGraph, RankedItem
from pdgf.ports import PreferenceAgent
from pdgf.settings import MethodConfig
from pdgf.temporal import year_constraint
from pdgf.usage import Budget

READ = frozenset({Act.WISH, Act.REJECT, Act.CONTINUE, Act.START_OVER})  # parts that may state a wish
ANSWERED = 2  # keys of a question of ours that an answer without a readable wish is still bound to
LONGEST_ANSWER = 80  # characters


class BuiltinDialogueAgent:
    """Understands by cue rules, explains and answers by quoting.

    `preferences` reads the wishes: the same agent that the graph is built with, so that both read alike.
    """

    def __init__(self, *, preferences: PreferenceAgent, config: MethodConfig) -> None:
        self._preferences = preferences
        self._config = config

    async def understand(self, utterance: Utterance, budget: Budget) -> Understanding:
        """Read one utterance. Raises LanguageNotSupported when its wishes cannot be read."""
        with budget.agent_call():
            return await self._understand(utterance)

    async def _understand(self, utterance: Utterance) -> Understanding:
        text = utterance.text
        shown = _table(utterance)
        parts = taken_by_name(text, parts_of(text, shown=bool(utterance.shown), asked=bool(utterance.asked)), shown)
        parts = [_allowing(text, part, utterance.state) for part in parts]
        edits = await self._edits(utterance, parts, pointing_spans(text, parts, shown))
        wished = [(edit.span[1], edit.span[2]) for edit in edits if edit.kind is EditKind.ADD]
        feedback = read_feedback(text, parts, shown, wished=wished)
        return Understanding(
            intents=_intents(text, feedback, edits, parts, shown=bool(utterance.shown)),
            edits=tuple(edit for edit in edits if not wishes.said_already(edit, utterance.state)),
            about=_once(feedback.about),
            accepted=_once(feedback.accepted),
            rejected=_once(feedback.rejected),
            seen=_once(feedback.seen),
            questions=tuple(feedback.questions),
            unresolved=tuple(dict.fromkeys(feedback.unresolved)),
            greeting=feedback.acts == {Act.COURTESY},
            hello=Act.COURTESY in feedback.acts and greets(text),
            about_system=Act.HELP in feedback.acts,
            about_accepted=Act.REVIEW in feedback.acts,
        )

    async def explain(self, item: RankedItem, graph: PreferenceGraph, budget: Budget) -> AsyncIterator[Piece]:
        """The reasons, a sentence at a time."""
        with budget.agent_call():
            pieces = explanation.told_by_labels(item, graph)
        for piece in pieces:
            yield piece

    async def answer(self, question: Question, budget: Budget) -> AsyncIterator[Piece]:
        """The quoted sentence, or nothing."""
        with budget.agent_call():
            piece = quoted_answer(question)
        if piece is not None:
            yield piece

    async def _edits(self, utterance: Utterance, parts: Sequence[Part], pointing: Sequence[Span]) -> list[StateEdit]:
        """Everything the utterance does to the constraints: taken back, added, objected to, left open."""
        text, turn, domain = utterance.text, utterance.turn, utterance.domain
        drops = [
            drop
            for part in parts
            if Act.FORGET in part.acts
            for drop in wishes.taken_back(text[slice(*part.focus)], utterance.state, domain)
        ]
        drops += [
            drop
            for part in parts
            if Act.ALLOW in part.acts
            for drop in wishes.allowed(text[slice(*part.focus)], utterance.state)
        ]
        era, open_words = _era(utterance, parts), _open_words(utterance, parts)
        said_open = [(edit.span[1], edit.span[2]) for edit in open_words]
        read, segments = wishes.joined(text, _stretches(parts, shown=bool(utterance.shown)), said_open)
        found: list[StateEdit] = []
        if any(character.isalnum() for character in read):
            reading = await self._preferences.extract_nodes(read, None, self._config, Budget())  # part of this call
            left_out = [*pointing, *((edit.span[1], edit.span[2]) for edit in era)]
            found = wishes.additions(text, reading, segments, turn=turn, domain=domain, left_out=left_out)
            found = [edit for edit in found if not (era and wishes.is_number(edit.text))]
            found = _answering(utterance, parts, found)
        objections = [_objection(utterance, part) for part in parts if Act.OBJECT in part.acts]
        unread = [part for part in parts if utterance.shown and _asks_for_unread(part, found, pointing)]
        asked = [_asked_for(utterance, part) for part in unread]
        answer = [] if found or drops or era or open_words else _bare_answer(utterance, parts)
        added = sorted([*found, *objections, *asked, *era, *open_words, *answer], key=lambda edit: edit.span)
        fresh = any(Act.START_OVER in part.acts for part in parts)
        return [*drops, *(added if fresh else wishes.with_changes_of_mind(added, utterance.state))]


def _table(utterance: Utterance) -> Shown:
    on_table = {item.id for item in utterance.shown}
    return Shown(
        items=utterance.shown,
        earlier=tuple(item for item in utterance.state.recommended_items if item.id not in on_table),
        focus=utterance.focus,
        metadata=utterance.metadata,
        domain=utterance.domain,
    )


def _allowing(text: str, part: Part, state: DialogueState) -> Part:
    """The part as one that allows what was unwanted, where its words say so and something unwanted is meant."""
    words = text[slice(*part.span)]
    span = None if Act.QUESTION in part.acts else allowed(words)
    if span is None or not wishes.allowed(words[slice(*span)], state):
        return part
    focus = part.span[0] + span[0], part.span[0] + span[1]
    return replace(part, acts=frozenset({Act.ALLOW}), focus=focus, bare=False)


def _era(utterance: Utterance, parts: Sequence[Part]) -> list[StateEdit]:
    """The year rule's own wording (METHOD 7.6), as a hard constraint where the domain has a key for it."""
    if all(row.key != "era_year" for row in utterance.domain.constraint_keys):
        return []
    found = year_constraint(utterance.text, mode="explicit", current_year=utterance.current_year)
    stated = found is not None and any(part.acts & READ and _within(found.span, part) for part in parts)
    if found is None or not stated:
        return []
    return [wishes.stated(utterance.text, found.span, turn=utterance.turn, key="era_year", hard=True)]


def _objection(utterance: Utterance, part: Part) -> StateEdit:
    words = utterance.text[slice(*part.focus)]
    key = _key_by_facts(words, utterance)
    lacking = not words.lower().startswith("too")
    return wishes.objection(utterance.text, part.focus, turn=utterance.turn, key=key, lacking=lacking)


def _asked_for(utterance: Utterance, part: Part) -> StateEdit:
    key = _key_by_facts(utterance.text[slice(*part.focus)], utterance)
    return wishes.asked_for(utterance.text, part.focus, turn=utterance.turn, key=key)


def _key_by_facts(words: str, utterance: Utterance) -> str:
    """The sub-key whose metadata the words ask for; `others` where no fact of the shown items is named."""
    for item in utterance.shown:
        fact = facts.key_asked(words, utterance.metadata.get(item.id, {}), utterance.domain)
        rows = utterance.domain.constraint_keys
        key = next((row.key for row in rows if fact is not None and fact in row.metadata), None)
        if key:
            return key
    return "others"


def _intents(
    text: str, feedback: Feedback, edits: Sequence[StateEdit], parts: Sequence[Part], *, shown: bool
) -> tuple[Intent, ...]:
    """The intents that hold; none is forced (METHOD 9.2). Feedback needs something that it can be about."""
    acts = feedback.acts
    rejects = shown and bool(acts & {Act.REJECT, Act.OBJECT})
    wish = bool(edits) or any(part.acts & READ and states_a_wish(text[slice(*part.span)]) for part in parts)
    holding = {
        Intent.PROVIDE_PREFERENCE: wish,
        Intent.INQUIRE: Act.QUESTION in acts,
        Intent.ACCEPT: shown and Act.ACCEPT in acts,
        Intent.REJECT: rejects,
        Intent.CONTINUE: shown and Act.CONTINUE in acts and not rejects,
        Intent.START_OVER: Act.START_OVER in acts,
    }
    return tuple(intent for intent, holds in holding.items() if holds)


def _stretches(parts: Sequence[Part], *, shown: bool) -> list[tuple[Span, Mention]]:
    """What is read for wishes: neighbouring statements as one stretch, and what each question about a list asks for."""
    found: list[tuple[Span, Mention]] = []
    joins = False
    for part in parts:
        if part.acts <= READ and not part.bare:
            if joins and found:
                found[-1] = ((found[-1][0][0], part.span[1]), Mention.STATED)
            else:
                found.append((part.span, Mention.STATED))
            joins = True
            continue
        joins = False
        if shown and Act.QUESTION in part.acts and part.focus != (0, 0):
            found.append((part.focus, Mention.ASKED))
    return found


def _asks_for_unread(part: Part, found: Sequence[StateEdit], pointing: Sequence[Span]) -> bool:
    """Whether a question asks for something in which no wish was read, and which is not an item either."""
    if Act.QUESTION not in part.acts or part.focus == (0, 0):
        return False
    read = [(edit.span[1], edit.span[2]) for edit in found]
    return not any(overlaps(part.focus, span) for span in [*read, *pointing])


def _open_words(utterance: Utterance, parts: Sequence[Part]) -> list[StateEdit]:
    """Words that leave a key open: "anywhere" wherever it stands, "anything goes" as the answer to a question."""
    text, turn = utterance.text, utterance.turn
    edits: list[StateEdit] = []
    for row in utterance.domain.constraint_keys:
        names = sorted(row.anything, key=len, reverse=True)
        match = re.search(rf"\b(?:{'|'.join(map(re.escape, names))})\b", text, re.IGNORECASE) if names else None
        if match:
            edits.append(wishes.left_open(text, match.span(), turn=turn, key=row.key))
    answered = next((part for part in parts if Act.INDIFFERENT in part.acts), None)
    if answered and utterance.asked and len(utterance.asked) <= ANSWERED and not edits:
        edits.append(wishes.left_open(text, answered.focus, turn=turn, key=utterance.asked[0]))
    return edits


def _answering(utterance: Utterance, parts: Sequence[Part], found: list[StateEdit]) -> list[StateEdit]:
    """Wishes of no kind of their own, said in answer to our question, belong under the key that was asked for."""
    asked = utterance.asked
    if not 1 <= len(asked) <= ANSWERED or len(parts) != 1 or any(edit.key != "others" for edit in found):
        return found
    hard = utterance.domain.row(asked[0]).hard
    return [edit.model_copy(update={"key": asked[0], "hard": hard and not edit.avoid}) for edit in found]


def _bare_answer(utterance: Utterance, parts: Sequence[Part]) -> list[StateEdit]:
    """An answer to our question in which no wish could be read: taken as it stands, where one key was asked for."""
    if not 1 <= len(utterance.asked) <= ANSWERED or len(parts) != 1 or parts[0].acts != {Act.WISH}:
        return []
    start, end = parts[0].span
    words = utterance.text[start:end].rstrip(" .!")
    if len(words) > LONGEST_ANSWER or words.endswith("?"):
        return []
    key = utterance.asked[0]
    span = start, start + len(words)
    return [wishes.stated(utterance.text, span, turn=utterance.turn, key=key, hard=utterance.domain.row(key).hard)]


def _within(span: Span, part: Part) -> bool:
    return part.span[0] <= span[0] and span[1] <= part.span[1]


def _once(items: Sequence[ItemRef]) -> tuple[ItemRef, ...]:
    return tuple({item.id: item for item in items}.values())
