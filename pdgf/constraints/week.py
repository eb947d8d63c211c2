"""The opening hours of a week as catalogues write them in one line: "Tue-Sun 12:00-14:30 and 18:00-22:00; closed Mon".
Pure."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
Hours = tuple[int, int]  # minutes of the day; after midnight they count on

_DAY_LENGTH = 24 * 60
_SITTING = 120  # minutes that a table is kept where only sittings are named
_DAY = rf"(?:{'|'.join(DAYS)})[a-z]*"
_RUN = re.compile(rf"\b(?P<first>{_DAY})\.?(?:\s*(?:-|–|to)\s*(?P<last>{_DAY}))?", re.IGNORECASE)
_DAILY = re.compile(r"\b(?:daily|every ?day|all week|(?:seven|7) days)\b", re.IGNORECASE)
_AROUND = re.compile(r"\b(?:24 hours|around the clock|24/7)", re.IGNORECASE)
_BETWEEN = re.compile(r"(\d{1,2})[:.](\d\d)\s*[-–]\s*(\d{1,2})[:.](\d\d)")
_SITTINGS = re.compile(r"\bsittings?\s+at\s+(?P<times>[\d:., and]+)", re.IGNORECASE)
_CLOCK = re.compile(r"(\d{1,2})[:.](\d\d)")


@lru_cache(maxsize=4_096)
def week_of(hours: str) -> Mapping[str, tuple[Hours, ...]]:
    """The hours of each day that there are any, by the day's three letters; a day that is left out is closed. Without
    times beside a day its hours are empty. Empty where the words name no day."""
    opened: dict[str, tuple[Hours, ...]] = {}
    shut: set[str] = set()
    for part in re.split(r"[;,](?!\s*(?:one )?sittings?\b)", hours):
        if re.search(r"\bclosed\b", part, re.IGNORECASE):
            shut.update(_days(part))
            continue
        for day in _days(part):
            opened[day] = (*opened.get(day, ()), *_times(part))
    return {day: opened[day] for day in DAYS if day in opened and day not in shut}


def open_days(hours: str) -> frozenset[str]:
    """The days on which there is any opening time; empty where the words name no day."""
    return frozenset(week_of(hours))


def _days(part: str) -> Iterator[str]:
    if _DAILY.search(part) or _AROUND.search(part):
        yield from DAYS
    if re.search(r"\bweekends?\b", part, re.IGNORECASE):
        yield from DAYS[5:]
    for match in _RUN.finditer(part):
        first = DAYS.index(match["first"][:3].lower())
        last = DAYS.index((match["last"] or match["first"])[:3].lower())
        yield from (DAYS[(first + step) % 7] for step in range((last - first) % 7 + 1))


def _times(part: str) -> Iterator[Hours]:
    if _AROUND.search(part):
        yield 0, _DAY_LENGTH
    for match in _BETWEEN.finditer(part):
        opens, closes = (int(match[at]) * 60 + int(match[at + 1]) for at in (1, 3))
        yield opens, closes + (_DAY_LENGTH if closes <= opens else 0)
    sittings = _SITTINGS.search(part)
    for clock in _CLOCK.finditer(sittings["times"] if sittings else ""):
        begins = int(clock[1]) * 60 + int(clock[2])
        yield begins, begins + _SITTING
