"""The ranking without some wishes, against ranking the pool again without them."""

import zlib
from collections.abc import Collection, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdgf.constraints import schema_of
from pdgf.counterfactual import Counterfactual, without
from pdgf.graph import assemble, without_nodes
from pdgf.models import Candidate, Evidence, Label, Node, PreferenceGraph, Recommendation, RelationLabel
from pdgf.ports import Acquired, RelationRequest
from pdgf.ranking import LabelCache, rank
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.pdgf.graphs import DIAMOND, dags, graph_of, item, record

FIRST = 3
CUISINES = ("Italian", "French")


class JudgeByWords:
    """Labels that depend on the two texts alone, spread by a checksum; what was asked is counted."""

    def __init__(self, salt: int = 0) -> None:
        self._salt = salt
        self.asked = 0

    async def label_relations(self, requests: Sequence[RelationRequest], budget: Budget) -> list[RelationLabel]:
        self.asked += len(requests)
        return [self._label(request) for request in requests]

    def _label(self, request: RelationRequest) -> RelationLabel:
        number = zlib.crc32(f"{self._salt}|{request.text}|{request.feature}".encode())
        label = list(Label)[number % len(Label)]
        return RelationLabel(label=label, quotes=() if label is Label.NOT_ADDRESSED else (request.text,))


@st.composite
def cases(draw: st.DrawFn) -> tuple[PreferenceGraph, Acquired, JudgeByWords]:
    """A random graph with hard wishes, one of which metadata answer, and a pool recalled at some of its nodes."""
    drawn = draw(dags(most=5))
    hard = draw(st.sets(st.sampled_from(list(drawn.order))))
    nodes = [node.model_copy(update={"hard": node.id in hard}) for node in drawn.nodes]
    nodes[0] = nodes[0].model_copy(update={"instantiation": "Italian", "perspective": "cuisine"})
    graph = drawn.model_copy(update={"nodes": tuple(nodes)})
    candidates, evidence = [], list[Evidence]()
    for number in range(draw(st.integers(1, 8))):
        metadata = {"cuisine": [draw(st.sampled_from(CUISINES))]}
        candidates.append(Candidate(id=f"i{number}", title=f"Place {number}", metadata=metadata))
        recalled = draw(st.sets(st.sampled_from(list(graph.order)), min_size=1))
        evidence += [record(f"i{number}", node) for node in sorted(recalled)]
    pool = Acquired(candidates=tuple(candidates), evidence=tuple(evidence), known_metadata=schema_of(tuple(candidates)))
    return graph, pool, JudgeByWords(draw(st.integers(0, 1_000)))


async def ranked(
    graph: PreferenceGraph, pool: Acquired, agent: JudgeByWords, *, lazy: bool, k: int = 100, first: int | None = None
) -> Recommendation:
    config = MethodConfig(lazy_labels=lazy)
    found = await rank(
        graph,
        pool,
        agent=agent,  # type: ignore[arg-type]  # labels are all that ranking asks for
        config=config,
        budget=Budget(),
        k=k,
        labels=LabelCache(),
        first=first,
    )
    return Recommendation(
        graph=graph, queries=(), items=found.items, pool=len(pool.candidates), config=config.printed(),
        entries=found.entries,
    )  # fmt: skip


async def from_scratch(
    graph: PreferenceGraph, pool: Acquired, agent: JudgeByWords, gone: Collection[str]
) -> list[tuple[str, bool]]:
    """The whole pool ranked anew over the graph without some nodes, and what was found for the others."""
    kept = tuple(found for found in pool.evidence if found.node not in gone)
    rest = pool.model_copy(update={"evidence": kept})
    found = await ranked(without_nodes(graph, gone), rest, agent, lazy=False)
    return [(item.candidate.id, item.demoted is not None) for item in found.items]


def order_of(change: Counterfactual) -> list[tuple[str, bool]]:
    return [(placed.id, placed.demoted) for placed in change.items]


@settings(max_examples=150)
@given(case=cases(), data=st.data())
async def test_with_all_labels_the_whole_order_is_that_of_a_ranking_made_anew(
    case: tuple[PreferenceGraph, Acquired, JudgeByWords], data: st.DataObject
) -> None:
    """Here a description stays when an ancestor goes, so that every stored label is the true one."""
    graph, pool, agent = case
    gone = data.draw(st.sets(st.sampled_from(list(graph.order)), min_size=1, max_size=2))
    found = await ranked(graph, pool, agent, lazy=False)
    asked = agent.asked
    change = without(found, gone, first=FIRST)
    assert agent.asked == asked
    assert order_of(change) == await from_scratch(graph, pool, agent, gone)
    before = [item.candidate.id for item in found.items[:FIRST]]
    after = [placed.id for placed in change.items[:FIRST]]
    assert set(change.entering) == set(after) - set(before)
    assert set(change.leaving) == set(before) - set(after)


@settings(max_examples=150)
@given(case=cases(), k=st.integers(1, 5), data=st.data())
async def test_what_is_certain_with_lazy_labels_is_what_a_ranking_made_anew_gives(
    case: tuple[PreferenceGraph, Acquired, JudgeByWords], k: int, data: st.DataObject
) -> None:
    graph, pool, agent = case
    gone = data.draw(st.sampled_from(list(graph.order)))
    found = await ranked(graph, pool, agent, lazy=True, k=k, first=min(k, FIRST))
    change = without(found, [gone], first=FIRST)
    anew = await from_scratch(graph, pool, agent, [gone])
    assert {item for item, _ in order_of(change)} == {item for item, _ in anew}
    if change.certain:
        assert order_of(change)[:FIRST] == anew[:FIRST]


@settings(max_examples=60)
@given(case=cases(), data=st.data())
async def test_a_wish_that_no_other_qualifies_is_certain_once_everything_is_labelled(
    case: tuple[PreferenceGraph, Acquired, JudgeByWords], data: st.DataObject
) -> None:
    graph, pool, agent = case
    found = await ranked(graph, pool, agent, lazy=False)
    gone = data.draw(st.sampled_from(list(graph.order)))
    change = without(found, [gone], first=FIRST)
    assert change.certain is not any(gone in graph.ancestors(node) for node in graph.order)


async def test_a_missing_middle_brings_the_shortcut_back() -> None:
    """T10: with B gone, C qualifies A again, and the path score of C is that of the path A, C."""
    graph = graph_of("A>B B>C A>C")
    assert [edge.ends for edge in graph.edges] == [("A", "B"), ("B", "C")]
    found = await ranked(
        graph, Acquired(candidates=(item("i1"),), evidence=(record("i1", "C"),)), JudgeByWords(), lazy=False
    )
    change = without(found, ["B"], first=1)
    assert [edge.ends for edge in change.graph.edges] == [("A", "C")]
    assert not change.certain  # C would be described anew


async def test_items_that_only_a_dropped_hard_wish_kept_back_enter() -> None:
    graph = assemble(
        narrative="",
        language="en",
        atoms=(),
        nodes=[
            Node(id="n", atom="a", perspective="cuisine", instantiation="Italian", feature="Italian", hard=True),
            Node(id="q", atom="a", perspective="noise", instantiation="still", feature="still", order=1),
        ],
        initial_edges=(),
        cycle_edges=(),
    )
    candidates = tuple(
        Candidate(id=name, title=name, metadata={"cuisine": [cuisine]})
        for name, cuisine in (("roma", "Italian"), ("paris", "French"))
    )
    evidence = (record("roma", "q", "roma"), record("paris", "q", "paris"))
    pool = Acquired(candidates=candidates, evidence=evidence)

    class Quieter(JudgeByWords):
        def _label(self, request: RelationRequest) -> RelationLabel:
            label = Label.SUPPORT if request.text == "paris" else Label.PARTIAL
            return RelationLabel(label=label, quotes=(request.text,))

    found = await ranked(graph, pool, Quieter(), lazy=False)
    assert [(i.candidate.id, i.demoted is not None) for i in found.items] == [("roma", False), ("paris", True)]
    change = without(found, ["n"], first=1)
    assert order_of(change) == [("paris", False), ("roma", False)]
    assert (change.entering, change.leaving, change.certain) == (("paris",), ("roma",), True)


async def test_a_node_that_is_not_in_the_graph_is_an_error() -> None:
    found = await ranked(
        graph_of(DIAMOND), Acquired(candidates=(item("i1"),), evidence=(record("i1", "A"),)), JudgeByWords(), lazy=False
    )
    with pytest.raises(KeyError):
        without(found, ["Z"], first=1)
