"""Late fusion: score the texts of an item one by one, then fuse (METHOD 9.5). Pure.

score(i | query) = mean of the min(k, m_i) largest  e_query . e_r   over the m_i texts r of item i

Filters come before fusion and by mask: what is masked out has no score, so that no kept item, however negative its
score, can fall behind a filtered one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NOT_SCORED = -np.inf  # an item without a text that counts; never a score, so that low scores stay comparable
PASSES = 16  # up to that many texts an item, taking maxima away is faster than sorting all scores

Scores = NDArray[np.floating]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TextsByItem:
    """Where the texts of each item stand, worked out once for all queries.

    In the order `order` (None: as they stand) the texts of `owners[r]` are `lengths[r]` long from `starts[r]` on, and
    `run_of_text` is r for each of them, `longest` the largest length. Owners ascend; an item without texts is no owner.
    """

    items: int
    texts: int
    order: NDArray[np.intp] | None
    owners: NDArray[np.intp]
    starts: NDArray[np.intp]
    lengths: NDArray[np.intp]
    run_of_text: NDArray[np.int32]
    longest: int

    @classmethod
    def of(cls, item_of_text: NDArray[np.integer], items: int) -> "TextsByItem":
        """From the item position in [0, items) of each text, in any order. Raises ValueError for another position."""
        if item_of_text.ndim != 1:
            raise ValueError("item_of_text must be a vector")
        order = None
        if (item_of_text[1:] < item_of_text[:-1]).any():
            order = np.argsort(item_of_text, kind="stable")
            item_of_text = item_of_text[order]
        if item_of_text.size and (item_of_text[0] < 0 or item_of_text[-1] >= items):
            raise ValueError(f"item_of_text must lie in [0, {items})")
        starts = np.flatnonzero(np.diff(item_of_text, prepend=-1))
        lengths = np.diff(starts, append=item_of_text.size)
        return cls(
            items=items,
            texts=item_of_text.size,
            order=order,
            owners=item_of_text[starts].astype(np.intp),
            starts=starts,
            lengths=lengths,
            run_of_text=np.repeat(np.arange(starts.size, dtype=np.int32), lengths),
            longest=int(lengths.max(initial=0)),
        )

    def rows(self, run: int) -> slice | NDArray[np.intp]:
        """The texts of `owners[run]`, as an index into a vector or matrix with one row a text."""
        place = slice(int(self.starts[run]), int(self.starts[run] + self.lengths[run]))
        return place if self.order is None else self.order[place]


def late_fusion(
    scores: Scores, item_of_text: NDArray[np.integer], items: int, k: int, *, mask: Mask | None = None
) -> NDArray[np.float64]:
    """`fused` for texts that are asked about once: `item_of_text` is the item position in [0, items) of each text."""
    if scores.shape != item_of_text.shape:
        raise ValueError("scores and item_of_text must be vectors of one length")
    return fused(scores, TextsByItem.of(item_of_text, items), k, mask=mask)


def fused(
    scores: Scores, texts: TextsByItem, k: int, *, mask: Mask | None = None, allowed: Mask | None = None
) -> NDArray[np.float64]:
    """The mean of the min(k, m) largest scores of each item, shape (items,); NOT_SCORED for an item without a text.

    `scores` has shape (texts,). Texts outside `mask` and scores that are not finite are left out before anything is
    fused, items outside `allowed`, shape (items,), have no score. Raises ValueError for k < 1 or shapes that differ.
    """
    if k < 1:
        raise ValueError("late fusion needs k >= 1")
    if scores.shape != (texts.texts,) or (mask is not None and mask.shape != scores.shape):
        raise ValueError("scores and mask must be vectors of one length, that of the texts")
    if allowed is not None and allowed.shape != (texts.items,):
        raise ValueError("allowed must have one entry an item")
    found = np.full(texts.items, NOT_SCORED)
    if texts.texts:
        found[texts.owners] = _means(scores, texts, k, mask)
    if allowed is not None:
        found[~allowed] = NOT_SCORED
    return found


def best_items(scores: NDArray[np.float64], n: int) -> NDArray[np.intp]:
    """The at most n items with the best fused scores, best first; ties go to the earlier item.

    Items that are NOT_SCORED never appear.
    """
    if n < 1 or not scores.size:
        return np.zeros(0, np.intp)
    least = np.partition(scores, -n)[-n] if n < scores.size else NOT_SCORED
    places = np.flatnonzero((scores >= least) & (scores > NOT_SCORED))
    best: NDArray[np.intp] = places[np.argsort(-scores[places], kind="stable")[:n]]
    return best


def _means(scores: Scores, texts: TextsByItem, k: int, mask: Mask | None) -> NDArray[np.float64]:
    """The mean for each owner, NOT_SCORED where no text of it counts."""
    if mask is None:
        # A score that is no number shows in the total that it spoils; where none does, looking at each is spared
        with np.errstate(invalid="ignore"):
            totals = _totals(_laid_out(scores, texts), texts, texts.lengths, k)
        if np.isfinite(totals).all():
            means: NDArray[np.float64] = totals / np.minimum(k, texts.lengths)
            return means
    counts = np.isfinite(scores) if mask is None else np.isfinite(scores) & mask
    lengths = np.add.reduceat(counts if texts.order is None else counts[texts.order], texts.starts, dtype=np.intp)
    totals = _totals(_laid_out(np.where(counts, scores, NOT_SCORED), texts), texts, lengths, k)
    found = np.full(lengths.size, NOT_SCORED)
    np.divide(totals, np.minimum(k, lengths), out=found, where=lengths > 0)
    return found


def _laid_out(scores: Scores, texts: TextsByItem) -> Scores:
    """A copy of the scores, item by item."""
    return scores.copy() if texts.order is None else scores[texts.order]


def _totals(left: Scores, texts: TextsByItem, lengths: NDArray[np.intp], k: int) -> NDArray[np.float64]:
    """The sum of the at most k largest scores of each run, `lengths` of which count. Changes `left`."""
    rounds = min(k, texts.longest)
    return (_by_passes if rounds <= PASSES else _by_sorting)(left, texts, lengths, rounds)


def _by_passes(left: Scores, texts: TextsByItem, lengths: NDArray[np.intp], rounds: int) -> NDArray[np.float64]:
    """Take the largest of each run away, again and again.

    Three passes cost a tenth of the matrix product before them, where sorting would cost more than the product.
    """
    total = np.zeros(lengths.size)
    for taken in range(rounds):
        largest = np.maximum.reduceat(left, texts.starts)
        there = lengths > taken
        total[there] += largest[there]
        if taken + 1 < rounds:
            hits = np.flatnonzero(left == np.repeat(largest, texts.lengths))
            if hits.size != lengths.size:  # some tie: the first of each run
                hits = hits[np.flatnonzero(np.diff(texts.run_of_text[hits], prepend=-1))]
            left[hits] = NOT_SCORED
    return total


def _by_sorting(left: Scores, texts: TextsByItem, lengths: NDArray[np.intp], rounds: int) -> NDArray[np.float64]:
    """Sort all; the same numbers are added in the same order."""
    ranked = left[np.lexsort((-left, texts.run_of_text))]
    total = np.zeros(lengths.size)
    for taken in range(rounds):
        there = np.flatnonzero(lengths > taken)
        total[there] += ranked[texts.starts[there] + taken]
    return total
