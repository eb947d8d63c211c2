"""The page: its parts, and in one block what each event of theirs does. What is shown is decided in visits.py."""

import functools
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import gradio as gr

from dialogue.ui import api, chats, imports, results, settings_tab, talk, visits
from dialogue.ui.desk import Desk, Screen, choices, remembered
from dialogue.ui.events import claimed, tab_of
from dialogue.ui.languages import LANGUAGES, PAGE, link
from dialogue.ui.sessions import SparsePage
from dialogue.ui.templates import html, render

EVENTS_AT_ONCE = 1_000  # events served at once, far above the turns at once so that a refusal is said without a wait
QUEUE = 2_000  # waiting events before Gradio itself refuses


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Every component that an event reads or changes."""

    memory: Any
    domain: Any
    new: Any
    chats: chats.Parts
    talk: talk.Parts
    results: results.Parts
    data: "imports.Parts | None"
    settings: settings_tab.Parts


def build_page(desk: Desk, *, secret: str, recommend: api.Recommend | None = None, exposed: bool = False) -> gr.Blocks:
    """The page of one language over the conversations of a desk.

    `secret` keeps what a browser remembers readable over restarts; every visitor is told it, so nothing else may rest
    on it. An `exposed` page has the endpoints for programs too.
    """
    texts = desk.texts
    blocks: dict[str, Any] = {"analytics_enabled": False, "fill_width": True, "delete_cache": imports.SWEPT}
    with SparsePage(title=texts["page"]["title"], **blocks) as page:
        parts = _lay_out(desk, secret)
        _wire(page, parts, desk)
        if exposed:
            api.expose(desk, recommend)
    page.max_threads = EVENTS_AT_ONCE
    page.queue(max_size=QUEUE, default_concurrency_limit=EVENTS_AT_ONCE)
    return page


def _wire(page: gr.Blocks, parts: Parts, desk: Desk) -> None:
    everything = [parts.memory, parts.domain, *vars(parts.talk).values(), *results.everything(parts.results)]
    everything += settings_tab.everything(parts.settings)
    quiet: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    turns: dict[str, Any] = {"concurrency_limit": EVENTS_AT_ONCE, "concurrency_id": "turns", **quiet}
    show = functools.partial(_updates, parts=parts, desk=desk)
    nothing = {parts.talk.status: gr.skip()}  # as in talk.py

    async def open_page(stored: Any, request: gr.Request) -> AsyncIterator[Any]:
        async for screen in visits.open_page(desk, claimed(desk, stored, request), tab_of(request)):
            yield show(screen)
        yield nothing

    async def fresh(stored: Any, request: gr.Request) -> Any:
        return show(await visits.start_fresh(desk, claimed(desk, stored, request), tab_of(request)))

    async def change_domain(stored: Any, domain: str, request: gr.Request) -> AsyncIterator[Any]:
        async for screen in visits.turn_to(desk, claimed(desk, stored, request), domain, tab_of(request)):
            yield show(screen)
        yield nothing

    def close_page(request: gr.Request) -> None:
        desk.runs.closed(tab_of(request))

    page.unload(close_page)
    place = imports.Place(parts.memory, everything, show)
    page.load(open_page, parts.memory, everything, **turns)
    parts.new.click(fresh, parts.memory, everything, **quiet).then(None, js=talk.FOCUS_BOX, **quiet)
    chosen = [parts.memory, parts.domain]
    parts.domain.input(change_domain, chosen, everything, trigger_mode="multiple", **turns)
    chats.wire(parts.chats, desk, place, turns, quiet)
    talk.wire(parts.talk, parts.results.picks, desk, place, turns, quiet)
    results.wire(parts.results, desk, place, turns, quiet)
    settings_tab.wire(parts.settings, desk, parts.memory, quiet)
    if parts.data:
        imports.wire(page, parts.data, desk, place)


def _lay_out(desk: Desk, secret: str) -> Parts:
    texts = desk.texts
    others = [row for row in LANGUAGES if row.code != desk.language]
    languages = [(row.tag, row.name, link(desk.language, row)) for row in others]
    up, back = ("./" if desk.language == LANGUAGES[0].code else "../"), f"?{PAGE}={desk.language}"
    leave = f"{up}logout{back}" if desk.owner_of else ""
    memory = gr.BrowserState(None, storage_key="pdgf", secret=secret)
    with gr.Row(elem_id="top"):
        html(render("header.html", texts), elem_id="header")
        domain = gr.Radio(
            choices(desk, desk.domains),
            value=next(iter(desk.domains)),
            label=texts["page"]["domain"],
            elem_id="domain",
            container=False,
        )
        listed = chats.lay_out(desk)
        new = gr.Button(texts["page"]["new"], size="sm", elem_id="new")
        html(render("links.html", texts, languages=languages, leave=leave), elem_id="links")
    html(render("jump.html", texts), elem_id="jump")
    with gr.Row(elem_id="columns"):
        with gr.Column(scale=5, min_width=320, elem_id="talk"):
            said = talk.lay_out(desk)
        with gr.Column(scale=6, min_width=320, elem_id="results"):
            tabs = _lay_out_results(desk)
    return Parts(memory=memory, domain=domain, new=new, chats=listed, talk=said, **tabs)


def _lay_out_results(desk: Desk) -> dict[str, Any]:
    texts, tabs = desk.texts, desk.texts["tabs"]
    data = None
    with gr.Tabs(elem_id="tabs", overflow_behavior="wrap"):
        shown = results.lay_out(texts)
        if desk.own:
            with gr.Tab(tabs["data"], id="data"):
                data = imports.lay_out(texts, desk.own.max_upload_mb)
        with gr.Tab(tabs["settings"], id="settings"):
            settings = settings_tab.lay_out(desk)
    return {"results": shown, "data": data, "settings": settings}


def _updates(screen: Screen, *, parts: Parts, desk: Desk) -> dict[Any, Any]:
    """A screen as new values of the components that it changes."""
    new: dict[Any, Any] = {}
    texts = desk.texts
    if screen.memory:
        new[parts.memory] = remembered(screen.memory)
    if screen.memory and not screen.stays:
        offered, chosen = desk.offered(screen.memory.owner), screen.memory.domain
        new[parts.domain] = gr.Radio(choices=choices(desk, offered), value=chosen) if desk.own else chosen
        new |= settings_tab.updates(parts.settings, screen.memory)
    said = parts.talk
    if screen.chat is not None:
        new[said.chat] = screen.chat
    if screen.status is not None:
        new[said.status] = talk.status_line(texts, screen.status, quiet=screen.quiet)
    if screen.strip:
        new[said.strip] = render("strip.html", texts, strip=screen.strip)
    if screen.running is not None:
        new[said.running] = talk.running_mark(screen.running)
    if screen.box is not None:
        new[said.box] = screen.box
    if screen.live is not None or screen.running is False:
        new |= results.live_updates(parts.results, texts, screen.live or "")
    if screen.panels:
        new |= results.updates(parts.results, screen.panels, follows=screen.follows)
    return new
