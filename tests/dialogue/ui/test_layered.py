"""The layout of the graph: generations, no overlaps, no arrow through a box."""

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.ui.layered import COLUMN_GAP, MARGIN, ROW_GAP, Edge, Layout, layers, layout

WIDTH = 176.0


@st.composite
def dags(draw: st.DrawFn, most: int = 14) -> tuple[dict[str, float], list[Edge]]:
    size = draw(st.integers(1, most))
    pairs = [(f"n{u}", f"n{v}") for u in range(size) for v in range(u + 1, size)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=30)) if pairs else []
    heights = {f"n{index}": draw(st.sampled_from([67.0, 86.0, 105.0, 124.0])) for index in range(size)}
    return heights, edges


def boxes(heights: dict[str, float], placed: Layout) -> list[tuple[float, float, float, float]]:
    return [(x, y, x + WIDTH, y + heights[node]) for node, (x, y) in placed.corners.items()]


@given(dags())
def test_boxes_never_overlap_and_keep_their_distance(graph: tuple[dict[str, float], list[Edge]]) -> None:
    heights, edges = graph
    placed = boxes(heights, layout(heights, WIDTH, edges))
    for index, (left, top, right, bottom) in enumerate(placed):
        for other_left, other_top, other_right, other_bottom in placed[index + 1 :]:
            beside = right + COLUMN_GAP <= other_left + 1e-6 or other_right + COLUMN_GAP <= left + 1e-6
            above = bottom + ROW_GAP <= other_top + 1e-6 or other_bottom + ROW_GAP <= top + 1e-6
            assert beside or above


@given(dags())
def test_everything_lies_inside_the_drawing(graph: tuple[dict[str, float], list[Edge]]) -> None:
    heights, edges = graph
    placed = layout(heights, WIDTH, edges)
    for left, top, right, bottom in boxes(heights, placed):
        assert left >= MARGIN - 1e-6
        assert right <= placed.width - MARGIN + 1e-6
        assert top >= MARGIN - 1e-6
        assert bottom <= placed.height - MARGIN + 1e-6


@given(dags())
def test_no_arrow_runs_through_a_box(graph: tuple[dict[str, float], list[Edge]]) -> None:
    heights, edges = graph
    placed = layout(heights, WIDTH, edges)
    for edge in edges:
        for (x, y), (to_x, to_y) in pairwise(placed.routes[edge]):
            for left, top, right, bottom in boxes(heights, placed):
                passes = x < right - 1e-6 and to_x > left + 1e-6
                assert not (passes and min(y, to_y) < bottom and max(y, to_y) > top)


@given(dags())
def test_an_arrow_leads_from_the_right_of_its_base_to_the_left_of_its_qualifier(
    graph: tuple[dict[str, float], list[Edge]],
) -> None:
    heights, edges = graph
    placed = layout(heights, WIDTH, edges)
    for (base, qualifier), route in placed.routes.items():
        (x, y), (to_x, to_y) = placed.corners[base], placed.corners[qualifier]
        assert route[0] == pytest.approx((x + WIDTH, y + heights[base] / 2))
        assert route[-1] == pytest.approx((to_x, to_y + heights[qualifier] / 2))


@given(dags())
def test_columns_are_the_topological_generations(graph: tuple[dict[str, float], list[Edge]]) -> None:
    heights, edges = graph
    drawn = nx.DiGraph(edges)
    drawn.add_nodes_from(heights)
    expected = {node: rank for rank, nodes in enumerate(nx.topological_generations(drawn)) for node in nodes}
    assert layers(list(heights), edges) == expected


def test_a_chain_is_drawn_on_one_level() -> None:
    placed = layout({"a": 60.0, "b": 100.0, "c": 60.0}, WIDTH, [("a", "b"), ("b", "c")])
    middles = [placed.corners["a"][1] + 30, placed.corners["b"][1] + 50, placed.corners["c"][1] + 30]
    assert middles == pytest.approx([middles[0]] * 3)


def test_crossing_arrows_are_untangled() -> None:
    placed = layout(dict.fromkeys("abcd", 60.0), WIDTH, [("a", "d"), ("b", "c")])
    assert (placed.corners["a"][1] < placed.corners["b"][1]) == (placed.corners["d"][1] < placed.corners["c"][1])


def test_an_empty_graph_has_an_empty_drawing() -> None:
    assert layout({}, WIDTH, []).corners == {}


def test_a_cycle_is_refused() -> None:
    with pytest.raises(ValueError, match="cycle"):
        layout(dict.fromkeys("ab", 60.0), WIDTH, [("a", "b"), ("b", "a")])
