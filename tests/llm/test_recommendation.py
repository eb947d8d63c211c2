"""One recommendation of films with nothing but this model to make it, and judgements of which some do not fit."""

import pytest

from dialogue import wording
from pdgf.contract import recommendation_json
from pdgf.models import Label
from pdgf.ports import RelationRequest
from pdgf.recommend import Request, recommend
from tests.llm import checks
from tests.llm.llama_server import CONTEXT
from tests.llm.product import Product

pytestmark = pytest.mark.asyncio(loop_scope="session")

DOMAIN = "movies"
NARRATIVE = "A slow ghost story by the sea, no gore."
SECONDS = 90.0


async def test_films_are_ranked_whatever_the_model_says(product: Product) -> None:
    product.limits(budget_seconds=SECONDS)
    shared = await product.composition.ports(DOMAIN)
    budget = product.composition.budget()
    product.limits()
    request = Request(
        ports=shared.ports,
        config=shared.config,
        budget=budget,
        item_word=shared.domain.item_word,
        current_year=shared.current_year,
        k=5,
    )
    found = await recommend(NARRATIVE, request)
    printed = recommendation_json(found)
    catalogue = await product.composition.items(DOMAIN)
    assert printed["items"]
    assert [*checks.of_scores(printed["items"], printed["graph"]["edges"])] == []
    assert [*checks.of_evidence(printed["items"], catalogue)] == []
    assert {item["id"] for item in printed["items"]} <= {item.id for item in catalogue}
    for node in printed["graph"]["nodes"]:
        start, end = node["span"]
        assert NARRATIVE[start:end].strip()
        assert node["feature"]
    assert all(wording.sentence_of_setback(setback) for setback in budget.setbacks())
    prompts = {call.prompt for call in product.model.calls}
    assert "pdgf/read_graph" in prompts
    assert budget.gave_up_model() or "pdgf/label_relations" in prompts


async def test_a_judgement_that_does_not_fit_is_made_by_default_and_the_others_are_asked_for(product: Product) -> None:
    agent, budget = (await product.composition.ports(DOMAIN)).ports.agent, product.composition.budget()
    too_long = "The ghost walks along the shore at night. " * (CONTEXT // 8)
    requests = [
        RelationRequest(text=too_long, feature="The film should have a ghost in it."),
        RelationRequest(text="The ghost walks along the shore.", feature="The film should have a ghost in it."),
    ]
    called = len(product.model.calls)
    long, short = await agent.label_relations(requests, budget)
    ended = [call.ended for call in product.model.calls[called:]]
    assert ended[:2] == ["PromptTooLong", "PromptTooLong"]  # both in one call, then the long one alone
    assert len(ended) > 2  # and the short one alone
    for request, label in zip(requests, (long, short), strict=True):
        assert all(quote in request.text for quote in label.quotes)
    assert long.by_default
    if budget.gave_up_model():  # on a slow machine: then both are the built-in engine's
        assert short.by_default
    else:
        assert long.label is Label.NOT_ADDRESSED
        assert [setback.step for setback in budget.setbacks()] == ["label_relations"]
