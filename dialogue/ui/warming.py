"""What the first visitor of a page would wait for, done before anybody comes."""

import asyncio

import httpx
from fastapi import FastAPI
from gradio.routes import App
from gradio.utils import MatplotlibBackendMananger
from starlette.routing import Mount


async def warm_pages(application: FastAPI) -> None:
    """Let every page find its way once, and Gradio load what it loads at its first event."""
    await asyncio.to_thread(_first_event)
    for route in application.routes:
        if isinstance(route, Mount) and isinstance(route.app, App):
            async with httpx.AsyncClient(transport=httpx.ASGITransport(route.app), base_url="http://page") as visitor:
                for call in ("queue/join", "queue/data", "heartbeat"):  # none of them valid, so that none begins
                    await visitor.post(f"/gradio_api/{call}", content=b"")


def _first_event() -> None:
    with MatplotlibBackendMananger():
        pass
