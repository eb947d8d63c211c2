"""Baselines that ask a language model, on recorded replies."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from pdgf.engines.llm_listwise import LLMListwise
from pdgf.engines.llm_titles import LLMTitles
from pdgf.errors import ModelRefused
from pdgf.evaluation.model_strategies import ModelStrategies, matched
from pdgf.evaluation.runner import QueryResult, measure
from pdgf.evaluation.strategies import WITH_MODEL, Strategy
from pdgf.llm.structured import StructuredModel
from pdgf.models import Candidate
from pdgf.usage import Budget
from tests.pdgf.engines.answering import AnsweringModel, Said
from tests.pdgf.evaluation.village import QUERIES, setup

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


async def measured(number: int) -> tuple[QueryResult, AnsweringModel]:
    model = AnsweringModel(recorded)
    base = await setup()
    asked = StructuredModel(model)
    strategies = ModelStrategies(
        agent=LLMListwise(asked),
        proposer=LLMTitles(asked),
        corpus=base.corpus,
        candidates=base.candidates,
        item_word="inn",
        texts_of_an_item=3,
    )
    wanted = (*WITH_MODEL, Strategy.LATE_FUSION)
    return await measure(QUERIES[number], replace(base, model=strategies), wanted), model


async def test_titles_from_memory_are_matched_with_the_items_of_the_set() -> None:
    result, _ = await measured(0)
    assert result.rankings["llm_memory"] == ["swan", "heron"]


async def test_an_item_that_the_request_names_is_not_recommended_from_memory_either() -> None:
    result, _ = await measured(2)
    assert result.rankings["llm_memory"] == ["swan"]


async def test_the_pool_is_ordered_as_the_model_says_and_shown_with_what_was_found() -> None:
    result, model = await measured(0)
    assert result.rankings["llm_rerank"] == result.rankings["late_fusion"][::-1]
    shown = model.inputs("order_passages")[0]["passages"]
    assert {"number", "text"} == set(shown[0])
    assert any("A quiet inn by the lake." in passage["text"] for passage in shown)


async def test_flat_attributes_stand_in_for_the_request() -> None:
    result, model = await measured(0)
    assert model.inputs("order_passages")[1]["request"] == "setting: a lake"
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
