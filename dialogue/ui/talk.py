"""The left side of the page: the conversation, ready sentences and the message box, and what each event there does."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import gradio as gr

from dialogue.ui import going_back, visits
from dialogue.ui.desk import Desk
from dialogue.ui.events import claimed, said, tab_of
from dialogue.ui.going_back import text_of
from dialogue.ui.imports import Place
from dialogue.ui.templates import html, render, static
from dialogue.ui.texts import Texts

FOCUS_BOX = """() => {
    const box = document.querySelector('#message textarea');
    if (box) { box.focus(); box.setSelectionRange(box.value.length, box.value.length); }
}"""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The components of this side."""

    chat: Any
    strip: Any
    status: Any
    box: Any
    send: Any
    stop: Any
    running: Any  # a mark that the style sheet goes by: a button told to come and go is built anew for each visitor


def lay_out(desk: Desk) -> Parts:
    """The components, in the column that is open."""
    texts, words = desk.texts, desk.texts["page"]
    html(render("heading.html", texts, heading=words["conversation"]), elem_id="talk-heading")
    chat = gr.Chatbot(
        label=words["conversation"],
        show_label=False,
        container=False,
        elem_id="chat",
        placeholder=texts["empty"]["chat"],
        buttons=["copy"],  # the whole is saved from the list of conversations
        editable="user",
        autoscroll=False,  # reading.js does
        allow_tags=False,
        sanitize_html=True,
        latex_delimiters=[],
        height=None,
    )
    strip = html(elem_id="strip", js_on_load=static("clicks.js"))
    status = html(status_line(texts, "", quiet=False), elem_id="status")
    html(render("count.html", texts, limit=desk.server.longest), elem_id="count", js_on_load=static("count.js"))
    with gr.Row(elem_id="compose"):
        box = gr.Textbox(
            label=words["message"],
            placeholder=words["placeholder"],
            lines=1,
            max_lines=8,
            scale=1,
            elem_id="message",
            container=True,
        )
        send = gr.Button(words["send"], variant="primary", elem_id="send", scale=0, min_width=96)
        stop = gr.Button(words["stop"], elem_id="stop", scale=0, min_width=96)
    running = html(elem_id="running")
    return Parts(chat=chat, strip=strip, status=status, box=box, send=send, stop=stop, running=running)


def wire(parts: Parts, picks: Any, desk: Desk, place: Place, turns: dict[str, Any], quiet: dict[str, Any]) -> None:
    """What each event does; `picks` speaks for the visitor too, `turns` and `quiet` are options of events that run
    turns and of all others."""
    memory, everything, show = place.memory, place.everything, place.show
    # Gradio sends the last update of a stream again when it ends, perhaps over a page that has moved on: so it is none.
    nothing = {parts.status: gr.skip()}

    async def say(stored: Any, typed: str, event: gr.EventData, request: gr.Request) -> AsyncIterator[Any]:
        mine, pressed, tab = claimed(desk, stored, request), said(event, "say"), tab_of(request)
        try:
            async for screen in visits.say(desk, mine, pressed or typed or "", tab, typed=not pressed):
                yield show(screen)
        finally:  # where no turn has begun
            desk.runs.door.shown(tab)
        yield nothing

    async def stop(stored: Any, request: gr.Request) -> Any:
        return show(await visits.stop(desk, claimed(desk, stored, request), tab_of(request)))

    async def again(stored: Any, event: gr.RetryData, request: gr.Request) -> AsyncIterator[Any]:
        mine, at = claimed(desk, stored, request), _place(event.index, event.value)
        async for screen in going_back.again(desk, mine, at, tab_of(request)):
            yield show(screen)
        yield nothing

    async def change(stored: Any, event: gr.EditData, request: gr.Request) -> AsyncIterator[Any]:
        at, words = _place(event.index, event.previous_value), text_of(event.value)
        mine = claimed(desk, stored, request)
        async for screen in going_back.change(desk, mine, at, words, tab_of(request)):
            yield show(screen)
        yield nothing

    async def take_back(stored: Any, typed: str, event: gr.UndoData, request: gr.Request) -> Any:
        mine, at = claimed(desk, stored, request), _place(event.index, event.value)
        return show(await going_back.take_back(desk, mine, at, typed or "", tab_of(request)))

    speak = [parts.box.submit, parts.send.click, parts.strip.click, picks.click]
    gr.on(speak, say, [memory, parts.box], everything, trigger_mode="multiple", **turns)
    parts.stop.click(stop, memory, everything, queue=False, **quiet).then(None, js=FOCUS_BOX, **quiet)
    parts.chat.retry(again, memory, everything, trigger_mode="multiple", **turns)
    parts.chat.edit(change, memory, everything, trigger_mode="multiple", **turns)
    parts.chat.undo(take_back, [memory, parts.box], everything, **quiet).then(None, js=FOCUS_BOX, **quiet)


def status_line(texts: Texts, status: str, *, quiet: bool) -> str:
    """The sentence under the chat, read aloud when it changes."""
    return render("status.html", texts, status=status, quiet=quiet)


def running_mark(running: bool) -> str:
    """What stands unseen in the page while a turn runs in it, and Stop in place of Send by it."""
    return "<i data-running></i>" if running else ""


def _place(index: int | tuple[int, int], content: Any) -> going_back.Place:
    return going_back.Place(index if isinstance(index, int) else index[0], text_of(content))
