"""The answer to one question about one item: metadata, then labels and notes, then nothing (METHOD 9.7).

What metadata answer by an exact key costs no agent call; for the rest the agent reads the item's metadata and nearest
passages. Nothing is said that no fact, label or passage bears out.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field

from dialogue import explanation, facts, placing, polar, questions, titles, wording
from dialogue.domain import Domain
from dialogue.models import Answer, ItemRef, Piece, QuotedSource
from dialogue.ports import Question, TurnContext
from dialogue.reviews import hits_in_ranking
from dialogue.standings import citable, source_of, standings
from dialogue.streams import closing
from pdgf.constraints import MetadataSchema, fact_line
from pdgf.errors import BudgetSpent
from pdgf.models import Label, Metadata, Recommendation
from pdgf.ports import ReviewHit
from pdgf.texts import collapsed

SENTENCES = {  # what a fact says to a question of yes or no: as a line, and in the cell of a table
    polar.Said.YES: ("answer.yes", "compare.yes"),
    polar.Said.NO: ("answer.no", "compare.no"),
    polar.Said.LITTLE: ("answer.little", "compare.little"),
    polar.Said.MODERATELY: ("answer.moderately", "compare.moderately"),
    polar.Said.NOT_ENTIRELY: ("answer.not_entirely", "compare.not_entirely"),
    polar.Said.DEPENDS: ("answer.depends", "compare.depends"),
}


HAVING = {  # the same where it is asked whether an item has something
    polar.Said.YES: ("answer.yes_has", "compare.yes_has"),
    polar.Said.NO: ("answer.no_has", "compare.no_has"),
}


@dataclass(frozen=True, kw_only=True)
class Known:
    """What answers may draw on besides the agent: the domain, the schema of its metadata, the last ranking, and what is
    known of the items of the list. `said` are the user's own words for questions that were put into English."""

    domain: Domain
    schema: MetadataSchema = field(default_factory=MetadataSchema)
    ranking: Recommendation | None = None
    current_year: int = 0
    shown: Mapping[ItemRef, Metadata] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)


async def pieces(question: str, item: ItemRef, known: Known, context: TurnContext) -> AsyncGenerator[Piece, None]:
    """The answer about one item, piece by piece. Nothing at all when nobody knows."""
    metadata = metadata_of(item, context)
    found = from_facts(question, item, metadata, known)
    if found is not None:
        if found.known:
            yield Piece(text=found.text, sources=found.quotes, brief=found.brief)
        return
    ranking = known.ranking
    hits = await _nearest(question, item, metadata, context)
    if not hits:
        hits = list(hits_in_ranking(question, item.id, ranking, context.config.qa_evidence))
    asked = Question(
        text=question, said=known.said.get(question, question), item=item, metadata=metadata, hits=tuple(hits)
    )
    said, spent = False, ""
    try:
        async with closing(_by_agent(asked, context)) as told:
            async for piece in told:
                said = True
                yield piece
    except BudgetSpent as error:
        spent = wording.sentence_for(error)
    found = None if said else from_wishes(question, item, ranking, context.domain)
    if found is not None:
        yield Piece(text=found.text, sources=found.quotes)
    elif spent:  # nobody was asked, which is another thing than that nobody knows
        yield Piece(text=" …" if said else spent, broken=True)


def from_facts(question: str, item: ItemRef, metadata: Metadata, known: Known) -> Answer | None:
    """What facts and labels answer without an agent: downsides and reasons from labels, the rest from metadata; None
    where they are silent."""
    if facts.asks_for_downsides(question):
        return from_counter_evidence(question, item, known.ranking, known.domain)
    if found := from_labels(question, item, known.ranking, known.domain):
        return found
    if found := from_metadata(
        question, item, metadata, known.domain, schema=known.schema, current_year=known.current_year
    ):
        return found
    if titles.asks_of_item(question, item):
        return from_wishes(question, item, known.ranking, known.domain)
    return None


def from_metadata(
    question: str,
    item: ItemRef,
    metadata: Metadata,
    domain: Domain,
    *,
    schema: MetadataSchema | None = None,
    current_year: int = 0,
) -> Answer | None:
    """The answer that metadata give by an exact key, or None."""
    known = with_year(metadata, item)
    if facts.asks_of_the_showing(question):
        known = {key: value for key, value in known.items() if facts.asks_of_the_showing(facts.name_of(key))}
    asked = questions.polar(question, [item.title])
    decision = polar.decided(asked, known, domain, schema or MetadataSchema(), current_year) if asked else None
    if decision is not None:
        return _answer(question, item, known, decision.keys, decision.said)
    key = facts.key_of(question, known, domain)
    if key is None:
        return None
    yes_or_no = asked is not None and not asked.has and not questions.chooses(question)
    depends = yes_or_no and polar.is_number(known[key])
    return _answer(question, item, known, (key,), polar.Said.DEPENDS if depends else None)


def from_labels(question: str, item: ItemRef, ranking: Recommendation | None, domain: Domain) -> Answer | None:
    """Why an item is shown, or how it stands to every wish where items are compared in no named respect; None for
    another question or an item that the last ranking does not hold."""
    ranked = placing.ranked(item, ranking)
    if ranking is None or ranked is None or not facts.asks_for_reasons(question):
        return None
    if not ranking.graph.nodes:
        return Answer(item=item, question=question, text=wording.say("answer.left_open"), known=True)
    graph = citable(ranking.graph, domain)
    reasons = explanation.reasons(ranked, graph)
    text = wording.told(reasons.sentences)
    return Answer(item=item, question=question, text=text, known=bool(text), quotes=reasons.sources)


def from_counter_evidence(
    question: str, item: ItemRef, ranking: Recommendation | None, domain: Domain
) -> Answer | None:
    """What speaks against an item by its labels; that nothing does, where the ranking holds it and nothing does."""
    ranked = placing.ranked(item, ranking)
    if ranking is None or ranked is None:
        return None
    graph = citable(ranking.graph, domain)
    found = standings(ranked, graph)
    told = ranked.demoted or ""
    weak = [s for s in found if s.label in (Label.CONTRADICTS, Label.PARTIAL) and not any(q in told for q in s.quotes)]
    sources = [source for s in weak for quote in s.quotes[:1] if (source := source_of(ranked, quote))]
    said = [wording.say("why_not.demoted", reason=wording.reason(ranked.demoted))] if ranked.demoted else []
    for label, key in ((Label.CONTRADICTS, "why_not.against"), (Label.PARTIAL, "why_not.partly")):
        if parts := placing.quoted_parts(s for s in weak if s.label is label):
            said.append(wording.say(key, parts=parts))
    text = wording.told(said) or wording.say("answer.nothing_against")
    return Answer(item=item, question=question, text=text, known=True, quotes=tuple(dict.fromkeys(sources)))


def from_wishes(question: str, item: ItemRef, ranking: Recommendation | None, domain: Domain) -> Answer | None:
    """What the last ranking quotes for a wish that the question names ("is the second one funny?"), or, where the
    question is about the item as a whole ("what about Alien?"), the reasons; None where it holds no quote."""
    ranked = placing.ranked(item, ranking)
    if ranking is None or ranked is None:
        return None
    graph = citable(ranking.graph, domain)
    if titles.asks_of_item(question, item):
        reasons = explanation.reasons(ranked, graph)
        text, quotes = wording.told(reasons.sentences), reasons.sources
        return Answer(item=item, question=question, text=text, known=True, quotes=quotes) if quotes else None
    if not facts.asks_whether(question):
        return None
    found = (s for s in standings(ranked, ranking.graph) if s.quotes and facts.names(question, s.wish))
    quote = next((standing.quotes[0] for standing in found), None)
    source = source_of(ranked, quote) if quote else None
    if source is None:
        return None
    text = wording.say("answer.quoted", quote=source.quote)
    return Answer(item=item, question=question, text=text, known=True, quotes=(source,))


def fact_source(item: ItemRef, key: str, known: Metadata) -> QuotedSource:
    """A fact as a quote: facts stand in the catalogue's index as lines of their own, under item id and key."""
    return QuotedSource(item=item.id, title=item.title, quote=fact_line(key, known[key]), source=f"{item.id}#{key}")


def metadata_of(item: ItemRef, context: TurnContext) -> Metadata:
    """What the catalogue knows of an item; an item of the open web is not in it."""
    try:
        return context.catalogue.metadata_of(item.id)
    except KeyError:
        return {}


def with_year(metadata: Metadata, item: ItemRef) -> Metadata:
    """Metadata with the item's own year among them."""
    return {**metadata, "year": str(item.year)} if item.year is not None else metadata


def _answer(question: str, item: ItemRef, known: Metadata, keys: Sequence[str], said: polar.Said | None) -> Answer:
    """Facts in quotes, behind the word that they answer with."""
    sources = tuple(fact_source(item, key, known) for key in keys)
    lines = ", ".join(wording.quoted(source.quote) for source in sources)
    values = wording.say("list.semicolon").join(wording.fact_value(source.quote) for source in sources)
    if said is None:
        return Answer(
            item=item, question=question, text=wording.say("answer.fact", fact=lines), brief=values, known=True,
            quotes=sources,
        )  # fmt: skip
    asked = questions.polar(question, [item.title])
    line, cell = (HAVING if asked and asked.has else {}).get(said, SENTENCES[said])
    text = wording.say(line, fact=lines)
    bare = {source.quote.partition(": ")[2] for source in sources}
    plain = bare <= {"yes", "no"} and said in (polar.Said.YES, polar.Said.NO)
    brief = wording.plainly(said.value) if plain else wording.say(cell, fact=values)
    return Answer(item=item, question=question, text=text, brief=brief, known=True, quotes=sources)


async def _nearest(question: str, item: ItemRef, metadata: Metadata, context: TurnContext) -> list[ReviewHit]:
    """The passages nearest to a question, lines of metadata aside: those are given as facts."""
    lines = {fact_line(key, value) for key, value in with_year(metadata, item).items()}
    k = context.config.qa_evidence
    hits = await context.reviews.nearest(question, [item.id], k + len(lines))
    return [hit for hit in hits if hit.passage.text not in lines][:k] or hits[:k]


async def _by_agent(asked: Question, context: TurnContext) -> AsyncGenerator[Piece, None]:
    """What the agent says as far as its quotes stand in what it was given."""
    facts_known = with_year(asked.metadata, asked.item)
    texts = [hit.passage.text for hit in asked.hits] + [fact_line(key, facts_known[key]) for key in facts_known]
    given = [collapsed(text) for text in texts]
    said = False
    async with closing(context.agent.answer(asked, context.budget)) as told:
        async for piece in told:
            borne_out = all(any(collapsed(source.quote) in text for text in given) for source in piece.sources)
            if not (borne_out and (piece.sources or said or piece.broken)):
                continue
            said = True
            yield piece
