"""The right side of the page: picks, graph, evidence and state, and what can be changed there by hand."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import gradio as gr

from dialogue.ui import by_hand, evidence_matrix, graph_editor, state_editor
from dialogue.ui.desk import Desk
from dialogue.ui.events import Updates, claimed, said, tab_of
from dialogue.ui.imports import Place
from dialogue.ui.panels import Panels
from dialogue.ui.templates import html, render, static
from dialogue.ui.texts import Texts


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The components of this side; `live` are the lines above it that say what is being done, one in each tab."""

    live: tuple[Any, ...]
    picks: Any
    graph: Any
    evidence: Any
    state: state_editor.Parts


def lay_out(texts: Texts) -> Parts:
    """The tabs, in the row of tabs that is open."""
    tabs = texts["tabs"]
    with gr.Tab(tabs["picks"], id="picks"):
        live = [_live("live")]
        picks = html(elem_id="picks", js_on_load=f"{static('clicks.js')}{static('compare.js')}")
    with gr.Tab(tabs["graph"], id="graph"):
        live.append(_live("graph-live"))
        graph = graph_editor.lay_out()
    with gr.Tab(tabs["evidence"], id="evidence"):
        live.append(_live("evidence-live"))
        evidence = evidence_matrix.lay_out()
    with gr.Tab(tabs["state"], id="state"):
        live.append(_live("state-live"))
        state = state_editor.lay_out(texts)
    return Parts(live=tuple(live), picks=picks, graph=graph, evidence=evidence, state=state)


def everything(parts: Parts) -> list[Any]:
    """What a turn may change."""
    return [*parts.live, parts.picks, parts.graph, parts.evidence, *state_editor.everything(parts.state)]


def live_updates(parts: Parts, texts: Texts, step: str) -> Updates:
    """What is being done while a turn runs, above what stands there from before; nothing once none runs."""
    return dict.fromkeys(parts.live, render("live.html", texts, step=step))


def updates(parts: Parts, panels: Panels, *, follows: bool) -> Updates:
    """This side after a turn, or (where it does not follow one) for another conversation."""
    shown = {parts.picks: panels.picks, parts.graph: panels.graph, parts.evidence: panels.matrix}
    return {**shown, **state_editor.updates(parts.state, panels, follows=follows)}


def _live(name: str) -> Any:
    return html(elem_id=name, elem_classes="live-line")


def wire(parts: Parts, desk: Desk, place: Place, turns: dict[str, Any], quiet: dict[str, Any]) -> None:
    """What each event does; what the buttons of the picks say is heard in talk.py."""

    async def change(stored: Any, event: gr.EventData, request: gr.Request) -> AsyncIterator[Updates]:
        data = event._data if isinstance(event._data, dict) else {}
        mine = claimed(desk, stored, request)
        async for screen in by_hand.change(desk, mine, data.get("edit"), tab_of(request)):
            yield place.show(screen)
        yield {parts.graph: gr.skip()}

    async def preview(stored: Any, event: gr.EventData, request: gr.Request) -> Any:
        mine = claimed(desk, stored, request)
        return await by_hand.previewed(desk, mine, said(event, "node")) or gr.skip()

    edits = [parts.graph.submit, parts.state.chips.submit]
    gr.on(edits, change, place.memory, place.everything, trigger_mode="multiple", **turns)
    parts.graph.select(preview, place.memory, parts.graph, **quiet)
    state_editor.wire(parts.state, desk, place, turns, quiet)
