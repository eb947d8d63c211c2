"""Questions about what was shown (METHOD 9.7): metadata first, then reviews, else "I do not know"; never a guess.

Every question is asked of every item it is about: those that it names, or else all in question. What metadata answer by
an exact key costs no agent call; for the rest the agent reads the item's metadata and nearest passages, all items at
once. Answers are told in order, over items, then over questions.
"""

import re
from collections.abc import AsyncGenerator, Callable, Sequence

from langgraph.runtime import Runtime

from dialogue import explanation, facts, titles, wording
from dialogue.domain import Domain, Scale
from dialogue.models import Action, Answer, ItemRef, Piece, QuotedSource, TurnRecord
from dialogue.ports import Question, TurnContext
from dialogue.recommendation import stored, unresolved_reply
from dialogue.record import dumped, reading_of, refs, state_of
from dialogue.reviews import hits_in_ranking
from dialogue.streams import closing, in_order
from pdgf.constraints import fact_line
from pdgf.errors import BudgetSpent
from pdgf.models import Metadata, Recommendation
from pdgf.texts import collapsed


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
    questions = tuple(dict.fromkeys(reading.questions)) or (turn["utterance"],)
    elsewhere = () if reading.about else titles.known(questions, context.catalogue.items())
    items = reading.about or elsewhere or shown
    if not (reading.about or elsewhere) and (strange := titles.unknown(questions, _values(context))):
        reply = wording.say("answer.not_known", title=strange, items=context.domain.items_word)
        return {"action": Action.ANSWER.value, "reply": reply}
    runtime.stream_writer({"step": "answering", "items": len(items)})
    ranking = await stored(turn, context)
    asked = [(question, asked_about(question, items)) for question in questions]
    cases = [(question, item, about) for question, about in asked for item in about]
    told = _Told(runtime.stream_writer)
    async with closing(in_order([_pieces(question, item, ranking, context) for question, item, _ in cases])) as pieces:
        async for at, piece in pieces:
            question, item, about = cases[at]
            told.listed = len(about) > 1
            if piece is not None:
                told.piece(item, piece)
                continue
            told.end(item)
            if told.listed and item == about[-1]:
                known = [_metadata(each, context) for each in about]
                told.conclude(conclusion(question, about, known, context.domain))
    return {
        "action": Action.ANSWER.value,
        "reply": told.text,
        "sources": [source.model_dump(mode="json") for source in told.sources],
        "focus": dumped(items),
        "cut_off": [item.id for item in told.cut_off],
    }


def asked_about(question: str, items: Sequence[ItemRef]) -> tuple[ItemRef, ...]:
    """Those of the items in question that a question names by their titles, or else all of them. A title inside a
    longer one that is named is not named itself."""
    named: set[str] = set()
    for title in sorted({item.title for item in items}, key=len, reverse=True):
        rest = re.sub(rf"(?<![A-Za-z0-9]){re.escape(title)}(?![A-Za-z0-9])", " ", question)
        if rest != question:
            named.add(title)
        question = rest
    return tuple(item for item in items if item.title in named) or tuple(items)


class _Told:
    """The reply as it grows: a line for each answer, a list where several items are asked about, and after the last of
    them what the comparison comes to."""

    def __init__(self, write: Callable[[dict[str, str]], None]) -> None:
        self._write = write
        self._lead = ""
        self._open = False
        self.listed = False
        self.text = ""
        self.sources: dict[QuotedSource, None] = {}
        self.cut_off: dict[ItemRef, None] = {}

    def piece(self, item: ItemRef, piece: Piece) -> None:
        """The next words about an item; the first ones come after its title."""
        if not self._open:
            self._line(wording.say("answer.line", title=item.title, text=""))
        self._say(piece.text if self._open else piece.text.lstrip())
        self._open = True
        self.sources |= dict.fromkeys(piece.sources)
        if piece.broken:
            self.cut_off[item] = None

    def end(self, item: ItemRef) -> None:
        """No more words about an item; where there was none, nobody knows."""
        if not self._open:
            self._line(wording.say("answer.unknown", title=item.title))
        self._open = False
        if not self.listed:
            self._lead = "\n\n"

    def conclude(self, sentence: str | None) -> None:
        """The last line of a question about several items."""
        if sentence is not None:
            self._line(sentence)
        self._lead = "\n\n"

    def _line(self, text: str) -> None:
        self._say(f"{self._lead}{'- ' if self.listed else ''}{text}")
        self._lead = "\n"

    def _say(self, text: str) -> None:
        self.text += text
        self._write({"piece": text})


async def _pieces(
    question: str, item: ItemRef, ranking: Recommendation | None, context: TurnContext
) -> AsyncGenerator[Piece, None]:
    """The answer about one item: from metadata where a key is asked for, from the labels of the ranking where reasons
    are asked for, else what the agent reads in metadata and nearest passages. Nothing at all when nobody knows."""
    metadata = _metadata(item, context)
    found = from_metadata(question, item, metadata, context.domain)
    found = found or from_labels(question, item, ranking, context.domain)
    if found is None and titles.asks_of_item(question, item):
        found = from_wishes(question, item, ranking, context.domain)
    if found is not None:
        if found.known:
            yield Piece(text=found.text, sources=found.quotes)
        return
    hits = await context.reviews.nearest(question, [item.id], context.config.qa_evidence)
    if not hits:
        hits = list(hits_in_ranking(question, item.id, ranking, context.config.qa_evidence))
    asked = Question(text=question, item=item, metadata=metadata, hits=tuple(hits))
    said, spent = False, ""
    try:
        async with closing(_by_agent(asked, context)) as pieces:
            async for piece in pieces:
                said = True
                yield piece
    except BudgetSpent as error:
        spent = wording.sentence_for(error)
    found = None if said else from_wishes(question, item, ranking, context.domain)
    if found is not None:
        yield Piece(text=found.text, sources=found.quotes)
    elif spent:  # nobody was asked, which is another thing than that nobody knows
        yield Piece(text=" …" if said else spent, broken=True)


async def _by_agent(asked: Question, context: TurnContext) -> AsyncGenerator[Piece, None]:
    """What the agent says as far as its quotes stand in what it was given."""
    facts = _with_year(asked.metadata, asked.item)
    texts = [hit.passage.text for hit in asked.hits] + [fact_line(key, facts[key]) for key in facts]
    known = [collapsed(text) for text in texts]
    said = False
    async with closing(context.agent.answer(asked, context.budget)) as pieces:
        async for piece in pieces:
            borne_out = all(any(collapsed(source.quote) in text for text in known) for source in piece.sources)
            if borne_out and (piece.sources or said or piece.broken):
                said = True
                yield piece


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
