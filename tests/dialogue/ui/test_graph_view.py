"""The Graph tab: what is drawn, what it says to a screen reader, and that no text becomes markup."""

import re
from typing import Any
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from dialogue.ui.graph_view import (
    BOX_WIDTH,
    CAPTION_FONT,
    FONT,
    LINES_SHOWN,
    PADDING,
    draw,
    render_graph,
    text_width,
    wrapped,
)
from dialogue.ui.layered import COLUMN_GAP, MARGIN
from dialogue.ui.texts import page_texts
from pdgf.models import Label, Node, Polarity, PreferenceGraph, QualificationEdge

TEXTS = page_texts()
NARRATIVE = "A fantasy with banter, nothing bleak."


def node(index: int, text: str, **more: Any) -> Node:
    return Node(id=f"n{index}", atom="a0", perspective="tone", instantiation=text, **more)


def graph(*nodes: Node, edges: tuple[tuple[int, int], ...] = ()) -> PreferenceGraph:
    return PreferenceGraph(
        narrative=NARRATIVE,
        nodes=nodes,
        edges=tuple(QualificationEdge(base=f"n{u}", qualifier=f"n{v}") for u, v in edges),
        order=tuple(row.id for row in nodes),
    )


def item(title: str, evidence: dict[str, tuple[Label, str]]) -> dict[str, Any]:
    return {
        "title": title,
        "paths": [],
        "evidence": [{"node": at, "label": label.value, "quote": quote} for at, (label, quote) in evidence.items()],
    }


WISHES = graph(
    node(0, "fantasy", span=(2, 9), feature="It is a fantasy."),
    node(1, "banter", span=(15, 21), hard=True),
    node(2, "bleak", polarity=Polarity.AVOID, hard=True),
    edges=((0, 1), (0, 2)),
)


def test_wanted_and_avoided_hard_and_soft_are_drawn_differently() -> None:
    html = render_graph(WISHES, (), [], TEXTS)
    assert 'class="node want soft"' in html
    assert 'class="node want hard"' in html
    assert 'class="node avoid hard"' in html
    assert html.count('marker-end="url(#arrowhead)"') == 2


def test_each_wish_can_be_reached_by_keyboard_and_has_a_name() -> None:
    html = render_graph(WISHES, (), [], TEXTS)
    assert html.count('role="button" tabindex="0"') == 3
    assert 'aria-label="Must avoid · tone: bleak"' in html


def test_only_what_was_added_is_highlighted() -> None:
    html = render_graph(WISHES, ("n1",), [], TEXTS)
    assert html.count('class="halo"') == 1
    assert html.count(" added") == 2  # the node and the key of the legend


def test_details_name_the_source_words_the_neighbours_and_what_the_picks_say() -> None:
    picks = [item("The Lantern Road", {"n1": (Label.SUPPORT, "They court by quarrelling.")}), item("Ashes", {})]
    html = render_graph(WISHES, (), picks, TEXTS)
    assert "<dd>“banter”</dd>" in html
    assert "<dt>Narrows</dt><dd>fantasy</dd>" in html
    assert "<dt>Narrowed by</dt><dd>banter, bleak</dd>" in html
    assert "<q>They court by quarrelling.</q>" in html
    assert html.count("silent") == 5  # two picks at three wishes, one of which is supported


def test_without_wishes_there_is_an_invitation() -> None:
    assert "No wishes yet" in render_graph(PreferenceGraph(narrative=""), (), [], TEXTS)


@given(st.text(min_size=1, max_size=80), st.booleans())
def test_no_text_of_a_wish_becomes_markup(text: str, hard: bool) -> None:
    printable = "".join(sign for sign in text if sign.isprintable()) or "x"
    hostile = f'{printable}"><script>x</script>'
    html = render_graph(graph(node(0, hostile, hard=hard, feature=hostile)), ("n0",), [], TEXTS)
    svg = html[html.index("<svg") : html.index("</svg>") + len("</svg>")]
    assert "<script" not in html
    drawn = {element.tag for element in ElementTree.fromstring(svg).iter()}  # noqa: S314 (our own drawing)
    assert drawn <= {"svg", "defs", "marker", "path", "g", "rect", "text"}


@given(st.text(max_size=200))
def test_wrapped_lines_fit_their_box(text: str) -> None:
    lines = wrapped(text, BOX_WIDTH - 2 * PADDING, FONT, LINES_SHOWN)
    assert 1 <= len(lines) <= LINES_SHOWN
    assert all(text_width(line, FONT) <= BOX_WIDTH - 2 * PADDING for line in lines)


@given(st.lists(st.sampled_from(["slow", "romance", "between", "strangers"]), max_size=LINES_SHOWN))
def test_a_short_text_loses_no_word(words: list[str]) -> None:
    lines = wrapped(" ".join(words), BOX_WIDTH - 2 * PADDING, FONT, LINES_SHOWN)
    assert " ".join(lines).split() == words


def test_a_long_text_ends_in_an_ellipsis() -> None:
    assert wrapped("word " * 100, BOX_WIDTH - 2 * PADDING, FONT, LINES_SHOWN)[-1].endswith("…")


def test_a_drawing_shrinks_only_as_far_as_its_smallest_letters_stay_legible() -> None:
    chain = graph(*(node(index, f"wish {index}") for index in range(5)), edges=((0, 1), (1, 2), (2, 3), (3, 4)))
    sizes = re.search(r"--full: (\d+)px; --least: (\d+)px", render_graph(chain, (), [], TEXTS))
    assert sizes is not None
    full, least = map(int, sizes.groups())
    assert full == 5 * BOX_WIDTH + 4 * COLUMN_GAP + 2 * MARGIN
    assert CAPTION_FONT * least / full >= 12.0
    assert least < full


def test_a_longer_text_makes_a_higher_box() -> None:
    low, high = draw(graph(node(0, "short"), node(1, "a text that needs at least two lines")), (), TEXTS).boxes
    assert high.height > low.height
