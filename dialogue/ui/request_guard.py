"""What is posted to the page by a program of anybody's is judged before Gradio reads it.

Gradio takes any object that looks like a file for one, at whichever event: it copies a path of this computer that
nobody has sent, and it fetches an address. Here a file is something that was sent to this page before, nothing else.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gradio.utils import get_upload_folder
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dialogue.ui.door import Door

MOST_BYTES = 4 * 1024 * 1024  # of one post; whatever the page itself sends is far below
API = "/gradio_api/"
JOIN = "queue/join"
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


@dataclass(frozen=True)
class Posted:
    """What may be posted to one page: the numbers of its events, those of them that begin a turn, and the sentence for
    whoever comes when no turn more is taken."""

    events: frozenset[int]
    turns: frozenset[int]
    crowded: str


class RequestGuard:
    """ASGI middleware. `pages` says what may be posted to each page, by its path; who begins a turn waits at the
    `door` for it."""

    def __init__(self, app: ASGIApp, pages: Mapping[str, Posted], door: Door) -> None:
        self._app = app
        self._pages = pages
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page, _, call = scope.get("path", "").partition(API)
        guarded = scope["type"] == "http" and scope["method"] == "POST" and call and not call.startswith(ELSEWHERE)
        if not guarded:
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        sent = _read(body) if body is not None else None
        refusal = TOO_LONG if body is None else self._refusal(page, call.strip("/"), sent)
        if refusal is not None:
            status = 413 if refusal is TOO_LONG else 422
            await JSONResponse({"detail": refusal}, status_code=status)(scope, receive, send)
            return
        passed = _replayed(body or b"", receive)
        if sent is not None and call.startswith(JOIN) and self._begins_turn(page, sent):
            await self._turn(self._pages[page or "/"], sent["session_hash"], scope, passed, send)
        else:
            await self._app(scope, passed, _as_refusal(send) if call.startswith(DIRECT) else send)

    async def _turn(self, page: Posted, tab: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what begins a turn once there is room for it; whatever Gradio does not take makes room again."""
        if not await self._door.admit(tab):
            await JSONResponse({"detail": page.crowded}, status_code=429)(scope, receive, send)
            return

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] != 200:
                self._door.shown(tab)
            await send(message)

        await self._app(scope, receive, told)

    def _begins_turn(self, page: str, sent: Mapping[str, Any]) -> bool:
        known = self._pages.get(page or "/")
        return known is not None and sent.get("fn_index") in known.turns and isinstance(sent.get("session_hash"), str)

    def _refusal(self, page: str, call: str, sent: dict[str, Any] | None) -> str | None:
        """Why a post is not passed on; None where it is."""
        if sent is None or any(not isinstance(sent.get(name), kind) for name, kind in NEEDED.get(call, {}).items()):
            return NO_JSON
        event, known = sent.get("fn_index"), self._pages.get(page or "/")
        if event is not None and (known is None or not isinstance(event, int) or event not in known.events):
            return UNKNOWN
        return NO_FILE if any(not _was_sent(path) for path in _paths(sent)) else None


def _read(body: bytes) -> dict[str, Any] | None:
    """The object that a post is, an empty one where it says nothing; None where it is no such JSON."""
    try:
        sent = json.loads(body, parse_constant=_no_number) if body.strip() else {}
    except (ValueError, RecursionError):
        return None
    return sent if isinstance(sent, dict) else None


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
