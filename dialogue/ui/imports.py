"""The tab "Your data": a catalogue of one's own, and what one knows already. What each event does is in brought.py."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from dialogue.own_catalogue import FIELDS, Field
from dialogue.own_domains import Draft
from dialogue.ui import visits
from dialogue.ui.brought import NOT_USED, Data, Parts
from dialogue.ui.desk import Desk, Screen
from dialogue.ui.events import Updates, claimed, tab_of
from dialogue.ui.reports import status
from dialogue.ui.templates import html, render, static
from dialogue.ui.texts import Texts

__all__ = ["SWEPT", "Parts", "Place", "lay_out", "wire"]

SWEPT = (600, 3600)  # every so many seconds files are deleted that were sent so many seconds ago and never used
CHAT = """() => {
    const tab = document.querySelector("#tabs [role=tab]"), own = document.getElementById("catalogue-mine");
    const away = document.activeElement?.closest("#talk, #top") || !own?.checkVisibility();
    if (away || document.querySelector("#catalogue-status .trouble")) return;
    tab.click();
    document.querySelector("#message textarea")?.focus();
}"""  # who has waited for a catalogue goes on with it in the chat


@dataclass(frozen=True)
class Place:
    """What the rest of the page lends: its memory, all its parts, and how a screen is shown."""

    memory: Any
    everything: Sequence[Any]
    show: Callable[[Screen], Updates]


def lay_out(texts: Texts, max_mb: int) -> Parts:
    """The components of the tab, in the tab that is open."""
    words = texts["catalogue"]
    draft, built = gr.State(None), gr.State(None)
    html(_intro(texts, "catalogue", max_mb))
    file = gr.File(label=words["file"], elem_id="catalogue-file", height=132, elem_classes="sender")
    told = html(status(texts, ""), elem_id="catalogue-status")
    preview = html(elem_id="catalogue-preview")
    with gr.Column(visible=False, elem_id="catalogue-mapping") as mapping:
        html(render("data_heading.html", texts, heading=words["columns"], text=words["columns_intro"]))
        with gr.Row(elem_id="catalogue-columns"):
            columns = {name: _column(texts, name) for name in FIELDS}
        checked = html(elem_id="catalogue-checked")
        with gr.Row(elem_id="catalogue-make"):
            name = gr.Textbox(label=words["name"], max_length=40, scale=1, elem_id="catalogue-name")
            build = gr.Button(words["build"], variant="primary", scale=0, min_width=150, elem_id="catalogue-build")
    mine = html(elem_id="catalogue-mine", js_on_load=static("clicks.js"))
    words = texts["seen"]
    html(_intro(texts, "seen", max_mb))
    seen_file = gr.File(label=words["file"], elem_id="seen-file", height=132, elem_classes="sender")
    seen_text = gr.Textbox(
        label=words["paste"], placeholder=words["placeholder"], lines=3, max_lines=8, elem_id="seen-text"
    )
    seen_add = gr.Button(words["add"], elem_id="seen-add")
    seen_status = html(status(texts, ""), elem_id="seen-status")
    seen = html(elem_id="seen-list", js_on_load=static("clicks.js"))
    return Parts(
        draft=draft, built=built, file=file, status=told, preview=preview, mapping=mapping, columns=columns,
        name=name, checked=checked, build=build, mine=mine, seen_file=seen_file, seen_text=seen_text,
        seen_add=seen_add, seen_status=seen_status, seen=seen,
    )  # fmt: skip


def wire(page: gr.Blocks, parts: Parts, desk: Desk, place: Place) -> None:
    """What each event of the tab does."""
    quiet: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    data = Data(desk, parts)
    chosen = list(parts.columns.values())
    catalogue = [parts.draft, parts.file, parts.status, parts.preview, parts.mapping]
    catalogue += [parts.name, parts.checked, *chosen]
    making = [*catalogue, parts.mine, parts.built]
    seen = [parts.seen_file, parts.seen_text, parts.seen_status, parts.seen]

    def mine(stored: Any, request: gr.Request) -> Any:
        return claimed(desk, stored, request)

    async def go_to(stored: Any, built: str | None, request: gr.Request) -> AsyncIterator[Updates]:
        if built:
            async for screen in visits.turn_to(desk, mine(stored, request), built, tab_of(request)):
                yield place.show(screen)
        yield {parts.built: None}

    async def arrived(stored: Any, request: gr.Request) -> AsyncIterator[Updates]:
        async for new in data.arrive(mine(stored, request)):
            yield new

    async def take_in(stored: Any, sent: str | None, request: gr.Request) -> Updates:
        return await data.take_in(mine(stored, request), sent)

    async def check(stored: Any, draft: Draft | None, request: gr.Request, *columns: Any) -> str:
        return await data.check(mine(stored, request), draft, *columns)

    async def make(stored: Any, draft: Draft | None, request: gr.Request, *chosen: Any) -> AsyncIterator[Updates]:
        async for new in data.build(mine(stored, request), draft, *chosen):
            yield new

    async def act(stored: Any, event: gr.EventData, request: gr.Request) -> Updates:
        return await data.act(mine(stored, request), event)

    async def add_file(stored: Any, sent: str | None, request: gr.Request) -> Updates:
        return await data.add_file(mine(stored, request), sent)

    async def add_text(stored: Any, typed: str | None, request: gr.Request) -> Updates:
        return await data.add_text(mine(stored, request), typed)

    async def forget(stored: Any, request: gr.Request) -> Updates:
        return await data.forget(mine(stored, request))

    arrive = [*seen, *making]
    went = [place.memory, parts.built], [*place.everything, parts.built]
    page.load(arrived, place.memory, arrive, **quiet).then(go_to, *went, **quiet)
    parts.file.upload(take_in, [place.memory, parts.file], catalogue, **quiet)
    columns = [place.memory, parts.draft, *chosen]
    gr.on([part.input for part in chosen], check, columns, parts.checked, trigger_mode="always_last", **quiet)
    build = gr.on(
        [parts.build.click, parts.name.submit], make, [*columns, parts.name], making, trigger_mode="once", **quiet
    )
    build.then(go_to, *went, **quiet).then(None, js=CHAT, **quiet)
    parts.mine.click(act, place.memory, making, **quiet).then(go_to, *went, **quiet)
    parts.seen_file.upload(add_file, [place.memory, parts.seen_file], seen, **quiet)
    parts.seen_add.click(add_text, [place.memory, parts.seen_text], seen, **quiet)
    parts.seen.click(forget, place.memory, seen, **quiet)


def _intro(texts: Texts, part: str, max_mb: int) -> str:
    words = texts[part]
    told = {"heading": words["heading"], "intro": words["intro"], "formats": words["formats"]}
    return render("data_intro.html", texts, part=part, text=words["formats_text"].format(limit=max_mb), **told)


def _column(texts: Texts, name: Field) -> Any:
    words, several = texts["catalogue"], name == "texts"
    return gr.Dropdown(
        [] if several else [(words["none"], NOT_USED)],
        value=None if several else NOT_USED,
        label=words["fields"][name],
        info=" ",
        multiselect=several,
        min_width=200,
        elem_id=f"column-{name}",
        interactive=True,
    )
