"""The page without a mouse or without eyes: every control has a name, is reached by Tab and shows that it has the
focus; who wants no motion gets none."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page

from dialogue.composition import Composition
from dialogue.own_domains import OwnDomains
from dialogue.ui.desk import Server
from pdgf.settings import Settings
from tests.browser.conftest import Visitor, visitor_of, waiting_in_mid_turn
from tests.browser.fake_conversations import STORY

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

CONTROLS = "button, a[href], summary, input, select, textarea, [role=tab], [tabindex='0']"
NAMELESS = """(controls) => [...document.querySelectorAll(controls)].filter((part) => {
    if (!part.checkVisibility({ visibilityProperty: true }) || part.type === "file") return false;
    const ids = (part.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean);
    const by = ids.map((id) => document.getElementById(id)?.textContent);
    const labels = [...(part.labels ?? [])].map((label) => label.textContent);
    const inside = part.matches("input, select, textarea") ? "" : part.textContent;
    const names = [part.getAttribute("aria-label"), ...by, ...labels, inside, part.getAttribute("title")];
    return !names.some((name) => name?.trim());
}).map((part) => part.outerHTML.slice(0, 160))"""
REACHABLE = """(controls) => {
  const group = {};
  return [...document.querySelectorAll(controls)].filter((part) => {
    const shown = part.checkVisibility({ visibilityProperty: true });
    if (!shown || part.disabled || part.tabIndex < 0 || part.type === "file") return false;
    if (part.type !== "radio") return true;  // one stop a group
    const first = !group[part.name];
    group[part.name] = true;
    return first;
  }).length;
}"""
FOCUSED = """() => {
  const part = document.activeElement;
  if (!part || part === document.body) return null;
  part.dataset.reached ??= String(Math.random());
  const around = [part, part.closest("label"), part.closest(".wrap")].filter(Boolean);
  const looks = around.map((one) => getComputedStyle(one));
  const outlined = ({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  const ring = looks.some((look) => outlined(look) || look.boxShadow !== "none");
  const drawn = part.matches(".node") && getComputedStyle(part.querySelector(".box")).strokeWidth === "5px";
  return [part.dataset.reached, ring || drawn, part.outerHTML.slice(0, 140)];
}"""
MOVING = """() => document.getAnimations().filter((one) => one.playState === "running"
    && one.effect.getComputedTiming().duration * one.effect.getComputedTiming().iterations > 100)
    .map((one) => one.effect.target.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """With everything that a page may offer."""
    folder = tmp_path_factory.mktemp("own")
    own = OwnDomains(Composition(settings=Settings(data_dir=folder)), folder, 20)
    return {"own": own, "server": Server(evidence="both")}


async def opened(page: Page, number: int) -> None:
    """A tab with what can be opened in it."""
    await page.get_by_role("tab").nth(number).click()
    for place in (".node.avoid", "#state-data > button"):
        if await page.locator(place).first.is_visible():
            await page.locator(place).first.click()


async def test_every_control_has_a_name(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    assert await visitor.page.evaluate(NAMELESS, CONTROLS) == []
    await visitor.say(STORY)
    for number in range(await visitor.page.get_by_role("tab").count()):
        await opened(visitor.page, number)
        assert await visitor.page.evaluate(NAMELESS, CONTROLS) == []


@pytest.mark.long
async def test_tab_reaches_everything_and_the_focus_is_always_seen(visitor: Visitor, served_page: str) -> None:
    page = visitor.page
    await visitor.open(served_page)
    await visitor.say(STORY)
    assert await page.get_by_role("tab").count() == 6
    for number in range(6):
        await opened(page, number)
        wanted = await page.evaluate(REACHABLE, CONTROLS)
        await page.evaluate("() => document.activeElement.blur()")
        reached: dict[str, list[Any]] = {}
        for _ in range(wanted + 40):
            await page.keyboard.press("Tab")
            found = await page.evaluate(FOCUSED)
            if found is not None:
                reached[found[0]] = found
            if len(reached) >= wanted:
                break
        assert [html for _, ring, html in reached.values() if not ring] == []
        assert len(reached) >= wanted, number


@pytest.mark.long
async def test_who_wants_no_motion_gets_none(chromium: Browser, served_page: str) -> None:
    visitor = await visitor_of(chromium, reduced_motion="reduce")
    await waiting_in_mid_turn(visitor, served_page)
    for tab in ("Picks", "Graph", "Evidence"):
        await visitor.page.get_by_role("tab", name=tab).click()
        assert await visitor.page.evaluate(MOVING) == []
    await visitor.page.locator("#stop").click()
    await visitor.settled()
    await visitor.context.close()


@pytest.mark.long
async def test_what_a_script_moves_is_at_its_end_at_once_for_who_wants_no_motion(
    chromium: Browser, served_page: str
) -> None:
    for wanted, seconds in (("reduce", [0.001, 60]), ("no-preference", [60, 60])):
        visitor = await visitor_of(chromium, reduced_motion=wanted)
        await visitor.open(served_page)
        made = """() => [1, Infinity].map((iterations) => document.body.animate(
            [{ opacity: 0 }, { opacity: 1 }], { duration: 60_000, iterations }).effect.getTiming().duration / 1000)"""
        assert await visitor.page.evaluate(made) == seconds
        await visitor.context.close()
