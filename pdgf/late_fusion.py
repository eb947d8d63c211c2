"""Late fusion: score the texts of an item one by one, then fuse (METHOD 9.5). Pure.

score(i | query) = mean of the min(k, m_i) largest  e_query . e_r   over the m_i texts r of item i
"""

import numpy as np
from numpy.typing import NDArray

NOT_SCORED = -np.inf  # an item without a text that counts; never a score, so that low scores stay comparable


def late_fusion(
    scores: NDArray[np.floating],
    item_of_text: NDArray[np.integer],
    items: int,
    k: int,
    *,
    mask: NDArray[np.bool_] | None = None,
) -> NDArray[np.float64]:
    """The mean of the min(k, m) largest scores of each of `items` items; NOT_SCORED for an item without a text.

    `scores` has shape (texts,), `item_of_text` the item position in [0, items) of each text, in any order (sorted
    is fastest). Texts outside `mask`, and scores that are not finite, are left out before anything is fused.
    Raises ValueError for k < 1 or shapes that differ.
    """
    if k < 1:
        raise ValueError("late fusion needs k >= 1")
    if scores.shape != item_of_text.shape or scores.ndim != 1 or (mask is not None and mask.shape != scores.shape):
        raise ValueError("scores, item_of_text and mask must be vectors of one length")
    kept = np.isfinite(scores) if mask is None else np.isfinite(scores) & mask
    if not kept.all():
        scores, item_of_text = scores[kept], item_of_text[kept]
    if item_of_text.size and (item_of_text[1:] < item_of_text[:-1]).any():
        order = np.argsort(item_of_text, kind="stable")
        scores, item_of_text = scores[order], item_of_text[order]
    fused = np.full(items, NOT_SCORED)
    if item_of_text.size:
        starts = np.flatnonzero(np.concatenate(([True], item_of_text[1:] != item_of_text[:-1])))
        fused[item_of_text[starts]] = _mean_of_largest(scores, item_of_text, starts, k)
    return fused


def _mean_of_largest(
    scores: NDArray[np.floating], item_of_text: NDArray[np.integer], starts: NDArray[np.intp], k: int
) -> NDArray[np.float64]:
    """The mean for each run of equal items: take each run's largest score away, k times.

    Three passes cost a tenth of the matrix product before them, where sorting would cost more than the product.
    """
    lengths = np.diff(starts, append=scores.size)
    left = scores.copy()
    total = np.zeros(starts.size)
    rounds = min(k, int(lengths.max()))
    for taken in range(rounds):
        largest = np.maximum.reduceat(left, starts)
        there = lengths > taken
        total[there] += largest[there]
        if taken + 1 == rounds:
            break
        hits = np.flatnonzero(left == np.repeat(largest, lengths))
        run = item_of_text[hits]
        first_of_run = np.concatenate(([True], run[1:] != run[:-1]))
        left[hits[first_of_run]] = NOT_SCORED
    return total / np.minimum(k, lengths)
