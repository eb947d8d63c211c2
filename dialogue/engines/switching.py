"""The dialogue's side of switching to the built-in engine when the language model gives no service."""

from collections.abc import AsyncIterator, Callable

from dialogue.models import Piece, Understanding
from dialogue.ports import DialogueAgent, Question, Utterance
from dialogue.streams import closing
from pdgf.engines.switching import served
from pdgf.errors import ModelFailed
from pdgf.models import PreferenceGraph, RankedItem
from pdgf.usage import Budget


class SwitchingDialogueAgent:
    """Understands, explains and answers by `model` as long as it serves, else by `reserve`."""

    def __init__(self, *, model: DialogueAgent, reserve: DialogueAgent) -> None:
        self._model = model
        self._reserve = reserve

    async def understand(self, utterance: Utterance, budget: Budget) -> Understanding:
        return await served(lambda agent: agent.understand(utterance, budget), (self._model, self._reserve), budget)

    def explain(self, item: RankedItem, graph: PreferenceGraph, budget: Budget) -> AsyncIterator[Piece]:
        return self._streamed(lambda agent: agent.explain(item, graph, budget), budget)

    def answer(self, question: Question, budget: Budget) -> AsyncIterator[Piece]:
        return self._streamed(lambda agent: agent.answer(question, budget), budget)

    async def _streamed(
        self, ask: Callable[[DialogueAgent], AsyncIterator[Piece]], budget: Budget
    ) -> AsyncIterator[Piece]:
        """A model that fails has said nothing yet: what breaks off later is the model's to deal with."""
        if not budget.gave_up_model():
            try:
                async with closing(ask(self._model)) as pieces:
                    async for piece in pieces:
                        yield piece
                return
            except ModelFailed as error:
                budget.set_back("engine", error.why)
        async with closing(ask(self._reserve)) as pieces:
            async for piece in pieces:
                yield piece
