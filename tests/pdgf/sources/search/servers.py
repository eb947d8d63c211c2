"""Adapters connected to a SearchServer, and what it knows."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import SecretStr

from pdgf.sources.search.pacing import Tries
from pdgf.sources.search.searxng import SearXNG
from pdgf.sources.search.serper import Serper
from tests.web.search_server import SearchServer

KEY = "canary-5d1f0c7e9a"
SOON = Tries(retries=2, first_wait=0.01)


def hit(name: str) -> dict[str, str]:
    """One result as a server sends it."""
    return {"title": f"All about {name}", "link": f"http://{name}.example/page", "snippet": f"It is about {name}."}


TOWN = {"quiet towns": [hit("quiet"), hit("village"), hit("harbour")], "dry humour": [hit("wit"), hit("quiet")]}
QUIET = ["http://quiet.example/page", "http://village.example/page", "http://harbour.example/page"]
DRY = ["http://wit.example/page", "http://quiet.example/page"]


@asynccontextmanager
async def serper(server: SearchServer, *, tries: Tries = SOON) -> AsyncIterator[Serper]:
    adapter = Serper(SecretStr(KEY), base_url=server.url, tries=tries)
    try:
        yield adapter
    finally:
        await adapter.aclose()


@asynccontextmanager
async def searxng(server: SearchServer, *, tries: Tries = SOON, pause: float = 0.0) -> AsyncIterator[SearXNG]:
    adapter = SearXNG(server.url, tries=tries, pause=pause)
    try:
        yield adapter
    finally:
        await adapter.aclose()
