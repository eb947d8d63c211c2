"""Opening hours: what times a wish asks for, and whether a day's hours cover them. Pure.

"open on Tuesday from 9 AM to 11 AM", "open Sundays", "open until 11 pm", "open late"; in metadata "8:00-15:00" for
each day.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LATE, EARLY = 22 * 60, 7 * 60 + 30  # minutes of the day from which "open late" is met, up to which "open early" is
_DAY_LENGTH = 24 * 60

_TIME = r"(?P<{0}>noon|midnight|\d{{1,2}}(?:[:.]\d\d)?\s*(?:[ap]\.?m\b\.?)?)"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_RANGE = rf"(?:from|between)\s+{_TIME.format('start')}\s*(?:to|and|until|till|-|–)\s*{_TIME.format('end')}"
_POINT = rf"(?:until|till|at|after|past)\s+{_TIME.format('point')}"
_ASKED = re.compile(
    rf"\bopen(?:s|ing)?\s+(?:(?:on|every)\s+)?(?:(?P<days>{_DAY}(?:\s+(?:and|or|to)\s+{_DAY})*)\s*(?:mornings?|evenings?)?\s*"
    rf"(?:{_RANGE})?|(?P<word>late|early)\b(?!\s+(?:night|bird))|{_POINT})",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d\d))?\s*([ap])?", re.IGNORECASE)
_HOURS = re.compile(r"(\d{1,2}):(\d{1,2})\s*[-–]\s*(\d{1,2}):(\d{1,2})")


@dataclass(frozen=True, kw_only=True)
class Opening:
    """Times asked for in minutes of the day, on `days` or, without any, on most of them. `span` is where it is said."""

    days: tuple[str, ...]
    start: int | None
    end: int | None
    span: tuple[int, int]

    def met_by(self, key: str, value: str) -> bool | None:
        """Whether the hours of one day, with the day in the key, cover what is asked; None if they do not say."""
        day = next((day for day in DAYS if day in key.casefold()), None)
        hours = _HOURS.search(value)
        if day is None or (self.days and day not in self.days):
            return None
        if hours is None:
            return False if re.search(r"\bclosed\b", value, re.IGNORECASE) else None
        opens, closes = (int(hours[at]) * 60 + int(hours[at + 1]) for at in (1, 3))
        if opens == closes:
            return None  # catalogues write "0:00-0:00" for closed and for all day
        closes += _DAY_LENGTH if closes < opens else 0
        begun = self.start is None or opens <= self.start
        ended = self.end is None or self.end <= closes
        return begun and ended


@lru_cache(maxsize=4_096)
def opening_asked(words: str) -> Opening | None:
    """The opening hours that words ask for, or None."""
    match = _ASKED.search(words)
    if match is None:
        return None
    named = (match["days"] or "").casefold()
    start = _minutes(match["start"]) if match["start"] else None
    end = _minutes(match["end"]) if match["end"] else None
    if match["word"]:
        start, end = (None, LATE) if match["word"].casefold() == "late" else (EARLY, None)
    if match["point"]:
        start = end = _minutes(match["point"])
    if start is not None and end is not None and end < start:
        end += _DAY_LENGTH
    return Opening(days=tuple(day for day in DAYS if day in named), start=start, end=end, span=match.span())


def _minutes(said: str) -> int:
    """A time of day in minutes; "midnight" ends a day."""
    word = said.strip().casefold()
    if word in ("noon", "midnight"):
        return 12 * 60 if word == "noon" else _DAY_LENGTH
    clock = _CLOCK.match(word)
    if clock is None:
        return 0
    hour, half = int(clock[1]), (clock[3] or "").casefold()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour * 60 + int(clock[2] or 0)
