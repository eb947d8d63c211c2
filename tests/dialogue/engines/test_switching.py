"""From the language model to the built-in engine, in the dialogue: once a turn, said once, without a word twice."""

from collections.abc import AsyncIterator

import pytest

from dialogue.domain import bundled_domain
from dialogue.engines.switching import SwitchingDialogueAgent
from dialogue.models import DialogueState, Intent, ItemRef, Piece, Understanding
from dialogue.ports import Question, Utterance
from dialogue.streams import closing
from pdgf.errors import BudgetSpent, ModelRefused, ModelUnreachable, PdgfError, ReplyUnusable
from pdgf.models import Candidate, PreferenceGraph, RankedItem
from pdgf.usage import Budget

ROOM = RankedItem(candidate=Candidate(id="p1", title="Lantern Room"), score=1.0)
GRAPH = PreferenceGraph(narrative="")
QUESTION = Question(text="Is it quiet?", item=ItemRef(id="p1", title="Lantern Room"), metadata={}, hits=())
HELLO = Utterance(text="hello", turn=1, state=DialogueState(), shown=(), domain=bundled_domain("movies"))


class Voice:
    """A DialogueAgent that says its name, or fails, before its first word."""

    def __init__(self, name: str, failing: PdgfError | None = None) -> None:
        self.name = name
        self.failing = failing
        self.asked: list[str] = []
        self.closed = 0

    async def understand(self, utterance: Utterance, budget: Budget) -> Understanding:
        self._called("understand")
        return Understanding(intents=(Intent.INQUIRE,), questions=(self.name,))

    async def explain(self, item: RankedItem, graph: PreferenceGraph, budget: Budget) -> AsyncIterator[Piece]:
        self._called("explain")
        try:
            yield Piece(text=self.name)
            yield Piece(text=" so.")
        finally:
            self.closed += 1

    async def answer(self, question: Question, budget: Budget) -> AsyncIterator[Piece]:
        self._called("answer")
        yield Piece(text=self.name)

    def _called(self, step: str) -> None:
        self.asked.append(step)
        if self.failing is not None:
            raise self.failing


async def everything(agent: SwitchingDialogueAgent, budget: Budget) -> tuple[str, str, str]:
    reading = await agent.understand(HELLO, budget)
    explained = "".join([piece.text async for piece in agent.explain(ROOM, GRAPH, budget)])
    answered = "".join([piece.text async for piece in agent.answer(QUESTION, budget)])
    return reading.questions[0], explained, answered


async def test_the_model_is_asked_as_long_as_it_serves() -> None:
    model, reserve, budget = Voice("model"), Voice("reserve"), Budget()
    assert await everything(SwitchingDialogueAgent(model=model, reserve=reserve), budget) == (
        "model",
        "model so.",
        "model",
    )
    assert reserve.asked == []
    assert budget.setbacks() == ()


@pytest.mark.parametrize("error", [ModelUnreachable("timeout"), ModelRefused("key")])
async def test_a_model_that_gives_no_service_is_given_up_for_the_turn_and_that_is_said_once(error: PdgfError) -> None:
    model, reserve, budget = Voice("model", error), Voice("reserve"), Budget()
    agent = SwitchingDialogueAgent(model=model, reserve=reserve)
    assert await everything(agent, budget) == ("reserve", "reserve so.", "reserve")
    assert model.asked == ["understand"]
    assert [(setback.step, setback.count) for setback in budget.setbacks()] == [("engine", 1)]
    model.failing = None
    assert (await everything(agent, Budget()))[0] == "model"  # the next turn asks it again


async def test_a_model_given_up_elsewhere_in_the_turn_is_not_asked() -> None:
    model, budget = Voice("model"), Budget()
    budget.set_back("engine", "busy")
    assert (await everything(SwitchingDialogueAgent(model=model, reserve=Voice("reserve")), budget))[1] == "reserve so."
    assert model.asked == []


@pytest.mark.parametrize("error", [BudgetSpent("tokens"), ReplyUnusable("")])
async def test_other_failures_are_no_reason_to_switch(error: PdgfError) -> None:
    agent = SwitchingDialogueAgent(model=Voice("model", error), reserve=Voice("reserve"))
    with pytest.raises(type(error)):
        await agent.understand(HELLO, Budget())
    with pytest.raises(type(error)):
        await anext(agent.explain(ROOM, GRAPH, Budget()))


@pytest.mark.parametrize("error", [None, ModelRefused("key")])
async def test_whoever_stops_listening_closes_the_stream_behind(error: PdgfError | None) -> None:
    model, reserve = Voice("model", error), Voice("reserve")
    async with closing(SwitchingDialogueAgent(model=model, reserve=reserve).explain(ROOM, GRAPH, Budget())) as pieces:
        await anext(pieces)
    assert model.closed + reserve.closed == 1
