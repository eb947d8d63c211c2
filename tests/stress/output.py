"""300 payloads in every text of the page, in a real browser, after a reload and in the export (LLM05)."""

import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from playwright.async_api import async_playwright

from dialogue.ui.server import create_app
from tests.browser.conftest import ARGS, NAMES, visitor_of
from tests.browser.fake_conversations import DOMAINS
from tests.fuzz.payloads import payloads
from tests.fuzz.shown import HostileConversations, came_alive
from tests.reliability.serving import serving
from tests.stress import Figure

AT_ONCE = 12  # payloads of one turn


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    every = list(payloads())
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    conversations = HostileConversations()
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(conversations, domains=DOMAINS, data_dir=Path(folder))  # type: ignore[arg-type]
        async with serving(app) as served, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=path, args=list(ARGS))
            for at in range(0, len(every), AT_ONCE):
                visitor = await visitor_of(browser)
                batch = every[at : at + AT_ONCE]
                alive = await came_alive(visitor, str(served.client.base_url), conversations, batch)
                await visitor.context.close()
                found += [f"payloads {at} to {at + AT_ONCE}: {what}" for what in alive]
            await browser.close()
    figure = f"{len(set(every))} payloads in message, reply, title, quote, note, wish, link and export: come alive"
    yield Figure(figure, "0 of 300", "; ".join([str(len(found)), *found[:3]]), not found and len(set(every)) >= 300)
