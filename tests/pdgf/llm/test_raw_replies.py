"""Reading completions and pieces of them, whatever their shape."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.llm.dialect import Mode
from pdgf.llm.faults import CallFault, Kind
from pdgf.llm.raw_replies import estimated_tokens, read_answer, read_piece

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


def reply(finish: Any = "stop", **message: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": finish}]}


def call(arguments: Any) -> list[dict[str, Any]]:
    return [{"type": "function", "function": {"name": "reply", "arguments": arguments}}]


@pytest.mark.parametrize(
    ("message", "mode", "text"),
    [
        ({"content": "Yes."}, None, "Yes."),
        ({"content": "<think>no</think>Yes."}, None, "Yes."),
        ({"content": "<think>{}</think>{1}"}, Mode.PROMPT, "<think>{}</think>{1}"),
        ({"content": None, "tool_calls": call('{"a": 1}')}, Mode.TOOLS, '{"a": 1}'),
        ({"content": "Here:", "tool_calls": call('{"a": 1}')}, Mode.TOOLS, '{"a": 1}'),
        ({"content": None, "tool_calls": call({"a": 1})}, Mode.TOOLS, '{"a": 1}'),
        ({"content": None, "function_call": {"arguments": '{"a": 1}'}}, Mode.TOOLS, '{"a": 1}'),
        ({"content": '{"a": 2}', "tool_calls": []}, Mode.TOOLS, '{"a": 2}'),
        ({"content": '{"a": 2}', "tool_calls": call('{"a": 1}')}, Mode.JSON_SCHEMA, '{"a": 2}'),
        ({"content": "", "tool_calls": call('{"a": 1}')}, Mode.JSON_SCHEMA, '{"a": 1}'),
        ({"content": "", "reasoning_content": 'so {"a": 1}'}, Mode.JSON_SCHEMA, 'so {"a": 1}'),
        ({"content": "<think>x</think>", "reasoning": '{"a": 1}'}, Mode.PROMPT, '{"a": 1}'),
        ({"content": "", "reasoning_content": "no object"}, Mode.JSON_SCHEMA, ""),
        ({"content": "", "reasoning_content": '{"a": 1}'}, None, ""),
        ({"content": [{"type": "text", "text": "Y"}, {"type": "image"}, "?", {"text": "es"}]}, None, "Yes"),
    ],
)
def test_the_text_of_a_reply_is_found_where_it_stands(message: dict[str, Any], mode: Mode | None, text: str) -> None:
    assert read_answer(reply(**message), mode=mode).text == text


@pytest.mark.parametrize(
    "raw",
    [{}, {"choices": None}, {"choices": []}, {"choices": [None]}, {"choices": [{}]}, reply(None, content="")],
)
def test_what_is_no_completion_is_told_from_one(raw: dict[str, Any]) -> None:
    with pytest.raises(CallFault) as raised:
        read_answer(raw, mode=None)
    assert raised.value.kind is Kind.NOT_API


@pytest.mark.parametrize(("code", "status"), [(429, 429), ("503", 503), ("server_error", 500), (None, 500)])
def test_an_error_in_place_of_a_completion_has_the_status_that_it_states(code: object, status: int) -> None:
    with pytest.raises(CallFault) as raised:
        read_answer({"error": {"message": "no", "code": code}}, mode=None)
    assert (raised.value.kind, raised.value.status) == (Kind.STATUS, status)


@given(JSON, JSON, JSON, st.sampled_from([None, *Mode]))
def test_no_shape_of_an_answer_breaks_the_reader(choices: Any, message: Any, usage: Any, mode: Mode | None) -> None:
    for raw in (
        {"choices": choices, "usage": usage},
        {"choices": [{"message": message, "finish_reason": usage}], "error": choices},
        {"choices": [{"message": {"content": message, "tool_calls": choices, "reasoning": usage}}]},
    ):
        try:
            answer = read_answer(raw, mode=mode)
        except CallFault:
            continue
        answer.text.encode()


@given(JSON, JSON)
def test_no_shape_of_a_piece_breaks_the_reader(choices: Any, delta: Any) -> None:
    assert isinstance(read_piece({"choices": choices, "usage": delta}).text, str)
    assert isinstance(read_piece({"choices": [{"delta": delta}]}).text, str)
    assert isinstance(read_piece({"choices": [{"delta": {"content": delta}, "finish_reason": choices}]}).text, str)


def test_a_token_is_about_four_letters_or_one_character_of_chinese() -> None:
    assert estimated_tokens("") == 0
    assert estimated_tokens("a" * 40) == 10
    assert estimated_tokens("a") == 1
    assert estimated_tokens("浪漫喜剧") == 4
    assert estimated_tokens("浪漫 comedy!") == 2 + 2
