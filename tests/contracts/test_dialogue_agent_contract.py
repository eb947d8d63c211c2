"""What every DialogueAgent promises: the scripted one, the built-in engine, a language model over HTTP, and the switch
between them, whether the model serves or not (METHOD 9; RELIABILITY C36, LLM09)."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from dialogue.domain import bundled_domain
from dialogue.engines.builtin import BuiltinDialogueAgent
from dialogue.engines.llm import LLMDialogueAgent
from dialogue.engines.switching import SwitchingDialogueAgent
from dialogue.intents import believable
from dialogue.models import DialogueState, EditKind, Intent, ItemRef, Piece, StateEdit, Understanding
from dialogue.ports import DialogueAgent, Question, Utterance
from dialogue.streams import closing, in_order
from pdgf.constraints import fact_line
from pdgf.errors import BudgetSpent
from pdgf.llm.endpoint import EndpointSettings, OpenAIModel
from pdgf.llm.structured import StructuredModel
from pdgf.models import Label, Passage, Source
from pdgf.ports import ReviewHit
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.dialogue.test_explanation import TEXTS, graph, item
from tests.dialogue.town import PLACES, REFS, WORDS
from tests.fakes import ScriptedDialogueAgent, VocabularyAgent
from tests.openai_server import FakeOpenAI, Fault
from tests.openai_server.town_model import town_reply

AGENTS = ("builtin", "llm", "scripted", "switching", "switched")
EAT = bundled_domain("restaurants")
WISH = "quiet ramen with parking please"
TAKE = "I take the second"
HELLO = "hello"
GRAPH = graph("quiet", "ramen", "parking")
RANKED = item({"quiet": Label.SUPPORT, "ramen": Label.PARTIAL, "parking": Label.NOT_ADDRESSED})
PLACE = ItemRef(id="i", title="Place", year=1999)
SAID = ("The terrace is small.", "The broth is rich.")
METADATA = {"parking": "own car park"}


def adding(text: str, words: str, key: str) -> StateEdit:
    start = text.index(words)
    return StateEdit(kind=EditKind.ADD, key=key, text=words, span=(2, start, start + len(words)))


READINGS = {
    WISH: Understanding(
        intents=(Intent.PROVIDE_PREFERENCE,),
        edits=(
            adding(WISH, "quiet", "atmosphere"),
            adding(WISH, "ramen", "dish_type"),
            adding(WISH, "parking", "others"),
        ),
    ),
    TAKE: Understanding(intents=(Intent.ACCEPT,), accepted=REFS[1:2]),
    HELLO: Understanding(greeting=True, hello=True),
}


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(town_reply) as server:
        yield server


@pytest.fixture(scope="module")
def refusing_server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(town_reply, faults=Fault.NO_CREDIT) as server:
        yield server


def builtin_agent() -> BuiltinDialogueAgent:
    return BuiltinDialogueAgent(preferences=VocabularyAgent(WORDS), config=MethodConfig())


@asynccontextmanager
async def llm_agent(server: FakeOpenAI) -> AsyncIterator[LLMDialogueAgent]:
    model = OpenAIModel(EndpointSettings(base_url=server.base_url, model="town", requests_per_minute=0))
    yield LLMDialogueAgent(
        StructuredModel(model), model, reserve=builtin_agent(), titles=lambda: [place.title for place, _ in PLACES]
    )
    await model.aclose()


@pytest.fixture(params=AGENTS)
async def agent(
    request: pytest.FixtureRequest, server: FakeOpenAI, refusing_server: FakeOpenAI
) -> AsyncIterator[DialogueAgent]:
    match request.param:
        case "scripted":
            said = request.node.callspec.params.get("text")
            yield ScriptedDialogueAgent([READINGS[said]] if said else [], {"i": SAID[0]})
        case "builtin":
            yield builtin_agent()
        case "llm":
            async with llm_agent(server) as agent:
                yield agent
        case "switching":
            async with llm_agent(server) as agent:
                yield SwitchingDialogueAgent(model=agent, reserve=builtin_agent())
        case "switched":
            async with llm_agent(refusing_server) as agent:
                yield SwitchingDialogueAgent(model=agent, reserve=builtin_agent())


def utterance(text: str) -> Utterance:
    known = {place.id: place.metadata for place, _ in PLACES[:3]}
    state = DialogueState(recommended_items=REFS[:3])
    return Utterance(text=text, turn=2, state=state, shown=REFS[:3], domain=EAT, metadata=known, current_year=2026)


def question(text: str, *, found: bool = True) -> Question:
    """About the terrace of a place, of which a passage speaks."""
    hits = (
        ReviewHit(item="i", passage=Passage(text=said, source=Source(id=f"i#r{number}")), score=0.4)
        for number, said in enumerate(SAID)
    )
    item = PLACE if found else PLACE.model_copy(update={"id": "nobody", "year": None})
    return Question(text=text, item=item, metadata=METADATA if found else {}, hits=tuple(hits) if found else ())


async def explained(agent: DialogueAgent, budget: Budget | None = None) -> list[Piece]:
    return [piece async for piece in agent.explain(RANKED, GRAPH, budget or Budget())]


async def answered(agent: DialogueAgent, asked: Question) -> list[Piece]:
    return [piece async for piece in agent.answer(asked, Budget())]


@pytest.mark.parametrize("text", [WISH])
async def test_wishes_are_the_users_words_where_they_stand_under_keys_of_the_domain(
    agent: DialogueAgent, text: str
) -> None:
    budget = Budget()
    reading = await agent.understand(utterance(text), budget)
    assert Intent.PROVIDE_PREFERENCE in reading.intents
    assert {edit.text for edit in reading.edits} == {"quiet", "ramen", "parking"}
    assert all(text[slice(*edit.span[1:])] == edit.text and edit.span[0] == 2 for edit in reading.edits)
    assert {edit.key for edit in reading.edits} <= {row.key for row in EAT.constraint_keys}
    assert believable(reading, utterance(text)) == reading
    assert budget.usage().agent_calls >= 1


@pytest.mark.parametrize("text", [TAKE])
async def test_feedback_is_on_the_item_that_is_pointed_at(agent: DialogueAgent, text: str) -> None:
    reading = await agent.understand(utterance(text), Budget())
    assert (reading.intents, reading.accepted, reading.rejected) == ((Intent.ACCEPT,), REFS[1:2], ())
    assert reading.edits == ()


@pytest.mark.parametrize("text", [HELLO])
async def test_courtesy_carries_no_intent(agent: DialogueAgent, text: str) -> None:
    reading = await agent.understand(utterance(text), Budget())
    assert (reading.intents, reading.edits, reading.greeting) == ((), (), True)


@pytest.mark.parametrize("text", [WISH])
async def test_without_a_call_left_nothing_is_read_and_nothing_invented(agent: DialogueAgent, text: str) -> None:
    spent = Budget(agent_calls=0)
    with pytest.raises(BudgetSpent):
        await agent.understand(utterance(text), spent)
    with pytest.raises(BudgetSpent):
        await anext(agent.answer(question("How is the terrace?"), spent))
    try:
        pieces = await explained(agent, spent)
    except BudgetSpent:
        return
    assert pieces  # an agent may fall back to the labels by itself


async def test_an_explanation_quotes_its_own_evidence_and_shows_no_mark(agent: DialogueAgent) -> None:
    pieces = await explained(agent)
    text = "".join(piece.text for piece in pieces)
    evidence = {TEXTS["quiet"]: "i#quiet", "ramen": "i#ramen", TEXTS["ramen"]: "i#ramen"}
    assert text.strip() == text != ""
    assert "[" not in text
    assert not any(piece.broken for piece in pieces)
    sources = [source for piece in pieces for source in piece.sources]
    assert sources
    for source in sources:
        assert (source.item, source.title) == ("i", "Place")
        assert any(source.quote in quoted and source.source == place for quoted, place in evidence.items())
    assert not [place.title for place, _ in PLACES if place.title in text]


async def test_explaining_again_explains_the_same(agent: DialogueAgent) -> None:
    assert await explained(agent) == await explained(agent)


async def test_an_answer_quotes_what_it_was_given(agent: DialogueAgent) -> None:
    pieces = await answered(agent, question("How is the terrace?"))
    assert SAID[0].rstrip(".") in "".join(piece.text for piece in pieces)
    given = (*SAID, fact_line("parking", METADATA["parking"]))
    for source in (source for piece in pieces for source in piece.sources):
        assert source.item == "i"
        assert any(source.quote in text for text in given)


async def test_where_nothing_was_found_nothing_is_said(agent: DialogueAgent) -> None:
    assert await answered(agent, question("How is the terrace?", found=False)) == []


async def test_whoever_stops_listening_leaves_an_agent_that_can_be_asked_again(agent: DialogueAgent) -> None:
    whole = await explained(agent)
    async with closing(agent.explain(RANKED, GRAPH, Budget())) as pieces:
        assert await anext(pieces) == whole[0]
    assert await explained(agent) == whole


async def test_several_explanations_at_once_are_each_their_own(agent: DialogueAgent) -> None:
    whole = await explained(agent)
    told: list[list[Piece]] = [[], [], []]
    async for place, piece in in_order([agent.explain(RANKED, GRAPH, Budget()) for _ in told]):
        if piece is not None:
            told[place].append(piece)
    assert told == [whole] * 3
