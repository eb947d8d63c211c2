"""The year rule (METHOD 7.6): what a narrative says about the year of release, and who breaks it.

`explicit` reads wordings such as "before 1990", "the 80s", "not older than 10 years" or 80年代. A year is no
constraint inside a title or after one, in brackets, as the period of the story ("set in the 80s"), in the life of
the user ("I've been a fan since 1990") or as an age ("in her 30s"). `max_mentioned` is the rule of a benchmark.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from pdgf.models import Value

Mode = Literal["off", "explicit", "max_mentioned"]
RECENT_YEARS = 5  # "recent", "lately", 最近 (METHOD 7.6)
BENCHMARK_YEAR = 2000  # `max_mentioned` without a year in the narrative


class YearConstraint(Value):
    """Inclusive bounds of the year of release, None where open, and the span of the narrative that set them."""

    low: int | None = None
    high: int | None = None
    span: tuple[int, int] = (0, 0)


class _Found(NamedTuple):
    """One wording: its bounds, its span, and whether it names a period (a decade) rather than a limit."""

    low: int | None
    high: int | None
    start: int
    end: int
    period: bool


def year_constraint(
    narrative: str, *, mode: Mode, current_year: int, titles: Iterable[str] = ()
) -> YearConstraint | None:
    """The constraint on the year of release, or None where the narrative sets none.

    Periods are alternatives ("80s or 90s" is 1980 to 1999), limits hold together. After "actually" or "make it" only
    what follows counts. Limits that exclude each other set no constraint. `titles` are those named in the narrative.
    """
    if mode == "off":
        return None
    if mode == "max_mentioned":
        years = [(int(found[0]), found.span()) for found in ANY_YEAR.finditer(narrative)]
        newest, span = max(years, default=(BENCHMARK_YEAR, (0, 0)))
        return YearConstraint(high=newest, span=span)
    return _merged(_latest(narrative, _wordings(_masked(narrative, titles), current_year)))


def violates(constraint: YearConstraint, year: int | None) -> bool:
    """Whether a year is known to lie outside the bounds; an unknown year violates nothing."""
    if year is None:
        return False
    too_old = constraint.low is not None and year < constraint.low
    return too_old or (constraint.high is not None and year > constraint.high)


# ---------------------------------------------------------------- the grammar

ANY_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_YEAR = r"(?<![\d.])(?:1[6-9]|20)\d\d(?![\d])"
_TENS = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80}
_TENS["nineties"] = 90
_CHINESE_DIGITS = {digit: n for n, digit in enumerate("一二三四五六七八九十", start=1)} | {"两": 2}
_CENTURY = r"(?:上世纪|上个世纪|二十世纪|20世纪)?"
# A decade as written; `_decade` gives its first and last year.
_DECADE = rf"(?:(?:1[6-9]|20)\d0['’]?s\b|['’]?[3-9]0['’]?s\b|\b(?:{'|'.join(_TENS)})\b|{_CENTURY}[一二三四五六七八九3-9][十0]年代|(?:19|20)\d0年代)"
_POINT = rf"(?:the\s+)?(?:year\s+)?(?:(?:early|mid|late)[\s-]+)?(?P<point>{_DECADE}|{_YEAR})"
