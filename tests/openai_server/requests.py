"""What a script sees of a request and what it may answer."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, kw_only=True)
class ChatRequest:
    """One request for a completion. `index` counts the requests for completions from 0, retries included; `prompt` is
    the name in the first line of the system text, "# name", or empty."""

    index: int
    prompt: str
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages", ()))

    @property
    def system(self) -> str:
        return next((str(each["content"]) for each in self.messages if each.get("role") == "system"), "")

    @property
    def user(self) -> str:
        """The first user message: what the prompt asks."""
        return next((str(each["content"]) for each in self.messages if each.get("role") == "user"), "")

    @property
    def repairs(self) -> bool:
        """Whether the request shows the model a reply of its own that could not be used."""
        return any(each.get("role") == "assistant" for each in self.messages)

    @property
    def stream(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def tools(self) -> bool:
        return bool(self.body.get("tools"))

    @property
    def json_format(self) -> str:
        """How JSON is asked for: "json_schema", "json_object", "tools", or empty."""
        if self.tools:
            return "tools"
        return str((self.body.get("response_format") or {}).get("type", ""))

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The schema that the request carries outside its messages."""
        if self.tools:
            schema: Mapping[str, Any] = self.body["tools"][0]["function"]["parameters"]
            return schema
        return ((self.body.get("response_format") or {}).get("json_schema") or {}).get("schema")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A reply with everything that may come with it. `reasoning` is sent apart from the text; `usage` is left out
    when None; `latency` in seconds goes before that of the server."""

    text: str
    finish: str | None = "stop"
    reasoning: str = ""
    usage: tuple[int, int] | None = (7, 3)
    latency: float | None = None
    tool_call: bool = True  # when a function is forced: whether the text comes as its arguments


Reply: TypeAlias = "str | Mapping[str, Any] | Answer"  # a mapping is sent as JSON
Script: TypeAlias = Callable[[ChatRequest], Reply]


def prompt_name(messages: Any) -> str:
    """The name in the first line of the system text."""
    for message in messages if isinstance(messages, list) else ():
        first_line = str(message.get("content", "")).split("\n", 1)[0]
        if message.get("role") == "system" and first_line.startswith("# "):
            return first_line.removeprefix("# ").strip()
    return ""


def answered(reply: Reply) -> Answer:
    """A script's reply in full."""
    if isinstance(reply, Answer):
        return reply
    return Answer(text=reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False))
