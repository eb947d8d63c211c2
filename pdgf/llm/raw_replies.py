"""Reading what a completion API sends, whole or in pieces, without trusting its shape."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pdgf.llm.dialect import Mode, encodable
from pdgf.llm.faults import CallFault, Kind, status_in, told
from pdgf.llm.thinking import without_thinking

REPLY_CHARS = 200_000  # thinking included, far beyond what max_tokens allows; more is a server gone wrong

# Han, kana and Hangul: about one token a character, where other letters need about four for one.
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A whole reply. `said` is its content untouched, `text` what is to be read of it; `refusal` the model's own no."""

    text: str
    said: str
    finish: str | None
    refusal: str
    tokens_in: int | None
    tokens_out: int | None


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A piece of a streamed reply; thinking that comes apart from it is left out. `empty` marks one without a
    choice, such as the one with the counts of tokens."""

    empty: bool
    text: str
    finish: str | None
    tokens_in: int | None
    tokens_out: int | None


def read_answer(raw: Mapping[str, Any], *, mode: Mode | None) -> Answer:
    """The reply of a completion; `mode` says how JSON was asked for, None for prose.

    Of a call of the forced function the arguments are the reply; a reply without content, whose JSON stands where
    the thinking belongs, is taken from there. Raises CallFault for what is no completion.
    """
    choice = _first_choice(raw)
    if choice is None:
        _raise_stated_error(raw)
        raise CallFault(Kind.NOT_API, "a completion without choices")
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise CallFault(Kind.NOT_API, "a choice without a message")
    finish = _word(choice.get("finish_reason"))
    said = _content(message.get("content"))
    text = said if mode is not None else without_thinking(said)
    if mode is not None:
        arguments = _arguments(message)
        if arguments and (mode is Mode.TOOLS or not without_thinking(said).strip()):
            text = arguments
        elif not without_thinking(said).strip():
            text = _json_in_thinking(message) or said
    refusal = message.get("refusal")
    if finish is None and not text.strip() and not refusal:
        raise CallFault(Kind.NOT_API, "a reply with nothing in it")
    tokens_in, tokens_out = _tokens(raw)
    return Answer(
        text=encodable(text),
        said=said,
        finish=finish,
        refusal=refusal if isinstance(refusal, str) else "",
        tokens_in=tokens_in,
        tokens_out=tokens_out,
    )


def read_piece(raw: Mapping[str, Any]) -> Piece:
    """A piece of a stream; a piece without choices may still say how many tokens were used."""
    found = _first_choice(raw)
    choice = found or {}
    delta = choice.get("delta")
    tokens_in, tokens_out = _tokens(raw)
    return Piece(
        empty=found is None,
        text=_content(delta.get("content")) if isinstance(delta, Mapping) else "",
        finish=_word(choice.get("finish_reason")),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
    )


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has, for servers that do not say."""
    dense = len(_DENSE.findall(text))
    return dense + -(-(len(text) - dense) // 4)


def _first_choice(raw: Mapping[str, Any]) -> Mapping[str, Any] | None:
    choices = raw.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        return choices[0]
    return None


def _raise_stated_error(raw: Mapping[str, Any]) -> None:
    """Some gateways answer 200 with an error inside, its status as the code."""
    error = raw.get("error")
    if not error:
        return
    message, code, param = told(error)
    raise CallFault(Kind.STATUS, message, status=status_in(code), code=code, param=param)


def _content(content: Any) -> str:
    """Content is a text, or a list of parts of which some are texts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _arguments(message: Mapping[str, Any]) -> str:
    """The arguments of the first function call."""
    calls = message.get("tool_calls")
    call = calls[0] if isinstance(calls, list) and calls else {"function": message.get("function_call")}
    function = call.get("function") if isinstance(call, Mapping) else None
    arguments = function.get("arguments") if isinstance(function, Mapping) else None
    return json.dumps(arguments, ensure_ascii=False) if isinstance(arguments, Mapping) else _content(arguments)


def _json_in_thinking(message: Mapping[str, Any]) -> str:
    for name in ("reasoning_content", "reasoning"):
        text = _content(message.get(name))
        if "{" in text:
            return text
    return ""


def _tokens(raw: Mapping[str, Any]) -> tuple[int | None, int | None]:
    usage = raw.get("usage")
    if not isinstance(usage, Mapping):
        return None, None
    counts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    known = [count if isinstance(count, int) and count >= 0 else None for count in counts]
    return known[0], known[1]


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
