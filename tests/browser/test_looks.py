"""What the eye sees: three picks at once, one accent colour, and nothing that lies over words."""

import pytest
from playwright.async_api import Browser, expect

from dialogue.ui.theme import DAY, NIGHT
from tests.browser.conftest import Visitor, visitor_of
from tests.browser.fake_conversations import STORY

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

COLOURS = """(palette) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const hex = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return a < 250 ? null : "#" + [r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("");
  };
  const strange = {};
  for (const part of document.body.querySelectorAll("*")) {
    const box = part.getBoundingClientRect(), shown = { opacityProperty: true, visibilityProperty: true };
    if (!part.checkVisibility(shown) || box.width < 2 || box.height < 2) continue;
    const style = getComputedStyle(part), colours = [style.backgroundColor];
    const words = [...part.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (words.length) colours.push(style.color);
    for (const side of ["Top", "Right", "Bottom", "Left"])
      if (parseFloat(style[`border${side}Width`])) colours.push(style[`border${side}Color`]);
    if (part.matches("svg :is(rect, path, text)")) colours.push(style.fill === "none" ? style.stroke : style.fill);
    for (const colour of colours.map(hex))
      if (colour && !palette.includes(colour)) strange[colour] = part.outerHTML.slice(0, 90);
  }
  return strange;
}"""
COVERED = """() => {
  const words = [...document.querySelectorAll("#chat .message .prose, #chat .message .message-content")];
  const over = [...document.querySelectorAll("#chat button")].filter((button) => !button.closest(".message"));
  const shown = (part) => part.checkVisibility({ visibilityProperty: true }) && part.getBoundingClientRect().width > 1;
  const apart = (one, other) => one.right <= other.left + 1 || one.bottom <= other.top + 1;
  const meet = (one, other) => !apart(one, other) && !apart(other, one);
  const places = words.filter(shown).map((part) => part.getBoundingClientRect());
  return over.filter(shown).filter((button) => places.some((place) => meet(button.getBoundingClientRect(), place)))
    .map((button) => button.outerHTML.slice(0, 120));
}"""


@pytest.mark.parametrize("path", ["", "zh/"])
async def test_three_picks_are_in_sight_at_once_with_the_first_words_of_why(
    visitor: Visitor, served_page: str, path: str
) -> None:
    page = visitor.page
    await page.set_viewport_size({"width": 1280, "height": 900})
    await visitor.open(f"{served_page}{path}")
    box = page.locator("#message textarea")
    await box.fill(STORY)
    await box.press("Enter")
    await expect(page.locator("article.card")).to_have_count(3)
    await visitor.settled()
    for title in await page.locator("article.card h3").all():
        await expect(title).to_be_in_viewport(ratio=1)
    for lead in (await page.locator("article.card .why .lead").all())[:2]:
        await expect(lead).to_be_in_viewport(ratio=1)
    await expect(page.locator("article.card .caution")).to_be_in_viewport(ratio=1)  # what the third one breaks
    first = page.locator("article.card").first
    await expect(first.locator("blockquote").first).to_be_hidden()
    await first.locator(".why summary").focus()
    await page.keyboard.press("Enter")
    for quote in await first.locator("blockquote").all():
        await expect(quote).to_be_visible()
    assert await first.locator("blockquote").count() == 6


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_colour_of_every_tab_is_one_of_the_palette(
    chromium: Browser, served_page: str, scheme: str
) -> None:
    visitor = await visitor_of(chromium, color_scheme=scheme)
    palette = [*(DAY if scheme == "light" else NIGHT).values()]
    page = visitor.page
    await visitor.open(served_page)
    strange = dict(await page.evaluate(COLOURS, palette))
    await visitor.say(STORY)
    tabs = page.get_by_role("tab")
    for number in range(await tabs.count()):
        await tabs.nth(number).click()
        for opened in (".tick", ".node.avoid", "[data-cell='0-0']", "#state-must input"):
            if await page.locator(opened).first.is_visible():
                await page.locator(opened).first.click()
        strange |= dict(await page.evaluate(COLOURS, palette))
    assert strange == {}
    await visitor.context.close()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
async def test_no_button_of_the_chat_lies_over_words(visitor: Visitor, served_page: str, size: tuple[int, int]) -> None:
    page = visitor.page
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await visitor.open(served_page)
    for _ in range(2):
        await visitor.say(STORY)
    assert await page.evaluate(COVERED) == []
    await page.locator("#chat .bubble-wrap").evaluate("box => { box.scrollTop = box.scrollHeight / 3; }")
    await page.locator("#chat .user-row").last.hover()
    assert await page.evaluate(COVERED) == []
