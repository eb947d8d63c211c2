"""What each call of PDG-A sees and how many there are, on a real endpoint (METHOD 2, 11.3; DESIGN 5)."""

import re
from collections.abc import AsyncIterator, Iterable

import pytest

from pdgf import construction, retrieval
from pdgf.engines.llm import ONE_BY_ONE, Batching, LLMAgent
from pdgf.llm.endpoint import EndpointSettings, OpenAIModel
from pdgf.llm.structured import StructuredModel
from pdgf.models import Label, PreferenceGraph
from pdgf.ports import RelationRequest, RewriteRequest
from pdgf.settings import Preset, preset_config
from pdgf.usage import Budget
from tests.contracts.mystery_model import mystery_reply
from tests.fakes import ScriptedAgent
from tests.openai_server import FakeOpenAI, Record
from tests.openai_server.town_model import blocks, rows
from tests.pdgf.engines.answering import AnsweringModel, agent_on, agreeing, node, pairs

NARRATIVE = "A slow mystery set in a small town, with dry humour. No gore."


@pytest.fixture
async def server() -> AsyncIterator[FakeOpenAI]:
    async with FakeOpenAI(mystery_reply) as server:
        yield server


async def recommend(server: FakeOpenAI, preset: Preset, batching: Batching) -> tuple[PreferenceGraph, Budget]:
    """The steps of a request that ask the agent, on a real endpoint; six texts are compared with every wish."""
    model = OpenAIModel(EndpointSettings(base_url=server.base_url, model="mystery", requests_per_minute=0))
    agent = LLMAgent(StructuredModel(model), reserve=ScriptedAgent(), batching=batching)
    config, budget = preset_config(preset), Budget()
    graph, _ = await construction.build_graph(NARRATIVE, agent=agent, config=config, budget=budget)
    described = await construction.refine(graph, agent=agent, config=config, budget=budget)
    await retrieval.write_queries(described, agent=agent, item_word="film", budget=budget)
    texts = [f"Film {number} has no gore." for number in range(6)]
    asked = [RelationRequest(text=text, feature=each.feature) for text in texts for each in described.nodes]
    labels = await agent.label_relations(asked, budget)
    assert [label.label for label in labels].count(Label.SUPPORT) == 6
    assert budget.setbacks() == ()
    await model.aclose()
    return described, budget


def by_prompt(records: Iterable[Record], prompt: str) -> list[dict[str, str]]:
    """The fenced texts of each request of a prompt."""
    return [blocks(str(each.messages[-1]["content"])) for each in records if each.prompt == prompt]


async def test_the_paper_preset_asks_one_thing_a_call(server: FakeOpenAI) -> None:
    graph, budget = await recommend(server, Preset.PAPER, ONE_BY_ONE)
    n = len(graph.nodes)
    assert n == 5
    counts = {name: len(by_prompt(server.records, name)) for name in {each.prompt for each in server.records}}
    assert counts == {
        "extract_nodes": 1,
        "judge_pairs": n * (n - 1) // 2,
        "describe": n,
        "rewrite_queries": len(graph.edges) + len(graph.roots()),
        "label_relations": 6 * n,
    }
    assert budget.usage().agent_calls == sum(counts.values())
    assert all(len(rows(given["preferences"])) == 1 for given in by_prompt(server.records, "describe"))
    for prompt in ("judge_pairs", "rewrite_queries"):
        assert all(set(given) == {"narrative", "pair1"} for given in by_prompt(server.records, prompt))
    for given in by_prompt(server.records, "label_relations"):
        assert set(given) == {"text1", "preferences1"}
        assert len(rows(given["preferences1"])) == 1


async def test_a_label_call_never_sees_the_narrative_nor_a_search_call_a_description(server: FakeOpenAI) -> None:
    for preset, batching in ((Preset.PAPER, ONE_BY_ONE), (Preset.INTERACTIVE, Batching())):
        graph, _ = await recommend(server, preset, batching)
        asked = {
            prompt: [r.text for r in server.records if r.prompt == prompt]
            for prompt in ("label_relations", "rewrite_queries")
        }
        assert not any(NARRATIVE in text or "small town, with" in text for text in asked["label_relations"])
        assert not any(each.feature in text for text in asked["rewrite_queries"] for each in graph.nodes)
        assert any(each.feature in text for text in asked["label_relations"] for each in graph.nodes)


async def test_each_description_sees_its_own_ancestors_and_no_others(server: FakeOpenAI) -> None:
    graph, _ = await recommend(server, Preset.PAPER, ONE_BY_ONE)
    features = {each.instantiation: each.feature for each in graph.nodes}
    seen = {}
    for given in by_prompt(server.records, "describe"):
        [wanted] = rows(given["preferences"])
        seen[wanted["instantiation"]] = ([row["description"] for row in rows(given.get("known", ""))], wanted["bases"])
    assert seen == {
        "slow": ([features["mystery"]], [2]),
        "small town": ([features["mystery"]], [2]),
        **dict.fromkeys(["mystery", "dry humour", "gore"], ([], [])),
    }


async def test_the_interactive_preset_shares_calls_and_fences_each_case_apart(server: FakeOpenAI) -> None:
    graph, _ = await recommend(server, Preset.INTERACTIVE, Batching(labels=12))
    counts = [(name, len(by_prompt(server.records, name))) for name in ("read_graph", "judge_pairs", "label_relations")]
    assert counts == [("read_graph", 1), ("judge_pairs", 0), ("label_relations", -(-6 * len(graph.nodes) // 12))]
    [searched] = by_prompt(server.records, "rewrite_queries")
    assert set(searched) == {"narrative", *(f"pair{n}" for n in range(1, len(graph.edges) + len(graph.roots()) + 1))}
    for given in by_prompt(server.records, "label_relations"):
        texts = [text for name, text in given.items() if name.startswith("text")]
        assert all(len(set(re.findall(r"Film \d", text))) == 1 for text in texts)
        assert {f"preferences{number}" for number in range(1, len(texts) + 1)} <= set(given)


async def test_batched_pairs_are_fenced_apart() -> None:
    model = AnsweringModel(agreeing)
    await agent_on(model).judge_pairs(NARRATIVE, pairs(3), Budget())
    [ask] = model.asks
    given = blocks(ask.rendered.user)
    assert set(given) == {"narrative", "pair1", "pair2", "pair3"}
    for number in (1, 2, 3):
        assert set(re.findall(r"words of ([uv]\d)", given[f"pair{number}"])) == {f"u{number - 1}", f"v{number - 1}"}


async def test_nodes_without_their_atom_are_shown_in_the_words_that_name_them_and_without_f() -> None:
    model = AnsweringModel(agreeing)
    town = node("small place", span=(24, 34), feature="It plays in a place that is small.")
    await agent_on(model).rewrite(NARRATIVE, [RewriteRequest(base=node("calm"), node=town)], "film", Budget())
    [shown] = model.inputs("rewrite_queries")[0]["pairs"]
    assert (shown["base"]["atom"], shown["node"]["atom"]) == ("calm", "small town")
    assert town.feature not in model.asks[0].rendered.user
