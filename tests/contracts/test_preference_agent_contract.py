"""What every PreferenceAgent promises (METHOD 2, invariants of 15): the scripted one, the built-in engine, a language
model over HTTP with and without batches, and the switch between the engines, whether the model serves or not."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import combinations

import pytest

from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.engines.llm import ONE_BY_ONE, Batching, LLMAgent
from pdgf.engines.switching import SwitchingAgent
from pdgf.llm.endpoint import EndpointSettings, OpenAIModel
from pdgf.llm.structured import StructuredModel
from pdgf.models import Label, QualificationEdge
from pdgf.ports import Cycle, NodePair, PreferenceAgent, Reading, RefinementRequest, RelationRequest, RewriteRequest
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.contracts.mystery_model import mystery_reply
from tests.fakes import HashingEmbedder, ScriptedAgent
from tests.openai_server import FakeOpenAI, Fault

NARRATIVE = "A slow mystery set in a small town, with dry humour. No gore."

AGENTS = ("builtin", "llm", "llm one by one", "scripted", "switching", "switched")


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(mystery_reply) as server:
        yield server


@pytest.fixture(scope="module")
def refusing_server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(mystery_reply, faults=Fault.NO_CREDIT) as server:
        yield server


@asynccontextmanager
async def llm_agent(server: FakeOpenAI, batching: Batching | None = None) -> AsyncIterator[LLMAgent]:
    settings = EndpointSettings(base_url=server.base_url, model="mystery", requests_per_minute=0)
    model = OpenAIModel(settings)
    try:
        yield LLMAgent(StructuredModel(model), reserve=builtin_agent(), batching=batching)
    finally:
        await model.aclose()


def builtin_agent() -> BuiltinAgent:
    return BuiltinAgent(parser=EnglishParser(), embedder=HashingEmbedder(), vocabulary=Vocabulary())


@pytest.fixture(params=AGENTS)
async def agent(
    request: pytest.FixtureRequest, server: FakeOpenAI, refusing_server: FakeOpenAI
) -> AsyncIterator[PreferenceAgent]:
    match request.param:
        case "scripted":
            yield ScriptedAgent(["slow", "mystery", "small town", "gore"], {("mystery", "small town"): 1.0})
        case "builtin":
            yield builtin_agent()
        case "llm":
            async with llm_agent(server) as agent:
                yield agent
        case "llm one by one":
            async with llm_agent(server, ONE_BY_ONE) as agent:
                yield agent
        case "switching":
            async with llm_agent(server) as agent:
                yield SwitchingAgent(model=agent, reserve=builtin_agent())
        case "switched":
            async with llm_agent(refusing_server) as agent:
                yield SwitchingAgent(model=agent, reserve=builtin_agent())


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


async def test_equal_comparisons_have_equal_labels(agent: PreferenceAgent) -> None:
    one, other = (RelationRequest(text=text, feature="no gore.") for text in ("There is no gore at all.", "It rains."))
    labels = await agent.label_relations([one, other, one, other, one], Budget())
    assert labels[0] == labels[2] == labels[4]
    assert labels[1] == labels[3]


async def test_nothing_asked_is_nothing_answered(agent: PreferenceAgent) -> None:
    assert await agent.judge_pairs(NARRATIVE, [], Budget()) == []
    assert await agent.describe(NARRATIVE, [], Budget()) == []
    assert await agent.rewrite(NARRATIVE, [], "film", Budget()) == []
    assert await agent.label_relations([], Budget()) == []
