"""Questions about what was shown (METHOD 9.7): metadata first, then reviews, else "I do not know"; never a guess.

The questions of a turn are split, and each is asked of every item that it is about: `asking` says of which, and in
which form the answers stand. Everything is asked at once and told in order.
"""

from collections.abc import AsyncGenerator
from dataclasses import replace

from langgraph.runtime import Runtime

from dialogue import chinese_questions, comparison, item_answers, side_by_side, why_not, wording
from dialogue.asking import Form, Section, sections_of
from dialogue.catalogue_schema import schema_for
from dialogue.item_answers import Known, metadata_of
from dialogue.models import Action, Answer, ItemRef, Piece, TurnRecord
from dialogue.ports import TurnContext
from dialogue.recommendation import unresolved_reply
from dialogue.record import dumped, reading_of, refs, state_of
from dialogue.stored_list import stored
from dialogue.streams import closing, in_order
from dialogue.telling import Lines, Table, Told, Whole


async def answer(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Answer every question of the turn about every item it is about."""
    context, reading, state = runtime.context, reading_of(turn), state_of(turn)
    if reading.about_accepted:
        taken = wording.titles([item.title for item in state.accepted_items])
        sentence = "accept.so_far" if taken else "accept.none_yet"
        reply = wording.say(sentence, titles=taken, items=context.domain.items_word)
        return {"action": Action.ANSWER.value, "reply": reply, "focus": dumped(state.accepted_items)}
    known = await _known(turn, context)
    asked = chinese_questions.in_english(reading.questions or (turn["utterance"],), known.shown, context.domain)
    known = replace(known, said=asked)
    if reading.unresolved and not reading.about and not any(map(why_not.title_asked, asked)):
        return {"action": Action.ANSWER.value, "reply": unresolved_reply(turn, context)}
    sections = sections_of(tuple(asked), reading.about, known, context)
    if not sections:
        question = wording.first_question(context.domain.missing(state.known_keys))
        return {"action": Action.ANSWER.value, "reply": wording.say("answer.nothing_recommended", question=question)}
    items = tuple(dict.fromkeys(item for section in sections for item in section.items if item.id))
    runtime.stream_writer({"step": "answering", "items": max(1, len(items))})
    told = await _told(turn, sections, known, runtime)
    update: TurnRecord = {
        "action": Action.ANSWER.value,
        "reply": told.text,
        "sources": [source.model_dump(mode="json") for source in told.sources],
        "focus": dumped(() if len(sections) > 1 and all(section.misses for section in sections) else items),
        "cut_off": [item.id for item in told.cut_off],
    }
    return update | {"comparison": told.comparison} if told.comparison else update


async def _known(turn: TurnRecord, context: TurnContext) -> Known:
    """What this turn's answers may draw on."""
    shown = refs(turn.get("shown", [])) or state_of(turn).recommended_items[-context.domain.shown :]
    return Known(
        domain=context.domain,
        schema=schema_for(context.catalogue.items()),
        ranking=await stored(turn, context),
        current_year=context.current_year,
        shown={item: metadata_of(item, context) for item in shown},
    )


async def _told(turn: TurnRecord, sections: list[Section], known: Known, runtime: Runtime[TurnContext]) -> Told:
    """All sections, asked at once and told one after the other."""
    context, told = runtime.context, Told(runtime.stream_writer)
    cases = [(at, question, item) for at, section in enumerate(sections) for question, item in section.cases]
    answers = [_pieces(turn, sections[at], question, item, known, context) for at, question, item in cases]
    begun, teller = -1, _teller(sections[0], told, known, context)
    async with closing(in_order(answers)) as pieces:
        async for place, piece in pieces:
            at, _, item = cases[place]
            if at != begun:
                begun, teller = at, _teller(sections[at], told, known, context, several=len(sections) > 1)
            if piece is not None:
                teller.piece(item, piece)
                continue
            teller.end(item)
            if place + 1 == len(cases) or cases[place + 1][0] != at:
                teller.close(_conclusions(sections[at], known, context))
    return told


def _teller(
    section: Section, told: Told, known: Known, context: TurnContext, *, several: bool = False
) -> Lines | Table | Whole:
    if section.form is Form.TABLE:
        data = [(item, metadata_of(item, context)) for item in section.items]
        labels = section.labels or [comparison.label_of(question, data, known) for question in section.questions]
        return Table(told, section.items, labels)
    if section.form is Form.WHOLE:
        return Whole(told)
    question = section.questions[0]
    asked = known.said.get(question, question) if several else ""
    return Lines(told, listed=len(section.items) > 1, asked=asked)


def _conclusions(section: Section, known: Known, context: TurnContext) -> list[str]:
    """What several items come to, question by question."""
    if section.form is Form.TABLE and section.labels:
        return [sentence] if (sentence := side_by_side.fits_more(section.items, known)) else []
    if section.form is not Form.TABLE:
        return []
    data = [metadata_of(item, context) for item in section.items]
    pairs = list(zip(section.items, data, strict=True))
    several = len(section.questions) > 1
    found = (
        comparison.conclusion(
            q, section.items, data, known, label=comparison.label_of(q, pairs, known) if several else ""
        )
        for q in section.questions
    )
    return [sentence for sentence in found if sentence is not None]


async def _pieces(
    turn: TurnRecord, section: Section, question: str, item: ItemRef, known: Known, context: TurnContext
) -> AsyncGenerator[Piece, None]:
    """The answer of one case, piece by piece."""
    if section.misses:
        seen = refs(turn.get("seen", []))
        yield _whole(await why_not.answer(question, item, state_of(turn), seen, known, context))
    elif section.answers:
        found = section.answers.get((question, item))
        if found is not None:
            yield _whole(found)
    else:
        async with closing(item_answers.pieces(question, item, known, context)) as told:
            async for piece in told:
                yield piece


def _whole(found: Answer) -> Piece:
    return Piece(text=found.text, sources=found.quotes, brief=found.brief)
