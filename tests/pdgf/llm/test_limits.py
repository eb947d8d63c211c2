"""How many requests at once, how many a minute, and that nothing is kept of loops that are gone."""

import asyncio
from math import inf

import pytest

from pdgf.errors import ModelUnreachable
from pdgf.llm import limits
from pdgf.llm.limits import Gate, gate_of
from pdgf.per_loop import PerLoop
from pdgf.usage import Budget
from tests.openai_server import FakeOpenAI, Fault
from tests.pdgf.llm.asking import ask_for_label, ask_for_story, by_prompt, connected


async def test_all_models_of_a_server_together_keep_the_limit_of_requests_at_once() -> None:
    async with (
        FakeOpenAI(by_prompt, latency=0.03) as server,
        connected(server, max_concurrency=3) as one,
        connected(server, max_concurrency=3) as other,
    ):
        await asyncio.gather(*(model.complete(ask_for_label(), Budget()) for model in (one, other) * 6))
    assert len(server.records) == 12
    assert server.most_in_flight == 3


async def test_an_open_stream_takes_one_of_the_places() -> None:
    async with FakeOpenAI(by_prompt) as server, connected(server, max_concurrency=1) as model:
        stream = model.stream(ask_for_story(), Budget())
        await anext(stream)
        waiting = asyncio.create_task(model.complete(ask_for_label(), Budget()))
        await asyncio.sleep(0.05)
        assert len(server.records) == 1
        await stream.aclose()
        await waiting
    assert len(server.records) == 2


async def test_a_wait_between_tries_takes_no_place() -> None:
    async with (
        FakeOpenAI(by_prompt, faults={0: Fault.SERVER_ERROR}) as server,
        connected(server, max_concurrency=1, first_wait=0.4) as model,
    ):
        failing = asyncio.create_task(model.complete(ask_for_label(), Budget()))
        await server.until(lambda: any(record.over for record in server.records))
        await model.complete(ask_for_story(), Budget())
        assert not failing.done()
        await failing
    assert [record.prompt for record in server.records] == ["label_relations", "explain", "label_relations"]


async def test_more_requests_a_minute_than_allowed_are_not_sent_when_there_is_no_time_to_wait() -> None:
    async with FakeOpenAI(by_prompt) as server, connected(server, requests_per_minute=2) as model:
        await model.complete(ask_for_label(), Budget())
        await model.complete(ask_for_label(), Budget())
        with pytest.raises(ModelUnreachable) as raised:
            await model.complete(ask_for_label(), Budget(seconds=5.0))
    assert raised.value.why == "busy"
    assert len(server.records) == 2


async def test_no_minute_has_more_beginnings_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MINUTE", 0.1)
    gate = Gate(at_once=100, per_minute=3)
    clock = asyncio.get_running_loop().time
    begun: list[float] = []

    async def request() -> None:
        async with gate.passed(lambda: inf):
            begun.append(clock())

    await asyncio.gather(*(request() for _ in range(10)))
    assert len(begun) == 10
    begun.sort()
    assert all(later - earlier >= 0.099 for earlier, later in zip(begun, begun[3:], strict=False))


class SharedWith:
    """A pace of several processes, the others of which have left so many requests."""

    def __init__(self, waits: list[float]) -> None:
        self.waits = waits
        self.asked: list[tuple[str, int]] = []

    async def wait(self, server: str, per_minute: int) -> float:
        self.asked.append((server, per_minute))
        return self.waits.pop(0)


async def test_what_other_processes_have_begun_is_waited_for_too() -> None:
    common = SharedWith([0.01, 0.02, 0.0])
    gate = Gate(at_once=1, per_minute=7, server="http://a", common=common)
    async with gate.passed(lambda: inf):
        assert common.waits == []
    assert common.asked == [("http://a", 7)] * 3


async def test_where_others_leave_no_request_in_time_it_is_said_so_at_once_and_the_place_is_free_again() -> None:
    gate = Gate(at_once=1, per_minute=7, common=SharedWith([30.0, 0.0]))
    with pytest.raises(ModelUnreachable) as raised:
        async with gate.passed(lambda: 5.0):
            pass
    assert raised.value.why == "busy"
    async with asyncio.timeout(5.0), gate.passed(lambda: 5.0):
        pass


async def test_without_a_limit_nobody_else_is_asked() -> None:
    common = SharedWith([])
    async with Gate(at_once=1, per_minute=0, common=common).passed(lambda: inf):
        assert common.asked == []


async def test_a_request_that_is_cancelled_while_it_waits_gives_its_place_back() -> None:
    gate = Gate(at_once=1, per_minute=0)
    async with gate.passed(lambda: inf):
        waiting = asyncio.create_task(gate.passed(lambda: inf).__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
    async with asyncio.timeout(5.0), gate.passed(lambda: inf):
        pass


def test_a_server_has_one_gate_in_a_loop_and_another_in_the_next() -> None:
    async def gates() -> tuple[Gate, Gate, Gate]:
        return (
            gate_of("http://a", at_once=1, per_minute=0),
            gate_of("http://a", at_once=9, per_minute=9),
            gate_of("http://b", at_once=1, per_minute=0),
        )

    first, same, other = asyncio.run(gates())
    assert first is same
    assert first is not other
    assert asyncio.run(gates())[0] is not first


def test_what_belongs_to_closed_loops_is_forgotten() -> None:
    kept: PerLoop[object] = PerLoop()

    async def use() -> object:
        made = kept.get("key", object)
        assert kept.get("key", object) is made
        assert kept.find("key") is made
        return made

    assert asyncio.run(use()) is not asyncio.run(use())
    for _ in range(20):
        asyncio.run(use())
    assert len(kept) == 1
