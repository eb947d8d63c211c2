"""The message box: how long a message is, a question begun by a button, and what is written while another is sent."""

from typing import Any

import pytest
from playwright.async_api import expect

from dialogue.ui.desk import Server
from tests.browser.conftest import Visitor
from tests.browser.fake_conversations import STORY

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

LONGEST = 400  # characters, so that a test need not be long


@pytest.fixture(scope="module")
def options() -> dict[str, Any]:
    return {"server": Server(longest=LONGEST)}


async def test_a_long_message_is_counted_and_one_that_is_too_long_is_called_so_before_it_is_sent(
    visitor: Visitor, served_page: str
) -> None:
    page = visitor.page
    await visitor.open(served_page)
    box, count = page.get_by_role("textbox", name="Your message"), page.locator("#count .count")
    await expect(box).to_be_focused()
    await box.fill("x" * (LONGEST // 10 - 1))
    await expect(count).to_be_hidden()
    await box.fill("x " * (LONGEST // 4))
    await expect(count).to_have_text(f"{LONGEST // 2} of {LONGEST} characters")
    await box.fill("\U0001f40c" * (LONGEST + 1))
    await expect(count).to_have_text(
        f"{LONGEST + 1} of {LONGEST} characters: too long for one message. Please shorten it."
    )
    await expect(page.locator("#count [role=status]")).to_contain_text("too long")
    await box.fill("x " * (LONGEST // 4))
    await expect(page.locator("#count [role=status]")).to_be_empty()
    await visitor.say(STORY)
    await expect(count).to_be_hidden()


async def test_a_question_begun_by_a_button_stays_however_fast_one_is(visitor: Visitor, served_page: str) -> None:
    page = visitor.page
    await visitor.open(served_page)
    await visitor.say(STORY)
    box = page.get_by_role("textbox", name="Your message")
    for ticked in await page.locator(".tick").all():
        await ticked.check()
    await page.get_by_role("button", name="Compare these").click()
    await page.get_by_role("button", name="Ask about Salt and Feather").click()
    await page.keyboard.type("is it sad?")
    await expect(page.locator("#chat .user-row")).to_have_count(2)
    await visitor.settled()
    await expect(box).to_have_value("About Salt and Feather: is it sad?")
    await page.get_by_role("button", name="Ask about The Lantern Road").click()
    await expect(box).to_have_value("About The Lantern Road: is it sad?")  # the same question of another
    await box.fill("something lighter")
    await box.press("Enter")
    await page.get_by_role("button", name="Ask about Nine Winters").click()
    await expect(page.locator("#chat .user-row")).to_have_count(3)
    await visitor.settled()
    await expect(box).to_have_value("About Nine Winters: ")
    await expect(box).to_be_focused()


async def test_what_is_written_while_a_message_is_taken_out_of_the_box_stays(
    visitor: Visitor, served_page: str
) -> None:
    page = visitor.page
    await visitor.open(served_page)
    box = page.get_by_role("textbox", name="Your message")
    await box.fill(STORY)
    await box.press("Enter")
    await page.keyboard.type("and then")
    await expect(page.locator("#chat .user-row")).to_have_count(1)
    await visitor.settled()
    await expect(box).to_have_value("and then")
    await page.keyboard.press("Enter")
    await expect(page.locator("#chat .user-row")).to_have_count(2)
    await visitor.settled()
    await expect(box).to_have_value("")


async def test_rows_in_which_compared_picks_differ_are_marked_and_the_others_are_not(
    visitor: Visitor, served_page: str
) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    await visitor.say("Compare The Lantern Road and Salt and Feather")
    marked = visitor.page.locator("#chat tr.differs")
    await expect(marked).to_have_count(3)
    assert [(await row.locator("td").first.inner_text()).strip() for row in await marked.all()] == [
        "romance",
        "fantasy",
        "Length",
    ]
    assert await marked.first.get_attribute("title") == "They differ in this"
