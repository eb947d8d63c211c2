"""Metadata as facts: what keys a pool has, what they hold, and each value as one plain English line. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any

from pdgf.constraints.columns import Column, column_of
from pdgf.models import Candidate, Metadata, MetadataValue, Value
from pdgf.texts import collapsed

TEXT_WORDS = 5  # a key whose values usually have more words than this holds free text
TEXT_CHARS = 120  # one value longer than this makes the whole key free text

_MARKS = re.compile(r"[\u0300-\u036f]")
_PUNCTUATION = re.compile(r"['’`]")
_JOINS = re.compile(r"[-‐‑–—_/]+")
_PIECES = re.compile(r"\s*[,;|/、，；]\s*")
_LISTS = re.compile(r"[,;|、，；]")
_NAMES = frozenset({"title", "titles", "name", "names"})
_PRICE_RANGE = {1: "cheap", 2: "moderate", 3: "expensive", 4: "very expensive"}
UNITS = ("minutes", "hours", "pages")  # at the end of a key: said after the number, and not in the name of the line
_MONEY_A_HEAD = "average spend"
_ABBREVIATION = re.compile(r"\W*[A-Z][A-Z0-9]{1,4}\W*")
_SAYS_NOTHING = frozenset({"", "?", "unknown", "n/a", "na", "not stated", "unspecified", "null"})
_YES = frozenset({"yes", "y", "true", "✓", "✔", "√", "☑", "是", "有", "可", "可以", "支持", "提供", "允许"})
_NO = frozenset(
    {"no", "n", "false", "✗", "✘", "×", "否", "无", "没有", "不", "不可", "不可以", "不支持", "不提供", "不允许"}
)
_FALSE = re.compile(r"(?:no|none|not|non|never|without|false|unavailable|closed|forbidden|prohibited|0)\b")
_FALSE_INSIDE = re.compile(r"\b(?:unavailable|not (?:available|allowed|permitted|offered|possible))\b")


class KeyKind(StrEnum):
    """What the values of a metadata key are. Free text is evidence, never a constraint."""

    NUMBER = "number"
    BOOLEAN = "boolean"
    CATEGORY = "category"
    TEXT = "text"
    MEASURE = "measure"  # quantities written as text: "45 min", "2-4", "8+"


class MetadataKey(Value):
    """A key of a pool: its name in the data, its name in words, its kind, and its folded values if it is a category.

    `proper` are the values written as names ("Italian", not "seafood"); `listed` says that an item may have several
    of the values at once, and `column` what quantities they are where they are some.
    """

    key: str
    words: str
    kind: KeyKind
    values: tuple[str, ...] = ()
    proper: frozenset[str] = frozenset()
    listed: bool = False
    column: Column | None = None

    @property
    def names_items(self) -> bool:
        """Whether the values are other names of the item itself."""
        return names_items(self.key)


class MetadataSchema(Value):
    """The keys of a pool in order of first appearance."""

    keys: tuple[MetadataKey, ...] = ()

    @cached_property
    def by_words(self) -> dict[str, MetadataKey]:
        """The keys by their names in words; of two keys with one name the first."""
        return {key.words: key for key in reversed(self.keys)}

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What readers of this schema have already worked out from it."""
        return {}


def schema_of(candidates: Iterable[Candidate]) -> MetadataSchema:
    """The keys that the candidates of a pool have, with kinds and vocabularies."""
    values: dict[str, list[MetadataValue]] = {}
    for candidate in candidates:
        for key, value in candidate.metadata.items():
            values.setdefault(key, []).append(value)
    return MetadataSchema(keys=tuple(_key(key, found) for key, found in values.items()))


def constraint_keys(schema: MetadataSchema) -> tuple[str, ...]:
    """The keys that a wish can be checked against, in the order of the schema."""
    return tuple(key.key for key in schema.keys if key.kind is not KeyKind.TEXT and not key.names_items)


def names_items(key: str) -> bool:
    """Whether the values of a key are names of the item itself: its titles."""
    return bool(_NAMES & set(key_words(key).split()))


def facts_of(metadata: Metadata) -> tuple[tuple[str, str], ...]:
    """Each key with its line, such as ("parking", "Parking: own free car park") or ("wifi", "Wifi: yes")."""
    return tuple((key, fact_line(key, value)) for key, value in metadata.items())


def fact_line(key: str, value: MetadataValue) -> str:
    """One metadata value as a plain English line: "Length: 119 minutes", "Genres: fantasy, romance"."""
    words = key_words(key)
    measured = isinstance(value, int | float) and not isinstance(value, bool)
    unit = next((f" {unit}" for unit in UNITS if measured and words.endswith(f" {unit}")), "")
    label = words.removesuffix(unit)
    if isinstance(value, bool):
        said = "yes" if value else "no"
    elif isinstance(value, int | float):
        priced = _PRICE_RANGE.get(int(value)) if words == "price range" and value == int(value) else None
        said = priced or f"{value:,g}" if abs(value) < 1e6 else str(value)
        said += unit + (" dollars a person" if words == _MONEY_A_HEAD else "")
    elif isinstance(value, list):
        said = ", ".join(_shown(entry) for entry in value) or "none"
    else:
        said = _shown(value)
    return f"{_as_written(key, label)}: {said}"


def _as_written(key: str, label: str) -> str:
    """The name of a key as it heads a line: abbreviations keep their capitals ("Price (EUR)")."""
    written = collapsed(_JOINS.sub(" ", key))
    if any(letter.islower() for letter in written):
        kept = {word.casefold(): word for word in written.split() if _ABBREVIATION.fullmatch(word)}
        label = " ".join(kept.get(word, word) for word in label.split(" "))
    return f"{label[:1].upper()}{label[1:]}"


@lru_cache(maxsize=4_096)
def key_words(key: str) -> str:
    """A key in words: "length_minutes" -> "length minutes"."""
    return collapsed(_JOINS.sub(" ", key)).casefold()


@lru_cache(maxsize=65_536)
def fold(text: str) -> str:
    """Text for comparing values: lower case, no accents on Latin letters, no apostrophes, hyphens as spaces."""
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", text))
    return collapsed(_JOINS.sub(" ", _PUNCTUATION.sub("", unicodedata.normalize("NFC", plain).casefold())))


def pieces_of(value: MetadataValue) -> tuple[str, ...]:
    """The folded values that one metadata value lists; a text is taken whole and at its commas."""
    if isinstance(value, bool | int | float):
        return ()
    if isinstance(value, list):
        return tuple(fold(entry) for entry in value)
    parts = _PIECES.split(value)
    return tuple(dict.fromkeys([*(fold(part) for part in parts if part), *([fold(value)] if len(parts) > 1 else [])]))


def truth_of(value: MetadataValue) -> bool | None:
    """Whether a value says that the thing is there; None if it does not say.

    "own free car park" and "street parking only" are true, "no parking nearby" is false; an empty list is false.
    """
    if isinstance(value, list):
        return bool(value) if not value else truth_of(value[0]) if len(value) == 1 else True
    if isinstance(value, str):
        text = fold(value)
        plainly = said_plainly(value)
        if text in _SAYS_NOTHING or plainly is not None:
            return plainly
        return not (_FALSE.match(text) or _FALSE_INSIDE.search(text))
    return bool(value)


def said_plainly(value: MetadataValue) -> bool | None:
    """The yes or no that a text is, in English, Chinese or as a mark; None for any other value."""
    text = fold(value) if isinstance(value, str) else ""
    return True if text in _YES else False if text in _NO else None


def names_of_truth(words: str) -> tuple[str, ...]:
    """By what a yes-or-no key is asked for: "has pool" by "pool", "dogs allowed" by "dog" too, 提供证书 by 证书."""
    bare = re.sub(r"^(?:has|is|with|是否|有无|可否|有|含)\s*|\s*(?:\?|？)$", "", words)
    short = re.sub(r" (?:included|available|provided|offered|allowed|welcome|permitted)$", "", bare)
    short = re.sub(r"^(?:提供|支持|包含|允许|可以|可带|可|包)(?=..)", "", short)
    one = short[:-1] if short.endswith("s") and not short.endswith("ss") and len(short) > 3 else short
    return tuple(dict.fromkeys(name for name in (bare, short, one) if name))


def _key(key: str, values: list[MetadataValue]) -> MetadataKey:
    words = key_words(key)
    if all(isinstance(value, bool) or said_plainly(value) is not None for value in values):
        return MetadataKey(key=key, words=words, kind=KeyKind.BOOLEAN)
    column = None if names_items(key) else column_of(key, values)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return MetadataKey(key=key, words=words, kind=KeyKind.NUMBER, column=column)
    if column is not None:
        return MetadataKey(key=key, words=words, kind=KeyKind.MEASURE, column=column)
    texts = list(_texts(values))
    lengths = sorted(len(text.split()) for text in texts)
    free = bool(texts) and (lengths[len(lengths) // 2] > TEXT_WORDS or max(map(len, texts)) > TEXT_CHARS)
    if free:
        return MetadataKey(key=key, words=words, kind=KeyKind.TEXT)
    vocabulary = dict.fromkeys(piece for value in values for piece in pieces_of(value) if piece)
    listed = any(isinstance(value, list) or (isinstance(value, str) and _LISTS.search(value)) for value in values)
    proper = frozenset(fold(part) for text in texts for part in _PIECES.split(text) if part[:1].isupper())
    return MetadataKey(
        key=key, words=words, kind=KeyKind.CATEGORY, values=tuple(vocabulary), proper=proper, listed=listed
    )


def _texts(values: Iterable[MetadataValue]) -> Iterator[str]:
    """Each single text among the values; a comma list counts piece by piece."""
    for value in values:
        if isinstance(value, list):
            yield from value
        elif isinstance(value, str):
            yield from _PIECES.split(value)


def _shown(text: str) -> str:
    """A text as it is shown: on one line, and a single identifier such as beer_and_wine as words."""
    line = collapsed(text)
    return line.replace("_", " ") if " " not in line and "://" not in line else line
