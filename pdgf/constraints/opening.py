"""Opening hours: what times a wish asks for, and whether a day's hours cover them. Pure.

"open on Tuesday from 9 AM to 11 AM", "not closed on Sunday", "on Monday evening", "open until 11 pm", "open late"; in
metadata "8:00-15:00" for each day, or a week in one line.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pdgf.constraints.week import week_of
from pdgf.constraints.words import either

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LATE, EARLY = 22 * 60, 7 * 60 + 30  # minutes of the day from which "open late" is met, up to which "open early" is
_DAY_LENGTH = 24 * 60

_TIME = r"(?P<{0}>noon|midnight|\d{{1,2}}(?:[:.]\d\d)?\s*(?:[ap]\.?m\b\.?)?)"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_RANGE = rf"(?:from|between)\s+{_TIME.format('start')}\s*(?:to|and|until|till|-|–)\s*{_TIME.format('end')}"
_POINT = rf"(?:until|till|at|after|past)\s+{_TIME.format('point')}"
_PART = r"(?:\s+(?P<{}>mornings?|afternoons?|evenings?|nights?)\b)?"
_DAYS = rf"(?P<{{}}>{_DAY}(?:\s+(?:and|or|to)\s+{_DAY})*)"
_ON = r"(?:(?:on|every|for)\s+(?:an?\s+|any\s+|the\s+)?)"
_ASKED = re.compile(
    rf"\bopen(?:s|ing)?\s+{_ON}?(?:{_DAYS.format('days')}{_PART.format('part')}\s*"
    rf"(?:{_RANGE})?|(?P<word>late|early)\b(?!\s+(?:night|bird))|{_POINT})"
    rf"|\b(?:not|never|\w+n['’]?t)\s+(?:be\s+)?(?:closed|shut)\s+{_ON}?{_DAYS.format('unshut')}"
    rf"|\b(?:closed|shut)\s+{_ON}?{_DAYS.format('shut')}\s+(?:(?:is|are|would be|['’]s)\s+(?:no good|no use|useless"
    r"|a problem|an issue|not (?:ok(?:ay)?|fine|an option)|out)"
    r"|(?:wo|do|does|will|ca)(?:n['’]?t| not) (?:work|do|suit|help))\b"
    rf"|\b(?:on|this|next|for|coming)\s+(?:an?\s+|this\s+|next\s+)?{_DAYS.format('on')}{_PART.format('when')}"
    r"(?!\s+(?:roasts?|papers?|league|market|school|blues|best)\b)",
    re.IGNORECASE,
)
_NAMED = ("days", "unshut", "shut", "on")  # groups of `_ASKED` in which days stand
_TIME_OF = {"morning": 10 * 60, "afternoon": 15 * 60, "evening": 19 * 60, "night": 21 * 60}  # when people are there
_OF_A_WEEK = either("opening hours|hours|open|opening times|hours of operation|times|business hours")
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d\d))?\s*([ap])?", re.IGNORECASE)
_HOURS = re.compile(r"(\d{1,2}):(\d{1,2})\s*[-–]\s*(\d{1,2}):(\d{1,2})")


@dataclass(frozen=True, kw_only=True)
class Opening:
    """Times asked for in minutes of the day, on `days` or, without any, on most of them. `span` is where it is said,
    `words` what is asked for where it is said by its opposite or by the day alone ("open on mondays")."""

    days: tuple[str, ...]
    start: int | None
    end: int | None
    span: tuple[int, int]
    words: str = ""

    def met_by(self, key: str, value: str) -> bool | None:
        """Whether the hours of one day, with the day in the key, or of a week cover what is asked; None if they do not
        say."""
        if tells_week(key):
            return self._met_in(week_of(value))
        day = next((day for day in DAYS if day in key.casefold()), None)
        hours = _HOURS.search(value)
        if day is None or (self.days and day not in self.days):
            return None
        if hours is None:
            return False if re.search(r"\bclosed\b", value, re.IGNORECASE) else None
        opens, closes = (int(hours[at]) * 60 + int(hours[at + 1]) for at in (1, 3))
        if opens == closes:
            return None  # catalogues write "0:00-0:00" for closed and for all day
        return self._covered_by(opens, closes + (_DAY_LENGTH if closes < opens else 0))

    def _met_in(self, week: Mapping[str, tuple[tuple[int, int], ...]]) -> bool | None:
        if not week:
            return None
        asked = [day[:3] for day in self.days]
        met = {day: any(self._covered_by(*hours) for hours in week[day]) or not week[day] for day in week}
        if asked:
            return all(met.get(day, False) for day in asked)
        return 2 * sum(met.values()) >= len(met)

    def _covered_by(self, opens: int, closes: int) -> bool:
        return (self.start is None or opens <= self.start) and (self.end is None or self.end <= closes)


@lru_cache(maxsize=4_096)
def tells_week(key: str) -> bool:
    """Whether a key of metadata holds the hours of all days."""
    return " ".join(re.findall(r"[a-z]+", key.casefold())) in _OF_A_WEEK


@lru_cache(maxsize=4_096)
def opening_asked(words: str) -> Opening | None:
    """The opening hours that words ask for, or None."""
    match = _ASKED.search(words)
    if match is None:
        return None
    named = " ".join(match[group] or "" for group in _NAMED).casefold()
    start = _minutes(match["start"]) if match["start"] else None
    end = _minutes(match["end"]) if match["end"] else None
    if match["word"]:
        start, end = (None, LATE) if match["word"].casefold() == "late" else (EARLY, None)
    if (part := match["part"] or match["when"]) and start is None:
        start = end = _TIME_OF[part.casefold().removesuffix("s")]
    if match["point"]:
        start = end = _minutes(match["point"])
    if start is not None and end is not None and end < start:
        end += _DAY_LENGTH
    words = "" if match["days"] or not named.strip() else f"open on {named.strip()} {part or ''}".rstrip()
    days = tuple(day for day in DAYS if day in named)
    return Opening(days=days, start=start, end=end, span=match.span(), words=words)


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
