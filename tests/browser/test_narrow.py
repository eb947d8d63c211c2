"""A narrow screen, a finger, a page that is zoomed in: the tabs are always at hand, and all is large enough."""

import pytest
from playwright.async_api import Browser, ViewportSize, expect

from tests.browser.conftest import PARTIAL, Visitor, visitor_of
from tests.browser.fake_conversations import STORY

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

PHONE: ViewportSize = {"width": 390, "height": 844}
FINGER = 44  # pixels
SMALL = """(least) => [...document.querySelectorAll("button, a, summary, input, select, textarea, [role=tab]")]
    .map((part) => part.closest(":is(#domain, #where, #time, #state-must) label, .ticking, .wrap-inner") ?? part)
    .filter((part) => part.getClientRects().length && part.checkVisibility({ visibilityProperty: true }))
    .filter((part) => !part.closest("blockquote, .prose, .message-content") && part.type !== "file")
    .filter((part) => part.getBoundingClientRect().width < 24 || part.getBoundingClientRect().height < least)
    .map((part) => part.getAttribute("aria-label") || part.textContent.trim() || part.outerHTML.slice(0, 99))"""


async def test_the_tabs_and_the_way_back_to_the_chat_are_always_in_sight(visitor: Visitor, served_page: str) -> None:
    page = visitor.page
    await page.set_viewport_size(PHONE)
    await visitor.open(served_page)
    tabs, back = page.get_by_role("tab"), page.get_by_role("link", name="Chat")
    for tab in await tabs.all():
        await expect(tab).to_be_in_viewport(ratio=1)
    await visitor.say(STORY)
    for _ in range(2):
        await page.get_by_role("tab", name="Graph").click()
        await expect(page.get_by_role("heading", name="How your wishes hang together")).to_be_in_viewport(ratio=1)
        await expect(page.locator("#message textarea")).not_to_be_in_viewport()
        for tab in await tabs.all():
            await expect(tab).to_be_in_viewport(ratio=1)
        await back.focus()
        await page.keyboard.press("Enter")
        await expect(page.locator("#chat .user-row").last).to_be_in_viewport()
        await expect(page.locator("#message textarea")).to_be_in_viewport(ratio=1)
    await page.get_by_role("tab", name="Picks").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("article.card h3").first).to_be_in_viewport(ratio=1)


async def test_the_bar_shows_whether_the_chat_or_a_tab_is_looked_at(visitor: Visitor, served_page: str) -> None:
    page = visitor.page
    await page.set_viewport_size(PHONE)
    await visitor.open(served_page)
    await visitor.say(STORY)
    weights = """() => ["#jump a", "#tabs [role=tab][aria-selected=true]"]
        .map((part) => getComputedStyle(document.querySelector(part)).fontWeight)"""
    assert await page.evaluate(weights) == ["700", "400"]
    await page.get_by_role("tab", name="Evidence").click()
    await expect(page.get_by_role("heading", name="What is written about each pick")).to_be_in_viewport()
    assert await page.evaluate(weights) == ["400", "700"]


async def test_nothing_of_the_bar_is_there_on_a_wide_screen(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await expect(visitor.page.get_by_role("link", name="Chat")).to_have_count(0)


@pytest.mark.parametrize("path", ["", "zh/"])
@pytest.mark.parametrize("size", [(390, 844), (1024, 768)])
async def test_what_a_finger_presses_is_large_enough(
    chromium: Browser, served_page: str, size: tuple[int, int], path: str
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    visitor = await visitor_of(chromium, viewport=viewport, has_touch=True, is_mobile=True)
    page = visitor.page
    await visitor.open(f"{served_page}{path}")
    box = page.locator("#message textarea")
    await box.fill(STORY)
    await box.press("Enter")
    await page.wait_for_selector("#picks article")
    await visitor.settled()
    assert await page.evaluate("matchMedia('(pointer: coarse)').matches")
    tabs = page.get_by_role("tab")
    for number in range(await tabs.count()):
        await tabs.nth(number).click()
        for opened in (".tick", ".node.avoid", "#state-data > button"):
            if await page.locator(opened).first.is_visible():
                await page.locator(opened).first.click()
        assert await page.evaluate(SMALL, FINGER) == []
    await visitor.context.close()


async def test_a_page_zoomed_in_twice_can_be_used(chromium: Browser, served_page: str) -> None:
    visitor = await visitor_of(chromium, viewport={"width": 640, "height": 450}, device_scale_factor=2)
    page = visitor.page
    await visitor.open(served_page)
    assert await page.evaluate("[scrollY, document.activeElement.tagName]") == [0, "BODY"]  # it begins at its head
    await visitor.write(f"slowly {STORY}")
    await expect(page.locator("#chat")).to_contain_text(PARTIAL)
    await expect(page.get_by_role("button", name="Stop")).to_be_in_viewport(ratio=1)
    await page.get_by_role("button", name="Stop").click()
    await visitor.settled()
    await visitor.say(STORY)
    for tab in ("Graph", "Evidence", "State", "Settings", "Picks"):
        await page.get_by_role("tab", name=tab).click()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 640
    button = page.get_by_role("button", name="Accept The Lantern Road")
    await button.scroll_into_view_if_needed()
    await button.click(trial=True)  # the bar does not lie over it
    await visitor.context.close()
