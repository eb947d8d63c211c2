"""The page in Chinese: who gets it, the way between the languages, the story of a visitor, light and dark."""

import pytest
from playwright.async_api import expect

from dialogue.ui.desk import Server
from dialogue.ui.texts import page_texts
from tests.browser.conftest import PARTIAL, Visitor
from tests.browser.fake_conversations import STORY, FakeConversations

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

CHINESE = page_texts("zh")
BOX = CHINESE["page"]["message"]


@pytest.fixture(scope="module")
def options() -> dict[str, object]:
    return {"server": Server(evidence="both")}


async def said(visitor: Visitor, words: str) -> None:
    """A message on the Chinese page."""
    turns = await visitor.page.locator("#chat .user-row").count()
    box = visitor.page.get_by_role("textbox", name=BOX)
    await box.fill(words)
    await box.press("Enter")
    await visitor.page.locator("#chat .user-row").nth(turns).wait_for()
    await visitor.settled()


async def language_of(visitor: Visitor) -> str:
    return str(await visitor.page.evaluate("document.documentElement.lang"))


async def test_the_link_leads_to_the_other_language_and_the_conversation_goes_along(
    visitor: Visitor, served_page: str
) -> None:
    await visitor.open(served_page)
    assert await language_of(visitor) == "en"
    await visitor.say(STORY)
    await visitor.page.locator("#links a", has_text="中文").click()
    await visitor.page.get_by_role("heading", level=1, name=CHINESE["page"]["heading"]).wait_for()
    assert await language_of(visitor) == "zh-CN"
    await expect(visitor.page.locator("#chat .user-row")).to_contain_text(STORY)
    await expect(visitor.page.locator("article.card")).to_have_count(3)
    await visitor.page.locator("#links a", has_text="English").click()
    await visitor.page.get_by_role("heading", level=1, name="What would you enjoy next?").wait_for()
    await expect(visitor.page.locator("#chat .user-row")).to_contain_text(STORY)


async def test_a_chinese_browser_gets_chinese_until_it_chooses_english(
    chinese_visitor: Visitor, served_page: str
) -> None:
    await chinese_visitor.open(served_page)
    assert chinese_visitor.page.url == f"{served_page}zh/"
    await chinese_visitor.page.locator("#links a", has_text="English").click()
    await chinese_visitor.page.get_by_role("heading", level=1, name="What would you enjoy next?").wait_for()
    await chinese_visitor.open(served_page)
    assert chinese_visitor.page.url == served_page
    assert await language_of(chinese_visitor) == "en"
    await expect(chinese_visitor.page.get_by_role("button", name="Send")).to_be_visible()


async def test_the_main_story_in_chinese(chinese_visitor: Visitor, served_page: str) -> None:
    page = chinese_visitor.page
    await chinese_visitor.open(served_page)
    starter = CHINESE["starters"]["movies"][0]
    await page.get_by_role("button", name=starter).click()
    await expect(page.locator("article.card")).to_have_count(3)
    await chinese_visitor.settled()
    for words in ("符合", "部分符合", "没有提到", "排在最后"):
        await expect(page.locator("#picks")).to_contain_text(words)
    await page.get_by_role("tab", name=CHINESE["tabs"]["graph"]).click()
    await expect(page.locator("#graph")).to_contain_text(CHINESE["graph"]["heading"])
    await page.get_by_role("tab", name=CHINESE["tabs"]["state"]).click()
    await expect(page.get_by_role("tabpanel").filter(visible=True)).to_contain_text(CHINESE["state"]["heading"])
    await page.get_by_role("tab", name=CHINESE["tabs"]["picks"]).click()
    await page.get_by_role("button", name="选择Salt and Feather").click()
    await expect(page.locator("#chat .user-row")).to_have_count(2)
    await chinese_visitor.settled()
    await expect(page.locator("#chat .user-row").last).to_contain_text("就选《Salt and Feather》")
    await page.locator("#chats summary").first.click()
    await expect(page.locator("#chats .title")).to_have_text([starter[:60]])
    assert not chinese_visitor.errors


async def test_a_turn_in_hand_is_found_again_in_the_other_language(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.write(f"slowly {STORY}")
    await expect(visitor.page.locator("#chat")).to_contain_text(PARTIAL)
    await visitor.page.locator("#links a", has_text="中文").click()
    await expect(visitor.page.locator("#chat")).to_contain_text(PARTIAL)
    await visitor.page.get_by_role("button", name=CHINESE["page"]["stop"], exact=True).click()
    await visitor.settled()
    await expect(visitor.page.locator("#chat")).to_contain_text(CHINESE["endings"]["stopped"])


async def test_gradios_own_labels_are_in_the_language_of_the_page(
    visitor: Visitor, chinese_visitor: Visitor, served_page: str
) -> None:
    await chinese_visitor.open(f"{served_page}?lang=en")
    await chinese_visitor.say(STORY)
    await expect(chinese_visitor.page.locator("#chat").get_by_role("button", name="Retry")).to_have_count(1)
    await visitor.open(f"{served_page}zh/")
    await said(visitor, STORY)
    again = CHINESE["gradio"]["keys"]["chatbot.retry"]
    await expect(visitor.page.locator("#chat").get_by_role("button", name=again)).to_have_count(1)


async def test_light_or_dark_is_kept_and_the_system_has_it_back(visitor: Visitor, served_page: str) -> None:
    page, dark = visitor.page, "document.body.classList.contains('dark')"
    await visitor.open(served_page)
    assert not await page.evaluate(dark)
    await page.get_by_role("tab", name="Settings").click()
    await page.get_by_role("button", name="Dark", exact=True).click()
    assert await page.evaluate(dark)
    await visitor.open(served_page)
    assert await page.evaluate(dark)
    await page.get_by_role("tab", name="Settings").click()
    await expect(page.get_by_role("button", name="Dark", exact=True)).to_have_attribute("aria-pressed", "true")
    await page.get_by_role("button", name="As my system has it").click()
    assert not await page.evaluate(dark)


async def test_where_to_look_and_the_time_are_kept_and_reach_the_turn(
    conversations: FakeConversations, visitor: Visitor, served_page: str
) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    assert conversations.how[-1] == {}
    await visitor.page.get_by_role("tab", name="Settings").click()
    await visitor.page.get_by_text("Only in the catalogue").click()
    await visitor.page.wait_for_timeout(500)  # a choice is kept by a round trip of its own
    await visitor.page.get_by_text("10 seconds").click()
    await visitor.page.wait_for_timeout(500)
    await visitor.say("Something lighter")
    assert conversations.how[-1] == {"own_only": True, "seconds": 10.0}
    await visitor.open(served_page)
    await visitor.page.get_by_role("tab", name="Settings").click()
    await expect(visitor.page.get_by_role("radio", name="Only in the catalogue")).to_be_checked()
    await expect(visitor.page.get_by_role("radio", name="10 seconds")).to_be_checked()
