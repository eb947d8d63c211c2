"""How the page is laid out and reached: keyboard, focus, narrow screens, the drawing of the wishes."""

from itertools import pairwise

import pytest
from playwright.async_api import expect

from dialogue.ui.graph_view import News, render_graph
from dialogue.ui.texts import page_texts
from pdgf.models import Node, PreferenceGraph, QualificationEdge
from tests.browser.conftest import PARTIAL, Visitor, waiting_in_mid_turn
from tests.browser.fake_conversations import DOMAINS, STORY

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]


async def test_the_domain_is_one_tab_stop_and_the_arrow_keys_choose(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await expect(visitor.page.get_by_role("radiogroup", name="Looking for")).to_be_visible()
    await visitor.page.get_by_role("radio", name="Films").focus()
    for key, domain, example in (("ArrowRight", "Books", 1), ("ArrowRight", "Anime", 2), ("ArrowLeft", "Books", 1)):
        await visitor.page.keyboard.press(key)
        chosen = visitor.page.get_by_role("radio", name=domain)
        await expect(chosen).to_be_checked()
        await expect(visitor.page.get_by_role("button", name=DOMAINS[example].examples[0])).to_be_visible()
        await expect(chosen).to_be_focused()
    await visitor.page.keyboard.press("Tab")
    await expect(visitor.page.locator("#chats summary").first).to_be_focused()


async def test_a_line_break_inside_a_word_is_sent_as_typed(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    box = visitor.page.get_by_role("textbox", name="Your message")
    await box.focus()
    await visitor.page.keyboard.type("A quiet lighthouse")
    for _ in "house":
        await visitor.page.keyboard.press("ArrowLeft")
    await visitor.page.keyboard.press("Shift+Enter")
    await visitor.page.keyboard.type("ware")
    await expect(box).to_have_value("A quiet light\nwarehouse")
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(0)
    await visitor.page.keyboard.press("Enter")
    said = visitor.page.locator("#chat .user-row")
    await expect(said).to_have_count(1)
    await visitor.settled()
    assert (await said.locator(".message").first.inner_text()).strip() == "A quiet light\nwarehouse"


async def test_nothing_jumps_when_a_turn_starts_and_nothing_covers_the_suggestions(
    visitor: Visitor, served_page: str
) -> None:
    await visitor.page.set_viewport_size({"width": 1280, "height": 800})
    await visitor.open(served_page)
    await expect(visitor.page.get_by_role("button", name=STORY)).to_be_visible()
    places = """() => ["#chat", "#status", "#message", "#tabs"].map(
        (part) => document.querySelector(part).getBoundingClientRect().top)"""
    before = await visitor.page.evaluate(places)
    await visitor.write(f"slowly {STORY}")
    await expect(visitor.page.locator("#chat")).to_contain_text(PARTIAL)
    assert await visitor.page.evaluate(places) == before
    await visitor.page.get_by_role("button", name="Stop").click()
    await visitor.settled()
    await visitor.say(STORY)
    assert await visitor.page.evaluate(places) == before
    for suggestion in await visitor.page.locator("#strip button").all():
        await suggestion.scroll_into_view_if_needed()
        await expect(suggestion).to_be_in_viewport(ratio=1)
        await suggestion.click(trial=True)
        apart = """(button) => button.getBoundingClientRect().bottom
            <= document.querySelector("#compose").getBoundingClientRect().top"""
        assert await suggestion.evaluate(apart)


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
async def test_a_long_chain_of_wishes_scrolls_in_its_box_and_says_so(
    visitor: Visitor, served_page: str, size: tuple[int, int]
) -> None:
    await visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    await visitor.open(served_page)
    await visitor.say(STORY)
    await visitor.page.get_by_role("tab", name="Graph").click()
    hint = visitor.page.locator("#graph .sideways")
    await expect(hint).to_be_visible(visible=size[0] < 1000)  # three columns fit the wide page
    names = [f"n{index}" for index in range(5)]
    chain = PreferenceGraph(
        narrative="",
        nodes=tuple(Node(id=name, atom="a", perspective="tone", instantiation=f"wish {name}") for name in names),
        edges=tuple(QualificationEdge(base=base, qualifier=qualifier) for base, qualifier in pairwise(names)),
        order=tuple(names),
    )
    await visitor.page.locator("#graph section").evaluate(
        "(section, html) => { section.outerHTML = html; }", render_graph(chain, News(), [], page_texts())
    )
    await expect(hint).to_be_visible()
    drawing, last = visitor.page.locator(".drawing"), visitor.page.get_by_role("button", name="wish n4")
    letters = """(drawing) => { const svg = drawing.querySelector("svg");
        return 13.5 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width; }"""
    assert await drawing.evaluate(letters) >= 12
    await last.focus()
    await last.scroll_into_view_if_needed()
    await expect(last).to_be_in_viewport(ratio=1)
    inside = """(node) => node.getBoundingClientRect().right
        <= node.closest(".drawing").getBoundingClientRect().right"""
    assert await last.evaluate(inside)
    assert await visitor.page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize("offered", [4, 5])
@pytest.mark.parametrize("path", ["", "zh/"])
async def test_nothing_of_the_top_of_the_page_is_cut_off_whatever_there_is_to_choose(
    visitor: Visitor, served_page: str, path: str, offered: int
) -> None:
    page = visitor.page
    await visitor.open(f"{served_page}{path}")
    last = page.locator("#domain label").last
    for _ in range(offered - len(DOMAINS)):
        await last.evaluate("label => label.after(label.cloneNode(true))")
    await page.locator("#links a").first.evaluate(
        "(link, words) => { const out = link.cloneNode(true); out.textContent = words; link.after(out); }",
        page_texts("zh" if path else "en")["login"]["leave"],
    )
    assert await page.locator("#domain label").count() == offered
    for width in (1200, 1280, 1440, 1700):
        await page.set_viewport_size({"width": width, "height": 900})
        cut = """() => [...document.querySelectorAll("#domain label, #chats summary, #new, #links a")].filter(part => {
            const at = part.getBoundingClientRect(), wrap = part.closest(".wrap")?.getBoundingClientRect();
            const over = wrap && (at.right > wrap.right + 1 || at.left < wrap.left - 1);
            return at.right > innerWidth || at.left < 0 || over;
        }).map((part) => part.textContent)"""
        assert await page.evaluate(cut) == [], width


async def test_no_focus_ring_is_cut_off(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    await visitor.page.locator("#message textarea").focus()
    cut = """() => {
        const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
        if (style.outlineStyle === "none" || at.closest("#chat, svg")) return null;
        const reach = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
        for (let up = at.parentElement; up && up !== document.body; up = up.parentElement) {
            const clip = getComputedStyle(up), edge = up.getBoundingClientRect();
            if (clip.overflowX !== "visible" && (box.left - reach < edge.left || box.right + reach > edge.right)
                || clip.overflowY === "hidden" && (box.top - reach < edge.top || box.bottom + reach > edge.bottom))
                return `${at.textContent.trim()} in ${up.id || up.className}`;
        }
        return at.textContent.trim() || at.tagName;
    }"""
    seen = []
    for _ in range(14):
        await visitor.page.keyboard.press("Tab")
        seen.append(await visitor.page.evaluate(cut))
    assert {"Picks", "Accept"} <= set(seen)
    assert not [name for name in seen if name and " in " in name]


async def test_a_wish_opens_its_details_by_click_and_by_key(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    await visitor.page.get_by_role("tab", name="Graph").click()
    detail = visitor.page.locator(".detail:visible")
    banter = visitor.page.get_by_role("button", name="Wanted: banter")
    await banter.click()
    await expect(detail).to_contain_text("In your words")
    await expect(detail).to_contain_text("They court by quarrelling")
    await expect(banter).to_have_attribute("aria-pressed", "true")
    await visitor.page.get_by_role("button", name="Must avoid: an animal dies").focus()
    await visitor.page.keyboard.press("Enter")
    await expect(detail).to_have_count(1)
    await expect(detail).to_contain_text("The old dog does not survive")


async def test_the_text_of_every_wish_fits_its_box(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    await visitor.page.get_by_role("tab", name="Graph").click()
    await visitor.page.locator(".node").first.wait_for()
    outside = await visitor.page.evaluate(
        """() => [...document.querySelectorAll(".node text")].filter((text) => {
            const line = text.getBBox(), box = text.parentElement.querySelector(".box").getBBox();
            return line.x < box.x || line.x + line.width > box.x + box.width || line.y + line.height > box.height;
        }).map((text) => text.textContent)"""
    )
    assert outside == []


async def test_a_narrow_screen_never_scrolls_sideways(visitor: Visitor, served_page: str) -> None:
    await visitor.page.set_viewport_size({"width": 390, "height": 844})
    await visitor.open(served_page)
    await visitor.say(STORY)
    for tab in ("Picks", "Graph", "Evidence", "State", "Settings"):
        await visitor.page.get_by_role("tab", name=tab).click()
        assert await visitor.page.evaluate("document.documentElement.scrollWidth") <= 390
        assert await visitor.page.locator("#results").evaluate("box => box.getBoundingClientRect().right") <= 390


async def test_a_word_without_end_is_broken_and_widens_nothing(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say(f"something slow {'x' * 400}")
    for width in (390, 1280):
        await visitor.page.set_viewport_size({"width": width, "height": 844})
        widths = await visitor.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert widths[0] <= widths[1]


async def test_stop_can_be_reached_on_a_narrow_screen_without_scrolling(visitor: Visitor, served_page: str) -> None:
    await visitor.page.set_viewport_size({"width": 390, "height": 844})
    await waiting_in_mid_turn(visitor, served_page)
    await expect(visitor.page.locator("#stop")).to_be_in_viewport(ratio=1)
    await visitor.page.locator("#stop").click()
    await visitor.settled()


@pytest.mark.parametrize("path", ["", "zh/"])
async def test_the_top_of_the_page_takes_one_line_or_two(visitor: Visitor, served_page: str, path: str) -> None:
    await visitor.open(f"{served_page}{path}")
    for width, most in ((1440, 1), (1280, 1), (768, 2), (390, 2), (320, 2)):
        await visitor.page.set_viewport_size({"width": width, "height": 844})
        parts = await visitor.page.evaluate(
            """() => ["#header", "#chats summary", "#new", "#links a", "#domain .wrap:has(label)"].map((part) => {
                const at = document.querySelector(part).getBoundingClientRect();
                return [at.left, at.top, at.right, at.bottom]; })"""
        )
        lines: list[tuple[float, float]] = []
        for _, top, _, bottom in sorted(parts, key=lambda at: at[1]):
            if lines and top < lines[-1][1]:
                lines[-1] = (lines[-1][0], max(lines[-1][1], bottom))
            else:
                lines.append((top, bottom))
        assert len(lines) <= most
        assert lines[-1][1] <= 130
        for at, (left, top, right, bottom) in enumerate(parts):
            assert 0 <= left < right <= width
            assert right - left >= 24
            assert bottom - top >= (24 if at else 20)  # the name is no button
            for other_left, other_top, other_right, other_bottom in parts[at + 1 :]:
                assert right <= other_left or other_right <= left or bottom <= other_top or other_bottom <= top
        for _ in range(4):  # it stands where it stood before
            await visitor.page.locator("#chats summary").first.click()
            await expect(visitor.page.locator("#chats .drawer")).to_be_visible()
            drawer = await visitor.page.locator("#chats .drawer").bounding_box()
            assert drawer is not None
            assert drawer["x"] >= 0
            assert drawer["x"] + drawer["width"] <= width
            assert await visitor.page.evaluate("document.documentElement.scrollWidth") <= width
            await visitor.page.keyboard.press("Escape")
            await expect(visitor.page.locator("#chats .drawer")).to_be_hidden()
