"""Metadata of any shape made flat: readable keys, and values that are text, numbers, booleans or lists of texts.

{"attributes": {"WiFi": "u'free'", "Ambience": "{'romantic': True, 'touristy': False}"}}
  -> {"wifi": "free", "ambience": ["romantic"]}
"""

import ast
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pdgf.models import MetadataValue
from pdgf.texts import clean, collapsed

_WRAPPERS = frozenset({"attributes", "optional", "metadata", "extra", "info", "details", "properties"})
_PREFIXES = ("restaurants ", "business ")  # say nothing that the item does not say itself
_WHOLE = {"WiFi": "Wifi", "BYOB": "Byob", "TV": "Tv"}  # names that camel case would tear apart
_UNIT = re.compile(r"\([A-Z]{2,5}\)|(?<![^\s_])[A-Z]{2,5}(?![^\s_])")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LITERAL = re.compile(r"""\s*(?:[uU]?['"].*['"]|[{\[(].*[}\])]|True|False|None|-?\d+(?:\.\d+)?)\s*""", re.DOTALL)
_BARE_DICT = re.compile(r"\{(?:\s*[\w ]+\s*:\s*(?:True|False|None)\s*,?)+\}")
_BARE_ENTRY = re.compile(r"([\w ]+?)\s*:\s*(True|False|None)")
_HOURS = re.compile(r"(\d{1,2}):(\d{1,2})-(\d{1,2}):(\d{1,2})")  # "8:0-15:0", as some catalogues print it
MAX_LITERAL_CHARS = 4_000  # longer strings are text, not a value somebody printed
MAX_DEPTH = 4


class UnusableValue(ValueError):
    """Raised for a value that no metadata can hold; the message says which."""


def flat_metadata(metadata: Mapping[str, Any]) -> dict[str, MetadataValue]:
    """Flat metadata in the order given; None and empty text are left out. Raises UnusableValue for NaN and infinity.

    A key at the top that is already plain is kept word for word. Of a mapping of booleans the true names are kept,
    of any other mapping each value under a key of its own.
    """
    found: dict[str, MetadataValue] = {}
    for key, value in _leaves(metadata, prefix="", depth=0):
        if key and key not in found:
            found[key] = value
    return found


def readable(key: str) -> str:
    """A key as lower-case words: "GoodForKids" -> "good for kids", "length_minutes" -> "length minutes"."""
    for torn, whole in _WHOLE.items():
        key = key.replace(torn, whole)
    words = collapsed(_CAMEL.sub(" ", key).replace("_", " ").replace("-", " ")).casefold()
    for prefix in _PREFIXES:
        words = words.removeprefix(prefix)
    return words.rstrip("0123456789 ") or words


def _with_unit(key: str) -> str:
    """A readable key with its abbreviations as they are written: "Price (EUR)" -> "price (EUR)", "Price EUR" -> "price
    EUR". Of a key in capitals alone nothing is known to be one."""
    words = readable(key)
    for unit in _UNIT.findall(key) if key.upper() != key else ():
        words = re.sub(rf"(?<!\w){re.escape(unit.casefold())}(?!\w)", unit, words)
    return words


def literal(text: str) -> Any:
    """The value that a text spells in Python's notation, or the text itself."""
    if len(text) > MAX_LITERAL_CHARS or not _LITERAL.fullmatch(text):
        return text
    if _BARE_DICT.fullmatch(text.strip()):
        return {name.strip(): {"True": True, "False": False}.get(said) for name, said in _BARE_ENTRY.findall(text)}
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _leaves(mapping: Mapping[Any, Any], *, prefix: str, depth: int) -> Iterator[tuple[str, MetadataValue]]:
    for raw_key, raw in mapping.items():
        own = clean(str(raw_key))
        nested = depth > 0
        key = collapsed(f"{prefix} {_with_unit(own)}") if nested or not _plain(own) else own
        # A number in quotes at the top is a text on purpose ("1984"); inside a nested record it is a printed value.
        value = literal(raw) if isinstance(raw, str) and (nested or not _is_number(raw)) else raw
        if isinstance(value, Mapping):
            yield from _mapping_leaves(key, value, depth=depth)
        elif (single := _value(value)) is not None:
            yield key, single


def _mapping_leaves(key: str, value: Mapping[Any, Any], *, depth: int) -> Iterator[tuple[str, MetadataValue]]:
    if depth >= MAX_DEPTH:
        return
    if value and all(isinstance(v, bool) or v is None for v in value.values()) and key not in _WRAPPERS:
        yield key, [readable(str(name)) for name, said in value.items() if said]
    else:
        yield from _leaves(value, prefix="" if key in _WRAPPERS else key, depth=depth + 1)


def _value(value: Any) -> MetadataValue | None:
    """A single value or a list of texts; None for what says nothing."""
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise UnusableValue("a number that is not finite (NaN or infinity)")
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    if isinstance(value, str):
        text = clean(value)
        if hours := _HOURS.fullmatch(text):
            text = "{}:{:0>2}-{}:{:0>2}".format(*hours.groups())
        return text or None
    if isinstance(value, list | tuple | set):
        texts = [text for entry in value if (text := _entry(entry))]
        return list(dict.fromkeys(texts)) if texts or not value else None
    return None


def _entry(entry: Any) -> str:
    """One entry of a list as text; of a record its name."""
    if isinstance(entry, Mapping):
        entry = entry.get("name") or entry.get("title")
    if isinstance(entry, float) and not math.isfinite(entry):
        raise UnusableValue("a number that is not finite (NaN or infinity)")
    return collapsed(clean(str(entry))) if isinstance(entry, str | int | float) else ""


def _plain(key: str) -> bool:
    return key == key.casefold()


def _is_number(text: str) -> bool:
    return text.strip().lstrip("-").replace(".", "", 1).isdigit()
