"""The tab "Graph": its component, what the list would be without a wish, told by the titles, and what edits of a wish
would change beside."""

from collections.abc import Mapping, Sequence
from typing import Any

from dialogue import side_effects, wording
from dialogue.edits import Act, Edit
from dialogue.known_names import chinese_name
from dialogue.models import DialogueState
from dialogue.ui.graph_view import WhatIf
from dialogue.ui.templates import html, static
from dialogue.ui.texts import Texts
from pdgf.counterfactual import without
from pdgf.models import Node, Polarity, PreferenceGraph, Recommendation


def lay_out() -> Any:
    """The component, in the tab that is open."""
    return html(elem_id="graph", js_on_load=f"{static('graph.js')}{static('edits.js')}")


def acts_of(node: Node) -> tuple[Edit, ...]:
    """What the buttons of a wish do, in their order."""
    acts = (Act.NICE if node.hard else Act.MUST, Act.WANT if node.polarity is Polarity.AVOID else Act.AVOID, Act.DROP)
    return tuple(Edit(act=act, node=node.id, text=node.instantiation) for act in acts)


def also(before: PreferenceGraph, after: Mapping[Act, PreferenceGraph], node: str, texts: Texts) -> tuple[str, ...]:
    """A sentence for each edit of a wish that would change others; one that none would, where that is so."""
    words = texts["graph"]
    buttons = {act: words["drop"] if act is Act.DROP else words[f"make_{act.value}"] for act in after}
    told = []
    with wording.speaking(texts["page"]["language"]):
        for act, graph in after.items():
            edit = Edit(act=act, node=node)
            if act in (Act.WANT, Act.AVOID) and not side_effects.stands(before, graph, edit):
                told.append(wording.say("edit.would_not", button=buttons[act]))
                continue
            clauses = side_effects.brought_along(before, graph, [edit])
            told.append(side_effects.told("edit.would", clauses, button=buttons[act]))
        return tuple(filter(None, told)) or (wording.say("edit.would_nothing"),)


def what_if(
    found: Recommendation,
    node: str,
    state: DialogueState,
    *,
    first: int,
    beside: Sequence[str] = (),
    language: str = wording.ENGLISH,
) -> WhatIf | None:
    """Which titles would come into the first places of a ranking and go out of them without a wish; None where the
    ranking does not know the wish. Items turned down or taken are in no list."""
    if node not in found.graph.node_by_id:
        return None
    gone = {item.id for item in (*state.rejected_items, *state.accepted_items)}
    told = without(found, [node], first=first)
    titles = {entry.id: entry.title for entry in found.entries}
    if language == wording.CHINESE:
        titles |= {i.candidate.id: name for i in found.items if (name := chinese_name(i.candidate))}
    return WhatIf(
        node=node,
        enters=[titles[item] for item in told.entering if item not in gone],
        leaves=[titles[item] for item in told.leaving if item in titles and item not in gone],
        certain=told.certain,
        also=beside,
    )
