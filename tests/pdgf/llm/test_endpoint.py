"""OpenAIModel against a real HTTP server: what is sent, what comes back, what is remembered, counted and closed."""

import asyncio
import gc
import subprocess
import sys
from pathlib import Path

import pytest

from pdgf.errors import BudgetSpent, ModelUnreachable
from pdgf.llm.calls import Role
from pdgf.llm.endpoint import OpenAIModel
from pdgf.usage import Budget
from tests.openai_server import Answer, FakeOpenAI, Fault, waves
from tests.pdgf.llm.asking import (
    LABEL_SCHEMA,
    LABEL_TEXT,
    STORY,
    ask_for_label,
    ask_for_story,
    by_prompt,
    connected,
    settings_for,
)


async def test_a_reply_comes_with_its_finish_mark_its_model_and_its_tokens() -> None:
    async with FakeOpenAI(by_prompt) as server, connected(server) as model:
        completion = await model.complete(ask_for_label(), Budget())
    assert completion.text == LABEL_TEXT
    assert (completion.finish, completion.model) == ("stop", "any")
    assert (completion.tokens_in, completion.tokens_out) == (7, 3)


async def test_a_request_is_deterministic_bounded_and_says_the_schema() -> None:
    async with FakeOpenAI(by_prompt) as server, connected(server) as model:
        await model.complete(ask_for_label(max_tokens=123), Budget())
    body = server.records[0].body
    assert body["temperature"] == 0
    assert body["max_tokens"] == body["max_completion_tokens"] == 123
    assert body["response_format"]["json_schema"]["schema"] == LABEL_SCHEMA
    assert body["stream"] is False
    assert "chat_template_kwargs" not in body
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert server.records[0].prompt == "label_relations"


async def test_prose_is_asked_for_without_any_format() -> None:
    async with FakeOpenAI(by_prompt) as server, connected(server) as model:
        assert (await model.complete(ask_for_story(), Budget())).text == STORY
    assert not {"response_format", "tools"} & set(server.records[0].body)


async def test_the_fast_model_answers_where_its_role_is_asked_for() -> None:
    async with FakeOpenAI(by_prompt) as server, connected(server, fast_model="quick") as model:
        await model.complete(ask_for_label(role=Role.FAST), Budget())
        await model.complete(ask_for_label(role=Role.MAIN), Budget())
    assert [record.body["model"] for record in server.records] == ["quick", "any"]
    assert model.id.endswith("/v1|any|quick")


async def test_thinking_can_be_switched_off() -> None:
    async with FakeOpenAI(by_prompt) as server, connected(server, disable_thinking=True) as model:
        await model.complete(ask_for_label(), Budget())
    assert server.records[0].body["chat_template_kwargs"] == {"enable_thinking": False}


async def test_a_second_try_shows_the_bad_reply_and_what_was_wrong_with_it() -> None:
    async with FakeOpenAI(by_prompt) as server, connected(server) as model:
        await model.complete(ask_for_label(repair=('{"label": 7}', "label: must be a string")), Budget())
    messages = server.records[0].messages
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    assert messages[2]["content"] == '{"label": 7}'
    assert "label: must be a string" in messages[3]["content"]
    assert "JSON" in messages[3]["content"]


async def test_half_of_a_surrogate_pair_in_a_prompt_is_sent_as_a_replacement_character() -> None:
    ask = ask_for_label(repair=("\ud83d", "half a character"))
    async with FakeOpenAI(by_prompt) as server, connected(server) as model:
        await model.complete(ask, Budget())
    assert server.records[0].messages[2]["content"] == "\ufffd"


@pytest.mark.parametrize(
    ("refused", "format_found"),
    [
        ((), "json_schema"),
        ((Fault.REFUSES_JSON_SCHEMA,), "json_object"),
        ((Fault.REFUSES_JSON_SCHEMA, Fault.REFUSES_JSON_OBJECT), "tools"),
        ((Fault.REFUSES_JSON_SCHEMA, Fault.REFUSES_JSON_OBJECT, Fault.REFUSES_TOOLS), ""),
        ((Fault.REFUSES_FORMAT_SILENTLY,), ""),
    ],
)
async def test_a_refused_format_is_stepped_down_from_and_not_tried_again(
    refused: tuple[Fault, ...], format_found: str
) -> None:
    def script(request: object) -> dict[str, str]:
        formats.append(getattr(request, "json_format", ""))
        return {"label": "PARTIAL"}

    formats: list[str] = []
    async with FakeOpenAI(script, faults=refused) as server, connected(server) as model:
        first = await model.complete(ask_for_label(), Budget())
        needed = len(server.records)
        second = await model.complete(ask_for_label(), Budget())
    assert first.text == second.text == LABEL_TEXT
    assert formats == [format_found, format_found]
    assert len(server.records) == needed + 1
    assert needed == 1 + ("json_schema", "json_object", "tools", "").index(format_found)


async def test_what_one_model_refuses_is_still_asked_of_the_other() -> None:
    async with (
        FakeOpenAI(by_prompt, faults=[Fault.REFUSES_JSON_SCHEMA]) as server,
        connected(server, fast_model="quick") as model,
    ):
        await model.complete(ask_for_label(role=Role.FAST), Budget())
        server.faults = None
        await model.complete(ask_for_label(role=Role.MAIN), Budget())
    assert server.records[-1].body["response_format"]["type"] == "json_schema"


async def test_the_ladder_begins_where_the_settings_say() -> None:
    async with FakeOpenAI(by_prompt) as server, connected(server, json_mode="tools") as model:
        assert (await model.complete(ask_for_label(), Budget())).text == LABEL_TEXT
        server.faults = Fault.TOOLS_IGNORED
        assert (await model.complete(ask_for_label(), Budget())).text == LABEL_TEXT
    assert all(record.body["tool_choice"]["function"]["name"] == "reply" for record in server.records)


@pytest.mark.parametrize(
    ("fault", "dropped"),
    [
        (Fault.REFUSES_MAX_TOKENS, "max_tokens"),
        (Fault.REFUSES_MAX_COMPLETION_TOKENS, "max_completion_tokens"),
        (Fault.REFUSES_TEMPERATURE, "temperature"),
        (Fault.REFUSES_TEMPLATE, "chat_template_kwargs"),
    ],
)
async def test_a_refused_parameter_alone_is_left_out_from_then_on(fault: Fault, dropped: str) -> None:
    async with FakeOpenAI(by_prompt, faults=fault) as server, connected(server, disable_thinking=True) as model:
        await model.complete(ask_for_label(), Budget())
        await model.complete(ask_for_label(), Budget())
    first, second, third = (set(record.body) for record in server.records)
    assert first - second == {dropped}
    assert second == third


async def test_several_refused_parameters_are_left_out_one_after_another() -> None:
    faults = [Fault.REFUSES_TEMPERATURE, Fault.REFUSES_MAX_TOKENS, Fault.REFUSES_JSON_SCHEMA]
    async with FakeOpenAI(by_prompt, faults=faults) as server, connected(server) as model:
        assert (await model.complete(ask_for_label(), Budget())).text == LABEL_TEXT
        assert (await model.complete(ask_for_story(), Budget())).text == STORY
    assert len(server.records) == 3 + 1 + 1
    assert {"temperature", "max_tokens"}.isdisjoint(server.records[-1].body)


async def test_a_refusal_without_a_reason_costs_a_bounded_number_of_requests_and_teaches_nothing() -> None:
    async with FakeOpenAI(by_prompt, faults=Fault.BAD_REQUEST) as server, connected(server) as model:
        with pytest.raises(Exception, match="refused"):
            await model.complete(ask_for_label(), Budget())
        assert len(server.records) == 4 + 1  # each format, then a bare request
        server.faults = None
        await model.complete(ask_for_label(), Budget())
    assert server.records[-1].body["response_format"]["type"] == "json_schema"


async def test_calls_waves_tokens_and_costs_are_counted_on_the_budget() -> None:
    budget = Budget()
    async with (
        FakeOpenAI(by_prompt, latency=0.1) as server,
        connected(server, prices={"any": (1.0, 10.0)}) as model,
    ):
        await asyncio.gather(*(model.complete(ask_for_label(), budget) for _ in range(3)))
        await model.complete(ask_for_label(), budget)
    usage = budget.usage()
    assert (usage.agent_calls, usage.waves) == (4, 2)
    assert waves(server.records) == 2
    assert (usage.tokens_in, usage.tokens_out) == (4 * 7, 4 * 3)
    assert usage.cost == pytest.approx(4 * (7 * 1.0 + 3 * 10.0) / 1_000_000)


async def test_tokens_are_estimated_when_the_server_does_not_say() -> None:
    budget = Budget()
    ask = ask_for_story()
    async with FakeOpenAI(by_prompt, faults=Fault.NO_USAGE) as server, connected(server) as model:
        completion = await model.complete(ask, budget)
    assert completion.tokens_in is None
    system, user = ask.rendered.system, ask.rendered.user
    assert budget.usage().tokens_in == -(-len(system) // 4) + -(-len(user) // 4)
    assert budget.usage().tokens_out == -(-len(STORY) // 4)
    assert budget.usage().cost is None  # nobody knows the price of a model on this machine


async def test_retries_of_a_call_count_as_one_call_of_one_wave() -> None:
    budget = Budget()
    async with FakeOpenAI(by_prompt, faults=Fault.UNAVAILABLE_TWICE) as server, connected(server) as model:
        await model.complete(ask_for_label(), budget)
    assert len(server.records) == 3
    assert (budget.usage().agent_calls, budget.usage().waves) == (1, 1)


async def test_nothing_is_sent_beyond_the_cap_of_calls() -> None:
    async with FakeOpenAI(by_prompt) as server, connected(server) as model:
        with pytest.raises(BudgetSpent, match="agent_calls"):
            await model.complete(ask_for_label(), Budget(agent_calls=0))
    assert server.records == []


@pytest.mark.parametrize("fault", [Fault.HANG, Fault.LATE, Fault.STALL])
async def test_a_call_ends_in_time_for_the_turn_to_do_without_it(fault: Fault) -> None:
    budget = Budget(seconds=0.5)
    async with FakeOpenAI(by_prompt, faults=fault, late=20.0) as server, connected(server) as model:
        with pytest.raises(ModelUnreachable, match="timeout"):
            await model.complete(ask_for_label(), budget)
        assert 0.0 < budget.remaining_seconds() < 0.1


async def test_a_late_reply_is_good_when_there_is_time_for_it() -> None:
    async with FakeOpenAI(by_prompt, faults=Fault.LATE, late=0.2) as server, connected(server) as model:
        assert (await model.complete(ask_for_label(), Budget())).text == LABEL_TEXT
    assert len(server.records) == 1


async def test_a_wait_that_the_server_asks_for_is_kept() -> None:
    async with FakeOpenAI(by_prompt, faults={0: Fault.RATE_LIMITED}) as server, connected(server) as model:
        assert (await model.complete(ask_for_label(), Budget())).text == LABEL_TEXT
    refused, good = server.records
    assert refused.ended is not None
    assert good.started - refused.ended >= 0.05  # Retry-After, five times the wait of our own


async def test_a_wait_longer_than_the_turn_is_not_begun() -> None:
    async with FakeOpenAI(by_prompt, faults=Fault.RATE_LIMITED_LONG) as server, connected(server) as model:
        with pytest.raises(ModelUnreachable) as raised:
            await model.complete(ask_for_label(), Budget())
    assert raised.value.why == "busy"
    assert len(server.records) == 1


async def test_cancelling_a_call_closes_its_connection_and_leaves_room_for_the_next() -> None:
    async with FakeOpenAI(by_prompt, faults={0: Fault.HANG}) as server, connected(server, max_concurrency=1) as model:
        call = asyncio.create_task(model.complete(ask_for_label(), Budget()))
        await server.until(lambda: len(server.records) == 1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await server.until(lambda: server.records[0].over)
        assert server.records[0].gone
        assert (await model.complete(ask_for_label(), Budget())).text == LABEL_TEXT


def test_one_model_serves_one_event_loop_after_another() -> None:
    with FakeOpenAI(by_prompt) as server:
        model = OpenAIModel(settings_for(server))

        async def turn() -> str:
            text = (await model.complete(ask_for_label(), Budget())).text
            await model.aclose()
            return text

        assert {asyncio.run(turn()) for _ in range(3)} == {LABEL_TEXT}
    gc.collect()


async def test_the_probe_says_server_model_and_format() -> None:
    def script(request: object) -> dict[str, bool]:
        return {"ok": True}

    async with (
        FakeOpenAI(script, faults=Fault.REFUSES_JSON_SCHEMA) as server,
        connected(server, fast_model="quick") as model,
    ):
        found = await model.probe()
    place = server.base_url.removeprefix("http://")
    assert found == f"{place}: any answers in the format json_object; quick answers in the format json_object"
    assert {record.prompt for record in server.records} == {"probe"}


async def test_the_probe_says_when_a_server_takes_a_format_and_ignores_it() -> None:
    async with FakeOpenAI(lambda request: "I am fine.") as server, connected(server) as model:
        assert "does not keep to" in await model.probe()


async def test_a_probe_of_a_server_that_is_down_raises() -> None:
    async with FakeOpenAI(by_prompt) as server, connected(server, retries=0) as model:
        server.down()
        with pytest.raises(ModelUnreachable) as raised:
            await model.probe()
    assert raised.value.why == "unreachable"


async def test_a_server_that_comes_back_is_reached_again() -> None:
    async with FakeOpenAI(by_prompt, faults={0: Fault.SERVER_DOWN}) as server, connected(server) as model:
        with pytest.raises(ModelUnreachable):
            await model.complete(ask_for_label(), Budget())
        server.up()
        assert (await model.complete(ask_for_label(), Budget())).text == LABEL_TEXT


async def test_content_in_parts_is_read_as_one_text() -> None:
    def script(request: object) -> Answer:
        return Answer(text=[{"type": "text", "text": "Once "}, {"type": "text", "text": "more."}])  # type: ignore[arg-type]

    async with FakeOpenAI(script) as server, connected(server) as model:
        assert (await model.complete(ask_for_story(), Budget())).text == "Once more."


def test_the_module_imports_no_client() -> None:
    root = Path(__file__).parents[3]
    code = "import sys, pdgf.llm.endpoint; print({'openai', 'langchain_core', 'httpx2'} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
