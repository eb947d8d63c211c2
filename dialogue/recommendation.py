"""Recommend and explain, and what follows from a list: the next ones, alternatives, an acceptance (METHOD 9.5, 9.6)."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from dialogue import first_look, list_changes, narrative, presenting, room, stored_list, widening, wish_notes, wording
from dialogue.catalogue_schema import schema_for
from dialogue.first_items import FirstItems
from dialogue.labelling import labelled
from dialogue.list_changes import Change
from dialogue.models import Action, DialogueState, ItemRef, TurnRecord
from dialogue.ports import TurnContext
from dialogue.recall import named
from dialogue.record import merged, reading_of, refs, state_of
from dialogue.standings import citable, suits, unheard
from dialogue.stored_list import stored
from pdgf import recommend as pdg_f
from pdgf.errors import BadInput, BudgetSpent, ServiceFailed, StepFailed
from pdgf.identity import Exclusion
from pdgf.models import PreferenceGraph, RankedItem, Recommendation


async def recommend(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Rank for the wishes as they stand now and explain the first few; after an undo show what stood before again."""
    if turn.get("undo"):
        return await stored_list.shown_again(turn, runtime)
    return await rebuild(turn, runtime, action=Action.RECOMMEND)


async def respond_to_rejection(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """With a reason: ranked anew, without what was shown. Without one: what comes next in the same ranking, in the
    places of those that were turned down."""
    reading = reading_of(turn)
    if reading.unresolved and not reading.rejected:
        return {"action": Action.RESPOND_TO_REJECTION.value, "reply": unresolved_reply(turn, runtime.context)}
    if turn["changed"]:
        return await rebuild(turn, runtime, action=Action.RESPOND_TO_REJECTION)
    lead = wording.say("recommend.next_after_rejection")
    return await stored_list.show_next(turn, runtime, Action.RESPOND_TO_REJECTION, lead)


async def renewed(turn: TurnRecord, runtime: Runtime[TurnContext], answered: TurnRecord) -> TurnRecord:
    """What was answered, and behind it the list that an objection beside the question asks for."""
    runtime.stream_writer({"piece": "\n\n"})
    listed = await respond_to_rejection(turn, runtime)
    reply = f"{answered['reply']}\n\n{listed['reply']}"
    sources = [*answered.get("sources", []), *listed.get("sources", [])]
    return {**answered, "focus": [], **listed, "reply": reply, "sources": sources}


async def show_more(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """The next part of the stored ranking, or what takes the place of a known one; nothing is computed again."""
    known = reading_of(turn).seen or turn.get("brought")
    lead = wording.say("recommend.next_after_seen" if known else "recommend.more")
    return await stored_list.show_next(turn, runtime, Action.SHOW_MORE, lead)


async def respond_to_acceptance(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Note what was accepted; ask which one when the words do not say."""
    reading = reading_of(turn)
    shown = refs(turn.get("shown", []))
    if reading.accepted:
        titles = wording.titles([item.title for item in reading.accepted])
        reply = wording.say("accept.done", titles=titles)
    elif reading.unresolved:
        reply = unresolved_reply(turn, runtime.context)
    elif reading.interest:
        reply = wording.say("accept.interest", titles=wording.titles([item.title for item in reading.interest]))
    elif len(shown) > 1:
        reply = wording.say("accept.which_of", titles=wording.titles([named(item) for item in shown], last="or"))
    else:
        reply = wording.say("accept.which")
    return {"action": Action.RESPOND_TO_ACCEPTANCE.value, "reply": reply}


def leaving(turn: TurnRecord) -> tuple[ItemRef, ...]:
    """What was shown and is left out after a rejection, whose point is something else (METHOD 9.6): all of it; but
    where the turn's words or a button name items, of the list or turned down before, the others of the list may stay,
    as they do without a reason. An item that is only implied, as the one spoken of last, lets none stay."""
    reading = reading_of(turn)
    named = set(reading.rejected) - set(reading.implied)
    gone = {item.id for item in state_of(turn).rejected_items}
    listed = {item.id for item in refs(turn.get("shown", []))}
    stay = listed - gone if named else set()
    return tuple(item for item in state_of(turn).recommended_items if item.id not in stay)


def exclusions(
    state: DialogueState, seen: Sequence[ItemRef], *, leaving: Sequence[ItemRef] = ()
) -> tuple[Exclusion, ...]:
    """What a new list must not hold (METHOD 9.6): rejected, accepted and seen items always, shown ones on request.

    References are excluded by PDG-F itself, which reads them from the narrative.
    """
    return (
        *(Exclusion(title=item.title, year=item.year, why="rejected") for item in state.rejected_items),
        *(Exclusion(title=item.title, year=item.year, why="accepted") for item in state.accepted_items),
        *(Exclusion(title=item.title, year=item.year, why="seen") for item in seen),
        *(Exclusion(title=item.title, year=item.year, why="shown") for item in leaving),
    )


async def known_nodes(turn: TurnRecord, context: TurnContext) -> list[str]:
    """The ids of the nodes of the thread's graph; empty before the first ranking."""
    found = await stored(turn, context)
    return list(found.graph.order) if found else []


def graph_change(old: Sequence[str], new: Sequence[str]) -> dict[str, list[str]]:
    """The ids of the nodes that came and went between two graphs, each in its graph's order."""
    return {"added": [n for n in new if n not in old], "removed": [n for n in old if n not in new]}


def unresolved_reply(turn: TurnRecord, context: TurnContext) -> str:
    """What to say about words that point at an item which is not there."""
    reading = reading_of(turn)
    shown = refs(turn.get("shown", [])) or state_of(turn).recommended_items[-context.domain.shown :]
    words = wording.listed(reading.unresolved)
    if len(reading.candidates) > 1:
        titles = wording.titles([named(item) for item in reading.candidates], last="or")
        return wording.say("reference.which_of", words=words, titles=titles)
    if not shown:
        return wording.say("reference.nothing_shown", words=words)
    count = wording.counted(context.domain, len(shown))
    titles = wording.titles([item.title for item in shown])
    return wording.say("reference.unresolved", words=words, count=count, titles=titles)


async def rebuild(
    turn: TurnRecord, runtime: Runtime[TurnContext], *, action: Action, known: Recommendation | None = None
) -> TurnRecord:
    """Run PDG-F on the narrative of the turn; what it streams reaches the surface through the loop. Where graph and
    queries are `known`, only the ranking is made anew and worded from its labels."""
    context = runtime.context
    state, rejecting, before = state_of(turn), action is Action.RESPOND_TO_REJECTION, refs(turn.get("shown", []))
    wished = room.with_room(state, context.config.max_nodes)
    told = narrative.render(turn.get("requests", []), wished, context.max_message_chars)
    if not told.text:
        return await _first_look(turn, runtime, action)
    previous = await stored(turn, context)
    earlier = previous if previous is not None and holds(previous, context) else None
    own = context.own if turn.get("own_only") else None
    seen = refs(turn.get("seen", []))
    request = pdg_f.Request(
        ports=replace(context.ports, source=own) if own else context.ports,
        config=context.config,
        budget=context.budget,
        item_word=context.domain.searched_word,
        hard_spans=told.hard_spans,
        exclude=(*exclusions(state, seen, leaving=leaving(turn) if rejecting else ()), *context.seen_list),
        current_year=context.current_year,
        k=context.config.ranked_ahead,
        first=context.domain.shown,
        previous=earlier.graph if earlier else None,
        previous_queries=earlier.queries if earlier else (),
        labels=context.labels,
    )
    try:
        found, presented = await _ranked_and_told(turn, runtime, known or told.text, request, rejecting=rejecting)
        if context.wider is not None and own is None:
            ports = replace(request.ports, source=context.wider)
            found, presented = await widening.widened(turn, runtime, found, presented, replace(request, ports=ports))
    except (BadInput, BudgetSpent, StepFailed) as error:
        return {"action": action.value, "reply": wording.sentence_for(error)}
    found = found.model_copy(update={"config": pdg_f.printed_config(found, _makers(context))})
    update: TurnRecord = {
        "action": action.value,
        "recommendation": await context.store.put(found.model_dump_json()),
        "graph": graph_change(
            previous.graph.order if previous else turn["graph"].get("removed", []), found.graph.order
        ),
        "notes": wish_notes.told(found, turn, context),
    }
    fitting = presenting.fitting(found, context)
    if not fitting:
        return {**update, "reply": wording.say("recommend.nothing_found"), "shown": [], "items": []}
    if silent := unheard(fitting, citable(found.graph, context.domain)):
        wishes = wording.wishes(silent, last="or")
        update["notes"] = [*update["notes"], wording.say("recommend.unheard", wishes=wishes)]
    if presented is None:
        lead = presenting.lead(fitting, found.graph, context, alternatives=rejecting, found=found, before=before)
        presented = await presenting.tell(turn, runtime, fitting, found.graph, lead=lead, by_agent=known is None)
    if rejecting and before:
        listed, fresh = merged(before, reading_of(turn).rejected), update["graph"]["added"]
        presented = await _with_changes(presented, listed, fitting, found.graph, fresh, turn=turn, runtime=runtime)
    return {**update, **presenting.offering(turn, runtime, found, fitting, presented)}


async def _first_look(turn: TurnRecord, runtime: Runtime[TurnContext], action: Action) -> TurnRecord:
    """What there is, where every wish was left open."""
    context, state = runtime.context, state_of(turn)
    gone = (*exclusions(state, refs(turn.get("seen", []))), *context.seen_list)
    found = first_look.ranked(context.catalogue.items(), context.domain, gone, context.config.ranked_ahead)
    if not found.items:
        return {"action": action.value, "reply": wording.say("recommend.no_wish")}
    best, domain = found.items[: context.domain.shown], context.domain
    lead = wording.say("recommend.first_look", count=len(best), items=wording.items_named(domain, len(best)))
    told = await presenting.present(turn, runtime, best, graph=found.graph, lead=lead, by_agent=False)
    change = graph_change(await known_nodes(turn, context), ())
    stored_at = await context.store.put(found.model_dump_json())
    return {**told, "action": action.value, "recommendation": stored_at, "graph": change}


async def _with_changes(
    presented: TurnRecord,
    before: Sequence[ItemRef],
    fitting: Sequence[RankedItem],
    graph: PreferenceGraph,
    fresh: Sequence[str],
    *,
    turn: TurnRecord,
    runtime: Runtime[TurnContext],
) -> TurnRecord:
    """The list, and behind it what of the one before stayed, went and came, and why each went."""
    context = runtime.context
    now = [item for item in fitting if item.candidate.id in presented["items"]]
    ranked = {item.candidate.id: item for item in fitting}
    asked = {item.id for item in (*state_of(turn).rejected_items, *leaving(turn))}
    change = Change(before, asked, now, ranked)
    spoken_of = citable(graph, context.domain)
    missing = [item for item in change.went if item.id not in ranked]
    try:
        unknown = await labelled(missing, spoken_of, schema_for(context.catalogue.items()), context)
    except ServiceFailed:  # the list is there, and is not lost for want of a reason
        unknown = {}
    sentence, sources = list_changes.told(change._replace(gone={**unknown, **ranked}), spoken_of, fresh)
    if not sentence:
        return presented
    runtime.stream_writer({"piece": f"\n\n{sentence}"})
    quoted = [source.model_dump(mode="json") for source in sources]
    return {
        **presented,
        "reply": f"{presented['reply']}\n\n{sentence}",
        "sources": [*presented["sources"], *(source for source in quoted if source not in presented["sources"])],
    }


async def _ranked(told: str | Recommendation, request: pdg_f.Request, fallback: pdg_f.Request | None) -> Recommendation:
    """The recommendation for a request, or for the fallback where nothing of the first keeps every condition."""
    found = await (pdg_f.recommend(told, request) if isinstance(told, str) else pdg_f.widen(told, request))
    if fallback is not None and all(item.demoted is not None for item in found.items):
        known = await pdg_f.widen(found, fallback)
        found = known if any(suits(item) for item in known.items) else found
    return found


async def _ranked_and_told(
    turn: TurnRecord,
    runtime: Runtime[TurnContext],
    told: str | Recommendation,
    request: pdg_f.Request,
    *,
    rejecting: bool,
) -> tuple[Recommendation, TurnRecord | None]:
    """The ranking and, where the places to show were certain before its end, the list as it was told meanwhile."""
    state, seen = state_of(turn), refs(turn.get("seen", []))
    # What is turned down for a reason may leave nothing new that keeps every condition: then what was shown before and
    # not turned down may, and be what is asked for.
    again = (*exclusions(state, seen), *runtime.context.seen_list)
    fallback = replace(request, exclude=again) if rejecting else None
    first = FirstItems(runtime.context.domain)
    ranking = asyncio.ensure_future(_ranked(told, replace(request, settled=first.hear), fallback))
    enough = asyncio.ensure_future(first.enough.wait())
    presented: TurnRecord | None = None
    try:
        await asyncio.wait({ranking, enough}, return_when=asyncio.FIRST_COMPLETED)
        if not ranking.done():
            lead = presenting.lead(
                first.items, first.graph, runtime.context, alternatives=rejecting, before=refs(turn.get("shown", []))
            )
            by_agent = isinstance(told, str)
            presented = await presenting.tell(turn, runtime, first.items, first.graph, lead=lead, by_agent=by_agent)
        return await ranking, presented
    finally:
        ranking.cancel()
        enough.cancel()
        await asyncio.wait({ranking, enough})  # nothing goes on after the turn


def _makers(context: TurnContext) -> dict[str, str]:
    return {"engine": context.engine, "embedder": context.embedder}


def holds(previous: Recommendation, context: TurnContext) -> bool:
    """Whether a later turn may take over from a ranking: made as asked, and by what would make it now (METHOD 10)."""
    return not previous.provisional and previous.config == {**context.config.printed(), **_makers(context)}
