"""What a visitor changes by hand, in the graph or in the state: from what the browser sent to a turn of its own.

Nothing that a browser sends is believed: nodes, values and items are looked up in the last turn, words are checked.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from dialogue import wording
from dialogue.domain import Domain
from dialogue.edits import BROUGHT, SEEN, Act, Edit, described
from dialogue.models import DialogueState, TurnView
from dialogue.record import values_of
from dialogue.ui import visits
from dialogue.ui.desk import Desk, Screen, recall
from dialogue.ui.graph_editor import acts_of, also, what_if
from dialogue.ui.panels import brought_after, graph_after, graph_panel, names_after, seen_after, state_after
from dialogue.ui.state_text import LISTS, edits_of, refusal, words_refusal
from dialogue.ui.texts import Texts, trouble
from pdgf.errors import PdgfError
from pdgf.models import Node, PreferenceGraph, normalised

ON_VALUES = (Act.DROP, Act.MUST, Act.NICE)


class Refused(Exception):
    """What was sent cannot be done; the message says why, a line each."""


async def change(desk: Desk, stored: Any, sent: Any, tab: str) -> AsyncIterator[Screen]:
    """The turn of one edit as a button or form has sent it; one that cannot be done is answered in the status line."""
    try:
        _, views = await visits.arrive(desk, recall(desk, stored))
        edit = read(sent, views, desk.texts)
    except Refused as why:
        yield Screen(status=str(why))
        return
    except PdgfError as error:
        yield Screen(status=trouble(error, desk.texts))
        return
    async for screen in made(desk, stored, [edit], tab):
        yield screen


async def made(desk: Desk, stored: Any, edits: Sequence[Edit], tab: str) -> AsyncIterator[Screen]:
    """The turn that makes some edits."""
    with wording.speaking(desk.texts["page"]["language"]):
        words = described(edits)
    async for screen in visits.say(desk, stored, words, tab, edits=edits):
        yield screen


async def added(desk: Desk, stored: Any, key: str | None, words: str, *, must: bool) -> Edit:
    """A new wish under a key. Raises Refused."""
    domain = desk.domain(recall(desk, stored))
    if why := refusal(key or "", words or "", domain, desk.texts):
        raise Refused(why[:1].upper() + why[1:])
    return Edit(act=Act.ADD, key=key or "", words=words, hard=must)


async def rewritten(desk: Desk, stored: Any, text: str) -> list[Edit]:
    """The edits that lead to a state written by hand. Raises Refused, PdgfError."""
    memory, views = await visits.arrive(desk, recall(desk, stored))
    edits, problems = edits_of(text, state_after(views), desk.domain(memory), desk.texts)
    if problems:
        raise Refused("\n".join(problems))
    return edits


async def noted(desk: Desk, stored: Any) -> tuple[DialogueState, Domain]:
    """The state as it stands. Raises PdgfError."""
    memory, views = await visits.arrive(desk, recall(desk, stored))
    return state_after(views), desk.domain(memory)


async def previewed(desk: Desk, stored: Any, node: str) -> str | None:
    """The Graph tab with what would be if a wish were edited; None where that cannot be told."""
    try:
        memory, views = await visits.arrive(desk, recall(desk, stored))
        if memory.thread is None or node not in graph_after(views).node_by_id:
            return None
        found = await desk.conversations.recommendation(memory.thread)
        if found is None or node not in found.graph.node_by_id:
            return None
        beside = also(found.graph, await _foreseen(desk, memory.thread, found.graph.node_by_id[node]), node, desk.texts)
    except (PdgfError, LookupError):
        return None
    language, first = desk.texts["page"]["language"], desk.domain(memory).shown
    told = what_if(found, node, state_after(views), first=first, beside=beside, language=language)
    return graph_panel(views, desk.texts, told) if told else None


async def _foreseen(desk: Desk, thread: str, node: Node) -> dict[Act, PreferenceGraph]:
    """The graph as it would be after each edit that a wish has a button for."""
    graphs = {edit.act: await desk.conversations.foreseen(thread, [edit]) for edit in acts_of(node)}
    return {act: graph for act, graph in graphs.items() if graph is not None}


def read(sent: Any, views: Sequence[TurnView], texts: Texts) -> Edit:
    """The edit that was sent. Raises Refused for one that names nothing of the last turn."""
    data = sent if isinstance(sent, Mapping) else {}
    known = {name: value for name, value in data.items() if isinstance(value, str)}
    act, problems = known.get("act", ""), texts["state"]["problems"]
    edit = None
    if act in set(Act) - {Act.ADD}:
        if node := known.get("node"):
            edit = _of_node(Act(act), node, known.get("words", ""), views, texts)
        elif act == Act.FORGET:
            edit = _of_item(known, views, texts)
        elif act in ON_VALUES:
            edit = _of_value(Act(act), known, state_after(views))
    if edit is None:
        raise Refused(problems["gone"])
    return edit


def _of_node(act: Act, node: str, words: str, views: Sequence[TurnView], texts: Texts) -> Edit | None:
    found = graph_after(views).node_by_id.get(node)
    if found is None or act is Act.FORGET:
        return None
    if act is Act.REWORD and (why := words_refusal(words, texts)):
        raise Refused(why[:1].upper() + why[1:])
    if act is Act.REWORD and normalised(words) == normalised(found.instantiation):
        raise Refused(texts["state"]["unchanged"])
    return Edit(act=act, node=node, text=found.instantiation, words=words if act is Act.REWORD else "")


def _of_value(act: Act, known: Mapping[str, str], state: DialogueState) -> Edit | None:
    wanted = known.get("key"), normalised(known.get("text", ""))
    found = (value for key, value, _ in values_of(state) if (key, normalised(value.text)) == wanted)
    value = next(found, None)
    return Edit(act=act, key=known["key"], text=value.text) if value else None


def _of_item(known: Mapping[str, str], views: Sequence[TurnView], texts: Texts) -> Edit | None:
    key = known.get("key", "")
    beside = {SEEN: seen_after(views), BROUGHT: brought_after(views).items}
    items = beside.get(key) or (getattr(state_after(views), key) if key in LISTS else ())
    item = next((item for item in items if item.id == known.get("item")), None)
    called = names_after(views) if texts["page"]["language"] == wording.CHINESE else {}
    return Edit(act=Act.FORGET, key=key, item=item.id, text=called.get(item.title, item.title)) if item else None
