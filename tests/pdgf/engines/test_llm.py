"""PDG-A on a language model: answers in their places, and what is done where a reply cannot be used."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pdgf.engines.builtin.features import feature_of, web_query
from pdgf.engines.llm import ONE_BY_ONE, Batching, LLMAgent
from pdgf.errors import (
    BudgetSpent,
    LanguageNotSupported,
    ModelRefused,
    ModelUnreachable,
    PromptTooLong,
    ReplyUnusable,
    StepFailed,
)
from pdgf.llm.calls import Role
from pdgf.models import Atom, Label, QualificationEdge, RelationLabel
from pdgf.ports import Acquired, Cycle, ExtractionRequest, RefinementRequest, RelationRequest, RewriteRequest
from pdgf.ranking import LabelCache, rank
from pdgf.settings import MethodConfig
from pdgf.usage import Budget, Setback
from tests.fakes import ScriptedAgent
from tests.pdgf.engines.answering import AnsweringModel, Said, agent_on, agreeing, chain, node, pairs, unless
from tests.pdgf.graphs import graph_of, item, record

NARRATIVE = "A slow mystery set in a small town, with dry humour. No gore."
GARBAGE = '{"nothing": "of use"}'


def unreadable(step: str, count: int = 1) -> tuple[Setback, ...]:
    return (Setback(step=step, why="unreadable", count=count),)


# Reading the narrative


GRAPH = {
    "language": "en",
    "atoms": [{"id": "a1", "text": "slow mystery", "kind": "criterion"}],
    "nodes": [
        {"id": "n1", "atom": "a1", "perspective": "genre", "instantiation": "mystery"},
        {"id": "n2", "atom": "a1", "perspective": "pace", "instantiation": "slow"},
    ],
    "edges": [{"base": "n1", "qualifier": "n2"}],
}
INVENTED = {**GRAPH, "atoms": [{"id": "a1", "text": "a fast car", "kind": "criterion"}]}


@pytest.mark.parametrize("at_once", [True, False])
async def test_the_edge_set_is_read_with_the_nodes_where_batching_allows_it(at_once: bool) -> None:
    model = AnsweringModel(lambda prompt, _: GRAPH)
    reading = await agent_on(model, Batching(graph_at_once=at_once)).extract_nodes(
        NARRATIVE, None, MethodConfig(max_nodes=7), Budget()
    )
    [ask] = model.asks
    assert (ask.rendered.name, ask.role) == ("pdgf/read_graph" if at_once else "pdgf/extract_nodes", Role.MAIN)
    assert ask.rendered.inputs == {"narrative": NARRATIVE, "max_nodes": 7}
    assert (reading.judgements is not None) == at_once
    assert [each.instantiation for each in reading.nodes] == ["mystery", "slow"]


async def test_a_reading_that_is_not_in_the_narrative_is_asked_for_once_more_with_the_reason() -> None:
    replies = iter([INVENTED, GRAPH])
    model, budget = AnsweringModel(lambda prompt, _: next(replies)), Budget()
    reading = await agent_on(model).extract_nodes(NARRATIVE, None, MethodConfig(), budget)
    assert len(reading.nodes) == 2
    _, again = model.asks
    assert again.repair is not None
    assert "a fast car" in again.repair[1]
    assert budget.setbacks() == ()


@pytest.mark.parametrize("said", [INVENTED, GARBAGE, "no JSON", ReplyUnusable("filtered"), PromptTooLong("too long")])
async def test_a_narrative_that_the_model_cannot_read_is_read_by_the_reserve_and_that_is_noted(said: Said) -> None:
    reserve, budget = ScriptedAgent(["slow", "mystery"]), Budget()
    agent = agent_on(AnsweringModel(lambda prompt, _: said), reserve=reserve)
    assert await agent.extract_nodes(NARRATIVE, (), MethodConfig(), budget) == reserve.reading
    assert budget.setbacks() == unreadable("extract_nodes")


async def test_a_language_that_the_reserve_does_not_read_leaves_the_failure_of_the_step() -> None:
    class Reserve(ScriptedAgent):
        async def extract_nodes(self, *_: Any) -> Any:
            raise LanguageNotSupported("zh")

    budget = Budget()
    with pytest.raises(StepFailed):
        await agent_on(AnsweringModel(lambda prompt, _: GARBAGE), reserve=Reserve()).extract_nodes(
            "安静的餐厅", None, MethodConfig(), budget
        )
    assert budget.setbacks() == ()


# Pairs and cycles


async def test_judgements_come_back_with_their_pairs_whatever_the_batch() -> None:
    asked = pairs(91)  # of 14 nodes
    for batching, calls in ((Batching(), 3), (Batching(pairs=91), 1), (ONE_BY_ONE, 91)):
        model = AnsweringModel(agreeing)
        judged = await agent_on(model, batching).judge_pairs(NARRATIVE, asked, Budget())
        assert [(j.base, j.qualifier) for j in judged if j] == [(pair.u.id, pair.v.id) for pair in asked]
        assert len(model.asks) == calls


async def test_pairs_that_cannot_be_judged_are_independent() -> None:
    model = AnsweringModel(unless(lambda given: len(given["pairs"]) > 1, ReplyUnusable("no")))
    budget = Budget()
    assert await agent_on(model).judge_pairs(NARRATIVE, pairs(2), budget) == [None, None]
    assert budget.setbacks() == unreadable("judge_pairs", 2)


async def test_a_pair_that_a_reply_leaves_out_is_asked_for_by_itself_and_a_relation_of_none_is_an_answer() -> None:
    def script(prompt: str, inputs: Mapping[str, Any]) -> Said:
        told = [{"pair": pair["number"], "relation": "none"} for pair in inputs["pairs"]]
        return {"judgements": told if len(told) == 1 else told[:-1]}

    model, budget = AnsweringModel(script), Budget()
    assert await agent_on(model).judge_pairs(NARRATIVE, pairs(4), budget) == [None] * 4
    assert [len(given["pairs"]) for given in model.inputs("judge_pairs")] == [4, 1]
    assert budget.setbacks() == ()


CIRCLE = Cycle(
    nodes=(node("u"), node("v"), node("w")),
    atoms=tuple(Atom(id=f"a-{name}", text=f"words of {name}", span=(0, 1)) for name in "uvw"),
    internal_edges=tuple(QualificationEdge(base=a, qualifier=b, span=f"{a}{b}") for a, b in ("uv", "vw", "wu")),
    external_edges=(QualificationEdge(base="v", qualifier="x", span="out"), QualificationEdge(base="y", qualifier="u")),
)


async def test_a_cycle_is_shown_with_its_inner_and_outer_edges_and_broken_at_the_edge_named() -> None:
    """T9 of METHOD 8: (w, u) is the least supported."""
    model = AnsweringModel(lambda prompt, _: {"edge": 3})
    assert await agent_on(model).choose_edge_to_remove(NARRATIVE, CIRCLE, Budget()) == ("w", "u")
    [given] = model.inputs("resolve_cycle")
    assert [(n["number"], n["atom"]) for n in given["nodes"]] == [
        (1, "words of u"),
        (2, "words of v"),
        (3, "words of w"),
    ]
    assert [(e["number"], e["base"], e["qualifier"], e["words"]) for e in given["inner"]] == [
        (1, 1, 2, "uv"),
        (2, 2, 3, "vw"),
        (3, 3, 1, "wu"),
    ]
    assert given["outer"] == [
        {"base": 2, "qualifier": None, "words": "out"},
        {"base": None, "qualifier": 1, "words": ""},
    ]


@pytest.mark.parametrize("said", [{"edge": 4}, {"edge": 0}, GARBAGE, PromptTooLong("too long")])
async def test_an_edge_that_is_not_inside_leaves_the_choice_to_confidence(said: Said) -> None:
    model, budget = AnsweringModel(lambda prompt, _: said), Budget()
    assert await agent_on(model).choose_edge_to_remove(NARRATIVE, CIRCLE, budget) is None
    assert len(model.asks) == (1 if isinstance(said, Exception) else 2)
    assert budget.setbacks() == unreadable("choose_edge_to_remove")


# Descriptions and queries


async def test_descriptions_of_a_list_are_numbered_with_their_bases() -> None:
    model = AnsweringModel(agreeing)
    told = node("told", feature="It is told.")
    requests = chain("u", "v")
    requests.append(
        RefinementRequest(
            node=node("w", hard=True, strength="must"),
            ancestors=(told, node("u"), node("v")),
            edges=(
                *requests[1].edges,
                QualificationEdge(base="told", qualifier="w"),
                QualificationEdge(base="v", qualifier="w"),
            ),
        )
    )
    assert await agent_on(model).describe(NARRATIVE, requests, Budget()) == ["f of u", "f of v", "f of w"]
    [given] = model.inputs("describe")
    assert given["known"] == [{"number": 4, "description": "It is told.", "bases": []}]
    assert [(n["number"], n["instantiation"], n["hard"], n["strength"], n["bases"]) for n in given["nodes"]] == [
        (1, "u", False, "", []),
        (2, "v", False, "", [1]),
        (3, "w", True, "must", [2, 4]),
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 5])
async def test_a_description_in_a_later_call_builds_on_those_of_the_calls_before(size: int) -> None:
    model = AnsweringModel(agreeing)
    names = "tuvwx"
    assert await agent_on(model, Batching(descriptions=size)).describe(NARRATIVE, chain(*names), Budget()) == [
        f"f of {name}" for name in names
    ]
    calls = model.inputs("describe")
    assert len(calls) == -(-5 // size)
    for number, given in enumerate(calls):
        assert [row["description"] for row in given["known"]] == [f"f of {name}" for name in names[: number * size]]
        first = given["nodes"][0]
        assert len(first["bases"]) == (1 if number else 0)


async def test_a_list_that_is_too_long_is_described_in_halves_and_the_second_knows_the_first() -> None:
    model = AnsweringModel(unless(lambda given: len(given["nodes"]) > 2, PromptTooLong("too long")))
    budget = Budget()
    assert await agent_on(model).describe(NARRATIVE, chain(*"tuvw"), budget) == [f"f of {name}" for name in "tuvw"]
    assert [row["description"] for row in model.inputs("describe")[-1]["known"]] == ["f of t", "f of u"]
    assert budget.setbacks() == ()


async def test_what_qualifies_a_node_that_could_not_be_described_still_knows_its_words() -> None:
    model = AnsweringModel(unless(lambda given: given["nodes"][0]["instantiation"] == "t", PromptTooLong("too long")))
    requests, budget = chain(*"tuv"), Budget()
    texts = await agent_on(model).describe(NARRATIVE, requests, budget)
    assert texts == [feature_of(requests[0]), "f of u", "f of v"]
    given = model.inputs("describe")[-1]
    assert given["known"] == [{"number": 3, "description": "t", "bases": []}]
    assert [row["bases"] for row in given["nodes"]] == [[3], [1]]


async def test_nodes_of_one_layer_are_described_side_by_side() -> None:
    model, gate = AnsweringModel(agreeing), asyncio.Event()
    model.gate = gate
    requests = [RefinementRequest(node=node(name)) for name in "abc"]
    work = asyncio.create_task(agent_on(model, ONE_BY_ONE).describe(NARRATIVE, requests, Budget()))
    await model.until_asked(3)
    gate.set()
    assert await work == ["f of a", "f of b", "f of c"]


async def test_a_description_that_cannot_be_used_is_worded_by_template() -> None:
    def script(prompt: str, inputs: Mapping[str, Any]) -> Said:
        texts = {row["number"]: f"f of {row['instantiation']}" for row in inputs["nodes"]}
        long = {row["number"]: "long " * 200 for row in inputs["nodes"] if row["instantiation"] == "u"}
        return {"descriptions": [{"number": n, "text": text} for n, text in {**texts, **long}.items()]}

    requests = [RefinementRequest(node=node(name)) for name in "uv"]
    budget = Budget()
    assert await agent_on(AnsweringModel(script)).describe(NARRATIVE, requests, budget) == [
        feature_of(requests[0]),
        "f of v",
    ]
    assert budget.setbacks() == unreadable("describe")


async def test_the_same_node_twice_in_a_list_is_described_twice() -> None:
    model = AnsweringModel(agreeing)
    requests = [RefinementRequest(node=node("u")), RefinementRequest(node=node("u"))]
    assert await agent_on(model).describe(NARRATIVE, requests, Budget()) == ["f of u", "f of u"]


async def test_queries_are_in_order_on_one_line_and_by_template_where_they_cannot_be_used() -> None:
    def script(prompt: str, inputs: Mapping[str, Any]) -> Said:
        numbers = [pair["number"] for pair in inputs["pairs"]]
        return {
            "queries": [{"number": n, "text": f"slow\nfilms {n}" if n != 2 else "x" * 301} for n in reversed(numbers)]
        }

    requests = [RewriteRequest(base=None, node=node("u")), RewriteRequest(base=node("u"), node=node("v"))]
    budget = Budget()
    texts = await agent_on(AnsweringModel(script)).rewrite(NARRATIVE, requests, "film", budget)
    # Asked for once more, the second is the first of its call and gets a query that fits.
    assert texts == ["slow films 1", "slow films 1"]
    texts = await agent_on(AnsweringModel(lambda *_: GARBAGE)).rewrite(NARRATIVE, requests, "film", budget)
    assert texts == [web_query(request, "film") for request in requests]
    assert budget.setbacks() == unreadable("rewrite", 2)


# Labels


def comparisons(texts: Sequence[str], features: Sequence[str]) -> list[RelationRequest]:
    return [RelationRequest(text=text, feature=feature) for text in texts for feature in features]


async def test_two_hundred_labels_come_back_in_the_order_of_the_requests() -> None:
    model, budget = AnsweringModel(agreeing), Budget()
    requests = comparisons(
        [f"text {n % 7} word{n:02d}" for n in reversed(range(20))], [f"word{n:02d}" for n in range(10)]
    )
    labels = await agent_on(model).label_relations(requests, budget)
    assert [label.quotes for label in labels] == [(r.feature,) if r.feature in r.text else () for r in requests]
    calls = model.inputs("label_relations")
    assert len(calls) == 200 // Batching().labels == budget.usage().agent_calls
    assert budget.usage().waves == 1
    assert sum(len(text["features"]) for given in calls for text in given["texts"]) == 200
    assert sum(len(given["texts"]) for given in calls) == 20  # each text is sent once


async def test_equal_pairs_are_compared_once() -> None:
    model = AnsweringModel(agreeing)
    one, other = comparisons(["a calm word"], ["calm", "word"])
    labels = await agent_on(model).label_relations([one, other, one, one], Budget())
    [given] = model.inputs("label_relations")
    assert [text["features"] for text in given["texts"]] == [
        [{"number": 1, "text": "calm"}, {"number": 2, "text": "word"}]
    ]
    assert [label.quotes for label in labels] == [("calm",), ("word",), ("calm",), ("calm",)]


async def test_a_blank_text_addresses_nothing_and_asks_nothing() -> None:
    model = AnsweringModel(agreeing)
    labels = await agent_on(model).label_relations(comparisons(["", " \n "], ["calm"]), Budget())
    assert labels == [RelationLabel(label=Label.NOT_ADDRESSED)] * 2
    assert model.asks == []


async def test_a_batch_without_labels_counts_as_not_addressed_by_default_and_the_others_stand() -> None:
    model = AnsweringModel(unless(lambda given: "text 1" in str(given), ReplyUnusable("filtered")))
    requests = comparisons([f"text {n} with calm words" for n in range(3)], ["calm", "words"])
    budget = Budget()
    labels = await agent_on(model, Batching(labels=2)).label_relations(requests, budget)
    assert [(label.label, label.by_default) for label in labels] == [
        (Label.SUPPORT, False),
        (Label.SUPPORT, False),
        (Label.NOT_ADDRESSED, True),
        (Label.NOT_ADDRESSED, True),
        (Label.SUPPORT, False),
        (Label.SUPPORT, False),
    ]
    assert budget.setbacks() == unreadable("label_relations", 2)


async def test_one_text_that_is_too_long_by_itself_costs_no_other_label() -> None:
    model = AnsweringModel(unless(lambda given: "text 5" in str(given), PromptTooLong("too long")))
    requests = comparisons([f"text {n} is calm" for n in range(8)], ["calm"])
    budget = Budget()
    labels = await agent_on(model).label_relations(requests, budget)
    assert [label.by_default for label in labels] == [n == 5 for n in range(8)]
    assert budget.setbacks() == unreadable("label_relations")


async def test_labels_by_default_are_not_kept_and_those_of_the_model_are() -> None:
    model = AnsweringModel(unless(lambda given: "i1" in str(given), ReplyUnusable("filtered")))
    graph, budget, kept = graph_of("A>B"), Budget(), LabelCache()
    pool = Acquired(candidates=(item("i1"), item("i2")), evidence=(record("i1", "B"), record("i2", "B")))
    agent = agent_on(model, ONE_BY_ONE)
    await rank(graph, pool, agent=agent, config=MethodConfig(), budget=budget, k=2, labels=kept)
    known = {each.candidate: [kept.get(each.text, f"wish for {n}") for n in "AB"] for each in pool.evidence}
    unaddressed = RelationLabel(label=Label.NOT_ADDRESSED)
    assert known == {"i1": [None, None], "i2": [unaddressed, unaddressed]}
    model.script = agreeing
    await rank(graph, pool, agent=agent, config=MethodConfig(), budget=Budget(), k=2, labels=kept)
    assert kept.get(pool.evidence[0].text, "wish for B") == unaddressed


# Items of a page


async def test_a_chunk_is_read_by_itself_and_one_that_cannot_be_read_has_no_record() -> None:
    def script(prompt: str, inputs: Mapping[str, Any]) -> Said:
        if "broken" in inputs["chunk"]:
            return GARBAGE
        return {"records": [{"name": "Harrow Lane", "year": 2011, "passages": ["a gate is repaired", "invented"]}]}

    chunks = ["Harrow Lane (2011): a gate is repaired.", "broken page", "No such book."]
    model, budget = AnsweringModel(script), Budget()
    found = await agent_on(model).extract_candidates(
        [ExtractionRequest(chunk=chunk, feature="small favours") for chunk in chunks], "book", budget
    )
    assert [[(r.name, r.year, r.passages) for r in records] for records in found] == [
        [("Harrow Lane", 2011, ("a gate is repaired",))],
        [],
        [],
    ]
    assert model.inputs("extract_candidates") == [
        {"chunk": chunk, "feature": "small favours", "item_word": "book"} for chunk in chunks
    ]
    assert budget.setbacks() == unreadable("extract_candidates")


# Service, budget, cancellation


async def ask(agent: LLMAgent, step: str, budget: Budget) -> Any:
    match step:
        case "extract_nodes":
            return await agent.extract_nodes(NARRATIVE, None, MethodConfig(), budget)
        case "judge_pairs":
            return await agent.judge_pairs(NARRATIVE, pairs(3), budget)
        case "choose_edge_to_remove":
            return await agent.choose_edge_to_remove(NARRATIVE, CIRCLE, budget)
        case "describe":
            return await agent.describe(NARRATIVE, [RefinementRequest(node=node(name)) for name in "abc"], budget)
        case "rewrite":
            asked = [RewriteRequest(base=None, node=node(name)) for name in "abc"]
            return await agent.rewrite(NARRATIVE, asked, "film", budget)
        case "label_relations":
            return await agent.label_relations(comparisons(["a", "b", "c"], ["calm"]), budget)
        case "extract_candidates":
            chunks = [ExtractionRequest(chunk=name, feature="f") for name in "abc"]
            return await agent.extract_candidates(chunks, "film", budget)


STEPS = (
    "extract_nodes",
    "judge_pairs",
    "choose_edge_to_remove",
    "describe",
    "rewrite",
    "label_relations",
    "extract_candidates",
)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("error", [ModelUnreachable("timeout"), ModelRefused("credit"), BudgetSpent("tokens")])
async def test_a_model_without_service_and_a_spent_budget_are_no_reason_for_a_fallback(
    step: str, error: Exception
) -> None:
    budget = Budget()
    with pytest.raises(type(error)):
        await ask(agent_on(AnsweringModel(lambda *_: error), ONE_BY_ONE), step, budget)
    assert budget.setbacks() == ()


@pytest.mark.parametrize("step", STEPS)
async def test_cancelling_a_step_cancels_all_its_calls(step: str) -> None:
    model = AnsweringModel(agreeing)
    model.gate = asyncio.Event()
    work = asyncio.create_task(ask(agent_on(model, ONE_BY_ONE), step, Budget()))
    calls = 1 if step in ("extract_nodes", "choose_edge_to_remove") else 3
    await model.until_asked(calls)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert model.ended == len(model.asks) == calls


async def test_a_model_that_fails_in_one_of_several_calls_stops_the_others_before_it_is_given_up() -> None:
    failing = asyncio.Event()

    class OneFails(AnsweringModel):
        async def complete(self, ask: Any, budget: Budget) -> Any:
            if "text 3" not in str(ask.rendered.inputs):
                self.gate = asyncio.Event()
                failing.set()
                return await super().complete(ask, budget)
            await failing.wait()
            raise ModelUnreachable("timeout")

    model = OneFails(agreeing)
    asked = comparisons([f"text {n}" for n in range(6)], ["calm"])
    with pytest.raises(ModelUnreachable):
        async with asyncio.timeout(20.0):
            await agent_on(model, ONE_BY_ONE).label_relations(asked, Budget())
    assert model.ended == len(model.asks) == 5


async def test_work_that_may_not_be_needed_counts_and_its_setbacks_do_not() -> None:
    heard: list[Setback] = []
    budget = Budget(on_setback=heard.append)
    beside = budget.aside()
    model = AnsweringModel(lambda *_: GARBAGE)
    await ask(agent_on(model), "extract_nodes", beside)
    assert beside.setbacks() == unreadable("extract_nodes")
    assert budget.setbacks() == ()
    assert heard == []
    assert budget.usage().agent_calls == 3  # two completions and the reserve's
