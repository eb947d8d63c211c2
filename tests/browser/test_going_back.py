"""The last message once more, an earlier one in other words, the last one taken back."""

import pytest
from playwright.async_api import Locator, expect

from tests.browser.conftest import Visitor, waiting_in_mid_turn
from tests.browser.fake_conversations import STORY

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]


def said(visitor: Visitor) -> Locator:
    return visitor.page.locator("#chat .user-row .message.user")


def button(visitor: Visitor, name: str) -> Locator:
    return visitor.page.locator("#chat").get_by_role("button", name=name)


async def two_turns(visitor: Visitor, url: str) -> None:
    await visitor.open(url)
    await visitor.say(STORY)
    await visitor.say("Something lighter")


async def test_an_earlier_message_is_changed_and_what_followed_it_goes(visitor: Visitor, served_page: str) -> None:
    await two_turns(visitor, served_page)
    await button(visitor, "Edit").first.click()
    box = visitor.page.locator("#chat textarea.edit-textarea")
    await expect(box).to_be_focused()
    await box.fill("A heist with dry humour")
    await button(visitor, "Send again").click()
    await expect(said(visitor)).to_have_count(1)
    await visitor.settled()
    await expect(said(visitor)).to_have_text(["A heist with dry humour"])
    assert len(await visitor.titles()) == 3
    await visitor.open(served_page)
    await expect(said(visitor)).to_have_text(["A heist with dry humour"])


async def test_a_message_is_changed_by_keys_alone_and_its_signs_are_as_typed(
    visitor: Visitor, served_page: str
) -> None:
    await visitor.open(served_page)
    await visitor.say("a *bold* story <b> for $5")
    await button(visitor, "Edit").focus()
    await visitor.page.keyboard.press("Enter")
    box = visitor.page.locator("#chat textarea.edit-textarea")
    await expect(box).to_have_value("a *bold* story <b> for $5")
    await visitor.page.keyboard.press("End")
    await visitor.page.keyboard.type("!")
    await visitor.page.keyboard.press("Escape")
    await expect(box).to_have_count(0)
    await expect(said(visitor)).to_have_text(["a *bold* story <b> for $5"])
    await button(visitor, "Edit").focus()
    await visitor.page.keyboard.press("Enter")
    await visitor.page.keyboard.press("End")
    await visitor.page.keyboard.type(" or _less_")
    await visitor.page.keyboard.press("Enter")
    await expect(said(visitor)).to_have_text(["a *bold* story <b> for $5 or _less_"])
    await visitor.settled()
    await expect(said(visitor)).to_have_count(1)


async def test_the_last_turn_is_taken_back_and_its_words_stand_in_the_box(visitor: Visitor, served_page: str) -> None:
    await two_turns(visitor, served_page)
    box = visitor.page.get_by_role("textbox", name="Your message")
    await box.fill("and a cat")
    await button(visitor, "Undo").focus()
    await visitor.page.keyboard.press("Enter")
    await expect(said(visitor)).to_have_text([STORY])
    await expect(box).to_have_value("Something lighter\nand a cat")
    await expect(box).to_be_focused()
    await expect(visitor.page.get_by_role("status").first).to_contain_text("Taken back")
    await visitor.open(served_page)
    await expect(said(visitor)).to_have_text([STORY])


async def test_the_last_message_is_asked_once_more(visitor: Visitor, served_page: str) -> None:
    await two_turns(visitor, served_page)
    await button(visitor, "Retry").click()
    await visitor.settled()
    await expect(said(visitor)).to_have_text([STORY, "Something lighter"])
    assert len(await visitor.titles()) == 3


async def test_a_stopped_turn_can_be_asked_once_more_and_leaves_no_trace(visitor: Visitor, served_page: str) -> None:
    await waiting_in_mid_turn(visitor, served_page)
    await visitor.page.get_by_role("button", name="Stop").click()
    await visitor.settled()
    await button(visitor, "Edit").click()
    await visitor.page.locator("#chat textarea.edit-textarea").fill(STORY)
    await visitor.page.keyboard.press("Enter")
    await expect(visitor.page.locator("article.card")).to_have_count(3)
    await visitor.settled()
    await expect(said(visitor)).to_have_text([STORY])
    assert "Stopped here." not in await visitor.chat()


async def test_a_blank_change_leaves_the_message_as_it_was(visitor: Visitor, served_page: str) -> None:
    await two_turns(visitor, served_page)
    await button(visitor, "Edit").first.click()
    await visitor.page.locator("#chat textarea.edit-textarea").fill("  ")
    await visitor.page.keyboard.press("Enter")
    await expect(visitor.page.get_by_role("status").first).to_contain_text("Write a few words first")
    await expect(said(visitor)).to_have_text([STORY, "Something lighter"])
