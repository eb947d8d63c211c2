"""The Graph tab: what is drawn, what it says to a screen reader, and that no text becomes markup."""

import json
import re
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.models import ConstraintValue, DialogueState
from dialogue.ui.graph_view import (
    BOX_WIDTH,
    CAPTION_FONT,
    FONT,
    LINES_SHOWN,
    PADDING,
    News,
    WhatIf,
    details_of,
    draw,
    render_graph,
    text_width,
    wrapped,
)
from dialogue.ui.layered import COLUMN_GAP, MARGIN
from dialogue.ui.panels import limits_of
from dialogue.ui.texts import page_texts
from pdgf.models import Label, Node, Polarity, PreferenceGraph, QualificationEdge

TEXTS = page_texts()
NARRATIVE = "A fantasy with banter, nothing bleak."


def node(index: int, text: str, **more: Any) -> Node:
    return Node(**{"id": f"n{index}", "atom": "a0", "perspective": "tone", "instantiation": text, **more})


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
    html = render_graph(WISHES, News(), [], TEXTS)
    assert 'class="node want soft"' in html
    assert 'class="node want hard"' in html
    assert 'class="node avoid hard"' in html
    assert html.count('marker-end="url(#arrowhead)"') == 2


def test_each_wish_can_be_reached_by_keyboard_and_has_a_name() -> None:
    html = render_graph(WISHES, News(), [], TEXTS)
    assert html.count('role="button" tabindex="0"') == 3
    assert 'aria-label="Must avoid: bleak"' in html


def test_only_what_was_added_is_highlighted() -> None:
    html = render_graph(WISHES, News(added=("n1",)), [], TEXTS)
    assert html.count('class="halo"') == 1
    assert html.count(" added") == 2  # the node and the key of the legend


def test_details_name_the_source_words_the_neighbours_and_what_the_picks_say() -> None:
    picks = [item("The Lantern Road", {"n1": (Label.SUPPORT, "They court by quarrelling.")}), item("Ashes", {})]
    html = render_graph(WISHES, News(), picks, TEXTS)
    assert "<dd>“banter”</dd>" in html
    assert "<dt>Narrows</dt><dd>fantasy</dd>" in html
    assert "<dt>Narrowed by</dt><dd>banter, bleak</dd>" in html
    assert "“They court by quarrelling.”</span>" in html
    assert "1 of 2 picks say something about it." in html
    assert html.count("not mentioned") == 5  # two picks at three wishes, one of which is supported


def edits_in(html: str) -> list[dict[str, str]]:
    return [json.loads(unescape(found)) for found in re.findall(r'data-edit="([^"]*)"', html)]


def test_each_wish_can_be_dropped_weighed_turned_round_and_reworded() -> None:
    acts = [(edit["act"], edit["node"]) for edit in edits_in(render_graph(WISHES, News(), [], TEXTS))]
    assert acts == [
        *(("must", "n0"), ("avoid", "n0"), ("drop", "n0"), ("reword", "n0")),
        *(("nice", "n1"), ("avoid", "n1"), ("drop", "n1"), ("reword", "n1")),
        *(("nice", "n2"), ("want", "n2"), ("drop", "n2"), ("reword", "n2")),
    ]


def test_a_box_says_in_the_language_of_the_page_whether_its_wish_is_wanted_and_no_kind_that_was_read_from_it() -> None:
    html = render_graph(WISHES, News(), [], page_texts("zh"))
    assert 'aria-label="绝不能有: bleak"' in html
    assert "tone" not in html


def test_wishes_of_one_breath_name_one_another_and_those_that_an_arrow_joins_do_not() -> None:
    apart = node(3, "by the sea", atom="a1")
    details = details_of(graph(*WISHES.nodes, apart, edges=((0, 1),)), [], TEXTS)
    assert [detail.beside for detail in details] == [("bleak",), ("bleak",), ("fantasy", "banter"), ()]


@pytest.mark.parametrize("limit", ["after 1990", "not older than 10 years", "2000年以后"])
def test_when_something_was_made_is_such_a_limit_and_how_long_or_about_when_it_is_are_none(limit: str) -> None:
    def said(*texts: str) -> tuple[ConstraintValue, ...]:
        return tuple(ConstraintValue(text=text, span=(1, 0, 1)) for text in texts)

    held = {"era_year": said(limit), "setting": said("set in the 80s"), "length_format": said("under two hours")}
    assert limits_of(DialogueState(hard_constraints=held)) == (limit,)


def test_a_limit_that_has_no_place_in_the_drawing_stands_below_it() -> None:
    html = render_graph(WISHES, News(), [], TEXTS, limits=("after 1990",))
    assert html.index("</svg>") < html.index("Counts too, without a place in the drawing: after 1990.")
    assert 'class="limits"' not in render_graph(WISHES, News(), [], TEXTS)


def test_a_preview_can_be_asked_for_only_where_there_are_picks() -> None:
    assert "data-what-if" not in render_graph(WISHES, News(), [], TEXTS)
    assert render_graph(WISHES, News(), [item("Ashes", {})], TEXTS).count("data-what-if") == 3


def test_a_preview_stands_at_its_wish_and_says_what_would_come_and_go() -> None:
    what_if = WhatIf(node="n1", enters=("Moth Season",), leaves=("Ashes",), certain=False)
    html = render_graph(WISHES, News(), [item("Ashes", {})], TEXTS, what_if)
    for sentence in ("Without it, these would come in: Moth Season.", "Without it, these would go out: Ashes."):
        assert html.count(sentence) == 2  # once to be read, once to be said
    assert "This may change once more is compared." in html
    same = WhatIf(node="n1", enters=(), leaves=(), certain=True)
    html = render_graph(WISHES, News(), [item("Ashes", {})], TEXTS, same)
    assert "Without it, the list would stay the same." in html
    assert "This may change" not in html


def test_what_the_last_turn_changed_is_marked_and_what_it_took_is_named() -> None:
    html = render_graph(WISHES, News(added=("n0",), changed=("n1",), gone=("romance", "humour")), [], TEXTS)
    assert html.count('class="halo"') == 2
    assert 'aria-label="Must have: banter (changed)"' in html
    assert "No longer there: romance, humour." in html


def test_without_wishes_there_is_an_invitation() -> None:
    assert "No wishes yet" in render_graph(PreferenceGraph(narrative=""), News(), [], TEXTS)


@given(st.text(min_size=1, max_size=80), st.booleans())
def test_no_text_of_a_wish_becomes_markup(text: str, hard: bool) -> None:
    printable = "".join(sign for sign in text if sign.isprintable()) or "x"
    hostile = f'{printable}"><script>x</script>'
    wishes, told = (
        graph(node(0, hostile, hard=hard, feature=hostile)),
        News(added=("n0",), gone=(hostile,), along=hostile),
    )
    what_if = WhatIf(node="n0", enters=(hostile,), leaves=(hostile,), certain=False, also=(hostile,))
    html = render_graph(wishes, told, [item(hostile, {"n0": (Label.SUPPORT, hostile)})], TEXTS, what_if)
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
    sizes = re.search(r"--full: (\d+)px; --least: (\d+)px", render_graph(chain, News(), [], TEXTS))
    assert sizes is not None
    full, least = map(int, sizes.groups())
    assert full == 5 * BOX_WIDTH + 4 * COLUMN_GAP + 2 * MARGIN
    assert CAPTION_FONT * least / full >= 12.0
    assert least < full


def test_a_longer_text_makes_a_higher_box() -> None:
    low, high = draw(graph(node(0, "short"), node(1, "a text that needs at least two lines")), News(), TEXTS).boxes
    assert high.height > low.height


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_caption_of_a_wish_is_cut(language: str) -> None:
    texts = page_texts(language)
    kinds = [(hard, polarity) for hard in (False, True) for polarity in Polarity]
    wishes = graph(*(node(at, "x", hard=hard, polarity=polarity) for at, (hard, polarity) in enumerate(kinds)))
    boxes = draw(wishes, News(), texts).boxes
    assert len({box.caption for box in boxes}) == len(kinds)
    assert all(text_width(box.caption, CAPTION_FONT) <= BOX_WIDTH - 2 * PADDING for box in boxes)
