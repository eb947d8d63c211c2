"""What the server says about its events reaches the page, however the stream of them opens, closes and breaks."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from playwright.async_api import Route, expect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.browser.conftest import Visitor
from tests.browser.fake_conversations import STORY

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ON_ITS_WAY = 3.0  # seconds at most that the end of a stream takes, where nobody joins an event meanwhile


class LateEnds:
    """ASGI middleware: the word that a stream is closed arrives just after another event has been joined."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._joined = asyncio.Event()
        self.late = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")

        async def later(message: Message) -> None:
            if b'"msg":"close_stream"' in message.get("body", b""):
                self._joined.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._joined.wait(), ON_ITS_WAY)
                    await asyncio.sleep(0.2)  # until the browser has read the answer
                    self.late += 1
            await send(message)

        await self._app(scope, receive, later if path.endswith("/queue/data") else send)
        if path.endswith("/queue/join"):
            self._joined.set()


@pytest.fixture(scope="module")
def late_ends() -> list[LateEnds]:
    return []


@pytest.fixture(scope="module")
def around(late_ends: list[LateEnds]) -> Any:
    def made(app: ASGIApp) -> LateEnds:
        late_ends.append(LateEnds(app))
        return late_ends[-1]

    return made


async def test_nothing_is_lost_that_is_asked_while_the_stream_closes(
    visitor: Visitor, served_page: str, late_ends: list[LateEnds]
) -> None:
    page, ends = visitor.page, late_ends[0]
    await visitor.open(served_page)
    await visitor.say(STORY)
    before = ends.late
    for _ in range(5):
        await page.get_by_role("button", name="Accept Salt and Feather").click()
        await expect(page.locator("article.card.accepted")).to_have_count(1)
        await page.get_by_role("button", name="Undo").first.click()
        await expect(page.locator("article.card.accepted")).to_have_count(0)
    assert ends.late > before  # the race has been run
    assert not visitor.errors


async def test_the_page_knows_its_owner_and_its_choices_where_all_messages_arrive_in_one_piece(
    visitor: Visitor, served_page: str
) -> None:
    page = visitor.page

    async def in_one_piece(route: Route) -> None:
        await route.fulfill(response=await route.fetch())

    await page.route("**/queue/data*", in_one_piece)
    await visitor.open(served_page)
    async with page.expect_request("**/queue/join*") as asked:
        await page.get_by_role("button", name="New conversation").click()
    [memory] = (await asked.value).post_data_json["data"]
    assert memory.keys() >= {"owner", "domain", "threads"}
    assert "__type__" not in memory
    await expect(page.locator("#domain label.selected")).to_have_count(1)
