"""Graph construction through the port: pairs, cycles, reduction, refinement, size, reuse (METHOD 4, 10)."""

from itertools import combinations

import pytest

from pdgf.construction import build_graph, refine
from pdgf.errors import BudgetSpent, EmptyNarrative, NoPreferences
from pdgf.models import Atom, AtomKind, PreferenceGraph, RemovalReason
from pdgf.ports import PairJudgement, Ports
from pdgf.recommend import Request
from pdgf.settings import MethodConfig, Preset, preset_config
from pdgf.usage import Budget
from tests.declared import DrawnShelf
from tests.fakes import ScriptedAgent

DIAMOND = {("A", "B"): 1.0, ("A", "C"): 1.0, ("B", "D"): 1.0, ("C", "D"): 1.0, ("A", "D"): 1.0}


async def build(
    agent: ScriptedAgent, config: MethodConfig | None = None, previous: PreferenceGraph | None = None
) -> PreferenceGraph:
    config, budget = config or MethodConfig(), Budget()
    ports = Ports(agent=agent, source=DrawnShelf())
    earlier = Request(ports=ports, config=config, budget=budget, current_year=2026, previous=previous).earlier
    graph, _ = await build_graph("a narrative", agent=agent, config=config, budget=budget, earlier=earlier)
    return await refine(graph, agent=agent, config=config, budget=budget, earlier=earlier)


def ends(graph: PreferenceGraph) -> set[tuple[str, str]]:
    name = {node.id: node.instantiation for node in graph.nodes}
    return {(name[edge.base], name[edge.qualifier]) for edge in graph.edges}


async def test_a_shortcut_of_the_diamond_is_removed_and_kept_in_the_log() -> None:
    """T1 through the port."""
    agent = ScriptedAgent("ABCD", DIAMOND)
    graph = await build(agent)
    assert ends(graph) == {("A", "B"), ("A", "C"), ("B", "D"), ("C", "D")}
    assert [(e.base, e.qualifier, e.reason) for e in graph.removed_edges] == [
        (agent.id_of("A"), agent.id_of("D"), RemovalReason.SHORTCUT)
    ]
    assert len(graph.initial_edges) == 5


async def test_layers_described_at_once_go_into_one_list_bases_first() -> None:
    agent = ScriptedAgent("ABCD", DIAMOND)
    await build(agent, MethodConfig(layers_at_once=True))
    assert agent.asked.count("describe") == 1
    listed = [request.node.instantiation for request in agent.described]
    assert listed == ["A", "B", "C", "D"]
    for place, request in enumerate(agent.described):
        assert {ancestor.instantiation for ancestor in request.ancestors} <= set(listed[:place])


async def test_at_once_a_description_is_made_anew_when_one_above_it_is() -> None:
    config = MethodConfig(layers_at_once=True)
    before = await build(ScriptedAgent("BC", {("B", "C"): 1.0}), config)
    agent = ScriptedAgent("ABC", {("A", "B"): 1.0, ("B", "C"): 1.0})
    await build(agent, config, previous=before)
    assert [request.node.instantiation for request in agent.described] == ["A", "B", "C"]
    again = ScriptedAgent("BCE", {("B", "C"): 1.0})
    await build(again, config, previous=before)
    assert [request.node.instantiation for request in again.described] == ["E"]


async def test_judgements_that_came_with_the_reading_are_not_asked_for_again() -> None:
    agent = ScriptedAgent("ABC")
    a, b = agent.id_of("A"), agent.id_of("B")
    agent.reading = agent.reading.model_copy(update={"judgements": (PairJudgement(base=a, qualifier=b),)})
    graph = await build(agent)
    assert ends(graph) == {("A", "B")}
    assert "judge_pairs" not in agent.asked


async def test_every_unordered_pair_is_judged_once_with_the_first_mentioned_as_u() -> None:
    agent = ScriptedAgent("ABCDE")
    await build(agent)
    seen = [(pair.u.instantiation, pair.v.instantiation) for pair in agent.pairs_seen]
    assert seen == list(combinations("ABCDE", 2))


@pytest.mark.parametrize(("names", "pairs"), [("abcdefgh", 28), ("abcdefghijk", 55), ("abcdefghijklmn", 91)])
async def test_n_nodes_make_n_times_n_minus_one_over_two_judgements(names: str, pairs: int) -> None:
    """T18."""
    agent = ScriptedAgent(names)
    await build(agent)
    assert len(agent.pairs_seen) == pairs


async def test_one_node_more_costs_only_its_own_pairs() -> None:
    """T18: ten new pairs for the eleventh node, not fifty-five."""
    before = await build(ScriptedAgent("abcdefghij"))
    agent = ScriptedAgent("abcdefghijk")
    await build(agent, previous=before)
    assert len(agent.pairs_seen) == 10


async def test_exact_reuse_judges_everything_again() -> None:
    before = await build(ScriptedAgent("abc"))
    agent = ScriptedAgent("abc")
    await build(agent, preset_config(Preset.PAPER), previous=before)
    assert len(agent.pairs_seen) == 3


async def test_a_cycle_loses_the_edge_that_the_judge_names() -> None:
    """T9: u -> v -> w -> u becomes u -> v -> w."""
    edges = {("u", "v"): 0.9, ("v", "w"): 0.9, ("w", "u"): 0.9}
    agent = ScriptedAgent("uvw", edges)
    agent.choices = [(agent.id_of("w"), agent.id_of("u"))]
    graph = await build(agent)
    assert ends(graph) == {("u", "v"), ("v", "w")}
    assert [removed.reason for removed in graph.removed_edges] == [RemovalReason.CYCLE]


async def test_a_judge_that_names_no_inner_edge_is_answered_by_least_confidence() -> None:
    agent = ScriptedAgent("uvw", {("u", "v"): 0.2, ("v", "w"): 0.9, ("w", "u"): 0.9}, choices=[("x", "y")])
    assert ends(await build(agent)) == {("v", "w"), ("w", "u")}


async def test_descriptions_see_refined_ancestors_in_topological_order_and_the_edges_among_them() -> None:
    agent = ScriptedAgent("ABCD", DIAMOND)
    graph = await build(agent)
    last = next(request for request in agent.described if request.node.instantiation == "D")
    assert [ancestor.instantiation for ancestor in last.ancestors] == ["A", "B", "C"]
    assert [ancestor.feature for ancestor in last.ancestors] == ["A", "B < A", "C < A"]
    assert len(last.edges) == 4
    assert graph.node_by_id[agent.id_of("D")].feature == "D < A < B < A < C < A"


async def test_descriptions_whose_inputs_did_not_change_are_taken_over() -> None:
    before = await build(ScriptedAgent("AB", {("A", "B"): 1.0}))
    agent = ScriptedAgent("ABC", {("A", "B"): 1.0, ("B", "C"): 1.0})
    after = await build(agent, previous=before)
    assert [request.node.instantiation for request in agent.described] == ["C"]
    fresh = await build(ScriptedAgent("ABC", {("A", "B"): 1.0, ("B", "C"): 1.0}))
    assert after == fresh


async def test_too_many_nodes_are_cut_to_the_most_salient_and_said() -> None:
    agent = ScriptedAgent("abcdef")
    graph, dropped = await build_graph("a narrative", agent=agent, config=MethodConfig(max_nodes=4), budget=Budget())
    assert [node.instantiation for node in graph.nodes] == list("abcd")
    assert [(note.what, note.why) for note in dropped] == [("e", "max_nodes"), ("f", "max_nodes")]


async def test_of_several_references_each_keeps_its_first_wishes_when_there_are_too_many() -> None:
    agent = ScriptedAgent("abcdefg")
    two = (Atom(id="one", text="One", span=(0, 1), kind=AtomKind.REFERENCE),
           Atom(id="two", text="Two", span=(0, 1), kind=AtomKind.FEEDBACK))  # fmt: skip
    of_atom = {**dict.fromkeys("abc", "one"), **dict.fromkeys("def", "two")}
    nodes = tuple(
        node.model_copy(update={"atom": of_atom.get(node.instantiation, node.atom)}) for node in agent.reading.nodes
    )
    agent.reading = agent.reading.model_copy(update={"atoms": (*two, *agent.reading.atoms), "nodes": nodes})
    graph, dropped = await build_graph("a narrative", agent=agent, config=MethodConfig(max_nodes=5), budget=Budget())
    assert {node.instantiation for node in graph.nodes} == {"g", "a", "d", "b", "e"}
    assert {note.what for note in dropped} == {"c", "f"}


@pytest.mark.parametrize("narrative", ["", "   ", "🎬🍿", "...", "\u200b"])
async def test_a_narrative_without_a_word_is_refused_before_the_agent_is_asked(narrative: str) -> None:
    agent = ScriptedAgent("a")
    with pytest.raises(EmptyNarrative):
        await build_graph(narrative, agent=agent, config=MethodConfig(), budget=Budget())
    assert agent.asked == []


async def test_words_without_a_wish_are_told_apart_from_no_words() -> None:
    with pytest.raises(NoPreferences):
        await build(ScriptedAgent(""))


async def test_a_spent_budget_stops_before_the_next_call() -> None:
    agent = ScriptedAgent("abc")
    with pytest.raises(BudgetSpent):
        await build_graph("a narrative", agent=agent, config=MethodConfig(), budget=Budget(agent_calls=1))
    assert agent.asked == ["extract_nodes"]
