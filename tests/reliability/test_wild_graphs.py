"""Graphs as a model may invent them: mended before anything is searched for, and nothing of them is lost (C06, C07)."""

from collections.abc import Sequence

import networkx
import pytest

from pdgf.models import Aspect, PreferenceGraph, QualificationEdge, SearchQuery
from pdgf.ports import Acquired, PairJudgement, Ports
from pdgf.recommend import Request, recommend
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.declared import DrawnShelf
from tests.fakes import ScriptedAgent

NAMES = ("ferry", "banter", "rain", "cake", "dusk")
SHAPES = {
    "an unknown node": [("ferry", "ghost"), ("ghost", "banter"), ("ferry", "banter")],
    "an edge to itself": [("ferry", "ferry"), ("ferry", "banter")],
    "the same edge again": [("ferry", "banter"), ("ferry", "banter"), ("banter", "rain")],
    "a circle of two": [("ferry", "banter"), ("banter", "ferry")],
    "a circle of five": list(zip(NAMES, (*NAMES[1:], NAMES[0]), strict=True)),
    "one component": [(one, other) for one in NAMES for other in NAMES if one != other],
}


class WatchedShelf(DrawnShelf):
    """A source that looks at the graph it is asked with, and at what was spent before it was asked."""

    def __init__(self) -> None:
        super().__init__(share=0.9)
        self.graphs: list[PreferenceGraph] = []

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        assert budget.usage().searches == 0
        self.graphs.append(graph)
        return await super().acquire(graph, queries, config, budget)


@pytest.mark.parametrize("shape", SHAPES)
async def test_c06_whatever_edges_are_invented_the_graph_is_sound_before_anything_is_searched_for(shape: str) -> None:
    agent, shelf = ScriptedAgent(NAMES), WatchedShelf()
    ids = {name: agent.id_of(name) for name in NAMES} | {"ghost": "v-ghost"}
    invented = tuple(PairJudgement(base=ids[base], qualifier=ids[qualifier]) for base, qualifier in SHAPES[shape])
    agent.reading = agent.reading.model_copy(update={"judgements": invented})
    ports, budget = Ports(agent=agent, source=shelf), Budget()
    found = await recommend(
        "a narrative", Request(ports=ports, config=MethodConfig(), budget=budget, current_year=2026)
    )
    [graph] = shelf.graphs
    drawn = networkx.DiGraph([edge.ends for edge in graph.edges])
    assert networkx.is_directed_acyclic_graph(drawn)
    assert {node.id for node in graph.nodes} == set(graph.order) == {ids[name] for name in NAMES}
    assert set(drawn) <= set(graph.order)
    assert len({edge.ends for edge in graph.edges}) == len(graph.edges)
    assert all(edge.base != edge.qualifier for edge in graph.edges)
    assert found.items
    assert budget.usage().searches > 0


async def test_c07_descriptions_origins_and_queries_outlive_the_reduction() -> None:
    agent, shelf = ScriptedAgent(NAMES[:3]), WatchedShelf()
    ferry, banter, rain = (agent.id_of(name) for name in NAMES[:3])
    chain = [(ferry, banter, "through", Aspect.MANNER), (banter, rain, "set in", Aspect.TARGET)]
    shortcut = (ferry, rain, "only if", Aspect.CONDITION)
    judged = tuple(
        PairJudgement(base=base, qualifier=qualifier, span=span, aspect=aspect, confidence=0.8)
        for base, qualifier, span, aspect in (*chain, shortcut)
    )
    agent.reading = agent.reading.model_copy(update={"judgements": judged})
    request = Request(ports=Ports(agent=agent, source=shelf), config=MethodConfig(), budget=Budget(), current_year=2026)
    graph = (await recommend("a narrative", request)).graph
    before = {node.id: node for node in agent.reading.nodes}
    for node in graph.nodes:
        assert (node.atom, node.span, node.instantiation) == (
            before[node.id].atom, before[node.id].span, before[node.id].instantiation,
        )  # fmt: skip
        assert node.feature
        assert node.feature.startswith(node.instantiation)
    kept = {edge.ends: edge for edge in graph.edges}
    assert set(kept) == {(ferry, banter), (banter, rain)}
    for base, qualifier, span, aspect in chain:
        edge: QualificationEdge = kept[base, qualifier]
        assert (edge.span, edge.aspect, edge.confidence) == (span, aspect, 0.8)
    assert [edge.ends for edge in graph.initial_edges if edge.ends not in kept] == [(ferry, rain)]
    assert {(row.base, row.qualifier) for row in graph.removed_edges} == {(ferry, rain)}
    assert {(r.base.id if r.base else "", r.node.id) for r in agent.rewritten} == {("", ferry), *kept}
