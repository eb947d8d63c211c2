"""Stopping in the middle of a turn, many times over, and the whole story of a visitor by keys alone."""

import pytest
from playwright.async_api import expect

from tests.browser.conftest import PARTIAL, Visitor
from tests.browser.fake_conversations import STORY

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.long
@pytest.mark.parametrize("times", [8, 30])
async def test_many_stops_leave_no_error_and_no_spinner(visitor: Visitor, served_page: str, times: int) -> None:
    page = visitor.page
    await visitor.open(served_page)
    for turn in range(times):
        await visitor.write("slowly now")
        await expect(page.locator("#chat .bot-row").last).to_contain_text(PARTIAL)
        await page.get_by_role("button", name="Stop", exact=True).click()
        await visitor.settled()
        await expect(page.locator("#chat .user-row")).to_have_count(turn + 1)
        assert await page.locator("#chat .error, #chat .loading-spinner").count() == 0
        assert await page.get_by_text("Error", exact=True).count() == 0
    chat = await visitor.chat()  # the oldest as they are stored
    assert chat.count("Stopped here.") + chat.count("This turn was stopped.") == times
    await visitor.say(STORY)
    assert len(await visitor.titles()) == 3
    assert not visitor.errors


@pytest.mark.long
async def test_a_visitor_gets_through_the_whole_story_by_keys_alone(visitor: Visitor, served_page: str) -> None:
    page = visitor.page
    await visitor.open(served_page)

    async def tab_to(name: str, *, most: int = 80) -> None:
        for _ in range(most):
            await page.keyboard.press("Tab")
            at = "(document.activeElement.ariaLabel || document.activeElement.innerText || '').trim()"
            if await page.evaluate(at) == name:
                return
        raise AssertionError(f"{name} cannot be reached")

    await expect(page.get_by_role("textbox", name="Your message")).to_be_focused()
    await page.keyboard.type(STORY)
    await page.keyboard.press("Enter")
    await expect(page.locator("article.card")).to_have_count(3)
    await visitor.settled()
    await tab_to("Accept Salt and Feather")
    await page.keyboard.press("Enter")
    await expect(page.locator("article.card.accepted")).to_have_count(1)
    await visitor.settled()
    await tab_to("Undo")
    await page.keyboard.press("Enter")
    await expect(page.locator("article.card.accepted")).to_have_count(0)
    await expect(page.get_by_role("textbox", name="Your message")).to_be_focused()
    await page.keyboard.press("Control+A")
    await page.keyboard.type("Something lighter")
    await page.keyboard.press("Enter")
    await expect(page.locator("#chat .user-row")).to_have_count(2)
    await visitor.settled()
    await tab_to("Conversations")
    await page.keyboard.press("Enter")
    await expect(page.locator("#chats [aria-current]")).to_be_visible()
    await page.keyboard.press("Escape")
    await tab_to("中文")
    await page.keyboard.press("Enter")
    await page.get_by_role("textbox", name="你的消息").wait_for()
