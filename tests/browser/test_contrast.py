"""Every text of every tab can be read by day and by night: measured in the browser, not in the palette."""

from typing import Any

import pytest
from playwright.async_api import Browser

from dialogue.composition import Composition
from dialogue.own_domains import OwnDomains
from pdgf.settings import Settings
from tests.browser.conftest import visitor_of
from tests.browser.fake_conversations import STORY

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

LEAST = 4.5  # WCAG 1.4.3
MEASURED = """() => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((part, at) => part * a + under[at] * (1 - a));
  const light = (rgb) => {
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = rgb.map((part) => linear(part / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (part) => {
    const layers = [];
    for (let up = part; up; up = up.parentElement) layers.unshift(rgba(getComputedStyle(up).backgroundColor));
    const box = part.closest("svg .node")?.querySelector(part.matches(".new") ? ".badge" : ".box");
    if (box) layers.push(rgba(getComputedStyle(box).fill));
    return layers.reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const seen = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const part = texts.currentNode.parentElement, words = texts.currentNode.textContent.trim();
    const box = part.getBoundingClientRect(), style = getComputedStyle(part);
    const none = box.width <= 1 || box.height <= 1 || style.visibility !== "visible" || style.fontSize === "0px";
    const exempt = part.closest(".aside, script, style, :disabled") || !part.checkVisibility({ opacityProperty: true });
    if (!words || none || exempt) continue;
    const under = ground(part), colour = rgba(part.closest("svg") ? style.fill : style.color);
    for (let up = part; up; up = up.parentElement) colour[3] *= parseFloat(getComputedStyle(up).opacity);
    const ink = over(colour, under);
    const [dark, bright] = [light(ink), light(under)].sort((one, other) => one - other);
    seen.push([words.slice(0, 40), (bright + 0.05) / (dark + 0.05)]);
  }
  return seen;
}"""


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """With the tab of one's own data."""
    folder = tmp_path_factory.mktemp("own")
    return {"own": OwnDomains(Composition(settings=Settings(data_dir=folder)), folder, 20)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["", "zh/"])
async def test_every_text_stands_out_from_what_is_behind_it(
    chromium: Browser, served_page: str, scheme: str, path: str
) -> None:
    visitor = await visitor_of(chromium, color_scheme=scheme)
    page = visitor.page
    await visitor.open(f"{served_page}{path}")
    seen = dict(await page.evaluate(MEASURED))
    box = page.locator("#message textarea")
    await box.fill(STORY)
    await box.press("Enter")
    await page.wait_for_selector("#picks article")
    await visitor.settled()
    tabs = page.get_by_role("tab")
    assert await tabs.count() == 6
    for number in range(await tabs.count()):
        await tabs.nth(number).click()
        for opened in (".node.avoid", "[data-cell='0-0']"):
            if await page.locator(opened).first.is_visible():
                await page.locator(opened).first.click()
        seen |= dict(await page.evaluate(MEASURED))
    assert len(seen) > 100
    assert {words: round(ratio, 2) for words, ratio in seen.items() if ratio < LEAST} == {}
    await visitor.context.close()
