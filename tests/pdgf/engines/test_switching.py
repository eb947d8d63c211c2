"""From the model to the built-in engine: when, for how long, and what of it is kept."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from pdgf.engines.switching import SwitchingAgent, served
from pdgf.errors import BudgetSpent, LanguageNotSupported, ModelFailed, ModelRefused, ModelUnreachable, ReplyUnusable
from pdgf.models import Label, RelationLabel
from pdgf.ports import (
    Acquired,
    Cycle,
    ExtractionRequest,
    FoundRecord,
    NodePair,
    PreferenceAgent,
    RefinementRequest,
    RelationRequest,
    RewriteRequest,
)
from pdgf.ranking import LabelCache, rank
from pdgf.settings import MethodConfig
from pdgf.usage import Budget, Setback
from tests.fakes import ScriptedAgent
from tests.pdgf.graphs import graph_of, item, record

FIRST, SECOND = "first wish", "second wish"
SUPPORT = RelationLabel(label=Label.SUPPORT, quotes=("quoted",))
ASKED = RelationRequest(text="quoted text", feature="wish for B")


class ReadingAgent(ScriptedAgent):
    """A scripted agent that finds one record, called after the chunk, in every chunk."""

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        self._asked(budget, "extract_candidates")
        return [[FoundRecord(name=request.chunk, passages=(request.chunk,))] for request in requests]


class FailingAgent(ReadingAgent):
    """Every method raises; `asked` remembers which."""

    def __init__(self, error: Exception) -> None:
        super().__init__([FIRST, SECOND])
        self.error = error

    def _asked(self, budget: Budget, method: str) -> None:
        super()._asked(budget, method)
        raise self.error


def reserve() -> ReadingAgent:
    return ReadingAgent([FIRST, SECOND], {(FIRST, SECOND): 0.7}, labels={(ASKED.text, ASKED.feature): SUPPORT})


async def ask(agent: PreferenceAgent, step: str, budget: Budget) -> Any:
    known = reserve().reading
    first, second = known.nodes
    match step:
        case "extract_nodes":
            return await agent.extract_nodes("words", None, MethodConfig(), budget)
        case "judge_pairs":
            pair = NodePair(u=first, v=second, atom_u=known.atoms[0], atom_v=known.atoms[1])
            return await agent.judge_pairs("words", [pair], budget)
        case "choose_edge_to_remove":
            cycle = Cycle(nodes=known.nodes, atoms=known.atoms, internal_edges=(), external_edges=())
            return await agent.choose_edge_to_remove("words", cycle, budget)
        case "describe":
            return await agent.describe("words", [RefinementRequest(node=first)], budget)
        case "rewrite":
            return await agent.rewrite("words", [RewriteRequest(base=first, node=second)], "film", budget)
        case "label_relations":
            return await agent.label_relations([ASKED], budget)
        case "extract_candidates":
            return await agent.extract_candidates([ExtractionRequest(chunk="A page", feature="f")], "film", budget)


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
async def test_as_long_as_the_model_serves_it_alone_is_asked_and_its_answers_are_its_own(step: str) -> None:
    model, other = reserve(), FailingAgent(AssertionError("nobody asks the reserve"))
    assert await ask(SwitchingAgent(model=model, reserve=other), step, Budget()) == await ask(reserve(), step, Budget())
    assert model.asked == [step]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("error", [ModelUnreachable("timeout"), ModelRefused("key")])
async def test_a_model_without_service_is_replaced_at_once_and_left_alone_for_the_rest_of_the_turn(
    step: str, error: ModelFailed
) -> None:
    model, other, budget = FailingAgent(error), reserve(), Budget()
    agent = SwitchingAgent(model=model, reserve=other)
    expected = await ask(reserve(), step, Budget())
    if step == "label_relations":
        expected = [label.model_copy(update={"by_default": True}) for label in expected]
    assert await ask(agent, step, budget) == expected
    assert await ask(agent, step, budget) == expected
    assert (model.asked, other.asked) == ([step], [step, step])
    assert budget.setbacks() == (Setback(step="engine", why=error.why, count=1),)


async def test_another_turn_asks_the_model_again() -> None:
    model = FailingAgent(ModelUnreachable("busy"))
    agent = SwitchingAgent(model=model, reserve=reserve())
    for _ in range(2):
        await ask(agent, "describe", Budget())
    assert model.asked == ["describe", "describe"]


@pytest.mark.parametrize("error", [ReplyUnusable("no"), BudgetSpent("seconds"), LanguageNotSupported("zh")])
async def test_any_other_failure_is_not_the_switchs_business(error: Exception) -> None:
    budget, other = Budget(), reserve()
    with pytest.raises(type(error)):
        await ask(SwitchingAgent(model=FailingAgent(error), reserve=other), "extract_nodes", budget)
    assert other.asked == []
    assert budget.setbacks() == ()


async def test_a_failure_of_the_reserve_is_raised() -> None:
    agent = SwitchingAgent(
        model=FailingAgent(ModelUnreachable("busy")), reserve=FailingAgent(LanguageNotSupported("zh"))
    )
    with pytest.raises(LanguageNotSupported):
        await ask(agent, "extract_nodes", Budget())


async def test_labels_of_the_reserve_are_never_kept_and_those_of_the_model_are() -> None:
    graph = graph_of("A>B")
    found = record("i1", "B", "quoted text")
    pool = Acquired(candidates=(item("i1"),), evidence=(found,))
    for model, kept_label in ((reserve(), SUPPORT), (FailingAgent(ModelUnreachable("busy")), None)):
        kept = LabelCache()
        agent = SwitchingAgent(model=model, reserve=reserve())
        result = await rank(graph, pool, agent=agent, config=MethodConfig(), budget=Budget(), k=1, labels=kept)
        assert result.items[0].judged["B"]["B"].label is Label.SUPPORT
        assert kept.get(found.text, "wish for B") == kept_label


async def test_the_models_own_labels_stay_its_own_when_it_is_given_up_meanwhile() -> None:
    """A step that runs beside the labels fails while they are on their way."""
    budget = Budget()

    class Slow(ReadingAgent):
        async def label_relations(self, requests: Sequence[RelationRequest], budget: Budget) -> list[RelationLabel]:
            await asyncio.sleep(0)
            budget.set_back("engine", "timeout")
            return [SUPPORT]

    [label] = await ask(SwitchingAgent(model=Slow(), reserve=reserve()), "label_relations", budget)
    assert not label.by_default


async def test_giving_up_beside_the_turn_does_not_give_up_the_turns_model() -> None:
    budget = Budget()
    model = FailingAgent(ModelUnreachable("busy"))
    agent = SwitchingAgent(model=model, reserve=reserve())
    await ask(agent, "extract_nodes", budget.aside())
    assert not budget.gave_up_model()
    assert budget.usage().agent_calls == 2  # of the model and of the reserve


async def test_two_steps_that_fail_side_by_side_are_one_setback_told_once() -> None:
    heard: list[Setback] = []
    budget = Budget(on_setback=heard.append)

    async def question(agent: str) -> str:
        await asyncio.sleep(0)
        if agent == "model":
            raise ModelUnreachable("timeout")
        return agent

    answers = await asyncio.gather(*(served(question, ("model", "reserve"), budget) for _ in range(2)))
    assert answers == ["reserve", "reserve"]
    assert budget.setbacks() == (Setback(step="engine", why="timeout", count=2),)
    assert heard == [Setback(step="engine", why="timeout", count=1)]
