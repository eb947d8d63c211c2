"""Who is the same item (METHOD 6.3) and who must not be recommended (METHOD 6.4).

Two titles are the same item when their name keys and their years agree. A wrong merge is worse than a missed one,
so the key only folds what is spelling: case, accents of Latin letters, punctuation, articles, and the three ways of
writing a number. A number stays part of the title; a year comes from its own field.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Literal

from pdgf.models import Value
from pdgf.numerals import with_arabic_numerals

YEAR_IN_BRACKETS = re.compile(
    r"[(\[{]\s*(?:1[89]|20)\d\d(?:\s+(?:film|movie|(?:tv\s+|anime\s+)?series|anime|novel|book))?\s*[)\]}]"
)
LEADING_ARTICLE = re.compile(r"^(?:the|an|a)\s+(?=\S)")
TRAILING_ARTICLE = re.compile(r",\s*(?:the|an|a)\s*$")
# Latin letters that are no letter plus mark in Unicode, and what they are written as without their own key.
LATIN_LETTERS = str.maketrans(
    {"ı": "i", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "þ": "th", "æ": "ae", "œ": "oe", "ŋ": "n"}
)
_DIGIT = re.compile(r"(?![0-9])\d")  # of any script: ٢ is 2
APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼʻ`´′", "'"))

Record = tuple[str, int | None]  # (title, year)


class Exclusion(Value):
    """An item that must not be listed, and why: named in the narrative, judged by the user, seen, or shown before."""

    title: str
    year: int | None = None
    why: Literal["reference", "rejected", "accepted", "seen", "shown"]


@lru_cache(maxsize=50_000)  # a pool and a seen list are compared in every turn
def name_key(title: str) -> str:
    """The key under which spellings of one title meet: NFKC, case, accents, `&`, bracketed year, leading article,
    punctuation, spaces and ways of writing numbers folded; every script kept. Empty only for a blank title."""
    return folded_key(title)


def folded_key(title: str) -> str:
    """`name_key` without its memory, for texts that are no titles and would push titles out of it."""
    text = _folded(title)
    shortened = YEAR_IN_BRACKETS.sub(" ", text).strip()
    shortened = TRAILING_ARTICLE.sub("", LEADING_ARTICLE.sub("", shortened))
    key = _letters(with_arabic_numerals(shortened.replace("&", " and ").replace("×", " x ")))
    return key or _letters(text) or "".join(text.split())


def group_identities(records: Sequence[Record]) -> list[int]:
    """The item of each record, numbered from 0 in order of appearance (METHOD 6.3).

    Same key and same year make one item. A record without a year joins the only dated item of its key; with several
    of them it stays an undated item of its own.
    """
    years = dated_years(records)
    numbers: dict[Record, int] = {}
    return [
        numbers.setdefault((name_key(title), _year_in(years[name_key(title)], year)), len(numbers))
        for title, year in records
    ]


def dated_years(records: Iterable[Record]) -> dict[str, set[int]]:
    """The years that the records of each name key carry; an empty set for a key that is never dated."""
    years: dict[str, set[int]] = defaultdict(set)
    for title, year in records:
        years[name_key(title)].update([] if year is None else [year])
    return dict(years)


def is_excluded(
    title: str, year: int | None, exclusions: Iterable[Exclusion], *, dated_years_of_key: Collection[int] = ()
) -> bool:
    """Whether an exclusion has the same name key and, where both years are known, the same year (METHOD 6.4).

    `dated_years_of_key` are the years known in the pool for this name: with exactly one, an undated item is that one.
    A different explicit year is a remake and stays.
    """
    return exclusion_of(title, year, exclusions, dated_years_of_key=dated_years_of_key) is not None


def exclusion_of(
    title: str, year: int | None, exclusions: Iterable[Exclusion], *, dated_years_of_key: Collection[int] = ()
) -> Exclusion | None:
    """The first exclusion that `is_excluded` finds, so that the reason can be told."""
    key, own = name_key(title), _year_in(dated_years_of_key, year)
    return next((e for e in exclusions if key and name_key(e.title) == key and _agree(e.year, own)), None)


def exclusions_of(records: Sequence[Record], exclusions: Iterable[Exclusion]) -> list[Exclusion | None]:
    """`exclusion_of` for a whole pool, whose own years are used: one look at each record and exclusion."""
    by_key: dict[str, list[Exclusion]] = defaultdict(list)
    for exclusion in exclusions:
        by_key[name_key(exclusion.title)].append(exclusion)
    years = dated_years(records)
    return [
        exclusion_of(title, year, by_key.get(name_key(title), ()), dated_years_of_key=years[name_key(title)])
        for title, year in records
    ]


def _year_in(dated: Collection[int], year: int | None) -> int | None:
    return next(iter(dated)) if year is None and len(set(dated)) == 1 else year


def _agree(one: int | None, other: int | None) -> bool:
    return one is None or other is None or one == other


def _folded(title: str) -> str:
    """NFKC, lower case, and Latin letters without their marks; every other script keeps its marks (й is not и)."""
    spelled_out = re.sub(r"(?<=\d)(?=[¼-¾⅐-⅞])", " ", title)  # 8½ is 8 1/2, not 81/2
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", spelled_out).casefold())
    folded: list[str] = []
    latin = False
    for character in text:
        if not unicodedata.combining(character):
            latin = unicodedata.name(character, "").startswith("LATIN ")
            folded.append(unicodedata.normalize("NFD", character)[0] if latin else character)
        elif not latin:
            folded.append(character)
    plain = "".join(folded).translate(LATIN_LETTERS | APOSTROPHES).replace("\u2044", "/")
    return _DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), plain)


def _letters(text: str) -> str:
    """Letters, digits and the marks of their scripts; all else removed."""
    return "".join(character for character in text if unicodedata.category(character)[0] in "LMN")
