"""The list of a visitor's conversations: open, rename, delete (asked once more), and take one away as a file."""

import datetime
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from dialogue import exporting
from dialogue.store import Conversation
from dialogue.ui import visits
from dialogue.ui.desk import Desk, Memory, choices, recall
from dialogue.ui.events import claimed, said, tab_of
from dialogue.ui.imports import Place
from dialogue.ui.templates import html, render, static
from dialogue.ui.texts import Texts, sentence, trouble
from pdgf.errors import PdgfError

LISTED = 200  # conversations, the latest
KINDS = {"markdown": ("md", "text/markdown"), "json": ("json", "application/json")}
SAVE = """(made) => {
    if (!made) return;
    const { name, kind, text } = JSON.parse(made), link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: `${kind};charset=utf-8` }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}"""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The list, and where a file is put for the browser to save it."""

    chats: Any
    made: Any


@dataclass(frozen=True, kw_only=True)
class Row:
    """One conversation of the list as it is shown."""

    thread: str
    title: str
    domain: str
    moment: str  # of its last turn, in UTC
    current: bool


def lay_out(desk: Desk) -> Parts:
    """The components, in the row that is open."""
    chats = html(render_list(desk, (), ""), elem_id="chats", js_on_load=static("chats.js"))
    return Parts(chats=chats, made=gr.Textbox(visible="hidden", elem_id="made"))


def wire(parts: Parts, desk: Desk, place: Place, turns: dict[str, Any], quiet: dict[str, Any]) -> None:
    """What each event does."""

    async def anew(stored: Any, request: gr.Request) -> Any:
        return await _listed(desk, recall(desk, claimed(desk, stored, request)))

    async def act(stored: Any, event: gr.EventData, request: gr.Request) -> AsyncIterator[Any]:
        stored = claimed(desk, stored, request)
        memory = recall(desk, stored)
        verb, _, thread = said(event).partition(" ")
        yield {parts.made: ""}
        try:
            row = await _own(desk, memory, thread)
            if row is None:
                yield {parts.chats: await _listed(desk, memory, told=desk.texts["chats"]["gone"])}
            elif verb == "open":
                yield {parts.chats: await _listed(desk, memory, close=True)}
                async for screen in visits.open_thread(desk, stored, thread, tab_of(request)):
                    yield place.show(screen)
            elif verb in KINDS:
                yield {parts.made: await _file(desk, row, verb)}
            elif verb == "delete":
                screen = await visits.delete(desk, stored, thread, tab_of(request))
                told = desk.texts["chats"]["deleted"].format(title=titled(desk, row))
                yield {**place.show(screen), parts.chats: await _listed(desk, memory, told=told)}
            elif verb == "name":
                await desk.conversations.rename(thread, said(event, "text"))
                yield {parts.chats: await _listed(desk, memory, back=thread)}
            else:
                doing = (verb, thread)
                yield {parts.chats: await _listed(desk, memory, doing=doing, back=thread)}
        except PdgfError as error:
            yield {parts.chats: await _listed(desk, memory, told=trouble(error, desk.texts))}

    everything = [*place.everything, parts.chats, parts.made]
    parts.chats.select(anew, place.memory, parts.chats, **quiet)
    saved = parts.chats.click(act, place.memory, everything, trigger_mode="multiple", **turns)
    saved.then(None, parts.made, None, js=SAVE, **quiet)


def titled(desk: Desk, row: Conversation) -> str:
    """What a conversation is called; one that nothing has been said in yet has a name too."""
    return row.title or str(desk.texts["chats"]["untitled"])


def render_list(desk: Desk, rows: Sequence[Row], others: str, **how: Any) -> str:
    """The list; `doing` names a row and what is being done to it, `back` the row that the focus goes back to."""
    shown = {"doing": None, "back": None, "told": "", "close": False, **how}
    return render("chats.html", desk.texts, rows=rows, others=others, **shown)


async def _listed(desk: Desk, memory: Memory, **how: Any) -> str:
    try:
        rows = await desk.conversations.list(memory.owner)
    except PdgfError as error:
        return render_list(desk, (), "", told=trouble(error, desk.texts))
    called = {name: label for label, name in choices(desk, desk.offered(memory.owner))}
    shown = [
        Row(
            thread=row.thread,
            title=titled(desk, row),
            domain=called.get(row.domain, row.domain),
            moment=datetime.datetime.fromtimestamp(row.updated, datetime.UTC).isoformat(timespec="seconds"),
            current=row.thread == memory.thread,
        )
        for row in rows[:LISTED]
    ]
    more = len(rows) - LISTED
    others = sentence(desk.texts, desk.texts["chats"]["others"], conversations=more) if more > 0 else ""
    return render_list(desk, shown, others, **how)


async def _own(desk: Desk, memory: Memory, thread: str) -> Conversation | None:
    """The conversation if it is this visitor's."""
    rows = await desk.conversations.list(memory.owner)
    return next((row for row in rows if row.thread == thread), None)


async def _file(desk: Desk, row: Conversation, verb: str) -> str:
    """A conversation as a file, in the form in which the browser is told to save it."""
    ending, kind = KINDS[verb]
    views = await desk.conversations.history(row.thread, unfinished=True)
    title = titled(desk, row)
    if verb == "json":
        text = exporting.as_json(views)
    else:
        text = exporting.as_markdown(title, views, _words(desk.texts), about=_about(desk, row))
    return json.dumps({"name": f"{exporting.file_name(title)}.{ending}", "kind": kind, "text": text})


def _about(desk: Desk, row: Conversation) -> str:
    """What a conversation is about, and the day on which it was spoken in last."""
    called = {name: label for label, name in choices(desk, desk.offered(row.owner))}
    day = datetime.datetime.fromtimestamp(row.updated, datetime.UTC).date()
    return f"{called.get(row.domain, row.domain)} · {day.isoformat()}"


def _words(texts: Texts) -> exporting.Words:
    own, kinds = texts["chats"], texts["graph"]["kinds"]
    named = {(False, False): "want", (True, False): "avoid", (False, True): "must_want", (True, True): "must_avoid"}
    return exporting.Words(
        you=own["you"],
        sources=own["sources"],
        wishes=own["wishes"],
        narrows=own["narrows"],
        note=own["note"],
        entry=own["entry"],
        kinds={kind: kinds[name] for kind, name in named.items()},
    )
