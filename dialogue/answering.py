"""Questions about what was shown (METHOD 9.7): metadata first, then reviews, else "I do not know"; never a guess.

Every question is asked of every item it is about. What metadata answer by an exact key costs no agent call; for the
rest the nearest passages of each item go to the agent in one call. Answers are merged over items, then over questions.
"""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from dialogue import explanation, facts, titles, wording
from dialogue.domain import Domain, Scale
from dialogue.models import Action, Answer, ItemRef, QuotedSource, TurnRecord
from dialogue.ports import Question, TurnContext
from dialogue.recommendation import stored, unresolved_reply
from dialogue.record import dumped, reading_of, refs, state_of
from dialogue.reviews import pieces_by_item
from pdgf.constraints import fact_line
from pdgf.models import Metadata, Recommendation


async def answer(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Answer every question of the turn about every item it is about."""
    context, reading, state = runtime.context, reading_of(turn), state_of(turn)
    if reading.about_accepted:
        taken = wording.listed([item.title for item in state.accepted_items])
        sentence = "accept.so_far" if taken else "accept.none_yet"
        reply = wording.say(sentence, titles=taken, items=context.domain.items_word)
        return {"action": Action.ANSWER.value, "reply": reply, "focus": dumped(state.accepted_items)}
    if not state.recommended_items:
        missing = context.domain.missing(state.known_keys)
        question = missing[0].question if missing else wording.say("courtesy.open_question")
        return {"action": Action.ANSWER.value, "reply": wording.say("answer.nothing_recommended", question=question)}
    if reading.unresolved and not reading.about:
        return {"action": Action.ANSWER.value, "reply": unresolved_reply(turn, context)}
    shown = refs(turn.get("shown", [])) or state.recommended_items[-context.domain.shown :]
    questions = reading.questions or (turn["utterance"],)
    elsewhere = () if reading.about else titles.known(questions, context.catalogue.items())
    items = reading.about or elsewhere or shown
    if not (reading.about or elsewhere) and (strange := titles.unknown(questions, _values(context))):
        reply = wording.say("answer.not_known", title=strange, items=context.domain.items_word)
        return {"action": Action.ANSWER.value, "reply": reply}
    runtime.stream_writer({"step": "answering", "items": len(items)})
    answers = await _answers(questions, items, await stored(turn, context), context)
    reply = "\n\n".join(_merged(question, answers[question], items, context) for question in questions)
    runtime.stream_writer({"piece": reply})
    quotes = dict.fromkeys(quote for question in questions for found in answers[question] for quote in found.quotes)
    return {
        "action": Action.ANSWER.value,
        "reply": reply,
        "sources": [quote.model_dump(mode="json") for quote in quotes],
        "focus": dumped(items),
    }


async def _answers(
    questions: Sequence[str], items: Sequence[ItemRef], ranking: Recommendation | None, context: TurnContext
) -> dict[str, list[Answer]]:
    """One answer a question and item: from metadata where a key is asked for, from the labels of the ranking where
    reasons are asked for, else from what the agent reads."""
    found = {
        (question, item.id): from_metadata(question, item, _metadata(item, context), context.domain)
        or from_labels(question, item, ranking, context.domain)
        or (from_wishes(question, item, ranking, context.domain) if titles.asks_of_item(question, item) else None)
        for question in questions
        for item in items
    }
    open_questions: list[Question] = []
    for question in questions:
        left = [item for item in items if found[question, item.id] is None]
        if left:
            hits = await context.reviews.nearest(question, [item.id for item in left], context.config.qa_evidence)
            pieces = pieces_by_item(hits)
            open_questions += [
                Question(text=question, item=i, metadata=_metadata(i, context), hits=tuple(pieces.get(i.id, ())))
                for i in left
            ]
    if open_questions:
        replies = await context.agent.answer(open_questions, context.budget)
        for asked, reply in zip(open_questions, replies, strict=True):
            checked = _checked(reply, asked)
            by_label = None if checked.known else from_wishes(asked.text, asked.item, ranking, context.domain)
            found[asked.text, asked.item.id] = by_label or checked
    return {
        question: [found[question, item.id] or Answer(item=item, question=question) for item in items]
        for question in questions
    }


def from_metadata(question: str, item: ItemRef, metadata: Metadata, domain: Domain) -> Answer | None:
    """The answer that metadata give by an exact key, or None."""
    scales = facts.scales_asked(question, domain)
    named = facts.values_asked(question, metadata) if facts.is_polar(question) else None
    key: str | None = named[0] if named else None
    if key is None:
        compared = (scale.metadata for scale, _ in scales if scale.metadata in metadata or scale.metadata == "year")
        key = next(compared, None) or facts.key_asked(question, _with_year(metadata, item), domain)
    if key is None:
        return None
    value = _with_year(metadata, item).get(key)
    if value is None:
        return None
    # Facts stand in the catalogue's index as lines of their own, under the item's id and the key.
    source = QuotedSource(item=item.id, title=item.title, quote=fact_line(key, value), source=f"{item.id}#{key}")
    text = facts.answer_text(question, key, value, domain, named=named is not None)
    return Answer(item=item, question=question, text=text, known=True, quotes=(source,))


def from_labels(question: str, item: ItemRef, ranking: Recommendation | None, domain: Domain) -> Answer | None:
    """Why an item is shown, or how it stands to every wish where items are compared in no named respect; None for
    another question or an item that the last ranking does not hold."""
    ranked = next((found for found in ranking.items if found.candidate.id == item.id), None) if ranking else None
    if ranking is None or ranked is None or not facts.asks_for_reasons(question):
        return None
    graph = explanation.citable(ranking.graph, domain)
    text = " ".join(explanation.reasons(ranked, graph))
    quotes = explanation.quoted_sources(ranked, graph)
    return Answer(item=item, question=question, text=text, known=bool(text), quotes=quotes)


def from_wishes(question: str, item: ItemRef, ranking: Recommendation | None, domain: Domain) -> Answer | None:
    """What the last ranking quotes for a wish that the question names ("is the second one funny?"), or, where the
    question is about the item as a whole ("what about Alien?"), the reasons; None where it holds no quote."""
    ranked = next((found for found in ranking.items if found.candidate.id == item.id), None) if ranking else None
    if ranking is None or ranked is None:
        return None
    graph = explanation.citable(ranking.graph, domain)
    if titles.asks_of_item(question, item):
        text, quotes = " ".join(explanation.reasons(ranked, graph)), explanation.quoted_sources(ranked, graph)
        return Answer(item=item, question=question, text=text, known=True, quotes=quotes) if quotes else None
    if not facts.asks_whether(question):
        return None
    found = (s for s in explanation.standings(ranked, ranking.graph) if s.quotes and facts.names(question, s.wish))
    quote = next((standing.quotes[0] for standing in found), None)
    source = explanation.source_of(ranked, quote) if quote else None
    if source is None:
        return None
    text = wording.say("answer.quoted", quote=source.quote)
    return Answer(item=item, question=question, text=text, known=True, quotes=(source,))


def conclusion(question: str, items: Sequence[ItemRef], metadata: Sequence[Metadata], domain: Domain) -> str | None:
    """What a comparison comes to, where the values can be compared; None otherwise."""
    title_of = {item.id: item.title for item in items}
    for scale, low in facts.scales_asked(question, domain) or _scale_of_key(question, metadata, domain):
        places = {item.id: facts.place_on(scale, data, item.year) for item, data in zip(items, metadata, strict=True)}
        best = facts.at_the_end(places, low=low)
        if best and len(set(places.values()) - {None}) == 1:
            return wording.say("answer.all_equal")
        if best:
            word = scale.least if low else scale.most
            key = "answer.lowest" if len(best) == 1 else "answer.lowest_many"
            return wording.say(key, titles=wording.listed([title_of[item] for item in best]), word=word)
    if not facts.is_polar(question):
        return None
    keys = [facts.key_asked(question, data, domain) for data in metadata]
    known = zip(keys, metadata, strict=True)
    said = [facts.affirms(question, key, data[key], domain) if key else None for key, data in known]
    if len(set(keys)) > 1 or None in said:
        return None
    having = [item.title for item, has in zip(items, said, strict=True) if has]
    return wording.say("answer.having", titles=wording.listed(having)) if having else wording.say("answer.none_having")


def _scale_of_key(question: str, metadata: Sequence[Metadata], domain: Domain) -> tuple[tuple[Scale, bool], ...]:
    """The scale of the key that a comparison asks for without a comparative ("how do the prices compare?")."""
    if facts.is_polar(question) or not facts.compares(question):
        return ()
    keys = {facts.key_asked(question, data, domain) for data in metadata}
    return tuple((scale, True) for scale in domain.scales if keys == {scale.metadata})


def _merged(question: str, answers: Sequence[Answer], items: Sequence[ItemRef], context: TurnContext) -> str:
    """One line an item and, where several are compared, what it comes to."""
    lines = [
        wording.say("answer.line", title=found.item.title, text=found.text)
        if found.known
        else wording.say("answer.unknown", title=found.item.title)
        for found in answers
    ]
    if len(items) > 1:
        comes_to = conclusion(question, items, [_metadata(item, context) for item in items], context.domain)
        lines += [comes_to] if comes_to else []
    return "\n".join(lines) if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def _checked(reply: Answer, asked: Question) -> Answer:
    """The agent's answer as far as its quotes stand in the passages it was given; else unknown."""
    texts = [" ".join(hit.passage.text.split()) for hit in asked.hits]
    borne_out = tuple(quote for quote in reply.quotes if any(" ".join(quote.quote.split()) in text for text in texts))
    if not (reply.known and reply.text and borne_out):
        return Answer(item=asked.item, question=asked.text)
    return reply.model_copy(update={"quotes": borne_out})


def _metadata(item: ItemRef, context: TurnContext) -> Metadata:
    try:
        return context.catalogue.metadata_of(item.id)
    except KeyError:  # an item of the open web has none
        return {}


def _values(context: TurnContext) -> str:
    """The words of all metadata of the catalogue: what is named among them is no title."""
    entries = (context.catalogue.metadata_of(item.id).values() for item in context.catalogue.items())
    return " ".join(str(value) for values in entries for value in values)


def _with_year(metadata: Metadata, item: ItemRef) -> Metadata:
    return {**metadata, "year": str(item.year)} if item.year is not None else metadata
