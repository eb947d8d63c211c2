"""The form of a chosen wish: it stands below the drawing and covers nothing, takes the focus and gives it back; what an
edit would change and has changed is said."""

import re

import pytest
from playwright.async_api import Locator, expect

from dialogue.ui.graph_view import News, render_graph
from dialogue.ui.texts import page_texts
from tests.browser.conftest import Visitor
from tests.browser.test_drawing import drawn, fourteen

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

PLACES = """() => {
    const box = (part) => { const at = part.getBoundingClientRect(); return [at.left, at.top, at.right, at.bottom]; };
    return {
        node: box(document.querySelector('.node[aria-pressed="true"] .box')),
        drawing: box(document.querySelector(".drawing")),
        form: box(document.querySelector(".details")),
        head: box(document.querySelector(".detail:not([hidden]) h3")),
        drop: box(document.querySelector(".detail:not([hidden]) .danger")),
    };
}"""


async def covers_nothing(visitor: Visitor, node: Locator) -> None:
    """The chosen wish is on the screen as a whole, the form below it, its name and buttons on the screen too."""
    await expect(node).to_have_attribute("aria-pressed", "true")
    at = await visitor.page.evaluate(PLACES)
    assert at["drawing"][0] <= at["node"][0] + 1
    assert at["drawing"][1] <= at["node"][1] + 1
    assert at["node"][2] <= at["drawing"][2] + 1
    assert at["node"][3] <= at["drawing"][3] + 1 <= at["form"][1] + 1
    await expect(node.locator(".box")).to_be_in_viewport(ratio=0.99)
    for part in ("h3", ".danger"):
        await expect(visitor.page.locator(f".detail:visible {part}")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(1280, 800), (768, 1024), (390, 844)])
async def test_whichever_wish_is_chosen_it_stays_in_view_beside_its_form(
    visitor: Visitor, served_page: str, size: tuple[int, int]
) -> None:
    page = visitor.page
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await drawn(visitor, served_page)
    await page.locator("#graph section").evaluate(
        "(section, html) => { section.outerHTML = html; }",
        render_graph(fourteen(joined=True), News(), [], page_texts()),
    )
    for number in (0, 6, 13, 9):
        node = page.locator(f'.node[data-node="n{number}"]')
        await node.click()
        await covers_nothing(visitor, node)
        await expect(page.locator(".detail:visible h3")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.locator(".detail:visible")).to_have_count(0)
    await expect(page.locator('.node[data-node="n9"]')).to_be_focused()


@pytest.mark.parametrize("width", [1280, 390])
async def test_where_the_drawing_goes_on_beyond_its_edge_it_fades_out_and_a_sentence_says_so(
    visitor: Visitor, served_page: str, width: int
) -> None:
    page = visitor.page
    await page.set_viewport_size({"width": width, "height": 900})
    await drawn(visitor, served_page)
    await page.locator("#graph section").evaluate(
        "(section, html) => { section.outerHTML = html; }",
        render_graph(fourteen(joined=False), News(), [], page_texts()),
    )
    drawing, further = page.locator(".drawing"), page.locator("#graph .further")
    await expect(further).to_be_hidden()
    await page.locator('.node[data-node="n0"]').click()
    await expect(further).to_be_visible()
    await expect(drawing).to_have_class(re.compile("more-bottom"))
    await expect(drawing).not_to_have_class(re.compile("more-top"))
    await drawing.evaluate("part => part.scrollTo(0, part.scrollHeight)")
    await expect(drawing).to_have_class(re.compile("more-top"))
    await expect(drawing).not_to_have_class(re.compile("more-bottom"))
    ends = """(drawing) => [...drawing.querySelectorAll(".node .box")].at(-1).getBoundingClientRect().bottom
        <= drawing.getBoundingClientRect().bottom"""
    assert await drawing.evaluate(ends)


async def test_every_action_of_a_wish_is_reached_by_tab_from_its_name(visitor: Visitor, served_page: str) -> None:
    await drawn(visitor, served_page)
    page = visitor.page
    await page.locator(".node").first.focus()
    await page.keyboard.press("Enter")
    reached = []
    for _ in range(7):
        await page.keyboard.press("Tab")
        reached.append(await page.evaluate("document.activeElement.innerText || document.activeElement.value"))
    acts = ["Make it a must", "Avoid it instead", "Drop it", "What would change?"]
    assert reached[:4] == acts
    assert reached[5] == "Change"
    await page.keyboard.press("Escape")
    await expect(page.locator(".node").first).to_be_focused()


async def test_what_is_said_of_the_graph_is_one_place_that_stays(visitor: Visitor, served_page: str) -> None:
    await drawn(visitor, served_page)
    page = visitor.page
    voice = page.locator("#graph").locator("xpath=..").locator("p.aside[role=status]")
    await expect(voice).to_have_count(1)
    await voice.evaluate("place => { globalThis.voice = place; }")
    told = News(gone=("romance",), along="This also changed: “slow” is a must.", added=("n3",))
    for graph, news in ((fourteen(joined=False), told), (fourteen(joined=True), News())):
        html = render_graph(graph, news, [], page_texts())
        await page.locator("#graph section").evaluate("(section, html) => { section.outerHTML = html; }", html)
        said = "No longer there: romance. This also changed: “slow” is a must. New wishes: 1." if news is told else ""
        await expect(voice).to_have_text(said)
        assert await voice.evaluate("place => place === globalThis.voice")


ANEW = """(section, html) => {
  const copy = (old, anew) => {
    for (const { name } of [...old.attributes]) if (!anew.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of anew.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    [...old.children].forEach((child, at) => copy(child, anew.children[at]));
  };
  copy(section, new DOMParser().parseFromString(html, "text/html").querySelector("section"));
}"""  # as Gradio does where the tags are those that were there


async def test_what_is_open_stays_open_where_only_attributes_are_drawn_anew(visitor: Visitor, served_page: str) -> None:
    await drawn(visitor, served_page)
    page, section = visitor.page, visitor.page.locator("#graph section")
    await section.evaluate(
        "(section, html) => { section.outerHTML = html; }",
        render_graph(fourteen(joined=True), News(), [], page_texts()),
    )
    await expect(page.locator(".node")).to_have_count(14)
    html = await section.evaluate("section => section.outerHTML")
    await page.locator(".node").nth(3).click()
    await expect(page.locator(".detail:visible")).to_have_count(1)
    await section.evaluate(ANEW, html.replace(' data-drawn="true"', ""))
    await expect(page.locator('.node[aria-pressed="true"]')).to_have_count(1)
    await expect(page.locator(".detail:visible")).to_have_count(1)
    await expect(page.locator("#graph .choose")).to_be_hidden()


async def test_on_a_phone_the_page_stays_at_the_wish_that_is_looked_at(visitor: Visitor, served_page: str) -> None:
    page = visitor.page
    await page.set_viewport_size({"width": 390, "height": 844})
    await drawn(visitor, served_page)
    node = page.locator(".node").first
    await node.click()
    await covers_nothing(visitor, node)
    await page.locator("#graph section").evaluate("(section) => { section.outerHTML = `${section.outerHTML}`; }")
    await page.locator("#graph .choose").evaluate("() => new Promise(requestAnimationFrame)")
    await covers_nothing(visitor, node)
