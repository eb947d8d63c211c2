"""Every tab as it looks, kept in `tests/browser/artefacts/` to be looked at: wide, narrow, dark, Chinese."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.async_api import Browser

from tests.browser.conftest import visitor_of
from tests.browser.fake_conversations import STORY

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

ARTEFACTS = Path(__file__).parent / "artefacts"
WIDE, NARROW = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
LOOKS = {
    "wide": ("", WIDE, "light"),
    "wide-dark": ("", WIDE, "dark"),
    "narrow": ("", NARROW, "light"),
    "narrow-dark": ("", NARROW, "dark"),
    "chinese": ("zh/", WIDE, "light"),
}


@pytest.mark.parametrize("look", LOOKS)
async def test_every_tab_shows_something_and_a_dark_page_is_dark(
    chromium: Browser, served_page: str, look: str
) -> None:
    path, viewport, scheme = LOOKS[look]
    visitor = await visitor_of(chromium, viewport=viewport, color_scheme=scheme)
    ARTEFACTS.mkdir(exist_ok=True)
    await visitor.open(f"{served_page}{path}")
    box = visitor.page.locator("#message textarea")
    await box.fill(STORY)
    await box.press("Enter")
    await visitor.page.wait_for_selector("#picks article")
    tabs = visitor.page.get_by_role("tab")
    assert await tabs.count() >= 5
    for number in range(await tabs.count()):
        await tabs.nth(number).click()
        await visitor.page.locator("#results").scroll_into_view_if_needed()
        picture = await visitor.page.screenshot(path=ARTEFACTS / f"{look}-{number + 1}.png", animations="disabled")
        light = np.asarray(Image.open(BytesIO(picture)).convert("L"), np.float32) / 255
        assert light.std() > 0.02, "a page of one colour shows nothing"
        assert bool(light.mean() < 0.5) is (scheme == "dark")
    await visitor.context.close()
