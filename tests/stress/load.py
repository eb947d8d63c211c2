"""Many chats at once on the served page, with the built-in engine and with a model that is near or slow (RELIABILITY
L1 to L5 and L9). Beside each figure stands how busy the machine was, clients included.
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from dialogue.ui.server import TURNS_AT_ONCE
from tests.openai_server import ChatRequest, FakeOpenAI, Reply
from tests.openai_server.requests import answered
from tests.openai_server.town_model import town_reply
from tests.reliability.crowd import Came, all_say, in_town, p95, visitor_in, wish
from tests.reliability.started import Started, started
from tests.reliability.visiting import Page
from tests.stress import Figure

PRESSES = 20  # of each control
FEW, MANY, TOO_MANY = 50, 200, 400
FIRST = {FEW: 1.0, MANY: 2.0}  # seconds until the first change, p95
ALONE = 20  # turns before and after, and twice as many beside one that is slow
SLOWLY = "zschneckez"  # in a request that the model takes a minute over
AT_ONCE = "64"  # requests to the model


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        data, bare = Path(folder) / "data", Path(__file__).with_name("_bare.py")
        async with started(Path(folder) / "bare", warm=False, program=bare) as server, Page.opened(server.url) as page:
            for size in FIRST:
                came = await all_say([visitor_in(page, "") for _ in range(size)], map(wish, range(size)))
                first = p95([row.first for row in came.shown])
                what = f"{size} chats at once, a bare page, for scale: first change, p95"
                yield Figure(what, "-", f"{first:.2f} s; {_load()}", True)
        async with started(data) as server, Page.opened(server.url) as page:
            async for figure in _crowds(page, server, "built-in engine", "movies", wish):
                yield figure
            yield await _too_many(page)
        for latency in (0.02, 1.0):
            async with _with_model(data, latency) as server, Page.opened(server.url) as page:
                name = f"model that answers in {latency:g} s"
                async for figure in _crowds(page, server, name, "restaurants", in_town):
                    yield figure
                if latency < 1.0:
                    yield await _beside_a_slow_one(page)


@asynccontextmanager
async def _with_model(data: Path, latency: float) -> AsyncIterator[Started]:
    with FakeOpenAI(_slow_for_some, latency=latency) as model:
        settings = {
            "OPENAI_BASE_URL": model.base_url,
            "PDGF_MODEL": "town",
            "PDGF_LLM_CONCURRENCY": AT_ONCE,
            "PDGF_LLM_REQUESTS_PER_MINUTE": "0",
        }
        async with started(data, settings) as server:
            yield server


async def _crowds(
    page: Page, server: Started, name: str, domain: str, words: Callable[[int], str]
) -> AsyncIterator[Figure]:
    for size, bar in FIRST.items():
        visitors = [visitor_in(page, domain) for _ in range(size)]
        before = server.worked()
        talking = asyncio.create_task(all_say(visitors, map(words, range(size))))
        pressed = await _pressed(page, domain, talking) if size == MANY else []
        came = await talking
        first = p95([row.first for row in came.shown])
        what = f"{size} chats at once, {name}"
        yield Figure(f"{what}: first change, p95", f"<= {bar:.1f} s", f"{first:.2f} s; {_load()}", first <= bar)
        wrong = len(came.errors) + len(came.refused) + came.unanswered()
        yield Figure(
            f"{what}: errors; words of others", "0; 0", f"{wrong}; {came.crossed()}", not wrong + came.crossed()
        )
        took = max(row.seconds for row in came.shown)
        each = (server.worked() - before) / size
        yield Figure(f"{what}: last one ends; work a turn", "-", f"{took:.1f} s; {each:.2f} s", True)
        rate = max((row.rate for row in came.shown if row.seconds > 1.0), default=0.0)
        yield Figure(f"{what}: changes a second, most", "<= 2, and the first and last", f"{rate:.2f}", rate <= 2.0)
        if pressed:
            slow = p95(pressed)
            yield Figure(f"{what}: controls, p95", "<= 1.0 s", f"{slow:.2f} s; {_load()}", slow <= 1.0)


async def _pressed(page: Page, domain: str, talking: "asyncio.Task[Came]") -> list[float]:
    """Seconds of controls while others talk: a new conversation, the list of chats, stop."""
    found: list[float] = []
    await asyncio.sleep(1.0)
    for _ in range(PRESSES):
        if talking.done():
            break
        someone = visitor_in(page, domain)
        for control in ("fresh", "anew", "stop"):
            found.append((await someone.do(control)).seconds)
        await asyncio.sleep(0.1)
    return found


async def _too_many(page: Page) -> Figure:
    """Whether each of too many is served, or told so at once with the words left in the box."""
    came = await all_say([visitor_in(page, "movies") for _ in range(TOO_MANY)], map(wish, range(TOO_MANY)))
    slow = max((row.seconds for row, _ in came.refused), default=0.0)
    kept = sum(visitor.values["message"] == wish(at) for at, visitor in enumerate(came.visitors) if _refused(came, at))
    lost = len(came.refused) - kept + len(came.errors) + came.unanswered() + came.crossed()
    measured = f"{len(came.served)} served, {len(came.refused)} told in {slow:.2f} s, {lost} otherwise; {_load()}"
    fine = not lost and slow <= 1.0 and len(came.served) >= TURNS_AT_ONCE
    return Figure(f"{TOO_MANY} chats at once: served, or told busy with the words kept", "all; <= 1 s", measured, fine)


def _refused(came: Came, at: int) -> bool:
    return any(row is came.shown[at] for row, _ in came.refused)


async def _beside_a_slow_one(page: Page) -> Figure:
    """Turns one after the other, before, while and after one is kept waiting for a minute by the model."""
    before = [await _alone(page, at) for at in range(ALONE)]
    waiting = asyncio.create_task(visitor_in(page, "restaurants").say(f"{in_town(0)} {SLOWLY}"))
    await asyncio.sleep(1.0)
    beside = [await _alone(page, at) for at in range(ALONE, 3 * ALONE)]
    still = not waiting.done()
    waiting.cancel()
    after = [await _alone(page, at) for at in range(3 * ALONE, 4 * ALONE)]
    slower = p95(beside) / p95(before + after) - 1.0
    return Figure(
        "one turn of a minute: others slower, p95", "<= 10 %", f"{slower:.0%}; {_load()}", still and slower <= 0.10
    )


async def _alone(page: Page, at: int) -> float:
    return (await visitor_in(page, "restaurants").say(in_town(at + MANY))).seconds


def _slow_for_some(request: ChatRequest) -> Reply:
    reply = town_reply(request)
    return replace(answered(reply), latency=55.0) if SLOWLY in request.user else reply


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"
