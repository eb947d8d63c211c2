"""How a refused request is put otherwise: by what the server says, and always to an end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.llm.dialect import Dialect, Mode, body_of, strict_is_harmless
from pdgf.llm.faults import CallFault, Kind
from tests.pdgf.llm.asking import LABEL_SCHEMA, ask_for_label, ask_for_story

MESSAGES = st.sampled_from(
    [
        "",
        "Bad request",
        "response_format is not supported",
        "max_tokens is not supported, use max_completion_tokens",
        "temperature must be 1",
        "tool_choice is unknown",
        "Unrecognized request argument: stream_options",
        "chat_template_kwargs: Extra inputs are not permitted",
    ]
)


def refused(message: str, status: int = 400, param: str = "") -> CallFault:
    return CallFault(Kind.STATUS, message, status=status, param=param)


def sent(dialect: Dialect) -> dict[str, object]:
    return body_of(ask_for_label(), dialect, stream=True, think=False)


@given(st.lists(MESSAGES, min_size=20, max_size=20), st.sampled_from(Mode), st.sampled_from([400, 422, 500]))
def test_putting_a_request_otherwise_ends_whatever_the_server_says(
    messages: list[str], mode: Mode, status: int
) -> None:
    dialect: Dialect | None = Dialect(mode=mode)
    steps = 0
    for message in messages:
        assert dialect is not None
        after = dialect.with_less(refused(message, status), sent(dialect))
        if after is None:
            break
        assert len(sent(after)) <= len(sent(dialect)) or after.mode is Mode.TOOLS
        assert after != dialect
        dialect, steps = after, steps + 1
    assert steps <= (len(Mode) - 1) + 5


@pytest.mark.parametrize(
    ("message", "param", "mode", "dropped"),
    [
        ("'response_format' of type 'json_schema' is not supported with this model", "", Mode.JSON_OBJECT, set()),
        ("Invalid schema for response_format 'reply'", "response_format", Mode.JSON_OBJECT, set()),
        ("Failed to parse grammar", "", Mode.JSON_OBJECT, set()),
        ("guided decoding is off", "", Mode.JSON_OBJECT, set()),
        ("Bad request", "", Mode.JSON_OBJECT, set()),
        ("'max_tokens' beside 'max_completion_tokens' is not supported", "", Mode.JSON_SCHEMA, {"max_tokens"}),
        ("Use 'max_completion_tokens' instead", "max_tokens", Mode.JSON_SCHEMA, {"max_tokens"}),
        ("'temperature' does not support 0 with this model", "temperature", Mode.JSON_SCHEMA, {"temperature"}),
    ],
)
def test_what_the_server_names_is_what_is_changed(message: str, param: str, mode: Mode, dropped: set[str]) -> None:
    after = Dialect().with_less(refused(message, param=param), sent(Dialect()))
    assert after == Dialect(mode=mode, dropped=frozenset(dropped))


@pytest.mark.parametrize(
    "fault",
    [
        refused("maximum context length is 4096 tokens, response_format or not"),
        refused("content policy"),
        refused("Internal error", 500),
        refused("too many requests", 429),
        refused("The model `x` does not exist"),
        refused("Not Found", 404),
        CallFault(Kind.TIMEOUT),
    ],
)
def test_what_no_other_wording_mends_is_not_put_otherwise(fault: CallFault) -> None:
    assert Dialect().with_less(fault, sent(Dialect())) is None


@pytest.mark.parametrize(("status", "message"), [(500, "grammar"), (404, "No endpoints found that support tool use")])
def test_a_format_is_stepped_down_from_when_another_status_names_it(status: int, message: str) -> None:
    after = Dialect().with_less(refused(message, status), sent(Dialect()))
    assert after == Dialect(mode=Mode.JSON_OBJECT)


def test_prose_has_no_format_to_step_down_from() -> None:
    body = body_of(ask_for_story(), Dialect(), stream=False, think=True)
    after = Dialect().with_less(refused("Bad request"), body)
    assert after == Dialect(dropped=frozenset(body))
    assert after.with_less(refused("Bad request"), {}) is None


def test_findings_add_up() -> None:
    one = Dialect(mode=Mode.TOOLS, dropped=frozenset(["temperature"]))
    other = Dialect(mode=Mode.JSON_OBJECT, dropped=frozenset(["max_tokens"]), thinks_unopened=True)
    both = Dialect(mode=Mode.TOOLS, dropped=frozenset(["temperature", "max_tokens"]), thinks_unopened=True)
    assert one.joined(other) == other.joined(one) == both


@pytest.mark.parametrize(
    ("schema", "harmless"),
    [
        (LABEL_SCHEMA, True),
        ({**LABEL_SCHEMA, "required": []}, False),
        ({**LABEL_SCHEMA, "additionalProperties": True}, False),
        ({"type": "object"}, False),
        ({"type": "array", "items": LABEL_SCHEMA}, True),
        ({"type": "array", "items": {"type": "string", "minLength": 1}}, False),
        ({"anyOf": [LABEL_SCHEMA, {"type": "null"}]}, True),
        ({"$ref": "#/$defs/Label"}, False),
        ({}, False),
    ],
)
def test_strict_mode_is_asked_for_only_where_it_changes_nothing(schema: dict[str, object], harmless: bool) -> None:
    assert strict_is_harmless(schema) is harmless
