"""The DialogueAgent without an LLM (METHOD 12): cue rules over the words, wishes from the PreferenceAgent's nodes.

Deterministic; English and Chinese. It says only what labels, metadata and passages hold: an answer is a quoted
sentence or "I do not know", an explanation names what is met, partly met, contradicted and silent.
"""

import re
from collections.abc import AsyncIterator, Sequence

from dialogue import explanation, softeners
from dialogue.engines import changes, plain_wishes, wishes
from dialogue.engines.answers import labelled_words, quoted_answer
from dialogue.engines.asked_back import answering, bare_answer, open_words
from dialogue.engines.chinese import feedback as chinese_feedback
from dialogue.engines.chinese import parts as chinese_parts
from dialogue.engines.cues import Act, Part, greets, opens_new_topic, parts_of, state_asked, states_a_wish
from dialogue.engines.feedback import Feedback, judged, pointing_spans, read_feedback
from dialogue.engines.names import masked
from dialogue.engines.references import Shown
from dialogue.engines.remarks import with_remarks
from dialogue.engines.seen_titles import seen_spans
from dialogue.engines.standing_parts import allowing, refusing
from dialogue.engines.tastes import Taste, told_of
from dialogue.languages import is_title
from dialogue.models import EditKind, Intent, ItemRef, Mention, Piece, StateEdit, StatePart, Understanding
from dialogue.ports import Question, Utterance
from dialogue.spans import Span, overlaps
from dialogue.titles import titles_of
from dialogue.unknown_titles import unknown_liked
from pdgf.errors import LanguageNotSupported
from pdgf.glossary import has_han, language_of
from pdgf.glossary.tongues import other_tongue
from pdgf.identity import name_key
from pdgf.models import PreferenceGraph, RankedItem
from pdgf.ports import PreferenceAgent, RelationRequest
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

_PRONOUN = re.compile(r"it|they|them|this|that|these|those", re.IGNORECASE)


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
        shown, chinese = _table(utterance), _is_chinese(text)
        tongue = None if chinese else other_tongue(text)
        if tongue is not None and not is_title(
            text, (title for item in utterance.catalogue for title in titles_of(item))
        ):
            raise LanguageNotSupported(tongue)
        told: Sequence[Taste] = ()
        if chinese:
            read = chinese_parts.parts_of(text, shown=bool(utterance.shown), asked=bool(utterance.asked))
            parts = [allowing(text, part, utterance) for part in chinese_feedback.judged(text, read, shown)]
            pointing = chinese_feedback.pointing_spans(text, parts, shown)
        else:
            plain = softeners.blanked(masked(text, (*shown.items, *shown.earlier)))
            read = parts_of(plain, shown=bool(utterance.shown), asked=bool(utterance.asked))
            told = told_of(text, read, shown)
            heard = [refusing(text, part, utterance) for part in read]
            parts = [allowing(text, part, utterance) for part in judged(text, heard, shown, told)]
            pointing = [*pointing_spans(text, parts, shown, told), *seen_spans(text, parts, shown)]
            if not (shown.items or shown.earlier):  # "hates it when they are grim" points at nothing
                pointing = [span for span in pointing if not _PRONOUN.fullmatch(text[slice(*span)])]
            parts = with_remarks(text, parts, [*pointing, *(taste.span for taste in told)])
        edits = await self._edits(utterance, parts, pointing, told)
        wished = [(edit.span[1], edit.span[2]) for edit in edits if edit.kind is EditKind.ADD]
        if chinese:
            feedback = chinese_feedback.read_feedback(text, parts, shown, wished=wished)
        else:
            feedback = read_feedback(text, parts, shown, wished=wished, told=told)
        return Understanding(
            intents=_intents(text, feedback, edits, parts, shown=bool(utterance.shown)),
            edits=tuple(edit for edit in edits if not wishes.said_already(edit, utterance.state)),
            about=_once(feedback.about),
            accepted=_once(feedback.accepted),
            rejected=_once(feedback.rejected),
            implied=_once(feedback.implied),
            seen=_once(feedback.seen),
            questions=tuple(feedback.questions),
            unresolved=tuple(dict.fromkeys(feedback.unresolved)),
            greeting=feedback.acts == {Act.COURTESY},
            hello=Act.COURTESY in feedback.acts and (chinese_parts.greets(text) if chinese else greets(text)),
            about_system=Act.HELP in feedback.acts,
            about_accepted=Act.REVIEW in feedback.acts,
            about_state=_recalled(text, parts),
            interest=_once(feedback.interest),
            liked=_once(feedback.liked),
            disliked=_once(feedback.disliked),
            candidates=_once(feedback.candidates),
            unclear=tuple(feedback.unclear),
            new_topic=any(Act.START_OVER in p.acts and _opens_new_topic(text[slice(*p.span)]) for p in parts),
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
            words = labelled_words(question.text)
            asked = [RelationRequest(text=hit.passage.text, feature=words) for hit in question.hits] if words else []
            labels = await self._preferences.label_relations(asked, Budget()) if asked else []  # part of this call
            piece = quoted_answer(question, labels)
        if piece is not None:
            yield piece

    async def _edits(
        self, utterance: Utterance, parts: Sequence[Part], pointing: Sequence[Span], told: Sequence[Taste]
    ) -> list[StateEdit]:
        """Everything the utterance does to the constraints: taken back, added, objected to, left open."""
        text, turn, domain = utterance.text, utterance.turn, utterance.domain
        drops = [
            drop
            for part in parts
            if Act.FORGET in part.acts
            for drop in changes.taken_back(text[slice(*part.focus)], utterance.state, domain)
        ]
        drops += [
            drop
            for part in parts
            if Act.ALLOW in part.acts
            for drop in changes.allowed(text[slice(*part.focus)], utterance.state)
        ]
        era, left_open = plain_wishes.era(utterance, parts), open_words(utterance, parts)
        left_open += plain_wishes.opened(utterance, parts, drops)
        said_open = [(edit.span[1], edit.span[2]) for edit in left_open]
        cuts = [*said_open, *softeners.spans(text)]
        read, segments = wishes.joined(text, _stretches(parts, shown=bool(utterance.shown)), cuts)
        found: list[StateEdit] = []
        unknown = unknown_liked(text, [taste.item.title for taste in told if taste.liked], utterance.catalogue)
        missing = [taste.span for taste in told if taste.item.title in unknown]
        told = [taste for taste in told if taste.item.title not in unknown]
        if any(character.isalnum() for character in read):
            reading = await self._preferences.extract_nodes(read, None, self._config, Budget())  # part of this call
            left_out = [*pointing, *missing, *((edit.span[1], edit.span[2]) for edit in era)]
            found = wishes.additions(text, reading, segments, turn=turn, domain=domain, left_out=left_out)
            found = [edit for edit in found if not (era and wishes.is_number(edit.text))]
            found = answering(utterance, parts, found)
        found += await self._named_alone(utterance, parts, found)
        found += _references(utterance, told, found)
        found += await self._permitted(utterance, parts, drops)
        objections = [plain_wishes.objection(utterance, part) for part in parts if Act.OBJECT in part.acts]
        unread = [part for part in parts if utterance.shown and _asks_for_unread(part, found, pointing)]
        asked = [plain_wishes.asked_for(utterance, part) for part in unread]
        answer = [] if found or drops or era or left_open else bare_answer(utterance, parts)
        added = sorted([*found, *objections, *asked, *era, *left_open, *answer], key=lambda edit: edit.span)
        fresh = any(Act.START_OVER in part.acts for part in parts)
        return [*drops, *(added if fresh else changes.with_changes_of_mind(added, utterance.state))]

    async def _named_alone(
        self, utterance: Utterance, parts: Sequence[Part], found: Sequence[StateEdit]
    ) -> list[StateEdit]:
        """What a Chinese clause names and nothing else, read by itself, or else as it stands."""
        edits: list[StateEdit] = []
        for stated in plain_wishes.named_alone(utterance, parts, found):
            span = (stated.span[1], stated.span[2])
            read, segments = wishes.joined(utterance.text, [(span, Mention.STATED)])
            reading = await self._preferences.extract_nodes(read, None, self._config, Budget())  # part of this call
            edits += wishes.additions(
                utterance.text, reading, segments, turn=utterance.turn, domain=utterance.domain, left_out=()
            ) or [stated]
        return edits

    async def _permitted(
        self, utterance: Utterance, parts: Sequence[Part], drops: Sequence[StateEdit]
    ) -> list[StateEdit]:
        """What joins a standing wish after "French is fine too". What changes nothing is heard all the same: the words
        as they stand, which ask for nothing."""
        text, turn, domain = utterance.text, utterance.turn, utterance.domain
        allowing = [part for part in parts if Act.ALLOW in part.acts]
        read, segments = wishes.joined(text, [(part.focus, Mention.STATED) for part in allowing])
        if not read:
            return []
        reading = await self._preferences.extract_nodes(read, None, self._config, Budget())  # part of this call
        found = wishes.additions(text, reading, segments, turn=turn, domain=domain, left_out=())
        joining = changes.beside(found, text, utterance.state, domain)
        if joining or drops or not utterance.shown:
            return joining
        keys = [
            next((e.key for e in found if overlaps(part.focus, (e.span[1], e.span[2]))), "others") for part in allowing
        ]
        heard = (
            wishes.left_open(text, part.span, turn=turn, key=key) for part, key in zip(allowing, keys, strict=True)
        )
        return [edit.model_copy(update={"replaces": False}) for edit in heard]


def _table(utterance: Utterance) -> Shown:
    on_table = {item.id for item in utterance.shown}
    return Shown(
        items=utterance.shown,
        earlier=tuple(item for item in utterance.state.recommended_items if item.id not in on_table),
        focus=utterance.focus,
        ever=utterance.state.recommended_items,
        accepted=utterance.state.accepted_items,
        metadata=utterance.metadata,
        domain=utterance.domain,
        titles=frozenset(name_key(item.title) for item in utterance.catalogue),
    )


def _recalled(text: str, parts: Sequence[Part]) -> tuple[StatePart, ...]:
    said = (text[slice(*part.span)] for part in parts if Act.RECALL in part.acts)
    asked = (chinese_parts.state_asked(words) if has_han(words) else state_asked(words) for words in said)
    return tuple(dict.fromkeys(part for part in asked if part is not None))


def _references(utterance: Utterance, told: Sequence[Taste], found: Sequence[StateEdit]) -> list[StateEdit]:
    """What was liked or disliked by name and is in no wish yet: a disliked title with the words that say so. One of the
    list that was disliked is turned down instead."""
    read = [(edit.span[1], edit.span[2]) for edit in found]
    edits = []
    for taste in told:
        span = taste.span if taste.liked else taste.said
        turned_down = not taste.liked and taste.item in utterance.shown
        if turned_down or any(overlaps(taste.span, other) for other in read):
            continue
        edit = wishes.stated(utterance.text, span, turn=utterance.turn, key="others", hard=False)
        edits.append(edit.model_copy(update={"avoid": not taste.liked, "replaces": False}))
    return edits


def _is_chinese(text: str) -> bool:
    """Whether an utterance is read by Chinese cues: it is Chinese, or does something in Chinese beside other words."""
    return has_han(text) and (language_of(text) == "zh" or chinese_parts.speaks_chinese_acts(text))


def _opens_new_topic(words: str) -> bool:
    return chinese_parts.opens_new_topic(words) if has_han(words) else opens_new_topic(words)


def _intents(
    text: str, feedback: Feedback, edits: Sequence[StateEdit], parts: Sequence[Part], *, shown: bool
) -> tuple[Intent, ...]:
    """The intents that hold; none is forced (METHOD 9.2). Feedback needs something that it can be about."""
    acts = feedback.acts
    rejects = shown and bool(acts & {Act.REJECT, Act.OBJECT})
    wish = bool(edits) or any(Act.ALLOW in part.acts for part in parts)
    telling = (part for part in parts if part.acts & plain_wishes.READ and Act.CONTINUE not in part.acts)
    stated = (text[slice(*part.span)] for part in telling)
    wish = wish or any(states_a_wish(words) for words in stated if not has_han(words))
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
        if part.acts <= plain_wishes.READ and not part.bare:
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


def _once(items: Sequence[ItemRef]) -> tuple[ItemRef, ...]:
    return tuple(dict.fromkeys(items))
