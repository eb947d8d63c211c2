"""Every word of the page is in its language: what is read, what is heard and what stands in an empty field."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Page, expect

from dialogue.composition import Composition
from dialogue.own_domains import OwnDomains
from dialogue.ui.desk import Server
from dialogue.ui.texts import page_texts
from pdgf.settings import Settings
from tests.browser.conftest import Visitor
from tests.browser.fake_conversations import STORY, FakeConversations

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

CHINESE = page_texts("zh")
LATIN = re.compile(r"[A-Za-z]{2,}")
# What is called so in Chinese too: formats, makers of lists, settings of whoever runs the page, and the other language.
NAMES = {"JSON", "CSV", "TSV", "MB", "Markdown", "Goodreads", "StoryGraph", "Letterboxd", "PDGF", "ENGINE", "SOURCE"}
NAMES |= {"env", "English", "KB"}
SHEET = "名称,年份,评论\n海边来信,1999,一个安静的故事。\n山中一夜,坏,很长的一夜。\n雨季,2004,雨下了很久。\n"
# Names count where they are hidden too: what Gradio hides, it shows at other times.
HEARD_AND_READ = """() => {
  const seen = [];
  const shown = (part) => part.checkVisibility({ visibilityProperty: true });
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const part = texts.currentNode.parentElement;
    if (!part.closest("script, style") && shown(part)) seen.push(texts.currentNode.data);
  }
  for (const part of document.body.querySelectorAll("*"))
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-description"])
      if (part.getAttribute(name)) seen.push(part.getAttribute(name));
  return [...new Set([document.title, ...seen].map((text) => text.trim()).filter(Boolean))];
}"""


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """With everything that a page may offer."""
    folder = tmp_path_factory.mktemp("own")
    own = OwnDomains(Composition(settings=Settings(data_dir=folder)), folder, 20)
    return {"own": own, "server": Server(evidence="both")}


def words_of(value: Any) -> Iterator[str]:
    """Every Latin word of the texts in a value."""
    if isinstance(value, str):
        yield from LATIN.findall(value)
    elif isinstance(value, dict):
        for each in value.values():
            yield from words_of(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from words_of(each)


async def collected(page: Page) -> set[str]:
    return set(await page.evaluate(HEARD_AND_READ))


def foreign(texts: set[str], known: set[str]) -> set[str]:
    return {text for text in texts if set(LATIN.findall(text)) - known - NAMES}


async def test_no_english_word_stands_on_the_chinese_page(
    conversations: FakeConversations, visitor: Visitor, served_page: str
) -> None:
    page = visitor.page
    await visitor.open(f"{served_page}zh/")
    found = await collected(page)
    box = page.get_by_role("textbox", name=CHINESE["page"]["message"])
    await box.fill(STORY)
    await box.press("Enter")
    await page.wait_for_selector("article.card")
    await visitor.settled()
    await page.locator("#chat .user-row").hover()
    await page.locator("#chats summary").first.click()
    await page.locator("#chats .more summary").click()
    found |= await collected(page)
    await page.keyboard.press("Escape")
    await page.locator("#chats summary").first.click()
    await page.set_viewport_size({"width": 1280, "height": 460})  # the chat has more than it can show
    await page.locator("#chat .bubble-wrap").hover()
    await page.mouse.wheel(0, -4000)
    await expect(page.locator("#chat .scroll-down-button-container")).to_have_count(1)
    found |= await collected(page)
    await page.set_viewport_size({"width": 1400, "height": 900})
    tabs = page.get_by_role("tab")
    assert await tabs.count() == 6
    for number in range(await tabs.count()):
        await tabs.nth(number).click()
        for opened in (".why > summary", ".node.avoid", "[data-cell='0-0']", "#state-data > button", ".tick"):
            if await page.locator(opened).first.is_visible():
                await page.locator(opened).first.click()
        found |= await collected(page)
    await page.get_by_role("tab", name=CHINESE["tabs"]["state"]).click()
    await page.locator("#state-key input").click()
    found |= await collected(page)
    known = {word for views in conversations.views.values() for view in views for word in words_of(view.model_dump())}
    assert len(found) > 150
    assert foreign(found, known) == set()


async def test_no_english_word_stands_where_a_file_is_brought(visitor: Visitor, served_page: str) -> None:
    page = visitor.page
    await visitor.open(f"{served_page}zh/")
    await page.get_by_role("tab", name=CHINESE["tabs"]["data"]).click()
    file = page.locator("#catalogue-file input[type='file']")
    await file.set_input_files({"name": "清单.csv", "mimeType": "text/csv", "buffer": SHEET.encode()})
    year = page.get_by_label(CHINESE["catalogue"]["fields"]["year"], exact=True)
    await year.click()
    found = await collected(page)
    await page.get_by_role("option", name="年份").click()
    await expect(page.locator("#catalogue-checked details li")).to_have_count(1)
    for summary in await page.locator(".data-intro summary").all():
        await summary.click()
    assert foreign(found | await collected(page), set()) == set()
    await file.set_input_files({"name": "坏.csv", "mimeType": "text/csv", "buffer": b"\0\0\0"})
    await expect(page.locator("#catalogue-status .trouble")).to_be_visible()
    assert foreign(await collected(page), set()) == set()


async def test_a_message_that_is_changed_has_its_buttons_in_the_language_of_the_page(
    visitor: Visitor, served_page: str
) -> None:
    page = visitor.page
    await visitor.open(f"{served_page}zh/")
    box = page.get_by_role("textbox", name=CHINESE["page"]["message"])
    await box.fill("想看一部安静的电影")
    await box.press("Enter")
    await page.wait_for_selector("article.card")
    await visitor.settled()
    words = CHINESE["gradio"]["keys"]
    await page.get_by_role("button", name=words["chatbot.edit"], exact=True).first.click()
    for key in ("chatbot.submit", "chatbot.cancel"):
        await expect(page.get_by_role("button", name=words[key])).to_be_visible()


async def test_who_loses_the_connection_is_told_in_the_language_of_the_page(visitor: Visitor, served_page: str) -> None:
    page = visitor.page
    await visitor.open(f"{served_page}zh/")
    await page.route("**/gradio_api/**", lambda route: route.abort())
    box = page.get_by_role("textbox", name=CHINESE["page"]["message"])
    await box.fill("想看一部安静的电影")
    await box.press("Enter")
    told = CHINESE["gradio"]["texts"]["Connection to the server was lost. Attempting reconnection..."]
    await expect(page.get_by_text(told)).to_be_visible()
    assert foreign(await collected(page), set()) == set()
