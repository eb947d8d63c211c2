"""The protocol as a real server speaks it: formats, streams, limits, usage, refusals, hanging up."""

import json
from contextlib import aclosing
from typing import Annotated, Any, Literal, cast

import pytest
from pydantic import Field, SecretStr

from pdgf.engines.llm_replies import Reply
from pdgf.errors import ModelRefused, ModelUnreachable, PromptTooLong, ReplyCutOff
from pdgf.llm.calls import Ask, Rendered, Role
from pdgf.llm.endpoint import EndpointSettings, OpenAIModel
from pdgf.llm.structured import StructuredModel
from pdgf.usage import Budget
from tests.llm.llama_server import CONTEXT, LlamaServer

SCHEMA = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "green"]}, "count": {"type": "integer"}},
    "required": ["colour", "count"],
    "additionalProperties": False,
}
LONG_STORY = "Tell me a very long story about a lighthouse, a whale and a clockmaker."


class Painted(Reply):
    """Something painted."""

    colour: Annotated[Literal["red", "green"], Field(description="its colour")]
    count: int = Field(description="how many there are")


@pytest.fixture
def model(llama: LlamaServer) -> OpenAIModel:
    return model_at(llama)


def model_at(llama: LlamaServer, **changed: Any) -> OpenAIModel:
    settings = {"base_url": llama.base_url, "api_key": llama.key, "model": "SmolLM2", "retries": 0, **changed}
    return OpenAIModel(EndpointSettings.model_validate(settings))


def prompt(user: str) -> Rendered:
    return Rendered(name="test", digest="", inputs={}, system="You are a storyteller.", user=user)


async def test_the_endpoint_finds_the_format_that_the_server_keeps_to(llama: LlamaServer, model: OpenAIModel) -> None:
    place = llama.root.removeprefix("http://")
    assert await model.probe() == f"{place}/v1: SmolLM2 answers in the format json_schema"


async def test_a_reply_keeps_to_the_schema_although_nothing_else_asks_for_json(model: OpenAIModel) -> None:
    ask = Ask(rendered=prompt("How many boats are in the harbour?"), reply_schema=SCHEMA, max_tokens=200)
    reply = await model.complete(ask, Budget())
    assert reply.finish == "stop"
    read = json.loads(reply.text)
    assert read.keys() == {"colour", "count"}
    assert read["colour"] in ("red", "green")
    assert isinstance(read["count"], int)


async def test_a_reply_is_read_into_its_type(model: OpenAIModel) -> None:
    asked = prompt("Say the colour and the number of the boats.")
    reply = await StructuredModel(model).ask(asked, Painted, role=Role.FAST, max_tokens=200, budget=Budget())
    assert reply.colour in ("red", "green")


async def test_a_stream_comes_in_pieces_and_ends_with_its_mark(llama: LlamaServer, model: OpenAIModel) -> None:
    budget, before = Budget(), llama.counters()
    ask = Ask(rendered=prompt("Say hello to the sailor in one short sentence."), max_tokens=600)
    pieces = [piece async for piece in model.stream(ask, budget)]  # raises ReplyCutOff without a mark
    assert len(pieces) > 1
    assert "".join(pieces).strip()
    usage = budget.usage()
    assert usage.tokens_out == llama.counters()["tokens_predicted_total"] - before["tokens_predicted_total"]
    assert usage.tokens_in > 0


async def test_a_stream_that_reaches_its_limit_is_cut_off_after_its_text(model: OpenAIModel) -> None:
    said: list[str] = []

    async def listen() -> None:
        async for piece in model.stream(Ask(rendered=prompt(LONG_STORY), max_tokens=12), Budget()):
            said.append(piece)

    with pytest.raises(ReplyCutOff, match="length"):
        await listen()
    assert "".join(said).strip()


async def test_a_reply_has_as_many_tokens_as_asked_for_and_says_that_it_was_cut(
    llama: LlamaServer, model: OpenAIModel
) -> None:
    budget, before = Budget(), llama.counters()["tokens_predicted_total"]
    reply = await model.complete(Ask(rendered=prompt(LONG_STORY), max_tokens=12), budget)
    assert (reply.finish, reply.tokens_out) == ("length", 12)
    assert llama.counters()["tokens_predicted_total"] - before == 12
    usage = budget.usage()
    assert (usage.agent_calls, usage.tokens_in, usage.tokens_out) == (1, reply.tokens_in, 12)
    assert reply.tokens_in is not None
    assert 20 < reply.tokens_in < 80  # 22 words, and what the template of the model puts around them


async def test_stopping_in_the_middle_of_a_stream_frees_the_server(llama: LlamaServer, model: OpenAIModel) -> None:
    ask = Ask(rendered=prompt(LONG_STORY), max_tokens=3_000)
    async with aclosing(cast(Any, model.stream(ask, Budget()))) as pieces:
        assert await anext(pieces)
        assert await llama.becomes(busy=True)
    assert await llama.becomes(busy=False)
    assert (await model.complete(Ask(rendered=prompt("Hello!"), max_tokens=4), Budget())).text


async def test_a_request_that_takes_too_long_is_hung_up_on(llama: LlamaServer) -> None:
    hasty = model_at(llama, timeout=0.5)
    with pytest.raises(ModelUnreachable, match="timeout"):
        await hasty.complete(Ask(rendered=prompt(LONG_STORY), max_tokens=3_000), Budget())
    assert await llama.becomes(busy=False)


async def test_more_than_the_context_holds_is_too_long_a_prompt(llama: LlamaServer, model: OpenAIModel) -> None:
    before = llama.counters()["prompt_tokens_total"]
    words = Ask(rendered=prompt("sail " * (CONTEXT + 1)), max_tokens=4)
    with pytest.raises(PromptTooLong, match="context"):
        await model.complete(words, Budget())
    with pytest.raises(PromptTooLong, match="context"):
        await anext(cast(Any, model.stream(words, Budget())))
    assert llama.counters()["prompt_tokens_total"] == before  # nothing of it was read


async def test_a_wrong_key_is_refused_and_not_told(llama: LlamaServer) -> None:
    other = model_at(llama, api_key=SecretStr("wrong-key-5d1f"))
    with pytest.raises(ModelRefused) as raised:
        await other.complete(Ask(rendered=prompt("Hello!"), max_tokens=4), Budget())
    assert raised.value.why == "key"
    assert "5d1f" not in str(raised.value)


async def test_a_wrong_path_is_no_language_model(llama: LlamaServer) -> None:
    astray = model_at(llama, base_url=f"{llama.root}/nowhere")
    with pytest.raises(ModelUnreachable) as raised:
        await astray.complete(Ask(rendered=prompt("Hello!"), max_tokens=4), Budget())
    assert raised.value.why == "no_api"
