"""What the events of the page have in common: which tab and whose memory one comes with, and what a click says."""

from typing import Any

import gradio as gr

from dialogue.ui.desk import Desk

Updates = dict[Any, Any]


def tab_of(request: gr.Request) -> str:
    """Which of the open pages of a browser an event comes from."""
    return str(request.session_hash or "")


def claimed(desk: Desk, stored: Any, request: gr.Request) -> Any:
    """What the browser that an event comes from remembers, as far as it is its own: see `Desk.claimed`."""
    return desk.claimed(stored, request.username, tab_of(request))


def said(event: gr.EventData, key: str = "say") -> str:
    """What a click on one of our own buttons says; empty for the events of other components."""
    data = event._data
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, str) else ""
