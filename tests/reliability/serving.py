"""The real page on a loopback port in the loop of the test, and what a program can post to its events."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI

PATIENCE = 60.0  # seconds


@dataclass
class Served:
    """A served page. `config` is what it tells every visitor of its parts and events."""

    client: httpx.AsyncClient
    config: dict[str, Any]
    visits: int = field(default=0)

    def events(self) -> list[dict[str, Any]]:
        """The events that this computer answers."""
        return [row for row in self.config["dependencies"] if row["backend_fn"]]

    def event(self, name: str) -> dict[str, Any]:
        """The event of a name."""
        return next(row for row in self.events() if row["api_name"] == name)

    def part(self, name: str) -> int:
        """The number of a part by its id on the page, or by its type."""
        parts = self.config["components"]
        return int(next(row["id"] for row in parts if name in (row["props"].get("elem_id"), row["type"])))

    def filled(self, event: dict[str, Any], **values: Any) -> list[Any]:
        """What the page would send with an event: the given values of parts, of all others what they hold at first."""
        given = {self.part(name): value for name, value in values.items()}
        held = {row["id"]: row["props"].get("value") for row in self.config["components"]}
        return [given.get(part, held[part]) for part in event["inputs"]]

    async def post(
        self, event: dict[str, Any], data: list[Any], sent: Any = None, *, session: str = "", **more: Any
    ) -> httpx.Response:
        """Post an event as a program may: with any values, and with anything beside them."""
        body = {"data": data, "event_data": sent, "fn_index": event["id"], "session_hash": session or self.visit()}
        return await self.client.post("/gradio_api/queue/join", json={**body, **more})

    async def answer(self, event: dict[str, Any], data: list[Any], sent: Any = None, **more: Any) -> str:
        """Everything that is told until an event has ended; what a refusal says where it is not taken."""
        session = self.visit()
        joined = await self.post(event, data, sent, session=session, **more)
        if joined.status_code != 200:
            return joined.text
        told = await self.client.get("/gradio_api/queue/data", params={"session_hash": session})
        return told.text

    def visit(self) -> str:
        """The name of a visit of its own."""
        self.visits += 1
        return f"s{self.visits}"

    async def call(self, name: str, *data: Any, **more: Any) -> str:
        """What an endpoint for programs answers."""
        joined = await self.client.post(f"/gradio_api/call/{name}", json={"data": list(data), **more})
        if joined.status_code != 200:
            return joined.text
        told = await self.client.get(f"/gradio_api/call/{name}/{joined.json()['event_id']}")
        return told.text


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncIterator[Served]:
    """The application behind a real server."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 (uvicorn offers nothing to wait for)
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    limits = httpx.Limits(max_connections=500)
    try:
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, trust_env=False, limits=limits
        ) as client:
            yield Served(client=client, config=(await client.get("/config")).json())
    finally:
        server.should_exit = True
        await running
