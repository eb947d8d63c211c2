"""Whether an item is one for a child of the age that a wish names, by its lines on genre, content and length."""

import re
from collections.abc import Mapping

from pdgf.constraints.children import HARM, KINDS, age_of_child
from pdgf.constraints.words import either
from pdgf.engines.builtin.features import FeatureReading
from pdgf.engines.builtin.findings import Finding

SMALL = 8  # years up to which a moderate fright is too much
GROWING = 13  # years from which strong content is not against the wish by itself
PATIENT = 10  # years from which a long film is no matter
LONGEST = 125  # minutes
_FOR_CHILDREN = either(
    "family|children|children's|childrens|kids|animation|animated|adventure|fantasy|fairy tale|folk tale|superhero"
    "|school|animals|animal|picture book|middle grade|magical girl"
)
_MINUTES = re.compile(r"^(\d+) minutes\b")


def child_ruling(reading: FeatureReading, facts: Mapping[str, tuple[str, str]]) -> tuple[Finding, str] | None:
    """What metadata lines (sentence -> key and value) say against an item for a child; PARTLY for one that is allowed
    and not made for children. None where they say nothing against it, and for any other wish."""
    age = age_of_child(reading.focus) if reading.perspective == "audience" and not reading.avoid else None
    if age is None:
        return None
    found: list[tuple[Finding, str]] = []
    for line, (key, value) in facts.items():
        level = value.strip().casefold()
        if key in HARM and ((level == "strong" and age < GROWING) or (level == "moderate" and age <= SMALL)):
            found.append((Finding.AGAINST, line))
        named = {part.strip() for part in level.split(",")}
        if key in KINDS and not named & _FOR_CHILDREN:
            found.append((Finding.PARTLY, line))
        minutes = _MINUTES.match(level) if key == "length" else None
        if minutes and int(minutes[1]) > LONGEST and age < PATIENT:
            found.append((Finding.PARTLY, line))
    return min(found, key=lambda pair: pair[0], default=None)
