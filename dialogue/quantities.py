"""Wishes in numbers: which later one takes the place of which earlier one (METHOD 9.3). Pure.

A person who says "for two players" after "for five" has changed their mind, and does not ask for both.
"""

from typing import Final

from pdgf.constraints.columns import Ask, Bound, Dimension, asks_in
from pdgf.constraints.words import STORY_WORDS, tokens_of

_PARTS: Final = {"season": "episode", "cour": "episode"}  # one season is as long as its episodes
Measure = tuple[Dimension | None, str, tuple[str, ...]]  # what is measured or counted, and the words beside the number


def measures(words: str, *, denied: bool = False) -> frozenset[Measure]:
    """What the numbers of a wish measure; empty where it names none, or tells of a story with some in it. What is
    `denied` sets a limit only by a comparison: "not 5 players" leaves every other number open."""
    if set(tokens_of(words)) & STORY_WORDS:
        return frozenset()
    return frozenset(_measure(ask) for ask in asks_in(words) if not (denied and ask.bound is Bound.COVERS))


def supersedes(new: frozenset[Measure], old: frozenset[Measure], *, one_column: bool) -> bool:
    """Whether a wish takes the place of an earlier one under the same key: both measure the same. In `one_column`, the
    key of a single column, what is measured decides; elsewhere the words beside the numbers must agree too ("walk",
    "wait")."""
    if one_column:
        return not {what for what, _, _ in new}.isdisjoint(what for what, _, _ in old)
    return not new.isdisjoint(old)


def _measure(ask: Ask) -> Measure:
    unit = _PARTS.get(ask.unit, ask.unit) if ask.dimension is Dimension.COUNT else ""
    return ask.dimension, unit, ask.hint
