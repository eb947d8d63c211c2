"""Baselines that ask a language model, on recorded replies."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pdgf.engines.llm_listwise import LLMListwise
from pdgf.engines.llm_titles import LLMTitles
from pdgf.errors import ModelRefused
from pdgf.evaluation.dataset import Query
from pdgf.evaluation.model_strategies import RUNS, ModelStrategies, Pooled, matched
from pdgf.evaluation.pool import WHOLE
from pdgf.evaluation.report import figures
from pdgf.evaluation.runner import QueryResult, Setup, measure
from pdgf.evaluation.strategies import WITH_MODEL, Strategy
from pdgf.identity import Exclusion
from pdgf.late_fusion import TextsByItem
from pdgf.llm.reply_cache import ReplyCache
from pdgf.llm.structured import StructuredModel
from pdgf.models import Atom, AtomKind, Candidate, Evidence, Passage, PreferenceGraph, SearchQuery, Source
from pdgf.ports import Acquired, Reading, Span
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.fakes import Shelf, VocabularyAgent
from tests.pdgf.engines.answering import AnsweringModel, Said, Script
from tests.pdgf.evaluation.village import INNS, QUERIES, WORDS, setup

REQUEST, PASSAGES = "a quiet place", ["one", "two", "three"]


def recorded(prompt: str, inputs: Mapping[str, Any]) -> Said:
    """Titles from memory, one of them unknown; passages in reverse; one attribute."""
    match prompt:
        case "propose_titles":
            return {
                "titles": [
                    {"name": "The Swan", "year": 2019},
                    {"name": "Nowhere Inn", "year": None},
                    {"name": "heron", "year": 1931},
                ]
            }
        case "order_passages":
            return {"order": [passage["number"] for passage in reversed(inputs["passages"])]}
        case "read_attributes":
            return {"attributes": [{"name": "setting", "value": "a lake", "required": False}]}
    raise AssertionError(prompt)


def strategies_on(asked: StructuredModel, base: Setup) -> ModelStrategies:
    return ModelStrategies(
        agent=LLMListwise(asked),
        proposer=LLMTitles(asked),
        corpus=base.corpus,
        candidates=base.candidates,
        item_word="inn",
        texts_of_an_item=3,
    )


async def measured(query: Query, answer: Script = recorded) -> tuple[QueryResult, AnsweringModel]:
    model = AnsweringModel(answer)
    base = await setup()
    strategies = strategies_on(StructuredModel(model), base)
    wanted = (*WITH_MODEL, Strategy.LATE_FUSION)
    return await measure(query, replace(base, model=strategies), wanted), model


class Citing(VocabularyAgent):
    """Reads every request as one that cites The Swan."""

    async def extract_nodes(
        self, narrative: str, hard_spans: Sequence[Span] | None, config: MethodConfig, budget: Budget
    ) -> Reading:
        read = await super().extract_nodes(narrative, hard_spans, config, budget)
        cited = Atom(id="cited", text="swan", year=2019, kind=AtomKind.REFERENCE, span=(0, 4))
        return read.model_copy(update={"atoms": (*read.atoms, cited)})


def naming(*titles: str) -> Script:
    """The recorded replies, with these titles from memory."""

    def script(prompt: str, inputs: Mapping[str, Any]) -> Said:
        if prompt == "propose_titles":
            return {"titles": [{"name": title, "year": None} for title in titles]}
        return recorded(prompt, inputs)

    return script


async def test_titles_from_memory_are_matched_with_the_items_of_the_set() -> None:
    result, _ = await measured(QUERIES[0])
    assert result.rankings["llm_memory"] == ["swan", "heron"]


async def test_an_item_that_the_request_names_is_not_recommended_from_memory_either() -> None:
    result, _ = await measured(QUERIES[2])
    assert result.rankings["llm_memory"] == ["swan"]


@pytest.mark.parametrize("spelled", ["The Heron", "HERON", "heron (1931)", "Heron, The", "Le Héron"])
async def test_what_a_request_cites_is_not_listed_from_memory_however_it_is_spelled(spelled: str) -> None:
    query = Query(qid="cited", text="A garden and a quiet lake", seeds=("heron",), truth={"mill": 1.0})
    result, _ = await measured(query, naming(spelled, "Old Mill"))
    assert result.rankings["llm_memory"] == ["mill"]


async def test_an_item_that_only_the_graph_reads_as_cited_is_not_listed_from_memory_either() -> None:
    base = await setup(agent=Citing(WORDS))
    model = strategies_on(StructuredModel(AnsweringModel(naming("The Swan", "Old Mill"))), base)
    result = await measure(QUERIES[0], replace(base, model=model), [Strategy.LLM_MEMORY])
    assert result.rankings["llm_memory"] == ["mill"]


def test_an_item_answers_to_its_other_titles_but_not_where_they_are_the_own_title_of_another() -> None:
    items = [
        Candidate(id="kept", title="Totoro", year=1988, metadata={"other_titles": ["となりのトトロ", "Ponyo"]}),
        Candidate(id="sea", title="Ponyo", year=1988),
    ]
    assert matched([("となりのトトロ", None), ("Ponyo", None)], items) == ["kept", "sea"]


async def test_an_item_is_dropped_when_the_request_cites_it_by_another_title() -> None:
    base = await setup()
    other = {"other_titles": ["Ye Olde Mill"]}
    known = {**base.candidates, "mill": base.candidates["mill"].model_copy(update={"metadata": other})}
    agent = strategies_on(StructuredModel(AnsweringModel(naming("Old Mill", "The Swan"))), base)
    pooled = Pooled(
        query=QUERIES[0],
        pool=(),
        records=(),
        excluded=[Exclusion(title="ye olde mill", why="reference")],
    )
    found = await replace(agent, candidates=known).order(Strategy.LLM_MEMORY, pooled, Budget())
    assert found == ["swan"]


class AleForTheWhole(Shelf):
    """Finds The Crown alone for a whole request, and for single wishes what holds their words."""

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        if graph.nodes[0].perspective != WHOLE:
            return await super().acquire(graph, queries, config, budget)
        passage = Passage(text=INNS["crown"][2][0], source=Source(id="crown#r1"))
        crown = Candidate(id="crown", title="The Crown", year=2015)
        record = Evidence(candidate="crown", node=graph.nodes[0].id, passages=(passage,))
        return Acquired(candidates=(crown,), evidence=(record,))


async def test_a_model_sees_every_candidate_of_the_pool_with_what_either_way_has_found_of_it() -> None:
    base = await setup()
    shelf = AleForTheWhole([(candidate, INNS[item][2]) for item, candidate in base.candidates.items()])
    base = replace(base, asking=replace(base.asking, ports=replace(base.asking.ports, source=shelf)))
    query = Query(qid="both", text="A garden, please", truth={"crown": 1.0})
    model = AnsweringModel(recorded)
    result = await measure(
        query, replace(base, model=strategies_on(StructuredModel(model), base)), [Strategy.LLM_RERANK]
    )
    assert result.found == {"full": ["heron", "mill"], "flat": ["crown"]}
    shown = [passage["text"] for passage in model.inputs("order_passages")[0]["passages"]]
    assert len(shown) == result.pool == 3
    for text in ("The garden is large.", "A quiet garden behind the mill.", "A warm fire and good ale."):
        assert sum(text in each for each in shown) == 1


async def test_the_whole_pool_is_reranked_however_large() -> None:
    base = await setup()
    pool = [Candidate(id=f"i{place}", title=f"I {place}") for place in range(70)]
    vectors = await base.corpus.embedder.encode([item.title for item in pool])
    corpus = replace(
        base.corpus,
        ids=tuple(item.id for item in pool),
        by_words=lambda query: np.zeros(len(pool), np.float32),
        vectors=vectors,
        texts=TextsByItem.of(np.arange(len(pool)), len(pool)),
    )
    model = AnsweringModel(recorded)
    strategies = replace(strategies_on(StructuredModel(model), base), corpus=corpus)
    await strategies.order(Strategy.LLM_RERANK, Pooled(query=QUERIES[0], pool=pool, records=()), Budget())
    seen = {passage["text"] for inputs in model.inputs("order_passages") for passage in inputs["passages"]}
    assert seen == {item.title for item in pool}


async def test_a_strategy_that_asks_a_model_is_run_three_times_and_the_mean_counts() -> None:
    """Each run names one title: The Swan, right with support 1, then The Heron, right with 2, then The Anvil, wrong."""
    said = iter(["The Swan", "The Heron", "The Anvil"])

    def script(prompt: str, inputs: Mapping[str, Any]) -> Said:
        return naming(next(said))(prompt, inputs) if prompt == "propose_titles" else recorded(prompt, inputs)

    result, model = await measured(QUERIES[0], script)
    assert len(model.inputs("propose_titles")) == RUNS
    assert [result.rankings["llm_memory"], *result.again["llm_memory"]] == [["swan"], ["heron"], ["anvil"]]
    made = figures(QUERIES[:1], {QUERIES[0].qid: result}, [Strategy.LLM_MEMORY])
    assert made["strategies"]["llm_memory"]["h@1"]["value"] == pytest.approx((1 + 1 + 0) / 3)
    runs = made["runs"]["llm_memory"]
    assert (runs["count"], runs["means"]["h@1"]) == (3, [1.0, 1.0, 0.0])
    assert runs["deviation"]["h@1"] == pytest.approx(statistics.stdev([1.0, 1.0, 0.0]))


async def test_a_run_does_not_take_over_the_kept_replies_of_the_run_before_but_of_its_own(tmp_path: Path) -> None:
    cache, base = ReplyCache(tmp_path), await setup()
    model = AnsweringModel(recorded)
    strategies = strategies_on(StructuredModel(model, cache), base)
    pooled = Pooled(query=QUERIES[0], pool=tuple(base.candidates.values()), records=())
    for _ in range(2):
        await strategies.runs(Strategy.LLM_MEMORY, pooled, Budget(scope="evaluation"))
        assert len(model.inputs("propose_titles")) == RUNS
    await cache.close()


async def test_the_setbacks_of_every_run_are_told() -> None:
    base, budget = await setup(), Budget()
    model = AnsweringModel(lambda _prompt, _inputs: "no JSON")
    pooled = Pooled(query=QUERIES[0], pool=tuple(base.candidates.values()), records=())
    await strategies_on(StructuredModel(model), base).runs(Strategy.LLM_MEMORY, pooled, budget)
    assert [(setback.step, setback.count) for setback in budget.setbacks()] == [("propose_titles", RUNS)]


async def test_the_pool_is_ordered_as_the_model_says_and_shown_with_what_was_found() -> None:
    result, model = await measured(QUERIES[0])
    assert result.rankings["llm_rerank"] == result.rankings["late_fusion"][::-1]
    shown = model.inputs("order_passages")[0]["passages"]
    assert {"number", "text"} == set(shown[0])
    assert any("A quiet inn by the lake." in passage["text"] for passage in shown)


async def test_flat_attributes_stand_in_for_the_request() -> None:
    result, model = await measured(QUERIES[0])
    assert model.inputs("order_passages")[RUNS]["request"] == "setting: a lake"
    assert sorted(result.rankings["llm_attributes"]) == sorted(result.rankings["late_fusion"])


def test_a_title_meets_the_item_of_its_year() -> None:
    items = [Candidate(id="old", title="Dune", year=1984), Candidate(id="new", title="Dune", year=2021)]
    assert matched([("Dune", 2021), ("DUNE!", 2021), ("Dune", 1984)], items) == ["new", "old"]


@pytest.mark.parametrize("said", ["no JSON", {"order": "all"}, ModelRefused("key")])
async def test_an_unusable_reply_leaves_order_and_request_as_they_were(said: Said) -> None:
    budget = Budget()
    agent = LLMListwise(StructuredModel(AnsweringModel(lambda _prompt, _inputs: said)))
    assert await agent.order(REQUEST, PASSAGES, budget) == [1, 2, 3]
    assert await agent.attributes(REQUEST, "inn", budget) == REQUEST
    assert {setback.step for setback in budget.setbacks()} == {"order_passages", "read_attributes"}


async def test_required_attributes_come_first() -> None:
    rows = [
        {"name": "pace", "value": "slow", "required": False},
        {"name": "length", "value": "short", "required": True},
    ]
    agent = LLMListwise(StructuredModel(AnsweringModel(lambda _prompt, _inputs: {"attributes": rows})))
    assert await agent.attributes(REQUEST, "inn", Budget()) == "length: short (required)\npace: slow"
