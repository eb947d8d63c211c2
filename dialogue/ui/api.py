"""What programs can ask for beside the page: a turn of a conversation, and one recommendation.

`gradio_client`, or POST /gradio_api/call/chat and /gradio_api/call/recommend; the same two as tools in tools.py. The
JSON is that of the command line.
"""

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import gradio as gr

from dialogue.contract import turn_json
from dialogue.events import Finished
from dialogue.store import UnknownConversation
from dialogue.ui.desk import Desk, believable
from dialogue.ui.texts import trouble
from pdgf.errors import Crowded, EmptyNarrative, PdgfError, UnknownDomain

Recommend = Callable[[str, str, int], Awaitable[dict[str, Any]]]
MOST, USUAL = 100, 10  # items of one recommendation
AT_ONCE = 8  # recommendations that are made side by side; the others wait
TURNS = 1_000  # turns that may be asked for at once: above what is taken, so that a refusal is said without a wait


class Refused(Exception):
    """The conversation is busy; the message says so."""


def expose(desk: Desk, recommend: Recommend | None) -> None:
    """Add the endpoints to the page that is open; without `recommend` there is only the first."""

    async def chat(
        request: gr.Request, message: str, thread: str = "", domain: str = "", owner: str = ""
    ) -> dict[str, Any]:
        try:
            return await answer(desk, request.username, message, thread, domain, owner)
        except Refused as busy:
            raise gr.Error(str(busy), print_exception=False) from busy
        except PdgfError as error:
            raise gr.Error(trouble(error, desk.texts), print_exception=False) from error

    async def recommended(text: str, domain: str = "", k: int = 10) -> dict[str, Any]:
        try:
            return await rank(desk, recommend, text, domain, k) if recommend else {}
        except PdgfError as error:
            raise gr.Error(trouble(error, desk.texts), print_exception=False) from error

    chat.__doc__, recommended.__doc__ = answer.__doc__, rank.__doc__  # what Gradio tells of the arguments
    public: dict[str, Any] = {"api_visibility": "public"}
    gr.api(chat, api_name="chat", concurrency_limit=TURNS, **public)
    if recommend is not None:
        gr.api(recommended, api_name="recommend", concurrency_limit=AT_ONCE, **public)


async def answer(
    desk: Desk, user: str | None, message: str, thread: str = "", domain: str = "", owner: str = ""
) -> dict[str, Any]:
    """Say something in a conversation and get the whole turn: the reply, the items with their evidence, the wishes.

    Args:
        message: what to say, in your own words.
        thread: the conversation to go on with, as the turn before has named it; empty to begin one.
        domain: what the new conversation is about, such as movies or restaurants; empty for the first one offered.
        owner: an unguessable word of your own that your conversations are kept under; empty to get one with the
            first turn. Where the page asks for a login it is not needed.
    """
    if not isinstance(message, str):
        raise EmptyNarrative("the message is no text")
    mine = desk.owner(user) or owner or secrets.token_urlsafe(24)
    if not believable(mine):
        raise UnknownConversation(thread)
    if thread and (not believable(thread) or (await desk.conversations.find(thread)).owner != mine):
        raise UnknownConversation(thread)
    offered, name = desk.offered(mine), domain or next(iter(desk.domains))
    if not thread and (not isinstance(name, str) or name not in offered):
        raise UnknownDomain(str(name), tuple(desk.domains))
    with desk.runs.opening(thread or None, f"program {secrets.token_hex(8)}") as refusal:  # no page goes back meanwhile
        if refusal == "crowded":
            raise Crowded("as many turns as are taken at once")
        if refusal:
            raise Refused(desk.texts["status"][refusal])
        thread = thread or await desk.conversations.start(offered[name], mine)
        async for event in desk.conversations.turn(thread, message):
            if isinstance(event, Finished):
                return {"thread": thread, "owner": mine, **turn_json(event.view)}
    raise RuntimeError("a turn ends with Finished")


async def rank(desk: Desk, recommend: Recommend, text: str, domain: str = "", k: int = 10) -> dict[str, Any]:
    """Rank the items of a domain by how well what is known of them satisfies a text.

    Args:
        text: what you are looking for, in your own words.
        domain: where to look, such as movies or restaurants; empty for the first one offered.
        k: how many items, 100 at most.
    """
    name = domain or next(iter(desk.domains))
    if not isinstance(name, str) or name not in desk.domains:
        raise UnknownDomain(str(name), tuple(desk.domains))
    if not isinstance(text, str):
        raise EmptyNarrative("the text is no text")
    return await recommend(text, name, max(1, min(int(k), MOST)) if isinstance(k, int | float) else USUAL)
