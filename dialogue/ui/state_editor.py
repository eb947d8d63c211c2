"""The tab "State": chips, a form to add a wish, and all of it as JSON. What is refused stays as it was typed."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import gradio as gr

from dialogue.edits import LONGEST
from dialogue.ui import by_hand
from dialogue.ui.by_hand import Refused
from dialogue.ui.desk import Desk
from dialogue.ui.events import Updates, claimed, tab_of
from dialogue.ui.imports import Place
from dialogue.ui.panels import Panels
from dialogue.ui.reports import status
from dialogue.ui.state_text import written
from dialogue.ui.templates import html, render, static
from dialogue.ui.texts import Texts
from dialogue.ui.texts import trouble as trouble_of
from pdgf.errors import PdgfError

OTHERS = "others"  # the key that every domain has
STAYS = "+"  # before a state that comes after a turn: what is being written stays
SHOW = """(noted, text, base) => {
    const stays = noted.startsWith(STAYS), now = stays ? noted.slice(1) : noted;
    return stays && text !== base && text !== now ? [text, base, KEPT] : [now, now, ""];
}"""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The components of the tab; `added` and `applied` say what came of it. `noted` is the state as it stands, `base`
    what the text was before anybody wrote in it: a text that is being written is not replaced."""

    chips: Any
    key: Any
    words: Any
    must: Any
    add: Any
    added: Any
    text: Any
    noted: Any
    base: Any
    apply: Any
    discard: Any
    applied: Any


def lay_out(texts: Texts) -> Parts:
    """The components, in the tab that is open."""
    words = texts["state"]
    chips = html(elem_id="state", js_on_load=static("edits.js"))
    html(render("data_heading.html", texts, heading=words["add_heading"], text=""), elem_id="state-adding")
    with gr.Row(elem_id="state-add"):
        key = gr.Dropdown(
            [OTHERS],
            value=OTHERS,
            label=words["add_key"],
            elem_id="state-key",
            min_width=170,
            scale=1,
            interactive=True,
        )
        typed = gr.Textbox(
            label=words["add_words"], max_length=LONGEST, elem_id="state-words", min_width=200, scale=2, max_lines=1
        )
        must = gr.Checkbox(label=words["add_must"], elem_id="state-must", min_width=110, scale=0)
        add = gr.Button(words["add"], elem_id="state-add-button", min_width=90, scale=0)
    added = html(status(texts, ""), elem_id="state-added", js_on_load=static("shown.js"))
    with gr.Accordion(words["json"], open=False, elem_id="state-data"):
        html(render("data_heading.html", texts, heading="", text=words["json_intro"]))
        text = gr.Textbox(label=words["json_label"], lines=14, max_lines=28, elem_id="state-text")
        noted, base = gr.Textbox(visible="hidden", elem_id="state-noted"), gr.Textbox(visible="hidden")
        with gr.Row(elem_id="state-apply"):
            apply = gr.Button(words["apply"], variant="primary", scale=0, min_width=120)
            discard = gr.Button(words["discard"], scale=0, min_width=120)
        applied = html(status(texts, ""), elem_id="state-applied", js_on_load=static("shown.js"))
    return Parts(
        chips=chips, key=key, words=typed, must=must, add=add, added=added, text=text, noted=noted,
        base=base, apply=apply, discard=discard,
        applied=applied,
    )  # fmt: skip


def everything(parts: Parts) -> list[Any]:
    """What a turn may change."""
    return [parts.chips, parts.key, parts.added, parts.noted, parts.base, parts.applied]


def updates(parts: Parts, panels: Panels, *, follows: bool) -> Updates:
    """The state after a turn, or (where it does not follow one) that of another conversation. The key stays chosen
    where the domain still has it."""
    keys = list(panels.keys)
    return {
        parts.chips: panels.state,
        parts.noted: f"{STAYS if follows else ''}{panels.state_text}",
        parts.key: gr.Dropdown(choices=keys),
        parts.added: "",
    }


def wire(parts: Parts, desk: Desk, place: Place, turns: dict[str, Any], quiet: dict[str, Any]) -> None:
    """What each event of the form and of the JSON does; those of the chips are wired with the graph's."""
    texts = desk.texts

    async def add(stored: Any, key: str, words: str, must: bool, request: gr.Request) -> AsyncIterator[Updates]:
        stored = claimed(desk, stored, request)
        try:
            edit = await by_hand.added(desk, stored, key, words, must=must)
        except Refused as why:
            yield {parts.added: status(texts, str(why), trouble=True)}
            return
        async for screen in by_hand.made(desk, stored, [edit], tab_of(request)):
            taken = {parts.words: "", parts.must: False} if screen.running else {}
            yield {**place.show(screen), **taken}
        yield {parts.added: gr.skip()}

    async def apply(stored: Any, text: str, request: gr.Request) -> AsyncIterator[Updates]:
        stored = claimed(desk, stored, request)
        try:
            edits = await by_hand.rewritten(desk, stored, text or "")
        except Refused as why:
            yield {parts.applied: problems(texts, str(why))}
            return
        except PdgfError as error:
            yield {parts.applied: status(texts, trouble_of(error, texts), trouble=True)}
            return
        if not edits:
            yield {parts.applied: status(texts, texts["state"]["unchanged"])}
            return
        async for screen in by_hand.made(desk, stored, edits, tab_of(request)):
            yield {**place.show(screen), **({parts.base: text} if screen.running else {})}
        yield {parts.applied: gr.skip()}

    async def discard(stored: Any, request: gr.Request) -> Updates:
        try:
            state, _ = await by_hand.noted(desk, claimed(desk, stored, request))
        except PdgfError as error:
            return {parts.applied: status(texts, trouble_of(error, texts), trouble=True)}
        return {parts.text: written(state), parts.base: written(state), parts.applied: ""}

    typed = [place.memory, parts.key, parts.words, parts.must]
    shown = [*place.everything, parts.words, parts.must]
    gr.on([parts.add.click, parts.words.submit], add, typed, shown, trigger_mode="once", **turns)
    parts.apply.click(apply, [place.memory, parts.text], place.everything, trigger_mode="once", **turns)
    parts.discard.click(discard, place.memory, [parts.text, parts.base, parts.applied], **quiet)
    kept = json.dumps(status(texts, texts["state"]["kept"]))
    shown = [parts.text, parts.base, parts.applied]
    js = SHOW.replace("STAYS", json.dumps(STAYS)).replace("KEPT", kept)
    parts.noted.change(None, [parts.noted, parts.text, parts.base], shown, js=js, **quiet)


def problems(texts: Texts, why: str) -> str:
    """What is wrong with a text, a line each, read aloud at once."""
    return render("problems.html", texts, lines=why.splitlines())
