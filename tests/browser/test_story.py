"""The product as a person meets it: `python app.py` with the built-in engine, driven in a real browser."""

import asyncio
import os
import socket
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.conftest import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ROOT = Path(__file__).parent.parent.parent
START_SECONDS = 60  # generous: a loaded machine is no failure
FIRST_TURN = 120_000  # milliseconds; the first turn of a fresh data folder may wait for an index
ROMANCE = (
    "I'd like fantasy with romance as a subplot, and a relationship shown through conversation, humour and handling "
    "disagreements, not mostly sex."
)


class Served:
    """The started program, which can be killed and started again on the same port and data. Of the `bundled` catalogues
    it opens these alone: each more takes a second or two."""

    def __init__(self, data_dir: Path, bundled: str = "movies") -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        own = {"PDGF_DATA_DIR": str(data_dir), "GRADIO_SERVER_PORT": str(self.port), "PDGF_BUNDLED": bundled}
        self._environment = {**os.environ, **own}
        self._program: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        self._program = await asyncio.create_subprocess_exec(
            sys.executable, str(ROOT / "app.py"), cwd=ROOT, env=self._environment
        )
        deadline = time.monotonic() + START_SECONDS
        async with httpx.AsyncClient(trust_env=False) as client:
            while time.monotonic() < deadline:
                try:
                    if (await client.get(f"{self.url}healthz")).status_code == 200:
                        return
                except httpx.TransportError:
                    await asyncio.sleep(0.2)
        raise TimeoutError("the page did not come up")

    async def kill(self) -> None:
        if self._program is not None and self._program.returncode is None:
            self._program.kill()
            await self._program.wait()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def program(data_dir: Path) -> AsyncIterator[Served]:
    served = Served(data_dir)
    await served.start()
    yield served
    await served.kill()


async def test_a_story_is_told_answered_rejected_and_refined(program: Served, visitor: Visitor) -> None:
    page = visitor.page
    page.set_default_timeout(FIRST_TURN)
    expect.set_options(timeout=FIRST_TURN)
    await visitor.open(program.url)

    await visitor.say(ROMANCE)
    first = await visitor.titles()
    assert len(first) == 3
    assert "“" in await visitor.chat()  # reasons are quoted

    await visitor.say("Is there any sex in the first one?")
    assert "Sexual content: none" in await visitor.chat() or "no sex" in await visitor.chat()
    assert await visitor.titles() == first

    await page.get_by_role("button", name="Not for me").first.click()
    await page.locator("#chat .user-row").nth(2).wait_for()
    await visitor.settled()
    after = await visitor.titles()
    assert after[1:] == first[1:]  # the others stay where they are
    assert after[0] not in first

    await page.get_by_role("tab", name="Graph").click()
    graph = page.locator("#graph svg")
    await expect(graph).to_be_visible()
    assert "romance" in (await graph.text_content() or "")

    await page.reload()
    await page.wait_for_selector("#picks section")
    await expect(page.locator("#chat .user-row")).to_have_count(3)

    await program.kill()
    await program.start()
    await page.reload()
    await expect(page.locator("#chat .user-row")).to_have_count(3)
    await visitor.say("more")
    assert set(await visitor.titles()).isdisjoint([*first, *after])

    assert visitor.errors == []
    assert [url for url in visitor.requests if not url.startswith((program.url, "data:", "blob:"))] == []


async def test_a_question_before_anything_was_recommended_is_answered_kindly(program: Served, visitor: Visitor) -> None:
    await visitor.open(program.url)
    await visitor.say("does the second have parking?")
    assert await visitor.titles() == []
    assert len((await visitor.chat()).strip()) > 20
    await visitor.say("a slow mystery with humour")
    assert await visitor.titles()
