"""What is posted to the page by a program of anybody's is judged before Gradio reads it.

Gradio takes any object that looks like a file for one, at whichever event: it copies a path of this computer that
nobody has sent, and it fetches an address. Here a file is something that was sent to this page before, nothing else.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gradio.utils import get_upload_folder
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 4 * 1024 * 1024  # of one post; whatever the page itself sends is far below
API = "/gradio_api/"
ELSEWHERE = ("upload", "mcp")  # where a file itself is posted, within a limit of Gradio's, and where no file can be
NEEDED: dict[str, dict[str, type]] = {
    "reset": {"event_id": str},
    "cancel": {"event_id": str, "session_hash": str, "fn_index": int},
}
DIRECT = ("run/", "api/")  # what is answered at once, where Gradio calls values that fit no event a fault of its own
INLINE = (".svg", ".svgz", ".htm", ".html", ".xhtml", ".xml")  # a browser would run what is in these

TOO_LONG = "That is more than this page takes at once."
NO_JSON = "This is no JSON that this page can read."
NO_FILE = "A file has to be sent to this page first. Addresses and paths are not taken."
UNKNOWN = "There is no such event."


class RequestGuard:
    """ASGI middleware. `events` are the numbers of the events there are, by the path of their page."""

    def __init__(self, app: ASGIApp, events: Mapping[str, frozenset[int]]) -> None:
        self._app = app
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page, _, call = scope.get("path", "").partition(API)
        guarded = scope["type"] == "http" and scope["method"] == "POST" and call and not call.startswith(ELSEWHERE)
        if not guarded:
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        refusal = TOO_LONG if body is None else self._refusal(page, call.strip("/"), body)
        if refusal is not None:
            status = 413 if refusal is TOO_LONG else 422
            await JSONResponse({"detail": refusal}, status_code=status)(scope, receive, send)
            return
        await self._app(scope, _replayed(body or b"", receive), _as_refusal(send) if call.startswith(DIRECT) else send)

    def _refusal(self, page: str, call: str, body: bytes) -> str | None:
        """Why a post is not passed on; None where it is."""
        try:
            sent = json.loads(body, parse_constant=_no_number) if body.strip() else {}
        except (ValueError, RecursionError):
            return NO_JSON
        if not isinstance(sent, dict):
            return NO_JSON
        if any(not isinstance(sent.get(name), kind) for name, kind in NEEDED.get(call, {}).items()):
            return NO_JSON
        event = sent.get("fn_index")
        if event is not None and event not in self._events.get(page or "/", frozenset()):
            return UNKNOWN
        return NO_FILE if any(not _was_sent(path) for path in _paths(sent)) else None


def _as_refusal(send: Send) -> Send:
    """What is no event's to work with is a fault of who sent it, not of this page: 422 in place of 500."""

    async def told(message: Message) -> None:
        fault = message["type"] == "http.response.start" and message["status"] == 500
        await send({**message, "status": 422} if fault else message)

    return told


def _paths(value: Any) -> Iterator[Any]:
    """What every object that looks like a file gives as its place, however deep it stands."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            if "path" in each and ("meta" in each or "url" in each):
                yield each["path"]
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each


def _was_sent(path: Any) -> bool:
    """Whether a place is that of a file which Gradio has put where it keeps what was sent, and no page or drawing."""
    if not isinstance(path, str) or "://" in path or "\0" in path:
        return False
    try:
        place, kept = Path(path).resolve(), Path(get_upload_folder()).resolve()
    except (OSError, RuntimeError):
        return False
    return Path(path).is_absolute() and place.is_relative_to(kept) and not path.casefold().endswith(INLINE)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


async def _body(receive: Receive) -> bytes | None:
    """The whole body; None where it is longer than MOST_BYTES or nobody is there any more to send it."""
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        size, more = size + len(parts[-1]), message.get("more_body", False)
        if size > MOST_BYTES:
            return None
    return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body once more as it came, and after it whatever else comes."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again
