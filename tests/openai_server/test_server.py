"""The stand-in itself: what its scripts see, how its waves are counted, that its mistakes are not swallowed."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from http.client import RemoteDisconnected
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.openai_server import Answer, ChatRequest, FakeOpenAI, Fault, Record, waves


def post(server: FakeOpenAI, path: str = "/chat/completions", **body: object) -> dict[str, object]:
    request = Request(server.base_url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})  # noqa: S310
    with urlopen(request, timeout=10) as response:  # noqa: S310
        found: dict[str, object] = json.loads(response.read())
    return found


def record(started: float, ended: float) -> Record:
    return Record(index=0, path="", prompt="", body={}, headers={}, started=started, ended=ended)


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ([], 0),
        ([(0, 1)], 1),
        ([(0, 3), (0, 2), (1, 4)], 1),
        ([(0, 1), (1, 2), (2, 3)], 3),
        ([(0, 10), (0, 1), (2, 3), (4, 5)], 3),
        ([(0, 5), (1, 2), (3, 9), (6, 7)], 2),
    ],
)
def test_waves_are_the_longest_chain_of_calls_that_waited(times: list[tuple[float, float]], expected: int) -> None:
    assert waves(record(*each) for each in times) == expected


def test_calls_side_by_side_are_one_wave() -> None:
    with FakeOpenAI(lambda request: "x", latency=0.2) as server, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: post(server, messages=[]), range(4)))
        post(server, messages=[])
    assert waves(server.records) == 2
    assert server.most_in_flight == 4


def test_a_script_sees_the_prompt_by_name_and_the_schema() -> None:
    seen: list[ChatRequest] = []

    def script(request: ChatRequest) -> dict[str, int]:
        seen.append(request)
        return {"a": 1}

    system = {"role": "system", "content": "# judge_pairs\n\nJudge."}
    schema = {"type": "json_schema", "json_schema": {"name": "reply", "schema": {"type": "object"}}}
    with FakeOpenAI(script) as server:
        post(server, messages=[system, {"role": "user", "content": "These."}], response_format=schema)
        post(server, messages=[])
    assert [(each.index, each.prompt, each.user) for each in seen] == [(0, "judge_pairs", "These."), (1, "", "")]
    assert (seen[0].json_format, seen[0].schema) == ("json_schema", {"type": "object"})
    assert [each.prompt for each in server.records] == ["judge_pairs", ""]


def test_what_a_script_raises_is_raised_at_the_end() -> None:
    def script(request: ChatRequest) -> str:
        raise AssertionError("not expected")

    def conversation() -> None:
        with FakeOpenAI(script) as server, pytest.raises(RemoteDisconnected):
            post(server, messages=[])

    with pytest.raises(AssertionError, match="not expected"):
        conversation()


def test_a_key_may_be_demanded() -> None:
    with FakeOpenAI(lambda request: "x", key="right") as server, pytest.raises(HTTPError) as raised:
        post(server, messages=[])
    assert raised.value.code == 401
    raised.value.close()


def test_embeddings_and_models_are_served() -> None:
    with FakeOpenAI(lambda request: "x") as server:
        found = post(server, "/embeddings", input=["a b", "b a"], model="m")
        with urlopen(server.base_url + "/models", timeout=10) as response:  # noqa: S310
            assert json.loads(response.read())["data"]
    first, second = (each["embedding"] for each in found["data"])  # type: ignore[attr-defined]
    assert first == second
    assert server.records == []
    assert len(server.all_records) == 2


async def test_a_latency_of_one_answer_goes_before_that_of_the_server() -> None:
    def script(request: ChatRequest) -> Answer:
        return Answer(text="x", latency=0.0)

    async with FakeOpenAI(script, latency=20.0) as server:
        found = await asyncio.to_thread(post, server, messages=[])
    assert found["choices"]


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR, Fault.UNAVAILABLE_TWICE])
def test_a_record_names_the_fault_it_met(fault: Fault) -> None:
    with FakeOpenAI(lambda request: "x", faults={1: fault}) as server:
        post(server, messages=[])
        with pytest.raises(HTTPError) as raised:
            post(server, messages=[])
        raised.value.close()
        post(server, messages=[])
    assert [each.fault for each in server.records] == ["", fault.name, ""]


def test_an_address_that_carries_a_query_is_answered_and_counted_like_any_other() -> None:
    with FakeOpenAI(lambda request: "x") as server:
        assert post(server, "/chat/completions?token=t", messages=[])["choices"]
        assert [record.path for record in server.records] == ["/v1/chat/completions"]
