"""The list of conversations: open, rename, delete, take away; and a conversation that moves to another domain."""

import json
from dataclasses import replace

import pytest
from playwright.async_api import Locator, expect

from tests.browser.conftest import Visitor
from tests.browser.fake_conversations import DOMAINS, HOSTILE, STORY

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BOOK = "A warm novel about starting again late in life"


def rows(visitor: Visitor) -> Locator:
    return visitor.page.locator("#chats li")


def titles(visitor: Visitor) -> Locator:
    return visitor.page.locator("#chats .title")


async def opened(visitor: Visitor) -> None:
    await visitor.page.locator("#chats summary").first.click()
    await expect(visitor.page.locator("#chats .drawer")).to_be_visible()


async def do(visitor: Visitor, title: str, what: str) -> None:
    """An action of a row, by keys alone."""
    await visitor.page.get_by_label(f"More for “{title}”").focus()
    await visitor.page.keyboard.press("Enter")
    await visitor.page.locator("#chats .more[open]").get_by_role("button", name=what).focus()
    await visitor.page.keyboard.press("Enter")


async def two_conversations(visitor: Visitor, url: str) -> None:
    await visitor.open(url)
    await visitor.say("A heist with dry humour")
    await visitor.page.get_by_text("Books", exact=True).click()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(0)
    await visitor.say(BOOK)
    await opened(visitor)
    await expect(titles(visitor)).to_have_text([BOOK, "A heist with dry humour"])


@pytest.mark.long
async def test_every_conversation_is_found_again_and_opened_with_its_domain(visitor: Visitor, served_page: str) -> None:
    await two_conversations(visitor, served_page)
    await expect(rows(visitor).first).to_contain_text("Books")
    await expect(visitor.page.locator("#chats [aria-current]")).to_contain_text(BOOK)
    await titles(visitor).last.click()
    await expect(visitor.page.locator("#chats .drawer")).to_be_hidden()
    await expect(visitor.page.locator("#chat .user-row")).to_contain_text("A heist with dry humour")
    await expect(visitor.page.get_by_role("radio", name="Films")).to_be_checked()


@pytest.mark.long
async def test_a_conversation_is_renamed_by_keys_alone(visitor: Visitor, served_page: str) -> None:
    await two_conversations(visitor, served_page)
    await do(visitor, BOOK, "Rename")
    box = visitor.page.get_by_label("New title")
    await expect(box).to_be_focused()
    await box.fill("Late starts")
    await visitor.page.keyboard.press("Enter")
    await expect(titles(visitor)).to_have_text(["Late starts", "A heist with dry humour"])
    await expect(visitor.page.locator("#chats .open").first).to_be_focused()
    await do(visitor, "Late starts", "Rename")
    await box.fill("Something else")
    await visitor.page.keyboard.press("Escape")
    await expect(titles(visitor)).to_have_text(["Late starts", "A heist with dry humour"])
    await visitor.page.keyboard.press("Escape")
    await expect(visitor.page.locator("#chats .drawer")).to_be_hidden()
    await expect(visitor.page.locator("#chats summary").first).to_be_focused()


@pytest.mark.long
async def test_the_list_keeps_the_keyboard_when_it_is_drawn_anew_and_closes_at_once(
    visitor: Visitor, served_page: str
) -> None:
    await two_conversations(visitor, served_page)
    elsewhere = replace(visitor, page=await visitor.context.new_page())  # another tab
    await elsewhere.open(served_page)
    await opened(elsewhere)
    await do(elsewhere, BOOK, "Rename")
    await elsewhere.page.get_by_label("New title").fill("Named elsewhere")
    await elsewhere.page.keyboard.press("Enter")
    await expect(titles(elsewhere)).to_contain_text(["Named elsewhere"])
    await elsewhere.page.close()
    summary, drawer = visitor.page.locator("#chats summary").first, visitor.page.locator("#chats .drawer")
    await visitor.page.keyboard.press("Escape")
    await expect(drawer).to_be_hidden()
    await summary.focus()
    await visitor.page.keyboard.press("Enter")
    await expect(titles(visitor)).to_contain_text(["Named elsewhere"])
    await expect(drawer).to_be_visible()
    await expect(summary).to_be_focused()
    await visitor.page.keyboard.press("Escape")
    await expect(drawer).to_be_hidden()
    for key in ("Enter", "Escape"):  # the one right after the other
        await visitor.page.keyboard.press(key)
    await expect(drawer).to_be_hidden()
    await expect(summary).to_be_focused()


@pytest.mark.long
async def test_a_conversation_is_deleted_only_at_the_second_click(visitor: Visitor, served_page: str) -> None:
    await two_conversations(visitor, served_page)
    await do(visitor, BOOK, "Delete")
    await expect(visitor.page.locator("#chats [role=alert]")).to_have_text(f"Delete “{BOOK}” for good?")
    await visitor.page.get_by_role("button", name="Leave it").click()
    await expect(titles(visitor)).to_have_count(2)
    await do(visitor, BOOK, "Delete")
    await visitor.page.get_by_role("button", name="Yes, delete it").click()
    await expect(titles(visitor)).to_have_text(["A heist with dry humour"])
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(0)
    await visitor.open(served_page)
    await expect(visitor.page.get_by_role("button", name=DOMAINS[1].examples[0])).to_be_visible()


@pytest.mark.long
async def test_a_conversation_is_taken_away_as_data_and_as_text(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    await opened(visitor)
    name = STORY[:60].strip()
    async with visitor.page.expect_download() as download:
        await do(visitor, name, "Save as data")
    data = await download.value
    turns = json.loads((await data.path()).read_text(encoding="utf-8"))
    assert data.suggested_filename.endswith(".json")
    assert [turn["utterance"] for turn in turns] == [STORY]
    assert turns[0]["items"][0]["title"] == "The Lantern Road"
    async with visitor.page.expect_download() as download:
        await visitor.page.get_by_role("button", name="Save as text").click()
    text = await download.value
    told = (await text.path()).read_text(encoding="utf-8")
    assert text.suggested_filename.endswith(".md")
    assert STORY in told
    assert "They court by quarrelling over maps, prices and who snores." in told


@pytest.mark.long
async def test_nobody_sees_or_opens_a_conversation_of_somebody_else(
    visitor: Visitor, other_visitor: Visitor, served_page: str
) -> None:
    await two_conversations(visitor, served_page)
    thread = await visitor.page.locator("#chats .open").first.get_attribute("data-say")
    await other_visitor.open(served_page)
    await other_visitor.say("canary green")
    await opened(other_visitor)
    await expect(titles(other_visitor)).to_have_text(["canary green"])
    forged = other_visitor.page.locator("#chats .open")
    await forged.evaluate("(button, said) => { button.dataset.say = said; button.click(); }", thread)
    await expect(other_visitor.page.locator("#chats")).to_contain_text("not there any more")
    assert BOOK not in await other_visitor.page.content()


async def test_markup_in_a_title_stays_inert(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say("markup <img src=x onerror=globalThis.pwned=1>")
    await opened(visitor)
    await expect(titles(visitor)).to_have_text(["markup <img src=x onerror=globalThis.pwned=1>"])
    await do(visitor, "markup <img src=x onerror=globalThis.pwned=1>", "Rename")
    await visitor.page.get_by_label("New title").fill(HOSTILE[:60])
    await visitor.page.keyboard.press("Enter")
    await expect(titles(visitor)).to_have_text([HOSTILE[:60]])
    assert await visitor.page.evaluate("globalThis.pwned") is None
    assert await visitor.page.locator("#chats img").count() == 0


@pytest.mark.long
async def test_on_a_phone_the_list_is_behind_a_button_and_fits(visitor: Visitor, served_page: str) -> None:
    await visitor.page.set_viewport_size({"width": 390, "height": 844})
    await two_conversations(visitor, served_page)
    drawer = visitor.page.locator("#chats .drawer")
    place = await drawer.bounding_box()
    assert place is not None
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= 390
    assert await visitor.page.evaluate("document.documentElement.scrollWidth") <= 390
    await visitor.page.locator("#message textarea").click()
    await expect(drawer).to_be_hidden()


@pytest.mark.long
async def test_a_conversation_that_moves_to_another_domain_takes_the_page_along(
    visitor: Visitor, served_page: str
) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    await visitor.say("now books please")
    await expect(visitor.page.get_by_role("radio", name="Books")).to_be_checked()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(2)
    await visitor.open(served_page)
    await expect(visitor.page.get_by_role("radio", name="Books")).to_be_checked()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(2)
    await visitor.page.get_by_text("Films", exact=True).click()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(0)
    await visitor.page.get_by_text("Books", exact=True).click()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(2)
