"""How a visitor reads along: from the beginning of a reply, on a page that scrolls as one, with all that is being done
said where the picks will stand, and with nothing lost that is being written."""

import json
import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.conftest import PARTIAL, Visitor, visitor_of, waiting_in_mid_turn
from tests.browser.fake_conversations import STORY, FakeConversations

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

SMALL = """() => [...document.querySelectorAll("button, a, summary, input, select, textarea, [role=tab]")]
    .map((part) => part.closest("#domain label, #where label, #time label") ?? part)
    .filter((part) => part.getClientRects().length && getComputedStyle(part).visibility !== "hidden")
    .filter((part) => part.getBoundingClientRect().width < 24 || part.getBoundingClientRect().height < 24)
    .map((part) => part.getAttribute("aria-label") || part.textContent.trim() || part.id || part.outerHTML)"""
SCROLLERS = """() => ["#chat", "#chat .bubble-wrap", "#strip", "#talk"].filter((part) => {
    const box = document.querySelector(part);
    return box.scrollHeight > box.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(box).overflowY);
})"""


async def top_of_last(page: Page) -> float:
    """How far the last message stands from the top of what scrolls."""
    return float(
        await page.evaluate(
            """() => {
                const box = document.querySelector("#chat .bubble-wrap");
                const inside = /auto|scroll/.test(getComputedStyle(box).overflowY);
                const row = [...document.querySelectorAll("#chat .user-row")].at(-1);
                return row.getBoundingClientRect().top - (inside ? box.getBoundingClientRect().top : 0);
            }"""
        )
    )


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
async def test_a_reply_is_read_from_its_beginning_and_a_narrow_page_scrolls_as_one(
    visitor: Visitor, served_page: str, size: tuple[int, int]
) -> None:
    await visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    await visitor.open(served_page)
    for _ in range(2):
        await visitor.say(STORY)
    assert 0 <= await top_of_last(visitor.page) <= 60
    await expect(visitor.page.locator("#message textarea")).to_be_in_viewport(ratio=1)
    assert await visitor.page.evaluate(SCROLLERS) == ([] if size[0] < 1000 else ["#chat .bubble-wrap"])
    for suggestion in await visitor.page.locator("#strip button").all():
        await suggestion.scroll_into_view_if_needed()
        await suggestion.click(trial=True)  # nothing lies over it


async def test_who_scrolls_while_a_reply_comes_is_left_where_they_are(visitor: Visitor, served_page: str) -> None:
    await visitor.page.set_viewport_size({"width": 1280, "height": 800})
    await visitor.open(served_page)
    await visitor.say(STORY)
    await visitor.write(f"slowly {STORY}")
    await expect(visitor.page.locator("#chat")).to_contain_text("slowly")
    await visitor.page.locator("#chat .bubble-wrap").hover()
    await visitor.page.mouse.wheel(0, -4000)
    await expect(visitor.page.locator("#chat .user-row").first).to_be_in_viewport()
    await visitor.page.get_by_role("button", name="Stop").click()
    await visitor.settled()
    await expect(visitor.page.locator("#chat .user-row").first).to_be_in_viewport()


async def test_while_a_turn_runs_the_picks_say_what_is_being_done_and_that_the_old_ones_are_old(
    visitor: Visitor, served_page: str
) -> None:
    await waiting_in_mid_turn(visitor, served_page)
    live = visitor.page.locator("#live")
    await expect(live).to_contain_text("Held your wishes against what is known of 40 possible picks")
    await expect(visitor.page.locator("#picks .nothing")).to_be_hidden()
    await expect(live.locator(".earlier")).to_be_hidden()
    await visitor.page.get_by_role("button", name="Stop").click()
    await visitor.settled()
    await expect(live).to_be_hidden()
    await visitor.say(STORY)
    await visitor.write(f"slowly {STORY}")
    await expect(visitor.page.locator("#chat .message.bot").last).to_contain_text(PARTIAL)
    await expect(live.locator(".earlier")).to_be_visible()
    await expect(visitor.page.locator("article.card")).to_have_count(3)
    await visitor.page.get_by_role("button", name="Stop").click()
    await visitor.settled()


async def test_whatever_can_be_pressed_is_large_enough(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    tabs = visitor.page.get_by_role("tab")
    for width in (390, 1280):
        await visitor.page.set_viewport_size({"width": width, "height": 844})
        for number in range(await tabs.count()):
            await tabs.nth(number).click()
            await expect(tabs.nth(number)).to_have_attribute("aria-selected", "true")
            assert await visitor.page.evaluate(SMALL) == []


@pytest.mark.parametrize(
    ("path", "told"), [("", ["today 01:30", "yesterday 23:50"]), ("zh/", ["今天 01:30", "昨天 23:50"])]
)
async def test_the_list_tells_when_a_conversation_was_last_spoken_in_by_the_clock_of_its_visitor(
    chromium: Browser, served_page: str, conversations: FakeConversations, path: str, told: list[str]
) -> None:
    visitor = await visitor_of(chromium, timezone_id="Asia/Shanghai")
    await visitor.page.goto(f"{served_page}{path}")
    await visitor.page.wait_for_selector("#picks section")
    mine = set(conversations.rows)
    for words in ("one", "two", "three", "four"):
        await visitor.page.locator("#new").click()
        await expect(visitor.page.locator("#chat .user-row")).to_have_count(0)
        await visitor.page.locator("#message textarea").fill(words)
        await visitor.page.keyboard.press("Enter")
        await visitor.page.wait_for_selector("article.card")
        await visitor.settled()
    moments = {"one": 1773509400, "two": 1773503400, "three": 1773100800, "four": 1735718400}
    for thread in set(conversations.rows) - mine:
        row = conversations.rows[thread]
        conversations.rows[thread] = row.model_copy(update={"updated": float(moments[row.title])})
    await visitor.page.clock.set_fixed_time("2026-03-14T17:45:00Z")  # the 15th, a quarter to two in the morning there
    await visitor.page.locator("#chats summary").first.click()
    times = visitor.page.locator("#chats time")
    days = ["10 March", "1 January 2025"] if not path else ["3月10日", "2025年1月1日"]
    await expect(visitor.page.locator("#chats .title")).to_have_text(["one", "two", "three", "four"])
    await expect(times).to_have_text([*told, *days])
    await visitor.context.close()


async def test_what_is_being_written_into_the_state_outlives_a_turn_but_not_a_change_of_conversation(
    visitor: Visitor, served_page: str
) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    await visitor.page.get_by_role("tab", name="State").click()
    await visitor.page.get_by_text("Edit all of it as data").click()
    text = visitor.page.locator("#state-text textarea")
    before = await text.input_value()
    assert "fantasy" in json.loads(before)["soft_constraints"]["genre"]
    await text.fill(before.replace("fantasy", "westerns"))
    await visitor.say("Not for me: Nine Winters")
    assert "westerns" in await text.input_value()
    await expect(visitor.page.locator("#state-applied")).to_contain_text("What you are writing here is kept")
    await visitor.page.get_by_role("button", name="Back to what is noted").click()
    await expect(text).not_to_have_value(re.compile("westerns"))
    await expect(text).to_have_value(re.compile("Nine Winters"))
    await text.fill("half a thought")
    await visitor.page.get_by_role("button", name="New conversation").click()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(0)
    await expect(text).not_to_have_value("half a thought")


async def test_every_tab_that_a_turn_fills_says_what_is_being_done_instead_of_that_there_is_nothing_yet(
    visitor: Visitor, served_page: str
) -> None:
    await visitor.open(served_page)
    panel, tabs = visitor.page.get_by_role("tabpanel").filter(visible=True), ("Graph", "Evidence", "State")
    for tab in tabs:
        await visitor.page.get_by_role("tab", name=tab).click()
        await expect(panel.locator(".nothing")).to_be_visible()
    await visitor.write(f"slowly {STORY}")
    for tab in tabs:
        await visitor.page.get_by_role("tab", name=tab).click()
        step = "Held your wishes against what is known of 40 possible picks"
        await expect(panel.locator(".live")).to_contain_text(step)
        await expect(panel.locator(".nothing")).to_be_hidden()
    await visitor.page.get_by_role("button", name="Stop").click()
    await visitor.settled()
    await expect(panel.locator(".live")).to_have_count(0)


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)])
async def test_a_message_of_twenty_thousand_signs_leaves_room_for_its_answer(
    visitor: Visitor, served_page: str, size: tuple[int, int]
) -> None:
    page = visitor.page
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await visitor.open(served_page)
    await visitor.say(f"{STORY} {'And so on, with more of it. ' * 700}{'x' * 400}"[:20_000])
    await expect(page.get_by_text("These 3 films fit best")).to_be_in_viewport()
    await expect(page.locator("#message textarea")).to_be_in_viewport(ratio=1)
    assert await page.evaluate("document.documentElement.scrollWidth") <= size[0]


async def test_words_that_were_not_sent_outlive_a_reload_and_those_that_were_do_not_come_back(
    visitor: Visitor, served_page: str
) -> None:
    await visitor.open(served_page)
    box = visitor.page.get_by_role("textbox", name="Your message")
    await box.fill("half a thought,\non two lines")
    await visitor.page.reload()
    await expect(box).to_have_value("half a thought,\non two lines")
    await visitor.say(STORY)
    assert "half a thought" not in await visitor.chat()
    await visitor.page.reload()
    await visitor.page.wait_for_selector("article.card")
    await expect(box).to_have_value("")
    await box.fill("restored words are sent as they stand")
    await visitor.page.reload()
    await expect(box).to_have_value("restored words are sent as they stand")
    await box.press("Enter")
    await expect(visitor.page.locator("#chat .user-row").last).to_contain_text("restored words are sent as they stand")
