"""The two endpoints for programs, beside the page: a turn of a conversation, and one recommendation.

`gradio_client`, or POST /gradio_api/call/chat and /gradio_api/call/recommend. The JSON is that of the command line.
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
from pdgf.errors import PdgfError, UnknownDomain

Recommend = Callable[[str, str, int], Awaitable[dict[str, Any]]]
MOST = 100  # items of one recommendation
AT_ONCE = 8  # calls that run side by side; the others wait


def expose(desk: Desk, recommend: Recommend | None) -> None:
    """Add the endpoints to the page that is open; without `recommend` there is only the first."""

    async def chat(
        request: gr.Request, message: str, thread: str = "", domain: str = "", owner: str = ""
    ) -> dict[str, Any]:
        """Say something and get the whole turn.

        Args:
            message: what to say.
            thread: the conversation to go on with; empty to begin one.
            domain: what the new conversation is about; empty for the first one offered.
            owner: an unguessable word of your own that your conversations are kept under; empty to get one. Where
                the page asks for a login it is not needed.
        """
        mine = desk.owner(request.username) or owner or secrets.token_urlsafe(24)
        try:
            return await _turn(desk, message, thread, domain, mine)
        except PdgfError as error:
            raise gr.Error(trouble(error, desk.texts), print_exception=False) from error

    async def recommended(text: str, domain: str = "", k: int = 10) -> dict[str, Any]:
        """Rank the items of a domain by how well what is known of them satisfies a text.

        Args:
            text: what you are looking for, in your own words.
            domain: where to look; empty for the first one offered.
            k: how many items, 100 at most.
        """
        try:
            name = domain or next(iter(desk.domains))
            if name not in desk.domains:
                raise UnknownDomain(name, tuple(desk.domains))
            return await recommend(text, name, max(1, min(int(k), MOST))) if recommend else {}
        except PdgfError as error:
            raise gr.Error(trouble(error, desk.texts), print_exception=False) from error

    public: dict[str, Any] = {"concurrency_limit": AT_ONCE, "concurrency_id": "api", "api_visibility": "public"}
    gr.api(chat, api_name="chat", **public)
    if recommend is not None:
        gr.api(recommended, api_name="recommend", **public)


async def _turn(desk: Desk, message: str, thread: str, domain: str, owner: str) -> dict[str, Any]:
    """One turn as `pdgf chat --json` prints it, with what is needed to go on: the conversation and its owner."""
    if not believable(owner):
        raise UnknownConversation(thread)
    if thread:
        if not believable(thread) or (await desk.conversations.find(thread)).owner != owner:
            raise UnknownConversation(thread)
    else:
        offered = desk.offered(owner)
        name = domain or next(iter(desk.domains))
        if name not in offered:
            raise UnknownDomain(name, tuple(desk.domains))
        thread = await desk.conversations.start(offered[name], owner)
    with desk.runs.opening(thread, f"program {secrets.token_hex(8)}") as refusal:  # no page goes back meanwhile
        if refusal:
            raise gr.Error(desk.texts["status"][refusal], print_exception=False)
        async for event in desk.conversations.turn(thread, message):
            if isinstance(event, Finished):
                return {"thread": thread, "owner": owner, **turn_json(event.view)}
    raise RuntimeError("a turn ends with Finished")
