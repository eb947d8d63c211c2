"""Putting a list into words: the sentence before it, a heading for each item, and why it is shown."""

from collections.abc import AsyncIterator, Sequence

from langgraph.runtime import Runtime

from dialogue import elicitation, explanation, first_look, needed, reviews, trade_offs, wording
from dialogue.models import ItemRef, Piece, QuotedSource, TurnRecord
from dialogue.ports import TurnContext
from dialogue.record import dumped, merged, state_of
from dialogue.standings import citable, falls_short, fits, suits
from dialogue.streams import closing, in_order
from dialogue.trade_offs import NOTHING_ELSE, TradeOffs
from pdgf.constraints.diets import is_allergy
from pdgf.errors import BudgetSpent
from pdgf.models import Node, Polarity, PreferenceGraph, RankedItem, Recommendation

Places = tuple[ItemRef | None, ...]  # of a list, in its order; None is a free one


async def present(
    turn: TurnRecord,
    runtime: Runtime[TurnContext],
    items: Sequence[RankedItem],
    *,
    graph: PreferenceGraph,
    lead: str,
    by_agent: bool,
    places: Places = (),
) -> TurnRecord:
    """Word the list piece by piece: the lead, then for each item its heading and the reasons. With `places` the items
    take the free ones among those that stay, which are not told again.

    The agent words a new list, all items at once, and they are told in order; the next part of a stored one is worded
    from its labels without a call.
    """
    context = runtime.context
    state = state_of(turn)
    earlier = {item.id for item in state.recommended_items}
    say = runtime.stream_writer
    by_agent = by_agent and context.budget.can_afford(len(items))  # a ready list is never lost for want of words
    shown = [ItemRef(id=i.candidate.id, title=i.candidate.title, year=i.candidate.year) for i in items]
    standing = filled(places, shown) if places else tuple(shown)
    headings = [
        f"\n\n### {_heading(standing.index(ref) + 1, item, again=ref.id in earlier)}\n"
        for ref, item in zip(shown, items, strict=True)
    ]
    told: list[list[Piece]] = [[] for _ in items]
    say({"piece": lead})
    named = -1
    async with closing(in_order([_reasons(i, graph, context, by_agent=by_agent) for i in items])) as pieces:
        async for place, piece in pieces:
            if place != named:
                say({"piece": headings[place]})
                named = place
            if piece is not None:
                told[place].append(piece)
                say({"piece": piece.text})
    words = ["".join(piece.text for piece in pieces) for pieces in told]
    after = state.model_copy(update={"recommended_items": merged(state.recommended_items, shown)})
    return {
        "dialogue": after.model_dump(mode="json"),
        "shown": dumped(standing),
        "focus": [],
        "items": [item.id for item in shown],
        "reasons": {item.id: text for item, text in zip(shown, words, strict=True)},
        "shown_before": [item.id for item in shown if item.id in earlier],
        "cut_off": [item.id for item, pieces in zip(shown, told, strict=True) if any(p.broken for p in pieces)],
        "reply": lead + "".join(heading + text for heading, text in zip(headings, words, strict=True)),
        "sources": [source.model_dump(mode="json") for source in _sources(told)],
    }


def filled(places: Places, items: Sequence[ItemRef]) -> tuple[ItemRef, ...]:
    """The list with the items in its free places, in order; those that stay free are closed."""
    left = iter(items)
    return tuple(item for item in (place or next(left, None) for place in places) if item is not None)


def fitting(found: Recommendation, context: TurnContext) -> list[RankedItem]:
    """The items of which anything speaks for a wish that may be spoken of. Where things are only unwanted and too few
    are known to keep them away, those follow that are not known to have them."""
    graph = citable(found.graph, context.domain)
    fitting = [item for item in found.items if fits(item, graph)]
    clean = [item for item in fitting if not falls_short(item, graph)]
    only_unwanted = graph.nodes and all(_keeps_away(node) for node in graph.nodes)
    if only_unwanted and len(clean) < context.domain.shown:
        silent = [item for item in found.items if not fits(item, graph) and suits(item)]
        fitting = [*clean, *silent, *(item for item in fitting if item not in clean)]
    unjudged = any(setback.step == "label_relations" for setback in context.budget.setbacks())
    return fitting or (list(found.items) if unjudged else [])  # in the order of the evidence found (RELIABILITY F10)


def _keeps_away(node: Node) -> bool:
    """Whether a wish is met by what is not there, as an allergy is."""
    return node.polarity is Polarity.AVOID or is_allergy(node.instantiation)


async def tell(
    turn: TurnRecord,
    runtime: Runtime[TurnContext],
    items: Sequence[RankedItem],
    graph: PreferenceGraph,
    *,
    lead: str,
    by_agent: bool = True,
) -> TurnRecord:
    """Show the best of the items with the quotes that lie nearest to the narrative."""
    context = runtime.context
    best, k = items[: context.domain.shown], context.config.evidence_top_k
    chosen = await reviews.choose_evidence(best, graph.narrative, reviews=context.reviews, k=k)
    spoken_of = citable(graph, context.domain)
    return await present(turn, runtime, chosen, graph=spoken_of, lead=lead, by_agent=by_agent)


def lead(
    fitting: Sequence[RankedItem],
    graph: PreferenceGraph,
    context: TurnContext,
    *,
    alternatives: bool,
    found: Recommendation | None = None,
    before: Sequence[ItemRef] = (),
) -> str:
    """The sentences before a list. They say plainly when nothing, or too little, keeps every condition, and which
    others there would be without one, where the whole ranking has been `found`; when two wishes pull against each
    other in the list; and when it is the list that stood `before`."""
    if not fitting:
        return wording.say("recommend.nothing_found")
    keeping = [item for item in fitting if item.demoted is None]
    spoken_of = citable(graph, context.domain)
    if not any(fits(item, spoken_of) for item in fitting):
        count = min(len(fitting), context.domain.shown)
        named = wording.items_named(context.domain, 1) if count == 1 else wording.counted(context.domain, count)
        return wording.say("recommend.lead_silent_one" if count == 1 else "recommend.lead_silent", items=named)
    if len(keeping) < min(context.domain.shown, len(fitting)):
        others = trade_offs.trade_offs(found, spoken_of) if found is not None else NOTHING_ELSE
        return _few(keeping, fitting, graph, context, others)
    pull = trade_offs.pulling(fitting[: context.domain.shown], spoken_of)
    return wording.told([_same(fitting, before, context), pull, _enough(fitting, spoken_of, context, alternatives)])


def _few(
    keeping: Sequence[RankedItem],
    fitting: Sequence[RankedItem],
    graph: PreferenceGraph,
    context: TurnContext,
    others: TradeOffs,
) -> str:
    """What keeps every condition, and what would without one; which one is in the way, where that brings nothing."""
    count, items = len(keeping), wording.items_named(context.domain, len(keeping))
    without = [trade_offs.told(each, more=bool(keeping)) for each in others.alternatives]
    wish = trade_offs.in_the_way(fitting, graph)
    if not without and wish:
        without = [wording.say("recommend.in_the_way", wish=wish)]
    if count == 1:
        return wording.told([wording.say("recommend.fewer_one", item=items), *without])
    if count:
        return wording.told([wording.say("recommend.fewer_many", count=count, items=items), *without])
    one, other = others.conflict or ("", "")
    nothing = wording.say("recommend.nothing_fits_both", one=one, other=other) if one else ""
    nothing = nothing or wording.say("recommend.nothing_fits")
    return wording.told([nothing, *without, wording.say("recommend.nearest")])


def _same(fitting: Sequence[RankedItem], before: Sequence[ItemRef], context: TurnContext) -> str:
    listed = [item.candidate.id for item in fitting[: context.domain.shown]]
    return wording.say("recommend.unchanged") if listed == [item.id for item in before] else ""


def _enough(fitting: Sequence[RankedItem], graph: PreferenceGraph, context: TurnContext, alternatives: bool) -> str:
    """What a list is that keeps every condition: the best there is, or, where what is known speaks against a wish or
    for a must only in part, the nearest."""
    count, words = min(len(fitting), context.domain.shown), context.domain
    short = [falls_short(item, graph) for item in fitting[:count]]
    if any(short):
        closest = "recommend.lead_closest_one" if count == 1 else "recommend.lead_closest_many"
        key = closest if all(short) else "recommend.lead_some"
        said = wording.say(key, count=count, item=words.item_word, items=words.items_word)
        return wording.told([wording.say("recommend.understood"), said]) if alternatives else said
    if alternatives:
        return wording.say("recommend.alternatives")
    if count == 1:
        return wording.say("recommend.lead_one", item=words.item_word)
    return wording.say("recommend.lead_many", count=count, items=words.items_word)


def offering(
    turn: TurnRecord,
    runtime: Runtime[TurnContext],
    found: Recommendation,
    items: Sequence[RankedItem],
    presented: TurnRecord,
) -> TurnRecord:
    """The list with what follows it: one question where many more of the fitting `items` fit about as well, and the
    ready sentences that answer it; or, where too little keeps every condition, those that drop one. The list itself
    stays as it is."""
    context, state = runtime.context, state_of(turn)
    if any(item.demoted is not None for item in items[: context.domain.shown]):
        others = trade_offs.trade_offs(found, citable(found.graph, context.domain))
        drops = (trade_offs.offer(each, found, state, context.domain) for each in others.alternatives)
        return {**presented, "offered": [drop for drop in drops if drop is not None]}
    if beside := needed.beside(turn, context.domain):
        runtime.stream_writer({"piece": f"\n\n{beside['reply']}"})
        return {**presented, **beside, "reply": f"{presented['reply']}\n\n{beside['reply']}"}
    asked = elicitation.asked_of(turn)
    said = [request["text"] for request in turn.get("requests", [])]
    spoken = elicitation.spoken_of(context.domain, state, said, asked)
    score_map = context.config.score_map
    question = elicitation.question_for(items, context.domain, spoken=spoken, score_map=score_map)
    if question is None or not elicitation.may_ask(turn):
        return presented
    sentence = wording.say("elicit.ask", items=context.domain.items_word, question=question.text)
    runtime.stream_writer({"piece": f"\n\n{sentence}"})
    return {
        **presented,
        "reply": f"{presented['reply']}\n\n{sentence}",
        "asked": [question.key],
        "elicited": elicitation.after_asking(turn, question),
        "offered": [*(choice.say for choice in question.choices), wording.say("suggest.no_preference")],
    }


async def _reasons(
    item: RankedItem, graph: PreferenceGraph, context: TurnContext, *, by_agent: bool
) -> AsyncIterator[Piece]:
    """The agent's words, or the labels' own where it has none or may not be asked any more."""
    if not graph.nodes:
        yield first_look.described(item, context.domain)
        return
    said = False
    if by_agent:
        try:
            async with closing(context.agent.explain(item, graph, context.budget)) as pieces:
                async for piece in pieces:
                    said = True
                    yield piece
        except BudgetSpent:
            if said:
                context.budget.set_back("explain_cut", "cut_off")
                yield Piece(text=" …", broken=True)
    if not said:
        for told in explanation.told_by_labels(item, graph):
            yield told


def _heading(rank: int, item: RankedItem, *, again: bool) -> str:
    year = f" ({item.candidate.year})" if item.candidate.year else ""
    mark = f" {wording.say('recommend.shown_before')}" if again else ""
    return f"{rank}. {item.candidate.title}{wording.name_beside(item.candidate)}{year}{mark}"


def _sources(told: Sequence[Sequence[Piece]]) -> tuple[QuotedSource, ...]:
    """What the words cite, each once, in their order."""
    return tuple(dict.fromkeys(source for pieces in told for piece in pieces for source in piece.sources))
