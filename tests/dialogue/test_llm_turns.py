"""Turns with the LLM engine over HTTP: what is said, how many waves it takes, what is kept (DESIGN section 5)."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from dialogue.events import ReplyPiece
from dialogue.models import Action
from tests.dialogue.llm_town import open_llm_town
from tests.dialogue.town import Town
from tests.openai_server import ChatRequest, FakeOpenAI, Record, Reply, waves
from tests.openai_server.requests import answered
from tests.openai_server.town_model import town_reply

REQUEST = "quiet ramen in Old Harbour with parking"
LATENCY = 0.15  # seconds a call: long enough that calls sent side by side overlap


@pytest.fixture
async def server() -> AsyncIterator[FakeOpenAI]:
    async with FakeOpenAI(town_reply, latency=LATENCY) as server:
        yield server


@pytest.fixture
async def town(server: FakeOpenAI, tmp_path: Path) -> AsyncIterator[Town]:
    async with open_llm_town(tmp_path, server.base_url) as town:
        yield town


class Counted:
    """One turn's calls, and those that had begun when the first words of an explanation or answer came."""

    def __init__(self, server: FakeOpenAI) -> None:
        self._server = server

    async def say(self, town: Town, utterance: str) -> tuple[list[Record], int]:
        """The calls of a turn and its waves up to the first token that a model worded, or of the whole turn."""
        before = len(self._server.records)
        seen: int | None = None
        async for event in town.conversations.turn(town.thread, utterance):
            records = self._server.records[before:]
            if isinstance(event, ReplyPiece) and seen is None and _worded(records):
                seen = waves_until_words(records)
        records = self._server.records[before:]
        return records, waves(records) if seen is None else seen


def _worded(records: list[Record]) -> bool:
    return any(record.prompt in ("explain", "answer") for record in records)


def waves_until_words(records: list[Record]) -> int:
    """The waves up to and with the first call that words something: those that ended before it began, and itself."""
    first = min(record.started for record in records if record.prompt in ("explain", "answer"))
    return waves(record for record in records if record.ended is not None and record.ended <= first) + 1


async def test_a_first_recommendation_takes_five_waves_to_its_first_word_at_most(
    server: FakeOpenAI, town: Town
) -> None:
    records, taken = await Counted(server).say(town, REQUEST)
    assert taken <= 5
    assert [record.prompt for record in records].count("understand") == 1
    assert [record.prompt for record in records].count("read_graph") == 1


async def test_one_preference_more_takes_four_waves_at_most(server: FakeOpenAI, town: Town) -> None:
    await town.say(REQUEST)
    records, taken = await Counted(server).say(town, "and with a terrace please")
    assert taken <= 4
    described = [record for record in records if record.prompt == "describe"]
    assert len(described) == 1
    assert '"instantiation": "terrace"' in described[0].text
    assert '"instantiation": "quiet"' not in described[0].text  # what was described before is taken over


async def test_a_question_takes_two_waves_at_most(server: FakeOpenAI, town: Town) -> None:
    await town.say(REQUEST)
    for question in ("does the second have parking?", "is the first good for ghosts?", "which has a terrace?"):
        _, taken = await Counted(server).say(town, question)
        assert taken <= 2


@pytest.mark.parametrize("utterance", ["more please", "not the second", "I take the first"])
async def test_feedback_without_a_reason_takes_one_call(server: FakeOpenAI, town: Town, utterance: str) -> None:
    await town.say(REQUEST)
    before = len(server.records)
    view = await town.say(utterance)
    assert view.action in (Action.SHOW_MORE, Action.RESPOND_TO_REJECTION, Action.RESPOND_TO_ACCEPTANCE)
    assert [record.prompt for record in server.records[before:]] == ["understand"]
    assert view.usage.waves == view.usage.agent_calls == 1


async def test_the_reply_is_worded_by_the_model_and_every_quote_of_it_is_evidence(town: Town) -> None:
    view = await town.say(REQUEST)
    assert view.action is Action.RECOMMEND
    assert len(view.items) == 3
    assert "For ramen it has “The ramen is rich.”" in view.reply
    assert "[e1]" not in view.reply
    assert {source.quote for source in view.sources} >= {"The ramen is rich."}
    assert view.notes == ()
    assert view.state.soft_constraints.keys() >= {"dish_type", "atmosphere"}


async def test_what_the_turn_used_is_told(town: Town) -> None:
    usage = (await town.say(REQUEST)).usage
    assert usage.agent_calls > 4
    assert 3 <= usage.waves <= 8
    assert usage.tokens_in > usage.tokens_out > 0
    assert usage.cost is None  # nobody knows the price of a model called "town"


async def test_the_same_conversation_again_is_read_from_disk(server: FakeOpenAI, tmp_path: Path) -> None:
    async with open_llm_town(tmp_path, server.base_url) as town:
        await town.say(REQUEST)
        await town.conversations.undo(town.thread)
        before = len(server.records)
        await town.say(REQUEST)
        assert server.records[before:] == []


async def test_a_deleted_conversation_leaves_no_byte_of_what_it_asked(server: FakeOpenAI, tmp_path: Path) -> None:
    async with open_llm_town(tmp_path, server.base_url) as town:
        await town.say(f"{REQUEST} canarybird")
        await town.conversations.delete(town.thread)
        left = [path for path in (tmp_path / "replies").rglob("*") if path.is_file()]
        assert not [path for path in left if b"canarybird" in path.read_bytes()]


async def test_reading_ahead_of_a_question_costs_nothing(server: FakeOpenAI, town: Town) -> None:
    await town.say(REQUEST)
    before = len(server.records)
    await town.say("does the second have parking?")
    assert "read_graph" not in {record.prompt for record in server.records[before:]}


async def test_a_stopped_turn_keeps_what_was_shown_and_changes_nothing(server: FakeOpenAI, town: Town) -> None:
    first = await town.say(REQUEST)
    heard = asyncio.Event()

    async def listen() -> None:
        async for event in town.conversations.turn(town.thread, "and with a terrace please"):
            if isinstance(event, ReplyPiece) and "it has" in event.text:
                heard.set()

    running = asyncio.create_task(listen())
    await heard.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    kept = (await town.conversations.history(town.thread, unfinished=True))[-1]
    assert not kept.finished
    assert "it has" in kept.reply
    assert kept.reply.endswith("you can send it again.")
    assert kept.state == first.state
    assert (await town.say("more please")).action is Action.SHOW_MORE


@pytest.mark.parametrize("prompts", [("understand", "read_graph"), ("explain",)])
async def test_of_a_stopped_turn_no_call_goes_on(prompts: tuple[str, ...], tmp_path: Path) -> None:
    """Neither the reading ahead of what is being understood nor the explanations of the items behind the first."""

    def slow(request: ChatRequest) -> Reply:
        answer = answered(town_reply(request))
        return replace(answer, latency=20.0) if request.prompt in prompts else answer

    async with FakeOpenAI(slow) as server, open_llm_town(tmp_path, server.base_url, llm_timeout=30.0) as town:
        running = asyncio.create_task(town.say(REQUEST))
        await server.until(lambda: len(asked(server, prompts)) == max(len(prompts), 3 * ("explain" in prompts)))
        running.cancel()
        await asyncio.wait([running])
        await server.until(lambda: all(record.over for record in server.records))
        assert all(record.gone for record in asked(server, prompts))


def asked(server: FakeOpenAI, prompts: tuple[str, ...]) -> list[Record]:
    return [record for record in server.records if record.prompt in prompts]
