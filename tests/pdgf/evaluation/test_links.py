"""Links that are drawn against links that a reader has found."""

import pytest

from pdgf.construction import build_graph
from pdgf.evaluation.links import Compared, HandLinked, Links, compared, summary
from pdgf.graph import assemble
from pdgf.models import Atom, Node, PreferenceGraph, QualificationEdge
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.fakes import VocabularyAgent

TEXT = "Romance as a subplot, shown through banter and glances; war, but far away."
LINKS = Links(
    text=TEXT,
    pairs=(("Romance", "as a subplot"), ("Romance", "shown through banter and glances"), ("war", "far away")),
    open_to_both=(("as a subplot", "war"),),
)


def graph(*edges: tuple[str, str], names: tuple[str, ...] = ("Romance", "subplot", "banter", "glances", "war", "far")):
    """Nodes that stand for a word of the text each, with edges between them."""
    nodes = [
        Node(
            id=name,
            atom=name,
            perspective="p",
            instantiation=name,
            order=order,
            span=(TEXT.index(name), TEXT.index(name) + len(name)),
        )
        for order, name in enumerate(names)
    ]
    return assemble(
        narrative=TEXT,
        language="en",
        atoms=[Atom(id=node.id, text=node.instantiation, span=node.span) for node in nodes],
        nodes=nodes,
        initial_edges=[QualificationEdge(base=base, qualifier=qualifier) for base, qualifier in edges],
        cycle_edges=(),
    )


def test_an_edge_is_right_when_its_ends_stand_for_the_words_of_a_pair() -> None:
    """Two words of one qualifier are two right edges and one found pair."""
    found = compared(graph(("Romance", "subplot"), ("Romance", "banter"), ("Romance", "glances")), LINKS)
    assert (found.right, found.wrong, found.found) == (3, (), 2)
    assert found.missed == ((("war", "far away"), "not drawn"),)


def test_a_node_that_spans_both_ends_makes_no_edge_right_in_both_directions() -> None:
    """Such an edge could be read either way; one from a node of both ends to a node of the qualifier alone cannot."""
    both = graph(("war, but far", "far away"), names=("war, but far", "far away"))
    assert compared(both, LINKS).right == 1
    twice = graph(("war, but far", "but far away"), names=("war, but far", "but far away"))
    assert compared(twice, LINKS).right == 1
    covering = graph(("war, but far away", "war, but far"), names=("war, but far away", "war, but far"))
    assert compared(covering, LINKS).right == 0


def test_a_wrong_edge_is_named_and_an_open_one_counts_nowhere() -> None:
    found = compared(graph(("Romance", "war"), ("subplot", "war")), LINKS)
    assert (found.right, found.wrong, found.left_open, found.found) == (0, (("Romance", "war"),), 1, 0)


def test_a_shortcut_that_reduction_has_taken_away_was_drawn() -> None:
    drawn = graph(("Romance", "subplot"), ("subplot", "banter"), ("Romance", "banter"))
    assert ("Romance", "banter") not in {edge.ends for edge in drawn.edges}
    assert compared(drawn, LINKS).found == 2


@pytest.mark.parametrize(
    ("drawn", "why"),
    [
        (graph(("far", "war")), "drawn the other way round"),
        (graph(names=("Romance", "war")), "qualifier not read"),
        (graph(names=("Romance", "far")), "base not read"),
        (graph(names=("war, but far",)), "read as one wish"),
        (graph(), "not drawn"),
    ],
)
def test_why_a_pair_was_missed_is_said(drawn: PreferenceGraph, why: str) -> None:
    assert dict(compared(drawn, LINKS).missed)["war", "far away"] == why


def test_precision_counts_edges_and_recall_counts_pairs() -> None:
    """3 of 4 edges are right; 2 of 3 pairs are found."""
    made = summary(
        [
            Compared(right=2, wrong=(("a", "b"),), found=1),
            Compared(right=1, found=1, missed=((("x", "y"), "not drawn"),), left_open=2),
        ]
    )
    precision, recall = 3 / 4, 2 / 3
    assert made["precision"] == precision
    assert made["recall"] == pytest.approx(recall)
    assert made["f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert (made["edges"], made["pairs"], made["left_open"], made["missed"]) == (4, 3, 2, {"not drawn": 1})


def test_without_an_edge_and_without_a_pair_nothing_was_shown() -> None:
    made = summary([Compared()])
    assert (made["precision"], made["recall"], made["f1"]) == (0.0, 0.0, 0.0)


async def test_an_agent_can_be_given_the_links_of_a_reader() -> None:
    """The agent below draws none; its nodes, and everything else, stay its own."""
    words = dict.fromkeys(("romance", "subplot", "banter", "war", "far"), "theme")
    inner = VocabularyAgent(words)
    budget, config = Budget(), MethodConfig()
    plain, _ = await build_graph(TEXT, agent=inner, config=config, budget=budget)
    linked, _ = await build_graph(TEXT, agent=HandLinked(inner, [LINKS]), config=config, budget=budget)
    assert [node.id for node in linked.nodes] == [node.id for node in plain.nodes]
    assert not plain.edges
    assert compared(linked, LINKS) == Compared(right=3, found=3)
    other, _ = await build_graph("war and banter", agent=HandLinked(inner, [LINKS]), config=config, budget=budget)
    assert not other.edges
