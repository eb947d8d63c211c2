"""The Evidence tab: a real table of wishes and picks, with the quotes behind each cell."""

import re
from typing import Any

from dialogue.ui.evidence_matrix import Quoted, render_matrix, rows_of, won_path
from dialogue.ui.texts import page_texts
from pdgf.models import Label, Node, Polarity, PreferenceGraph
from tests.dialogue.ui.test_cards import elements, evidence

TEXTS = page_texts()
GRAPH = PreferenceGraph(
    narrative="",
    nodes=(
        Node(id="n0", atom="a", perspective="genre", instantiation="fantasy", hard=True),
        Node(id="n1", atom="a", perspective="tone", instantiation="banter"),
        Node(id="n2", atom="a", perspective="tone", instantiation="bleak", polarity=Polarity.AVOID),
    ),
    order=("n1", "n0", "n2"),
)


def path(node: str, score: float, *through: str, **labels: str) -> dict[str, Any]:
    return {"node": node, "score": score, "path": [*through, node], "labels": labels}


def pick(name: str, *found: dict[str, Any], paths: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return {"id": name, "title": name.title(), "year": None, "paths": list(paths), "evidence": list(found)}


LANTERN = pick(
    "lantern",
    evidence("n1", Label.SUPPORT, "They court by quarrelling.", "https://example.org/a"),
    evidence("n2", Label.CONTRADICTS, "Grim to the end."),
    paths=(path("n1", 1.7, "n0", n1="SUPPORT", n0="PARTIAL"), path("n2", 0.0, n2="CONTRADICTS")),
)
ASHES = pick("ashes", paths=(path("n2", 0.1, n2="NOT_ADDRESSED"),))


def test_rows_stand_in_the_order_of_the_graph_and_cells_in_that_of_the_picks() -> None:
    rows = rows_of(GRAPH, [LANTERN, ASHES], {}, TEXTS)
    assert [(row.wish, row.hard) for row in rows] == [("banter", False), ("fantasy", True), ("not bleak", False)]
    assert [[cell.label.value for cell in row.cells] for row in rows] == [
        ["SUPPORT", "NOT_ADDRESSED"],
        ["PARTIAL", "NOT_ADDRESSED"],
        ["CONTRADICTS", "NOT_ADDRESSED"],
    ]


def test_a_cell_has_its_quote_and_one_that_borrows_says_from_which_wish() -> None:
    own, borrowed, against = (row.cells[0] for row in rows_of(GRAPH, [LANTERN], {}, TEXTS))
    assert (own.quotes, own.through) == (
        (Quoted(text="“They court by quarrelling.”", url="https://example.org/a"),),
        "",
    )
    assert (borrowed.quotes, borrowed.through) == (own.quotes, "banter")
    assert against.quotes == (Quoted(text="“Grim to the end.”", url=None),)


def test_the_path_that_won_is_highlighted_for_each_pick() -> None:
    assert won_path(LANTERN) == ("n0", "n1")
    assert [[cell.on_path for cell in row.cells] for row in rows_of(GRAPH, [LANTERN, ASHES], {}, TEXTS)] == [
        [True, False],
        [True, False],
        [False, True],
    ]
    assert "fantasy → banter" in render_matrix(GRAPH, [LANTERN], {}, TEXTS)


def test_the_marks_of_the_turn_decide_where_there_are_any() -> None:
    marks = {"ashes": {"n0": "partly", "n1": "silent", "n2": "supports"}}
    cells = [row.cells[0].label for row in rows_of(GRAPH, [ASHES], marks, TEXTS)]
    assert cells == [Label.NOT_ADDRESSED, Label.PARTIAL, Label.SUPPORT]


def test_it_is_a_table_with_headers_and_each_cell_has_a_name_in_words() -> None:
    html = render_matrix(GRAPH, [LANTERN, ASHES], {}, TEXTS)
    found = elements(html)
    assert [given.get("scope") for tag, given in found if tag == "th"] == ["col", "col", "col", "row", "row", "row"]
    names = [str(given["aria-label"]) for tag, given in found if tag == "button"]
    assert names[:3] == [
        "banter, Lantern: supports, counted most",
        "banter, Ashes: not mentioned",
        "fantasy, Lantern: partly, counted most",
    ]
    assert len(names) == 6
    assert [given["tabindex"] for tag, given in found if tag == "button"] == ["0", *["-1"] * 5]


def test_each_mark_is_a_sign_a_colour_and_a_word() -> None:
    html = render_matrix(GRAPH, [LANTERN, ASHES], {}, TEXTS)
    for label in ("support", "partial", "contradicts", "not_addressed"):
        assert re.search(rf'<span class="mark {label}"><svg.*?</svg>\w+</span>', html, re.DOTALL)


def test_only_web_pages_are_linked_and_no_text_becomes_markup() -> None:
    hostile = "\"'><img src=x onerror=alert(1)>{{1+1}}${2+2}"
    graph = GRAPH.model_copy(
        update={"nodes": (GRAPH.nodes[1].model_copy(update={"instantiation": hostile}),), "order": ("n1",)}
    )
    picks = [
        pick(
            hostile,
            evidence("n1", Label.SUPPORT, hostile, "javascript:alert(1)"),
            paths=(path("n1", 1.0, n1="SUPPORT"),),
        ),
        LANTERN,
    ]
    found = elements(render_matrix(graph, picks, {}, TEXTS))
    assert "img" not in {tag for tag, _ in found}
    assert not [name for _, given in found for name in given if name.startswith("on")]
    assert [given["href"] for tag, given in found if tag == "a"] == ["https://example.org/a"]


def test_without_picks_there_is_an_invitation() -> None:
    assert "Nothing to compare yet" in render_matrix(GRAPH, [], {}, TEXTS)


def test_the_chinese_page_tells_a_line_of_metadata_in_chinese() -> None:
    told = {**LANTERN, "evidence": [{**LANTERN["evidence"][0], "quote": "Genres: fantasy"}]}
    assert "<p>类型：奇幻</p>" in render_matrix(GRAPH, [told], {}, page_texts("zh"))
    assert "<p>“Genres: fantasy”</p>" in render_matrix(GRAPH, [told], {}, TEXTS)
