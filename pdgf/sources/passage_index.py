"""Late fusion over passage vectors: an exact index, and an approximate one for catalogues of many passages.

exact        all inner products, fused
approximate  the nearest passages by FAISS -> the items that may be among the best -> all their texts scored, fused
"""

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdgf.late_fusion import TextsByItem, best_items, fused, late_fusion
from pdgf.ports import Vectors
from pdgf.reviewed_items import ReviewedItems

LISTS = 1.5  # lists: so many times the square root of the passages; 1,060 for 500,000
LIST_SAMPLE = 64  # passages a list that k-means sees; fewer than 39 are too few for FAISS
ITERATIONS = 10  # of k-means
BITS = 4  # two dimensions: codes that FAISS adds up in registers, twice as fast as 8 bits a dimension
SEED = 1
PROBED = 1 / 5  # of the lists; tests/bench/late_fusion.py shows what that finds
NEAREST = 256  # passages sought first: the texts that decide ten places are nearly always among them
WIDER = 4  # times as many passages, in twice as many lists, when those do not settle the places
FEW = 1 / 16  # of the passages: to score so many of them takes as long as to search among all
AT_ONCE = 16  # items whose texts are scored together
BLOCK = 50_000  # passages copied at once while building

Found = list[tuple[int, float]]
Allowed = NDArray[np.bool_]


class ExactPassages:
    """A PassageIndex that scores every passage."""

    def __init__(self, vectors: Vectors, texts: TextsByItem) -> None:
        self._vectors = vectors
        self._texts = texts

    def best_items(self, query: Vectors, *, n: int, k: int, allowed: Allowed | None = None) -> Found:
        """See PassageIndex. Equal to scoring and fusing text by text."""
        query = query.astype(self._vectors.dtype, copy=False)  # or numpy would convert all vectors
        scores = fused(self._vectors @ query, self._texts, k, allowed=allowed)
        return [(int(item), float(scores[item])) for item in best_items(scores, n)]


class ApproximatePassages:
    """A PassageIndex that scores only items near the query; those it returns have their exact scores.

    FAISS's inverted lists of product codes, a sixteenth of the memory of the vectors themselves. They are built at the
    first search that needs them, with all cores and a fixed seed. A search uses one core: to wake another takes longer
    than it saves, and a turn has other work for it. A graph (HNSW) finds as much in the same time, but takes several
    times as long to build and more memory than the vectors.
    """

    def __init__(self, vectors: Vectors, texts: TextsByItem) -> None:
        self._vectors = vectors
        self._texts = texts
        self._exact = ExactPassages(vectors, texts)
        self._lock = threading.Lock()
        self._built: _Lists | None = None

    def prepare(self) -> None:
        """Build the lists now, where they would be used: some ten seconds for 500,000 passages on two cores."""
        if self._texts.texts * FEW > NEAREST:
            self._lists()

    def best_items(self, query: Vectors, *, n: int, k: int, allowed: Allowed | None = None) -> Found:
        """See PassageIndex. Exact where filters leave few passages or the nearest do not settle the best items."""
        texts = self._texts
        sought = max(NEAREST, n * min(k, 3) * 8)
        if k < 1 or n < 1 or sought >= FEW * texts.texts or not np.isfinite(query).all():
            return self._exact.best_items(query, n=n, k=k, allowed=allowed)
        query = query.astype(self._vectors.dtype, copy=False)
        selector, probed = None, PROBED
        if allowed is not None:
            if allowed.shape != (texts.items,):
                raise ValueError("allowed must have one entry an item")
            runs = np.flatnonzero(allowed[texts.owners])
            left = texts.lengths[runs].sum() / texts.texts
            if left <= FEW:
                return self._ranked(query, runs, n, k)
            n = min(n, runs.size)
            selector = allowed[texts.owners][self._lists().run_of_row]
            probed = PROBED / left  # as many passages are scored as without a filter
        while sought < FEW * texts.texts:
            rows = self._lists().nearest(query, sought, probed, selector)
            similarities = np.vecdot(self._vectors[rows], query)
            found = self._among(query, similarities, rows, n, k)
            # Codes blur the order: what was just not found is as near as the nearest of the last that were
            if len(found) == n and found[-1][1] > similarities[-(sought // 8) :].max():
                return found
            sought, probed = sought * WIDER, probed * 2
        return self._exact.best_items(query, n=n, k=k, allowed=allowed)

    def _lists(self) -> "_Lists":
        with self._lock:
            if self._built is None:
                self._built = _build(self._vectors, self._texts)
            return self._built

    def _among(self, query: Vectors, similarities: Vectors, rows: NDArray[np.int64], n: int, k: int) -> Found:
        """The best items of those that the nearest passages belong to.

        An item cannot score more than its best text: items are scored in that order, until n of them score more than
        the next could.
        """
        runs, hit = np.unique(self._lists().run_of_row[rows], return_inverse=True)
        bounds = late_fusion(similarities, hit, runs.size, 1)
        order = np.argsort(-bounds, kind="stable")
        found: Found = []
        for start in range(0, order.size, AT_ONCE):
            if len(found) == n and found[-1][1] > bounds[order[start]]:
                break
            more = self._ranked(query, runs[order[start : start + AT_ONCE]], n, k)
            found = sorted([*found, *more], key=lambda item: (-item[1], item[0]))[:n]
        return found

    def _ranked(self, query: Vectors, runs: NDArray[np.integer], n: int, k: int) -> Found:
        """The best of these runs of texts, all of their texts scored. Raises ValueError for k < 1."""
        texts = self._texts
        if not runs.size:
            return []
        runs = np.sort(runs)
        # One dot product a row: a matrix product of so few rows would wait for a second core
        scores = np.concatenate([np.vecdot(self._vectors[texts.rows(run)], query) for run in runs])
        means = late_fusion(scores, np.repeat(np.arange(runs.size), texts.lengths[runs]), runs.size, k)
        return [(int(texts.owners[runs[best]]), float(means[best])) for best in best_items(means, n)]


@dataclass(frozen=True, eq=False)
class _Lists:
    """FAISS's index and the run of each row of the vectors."""

    index: Any
    run_of_row: NDArray[np.int32]

    def nearest(self, query: Vectors, sought: int, probed: float, kept: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """About the `sought` nearest rows, nearest first, in that share of the lists, among the kept rows. What FAISS
        gives for a missing neighbour is dropped."""
        if not self.index.ntotal:
            return np.zeros(0, np.int64)
        faiss = _faiss()
        selector = None if kept is None else faiss.IDSelectorBitmap(np.packbits(kept, bitorder="little"))
        lists = min(self.index.nlist, math.ceil(probed * self.index.nlist))
        options = faiss.SearchParametersIVF(sel=selector, nprobe=lists)
        rows = self.index.search(np.ascontiguousarray(query[None, :]), sought, params=options)[1][0]
        found: NDArray[np.int64] = rows[rows >= 0]
        return found


def _faiss() -> Any:
    """The package, untyped: its stubs describe the C++ side, where arrays are pointers."""
    import faiss

    return faiss


def _build(vectors: Vectors, texts: TextsByItem) -> _Lists:
    """Lists over the rows that are numbers; the others would spoil the means of k-means."""
    faiss = _faiss()
    blocks = range(0, len(vectors), BLOCK)
    usable = np.concatenate([np.isfinite(vectors[start : start + BLOCK]).all(axis=1) for start in blocks])
    rows = np.flatnonzero(usable)
    run_of_row = texts.run_of_text
    if texts.order is not None:
        run_of_row = np.empty_like(run_of_row)
        run_of_row[texts.order] = texts.run_of_text
    width = vectors.shape[1]
    lists = max(1, min(round(LISTS * math.sqrt(rows.size)), rows.size // LIST_SAMPLE))
    parts = width // 2 if width % 2 == 0 else width
    index = faiss.IndexIVFPQFastScan(faiss.IndexFlatIP(width), width, lists, parts, BITS, faiss.METRIC_INNER_PRODUCT)
    index.cp.seed, index.cp.niter, index.cp.max_points_per_centroid = SEED, ITERATIONS, LIST_SAMPLE
    if rows.size < LIST_SAMPLE:
        return _Lists(index, run_of_row)  # nothing to find in it
    index.train(np.ascontiguousarray(vectors[rows[:: max(1, rows.size // (lists * LIST_SAMPLE))]]))
    for start in range(0, rows.size, BLOCK):
        block = rows[start : start + BLOCK]
        index.add_with_ids(np.ascontiguousarray(vectors[block]), block)
    return _Lists(index, run_of_row)


def reviewed_items(
    ids: Sequence[str], vectors: Vectors, item_of_text: NDArray[np.integer], encoder: str
) -> ReviewedItems:
    """Items whose texts have these vectors, one row a text; `item_of_text` is the position in `ids` of each, in any
    order. Raises ValueError for shapes or positions that do not fit."""
    texts = TextsByItem.of(item_of_text, len(ids))
    if vectors.ndim != 2 or len(vectors) != texts.texts:
        raise ValueError("vectors need one row a text")
    return ReviewedItems(
        ids=tuple(ids),
        encoder=encoder,
        exact=ExactPassages(vectors, texts),
        approximate=ApproximatePassages(vectors, texts),
    )
