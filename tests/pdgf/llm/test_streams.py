"""Streams over HTTP: order of pieces, retries before the first one, ends that are none, hanging up, counting."""

import asyncio
from contextlib import aclosing

import pytest

from pdgf.errors import ModelUnreachable, ReplyCutOff
from pdgf.llm.endpoint import OpenAIModel
from pdgf.usage import Budget
from tests.openai_server import Answer, ChatRequest, FakeOpenAI, Fault
from tests.pdgf.llm.asking import STORY, ask_for_label, ask_for_story, by_prompt, connected


async def told(model: OpenAIModel, budget: Budget | None = None, into: list[str] | None = None) -> str:
    """The whole of a streamed story; its pieces go `into` a list as they come."""
    pieces = [] if into is None else into
    async for piece in model.stream(ask_for_story(), budget or Budget()):
        pieces.append(piece)
    return "".join(pieces)


async def test_pieces_come_one_by_one_and_make_the_whole() -> None:
    pieces: list[str] = []
    async with FakeOpenAI(by_prompt) as server, connected(server) as model:
        assert await told(model, into=pieces) == STORY
    assert len(pieces) > 1
    assert server.records[0].body["stream"] is True
    assert server.records[0].body["stream_options"] == {"include_usage": True}


async def test_a_failure_before_the_first_piece_is_tried_again() -> None:
    faults = {0: Fault.NULL_CHOICES, 1: Fault.SERVER_ERROR}
    async with FakeOpenAI(by_prompt, faults=faults) as server, connected(server) as model:
        assert await told(model) == STORY
    assert len(server.records) == 3


@pytest.mark.parametrize("fault", [Fault.CUT, Fault.BAD_EVENT, Fault.ERROR_EVENT, Fault.NO_FINISH, Fault.LENGTH])
async def test_what_came_before_a_break_was_handed_on_and_the_break_is_told(fault: Fault) -> None:
    pieces: list[str] = []
    async with FakeOpenAI(by_prompt, faults=fault) as server, connected(server) as model:
        with pytest.raises(ReplyCutOff):
            await told(model, into=pieces)
    assert pieces
    assert STORY.startswith("".join(pieces))
    assert len(server.records) == 1  # nothing is said twice


async def test_a_stalled_stream_is_cut_off_after_the_timeout_of_a_piece() -> None:
    async with FakeOpenAI(by_prompt, faults=Fault.STALL) as server, connected(server, chunk_timeout=0.1) as model:
        with pytest.raises(ReplyCutOff, match="timeout"):
            await told(model)


async def test_a_stalled_stream_is_cut_off_at_the_deadline_of_the_turn() -> None:
    async with FakeOpenAI(by_prompt, faults=Fault.STALL) as server, connected(server) as model:
        with pytest.raises(ReplyCutOff):
            await told(model, Budget(seconds=0.3))


async def test_a_stream_that_does_not_begin_ends_in_time_for_the_turn_to_do_without_it() -> None:
    async with FakeOpenAI(by_prompt, faults=Fault.HANG) as server, connected(server) as model:
        with pytest.raises(ModelUnreachable, match="timeout"):
            await told(model, Budget(seconds=0.2))


async def test_a_consumer_that_stops_hangs_up_and_the_place_is_free_again() -> None:
    long = "word " * 20_000

    def script(request: ChatRequest) -> str:
        return long

    async with FakeOpenAI(script, faults={0: Fault.STALL}) as server, connected(server, max_concurrency=1) as model:
        async with aclosing(model.stream(ask_for_story(), Budget())) as pieces:
            assert long.startswith(await anext(pieces))
        await server.until(lambda: server.records[0].over)
        assert server.records[0].gone
        assert (await model.complete(ask_for_story(), Budget())).text == long


async def test_a_consumer_that_is_cancelled_hangs_up() -> None:
    async with FakeOpenAI(by_prompt, faults=Fault.STALL) as server, connected(server) as model:
        seen: list[str] = []
        task = asyncio.create_task(told(model, into=seen))
        await server.until(lambda: bool(seen))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.until(lambda: server.records[0].over)
        assert server.records[0].gone


async def test_thinking_is_never_shown_whether_marked_or_sent_apart() -> None:
    def script(request: ChatRequest) -> Answer:
        return Answer(text=f"<think>I could say decoy.</think>\n\n{STORY}", reasoning="or decoy")

    async with FakeOpenAI(script) as server, connected(server) as model:
        assert await told(model) == STORY


async def test_thinking_that_begins_in_the_prompt_is_held_back_once_it_is_known() -> None:
    async with FakeOpenAI(by_prompt, faults=Fault.THINKING_UNOPENED) as server, connected(server) as model:
        await model.complete(ask_for_label(), Budget())
        assert await told(model) == STORY
        server.faults = None  # and a reply without thinking still comes whole
        assert await told(model) == STORY


async def test_a_pair_of_surrogates_split_over_two_pieces_is_one_character() -> None:
    def script(request: ChatRequest) -> str:
        return "Star\ud83d\ude80ship"  # cut after five characters

    async with FakeOpenAI(script) as server, connected(server) as model:
        assert await told(model) == "Star🚀ship"


async def test_the_tokens_of_a_stream_are_counted_as_the_server_says() -> None:
    budget = Budget()
    async with FakeOpenAI(by_prompt) as server, connected(server) as model:
        await told(model, budget)
    assert (budget.usage().tokens_in, budget.usage().tokens_out) == (7, 3)
    assert (budget.usage().agent_calls, budget.usage().waves) == (1, 1)


@pytest.mark.parametrize("fault", [Fault.NO_USAGE, Fault.REFUSES_STREAM_OPTIONS])
async def test_the_tokens_of_a_stream_are_estimated_when_the_server_does_not_say(fault: Fault) -> None:
    budget = Budget()
    async with FakeOpenAI(by_prompt, faults=fault) as server, connected(server) as model:
        await told(model, budget)
    assert budget.usage().tokens_out == -(-len(STORY) // 4)


async def test_what_a_broken_stream_has_used_is_counted() -> None:
    budget = Budget()
    async with FakeOpenAI(by_prompt, faults=Fault.CUT) as server, connected(server) as model:
        with pytest.raises(ReplyCutOff):
            await told(model, budget)
    assert 0 < budget.usage().tokens_out < -(-len(STORY) // 4)


async def test_a_stream_counts_as_running_until_its_consumer_is_done() -> None:
    budget = Budget()
    async with FakeOpenAI(by_prompt) as server, connected(server) as model:
        async with aclosing(model.stream(ask_for_story(), budget)) as pieces:
            await anext(pieces)
            await model.complete(ask_for_label(), budget)
        await model.complete(ask_for_label(), budget)
    assert (budget.usage().agent_calls, budget.usage().waves) == (3, 2)
