"""The year rule (METHOD 7.6): what a narrative says about the year of release, and who breaks it.

`explicit` reads wordings such as "before 1990", "the 80s", "not older than 10 years" or 80年代 (their grammar is in
`temporal_grammar`). A year is no constraint inside a title or after one, in brackets, as the period of the story
("set in the 80s"), in the life of the user ("I've been a fan since 1990") or as an age ("in her 30s").
`max_mentioned` is the construction rule of a benchmark and has no place in a chat.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from pdgf.models import AtomKind, PreferenceGraph, Value
from pdgf.temporal_grammar import Wording, wordings

Mode = Literal["off", "explicit", "max_mentioned"]
BENCHMARK_YEAR = 2000  # `max_mentioned` without a year in the narrative
ANY_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
MASK = "\0"  # stands for a character of a title, so that positions stay and no word is found there
QUOTED = re.compile(r"“[^”]{1,80}”|\"[^\"\n]{1,80}\"|《[^》]{1,60}》|「[^」]{1,60}」|『[^』]{1,60}』")
BRACKETED_YEAR = re.compile(r"[(\[（]\s*(?:1[6-9]|20)\d\d\s*[)\]）]")
YEAR_OF_A_TITLE = re.compile(
    r"\0[\s,，]*(?:(?:from|of|in|the|a|released|made|film|movie|novel|book|series|version)\s+){0,4}(?:1[6-9]|20)\d\d(?!\d)"
)
CORRECTION = re.compile(r"\b(?:actually|make (?:it|that)|no,? wait|scratch that|changed my mind)\b|改成|换成", re.I)


class YearConstraint(Value):
    """Inclusive bounds of the year of release, None where open, and the span of the narrative that set them."""

    low: int | None = None
    high: int | None = None
    span: tuple[int, int] = (0, 0)


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
    return _merged(_latest(narrative, wordings(_without_titles(narrative, titles), current_year)))


def year_rule_of(graph: PreferenceGraph, *, mode: Mode, current_year: int) -> YearConstraint | None:
    """The constraint that a graph's narrative sets; the items that it names are no years of its own."""
    titles = [atom.text for atom in graph.atoms if atom.kind is not AtomKind.CRITERION]
    return year_constraint(graph.narrative, mode=mode, current_year=current_year, titles=titles)


def violates(constraint: YearConstraint, year: int | None) -> bool:
    """Whether a year is known to lie outside the bounds; an unknown year violates nothing."""
    if year is None:
        return False
    too_old = constraint.low is not None and year < constraint.low
    return too_old or (constraint.high is not None and year > constraint.high)


def _without_titles(narrative: str, titles: Iterable[str]) -> str:
    """The narrative with titles, quoted text and the years that belong to them masked, position by position."""

    def mask(found: re.Match[str]) -> str:
        return MASK * len(found[0])

    for title in sorted({title for title in titles if title.strip()}, key=lambda t: (-len(t), t)):
        narrative = re.sub(rf"(?<!\w){re.escape(title)}(?!\w)", mask, narrative)  # case matters: "Up" is not "up to"
    for pattern in (QUOTED, BRACKETED_YEAR, YEAR_OF_A_TITLE):
        narrative = pattern.sub(mask, narrative)
    return narrative


def _latest(narrative: str, found: Sequence[Wording]) -> Sequence[Wording]:
    """What follows the last correction that says anything about years."""
    for cue in reversed(list(CORRECTION.finditer(narrative))):
        later = [wording for wording in found if wording.start >= cue.end()]
        if later:
            return later
    return found


def _merged(found: Sequence[Wording]) -> YearConstraint | None:
    """The hull of the periods, cut by every limit; None if nothing is left."""
    periods = [wording for wording in found if wording.period]
    limits = [wording for wording in found if not wording.period]
    lows = [wording.low for wording in limits if wording.low is not None]
    highs = [wording.high for wording in limits if wording.high is not None]
    lows += [min(wording.low for wording in periods if wording.low is not None)] if periods else []
    highs += [max(wording.high for wording in periods if wording.high is not None)] if periods else []
    low, high = max(lows, default=None), min(highs, default=None)
    if not found or (low is not None and high is not None and low > high):
        return None
    span = min(wording.start for wording in found), max(wording.end for wording in found)
    return YearConstraint(low=low, high=high, span=span)
