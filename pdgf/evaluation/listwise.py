"""List-wise re-ranking in windows from back to front (METHOD 13.3), without the two faults of the reference code: a
list shorter than a window is still ranked, and the last window always reaches the first place. Pure.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
WINDOW = 20
STEP = 10
WORDS = 300  # of a passage

Judge = Callable[[Sequence[T]], Awaitable[Sequence[int]]]
"""Gives the positions, from 1, of some items, best first."""


def windows(count: int, *, size: int = WINDOW, step: int = STEP) -> list[tuple[int, int]]:
    """Half-open stretches of a list of `count`, the last one first; together they cover it, each pair overlapping.

    Raises ValueError unless 0 < step <= size.
    """
    if not 0 < step <= size:
        raise ValueError("a window must be at least as long as its step")
    found: list[tuple[int, int]] = []
    end = count
    while count and (not found or found[-1][0] > 0):
        found.append((max(0, end - size), end))
        end -= step
    return found


def in_full(order: Sequence[int], count: int) -> list[int]:
    """Positions from 0 out of a reply's positions from 1: each once, none out of range, the missing ones appended in
    their old order."""
    named = dict.fromkeys(place - 1 for place in order if 1 <= place <= count)
    return [*named, *(place for place in range(count) if place not in named)]


async def reranked(items: Sequence[T], judge: Judge[T], *, size: int = WINDOW, step: int = STEP) -> list[T]:
    """The items in the order that a judge of windows gives them. Raises what the judge raises."""
    ranked = list(items)
    for start, end in windows(len(ranked), size=size, step=step):
        part = ranked[start:end]
        ranked[start:end] = [part[place] for place in in_full(await judge(part), len(part))]
    return ranked


def shortened(text: str, words: int = WORDS) -> str:
    """The first words of a text."""
    return " ".join(text.split()[:words])
