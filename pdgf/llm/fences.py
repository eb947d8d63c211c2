"""Text of others inside a prompt: cleaned, bounded, and held between marker lines that it cannot write itself.

    <data 3f9c01b7a2de p1>
    the text
    </data 3f9c01b7a2de>

The code is an HMAC over the inputs of the prompt with a secret of the process: whoever wrote the text cannot know it,
and equal inputs give equal prompts. Besides, whatever in a text looks like a marker, or like a mark by which chat
models tell who speaks, loses its first sign.
"""

import hmac
import json
import re
import secrets
from typing import Any

from pdgf.texts import clean

MAX_TEXT_CHARS = 40_000  # one text: twice the longest message, far above a chunk or x
MAX_FIELD_CHARS = 2_000  # one string inside a JSON line

_SECRET = secrets.token_bytes(32)
_CODE_LENGTH = 12  # hexadecimal digits
_NAME = re.compile(r"[a-z]{1,16}[0-9]{0,5}")
_MARKS = re.compile(
    r"<(?=\s*/?\s*data(?![a-z])|[|｜]|<?/?SYS>>|(?:start|end)_of_|/?(?:s|bos|eos|think|system|user|assistant)\s*>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])",
    re.IGNORECASE,
)
_HARMLESS = {"<": "‹", "[": "［"}


def code_for(prompt: str, inputs: str) -> str:
    """The code of the marker lines of one rendering: unguessable, and the same for the same inputs in one process."""
    return hmac.new(_SECRET, f"{prompt}\n{inputs}".encode(), "sha256").hexdigest()[:_CODE_LENGTH]


def fenced(value: Any, *, code: str, name: str = "", limit: int | None = None) -> str:
    """A value between marker lines: a string as it is, a mapping as one line of JSON, a list as one line an entry.

    `name` is what the prompt calls the text ("p1"); `limit` bounds every string in it, in characters. Raises
    ValueError for a name that is more than a short word with a number, TypeError for what JSON cannot hold.
    """
    if name and not _NAME.fullmatch(name):
        raise ValueError(f"not a name for a fenced text: {name[:40]!r}")
    opening = f"<data {code} {name}>" if name else f"<data {code}>"
    if isinstance(value, str):
        body = _harmless(value, limit or MAX_TEXT_CHARS)
    else:
        body = "\n".join(_line(entry, limit or MAX_FIELD_CHARS) for entry in (value if _is_list(value) else [value]))
    return f"{opening}\n{body}\n</data {code}>"


def _line(value: Any, limit: int) -> str:
    return json.dumps(_bounded(value, limit), ensure_ascii=False, allow_nan=False)


def _bounded(value: Any, limit: int) -> Any:
    if isinstance(value, str):
        return _harmless(value, limit)
    if isinstance(value, dict):
        return {_harmless(str(key), limit): _bounded(inner, limit) for key, inner in value.items()}
    return [_bounded(inner, limit) for inner in value] if _is_list(value) else value


def _harmless(text: str, limit: int) -> str:
    visible = clean(text)
    cut = visible if len(visible) <= limit else f"{visible[:limit].rstrip()} …"
    return _MARKS.sub(lambda mark: _HARMLESS[mark[0]], cut)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)
