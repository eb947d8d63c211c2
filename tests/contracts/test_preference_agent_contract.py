"""What every PreferenceAgent promises, on the scripted one and on the built-in engine (METHOD 2, invariants of 15)."""

from collections.abc import Callable
from itertools import combinations

import pytest

from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Label, QualificationEdge
from pdgf.ports import Cycle, NodePair, PreferenceAgent, Reading, RefinementRequest, RelationRequest, RewriteRequest
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.fakes import HashingEmbedder, ScriptedAgent

NARRATIVE = "A slow mystery set in a small town, with dry humour. No gore."

Agents = dict[str, Callable[[], PreferenceAgent]]
AGENTS: Agents = {
    "scripted": lambda: ScriptedAgent(["slow", "mystery", "small town", "gore"], {("mystery", "small town"): 1.0}),
    "builtin": lambda: BuiltinAgent(parser=EnglishParser(), embedder=HashingEmbedder(), vocabulary=Vocabulary()),
}


@pytest.fixture(params=sorted(AGENTS))
def agent(request: pytest.FixtureRequest) -> PreferenceAgent:
    return AGENTS[request.param]()


@pytest.fixture
async def reading(agent: PreferenceAgent) -> Reading:
    return await agent.extract_nodes(NARRATIVE, None, MethodConfig(), Budget())


def pairs_of(reading: Reading) -> list[NodePair]:
    atoms = {atom.id: atom for atom in reading.atoms}
    return [NodePair(u=u, v=v, atom_u=atoms[u.atom], atom_v=atoms[v.atom]) for u, v in combinations(reading.nodes, 2)]


async def test_nodes_have_distinct_ids_a_known_atom_and_a_place_in_the_order_of_mention(reading: Reading) -> None:
    assert reading.nodes
    assert len({node.id for node in reading.nodes}) == len(reading.nodes)
    assert {node.atom for node in reading.nodes} <= {atom.id for atom in reading.atoms}
    assert [node.order for node in reading.nodes] == sorted(node.order for node in reading.nodes)
    assert all(node.feature == "" for node in reading.nodes)


async def test_reading_twice_reads_the_same(agent: PreferenceAgent, reading: Reading) -> None:
    assert await agent.extract_nodes(NARRATIVE, None, MethodConfig(), Budget()) == reading


async def test_hard_spans_decide_hardness_when_they_are_given(agent: PreferenceAgent) -> None:
    none = await agent.extract_nodes(NARRATIVE, (), MethodConfig(), Budget())
    whole = await agent.extract_nodes(NARRATIVE, ((0, len(NARRATIVE)),), MethodConfig(), Budget())
    assert not any(node.hard for node in none.nodes)
    assert all(node.hard for node in whole.nodes)


async def test_each_pair_gets_one_judgement_between_its_own_nodes(agent: PreferenceAgent, reading: Reading) -> None:
    pairs = pairs_of(reading)
    judged = await agent.judge_pairs(NARRATIVE, pairs, Budget())
    assert len(judged) == len(pairs)
    assert any(judgement is not None for judgement in judged)
    for pair, judgement in zip(pairs, judged, strict=True):
        if judgement is not None:
            assert {judgement.base, judgement.qualifier} == {pair.u.id, pair.v.id}
            assert 0.0 <= judgement.confidence <= 1.0


async def test_a_cycle_question_is_answered_with_an_inner_edge_or_not_at_all(
    agent: PreferenceAgent, reading: Reading
) -> None:
    u, v, w = reading.nodes[:3]
    edges = tuple(QualificationEdge(base=a.id, qualifier=b.id) for a, b in ((u, v), (v, w), (w, u)))
    cycle = Cycle(nodes=(u, v, w), atoms=reading.atoms, internal_edges=edges, external_edges=())
    choice = await agent.choose_edge_to_remove(NARRATIVE, cycle, Budget())
    assert choice is None or choice in {edge.ends for edge in edges}


async def test_every_request_is_described_and_rewritten(agent: PreferenceAgent, reading: Reading) -> None:
    first, second = reading.nodes[:2]
    described = await agent.describe(
        NARRATIVE, [RefinementRequest(node=first), RefinementRequest(node=second)], Budget()
    )
    written = await agent.rewrite(
        NARRATIVE, [RewriteRequest(base=None, node=first), RewriteRequest(base=first, node=second)], "film", Budget()
    )
    assert len(described) == len(written) == 2
    assert all(text.strip() for text in (*described, *written))


async def test_labels_come_back_in_order_with_quotes_from_their_own_text(agent: PreferenceAgent) -> None:
    requests = [
        RelationRequest(text="There is no gore at all.", feature="no gore."),
        RelationRequest(text="The curtains are green.", feature="small town (setting)."),
        RelationRequest(text="", feature="no gore."),
    ]
    labels = await agent.label_relations(requests, Budget())
    assert len(labels) == len(requests)
    for request, label in zip(requests, labels, strict=True):
        assert (label.label is Label.NOT_ADDRESSED) == (not label.quotes)
        assert all(quote in request.text for quote in label.quotes)


async def test_nothing_asked_is_nothing_answered(agent: PreferenceAgent) -> None:
    assert await agent.judge_pairs(NARRATIVE, [], Budget()) == []
    assert await agent.describe(NARRATIVE, [], Budget()) == []
    assert await agent.rewrite(NARRATIVE, [], "film", Budget()) == []
    assert await agent.label_relations([], Budget()) == []
