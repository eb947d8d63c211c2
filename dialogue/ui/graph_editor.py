"""The tab "Graph": its component, and what the list would be without a wish, told by the titles."""

from typing import Any

from dialogue.models import DialogueState
from dialogue.ui.graph_view import WhatIf
from dialogue.ui.templates import html, static
from pdgf.counterfactual import without
from pdgf.models import Recommendation


def lay_out() -> Any:
    """The component, in the tab that is open."""
    return html(elem_id="graph", js_on_load=f"{static('graph.js')}{static('edits.js')}")


def what_if(found: Recommendation, node: str, state: DialogueState, *, first: int) -> WhatIf | None:
    """Which titles would come into the first places of a ranking and go out of them without a wish; None where the
    ranking does not know the wish. Items turned down or taken are in no list."""
    if node not in found.graph.node_by_id:
        return None
    gone = {item.id for item in (*state.rejected_items, *state.accepted_items)}
    told = without(found, [node], first=first)
    titles = {entry.id: entry.title for entry in found.entries}
    return WhatIf(
        node=node,
        enters=[titles[item] for item in told.entering if item not in gone],
        leaves=[titles[item] for item in told.leaving if item in titles and item not in gone],
        certain=told.certain,
    )
