"""Visitors of a page that is really served: each with a connection, a tab and a memory, and everything they are shown.

They speak what a browser speaks, the queue of Gradio and its stream of events, and keep what a browser keeps.
"""

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import httpx
from gradio_client.utils import apply_diff  # type: ignore[import-untyped]

PATIENCE = 300.0  # seconds for one event to end
RUNNING = "process_generating"
ENDED = ("process_completed", "unexpected_error", "queue_full", "server_stopped")


@dataclass
class Shown:
    """What came of one event: when it was posted, when each change was shown, and how the parts stand at its end."""

    sent: float
    at: list[float] = field(default_factory=list)
    parts: dict[str, Any] = field(default_factory=dict)
    live: list[str] = field(default_factory=list)
    told: str = ""  # everything, as it came
    error: str = ""
    over: float = 0.0

    @property
    def first(self) -> float:
        """Seconds to the first change; without any, to the end."""
        return (self.at[0] if self.at else self.over) - self.sent

    @property
    def seconds(self) -> float:
        """Seconds to the end."""
        return self.over - self.sent

    @property
    def rate(self) -> float:
        """Changes a second, the last one beside."""
        return (len(self.at) - 1) / self.seconds if len(self.at) > 2 else 0.0


@dataclass
class Page:
    """What a page tells of its parts and events."""

    client: httpx.AsyncClient
    config: dict[str, Any]

    @classmethod
    @asynccontextmanager
    async def opened(cls, url: str, auth: tuple[str, str] | None = None) -> AsyncIterator[Self]:
        """Connections enough for everybody."""
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=50)
        async with httpx.AsyncClient(
            base_url=url, timeout=PATIENCE, trust_env=False, limits=limits, auth=auth
        ) as client:
            yield cls(client, (await client.get("/config")).json())

    def event(self, name: str) -> dict[str, Any]:
        """The event of a name."""
        return next(row for row in self.config["dependencies"] if row["api_name"] == name and row["backend_fn"])

    def name_of(self, number: int) -> str:
        """The id of a part on the page, or else its type."""
        row = next(row for row in self.config["components"] if row["id"] == number)
        return str(row["props"].get("elem_id") or row["type"])

    def first_values(self) -> dict[str, Any]:
        """What every part holds before anything happens."""
        return {self.name_of(row["id"]): row["props"].get("value") for row in self.config["components"]}


class Visitor:
    """One tab of one browser."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.tab = secrets.token_hex(6)
        self.values = page.first_values()

    @property
    def memory(self) -> dict[str, Any]:
        """What the browser remembers."""
        return self.values.get("browserstate") or {}

    async def say(self, words: str, **values: Any) -> Shown:
        """Type words and send them."""
        return await self.do("say", message=words, **values)

    async def do(self, name: str, sent: Any = None, **values: Any) -> Shown:
        """Let an event happen, with other values in some parts, and take in all that is shown until it has ended."""
        event = self._page.event(name)
        self.values |= values
        data = [self.values.get(self._page.name_of(part)) for part in event["inputs"]]
        body = {"data": data, "event_data": sent, "fn_index": event["id"], "session_hash": self.tab}
        shown = Shown(sent=time.perf_counter())
        if not event["queue"]:
            answer = await self._page.client.post(f"/gradio_api/run/{name}", json=body)
            self._take_in(shown, event, {"msg": ENDED[0], "success": answer.is_success, "output": answer.json()}, {})
            return shown
        joined = await self._page.client.post("/gradio_api/queue/join", json=body)
        if not joined.is_success:
            shown.error, shown.over = joined.text, time.perf_counter()
            return shown
        await self._follow(shown, event)
        return shown

    async def _follow(self, shown: Shown, event: dict[str, Any]) -> None:
        known: dict[int, Any] = {}
        params = {"session_hash": self.tab}
        async with (
            asyncio.timeout(PATIENCE),
            self._page.client.stream("GET", "/gradio_api/queue/data", params=params) as stream,
        ):
            async for line in stream.aiter_lines():
                if line.startswith("data:"):
                    shown.told += line
                    message = json.loads(line[5:])
                    self._take_in(shown, event, message, known)
        shown.over = shown.over or time.perf_counter()

    def _take_in(self, shown: Shown, event: dict[str, Any], message: dict[str, Any], known: dict[int, Any]) -> None:
        kind, now = message["msg"], time.perf_counter()
        if kind not in (RUNNING, *ENDED):
            return
        output = message.get("output") or {}
        if kind in ENDED:
            shown.over = now
        if kind in ENDED and not message.get("success", True):
            shown.error = str(output.get("error") or message.get("message") or kind)
            return
        changed = False
        for place, new in enumerate(output.get("data") or ()):
            whole = apply_diff(known[place], new) if kind == RUNNING and place in known else new
            known[place] = whole
            changed |= self._put(shown, self._page.name_of(event["outputs"][place]), whole)
        if changed and (kind == RUNNING or not shown.at):
            shown.at.append(now)

    def _put(self, shown: Shown, part: str, new: Any) -> bool:
        """Give a part its new value; whether there is one."""
        if isinstance(new, dict) and new.get("__type__") == "update":
            if "value" not in new:
                return False
            new = new["value"]
        changed = bool(self.values.get(part) != new)
        self.values[part] = shown.parts[part] = new
        if part == "status" and changed:
            shown.live.append(str(new))
        return changed
