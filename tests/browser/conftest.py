"""The real page served on a loopback port, and a headless Chromium to drive it.

A module that wants another engine behind the page overrides the fixture `conversations` (and `domains`).
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

import pytest
import pytest_asyncio
import uvicorn
from playwright.async_api import Browser, BrowserContext, Error, Page, ViewportSize, async_playwright, expect
from starlette.types import ASGIApp

from dialogue.domain import Domain
from dialogue.ui.server import create_app
from tests.browser.fake_conversations import DOMAINS, STORY, FakeConversations

ARGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
VIEW: ViewportSize = {"width": 1400, "height": 900}
PATIENCE = 20_000  # milliseconds before a step counts as failed
PARTIAL = "These 3 films fit best, the"  # where the reply of a slow turn has got to


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """One browser profile with one page, and everything it has asked for and complained about."""

    context: BrowserContext
    page: Page
    requests: list[str]
    errors: list[str]

    async def open(self, url: str) -> None:
        await self.page.goto(url)
        await self.page.wait_for_selector("#picks section", state="attached")  # empty while a turn runs

    async def write(self, words: str) -> None:
        box = self.page.get_by_role("textbox", name="Your message")
        await box.fill(words)
        await box.press("Enter")

    async def say(self, words: str) -> None:
        """Send a message and wait until its turn has ended."""
        turns = await self.page.locator("#chat .user-row").count()
        await self.write(words)
        await self.page.locator("#chat .user-row").nth(turns).wait_for()
        await self.settled()

    async def settled(self) -> None:
        await self.page.locator("#stop").wait_for(state="hidden")
        await self.page.locator("#send").wait_for()
        await expect(self.page.locator("#chat .thought-group li")).to_have_count(0)  # the steps have folded away

    async def chat(self) -> str:
        return await self.page.locator("#chat").inner_text()

    async def titles(self) -> list[str]:
        return [title.strip() for title in await self.page.locator("article.card h3").all_inner_texts()]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium found: install one, or name it in CHROMIUM")
    expect.set_options(timeout=PATIENCE)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=list(ARGS))
        yield browser
        await browser.close()


@pytest.fixture(scope="module")
def domains() -> Sequence[Domain]:
    return DOMAINS


@pytest.fixture(scope="module")
def conversations() -> Any:
    return FakeConversations(pace=0.004)


@pytest.fixture(scope="module")
def options() -> dict[str, Any]:
    """What else the application is made with."""
    return {}


@pytest.fixture(scope="module")
def around() -> Callable[[ASGIApp], ASGIApp]:
    """What stands between the browser and the application."""
    return lambda app: app


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def served_page(
    conversations: Any,
    domains: Sequence[Domain],
    options: dict[str, Any],
    around: Callable[[ASGIApp], ASGIApp],
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[str]:
    """The address of the page."""
    app = create_app(conversations, domains=domains, data_dir=tmp_path_factory.mktemp("data"), **options)
    config = uvicorn.Config(around(app), host="127.0.0.1", port=0, log_level="error", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 (uvicorn offers nothing to wait for)
        await asyncio.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
    server.should_exit = True
    await serving


@pytest.fixture(scope="session")
def warm() -> list[Visitor]:
    """Profiles that other tests have used. They have the scripts of the page compiled: opening it takes a third."""
    return []


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(chromium: Browser, warm: list[Visitor]) -> AsyncIterator[Visitor]:
    """A browser without a past."""
    async with _lent(chromium, warm) as lent:
        yield lent


@pytest_asyncio.fixture(loop_scope="session")
async def other_visitor(chromium: Browser, warm: list[Visitor]) -> AsyncIterator[Visitor]:
    """Another one, that shares nothing with the first."""
    async with _lent(chromium, warm) as lent:
        yield lent


@asynccontextmanager
async def _lent(chromium: Browser, warm: list[Visitor]) -> AsyncIterator[Visitor]:
    visitor = warm.pop() if warm else await visitor_of(chromium)
    yield visitor
    if await _forgotten(visitor):
        warm.append(visitor)
    else:
        await visitor.context.close()


async def _forgotten(visitor: Visitor) -> bool:
    """Whether the profile has come to hold nothing that a new one would not hold."""
    context, page = visitor.context, visitor.page
    if page.is_closed() or not page.url.startswith("http"):
        return False
    try:
        for other in context.pages:
            if other is not page:
                await other.close()
        await page.unroute_all(behavior="ignoreErrors")
        await page.goto(urljoin(page.url, "/healthz"))  # an address of the same origin without any script
        await page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
        await context.clear_cookies()
        await page.emulate_media(media="null", color_scheme="null", reduced_motion="null")
        await page.set_viewport_size(VIEW)
        await page.mouse.move(0, 0)
    except Error:  # the server or the page is gone
        return False
    context.set_default_timeout(PATIENCE)
    page.set_default_timeout(PATIENCE)
    visitor.requests.clear()
    visitor.errors.clear()
    return True


async def visitor_of(chromium: Browser, **profile: Any) -> Visitor:
    """A browser profile of its own; whoever asks for it closes its context."""
    context = await chromium.new_context(**{"viewport": VIEW, **profile})
    context.set_default_timeout(PATIENCE)
    page = await context.new_page()
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    return Visitor(context=context, page=page, requests=requests, errors=errors)


@pytest_asyncio.fixture(loop_scope="session")
async def chinese_visitor(chromium: Browser) -> AsyncIterator[Visitor]:
    """A browser that asks for Chinese first."""
    new = await visitor_of(chromium, locale="zh-CN")
    yield new
    await new.context.close()


async def waiting_in_mid_turn(visitor: Visitor, url: str) -> None:
    await visitor.open(url)
    await visitor.write(f"slowly {STORY}")
    await expect(visitor.page.locator("#chat")).to_contain_text(PARTIAL)
