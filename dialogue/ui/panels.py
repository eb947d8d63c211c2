"""What stands beside the chat: picks, graph, evidence and state, from the turns of a conversation. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from dialogue.domain import Domain
from dialogue.models import Action, DialogueState, GraphChange, TurnView
from dialogue.ui.cards import Shelf, render_cards
from dialogue.ui.evidence_matrix import render_matrix
from dialogue.ui.graph_view import News, WhatIf, render_graph
from dialogue.ui.state_text import choices_of, written
from dialogue.ui.state_view import render_state
from dialogue.ui.texts import Texts
from pdgf.models import PreferenceGraph


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
    marks = shown.marks if shown else {}
    shelf = Shelf(
        items=items,
        graph=of_items,
        facts=domain.facts,
        accepted=[item.id for item in state.accepted_items],
        again=shown.shown_before if shown else (),
        marks=marks,
        domain=domain.name,
    )
    return Panels(
        picks=render_cards(shelf, texts),
        graph=graph_panel(views, texts),
        matrix=render_matrix(of_items, items, marks, texts),
        state=render_state(state, texts),
        state_text=written(state),
        keys=choices_of(domain, texts),
    )


def graph_panel(views: Sequence[TurnView], texts: Texts, what_if: WhatIf | None = None) -> str:
    """The Graph tab; with what would be if a wish were dropped, where that was asked."""
    return render_graph(graph_after(views), news_of(views), picks_of(views)[1], texts, what_if)


def state_after(views: Sequence[TurnView]) -> DialogueState:
    """The state after the last turn; empty before the first."""
    return views[-1].state if views else DialogueState()


def graph_of(change: GraphChange) -> PreferenceGraph:
    """The graph of a turn, from the JSON of the commands."""
    known = {"narrative", "language", "nodes", "edges", "order"}
    return PreferenceGraph.model_validate({"narrative": "", **{k: v for k, v in change.graph.items() if k in known}})


def graph_after(views: Sequence[TurnView]) -> PreferenceGraph:
    """The graph after the last turn that has one; none once all wishes are gone."""
    at = _latest(views)
    return graph_of(views[at].graph) if at is not None else PreferenceGraph(narrative="")


def news_of(views: Sequence[TurnView]) -> News:
    """What the last turn changed in the graph; nothing where the graph is new as a whole."""
    at = _latest(views)
    before = _latest(views[:at]) if at else None
    if at is None or before is None:
        return News()
    change, old, new = views[at].graph, graph_of(views[before].graph), graph_of(views[at].graph)
    hard = {node.id: node.hard for node in old.nodes}
    gone = [old.node_by_id[node] for node in change.removed if node in old.node_by_id]
    return News(
        added=change.added if change.kept or change.removed else (),
        changed=tuple(node.id for node in new.nodes if hard.get(node.id, node.hard) != node.hard),
        gone=tuple(node.instantiation for node in gone),
    )


def picks_of(views: Sequence[TurnView]) -> tuple[TurnView | None, tuple[dict[str, Any], ...]]:
    """The last list that was recommended, without what has been turned down since, and the turn it comes from."""
    for view in reversed(views):
        if _emptied(view):
            return None, ()
        if view.items and view.action is not Action.ANSWER:
            gone = _known(views[-1].state)
            return view, tuple(item for item in view.items if item["id"] not in gone)
    return None, ()


def _known(state: DialogueState) -> Collection[str]:
    return {item.id for item in state.rejected_items}


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
