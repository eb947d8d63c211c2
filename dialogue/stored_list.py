"""What is shown of a ranking that is stored, without any PDG-F call (METHOD 9.6, 10): the next ones, what takes the
place of an item that was turned down or is known already, and the list again."""

from langgraph.runtime import Runtime
from pydantic import ValidationError

from dialogue import presenting, trade_offs, wording
from dialogue.models import Action, DialogueState, Intent, TurnRecord
from dialogue.ports import TurnContext
from dialogue.presenting import Places
from dialogue.recall import named
from dialogue.record import dumped, reading_of, refs, state_of, values_of
from dialogue.seen import unlisted
from dialogue.standings import citable, fits
from pdgf.errors import StoreUnavailable
from pdgf.models import Recommendation

_IN_PLACE_OF = {  # by whether it is known already, and whether there are several
    (False, False): "recommend.in_place_of_rejected_one",
    (False, True): "recommend.in_place_of_rejected_many",
    (True, False): "recommend.in_place_of_known_one",
    (True, True): "recommend.in_place_of_known_many",
}


async def stored(turn: TurnRecord, context: TurnContext) -> Recommendation | None:
    """The last ranking of the thread. Raises StoreUnavailable when it is gone or cannot be read."""
    digest = turn.get("recommendation")
    if not digest:
        return None
    try:
        return Recommendation.model_validate_json(await context.store.get(digest))
    except (KeyError, ValidationError) as error:
        raise StoreUnavailable(f"stored ranking {digest}") from error


async def show_next(turn: TurnRecord, runtime: Runtime[TurnContext], action: Action, lead: str) -> TurnRecord:
    """The next items of the stored ranking that are neither shown, judged nor known: as many as there are free places
    where some of the list stays, a list of their own otherwise."""
    context = runtime.context
    found = await stored(turn, context)
    state, places = state_of(turn), places_of(turn)
    judged = _judged(turn).union(item.id for item in places if item is not None)
    gone = judged.union(item.id for item in state.recommended_items)
    if found is None:
        return {"action": action.value, "reply": wording.say("recommend.exhausted")}
    graph = citable(found.graph, context.domain)
    suiting = [item for item in unlisted(found.items, context.seen_list) if fits(item, graph)]
    fitting = [item for item in suiting if item.candidate.id not in gone]
    if places:
        lead = _in_their_places(turn, places)
    if (not fitting and action is not Action.SHOW_MORE) or (not fitting and reading_of(turn).knows_some):
        fitting = [item for item in suiting if item.candidate.id not in judged]
        lead = wording.say("recommend.only_shown_left")
    if not fitting:
        stays: TurnRecord = {"shown": dumped(presenting.filled(places, ()))} if places else {}
        return {**stays, "action": action.value, "reply": _exhausted(found, state)}
    best = fitting[: places.count(None) or context.domain.shown]
    if all(item.demoted is not None for item in best):
        lead = wording.told([wording.say("recommend.nothing_else_fits"), wording.say("recommend.nearest")])
    told = await presenting.present(turn, runtime, best, graph=graph, lead=lead, by_agent=False, places=places)
    return {**told, "action": action.value}


async def shown_again(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """The list as it stood before a change that was taken back."""
    context = runtime.context
    found = await stored(turn, context)
    judged = _judged(turn)
    shown = [item.id for item in refs(turn.get("shown", [])) if item.id not in judged]
    ranked = {item.candidate.id: item for item in unlisted(found.items, context.seen_list)} if found else {}
    items = [ranked[item] for item in shown if item in ranked]
    if found is None or not items:
        return {"action": Action.RECOMMEND.value, "reply": wording.say(f"undo.{turn['undo']}_bare")}
    graph, lead = citable(found.graph, context.domain), wording.say(f"undo.{turn['undo']}")
    told = await presenting.present(turn, runtime, items, graph=graph, lead=lead, by_agent=False)
    return {**told, "action": Action.RECOMMEND.value}


def places_of(turn: TurnRecord) -> Places:
    """The last list with a free place for each item that was turned down or is known already; empty where all of it
    goes, where nothing of it does, and where other ones are asked for."""
    shown, gone = refs(turn.get("shown", [])), _gone(turn)
    places = tuple(None if item.id in gone else item for item in shown)
    some_stay = None in places and any(places)
    return places if some_stay and Intent.CONTINUE not in reading_of(turn).intents else ()


def _in_their_places(turn: TurnRecord, places: Places) -> str:
    shown = refs(turn.get("shown", []))
    titles = [named(item) for item, place in zip(shown, places, strict=True) if place is None]
    known = (reading_of(turn).knows_some or turn.get("brought")) and Intent.REJECT not in reading_of(turn).intents
    return wording.say(_IN_PLACE_OF[bool(known), len(titles) > 1], titles=wording.titles(titles))


def _gone(turn: TurnRecord) -> set[str]:
    judged = (*state_of(turn).rejected_items, *refs(turn.get("seen", [])))
    return {item.id for item in judged}.union(turn.get("brought", []))


def _judged(turn: TurnRecord) -> set[str]:
    """The ids of the items that were turned down, taken or known."""
    return _gone(turn).union(item.id for item in state_of(turn).accepted_items)


def _exhausted(found: Recommendation, state: DialogueState) -> str:
    """That nothing is left, and which wish to drop: the condition that most is kept from by, or else the last wish."""
    wish = trade_offs.in_the_way(found.items, found.graph)
    if wish is None:
        said = sorted(((value.span, value.text) for _, value, _ in values_of(state)), reverse=True)
        wish = said[0][1] if len(said) > 1 else None
    return wording.say("recommend.exhausted_but", wish=wish) if wish else wording.say("recommend.exhausted")
