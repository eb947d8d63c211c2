"""The turn that edits by hand: the wishes as they are changed, and the list again for them (DESIGN 4, METHOD 10).

edits -> state and utterances       rewriting.py
      -> the ranking again          from the stored graph where wishes were only dropped and every description and
                                    query stays: then no agent is asked but for labels that nothing has needed yet
                                    rebuilt otherwise, as for any turn that changes the wishes
"""

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from dialogue import narrative, recommendation, room, side_effects, stored_list, wording
from dialogue.edits import BROUGHT, LONGEST, MOST, SEEN, Act, Edit
from dialogue.models import Action, DialogueState, KeptUtterance, TurnRecord, Understanding
from dialogue.narrative import Narrative
from dialogue.ports import TurnContext
from dialogue.record import dumped, refs, state_of
from dialogue.rewriting import Wishes, applied, located
from pdgf.construction import build_graph
from pdgf.counterfactual import same_wording
from pdgf.earlier import Earlier
from pdgf.errors import NoPreferences
from pdgf.graph import without_nodes
from pdgf.models import Atom, Node, PreferenceGraph, Recommendation, RemovalReason

TAKING = frozenset({Act.DROP, Act.FORGET})  # edits that bring in no new words


async def edit(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Make the edits and show the list for the wishes after them. One of a wish that is gone changes nothing."""
    context = runtime.context
    context.budget.on_setback = lambda s: runtime.stream_writer({"note": wording.sentence_of_setback(s)})
    edits = [Edit.model_validate(each) for each in turn["edits"]]
    if refusal := _refusal(edits):
        return {"action": Action.REQUEST_INFORMATION.value, "reply": refusal}
    found = await stored_list.stored(turn, context)
    graph = found.graph if found else PreferenceGraph(narrative="")
    before = _wishes(turn, graph, context)
    seen, others = refs(turn.get("seen", [])), [each for each in edits if not _of_known(each)]
    forgotten = {each.item for each in edits if _of_seen(each)}
    try:
        if not forgotten <= {item.id for item in seen}:
            raise LookupError(forgotten)
        after = applied(before, others, graph=graph, domain=context.domain, turn=turn["turn"])
    except LookupError:
        return {"action": Action.REQUEST_INFORMATION.value, "reply": wording.say("edit.gone")}
    lasting: TurnRecord = {
        "dialogue": after.state.model_dump(mode="json"),
        "requests": list(after.requests),
        "seen": dumped(item for item in seen if item.id not in forgotten),
        "asked": [],
        "focus": [],
        "understanding": Understanding().model_dump(mode="json"),
        "changed": True,
    }
    told = _told(after.requests, after.state, context)
    if not told.text:
        return {**lasting, **_nothing_left(graph)}
    missing = context.domain.missing(after.state.known_keys)
    if found is None and missing:
        reply, asked = missing[0].question, list(missing[0].keys)
        return {**lasting, "action": Action.REQUEST_INFORMATION.value, "reply": reply, "asked": asked}
    known = _known(found, edits, before, after, told, context) if found else None
    if not known and (kept := await _not_taken(edits, graph, told, found, context)):
        return {"action": Action.REQUEST_INFORMATION.value, "reply": kept}
    ranked = await recommendation.rebuild({**turn, **lasting}, runtime, action=Action.RECOMMEND, known=known)
    along = await _along(graph, edits, ranked, context)
    return {**lasting, **ranked, "notes": [*along, *_said(context, found, ranked), *ranked.get("notes", [])]}


async def foreseen(turn: TurnRecord, edits: Sequence[Edit], context: TurnContext) -> PreferenceGraph | None:
    """The graph as it would be after edits of the last turn, without descriptions and without a ranking; None where
    there is none yet. Raises LookupError for a wish that is not there, and whatever a port raises."""
    found = await stored_list.stored(turn, context)
    if found is None:
        return None
    before = _wishes(turn, found.graph, context)
    after = applied(before, edits, graph=found.graph, domain=context.domain, turn=turn["turn"] + 1)
    told = _told(after.requests, after.state, context)
    if not told.text:
        return PreferenceGraph(narrative="")
    if known := _known(found, edits, before, after, told, context):
        return known.graph
    return await _read_again(told, found, context)


async def _read_again(told: Narrative, found: Recommendation, context: TurnContext) -> PreferenceGraph:
    """The graph of other words, without descriptions."""
    try:
        graph, _ = await build_graph(
            told.text,
            agent=context.ports.agent,
            config=context.config,
            budget=context.budget,
            hard_spans=told.hard_spans,
            earlier=Earlier(found.graph, found.queries) if recommendation.holds(found, context) else None,
        )
    except NoPreferences:
        return PreferenceGraph(narrative="")
    return graph


async def _not_taken(
    edits: Sequence[Edit], graph: PreferenceGraph, told: Narrative, found: Recommendation | None, context: TurnContext
) -> str:
    """The sentence for a wish that cannot be turned round, for its words are read as before; empty where all can be."""
    turned = [each for each in edits if each.node and each.act in (Act.WANT, Act.AVOID)]
    if found is None or not turned:
        return ""
    after = await _read_again(told, found, context)
    left = next((each for each in turned if not side_effects.stands(graph, after, each)), None)
    if left is None:
        return ""
    return wording.say(f"edit.cannot_{left.act.value}", wish=graph.node_by_id[left.node].instantiation)


async def _along(before: PreferenceGraph, edits: Sequence[Edit], ranked: TurnRecord, context: TurnContext) -> list[str]:
    """What the edits have changed beside what they were made for, in a sentence."""
    found = await stored_list.stored(ranked, context)
    clauses = side_effects.brought_along(before, found.graph, edits) if found else []
    return list(filter(None, [side_effects.told("edit.along", clauses)]))


def _of_seen(edit: Edit) -> bool:
    """Whether an edit takes an item off what was said to be known already."""
    return edit.act is Act.FORGET and edit.key == SEEN


def _of_known(edit: Edit) -> bool:
    """Whether an edit takes an item off what is known already; what a list had brought is off it before the turn."""
    return edit.act is Act.FORGET and edit.key in (SEEN, BROUGHT)


def _refusal(edits: Sequence[Edit]) -> str | None:
    """The sentence for edits that would take too long to make: too many, or too many words in one."""
    if len(edits) > MOST:
        return wording.say("edit.too_many", count=len(edits), limit=MOST)
    longest = max((len(edit.words) for edit in edits), default=0)
    return wording.say("edit.too_long", count=longest, limit=LONGEST) if longest > LONGEST else None


def _wishes(turn: TurnRecord, graph: PreferenceGraph, context: TurnContext) -> Wishes:
    state, requests = state_of(turn), tuple(turn.get("requests", []))
    told = _told(requests, state, context)
    return Wishes(state=state, requests=requests, located=located(graph, told, requests))


def _told(requests: Sequence[KeptUtterance], state: DialogueState, context: TurnContext) -> Narrative:
    wished = room.with_room(state, context.config.max_nodes)
    return narrative.render(requests, wished, context.max_message_chars)


def _nothing_left(graph: PreferenceGraph) -> TurnRecord:
    """The last wish is gone, and with it the ranking."""
    return {
        "action": Action.REQUEST_INFORMATION.value,
        "reply": wording.say("recommend.no_wish"),
        "recommendation": "",
        "shown": [],
        "graph": {"added": [], "removed": list(graph.order)},
    }


def _said(context: TurnContext, found: Recommendation | None, ranked: TurnRecord) -> list[str]:
    """That nothing had to be compared anew, where that is so."""
    same = found is not None and "recommendation" in ranked and not context.budget.usage().comparisons
    return [wording.say("edit.nothing_compared")] if same else []


def _known(
    found: Recommendation, edits: Sequence[Edit], before: Wishes, after: Wishes, told: Narrative, context: TurnContext
) -> Recommendation | None:
    """The graph and the queries as a rebuild would find them, without asking for any; None where it might not.

    That takes a ranking made as now, only words that went, and wishes that stay with the same ancestors (METHOD 4.6)
    and bases. A wish that had no room beside the others may have it now, and of another cycle the agent may judge
    otherwise.
    """
    if not recommendation.holds(found, context) or any(each.act not in TAKING for each in edits):
        return None
    if len(after.requests) > len(before.requests):  # what a dropped word had denied is told anew
        return None
    crowded = room.left_out(before.state, context.config.max_nodes)
    if crowded or any(dropped.why == "max_nodes" for dropped in found.dropped) or _was_cyclic(found.graph):
        return None
    graph, named = found.graph, {each.node for each in edits}
    if len(after.located) < len(graph.nodes):
        return None
    places = {node: told.place_of(said) for node, said in after.located.items()}
    gone = [node for node in graph.order if node in named or places[node] is None]
    if len(gone) == len(graph.nodes) or (not gone and told.text != graph.narrative):
        return None
    kept = without_nodes(graph, gone)
    texts = {(query.base, query.node): query for query in found.queries}
    ends: list[tuple[str | None, str]] = [*((None, node) for node in kept.roots()), *(e.ends for e in kept.edges)]
    if not same_wording(graph, kept) or not texts.keys() >= set(ends):
        return None
    queries = tuple(query for end, query in texts.items() if end in set(ends))
    return found.model_copy(update={"graph": _retold(kept, told, places), "queries": queries})


def _was_cyclic(graph: PreferenceGraph) -> bool:
    return any(edge.reason is RemovalReason.CYCLE for edge in graph.removed_edges)


def _retold(graph: PreferenceGraph, told: Narrative, places: dict[str, Any]) -> PreferenceGraph:
    """The graph over the words of another narrative."""

    def node_at(node: Node) -> Node:
        return node.model_copy(update={"span": places[node.id]})

    nodes = tuple(map(node_at, graph.nodes))
    spans: dict[str, list[tuple[int, int]]] = {}
    for node in nodes:
        spans.setdefault(node.atom, []).append(node.span)

    def atom_at(atom: Atom) -> Atom:
        own = spans.get(atom.id, [(0, 0)])
        start = told.text.find(atom.text)
        end = start + len(atom.text)
        whole = (start, end) if start >= 0 else (min(s for s, _ in own), max(e for _, e in own))
        return atom.model_copy(update={"span": whole})

    kept = {node.atom for node in nodes}
    atoms = tuple(atom_at(atom) for atom in graph.atoms if atom.id in kept or atom.text in told.text)
    return graph.model_copy(update={"narrative": told.text, "nodes": nodes, "atoms": atoms})
