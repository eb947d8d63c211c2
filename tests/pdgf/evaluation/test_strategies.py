"""Orders of one pool from the same labels: the worked examples of METHOD 8 with four items."""

import pytest

from pdgf.constraints import MetadataSchema
from pdgf.evaluation.strategies import (
    Aggregate,
    PathScores,
    Strategy,
    Way,
    best_node,
    graph_order,
    mean_node,
    summed,
    unreduced,
    ways,
)
from pdgf.graph import assemble
from pdgf.models import (
    Candidate,
    Evidence,
    Label,
    Node,
    Passage,
    PreferenceGraph,
    QualificationEdge,
    RankedItem,
    RelationLabel,
    Source,
)
from pdgf.scoring import path_score
from pdgf.settings import MethodConfig

S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS
ITEMS = {
    "i1": {"D": {"A": P, "B": S, "C": X, "D": S}, "B": {"A": S, "B": P}},
    "i2": {"D": {"A": S, "B": S, "C": S, "D": S}},
    "i3": {"A": {"A": P}, "B": {"A": N, "B": P}, "C": {"A": P, "C": N}},
    "i4": {"D": {"A": S, "B": S, "C": X, "D": X}},
}
CONFIG = MethodConfig()
SUMMED = summed(CONFIG)


def diamond() -> PreferenceGraph:
    edges = [("A", "B"), ("A", "C"), ("B", "D"), ("C", "D"), ("A", "D")]
    return assemble(
        narrative="",
        language="en",
        atoms=(),
        nodes=[
            Node(id=name, atom="a", perspective="p", instantiation=name, order=order)
            for order, name in enumerate("ABCD")
        ],
        initial_edges=[QualificationEdge(base=base, qualifier=qualifier) for base, qualifier in edges],
        cycle_edges=(),
    )


def judged(item: str, *, demoted: str | None = None) -> RankedItem:
    """An item with its labels; every record has one passage of its own."""
    labels = ITEMS[item]
    return RankedItem(
        candidate=Candidate(id=item, title=item),
        score=0.0,
        demoted=demoted,
        evidence=tuple(
            Evidence(candidate=item, node=node, passages=(Passage(text=node, source=Source(id=f"{item}{node}")),))
            for node in labels
        ),
        judged={node: {u: RelationLabel(label=label) for u, label in found.items()} for node, found in labels.items()},
    )


def order(aggregate: Aggregate = SUMMED, *, gamma: float = 0.7, demoted: str = "") -> list[str]:
    pool = [Candidate(id=item, title=item) for item in (*ITEMS, "bare")]
    found = {item: judged(item, demoted="it breaks a wish" if item == demoted else None) for item in ITEMS}
    return graph_order(pool, found, Way(diamond(), CONFIG, aggregate, gamma), schema=MetadataSchema())


def ordered(strategy: Strategy, *, demoted: str = "") -> list[str]:
    """The four items by a strategy on the labels of full."""
    found = {item: judged(item, demoted="it breaks a wish" if item == demoted else None) for item in ITEMS}
    way = ways(diamond(), CONFIG)[strategy]
    return graph_order([Candidate(id=item, title=item) for item in ITEMS], found, way, schema=MetadataSchema())


def test_full_mean_and_max_order_the_four_items_as_the_method_says() -> None:
    """T5; an item without a record comes last."""
    assert order() == ["i1", "i2", "i3", "i4", "bare"]
    assert order(mean_node) == ["i2", "i1", "i4", "i3", "bare"]
    assert order(best_node) == ["i2", "i1", "i4", "i3", "bare"]


def test_without_a_discount_only_own_labels_count() -> None:
    """gamma 0: i1 1 + .5, i2 1, i3 .5 + .5 + .1, i4 0."""
    assert order(gamma=0.0) == ["i1", "i3", "i2", "i4", "bare"]


def test_a_demoted_item_follows_even_those_without_a_record() -> None:
    assert order(demoted="i1") == ["i2", "i3", "i4", "bare", "i1"]


def test_logs_of_each_path_reward_many_records_as_the_method_says() -> None:
    """T5: by the sum of logs i3 with three records goes before i2 with one."""
    assert ordered(Strategy.SUM_OF_LOGS) == ["i1", "i3", "i2", "i4"]


def test_without_demotion_the_score_alone_counts() -> None:
    assert ordered(Strategy.KEEP, demoted="i1") == ordered(Strategy.FULL) == ["i1", "i2", "i3", "i4"]
    assert ordered(Strategy.FULL, demoted="i1") == ["i2", "i3", "i4", "i1"]


def test_other_score_maps_count_the_same_labels_otherwise() -> None:
    """i3 at B is A = N, B = P: the map for what is silent moves its H by gamma times the value of N."""
    label = dict(ITEMS["i3"]["B"])
    assert label == {"A": N, "B": P}
    worth = {Strategy.FULL: 0.1, Strategy.MAP_SILENT_0: 0.0, Strategy.MAP_SILENT_25: 0.25}
    for strategy, silent in worth.items():
        way = ways(diamond(), CONFIG)[strategy]
        found = path_score(way.graph, "B", label, score_map=way.config.score_map, gamma=way.gamma)
        assert found.score == pytest.approx(0.5 + 0.7 * silent)
    binary = ways(diamond(), CONFIG)[Strategy.MAP_BINARY].config.score_map
    assert binary == {S: 1.0, P: 1.0, N: 0.0, X: 0.0}


def test_an_unreduced_graph_has_its_shortcuts_back_and_the_same_ancestors() -> None:
    reduced, whole = diamond(), unreduced(diamond())
    assert {edge.ends for edge in whole.edges} - {edge.ends for edge in reduced.edges} == {("A", "D")}
    assert all(reduced.ancestors(node) == whole.ancestors(node) for node in reduced.order)
    assert "D" in {edge.qualifier for edge in whole.edges if edge.base == "A"}


def test_a_shortcut_counts_where_it_beats_the_longer_path() -> None:
    """x with A = S and all else N at D: .1 + .7 * 1 by the shortcut, .1 + .7 * (.1 + .7 * 1) by the longer path."""
    labels = {"D": {"A": S, "B": N, "C": N, "D": N}}
    item = judged("i2").model_copy(
        update={"judged": {"D": {u: RelationLabel(label=label) for u, label in labels["D"].items()}}}
    )
    seen: list[float] = []

    def kept(scores: PathScores) -> float:
        seen.extend(scores.values())
        return 0.0

    pool = [Candidate(id="i2", title="i2")]
    for graph in (diamond(), unreduced(diamond())):
        graph_order(pool, {"i2": item}, Way(graph, CONFIG, kept, 0.7), schema=MetadataSchema())
    assert seen == pytest.approx([0.1 + 0.7 * (0.1 + 0.7), 0.1 + 0.7])


def test_no_node_is_worth_nothing() -> None:
    assert (best_node({}), mean_node({}), summed(CONFIG)({})) == (0.0, 0.0, 0.0)
