"""The text of a reply -> the last JSON object in it -> a checked reply. Pure.

A reply is untrusted text: it may think aloud, chat, fence its JSON, break it, or be cut. What is recovered is whole
or nothing: an object that ends too early is never completed with guesses, because the items it lost would go unnoticed.
Every reason given by ReplyUnusable is short and fit to be told to the model.
"""

import json
import math
import re
from typing import Any, Literal, NamedTuple, NoReturn, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from pdgf.errors import ReplyUnusable
from pdgf.llm.fitting import fitted, sole_list
from pdgf.texts import clean

MAX_CHARS = 1_000_000  # a longer reply is refused unread
MAX_REPAIR_CHARS = 32_000  # json_repair takes about 1 ms for 1,000 characters
MAX_DEPTH = 40  # objects and lists within one another
LARGEST_WHOLE = 2**63 - 1  # what SQLite and JSON readers of other languages can hold
NAMED_FIELDS = 5  # problems listed in one reason
ECHO_CHARS = 80  # of the reply, in a reason

R = TypeVar("R", bound=BaseModel)

_WORDS = "think|thinking|thought|reasoning"
_CLOSING = rf"</\s*(?:{_WORDS})\s*>|◁/think▷|\[/THINK\]|<\|channel\|>\s*final\b[^{{]{{0,40}}?<\|message\|>"
_OPENING = rf"<\s*(?:{_WORDS})\s*>|◁think▷|\[THINK\]|<\|channel\|>\s*analysis\s*<\|message\|>"
_OBJECT = r"""\{(?=\s*(?:["'“‘}]|//|/\*|[A-Za-z_]\w*\s*:))"""
_CLOSING_TAG = re.compile(_CLOSING, re.IGNORECASE)
_START = re.compile(rf"(?P<closing>{_CLOSING})|(?P<opening>{_OPENING})|{_OBJECT}|\[(?=\s*[\[{{])", re.IGNORECASE)
_START_OR_LIST = re.compile(rf"""{_START.pattern}|\[(?=\s*["\d\]-])""", re.IGNORECASE)
_TOKEN = re.compile(
    rf"""(?P<string>"(?:[^"\\]++|\\.)*+")|(?P<tag>{_CLOSING}|{_OPENING})|(?P<open>[\[{{])|(?P<close>[\]}}])|(?P<stray>")""",
    re.IGNORECASE | re.DOTALL,
)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]++|\\.)*+")|,(?=\s*[}\]])', re.DOTALL)
_ELISION = re.compile(r"[\[{,]\s*(?:\.{3}|…)\s*[\]},]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_NONE = re.compile(r"\bNone\b")
_END_ZEROS = re.compile(r"(\.[0-9]*?)0+(?![0-9])")
_NOT_SAID = re.compile(r"[\W_]+")
_OPENER = {"}": "{", "]": "["}
# What a parser that guesses may raise on text nobody foresaw.
_REPAIR_ERRORS = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, AssertionError)


class _Extent(NamedTuple):
    """Where a value that starts somewhere ends: closed, broken off by a thinking tag, or cut by the end of the text."""

    end: int
    how: Literal["closed", "tag", "cut"]


def read_object(text: str, *, wrap_key: str | None = None) -> dict[str, Any]:
    """The last complete top-level JSON object outside any thinking, mended by json_repair where it is no strict JSON.

    A bare list becomes the value of `wrap_key` if that is given. Unpaired surrogates and controls are taken out of
    all texts. Raises ReplyUnusable: nothing there, cut, not mendable, too large, too deep, a key with two values.
    """
    if len(text) > MAX_CHARS:
        raise ReplyUnusable(f"the reply is longer than {MAX_CHARS:,} characters")
    try:
        return _object_in(clean(text), wrap_key)
    except RecursionError:
        raise ReplyUnusable("the JSON is nested too deeply") from None


def read_reply(text: str, reply_type: type[R]) -> R:
    """The reply in a text, checked. Lenient where fitting is, strict everywhere else.

    A bare list is taken for the only list of the type. Raises ReplyUnusable that lists the fields at fault.
    """
    value = fitted(read_object(text, wrap_key=sole_list(reply_type)), reply_type)
    try:
        return reply_type.model_validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        raise ReplyUnusable(_reason(error)) from None


def _object_in(text: str, wrap_key: str | None) -> dict[str, Any]:
    found = _top_level(text, _START if wrap_key is None else _START_OR_LIST)
    objects = [candidate for candidate in found if candidate[0] == "{"]
    if objects:
        filled = [candidate for candidate in objects if candidate[1:-1].strip()]
        return dict(_parsed((filled or objects)[-1]))
    if not found:
        raise ReplyUnusable("the reply holds no JSON object" if text else "the reply is empty")
    items = _parsed(found[-1])
    only = items[0] if len(items) == 1 and isinstance(items[0], dict) else None
    if only is not None and (wrap_key is None or wrap_key in only):
        return dict(only)
    if wrap_key is None:
        raise ReplyUnusable("a JSON list came where one JSON object was asked for")
    return {wrap_key: items}


def _top_level(text: str, start: re.Pattern[str]) -> list[str]:
    """The objects and lists outside thinking and outside one another, in order. Raises ReplyUnusable if one is cut."""
    found: list[str] = []
    position = 0
    while mark := start.search(text, position):
        if mark.lastgroup == "closing":
            found.clear()
            position = mark.end()
        elif mark.lastgroup == "opening":
            closing = _CLOSING_TAG.search(text, mark.end())
            position = closing.end() if closing else len(text)
        else:
            extent = _extent(text, mark.start())
            position = extent.end
            candidate = text[mark.start() : extent.end]
            if extent.how == "tag":
                continue
            # An end tag inside a string is either data or a sign that the strings were paired wrongly.
            tags = list(_CLOSING_TAG.finditer(text, mark.start(), extent.end))
            if tags and not (extent.how == "closed" and _is_strict(candidate)):
                found.clear()
                position = tags[-1].end()
            elif extent.how == "cut":
                raise ReplyUnusable("the JSON is not complete, or a quote inside a string is not escaped")
            else:
                found.append(candidate)
    return found


def _extent(text: str, start: int) -> _Extent:
    """Where the value that starts here ends; a closing bracket also closes what was left open inside it."""
    opened: list[str] = []
    for token in _TOKEN.finditer(text, start):
        if token.lastgroup == "open":
            opened.append(token.group())
            if len(opened) > MAX_DEPTH:
                raise ReplyUnusable("the JSON is nested too deeply")
        elif token.lastgroup == "close" and (opener := _OPENER[token.group()]) in opened:
            while opened.pop() != opener:
                pass
            if not opened:
                return _Extent(token.end(), "closed")
        elif token.lastgroup == "tag":
            return _Extent(token.start(), "tag")
        elif token.lastgroup == "stray":
            break
    return _Extent(len(text), "cut")


def _parsed(candidate: str) -> Any:
    try:
        return _sound(_DECODER.decode(_TRAILING_COMMA.sub(lambda found: found[1] or "", candidate)))
    except ValueError as error:
        return _sound(_repaired(candidate, error))


def _is_strict(candidate: str) -> bool:
    try:
        _DECODER.decode(candidate)
    except (ValueError, ReplyUnusable):
        return False
    return True


def _repaired(candidate: str, error: ValueError) -> Any:
    problem = f"the JSON cannot be parsed: {error}"
    if len(candidate) > MAX_REPAIR_CHARS:
        raise ReplyUnusable(problem)
    try:
        value = json_repair.repair_json(candidate, return_objects=True, skip_json_loads=True)
    except _REPAIR_ERRORS:
        raise ReplyUnusable(problem) from None
    if not isinstance(value, dict if candidate[0] == "{" else list) or not _keeps_all(candidate, value):
        raise ReplyUnusable(problem)
    return value


def _keeps_all(candidate: str, value: Any) -> bool:
    """Whether a repair kept every word, every object and every list, and the model left nothing out itself.

    json_repair would merge objects, drop words and keep the last of two equal keys without a word.
    """
    if _ELISION.search(candidate):
        return False
    mended = json.dumps(value, ensure_ascii=False)
    return _said(mended) == _said(candidate) and _openers(mended) >= _openers(candidate)


def _openers(text: str) -> int:
    return sum(token.lastgroup == "open" for token in _TOKEN.finditer(text))


def _said(text: str) -> str:
    """The letters and digits of JSON or nearly JSON: what must survive a repair."""
    spelled = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)) if escape[1] else "", text)
    return _NOT_SAID.sub("", _END_ZEROS.sub(r"\1", _NONE.sub("null", spelled))).casefold()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise ReplyUnusable(f'the key "{key[:ECHO_CHARS]}" is given twice')
        found[key] = value
    return found


def _whole(digits: str) -> int:
    # Lengths first: Python refuses to read thousands of digits with an error of its own.
    if len(digits) > len(str(LARGEST_WHOLE)) + 1 or abs(int(digits)) > LARGEST_WHOLE:
        raise ReplyUnusable("a number is too large")
    return int(digits)


def _no_number(name: str) -> NoReturn:
    raise ReplyUnusable(f"{name} is no JSON number")


_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=_object, parse_int=_whole, parse_constant=_no_number)


def _sound(value: Any) -> Any:
    """The value with its texts cleaned. Raises ReplyUnusable for a number that cannot be kept."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return _object([(clean(str(key)), _sound(item)) for key, item in value.items()])
    if isinstance(value, list):
        return [_sound(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise ReplyUnusable("a number is too large")
    if isinstance(value, int) and abs(value) > LARGEST_WHOLE:
        raise ReplyUnusable("a number is too large")
    return value


def _reason(error: ValidationError) -> str:
    """The fields at fault and what each should be, without what was given."""
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    named = [f"{_path(each['loc'])}: {_rule(each['type'], each['msg'])}" for each in problems[:NAMED_FIELDS]]
    more = len(problems) - len(named)
    return "; ".join(named) + (f"; and {more} more" if more else "")


def _path(places: tuple[int | str, ...]) -> str:
    path = "".join(f"[{place}]" if isinstance(place, int) else f".{place}" for place in places)
    return path.removeprefix(".")[:ECHO_CHARS] or "the object"


def _rule(kind: str, message: str) -> str:
    """pydantic's own messages say what is wanted; those of validators may quote what was given."""
    return message[: ECHO_CHARS if kind in ("value_error", "assertion_error") else 3 * ECHO_CHARS]
