"""Path scores, final score and order (METHOD 7.2 to 7.4), against the worked examples and all paths written out."""

import math
from collections.abc import Mapping
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.models import Label, PreferenceGraph
from pdgf.scoring import RankKey, chain, final_score, path_bounds, path_score, path_values, rank_key
from tests.pdgf.graphs import DIAMOND, SCORES, dags, discounted, graph_of, labels_of, root_paths, some_labels

GAMMA = 0.7
DIAMOND_GRAPH = graph_of(DIAMOND)
# The items of T2 to T5: labels of x at each node where the item was recalled.
ITEMS: Mapping[str, Mapping[str, str]] = {
    "i1": {"D": "A=P B=S C=X D=S", "B": "A=S B=P"},
    "i2": {"D": "A=S B=S C=S D=S"},
    "i3": {"A": "A=P", "B": "A=N B=P", "C": "A=P C=N"},
    "i4": {"D": "A=S B=S C=X D=X"},
}
AGGREGATES = {
    "full": lambda values: math.log1p(sum(values)),
    "mean": fmean,
    "max": max,
    "sum of logs": lambda values: sum(math.log1p(value) for value in values),
}


def h(node: str, labels: str, gamma: float = GAMMA, graph: PreferenceGraph = DIAMOND_GRAPH) -> float:
    return path_score(graph, node, labels_of(labels), score_map=SCORES, gamma=gamma).score


def path_scores_of(item: str) -> dict[str, float]:
    return {node: h(node, labels) for node, labels in ITEMS[item].items()}


def test_item_1_is_worth_what_its_two_records_are_worth() -> None:
    """T2."""
    labels = ITEMS["i1"]["D"]
    assert h("A", labels) == pytest.approx(0.5)
    assert h("B", labels) == pytest.approx(1 + 0.7 * 0.5)
    assert h("C", labels) == pytest.approx(0 + 0.7 * 0.5)
    assert h("D", labels) == pytest.approx(1 + 0.7 * 1.35)
    assert h("B", ITEMS["i1"]["B"]) == pytest.approx(0.5 + 0.7 * 1)
    scores = path_scores_of("i1")
    assert sum(scores.values()) == pytest.approx(1.945 + 1.2)
    assert final_score(scores, aggregate="log_of_sum") == pytest.approx(1.421903, abs=1e-6)
    assert fmean(scores.values()) == pytest.approx(1.5725)
    assert max(scores.values()) == pytest.approx(1.945)


def test_item_2_supports_everything_at_one_deep_node() -> None:
    """T3."""
    labels = ITEMS["i2"]["D"]
    assert [h(node, labels) for node in "ABCD"] == pytest.approx([1, 1.7, 1.7, 1 + 0.7 + 0.49])
    assert final_score(path_scores_of("i2"), aggregate="log_of_sum") == pytest.approx(1.160021, abs=1e-6)


def test_item_3_is_partly_right_at_three_nodes() -> None:
    """T4."""
    scores = path_scores_of("i3")
    assert scores == pytest.approx({"A": 0.5, "B": 0.5 + 0.7 * 0.1, "C": 0.1 + 0.7 * 0.5})
    assert math.fsum(scores.values()) == pytest.approx(1.52)
    assert final_score(scores, aggregate="log_of_sum") == pytest.approx(0.924259, abs=1e-6)
    assert fmean(scores.values()) == pytest.approx(0.506667, abs=1e-6)
    assert max(scores.values()) == pytest.approx(0.57)


def test_a_contradiction_zeroes_its_own_comparison_only() -> None:
    """T5."""
    assert h("C", ITEMS["i4"]["D"]) == pytest.approx(0.7)
    assert h("D", ITEMS["i4"]["D"]) == pytest.approx(0 + 0.7 * 1.7)
    assert final_score(path_scores_of("i4"), aggregate="log_of_sum") == pytest.approx(0.783902, abs=1e-6)


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        ("full", ["i1", "i2", "i3", "i4"]),
        ("mean", ["i2", "i1", "i4", "i3"]),
        ("max", ["i2", "i1", "i4", "i3"]),
        ("sum of logs", ["i1", "i3", "i2", "i4"]),
    ],
)
def test_the_four_items_order_differently_under_each_aggregate(aggregate: str, expected: list[str]) -> None:
    """T3 order and T5 orders."""
    worth = {item: AGGREGATES[aggregate](path_scores_of(item).values()) for item in ITEMS}
    assert sorted(worth, key=lambda item: -worth[item]) == expected
    if aggregate in ("full", "sum of logs"):
        ours = {
            item: final_score(path_scores_of(item), aggregate="log_of_sum" if aggregate == "full" else "sum_of_logs")
            for item in ITEMS
        }
        assert ours == pytest.approx(worth)


@pytest.mark.parametrize(("gamma", "expected"), [(0, 1.0), (0.5, 1.625), (0.7, 1.945), (1, 2.5)])
def test_each_edge_upstream_is_discounted_once_more(gamma: float, expected: float) -> None:
    """T6."""
    assert h("D", ITEMS["i1"]["D"], gamma) == pytest.approx(expected)
    assert expected == pytest.approx(1 + gamma * 1 + gamma**2 * 0.5)


def test_of_two_roots_the_better_path_wins() -> None:
    """T7."""
    graph = graph_of("r>m q>m q>w m>t w>t")
    labels = "r=S q=X m=N w=S t=P"
    assert h("r", labels, graph=graph) == 1
    assert h("q", labels, graph=graph) == 0
    assert h("m", labels, graph=graph) == pytest.approx(0.1 + 0.7 * 1)
    assert h("w", labels, graph=graph) == pytest.approx(1.0)
    won = path_score(graph, "t", labels_of(labels), score_map=SCORES, gamma=GAMMA)
    assert won.score == pytest.approx(0.5 + 0.7 * 1.0) == pytest.approx(1.2)
    assert won.path == ("q", "w", "t")
    assert discounted(("r", "m", "t"), labels_of(labels), GAMMA) == pytest.approx(1.06)


def test_one_deep_record_and_two_shallow_ones_order_by_the_aggregate() -> None:
    """T8."""
    deep, shallow = {"D": 2.19}, {"A": 1.0, "B": 1.0}
    assert final_score(deep, aggregate="log_of_sum") == pytest.approx(1.160021, abs=1e-6)
    assert final_score(shallow, aggregate="log_of_sum") == pytest.approx(math.log(1 + 2)) == pytest.approx(1.098612)
    assert final_score(deep, aggregate="sum_of_logs") == pytest.approx(1.160021, abs=1e-6)
    assert final_score(shallow, aggregate="sum_of_logs") == pytest.approx(2 * math.log(2)) == pytest.approx(1.386294)


def test_of_equal_bases_the_first_in_the_order_of_the_graph_carries_the_path() -> None:
    graph = graph_of("B>D C>D", names="CBD")
    assert graph.order == ("C", "B", "D")
    labels = labels_of("B=P C=P D=S")
    assert path_score(graph, "D", labels, score_map=SCORES, gamma=GAMMA).path == ("C", "D")


def test_a_missing_label_of_an_ancestor_is_an_error_and_other_labels_are_not_repeated() -> None:
    with pytest.raises(KeyError):
        h("D", "A=S B=S D=S")
    score = path_score(DIAMOND_GRAPH, "B", labels_of("A=S B=S C=S D=S"), score_map=SCORES, gamma=GAMMA)
    assert score.labels == labels_of("A=S B=S")


@given(dags().flatmap(lambda graph: st.tuples(st.just(graph), some_labels(graph.order))))
def test_the_recurrence_is_the_best_of_all_paths_and_within_its_bounds(
    case: tuple[PreferenceGraph, dict[str, Label]],
) -> None:
    graph, labels = case
    for node in graph.order:
        paths = root_paths(graph, node)
        won = path_score(graph, node, labels, score_map=SCORES, gamma=GAMMA)
        assert won.score == pytest.approx(max(discounted(path, labels, GAMMA) for path in paths))
        assert won.path in paths
        assert won.score == pytest.approx(discounted(won.path, labels, GAMMA))
        assert set(won.labels) == {u for path in paths for u in path}
        depth = max(len(path) for path in paths) - 1
        assert 0 <= won.score <= (1 - GAMMA ** (depth + 1)) / (1 - GAMMA) + 1e-12


@given(
    dags().flatmap(lambda graph: st.tuples(st.just(graph), some_labels(graph.order), st.sampled_from(graph.order))),
    st.sampled_from(list(Label)),
)
def test_a_better_label_never_makes_a_path_score_worse(
    case: tuple[PreferenceGraph, dict[str, Label], str], label: Label
) -> None:
    graph, labels, changed = case
    better = labels | {changed: max(label, labels[changed], key=SCORES.__getitem__)}
    for node in graph.order:
        worse_score = path_score(graph, node, labels, score_map=SCORES, gamma=GAMMA).score
        assert path_score(graph, node, better, score_map=SCORES, gamma=GAMMA).score >= worse_score


@given(
    dags().flatmap(
        lambda graph: st.tuples(st.just(graph), some_labels(graph.order), st.permutations(list(graph.order)))
    )
)
def test_renaming_the_nodes_changes_no_score(case: tuple[PreferenceGraph, dict[str, Label], list[str]]) -> None:
    graph, labels, names = case
    new = dict(zip(graph.order, names, strict=True))
    arrows = " ".join(f"{new[edge.base]}>{new[edge.qualifier]}" for edge in graph.edges)
    renamed = graph_of(arrows, names=[new[node] for node in graph.order])
    moved = {new[node]: label for node, label in labels.items()}
    before = {n: path_score(graph, n, labels, score_map=SCORES, gamma=GAMMA).score for n in graph.order}
    after = {new[n]: path_score(renamed, new[n], moved, score_map=SCORES, gamma=GAMMA).score for n in graph.order}
    assert after == {new[node]: score for node, score in before.items()}
    assert final_score(after, aggregate="log_of_sum") == final_score(before, aggregate="log_of_sum")
    assert final_score(after, aggregate="sum_of_logs") == final_score(before, aggregate="sum_of_logs")


@given(dags().flatmap(lambda graph: st.tuples(st.just(graph), st.lists(some_labels(graph.order), min_size=1))))
def test_many_records_at_once_get_bit_for_bit_the_scores_of_each(
    case: tuple[PreferenceGraph, list[dict[str, Label]]],
) -> None:
    graph, records = case
    for node in graph.order:
        scores = np.array([[SCORES[labels[u]] for u in chain(graph, node)] for labels in records])
        one_by_one = [path_score(graph, node, labels, score_map=SCORES, gamma=GAMMA).score for labels in records]
        assert path_values(graph, node, scores, GAMMA).tolist() == one_by_one


@given(
    dags().flatmap(
        lambda graph: st.tuples(st.just(graph), some_labels(graph.order), st.sets(st.sampled_from(graph.order)))
    )
)
def test_bounds_hold_the_true_score_and_meet_when_all_is_known(
    case: tuple[PreferenceGraph, dict[str, Label], set[str]],
) -> None:
    graph, labels, unknown = case
    for node in graph.order:
        known = [np.nan if u in unknown else SCORES[labels[u]] for u in chain(graph, node)]
        (low,), (high,) = path_bounds(graph, node, np.array([known]), score_map=SCORES, gamma=GAMMA)
        true = path_score(graph, node, labels, score_map=SCORES, gamma=GAMMA).score
        assert low <= true <= high
        if unknown.isdisjoint(chain(graph, node)):
            assert low == true == high


def test_an_unknown_score_is_one_at_best_and_nothing_at_worst() -> None:
    """METHOD 11.2 on the chain A -> B with only A known to be partly right."""
    graph = graph_of("A>B")
    low, high = path_bounds(graph, "B", np.array([[0.5, np.nan]]), score_map=SCORES, gamma=GAMMA)
    assert low.tolist() == pytest.approx([0.7 * 0.5])
    assert high.tolist() == pytest.approx([1 + 0.7 * 0.5])


def key(**changes: object) -> RankKey:
    parts: dict[str, object] = {
        "demoted": False,
        "score": 1.0,
        "best_path_score": 0.9,
        "sources": 2,
        "nodes": 2,
        "first_seen": 5,
        "name_key": "m",
        "year": 2000,
    }
    return rank_key(**{**parts, **changes})  # type: ignore[arg-type]


def test_the_order_is_decided_by_the_first_part_that_differs() -> None:
    """METHOD 7.4: each key below is worse than the one before in one part, whatever later parts say."""
    best_of_rest = {"best_path_score": 9.0, "sources": 9, "nodes": 9, "first_seen": 0, "name_key": "a", "year": None}
    ordered = [
        key(score=1.1),
        key(),
        key(year=2001, name_key="m"),
        key(name_key="n", year=1900),
        key(first_seen=6, name_key="a"),
        key(nodes=1, first_seen=0),
        key(sources=1, nodes=9),
        key(best_path_score=0.8, sources=9),
        key(score=0.9, **best_of_rest),
        key(demoted=True, score=5.0, **best_of_rest),
    ]
    assert sorted(reversed(ordered)) == ordered


def test_noise_in_the_thirteenth_decimal_is_a_tie_and_an_unknown_year_counts_as_zero() -> None:
    assert key(score=1.0 + 4e-13) == key()
    assert key(score=1.0 + 1e-11) < key()
    assert key(year=None).year == 0
    assert key() == (0, -1.0, -0.9, -2, -2, 5, "m", 2000)
