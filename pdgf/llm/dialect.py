"""What one model of one server turned out to take: how it is told the reply's format, and which parameters it refuses.

Servers that call themselves compatible differ. A request begins with the most that may work; what is refused is left
out and remembered.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from pdgf.errors import ModelRefused, StepFailed
from pdgf.llm.calls import Ask
from pdgf.llm.faults import CallFault, Kind, judged

FUNCTION = "reply"
REPEATED_CHARS = 8_000  # of a reply that could not be used, when it is shown to its model again


class Mode(StrEnum):
    """How a server is asked for JSON; each is tried when the one before is refused."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TOOLS = "tools"
    PROMPT = "prompt"


_LADDER = tuple(Mode)
_DROPPABLE = ("max_tokens", "max_completion_tokens", "temperature", "stream_options", "chat_template_kwargs")
_FORMAT = re.compile(
    r"response_format|json_schema|json_object|json.?mode|structured.?output|tool.?(?:choice|call|use)|\btools?\b"
    r"|function.?call|guided|grammar|schema|requested param|must contain the word"
)
_REFUSING = (400, 404, 405, 415, 422, 500, 501)
# What strict mode takes everywhere; any other keyword makes some servers refuse the schema.
_STRICT_WORDS = frozenset(
    ["type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "description", "title"]
)


@dataclass(frozen=True)
class Dialect:
    """How to speak to one model: the format to ask for, the parameters to leave out, whether its thinking begins in
    the prompt, so that only its end is seen."""

    mode: Mode = Mode.JSON_SCHEMA
    dropped: frozenset[str] = frozenset()
    thinks_unopened: bool = False

    def with_less(self, fault: CallFault, sent: Mapping[str, Any]) -> "Dialect | None":
        """The dialect to try after a request was refused; None when the refusal is not about how it was put, or
        nothing is left to leave out."""
        error = judged(fault, ()).error
        if fault.kind is not Kind.STATUS or fault.status not in _REFUSING or isinstance(error, StepFailed):
            return None
        about_format = _FORMAT.search(fault.words) is not None
        if about_format and _asks_for_format(sent) and fault.param not in sent:
            return self._lower()
        if fault.status not in (400, 422):
            return None
        named = _named(fault, sent)
        if named is not None:
            return replace(self, dropped=self.dropped | {named})
        if not isinstance(error, ModelRefused) or error.why != "refused":
            return None
        if _asks_for_format(sent):  # no reason given: perhaps the format
            return self._lower()
        bare = self.dropped | {name for name in _DROPPABLE if name in sent}
        return replace(self, dropped=bare) if bare != self.dropped else None

    def joined(self, other: "Dialect") -> "Dialect":
        """What both have found out."""
        return Dialect(
            mode=max(self.mode, other.mode, key=_LADDER.index),
            dropped=self.dropped | other.dropped,
            thinks_unopened=self.thinks_unopened or other.thinks_unopened,
        )

    def _lower(self) -> "Dialect":
        return replace(self, mode=_LADDER[_LADDER.index(self.mode) + 1])


def body_of(ask: Ask, dialect: Dialect, *, stream: bool, think: bool) -> dict[str, Any]:
    """The request's parameters, messages and model aside."""
    body: dict[str, Any] = {
        "temperature": 0,
        "max_tokens": ask.max_tokens,
        "max_completion_tokens": ask.max_tokens,  # the newer name; servers ignore the one that they do not know
    }
    if not think:
        body["chat_template_kwargs"] = {"enable_thinking": False}
    if stream:
        body["stream_options"] = {"include_usage": True}
    body = {name: value for name, value in body.items() if name not in dialect.dropped}
    if ask.reply_schema is not None:
        body |= _format(ask.reply_schema, dialect.mode)
    return body


def messages_of(ask: Ask) -> list[dict[str, str]]:
    """System and user part, and after a reply that could not be used that reply and what was wrong with it.

    The schema of the reply is part of the system text already, however else the server is told of it.
    """
    messages = [
        {"role": "system", "content": ask.rendered.system},
        {"role": "user", "content": ask.rendered.user},
    ]
    if ask.repair is not None:
        reply, reason = ask.repair
        again = f"Your reply could not be used: {reason}\nReply again with the corrected JSON object and nothing else."
        messages.append({"role": "assistant", "content": reply[:REPEATED_CHARS] or "(nothing)"})
        messages.append({"role": "user", "content": again})
    return [{"role": each["role"], "content": encodable(each["content"])} for each in messages]


def encodable(text: str) -> str:
    """The text with every half of a surrogate pair replaced: neither UTF-8 nor a database takes one."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def strict_is_harmless(schema: Any) -> bool:
    """Whether strict mode means the same as the schema itself: every object closed, every property required, and no
    keyword that a strict server might refuse."""
    if not isinstance(schema, Mapping) or not _STRICT_WORDS.issuperset(schema):
        return False
    properties = schema.get("properties", {})
    if schema.get("type") == "object" and not (
        properties
        and schema.get("additionalProperties") is False
        and set(schema.get("required", ())) == set(properties)
    ):
        return False
    parts = [*properties.values(), *schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])]
    return ("type" in schema or "anyOf" in schema) and all(map(strict_is_harmless, parts))


def _format(schema: Mapping[str, Any], mode: Mode) -> dict[str, Any]:
    if mode is Mode.JSON_SCHEMA:
        named = {"name": FUNCTION, "schema": schema, "strict": strict_is_harmless(schema)}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    if mode is Mode.JSON_OBJECT:
        return {"response_format": {"type": "json_object"}}
    if mode is Mode.TOOLS:
        function = {"name": FUNCTION, "description": "Give the reply.", "parameters": schema}
        choice = {"type": "function", "function": {"name": FUNCTION}}
        return {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
    return {}


def _asks_for_format(sent: Mapping[str, Any]) -> bool:
    return "response_format" in sent or "tools" in sent


def _named(fault: CallFault, sent: Mapping[str, Any]) -> str | None:
    """The parameter of the request that the server complains about: the one it states, else the first it names."""
    at_hand = [name for name in _DROPPABLE if name in sent]
    if fault.param in at_hand:
        return fault.param
    places = {name: found.start() for name in at_hand if (found := re.search(rf"\b{name}\b", fault.words))}
    return min(places, key=lambda name: places[name], default=None)
