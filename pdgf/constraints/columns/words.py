"""The words of columns: headers, units and currencies, read once from `columns.toml`. Pure."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any


class Dimension(StrEnum):
    """What a column measures. Amounts are compared within one dimension only, and never turned into another."""

    TIME = "time"  # minutes
    CALENDAR = "calendar"  # days; how many hours a day of something has is not known
    MONEY = "money"  # in its own currency
    PEOPLE = "people"
    AGE = "age"
    DISTANCE = "distance"  # metres
    MASS = "mass"  # grams
    VOLUME = "volume"  # millilitres
    PERCENT = "percent"
    RATING = "rating"
    COUNT = "count"  # of what the unit names


@dataclass(frozen=True)
class Unit:
    """A unit: its dimension, the factor to the dimension's own unit, and the name that must be equal where no factor
    leads from one to the other (a currency, what is counted)."""

    dimension: Dimension
    factor: float = 1.0
    name: str = ""


@cache
def tables() -> Mapping[str, Any]:
    """The tables of `columns.toml`."""
    text = resources.files(__name__.rpartition(".")[0]).joinpath("columns.toml").read_text(encoding="utf-8")
    found: Mapping[str, Any] = tomllib.loads(text)
    return found


def listed(words: str) -> tuple[str, ...]:
    """The alternatives of "a|b|c"."""
    return tuple(words.split("|"))


@cache
def units() -> Mapping[str, Unit]:
    """Every unit by each of its words."""
    found: dict[str, Unit] = {}
    for dimension, rows in tables()["units"].items():
        for factor, words in rows.items():
            found |= {word: Unit(Dimension(dimension), float(factor)) for word in listed(words)}
    for name, words in tables()["ratings"].items():
        found |= {word: Unit(Dimension.RATING, name=name) for word in listed(words)}
    for code, words in tables()["currencies"].items():
        found |= {word: Unit(Dimension.MONEY, name=code) for word in listed(words)}
    for noun, words in tables()["counted"].items():
        found |= {word: Unit(Dimension.COUNT, name=noun) for word in listed(words)}
    return found


@cache
def dimensions_of_headers() -> Mapping[str, Dimension]:
    """The dimension that each header word names."""
    rows = tables()["headers"].items()
    return {word: Dimension(dimension) for dimension, words in rows for word in listed(words)}


def words_of_header(dimension: Dimension) -> tuple[str, ...]:
    """The header words that name a dimension."""
    return listed(tables()["headers"].get(dimension, "")) if dimension in tables()["headers"] else ()


@cache
def unit_pattern() -> str:
    """An expression of all words for units, the longest first; one of letters ends at the end of its word."""
    return either_of(units())


def either_of(words: Iterable[str]) -> str:
    """An expression of words and signs, longest first, each in Latin letters as a whole word."""
    ordered = sorted(dict.fromkeys(words), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word) + (r"(?![a-z])" if word[-1].isascii() and word[-1].isalpha() else "")
                    for word in ordered)  # fmt: skip


@cache
def item_nouns() -> frozenset[str]:
    """What items of a catalogue may be called, and what is done with them ("a game to play with my son")."""
    items = tables()["items"]
    return frozenset((*listed(items["nouns"]), *listed(items["verbs"])))


@cache
def chinese_item_nouns() -> tuple[str, ...]:
    """The same in Chinese, longest first."""
    return tuple(sorted(listed(tables()["items"]["chinese"]), key=len, reverse=True))


def singular(noun: str) -> str:
    """A noun in the singular, as far as an ending tells."""
    if noun.endswith("ies") and len(noun) > 4:
        return f"{noun[:-3]}y"
    return noun[:-1] if noun.endswith("s") and len(noun) > 3 and not noun.endswith("ss") else noun
