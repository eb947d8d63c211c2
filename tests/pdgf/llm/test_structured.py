"""A prompt and a reply type -> a checked reply, with one re-ask and a typed failure (RELIABILITY 6.1)."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from pdgf.errors import BudgetSpent, ModelRefused, ModelUnreachable, PromptTooLong, ReplyUnusable
from pdgf.llm.calls import Completion, Role
from pdgf.llm.reply_cache import ReplyCache
from pdgf.llm.structured import REPAIR_CHARS, StructuredModel, reply_schema, schema_text
from pdgf.models import Label, Value
from pdgf.usage import Budget
from tests.pdgf.llm.mutations import SAMPLES, LabelsReply
from tests.pdgf.llm.scripted_model import ScriptedModel, rendered

GOOD = '{"pairs": [{"pair_number": 1, "label": "SUPPORT", "quote": "slow"}]}'
DECOY = '{"pairs": [{"pair_number": 9, "label": "CONTRADICTS", "quote": "decoy"}]}'
BAD = '{"pairs": [{"pair_number": 1, "label": "GOOD", "quote": "slow"}]}'
WANTED = LabelsReply.model_validate_json(GOOD)
SCOPE = "conversation-1"


@pytest.fixture
async def cache(tmp_path: Path) -> AsyncIterator[ReplyCache]:
    cache = ReplyCache(tmp_path / "replies")
    yield cache
    await cache.close()


async def ask(
    model: ScriptedModel, cache: ReplyCache | None = None, *, scope: str = SCOPE, check: Any = None, **inputs: object
) -> LabelsReply:
    return await StructuredModel(model, cache).ask(
        rendered(**inputs), LabelsReply, role=Role.FAST, max_tokens=100, budget=Budget(scope=scope), check=check
    )


def only_known_pairs(reply: LabelsReply) -> LabelsReply:
    if any(pair.pair_number > 1 for pair in reply.pairs):
        raise ReplyUnusable("pair 2 was not asked about")
    return reply


async def test_a_good_reply_costs_one_completion_that_asked_for_the_schema() -> None:
    model = ScriptedModel(GOOD)
    assert await ask(model) == WANTED
    [asked] = model.asks
    assert (asked.role, asked.max_tokens, asked.repair) == (Role.FAST, 100, None)
    assert asked.reply_schema == reply_schema(LabelsReply)


async def test_c01_chatter_a_fence_and_a_trailing_comma_cost_no_second_completion() -> None:
    model = ScriptedModel(f"Sure, here it is:\n```json\n{GOOD.replace('}]', '},]')}\n```\nAnything else?")
    assert await ask(model) == WANTED
    assert len(model.asks) == 1


async def test_c01_chatter_without_an_object_is_asked_once_more() -> None:
    model = ScriptedModel("I found nothing of the kind.", GOOD)
    assert await ask(model) == WANTED
    assert model.asks[1].repair == ("I found nothing of the kind.", "the reply holds no JSON object")


async def test_c03_thinking_is_neither_read_nor_shown_to_the_model_again() -> None:
    model = ScriptedModel(f"<think>{DECOY}</think>{BAD}", f"<think>{DECOY}</think>{GOOD}")
    assert await ask(model) == WANTED
    assert model.asks[1].repair is not None
    assert model.asks[1].repair[0] == BAD


async def test_c04_the_same_unusable_reply_for_ever_costs_two_completions() -> None:
    model = ScriptedModel(BAD)
    with pytest.raises(ReplyUnusable, match=r"^pairs\[0\]\.label: Input should be 'SUPPORT'"):
        await ask(model)
    assert len(model.asks) == 2


async def test_c05_half_a_surrogate_pair_is_read_and_never_sent_back() -> None:
    model = ScriptedModel(BAD.replace("slow", "sl\ud83dow"), GOOD.replace("slow", "sl\udc00ow"))
    assert await ask(model) == WANTED
    assert model.asks[1].repair is not None
    assert model.asks[1].repair[0].encode() == BAD.encode()


async def test_c05_half_a_surrogate_pair_can_be_kept(cache: ReplyCache) -> None:
    model = ScriptedModel(GOOD.replace("slow", "sl\ud83dow"))
    assert await ask(model, cache) == await ask(model, cache) == WANTED
    assert len(model.asks) == 1


async def test_the_second_try_shows_the_beginning_of_the_bad_reply_and_the_reason() -> None:
    model = ScriptedModel("x" * 5_000, GOOD)
    assert await ask(model) == WANTED
    assert model.asks[1].repair == ("x" * REPAIR_CHARS, "the reply holds no JSON object")
    assert model.asks[1].max_tokens == model.asks[0].max_tokens


@pytest.mark.parametrize("text", ["", " \n"])
async def test_an_empty_reply_is_asked_once_more(text: str) -> None:
    model = ScriptedModel(text, GOOD)
    assert await ask(model) == WANTED
    assert model.asks[1].repair == ("", "the reply is empty")


@pytest.mark.parametrize("finish", ["length", "max_tokens", "LENGTH"])
async def test_a_reply_cut_for_length_is_a_failure_even_when_it_can_be_read_and_may_be_twice_as_long(
    finish: str,
) -> None:
    model = ScriptedModel(Completion(text=DECOY, finish=finish), GOOD)
    assert await ask(model) == WANTED
    assert [asked.max_tokens for asked in model.asks] == [100, 200]
    assert model.asks[1].repair == (DECOY, "the reply was cut off after 100 tokens")


async def test_a_reply_cut_for_length_twice_is_unusable() -> None:
    model = ScriptedModel(Completion(text=GOOD, finish="length"))
    with pytest.raises(ReplyUnusable, match="cut off after 200 tokens"):
        await ask(model)
    assert len(model.asks) == 2


async def test_a_content_filter_is_not_asked_again() -> None:
    model = ScriptedModel(Completion(text=GOOD, finish="content_filter"))
    with pytest.raises(ReplyUnusable, match="content filter"):
        await ask(model)
    assert len(model.asks) == 1


@pytest.mark.parametrize("finish", [None, "stop", "tool_calls", "eos"])
async def test_any_other_finish_mark_is_fine(finish: str | None) -> None:
    assert await ask(ScriptedModel(Completion(text=GOOD, finish=finish))) == WANTED


async def test_what_is_no_completion_counts_as_a_failed_try() -> None:
    model = ScriptedModel(ReplyUnusable("no choices"), GOOD)
    assert await ask(model) == WANTED
    assert model.asks[1].repair == ("", "no choices")


@pytest.mark.parametrize(
    "error", [PromptTooLong("8,000 tokens"), ModelUnreachable("busy"), ModelRefused("key"), BudgetSpent("agent_calls")]
)
async def test_other_failures_pass_through_at_once(error: Exception) -> None:
    model = ScriptedModel(error)
    with pytest.raises(type(error)) as raised:
        await ask(model)
    assert raised.value is error
    assert len(model.asks) == 1


async def test_a_failure_of_the_second_try_passes_through() -> None:
    model = ScriptedModel(BAD, BudgetSpent("agent_calls"))
    with pytest.raises(BudgetSpent):
        await ask(model)
    assert len(model.asks) == 2


async def test_what_the_check_refuses_is_asked_once_more_with_its_reason() -> None:
    model = ScriptedModel(DECOY, GOOD)
    assert await ask(model, check=only_known_pairs) == WANTED
    assert model.asks[1].repair == (DECOY, "pair 2 was not asked about")


async def test_what_the_check_refuses_twice_is_unusable() -> None:
    with pytest.raises(ReplyUnusable, match="pair 2 was not asked about"):
        await ask(ScriptedModel(DECOY), check=only_known_pairs)


async def test_a_reason_is_cut_and_never_empty() -> None:
    reasons: Iterator[str] = iter(["r" * 2_000, ""])

    def refuse(reply: LabelsReply) -> LabelsReply:
        raise ReplyUnusable(next(reasons))

    model = ScriptedModel(GOOD, DECOY)
    with pytest.raises(ReplyUnusable, match=r"^the reply could not be used$"):
        await ask(model, check=refuse)
    assert model.asks[1].repair == (GOOD, "r" * 500)


async def test_the_check_may_mend_the_reply_and_is_asked_once_a_reply() -> None:
    seen: list[LabelsReply] = []

    def without_pairs(reply: LabelsReply) -> LabelsReply:
        seen.append(reply)
        return LabelsReply(pairs=[])

    assert await ask(ScriptedModel(GOOD), check=without_pairs) == LabelsReply(pairs=[])
    assert seen == [WANTED]


async def test_an_equal_ask_of_the_same_conversation_is_not_paid_again(cache: ReplyCache) -> None:
    model = ScriptedModel(GOOD)
    assert await ask(model, cache, q="a") == await ask(model, cache, q="a") == WANTED
    assert len(model.asks) == 1
    await ask(model, cache, q="b")
    await ask(model, cache, q="a", scope="conversation-2")
    assert len(model.asks) == 3


async def test_without_a_cache_every_ask_is_paid() -> None:
    model = ScriptedModel(GOOD)
    await asyncio.gather(ask(model), ask(model))
    assert len(model.asks) == 2


async def test_equal_asks_at_the_same_time_are_one_completion(cache: ReplyCache) -> None:
    model = ScriptedModel(GOOD)
    assert await asyncio.gather(*(ask(model, cache) for _ in range(5))) == [WANTED] * 5
    assert len(model.asks) == 1


async def test_an_unusable_reply_is_not_kept(cache: ReplyCache) -> None:
    model = ScriptedModel(BAD, BAD, GOOD)
    with pytest.raises(ReplyUnusable):
        await ask(model, cache)
    assert await ask(model, cache) == WANTED
    assert len(model.asks) == 3


async def test_the_reply_of_a_second_try_is_kept(cache: ReplyCache) -> None:
    model = ScriptedModel(BAD, GOOD)
    assert await ask(model, cache) == await ask(model, cache) == WANTED
    assert len(model.asks) == 2


async def test_a_kept_reply_is_checked_again_and_one_that_fails_is_a_miss(cache: ReplyCache) -> None:
    model = ScriptedModel(DECOY, GOOD)
    assert (await ask(model, cache)).pairs[0].pair_number == 9
    assert await ask(model, cache, check=only_known_pairs) == WANTED
    assert await ask(model, cache, check=only_known_pairs) == WANTED
    assert len(model.asks) == 2


async def test_a_cancelled_ask_cancels_the_completion(cache: ReplyCache) -> None:
    model = ScriptedModel(GOOD)
    model.gate = asyncio.Event()
    asking = asyncio.create_task(ask(model, cache))
    await model.asked.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert model.cancelled == 1


class Titled(Value):
    """A docstring for readers of the code."""

    title: str = Field(default="", description="As printed on the cover.")
    default: int = 0


class Tree(Value):
    label: Label
    first: Titled = Titled()
    rest: list[Titled] = Field(default_factory=list, max_length=3)
    kind: Literal["one"] = "one"
    year: int | None = Field(default=None, description="Four digits.")
    described: Annotated[Titled, Field(description="Said where it is used.")] = Titled()


class Recursive(Value):
    children: list["Recursive"] = Field(default_factory=list)


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            yield from nodes(list(value.values()) if key == "properties" else value)
    elif isinstance(schema, list):
        for item in schema:
            yield from nodes(item)


@pytest.mark.parametrize("reply_type", [Tree, *(sample[0] for sample in SAMPLES)], ids=lambda each: each.__name__)
def test_the_schema_is_what_strict_servers_accept(reply_type: type[BaseModel]) -> None:
    for node in nodes(reply_schema(reply_type)):
        assert not {"$ref", "$defs", "title", "default", "const", "oneOf", "discriminator"} & set(node)
        if "properties" in node:
            assert node["required"] == list(node["properties"])
            assert node["additionalProperties"] is False


def test_the_schema_keeps_fields_called_title_or_default_and_descriptions_of_fields_only() -> None:
    titled = {
        "type": "object",
        "properties": {
            "title": {"description": "As printed on the cover.", "type": "string"},
            "default": {"type": "integer"},
        },
        "required": ["title", "default"],
        "additionalProperties": False,
    }
    assert reply_schema(Titled) == titled
    assert reply_schema(Tree) == {
        "type": "object",
        "properties": {
            "label": {"enum": ["SUPPORT", "PARTIAL", "NOT_ADDRESSED", "CONTRADICTS"], "type": "string"},
            "first": titled,
            "rest": {"items": titled, "maxItems": 3, "type": "array"},
            "kind": {"enum": ["one"], "type": "string"},
            "year": {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "Four digits."},
            "described": {**titled, "description": "Said where it is used."},
        },
        "required": ["label", "first", "rest", "kind", "year", "described"],
        "additionalProperties": False,
    }


def test_the_schema_text_is_the_schema_on_one_line_in_the_order_of_the_fields() -> None:
    text = schema_text(Tree)
    assert json.loads(text) == reply_schema(Tree)
    assert list(json.loads(text)["properties"]) == list(Tree.model_fields)
    assert "\n" not in text
    assert '": ' not in text


def test_a_reply_type_that_contains_itself_is_refused() -> None:
    with pytest.raises(TypeError, match="Recursive contains itself"):
        reply_schema(Recursive)
