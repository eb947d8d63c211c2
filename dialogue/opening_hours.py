"""On which days of the week a question asks whether a place is open. Pure."""

import re

from pdgf.constraints.week import DAYS

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
