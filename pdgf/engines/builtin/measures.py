"""Wishes in numbers against metadata in numbers: "under two hours" against "Length: 119 minutes"."""

import re
from collections.abc import Mapping

from pdgf.constraints.amounts import (
    DOLLARS,
    EPISODES,
    MINUTES,
    OTHER_MONEY,
    PAGES,
    amounts,
    child_ages,
)

_KEYS: Mapping[str, tuple[str, ...]] = {
    MINUTES: ("length", "runtime", "duration"),
    PAGES: ("pages", "length"),
    EPISODES: ("episodes",),
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
        return None
    actual = float(number[0].replace(",", ""))
    if key == _AGE_KEY:
        ages = child_ages(focus)
        return actual <= min(age for age, _ in ages) if ages else None
    for amount in amounts(focus):
        if key in _KEYS.get(amount.unit, (amount.unit, f"{amount.unit}s")):
            said = _UNIT_WORDS.get(amount.unit)
            if key != "length" or said is None or said in value:
                return amount.comparison.holds(actual, amount.number)
    return None
