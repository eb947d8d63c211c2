"""Everything that goes wrong with language models behind HTTP, as things a server can be told to do."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from tests.openai_server.requests import Answer, ChatRequest


class Fault(StrEnum):
    """One way to fail. Those of a stream do the nearest thing to a reply that is not streamed."""

    # statuses
    RATE_LIMITED = "429, Retry-After a moment"
    RATE_LIMITED_LONG = "429, Retry-After an hour"
    RATE_LIMITED_UNTIL = "429, Retry-After a date that has just passed"
    SERVER_ERROR = "500"
    UNAVAILABLE_TWICE = "503 twice, then good"
    TIMED_OUT = "504"
    UNAUTHORIZED = "401 that repeats the key"
    FORBIDDEN = "403"
    NO_CREDIT = "402"
    INSUFFICIENT_QUOTA = "429, insufficient_quota"
    UNKNOWN_MODEL = "404, model_not_found"
    WRONG_PATH = "404 for a path"
    REDIRECT = "302"
    CONTEXT_LENGTH = "400, context_length_exceeded"
    CONTENT_POLICY = "400, content_filter"
    BAD_REQUEST = "400 about nothing in particular"
    # refused parameters: 400 when the request has it, good otherwise
    REFUSES_JSON_SCHEMA = "400 for response_format json_schema"
    REFUSES_JSON_OBJECT = "400 for response_format json_object"
    REFUSES_TOOLS = "400 for tools"
    REFUSES_FORMAT_SILENTLY = "400 without a reason for any format"
    REFUSES_MAX_TOKENS = "400 for max_tokens"
    REFUSES_MAX_COMPLETION_TOKENS = "422 for max_completion_tokens"
    REFUSES_TEMPERATURE = "400 for temperature 0"
    REFUSES_STREAM_OPTIONS = "400 for stream_options"
    REFUSES_TEMPLATE = "400 for chat_template_kwargs"
    # connections and time
    SERVER_DOWN = "goes down, until up() is called"
    DROPPED = "closes the connection without an answer"
    HANG = "never answers"
    LATE = "answers late"
    CUT = "the connection breaks half-way"
    STALL = "stops half-way, the connection stays"
    # answers that are no completion
    NULL_CHOICES = "choices: null"
    EMPTY_CHOICES = "choices: []"
    HTML = "a page of HTML with 200"
    NOT_JSON = "broken JSON as the body"
    ERROR_IN_200 = "an error in a body with 200"
    ERROR_EVENT = "an error as an event of the stream"
    BAD_EVENT = "an event that is no JSON"
    NO_FINISH = "ends without a finish mark"
    # replies that are not as asked
    CHATTER = "JSON in friendly words"
    FENCED = "JSON in a fence"
    TRAILING_COMMA = "JSON with a comma too many"
    WRONG_TYPES = "values of other types"
    EXTRA_KEYS = "keys that nobody asked for"
    THINKING = "thinking with a decoy before the reply"
    THINKING_UNOPENED = "thinking whose beginning is not marked"
    REASONING_ONLY = "no content, the reply in reasoning_content"
    EMPTY = "no content at all"
    REFUSAL = "the model refuses"
    CONTENT_FILTER = "finish_reason content_filter"
    LENGTH = "finish_reason length, the reply cut"
    SURROGATE = "half a surrogate pair in the reply"
    HUGE = "a reply of a megabyte"
    SAME_WRONG = "always the same wrong object"
    TOOLS_IGNORED = "the function is not called, the reply is content"
    NO_USAGE = "no token counts"


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A status with an error body."""

    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict)


def _error(status: int, message: str, *, code: str | None = None, param: str | None = None, **headers: str) -> Failure:
    error = {"message": message, "type": "error", "param": param, "code": code}
    return Failure(status=status, body={"error": error}, headers={k.replace("_", "-"): v for k, v in headers.items()})


PAGE = "<html><head><title>Sign in</title></head><body><form>Sign in to the gateway</form></body></html>"
_PAST = "Mon, 01 Jan 2024 00:00:00 GMT"

STATUSES: Mapping[Fault, Failure] = {
    Fault.RATE_LIMITED: _error(429, "Too many requests", Retry_After="0.05"),
    Fault.RATE_LIMITED_LONG: _error(429, "Too many requests", Retry_After="3600"),
    Fault.RATE_LIMITED_UNTIL: _error(429, "Too many requests", Retry_After=_PAST),
    Fault.SERVER_ERROR: _error(500, "Internal error"),
    Fault.UNAVAILABLE_TWICE: _error(503, "Overloaded"),
    Fault.TIMED_OUT: Failure(status=504, body=PAGE),
    Fault.FORBIDDEN: _error(403, "This key may not do that"),
    Fault.NO_CREDIT: _error(402, "Insufficient Balance"),
    Fault.INSUFFICIENT_QUOTA: _error(
        429, "You exceeded your current quota, please check your plan.", code="insufficient_quota"
    ),
    Fault.UNKNOWN_MODEL: _error(404, "The model `any` does not exist", code="model_not_found"),
    Fault.WRONG_PATH: Failure(status=404, body={"detail": "Not Found"}),
    Fault.REDIRECT: Failure(status=302, body=PAGE, headers={"Location": "/elsewhere"}),
    Fault.CONTEXT_LENGTH: _error(
        400, "This model's maximum context length is 4096 tokens.", code="context_length_exceeded", param="messages"
    ),
    Fault.CONTENT_POLICY: _error(400, "The response was filtered by the policy.", code="content_filter"),
    Fault.BAD_REQUEST: _error(400, "Bad request"),
}

REFUSALS: Mapping[Fault, tuple[Callable[[ChatRequest], bool], Failure]] = {
    Fault.REFUSES_JSON_SCHEMA: (
        lambda request: request.json_format == "json_schema",
        _error(400, "This response_format type is unavailable now"),
    ),
    Fault.REFUSES_JSON_OBJECT: (
        lambda request: request.json_format == "json_object",
        _error(400, "'response_format.type' must be 'json_schema' or 'text'"),
    ),
    Fault.REFUSES_TOOLS: (
        lambda request: request.tools,
        _error(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    ),
    Fault.REFUSES_FORMAT_SILENTLY: (lambda request: bool(request.json_format), _error(400, "Bad request")),
    Fault.REFUSES_MAX_TOKENS: (
        lambda request: "max_tokens" in request.body,
        _error(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'.",
            code="unsupported_parameter",
            param="max_tokens",
        ),
    ),
    Fault.REFUSES_MAX_COMPLETION_TOKENS: (
        lambda request: "max_completion_tokens" in request.body,
        Failure(
            status=422,
            body={"detail": [{"loc": ["body", "max_completion_tokens"], "msg": "Extra inputs are not permitted"}]},
        ),
    ),
    Fault.REFUSES_TEMPERATURE: (
        lambda request: "temperature" in request.body,
        _error(
            400,
            "Unsupported value: 'temperature' does not support 0 with this model.",
            code="unsupported_value",
            param="temperature",
        ),
    ),
    Fault.REFUSES_STREAM_OPTIONS: (
        lambda request: "stream_options" in request.body,
        _error(400, "Unrecognized request argument supplied: stream_options"),
    ),
    Fault.REFUSES_TEMPLATE: (
        lambda request: "chat_template_kwargs" in request.body,
        _error(400, "Unrecognized request argument supplied: chat_template_kwargs"),
    ),
}


def unauthorized(key: str) -> Failure:
    """A 401 whose text repeats the key, as real ones do."""
    return _error(401, f"Incorrect API key provided: {key}. Find your key in your account.", code="invalid_api_key")


def spoilt(answer: Answer, fault: Fault) -> Answer:
    """The answer as a model gives it that fails in this way; unchanged for faults of another kind."""
    spoil = _SPOILT.get(fault)
    return answer if spoil is None else spoil(answer)


def _changed(text: str, change: Callable[[Any], Any], *, top: Callable[[dict[str, Any]], Any] = dict) -> str:
    """The text with each top-level value of its object changed; prose stays."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if not isinstance(value, dict):
        return text
    return json.dumps(top({key: change(item) for key, item in value.items()}), ensure_ascii=False)


def _other_type(value: Any) -> Any:
    return [value] if isinstance(value, str) else "wrong"


def _decoy(text: str) -> str:
    decoy = _changed(text, lambda _: "decoy")
    return f"<think>Could it be {'decoy' if decoy == text else decoy}? No.</think>\n{text}"


_SPOILT: Mapping[Fault, Callable[[Answer], Answer]] = {
    Fault.CHATTER: lambda a: replace(a, text=f"Sure, here you are:\n{a.text}\nIs there anything else?"),
    Fault.FENCED: lambda a: replace(a, text=f"```json\n{a.text}\n```"),
    Fault.TRAILING_COMMA: lambda a: replace(a, text=a.text[:-1] + ",}" if a.text.endswith("}") else a.text),
    Fault.WRONG_TYPES: lambda a: replace(a, text=_changed(a.text, _other_type)),
    Fault.EXTRA_KEYS: lambda a: replace(a, text=_changed(a.text, lambda v: v, top=lambda v: {**v, "unasked": True})),
    Fault.THINKING: lambda a: replace(a, text=_decoy(a.text)),
    Fault.THINKING_UNOPENED: lambda a: replace(a, text=_decoy(a.text).removeprefix("<think>")),
    Fault.REASONING_ONLY: lambda a: replace(a, text="", reasoning=a.text),
    Fault.EMPTY: lambda a: replace(a, text=""),
    Fault.CONTENT_FILTER: lambda a: replace(a, text="", finish="content_filter"),
    Fault.LENGTH: lambda a: replace(a, text=a.text[: len(a.text) // 2], finish="length"),
    Fault.NO_FINISH: lambda a: replace(a, finish=None),
    Fault.SURROGATE: lambda a: replace(a, text=f"{a.text[:-1]} \ud83d{a.text[-1:]}"),
    Fault.HUGE: lambda a: replace(a, text=a.text + " and so on" * 100_000),
    Fault.SAME_WRONG: lambda a: replace(a, text='{"wrong": true}'),
    Fault.TOOLS_IGNORED: lambda a: replace(a, tool_call=False),
    Fault.NO_USAGE: lambda a: replace(a, usage=None),
}
