"""From the language model to the built-in engine when the model gives no service, for the rest of the turn.

A single unusable reply is no reason: then the step alone takes its fallback (METHOD 2).
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from pdgf.errors import ModelFailed
from pdgf.models import RelationLabel
from pdgf.ports import (
    Cycle,
    ExtractionRequest,
    FoundRecord,
    NodePair,
    PairJudgement,
    PreferenceAgent,
    Reading,
    RefinementRequest,
    RelationRequest,
    RewriteRequest,
    Span,
)
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

Agent = TypeVar("Agent")
T = TypeVar("T")


async def served(ask: Callable[[Agent], Awaitable[T]], agents: tuple[Agent, Agent], budget: Budget) -> T:
    """The answer of the first agent or, once that has been given up in this turn, of the second."""
    model, reserve = agents
    if not budget.gave_up_model():
        try:
            return await ask(model)
        except ModelFailed as error:
            budget.set_back("engine", error.why)
    return await ask(reserve)


class SwitchingAgent:
    """PDG-A by `model` as long as it serves, else by `reserve`."""

    def __init__(self, *, model: PreferenceAgent, reserve: PreferenceAgent) -> None:
        self._agents = (model, reserve)

    async def extract_nodes(
        self, narrative: str, hard_spans: Sequence[Span] | None, config: MethodConfig, budget: Budget
    ) -> Reading:
        return await served(
            lambda agent: agent.extract_nodes(narrative, hard_spans, config, budget), self._agents, budget
        )

    async def judge_pairs(
        self, narrative: str, pairs: Sequence[NodePair], budget: Budget
    ) -> list[PairJudgement | None]:
        return await served(lambda agent: agent.judge_pairs(narrative, pairs, budget), self._agents, budget)

    async def choose_edge_to_remove(self, narrative: str, cycle: Cycle, budget: Budget) -> tuple[str, str] | None:
        return await served(lambda agent: agent.choose_edge_to_remove(narrative, cycle, budget), self._agents, budget)

    async def describe(self, narrative: str, requests: Sequence[RefinementRequest], budget: Budget) -> list[str]:
        return await served(lambda agent: agent.describe(narrative, requests, budget), self._agents, budget)

    async def rewrite(
        self, narrative: str, requests: Sequence[RewriteRequest], item_word: str, budget: Budget
    ) -> list[str]:
        return await served(lambda agent: agent.rewrite(narrative, requests, item_word, budget), self._agents, budget)

    async def label_relations(self, requests: Sequence[RelationRequest], budget: Budget) -> list[RelationLabel]:
        """Labels of the reserve hold for this turn only: a cache of labels is the model's."""
        _, reserve = self._agents

        async def label(agent: PreferenceAgent) -> list[RelationLabel]:
            labels = await agent.label_relations(requests, budget)
            if agent is reserve:
                return [label.model_copy(update={"by_default": True}) for label in labels]
            return labels

        return await served(label, self._agents, budget)

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        return await served(lambda agent: agent.extract_candidates(requests, item_word, budget), self._agents, budget)
