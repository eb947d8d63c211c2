"""The drawing of many wishes in a real browser: no overlap, nothing out of reach, no motion that was not wanted."""

import pytest
from playwright.async_api import expect

from dialogue.ui.graph_view import News, render_graph
from dialogue.ui.texts import page_texts
from pdgf.models import Node, Polarity, PreferenceGraph, QualificationEdge
from tests.browser.conftest import Visitor
from tests.browser.fake_conversations import STORY

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]


async def drawn(visitor: Visitor, url: str) -> None:
    await visitor.open(url)
    await visitor.say(STORY)
    await visitor.page.get_by_role("tab", name="Graph").click()


def fourteen(*, joined: bool) -> PreferenceGraph:
    """Fourteen wishes with long words: a web of them, or such as hang together with nothing."""
    pairs = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 4), (2, 5), (3, 6), (4, 6), (5, 7), (0, 8), (8, 9), (9, 6), (0, 6)]
    nodes = tuple(
        Node(
            id=f"n{number}",
            atom="a",
            perspective="relationship",
            instantiation=f"wish {number} with a good many words to say it" if number % 3 else f"wish {number}",
            polarity=Polarity.AVOID if number % 5 == 4 else Polarity.WANT,
            hard=number % 4 == 0,
        )
        for number in range(14)
    )
    edges = tuple(QualificationEdge(base=f"n{u}", qualifier=f"n{v}") for u, v in pairs) if joined else ()
    return PreferenceGraph(narrative="", nodes=nodes, edges=edges, order=tuple(node.id for node in nodes))


@pytest.mark.parametrize("joined", [True, False])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
async def test_fourteen_wishes_do_not_overlap_and_can_all_be_reached(
    visitor: Visitor, served_page: str, size: tuple[int, int], joined: bool
) -> None:
    await visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    await drawn(visitor, served_page)
    news = News(added=("n3",), changed=("n4",))
    await visitor.page.locator("#graph section").evaluate(
        "(section, html) => { section.outerHTML = html; }",
        render_graph(fourteen(joined=joined), news, [], page_texts()),
    )
    boxes = await visitor.page.locator(".node .box").evaluate_all(
        "boxes => boxes.map((box) => box.getBoundingClientRect()).map((at) => [at.left, at.top, at.right, at.bottom])"
    )
    assert len(boxes) == 14
    for index, (left, top, right, bottom) in enumerate(boxes):
        for other_left, other_top, other_right, other_bottom in boxes[index + 1 :]:
            assert right < other_left or other_right < left or bottom < other_top or other_bottom < top
    assert await visitor.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    last = visitor.page.locator(".node").last
    await last.focus()
    await visitor.page.keyboard.press("Enter")
    form = visitor.page.locator(".detail:visible")
    await expect(form).to_contain_text("wish 13")
    covered = await last.evaluate(
        """(node) => node.getBoundingClientRect().bottom
            > document.querySelector("#graph .details").getBoundingClientRect().top"""
    )
    assert not covered
    widths = {
        kind: await visitor.page.locator(f".node.{kind} .box").first.evaluate(
            "box => getComputedStyle(box).strokeWidth"
        )
        for kind in ("hard", "soft")
    }
    assert widths["hard"] != widths["soft"]
    dashes = [
        await visitor.page.locator(f".node.{kind} .box").first.evaluate("box => getComputedStyle(box).strokeDasharray")
        for kind in ("want", "avoid")
    ]
    assert dashes[0] != dashes[1]


async def test_nothing_moves_for_whoever_asked_for_less_motion(visitor: Visitor, served_page: str) -> None:
    await visitor.page.emulate_media(reduced_motion="reduce")
    await drawn(visitor, served_page)
    moving = """() => [...document.querySelectorAll("#graph *, #evidence *, #state *, #picks *")].filter((part) => {
        const style = getComputedStyle(part);
        const long = (times) => times.split(", ").some((time) => parseFloat(time) > 0.01);
        return (style.animationName !== "none" && long(style.animationDuration)) || long(style.transitionDuration);
    }).length"""
    assert await visitor.page.evaluate(moving) == 0
