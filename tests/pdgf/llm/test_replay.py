"""Stories: what is read from a file, what is refused in it, and what the model that tells one answers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pdgf.construction import build_graph, refine
from pdgf.engines.llm import ONE_BY_ONE, Batching, LLMAgent
from pdgf.errors import ConfigInvalid, ReplyUnusable
from pdgf.llm.calls import Ask, Rendered
from pdgf.llm.replay import ReplayModel, read_story
from pdgf.llm.reply_cache import ReplyCache
from pdgf.llm.structured import StructuredModel
from pdgf.models import Label, PreferenceGraph, RelationLabel
from pdgf.ports import PreferenceAgent, RelationRequest
from pdgf.retrieval import write_queries
from pdgf.settings import MethodConfig, Preset, preset_config
from pdgf.usage import Budget, Setback
from tests.fakes import ScriptedAgent
from tests.pdgf.llm.told_story import Told, circle, edge, in_graph, told, with_rows

PRESETS = [
    pytest.param(Batching(), preset_config(Preset.INTERACTIVE, layers_at_once=True), id="interactive"),
    pytest.param(ONE_BY_ONE, preset_config(Preset.PAPER), id="paper"),
]
INTERACTIVE = preset_config(Preset.INTERACTIVE, layers_at_once=True)


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Any], Path]:
    def write(story: Any) -> Path:
        path = tmp_path / "story.json"
        path.write_text(json.dumps(story, ensure_ascii=False), encoding="utf-8")
        return path

    return write


@pytest.fixture
def agent_of(written: Callable[[Any], Path]) -> Callable[..., LLMAgent]:
    def make(story: Told, batching: Batching | None = None, reserve: PreferenceAgent | None = None) -> LLMAgent:
        model = ReplayModel(read_story(written(story)))
        return LLMAgent(StructuredModel(model), reserve=reserve or ScriptedAgent("", {}), batching=batching)

    return make


async def graph_of(agent: LLMAgent, config: MethodConfig, budget: Budget | None = None) -> PreferenceGraph:
    budget = budget or Budget(agent_calls=10_000)
    graph, _ = await build_graph(told()["narrative"], agent=agent, config=config, budget=budget)
    return await refine(graph, agent=agent, config=config, budget=budget)


def named(graph: PreferenceGraph, pairs: Any) -> list[tuple[str, str]]:
    name = {n.id: n.instantiation for n in graph.nodes}
    return sorted((name[pair.base], name[pair.qualifier]) for pair in pairs)


async def labelled(agent: LLMAgent, *pairs: tuple[str, str]) -> list[RelationLabel]:
    requests, budget = [RelationRequest(text=text, feature=feature) for text, feature in pairs], Budget()
    found = await agent.label_relations(requests, budget)
    assert budget.setbacks() == ()
    return found


def test_a_story_is_read_whole(written: Callable[[Any], Path]) -> None:
    story = read_story(written(told()))
    assert [row.id for row in story.graph.nodes] == ["n1", "n2", "n3", "n4"]
    assert story.labels[0].nodes == ("n1",)  # one node may stand without a list
    assert story.labels[1].nodes == ("n2", "n3")
    assert (story.cycle_edges, story.queries[0].base) == ((), None)


def test_what_a_request_has_none_of_may_be_left_out(written: Callable[[Any], Path]) -> None:
    story = told()
    del story["queries"], story["labels"]
    assert (read_story(written(story)).queries, read_story(written(story)).labels) == ((), ())


@pytest.mark.parametrize(
    ("story", "said"),
    [
        ([], "is no story: Input should be an object"),
        (told(about=""), "is no story: about: String should have at least 1 character"),
        (told(domian="books"), "is no story: domian: Extra inputs are not permitted"),
        (told(labels=[{"nodes": "n1", "quote": "quay", "label": "GREAT"}]), "is no story: labels.0.label: "),
        (told(labels=[{"nodes": [], "quote": "quay", "label": "SUPPORT"}]), "is no story: labels.0.nodes: "),
        (told(queries=[{"base": None, "node": "n1", "text": ""}]), "is no story: queries.0.text: "),
        (in_graph("edges", 0, confidence=1.2), "is no story: graph.edges.0.confidence: "),
        (in_graph("atoms", 0, text="a harbor novel"), ": the text of a1 is not found in the narrative"),
        (in_graph("atoms", 1, id="a1"), ": a1 is told twice; n2 has no atom a2"),
        (in_graph("nodes", 1, atom="a9"), ": n2 has no atom a9"),
        (in_graph("nodes", 0, instantiation=""), ": n1 has no perspective or no instantiation"),
        (in_graph("nodes", 0, words="harbor"), ": the words of n1 are not found in the narrative"),
        (in_graph("nodes", 3, strength="never"), ": the words of n4 are not found in the narrative"),
        (in_graph("nodes", 1, perspective="Setting", instantiation="harbour"), ": several nodes read setting: harbour"),
        (in_graph("edges", 0, qualifier="n9"), ": an edge names n9, and no node is called so"),
        (in_graph("edges", 0, qualifier="n1"), ": n1 qualifies itself"),
        (in_graph("edges", 0, words="without"), ": the words of the edge n1 - n2 are not found in the narrative"),
        (with_rows("edges", edge("n2", "n1", 0.7)), ": n1 and n2 have several edges"),
        (told(descriptions={**told()["descriptions"], "n9": "It is odd."}), ": no node is called n9"),
        (told(descriptions={"n1": "A.", "n2": "B.", "n3": " "}), ": no description of n3, n4"),
        (told(queries=[{"base": "n8", "node": "n1", "text": "x"}]), ": no node is called n8"),
        (told(queries=[{"node": "n1", "text": "x"}, {"node": "n1", "text": "y"}]), ": n1 has several queries for one"),
        (told(cycle_edges=[{"base": "n3", "qualifier": "n1"}]), ": the cycle edge n3 - n1 is no edge"),
        (
            told(labels=[{"nodes": "n1", "quote": "quay", "label": label} for label in ("SUPPORT", "CONTRADICTS")]),
            ": n1 has several labels for “quay”",
        ),
        (
            told(labels=[{"nodes": "n1", "quote": "quay", "label": "NOT_ADDRESSED"}]),
            ": “quay” is labelled NOT_ADDRESSED, which needs no telling",
        ),
        (
            told(narrative="A harbour novel."),
            ": the text of a2 is not found in the narrative; the text of a3 is not found in the narrative; "
            "the text of a4 is not found in the narrative; and 5 more",
        ),
    ],
)
def test_a_story_that_does_not_hang_together_is_refused_in_one_line(
    story: Any, said: str, written: Callable[[Any], Path]
) -> None:
    with pytest.raises(ConfigInvalid) as refused:
        read_story(written(story))
    assert str(refused.value).startswith(str(written(story)))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"{broken", "is no story: Invalid JSON"), (b"\xff\xfe", "is no story: not UTF-8")],
)
def test_a_file_that_is_no_json_is_refused(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "story.json"
    path.write_bytes(content)
    with pytest.raises(ConfigInvalid, match=said):
        read_story(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigInvalid, match=r"gone\.json: No such file or directory"):
        read_story(tmp_path / "gone.json")


@pytest.mark.parametrize(("batching", "config"), PRESETS)
async def test_the_told_graph_comes_out_described_in_both_presets(
    batching: Batching, config: MethodConfig, agent_of: Callable[..., LLMAgent]
) -> None:
    budget = Budget(agent_calls=10_000)
    graph = await graph_of(agent_of(told(), batching), config, budget)
    assert named(graph, graph.edges) == [("Harbour", "feud"), ("feud", "jokes")]
    assert [(e.reason.value, named(graph, [e])) for e in graph.removed_edges] == [("shortcut", [("Harbour", "jokes")])]
    assert {n.instantiation: n.feature for n in graph.nodes} == {
        "Harbour": "It is set in a harbour.",
        "feud": "There is a feud in the harbour.",
        "jokes": "The harbour feud is fought with jokes.",
        "long": "It must not be long.",
    }
    assert [n.instantiation for n in graph.nodes if n.hard] == ["long"]
    assert budget.setbacks() == ()


async def test_one_by_one_every_pair_is_a_call_of_its_own(agent_of: Callable[..., LLMAgent]) -> None:
    """One reading of nodes, six pairs, four descriptions; at once one reading and one call for all descriptions."""
    alone, together = Budget(agent_calls=10_000), Budget()
    one = await graph_of(agent_of(told(), ONE_BY_ONE), preset_config(Preset.PAPER), alone)
    other = await graph_of(agent_of(told()), INTERACTIVE, together)
    assert (alone.usage().agent_calls, together.usage().agent_calls) == (1 + 6 + 4, 2)
    assert one.model_dump() == other.model_dump()


@pytest.mark.parametrize(("batching", "config"), PRESETS)
async def test_the_query_of_each_edge_is_the_told_one(
    batching: Batching, config: MethodConfig, agent_of: Callable[..., LLMAgent]
) -> None:
    agent, budget = agent_of(told(), batching), Budget(agent_calls=10_000)
    graph = await graph_of(agent, config)
    queries = await write_queries(graph, agent=agent, item_word="book", budget=budget)
    name = {n.id: n.instantiation for n in graph.nodes} | {None: None}
    assert {(name[query.base], name[query.node]): query.text for query in queries} == {
        (None, "Harbour"): "harbour novels",
        (None, "long"): "short novels",
        ("Harbour", "feud"): "harbour feud novel",
        ("feud", "jokes"): "feud jokes novel",
    }
    assert budget.setbacks() == ()


async def test_a_query_that_is_not_told_is_made_by_the_template_and_noted(agent_of: Callable[..., LLMAgent]) -> None:
    agent, budget = agent_of(told(queries=told()["queries"][:3])), Budget()
    graph = await graph_of(agent, INTERACTIVE)
    queries = await write_queries(graph, agent=agent, item_word="book", budget=budget)
    [made] = [query.text for query in queries if "novel" not in query.text]
    assert '"feud" "jokes"' in made
    assert budget.setbacks() == (Setback(step="rewrite", why="unreadable"),)


@pytest.mark.parametrize(("batching", "config"), PRESETS)
async def test_words_of_a_text_decide_for_every_node_that_they_are_told_for(
    batching: Batching, config: MethodConfig, agent_of: Callable[..., LLMAgent]
) -> None:
    text = "Here “They quarrel in rhymes”,\nwhile down at the quay nothing stirs."
    features = ["It is set in a harbour.", "There is a feud in the harbour.", "The harbour feud is fought with jokes."]
    first, *others, last = await labelled(
        agent_of(told(), batching), *((text, feature) for feature in (*features, "It must not be long."))
    )
    assert first == RelationLabel(label=Label.SUPPORT, quotes=("down at the quay",))
    assert others == [RelationLabel(label=Label.SUPPORT, quotes=("They quarrel in rhymes",))] * 2
    assert last == RelationLabel(label=Label.NOT_ADDRESSED)
    assert await labelled(agent_of(told(), batching), ("Nobody is there.", features[0])) == [last]


@pytest.mark.parametrize(
    ("text", "label", "quotes"),
    [
        ("They quarrel in rhymes, friends to the end.", "PARTIAL", ("They quarrel in rhymes", "friends to the end")),
        ("There is a grudge or two, but they quarrel in rhymes.", "SUPPORT", ("they quarrel in rhymes",)),
        ("There is a grudge or two, but friends to the end.", "CONTRADICTS", ("friends to the end",)),
        ("There is a grudge or two.", "PARTIAL", ("a grudge or two",)),
        ("They quarrel\nin rhymes.", "NOT_ADDRESSED", ()),  # a quote never runs over a line break
    ],
)  # fmt: skip
async def test_support_and_contradiction_in_one_text_are_partial_and_either_outdoes_a_part(
    text: str, label: str, quotes: tuple[str, ...], agent_of: Callable[..., LLMAgent]
) -> None:
    [found] = await labelled(agent_of(told()), (text, "There is a feud in the harbour."))
    assert (found.label.value, found.quotes) == (label, quotes)


@pytest.mark.parametrize(("batching", "config"), PRESETS)
async def test_the_told_edge_of_a_circle_goes_however_sure_it_was(
    batching: Batching, config: MethodConfig, agent_of: Callable[..., LLMAgent]
) -> None:
    story = circle(cycle_edges=[{"base": "n3", "qualifier": "n1", "reason": "It leads back to the harbour."}])
    budget = Budget(agent_calls=10_000)
    graph = await graph_of(agent_of(story, batching), config, budget)
    assert [(e.reason.value, named(graph, [e])) for e in graph.removed_edges] == [("cycle", [("jokes", "Harbour")])]
    assert named(graph, graph.edges) == [("Harbour", "feud"), ("feud", "jokes")]
    assert budget.setbacks() == ()


async def test_of_a_circle_that_is_not_told_the_least_confident_edge_goes_and_that_is_noted(
    agent_of: Callable[..., LLMAgent],
) -> None:
    budget = Budget()
    graph = await graph_of(agent_of(circle()), INTERACTIVE, budget)
    assert [(e.reason.value, named(graph, [e])) for e in graph.removed_edges] == [("cycle", [("Harbour", "feud")])]
    assert budget.setbacks() == (Setback(step="choose_edge_to_remove", why="unreadable"),)


async def test_another_request_is_left_to_the_engine_in_reserve(agent_of: Callable[..., LLMAgent]) -> None:
    reserve, budget = ScriptedAgent("AB", {("A", "B"): 1.0}), Budget()
    agent = agent_of(told(), reserve=reserve)
    reading = await agent.extract_nodes("A mountain novel.", None, INTERACTIVE, budget)
    assert [n.instantiation for n in reading.nodes] == ["A", "B"]
    assert budget.setbacks() == (Setback(step="extract_nodes", why="unreadable"),)
    wrapped = told()["narrative"].replace(" ", "\n ")
    same = await agent.extract_nodes(wrapped, None, INTERACTIVE, Budget())
    assert [n.instantiation for n in same.nodes] == ["Harbour", "feud", "jokes", "long"]


async def test_what_no_story_tells_is_no_reply(written: Callable[[Any], Path]) -> None:
    model = ReplayModel(read_story(written(told())))
    ask = Ask(rendered=Rendered(name="pdgf/extract_candidates", digest="d", inputs={}, system="", user=""))
    with pytest.raises(ReplyUnusable, match="extract_candidates"):
        await model.complete(ask, Budget())
    with pytest.raises(ReplyUnusable, match="prose"):
        [piece async for piece in model.stream(ask, Budget())]


async def test_replies_kept_of_one_telling_never_answer_for_another(
    written: Callable[[Any], Path], tmp_path: Path
) -> None:
    """A story is told anew while its narrative, and with it the question, stays the same."""
    cache, scope = ReplyCache(tmp_path / "replies"), "command-line"
    pair = RelationRequest(text="Down at the quay.", feature="It is set in a harbour.")
    found = []
    for label in ("SUPPORT", "PARTIAL", "SUPPORT"):
        story = told(labels=[{"nodes": "n1", "quote": "down at the quay", "label": label}])
        model = ReplayModel(read_story(written(story)))
        agent = LLMAgent(StructuredModel(model, cache), reserve=ScriptedAgent("", {}))
        budget = Budget(scope=scope)
        found.append(((await agent.label_relations([pair], budget))[0].label.value, budget.usage().agent_calls))
    await cache.close()
    assert found == [("SUPPORT", 1), ("PARTIAL", 1), ("SUPPORT", 0)]
