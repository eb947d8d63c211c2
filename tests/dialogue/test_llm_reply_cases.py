"""Replies that comparable software failed at, at every step of a conversation (RELIABILITY 6.1, C01 to C05)."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from dialogue import wording
from dialogue.events import Finished
from pdgf.catalogues.reading import read_items
from pdgf.engines.llm import ONE_BY_ONE, LLMAgent
from pdgf.engines.switching import SwitchingAgent
from pdgf.llm.endpoint import EndpointSettings, OpenAIModel
from pdgf.llm.structured import StructuredModel
from pdgf.models import Atom, Node, QualificationEdge
from pdgf.ports import Cycle, NodePair, PreferenceAgent
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.dialogue.llm_bar import added_notes, equal, is_setback, of_turn
from tests.dialogue.llm_cells import (
    CANARY,
    CONVERSATION,
    MORE,
    REQUEST,
    RETRIES,
    STEPS,
    FailsAt,
    Turn,
    stored_in,
    take,
    town_of,
)
from tests.dialogue.town import WORDS
from tests.fakes import VocabularyAgent
from tests.openai_server import FakeOpenAI, Fault
from tests.variants import every

PROSE = ("explain", "answer")
# Steps that this conversation does not come to, asked of the agent itself, one comparison a call.
NARRATIVE = "quiet ramen"
ATOMS = (Atom(id="a1", text="quiet", span=(0, 5)), Atom(id="a2", text="ramen", span=(6, 11)))
QUIET = Node(id="v1", atom="a1", perspective="noise", instantiation="quiet", span=(0, 5))
RAMEN = Node(id="v2", atom="a2", perspective="dish", instantiation="ramen", span=(6, 11), order=1)
ROUND = tuple(QualificationEdge(base=base, qualifier=qualifier) for base, qualifier in (("v1", "v2"), ("v2", "v1")))


async def _nodes(agent: PreferenceAgent, budget: Budget) -> object:
    return await agent.extract_nodes(NARRATIVE, None, MethodConfig(), budget)


async def _pairs(agent: PreferenceAgent, budget: Budget) -> object:
    pair = NodePair(u=QUIET, v=RAMEN, atom_u=ATOMS[0], atom_v=ATOMS[1])
    return await agent.judge_pairs(NARRATIVE, [pair], budget)


async def _cycle(agent: PreferenceAgent, budget: Budget) -> object:
    cycle = Cycle(nodes=(QUIET, RAMEN), atoms=ATOMS, internal_edges=ROUND, external_edges=())
    return await agent.choose_edge_to_remove(NARRATIVE, cycle, budget)


RARE: dict[str, Callable[[PreferenceAgent, Budget], Awaitable[object]]] = {
    "extract_nodes": _nodes,
    "judge_pairs": _pairs,
    "resolve_cycle": _cycle,
}


@asynccontextmanager
async def rarely_asked(step: str, fault: Fault) -> AsyncIterator[tuple[PreferenceAgent, FailsAt]]:
    """An agent whose model always fails at one step."""
    reserve = VocabularyAgent(WORDS)
    with FailsAt(fault, step) as server:
        model = OpenAIModel(
            EndpointSettings(base_url=server.base_url, model="town", api_key=CANARY, retries=RETRIES, first_wait=0.01)
        )
        asked = LLMAgent(StructuredModel(model), reserve=reserve, batching=ONE_BY_ONE)
        try:
            yield SwitchingAgent(model=asked, reserve=reserve), server
        finally:
            await model.aclose()


async def conversation(folder: Path, fault: Fault, step: str) -> list[Turn]:
    """The conversation with a model that always fails at one step."""
    with FailsAt(fault, step) as server:
        async with town_of(folder, server) as town:
            turns = [await take(town, server, utterance) for utterance in (*CONVERSATION, MORE)]
            assert [view.reply for view in await town.conversations.history(town.thread)] == [
                turn.view.reply for turn in turns
            ]
    assert [of_turn(turn) for turn in turns] == [[]] * len(turns)
    return turns


_good: list[Turn] = []


@pytest.fixture
async def good(tmp_path_factory: pytest.TempPathFactory) -> list[Turn]:
    """The conversation with a model that never fails, made once."""
    if not _good:
        _good.extend(await conversation(tmp_path_factory.mktemp("good"), Fault.HANG, ""))
    return _good


def same(turns: list[Turn], good: list[Turn]) -> bool:
    """Whether nothing is different and no failure of the model is noted."""
    pairs = list(zip(turns, good, strict=True))
    return all(equal(turn.view, other.view) and not added_notes(turn.view, other.view) for turn, other in pairs)


@pytest.mark.parametrize("step", every(5, STEPS))
@pytest.mark.parametrize("fault", [Fault.CHATTER, Fault.FENCED, Fault.TRAILING_COMMA], ids=lambda fault: fault.name)
async def test_c01_json_in_friendly_words_a_fence_or_with_a_comma_too_many_is_read(
    fault: Fault, step: str, good: list[Turn], tmp_path: Path
) -> None:
    turns = await conversation(tmp_path, fault, step)
    assert same(turns, good)
    assert [len(turn.records) for turn in turns] == [len(turn.records) for turn in good]  # without a second request


@pytest.mark.parametrize("step", every(5, STEPS))
@pytest.mark.parametrize("fault", [Fault.NULL_CHOICES, Fault.EMPTY_CHOICES, Fault.HTML], ids=lambda fault: fault.name)
async def test_c02_an_answer_without_a_completion_is_tried_again_and_then_said_plainly(
    fault: Fault, step: str, tmp_path: Path
) -> None:
    plain = wording.say("setback.engine", why=wording.say("model.no_api"))
    turns = await conversation(tmp_path, fault, step)
    met = [turn for turn in turns if turn.met]
    assert met
    for turn in met:
        tries = Counter(json.dumps(record.messages) for record in turn.records if record.fault)
        given_up = step in (*PROSE, "read_graph")  # with the turn's model, or because the wishes were guessed wrongly
        assert all(count % (1 + RETRIES) == 0 or given_up for count in tries.values())
        assert max(tries.values()) >= 1 + RETRIES
    assert plain in [note for turn in met for note in turn.view.notes]
    assert not [turn for turn in turns if not turn.met and plain in turn.view.notes]


@pytest.mark.parametrize("step", every(5, STEPS))
@pytest.mark.parametrize("fault", [Fault.THINKING, Fault.THINKING_UNOPENED], ids=lambda fault: fault.name)
async def test_c03_thinking_with_a_decoy_is_neither_used_nor_shown(
    fault: Fault, step: str, good: list[Turn], tmp_path: Path
) -> None:
    turns = await conversation(tmp_path, fault, step)
    assert same(turns, good)
    told = repr([turn.events for turn in turns])
    assert not [word for word in ("decoy", "think", "Could it be") if word in told]
    assert b"decoy" not in stored_in(tmp_path) or step not in PROSE  # what is kept of JSON is read anew each time


@pytest.mark.parametrize("step", every(5, STEPS))
async def test_c04_the_same_invalid_object_for_ever_is_asked_for_twice_and_the_step_done_without(
    step: str, tmp_path: Path
) -> None:
    turns = await conversation(tmp_path, Fault.SAME_WRONG, step)
    met = [turn for turn in turns if turn.met]
    assert met
    for turn in met:
        asked = Counter(record.messages[1]["content"] for record in turn.records if record.prompt == step)
        # What is read ahead is asked for anew where it is needed; unusable prose is not asked for again.
        assert max(asked.values()) <= (1 if step in PROSE else 4 if step == "read_graph" else 2)
        assert turn.view.reply
    assert [note for turn in met for note in turn.view.notes if is_setback(note)]


@pytest.mark.parametrize("step", every(5, STEPS))
async def test_c05_half_a_character_in_a_reply_is_replaced_and_the_rest_saved_and_shown(
    step: str, good: list[Turn], tmp_path: Path
) -> None:
    turns = await conversation(tmp_path, Fault.SURROGATE, step)
    assert same(turns, good)  # the replaced character aside
    assert all(turn.view.model_dump_json().encode() for turn in turns)


@pytest.mark.parametrize("step", RARE)
async def test_c01_c03_c05_hold_at_the_steps_that_this_conversation_does_not_come_to(step: str) -> None:
    async with rarely_asked("", Fault.HANG) as (agent, _):
        good = await RARE[step](agent, Budget())
    for fault in (Fault.CHATTER, Fault.FENCED, Fault.TRAILING_COMMA, Fault.THINKING, Fault.SURROGATE):
        async with rarely_asked(step, fault) as (agent, server):
            assert await RARE[step](agent, budget := Budget()) == good
            assert (len(server.records), budget.setbacks()) == (1, ())


@pytest.mark.parametrize("step", RARE)
async def test_c02_and_c04_hold_at_the_steps_that_this_conversation_does_not_come_to(step: str) -> None:
    for fault in (Fault.NULL_CHOICES, Fault.EMPTY_CHOICES, Fault.HTML):
        async with rarely_asked(step, fault) as (agent, server):
            await RARE[step](agent, budget := Budget())
            assert len(server.records) == 1 + RETRIES
            assert [(setback.step, setback.why) for setback in budget.setbacks()] == [("engine", "no_api")]
    async with rarely_asked(step, Fault.SAME_WRONG) as (agent, server):
        await RARE[step](agent, budget := Budget())
        assert len(server.records) == 2
        assert [setback.why for setback in budget.setbacks()] == ["unreadable"]


async def test_c05_half_a_character_in_a_message_is_replaced_and_the_message_read(tmp_path: Path) -> None:
    with FakeOpenAI(FailsAt(Fault.HANG).script) as server:
        async with town_of(tmp_path, server) as town:
            events = [event async for event in town.conversations.turn(town.thread, f"{REQUEST} \ud83d")]
            assert isinstance(events[-1], Finished)
            [kept] = await town.conversations.history(town.thread)
    assert kept.utterance == f"{REQUEST} \ufffd"
    assert [item["title"] for item in kept.items] == ["Lantern Room", "Salt Kettle", "Copper Pan"]
    assert all(record.text.encode() for record in server.records)


def test_c05_half_a_character_in_a_title_goes_where_catalogues_are_read(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    row = {"id": "i1", "title": "Lantern \ud83d Room", "metadata": {}, "reviews": [{"text": "A quiet \udc00 room."}]}
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    [entry] = read_items(file).items
    assert entry.title.split() == ["Lantern", "Room"]
    assert entry.reviews[0].text.split() == ["A", "quiet", "room."]
