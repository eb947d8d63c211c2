"""What a visitor sees who comes while as many are answered as the server takes."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import expect

from dialogue.ui import server
from dialogue.ui.texts import page_texts
from tests.browser.conftest import Visitor, waiting_in_mid_turn
from tests.browser.fake_conversations import STORY, FakeConversations

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture(scope="module")
def conversations() -> Iterator[Any]:
    """A server that takes one turn at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "TURNS_AT_ONCE", 1)
        yield FakeConversations(pace=0.004)


async def test_who_is_one_too_many_is_told_so_and_keeps_the_words(
    visitor: Visitor, other_visitor: Visitor, served_page: str
) -> None:
    await waiting_in_mid_turn(visitor, served_page)
    await other_visitor.open(served_page)
    await other_visitor.write(STORY)
    page = other_visitor.page
    await expect(page.get_by_text(page_texts()["status"]["crowded"])).to_be_visible()
    await expect(page.get_by_role("textbox", name="Your message")).to_have_value(STORY)
    await expect(page.locator("#chat .user-row")).to_have_count(0)
    await visitor.page.get_by_role("button", name="Stop", exact=True).click()
    await visitor.settled()
    await page.get_by_role("button", name="Send", exact=True).click()
    await expect(page.locator("article.card")).to_have_count(3)
    assert not other_visitor.errors
