"""The page: its parts, and in one block what each event of theirs does. What is shown is decided in visits.py."""

import functools
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gradio as gr

from dialogue.domain import Domain
from dialogue.ui import imports, visits
from dialogue.ui.brought import choices, said, tab_of
from dialogue.ui.runs import Runs
from dialogue.ui.templates import html, render, static
from dialogue.ui.texts import Texts, page_texts
from dialogue.ui.visits import Desk, Screen

if TYPE_CHECKING:
    from dialogue.conversation import Conversations
    from dialogue.own_domains import OwnDomains

TURNS_AT_ONCE = 48  # turns that run side by side; a further one is refused in words
EVENTS_AT_ONCE = 200  # turn events served at once, above TURNS_AT_ONCE so that the refusal can be said
QUEUE = 500  # waiting events before Gradio itself refuses

FOCUS_BOX = """() => {
    const box = document.querySelector('#message textarea');
    if (box) { box.focus(); box.setSelectionRange(box.value.length, box.value.length); }
}"""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Every component that an event reads or changes."""

    memory: Any
    domain: Any
    new: Any
    chat: Any
    strip: Any
    status: Any
    box: Any
    send: Any
    stop: Any
    picks: Any
    graph: Any
    state: Any
    state_data: Any
    data: "imports.Parts | None"


def build_page(
    conversations: "Conversations",
    *,
    domains: Sequence[Domain],
    secret: str,
    engine: str = "builtin",
    evidence: str = "catalogue",
    own: "OwnDomains | None" = None,
) -> gr.Blocks:
    """The page over these conversations.

    `domains` are offered in this order, the first one chosen at first; `secret` keeps what a browser remembers
    readable over restarts; `engine` and `evidence` are keys under [about] of the page's texts. With `own`, visitors can
    bring catalogues and lists of what they know already.
    """
    texts = page_texts()
    runs = Runs(conversations, at_once=TURNS_AT_ONCE)
    desk = Desk(
        conversations=conversations, runs=runs, domains={row.name: row for row in domains}, texts=texts, own=own
    )
    blocks: dict[str, Any] = {"analytics_enabled": False, "fill_width": True, "delete_cache": imports.SWEPT}
    with gr.Blocks(title=texts["page"]["title"], **blocks) as page:
        parts = _lay_out(desk, secret, engine=engine, evidence=evidence)
        _wire(page, parts, desk)
    page.max_threads = EVENTS_AT_ONCE
    page.queue(max_size=QUEUE, default_concurrency_limit=EVENTS_AT_ONCE)
    return page


def _wire(page: gr.Blocks, parts: Parts, desk: Desk) -> None:
    everything = [part for name, part in vars(parts).items() if name != "data"]
    quiet: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    turns: dict[str, Any] = {"concurrency_limit": EVENTS_AT_ONCE, "concurrency_id": "turns", **quiet}
    show = functools.partial(_updates, parts=parts, desk=desk)
    # Gradio sends the last update of a stream again when it ends, perhaps over a page that has moved on: so it is none.
    nothing = {parts.status: gr.skip()}

    async def open_page(stored: Any, request: gr.Request) -> AsyncIterator[Any]:
        async for screen in visits.open_page(desk, stored, tab_of(request)):
            yield show(screen)
        yield nothing

    async def say(stored: Any, typed: str, event: gr.EventData, request: gr.Request) -> AsyncIterator[Any]:
        async for screen in visits.say(desk, stored, said(event, "say") or typed or "", tab_of(request)):
            yield show(screen)
        yield nothing

    async def stop(stored: Any) -> Any:
        return show(await visits.stop(desk, stored))

    async def fresh(stored: Any, request: gr.Request) -> Any:
        return show(await visits.start_fresh(desk, stored, tab_of(request)))

    async def change_domain(stored: Any, domain: str, request: gr.Request) -> AsyncIterator[Any]:
        async for screen in visits.turn_to(desk, stored, domain, tab_of(request)):
            yield show(screen)
        yield nothing

    def ask(event: gr.EventData) -> str:
        return said(event, "ask")

    speak = [parts.box.submit, parts.send.click, parts.strip.click, parts.picks.click]
    page.load(open_page, parts.memory, everything, **turns)
    gr.on(speak, say, [parts.memory, parts.box], everything, trigger_mode="multiple", **turns)
    parts.stop.click(stop, parts.memory, everything, queue=False, **quiet).then(None, js=FOCUS_BOX, **quiet)
    parts.new.click(fresh, parts.memory, everything, **quiet).then(None, js=FOCUS_BOX, **quiet)
    chosen = [parts.memory, parts.domain]
    parts.domain.input(change_domain, chosen, everything, trigger_mode="multiple", **turns)
    if parts.data:
        imports.wire(page, parts.data, desk, imports.Place(parts.memory, everything, show))
    parts.picks.select(ask, None, parts.box, queue=False, **quiet).then(None, js=FOCUS_BOX, **quiet)


def _lay_out(desk: Desk, secret: str, *, engine: str, evidence: str) -> Parts:
    texts = desk.texts
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
        new = gr.Button(texts["page"]["new"], size="sm", elem_id="new")
    with gr.Row(elem_id="columns"):
        with gr.Column(scale=5, min_width=320, elem_id="talk"):
            talk = _lay_out_talk(texts)
        with gr.Column(scale=6, min_width=320, elem_id="results"):
            results = _lay_out_results(desk, engine=engine, evidence=evidence)
    return Parts(memory=memory, domain=domain, new=new, **talk, **results)


def _lay_out_talk(texts: Texts) -> dict[str, Any]:
    words = texts["page"]
    html(render("heading.html", texts, heading=words["conversation"]), elem_id="talk-heading")
    chat = gr.Chatbot(
        label=words["conversation"],
        show_label=False,
        container=False,
        elem_id="chat",
        placeholder=texts["empty"]["chat"],
        buttons=["copy", "copy_all"],
        allow_tags=False,
        sanitize_html=True,
        latex_delimiters=[],
        height=None,
    )
    strip = html(elem_id="strip", js_on_load=static("clicks.js"))
    status = html(_status(texts, "", quiet=False), elem_id="status")
    with gr.Row(elem_id="compose"):
        box = gr.Textbox(
            label=words["message"],
            placeholder=words["placeholder"],
            lines=1,
            max_lines=8,
            scale=1,
            autofocus=True,
            elem_id="message",
            container=True,
        )
        send = gr.Button(words["send"], variant="primary", elem_id="send", scale=0, min_width=96)
        stop = gr.Button(words["stop"], visible=False, elem_id="stop", scale=0, min_width=96)
    return {"chat": chat, "strip": strip, "status": status, "box": box, "send": send, "stop": stop}


def _lay_out_results(desk: Desk, *, engine: str, evidence: str) -> dict[str, Any]:
    texts, tabs = desk.texts, desk.texts["tabs"]
    data = None
    with gr.Tabs(elem_id="tabs", overflow_behavior="wrap"):
        with gr.Tab(tabs["picks"], id="picks"):
            picks = html(elem_id="picks", js_on_load=static("clicks.js"))
        with gr.Tab(tabs["graph"], id="graph"):
            graph = html(elem_id="graph", js_on_load=static("graph.js"))
        with gr.Tab(tabs["state"], id="state"):
            state = html(elem_id="state")
            with gr.Accordion(texts["state"]["json"], open=False):
                state_data = gr.JSON({}, show_label=False, elem_id="state-data")
        if desk.own:
            with gr.Tab(tabs["data"], id="data"):
                data = imports.lay_out(texts, desk.own.max_upload_mb)
        with gr.Tab(tabs["about"], id="about"):
            html(render("about.html", texts, engine=engine, evidence=evidence), elem_id="about")
    return {"picks": picks, "graph": graph, "state": state, "state_data": state_data, "data": data}


def _updates(screen: Screen, *, parts: Parts, desk: Desk) -> dict[Any, Any]:
    """A screen as new values of the components that it changes."""
    new: dict[Any, Any] = {}
    texts = desk.texts
    if screen.memory:
        offered, chosen = desk.offered(screen.memory.owner), screen.memory.domain
        domain = gr.Radio(choices=choices(desk, offered), value=chosen) if desk.own else chosen
        new |= {parts.memory: visits.remembered(screen.memory), parts.domain: domain}
    if screen.chat is not None:
        new[parts.chat] = screen.chat
    if screen.status is not None:
        new[parts.status] = _status(texts, screen.status, quiet=screen.quiet)
    if screen.strip:
        new[parts.strip] = render("strip.html", texts, strip=screen.strip)
    if screen.running is not None:
        new |= {parts.send: gr.Button(visible=not screen.running), parts.stop: gr.Button(visible=screen.running)}
    if screen.box is not None:
        new[parts.box] = screen.box
    if screen.panels:
        new |= {parts.picks: screen.panels.picks, parts.graph: screen.panels.graph}
        new |= {parts.state: screen.panels.state, parts.state_data: screen.panels.state_data}
    return new


def _status(texts: Texts, status: str, *, quiet: bool) -> str:
    return render("status.html", texts, status=status, quiet=quiet)
