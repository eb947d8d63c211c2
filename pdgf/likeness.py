"""What a wish for something like a named item says, and how that is read again (METHOD 4.2).

    similar to Alien (1979): Horror; Ridley Scott; isolation
    similar to Alien (1979): Sci-Fi; space crew; survival

A judge sees f_v and x alone. So these wishes say what the named item is known for, a few traits each. Traits are dealt
out in turn, so that each wish has something of every kind: else whatever shares the genres, as half a catalogue may,
would meet one wish in full.
"""

import math
import re
from collections.abc import Sequence
from functools import lru_cache

MAX_WORDS = 34  # of the traits in one wish; with the title f_v keeps within METHOD 4.6
FEWEST = 3  # traits below which a reference says too little to be compared by them
MOST_NODES = 9  # nodes that all references of a narrative share
IN_A_NODE = 3  # traits, where there are nodes enough
_FEATURE = re.compile(r"^(?:either )?similar to (?P<title>.+?): (?P<traits>[^\n]+?)\.?$")


def likeness_wishes(title: str, year: int | None, traits: Sequence[str], *, references: int) -> list[str]:
    """The instantiations of a reference, one of so many: its traits, dealt into as few or many as there is room for."""
    named = f"similar to {title}" if year is None else f"similar to {title} ({year})"
    usable = list({trait.casefold(): trait for trait in traits if ";" not in trait}.values())
    nodes = max(1, min(MOST_NODES // max(references, 1), MOST_NODES - 1, math.ceil(len(usable) / IN_A_NODE)))
    return [f"{named}: {'; '.join(_fitting(usable[at::nodes]))}" for at in range(nodes)] if usable else []


def _fitting(traits: Sequence[str]) -> list[str]:
    room = MAX_WORDS
    said: list[str] = []
    for trait in traits:
        room -= len(trait.split())
        if room >= 0:
            said.append(trait)
    return said


@lru_cache(maxsize=4_096)
def traits_in(feature: str) -> tuple[str, ...]:
    """What a named item is known for, from the f_v of such a wish; empty for any other."""
    match = _FEATURE.match(feature.strip())
    return tuple(part.strip() for part in match["traits"].split(";") if part.strip()) if match else ()


@lru_cache(maxsize=4_096)
def liked_in(feature: str) -> str:
    """The named item of such a wish, with its year where that is said; empty for any other."""
    match = _FEATURE.match(feature.strip())
    return match["title"] if match else ""
