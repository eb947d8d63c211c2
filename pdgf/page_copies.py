"""Pages that are copies of one text: mirrors, syndicated articles, print versions (METHOD 5.4, a page that counts).

Two texts are copies when they are equal but for white space and case, or when the blocks that both hold make up at
least `SHARED` of the characters of each. Blocks are weighed by their length, so that neither the menu around an
article decides nor the menus of one site make its articles one. Pure, and linear in the length of the texts.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

SHARED = 0.9  # of the characters of the longer of two texts

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Blocks:
    """A text as its blocks, one a line, with how often each occurs; case and white space folded."""

    counts: Counter[str]
    chars: int  # of all blocks together
    whole: str  # all of it on one line


def blocks_of(text: str) -> Blocks:
    """The blocks of a text; lines without a visible character are none."""
    lines = (" ".join(line.split()).casefold() for line in text.split("\n"))
    counts = Counter(line for line in lines if line)
    chars = sum(len(block) * count for block, count in counts.items())
    return Blocks(counts=counts, chars=chars, whole=" ".join(text.casefold().split()))


def are_copies(one: Blocks, other: Blocks) -> bool:
    """Whether two texts are copies of one. Symmetric; a text is a copy of itself, an empty one only of another."""
    if one.whole == other.whole:
        return True
    longest = max(one.chars, other.chars)
    if min(one.chars, other.chars) < SHARED * longest:
        return False
    few, many = sorted((one.counts, other.counts), key=len)
    shared = sum(len(block) * min(count, many[block]) for block, count in few.items())
    return shared >= SHARED * longest


def without_copies(pages: Iterable[T], *, text: Callable[[T], str], limit: int) -> list[T]:
    """The first `limit` pages of which none is a copy of one before it. No text after them is looked at, and each that
    is looked at is compared with fewer than `limit`."""
    kept: list[tuple[T, Blocks]] = []
    for page in pages:
        if len(kept) == limit:
            break
        blocks = blocks_of(text(page))
        if not any(are_copies(blocks, other) for _, other in kept):
            kept.append((page, blocks))
    return [page for page, _ in kept]
