"""What the events of the page have in common: which tab one comes from, and what a click on our own markup says."""

from typing import Any

import gradio as gr

Updates = dict[Any, Any]


def tab_of(request: gr.Request) -> str:
    """Which of the open pages of a browser an event comes from."""
    return str(request.session_hash or "")


def said(event: gr.EventData, key: str = "say") -> str:
    """What a click on one of our own buttons says; empty for the events of other components."""
    data = event._data
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, str) else ""
