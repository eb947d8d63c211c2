"""On which days a place is open, from hours as they are written ("Tue-Sun 12:00-22:00; closed Mon"). Pure."""

import re
from collections.abc import Iterator

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY = rf"(?:{'|'.join(DAYS)})[a-z]*"
_RUN = re.compile(rf"\b(?P<first>{_DAY})\.?(?:\s*(?:-|–|to)\s*(?P<last>{_DAY}))?", re.IGNORECASE)
_ASKED = re.compile(
    r"\b(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|\b(?P<weekend>(?:the )?weekends?)\b"
    r"|\b(?P<every>every ?day|daily|all week)\b",
    re.IGNORECASE,
)


def day_asked(words: str) -> frozenset[str] | None:
    """The days that the words ask for; None where they name none."""
    match = _ASKED.search(words)
    if match is None:
        return None
    if match["day"]:
        return frozenset({match["day"][:3].lower()})
    return frozenset(DAYS[5:] if match["weekend"] else DAYS)


def open_days(hours: str) -> frozenset[str]:
    """The days on which there is any opening time; empty where the words name no day."""
    if re.match(r"\W*(?:daily|every day)\b", hours, re.IGNORECASE):
        opened = set(DAYS)
    else:
        opened = {day for part in _parts(hours) if not _closed(part) for day in _named(part)}
    shut = {day for part in _parts(hours) if _closed(part) for day in _named(part)}
    return frozenset(opened - shut)


def _parts(hours: str) -> list[str]:
    return re.split(r"[;,](?!\s*sittings)", hours)


def _closed(part: str) -> bool:
    return re.search(r"\bclosed\b", part, re.IGNORECASE) is not None


def _named(part: str) -> Iterator[str]:
    if re.search(r"\bweekends?\b", part, re.IGNORECASE):
        yield from DAYS[5:]
    for match in _RUN.finditer(part):
        first = DAYS.index(match["first"][:3].lower())
        last = DAYS.index((match["last"] or match["first"])[:3].lower())
        yield from (DAYS[(first + step) % 7] for step in range((last - first) % 7 + 1))
