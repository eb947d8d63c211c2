"""Wishes in numbers against metadata in numbers: "under two hours" against "Length: 119 minutes"."""

import re
from collections.abc import Mapping

from pdgf.constraints.ages import child_ages
from pdgf.constraints.amounts import (
    DOLLARS,
    EPISODES,
    EPISODES_A_SEASON,
    MINUTES,
    OTHER_MONEY,
    PAGES,
    SEASONS,
    amounts,
    prices,
)
from pdgf.constraints.levels import PAGES_OF_LENGTH

_KEYS: Mapping[str, tuple[str, ...]] = {
    MINUTES: ("length", "runtime", "duration"),
    PAGES: ("pages", "length"),
    EPISODES: ("episodes",),
    SEASONS: ("seasons", "season", "episodes"),
    DOLLARS: ("average_spend", "price", "price_per_person", "cost"),
    OTHER_MONEY: ("average_spend", "price", "price_per_person", "cost"),
}
_UNIT_WORDS: Mapping[str, str] = {MINUTES: "minute", PAGES: "page"}  # what "Length: ..." must say to be comparable
_AGE_KEY = "suitable_from_age"
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")


def compare_measure(focus: str, key: str, value: str) -> bool | None:
    """Whether a metadata line satisfies a wish in numbers; None where it does not speak of it."""
    number = _NUMBER.search(value)
    if number is None:
        return _by_length_word(focus, key, value)
    actual = float(number[0].replace(",", ""))
    if key == _AGE_KEY:
        ages = child_ages(focus)
        return actual <= min(age for age, _ in ages) if ages else None
    held = [
        amount.comparison.holds(actual, amount.number * _scale(amount.unit, key))
        for amount in (prices(focus) if key in _KEYS[DOLLARS] else amounts(focus))
        if key in _KEYS.get(amount.unit, (amount.unit, f"{amount.unit}s"))
        and (key != "length" or _UNIT_WORDS.get(amount.unit, "") in value)
    ]
    return all(held) if held else None


def _scale(unit: str, key: str) -> int:
    """How many of what a key counts make one of a unit."""
    return EPISODES_A_SEASON if unit == SEASONS and key in _KEYS[EPISODES] else 1


def _by_length_word(focus: str, key: str, value: str) -> bool | None:
    """A limit in pages against "Length: long"; None where the word covers both sides of the limit, and for both of
    two limits only if it lies within them."""
    pages = PAGES_OF_LENGTH.get(value.strip().casefold()) if key == "length" else None
    if pages is None:
        return None
    held: list[bool] = []
    for amount in (amount for amount in amounts(focus) if amount.unit == PAGES):
        ends = [amount.comparison.holds(end, amount.number) for end in pages]
        if ends[0] is not ends[1]:
            return None
        held.append(ends[0])
    return all(held) if held else None
