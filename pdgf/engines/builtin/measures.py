"""Wishes in numbers against metadata in numbers: lengths, prices, ages. "under two hours" against "Length: 119 minutes"."""

import re
from collections.abc import Mapping

_WORDS: Mapping[str, float] = {
    "half": 0.5, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "hundred": 100,
}
_UNITS: Mapping[str, tuple[str, float]] = {
    "hour": ("minutes", 60), "hr": ("minutes", 60), "minute": ("minutes", 1), "min": ("minutes", 1), "page": ("pages", 1),
    "episode": ("episodes", 1), "volume": ("volumes", 1), "season": ("seasons", 1), "dollar": ("money", 1), "euro": ("money", 1),
    "pound": ("money", 1), "buck": ("money", 1), "$": ("money", 1), "€": ("money", 1), "£": ("money", 1),
}
_KEYS: Mapping[str, tuple[str, ...]] = {
    "minutes": ("length_minutes", "length", "runtime", "duration"),
    "pages": ("pages", "length_pages", "length"),
    "episodes": ("episodes",),
    "volumes": ("volumes",),
    "seasons": ("seasons",),
    "money": ("average_spend", "price", "price_per_person"),
}
_AGE_KEYS = ("suitable_from_age", "age_guidance")
_LESS = re.compile(r"\b(?:under|below|less|fewer|shorter|no more|no longer|not more|at most|up to|max\w*|within)\b", re.IGNORECASE)
_MORE = re.compile(r"\b(?:over|above|more than|longer than|at least|min(?:imum)?)\b", re.IGNORECASE)
_ABOUT = 0.15  # "about two hours" allows this share either way
_AMOUNT = re.compile(r"(?P<sign>[$€£])?\s?(?P<number>\d+(?:[.,]\d+)?)|\b(?P<word>" + "|".join(_WORDS) + r")\b", re.IGNORECASE)
_AGE = re.compile(r"(?P<digits>\d{1,2})|\b(?P<word>" + "|".join(w for w in _WORDS if w not in ("a", "an", "half")) + r")\b", re.IGNORECASE)


def compare_measure(focus: str, perspective: str, key: str, value: str) -> bool | None:
    """Whether a metadata line satisfies a wish in numbers; None where it does not speak of it."""
    number = re.search(r"\d+(?:\.\d+)?", value)
    if number is None:
        return None
    actual = float(number[0])
    if perspective == "audience" and key in _AGE_KEYS:
        age = _age(focus)
        return None if age is None else actual <= age
    if perspective not in ("length", "price"):
        return None
    wanted = _amount(focus)
    if wanted is None or key not in _KEYS[wanted[0]]:
        return None
    unit, amount = wanted
    if unit == "minutes" and re.search(r"\bhours?\b|\bh\b", value) and "min" not in value:
        actual *= 60
    if unit == "pages" and key == "length" and "page" not in value:
        return None
    if _LESS.search(focus):
        return actual <= amount
    if _MORE.search(focus):
        return actual >= amount
    return abs(actual - amount) <= _ABOUT * amount


def _amount(text: str) -> tuple[str, float] | None:
    """(unit, amount) in the unit's base: minutes, pages, episodes, money."""
    unit = next((name for name in _UNITS if re.search(rf"\b{name}s?\b" if name.isalpha() else re.escape(name), text, re.I)), None)
    if unit is None:
        return None
    for match in _AMOUNT.finditer(_without_bounds(text)):
        number = float(match["number"].replace(",", ".")) if match["number"] else _WORDS[match["word"].lower()]
        if "and a half" in text.lower():
            number += 0.5
        name, factor = _UNITS[unit]
        return name, number * factor
    return None


def _without_bounds(text: str) -> str:
    """The text from its first amount on: "at least an hour" must not read "a" out of "at"."""
    return re.sub(r"\b(?:a person|a head|per person|per head|each)\b", "", text, flags=re.IGNORECASE)


def _age(text: str) -> int | None:
    match = _AGE.search(text)
    if match is None:
        return None
    return int(match["digits"]) if match["digits"] else int(_WORDS[match["word"].lower()])
