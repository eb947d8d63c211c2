"""The tab "Settings": language, light or dark, where to look, how long a turn may take, and what works behind the page.

What this computer cannot do is not offered. Light or dark is the browser's affair alone (settings.js).
"""

from dataclasses import dataclass, replace
from typing import Any

import gradio as gr

from dialogue.ui.desk import Desk, Memory, recall, remembered
from dialogue.ui.events import claimed
from dialogue.ui.languages import LANGUAGES, link
from dialogue.ui.templates import html, render, static

LIMITS = (10, 30, 60)  # seconds that can be chosen, as far as they are below what is set


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The choices that the server keeps to; None where there is nothing to choose."""

    where: Any
    seconds: Any


def lay_out(desk: Desk) -> Parts:
    """The components, in the tab that is open."""
    texts, server = desk.texts, desk.server
    words, here = texts["settings"], texts["page"]["language"]
    languages = [(row.tag, row.name, link(here, row), row.code == here) for row in LANGUAGES]
    html(render("settings.html", texts, languages=languages), elem_id="look", js_on_load=static("settings.js"))
    where = seconds = None
    if server.evidence != "catalogue":
        choices = [(words["where_all"][server.evidence], False), (words["where_own"], True)]
        where = gr.Radio(choices, value=False, label=words["where"], info=words["from_next"], elem_id="where")
    if limits := [limit for limit in LIMITS if limit < server.seconds]:
        times = [(words["seconds"].format(count=limit), limit) for limit in limits]
        times.append((words["seconds_most"].format(count=f"{server.seconds:g}"), 0))
        seconds = gr.Radio(times, value=0, label=words["time"], info=words["time_info"], elem_id="time")
    html(render("about.html", texts, engine=server.engine, evidence=server.evidence), elem_id="about")
    return Parts(where=where, seconds=seconds)


def everything(parts: Parts) -> list[Any]:
    """What follows the visitor's memory."""
    return [part for part in (parts.where, parts.seconds) if part is not None]


def updates(parts: Parts, memory: Memory) -> dict[Any, Any]:
    """The choices as they are remembered."""
    chosen = ((parts.where, memory.own_only), (parts.seconds, memory.seconds or 0))
    return {part: value for part, value in chosen if part is not None}


def wire(parts: Parts, desk: Desk, memory: Any, quiet: dict[str, Any]) -> None:
    """A choice holds from the next message on."""

    def keep_where(stored: Any, own_only: bool, request: gr.Request) -> Any:
        mine = recall(desk, claimed(desk, stored, request))
        return remembered(replace(mine, own_only=own_only is True))

    def keep_seconds(stored: Any, seconds: int, request: gr.Request) -> Any:
        mine = recall(desk, claimed(desk, stored, request))
        return remembered(replace(mine, seconds=seconds if seconds in LIMITS else None))

    if parts.where is not None:
        parts.where.input(keep_where, [memory, parts.where], memory, **quiet)
    if parts.seconds is not None:
        parts.seconds.input(keep_seconds, [memory, parts.seconds], memory, **quiet)
