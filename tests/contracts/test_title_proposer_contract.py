"""What every TitleProposer promises: the listed one, and a language model over HTTP."""

from collections.abc import AsyncIterator, Iterator

import pytest

from pdgf.engines.llm_titles import LLMTitles
from pdgf.errors import BudgetSpent
from pdgf.identity import group_identities
from pdgf.llm.endpoint import EndpointSettings, OpenAIModel
from pdgf.llm.structured import StructuredModel
from pdgf.ports import ProposedTitle, TitleProposer
from pdgf.usage import Budget
from tests.fakes import ListedTitles
from tests.openai_server import ChatRequest, FakeOpenAI, Reply

NARRATIVE = "A slow mystery set in a small town, with dry humour. No gore."
TITLES = (
    ProposedTitle(name="Picnic at Hanging Rock", year=1975),
    ProposedTitle(name="The Kid Detective"),
    ProposedTitle(name="Solaris", year=1972),
    ProposedTitle(name="Solaris", year=2002),
)


def naming(request: ChatRequest) -> Reply:
    assert request.prompt == "propose_titles"
    return {"titles": [title.model_dump() for title in TITLES]}


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(naming) as server:
        yield server


@pytest.fixture(params=["listed", "llm"])
async def proposer(request: pytest.FixtureRequest, server: FakeOpenAI) -> AsyncIterator[TitleProposer]:
    if request.param == "listed":
        yield ListedTitles(*TITLES)
        return
    model = OpenAIModel(EndpointSettings(base_url=server.base_url, model="any", requests_per_minute=0))
    try:
        yield LLMTitles(StructuredModel(model))
    finally:
        await model.aclose()


@pytest.mark.parametrize("limit", [1, 3, 30])
async def test_it_names_different_items_best_first_and_never_more_than_asked_for(
    proposer: TitleProposer, limit: int
) -> None:
    budget = Budget()
    proposed = await proposer.propose_titles(NARRATIVE, "film", limit, budget)
    assert proposed == list(TITLES[:limit])
    assert len(set(group_identities([(title.name, title.year) for title in proposed]))) == len(proposed)
    assert budget.usage().agent_calls == 1
    assert budget.setbacks() == ()


async def test_a_call_beyond_the_cap_of_the_turn_is_not_made(proposer: TitleProposer) -> None:
    budget = Budget(agent_calls=1)
    await proposer.propose_titles(NARRATIVE, "film", 2, budget)
    with pytest.raises(BudgetSpent):
        await proposer.propose_titles(f"{NARRATIVE} In colour.", "film", 2, budget)
