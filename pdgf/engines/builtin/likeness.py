"""How like a named item is what a text tells of: the judge counts which of its traits the text names (METHOD 7.1)."""

import math
import re
from collections.abc import Sequence
from functools import lru_cache

from pdgf.engines.builtin.findings import Finding

SHARE = 5  # one in so many traits, and two at least, make an item like another


def likeness_finding(traits: Sequence[str], pieces: Sequence[str]) -> tuple[Finding, str] | None:
    """How like the named item is what these pieces of a text tell of, and the piece that names most of its traits;
    None where they name none."""
    named = {piece: _named(piece, tuple(traits)) for piece in pieces}
    shared = frozenset[str]().union(*named.values())
    if not shared:
        return None
    quote = max(pieces, key=lambda piece: len(named[piece]))
    enough = min(len(traits), max(2, math.ceil(len(traits) / SHARE)))
    return (Finding.FOR if len(shared) >= enough else Finding.PARTLY), quote


@lru_cache(maxsize=20_000)
def _named(piece: str, traits: tuple[str, ...]) -> frozenset[str]:
    return frozenset(name.casefold() for name in _pattern(traits).findall(piece))


@lru_cache(maxsize=256)
def _pattern(traits: tuple[str, ...]) -> re.Pattern[str]:
    names = sorted(map(re.escape, traits), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)", re.IGNORECASE)
