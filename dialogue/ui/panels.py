"""What stands beside the chat: picks, graph, evidence and state, from the turns of a conversation. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from dialogue import side_effects, wording
from dialogue.domain import Domain
from dialogue.edits import Edit
from dialogue.models import Action, DialogueState, GraphChange, ItemRef, TurnView
from dialogue.record import values_of
from dialogue.ui.cards import Shelf, known_as, render_cards
from dialogue.ui.evidence_matrix import render_matrix
from dialogue.ui.graph_view import News, WhatIf, render_graph
from dialogue.ui.state_text import choices_of, written
from dialogue.ui.state_view import Brought, render_state
from dialogue.ui.texts import Texts
from pdgf.models import PreferenceGraph, normalised
from pdgf.temporal import year_constraint


@dataclass(frozen=True, kw_only=True)
class Panels:
    """Pieces of HTML, the state as text, and the keys that a wish can be added under, each with its name."""

    picks: str
    graph: str
    matrix: str
    state: str
    state_text: str
    keys: tuple[tuple[str, str], ...]


def panels(views: Sequence[TurnView], domain: Domain, texts: Texts) -> Panels:
    """Everything after the last finished turn."""
    state = state_after(views)
    shown, items = picks_of(views)
    of_items = graph_of(shown.graph) if shown else graph_after(views)
    marks = {item: marks for view in views for item, marks in view.marks.items()}
    shelf = Shelf(
        items=items,
        graph=of_items,
        facts=domain.facts,
        accepted=[item.id for item in state.accepted_items],
        again=_again(views),
        marks=marks,
        domain=domain.name,
    )
    return Panels(
        picks=render_cards(shelf, texts),
        graph=graph_panel(views, texts),
        matrix=render_matrix(of_items, [_named(item, texts) for item in items], marks, texts),
        state=render_state(state, texts, seen_after(views), brought_after(views), names_after(views)),
        state_text=written(state),
        keys=choices_of(domain, texts),
    )


def graph_panel(views: Sequence[TurnView], texts: Texts, what_if: WhatIf | None = None) -> str:
    """The Graph tab; with what would be if a wish were dropped, where that was asked."""
    news, items = news_of(views, texts["page"]["language"]), picks_of(views)[1]
    return render_graph(graph_after(views), news, items, texts, what_if, limits_of(state_after(views)))


def limits_of(state: DialogueState) -> tuple[str, ...]:
    """The wishes about when something was made: they hold for the list as a whole and are no part of the graph
    (METHOD 7.6)."""
    read = partial(year_constraint, mode="explicit", current_year=date.today().year)
    return tuple(value.text for _, value, _ in values_of(state) if read(value.text))


def state_after(views: Sequence[TurnView]) -> DialogueState:
    """The state after the last turn; empty before the first."""
    return views[-1].state if views else DialogueState()


def seen_after(views: Sequence[TurnView]) -> tuple[ItemRef, ...]:
    """What is known already after the last turn."""
    return views[-1].seen if views else ()


def brought_after(views: Sequence[TurnView]) -> Brought:
    """What a list of the visitor's own named as known at the last finished turn."""
    last = next((view for view in reversed(views) if view.finished), None)
    return Brought(last.brought, last.listed) if last else Brought()


def names_after(views: Sequence[TurnView]) -> dict[str, str]:
    """What Chinese readers call the items of the state."""
    return {title: name for view in views for title, name in view.names.items()}


def graph_of(change: GraphChange) -> PreferenceGraph:
    """The graph of a turn, from the JSON of the commands."""
    known = {"narrative", "language", "nodes", "edges", "order"}
    return PreferenceGraph.model_validate({"narrative": "", **{k: v for k, v in change.graph.items() if k in known}})


def graph_after(views: Sequence[TurnView]) -> PreferenceGraph:
    """The graph after the last turn that has one; none once all wishes are gone."""
    at = _latest(views)
    return graph_of(views[at].graph) if at is not None else PreferenceGraph(narrative="")


def news_of(views: Sequence[TurnView], language: str = wording.ENGLISH) -> News:
    """What the last turn changed in the graph; nothing where the graph is new as a whole. A wish is the same one in the
    same words, whatever it hangs together with."""
    at = _latest(views)
    before = _latest(views[:at]) if at else None
    if at is None or before is None:
        return News()
    change, old, new = views[at].graph, graph_of(views[before].graph), graph_of(views[at].graph)
    was = {normalised(node.instantiation): (node.hard, node.polarity) for node in old.nodes}
    now = {normalised(node.instantiation) for node in new.nodes}
    stood = {node.id: was.get(normalised(node.instantiation)) for node in new.nodes}
    edits = [Edit.model_validate(each) for each in views[at].edits]
    with wording.speaking(language):
        along = side_effects.told("edit.along", side_effects.brought_along(old, new, edits)) if edits else ""
    gone = [old.node_by_id[node].instantiation for node in change.removed if node in old.node_by_id]
    return News(
        added=[node for node in change.added if not stood.get(node)] if change.kept or change.removed else (),
        changed=[node.id for node in new.nodes if stood[node.id] not in (None, (node.hard, node.polarity))],
        gone=[words for words in gone if normalised(words) not in now],
        along=along,
    )


def picks_of(views: Sequence[TurnView]) -> tuple[TurnView | None, tuple[dict[str, Any], ...]]:
    """The last list that was recommended, as it stands: without what has been turned down since or is known already,
    and with what took its place; and the turn that changed it last."""
    for at in range(len(views) - 1, -1, -1):
        view = views[at]
        if _emptied(view):
            return None, ()
        if view.items and view.action is not Action.ANSWER:
            gone = {item.id for item in (*views[-1].state.rejected_items, *views[-1].seen)}
            return view, tuple(item for item in _standing(views[: at + 1]) if item["id"] not in gone)
    return None, ()


def _standing(views: Sequence[TurnView]) -> tuple[dict[str, Any], ...]:
    """The list after the last of the turns; those of its items that it did not bring are as they came last."""
    told = {item["id"]: item for view in views if view.action is not Action.ANSWER for item in view.items}
    standing = views[-1].standing or [item["id"] for item in views[-1].items]
    return tuple(told[item] for item in standing if item in told)


def _named(item: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """An item with the title by which readers of the page's language know it before its own."""
    return {**item, "title": " ".join(filter(None, [known_as(item, texts), item["title"]]))}


def _again(views: Sequence[TurnView]) -> list[str]:
    """The items that had been shown before when they came last."""
    again = {item["id"]: item["id"] in view.shown_before for view in views for item in view.items}
    return [item for item, before in again.items() if before]


def _latest(views: Sequence[TurnView]) -> int | None:
    """The place of the last turn that has a graph; None where it has been emptied since, or never was one."""
    for at in range(len(views) - 1, -1, -1):
        if _emptied(views[at]):
            return None
        if views[at].graph.graph.get("nodes"):
            return at
    return None


def _emptied(view: TurnView) -> bool:
    """Whether a turn has left no wish: the visitor has started over, or the last one is gone."""
    return view.action is Action.START_OVER or bool(view.graph.removed and not view.graph.graph.get("nodes"))
