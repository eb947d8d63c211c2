"""Inner products with passage vectors, behind two functions. NaN never becomes a score and no hit is made up."""

import numpy as np
from numpy.typing import NDArray

from pdgf.ports import Vectors

NUMPY_VECTORS = 100_000  # up to here a plain matrix product is as good as an index
MISSING = -np.inf
_FAISS_NOTHING = float(np.finfo(np.float32).min)  # the score that FAISS gives for no neighbour at all


def products(queries: Vectors, vectors: Vectors) -> NDArray[np.float32]:
    """The inner product of every query with every vector, shape (queries, vectors); MISSING where it is no number."""
    found = np.asarray(queries @ vectors.T, dtype=np.float32)
    if not np.isfinite(found).all():
        found[~np.isfinite(found)] = MISSING
    return found


def nearest(query: Vectors, vectors: Vectors, k: int) -> list[tuple[int, float]]:
    """The rows of the at most k vectors with the largest inner product and those products, best first.

    Ties go to the smaller row. FAISS answers above NUMPY_VECTORS; the -1 that it gives for a missing neighbour and
    anything that is not a finite number are dropped.
    """
    k = min(k, len(vectors))
    if k < 1:
        return []
    if len(vectors) <= NUMPY_VECTORS:
        scores = products(query[None, :], vectors)[0]
        rows = np.lexsort((np.arange(len(scores)), -scores))[:k]
        scores = scores[rows]
    else:
        import faiss

        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(np.ascontiguousarray(vectors))
        found_scores, found_rows = index.search(np.ascontiguousarray(query[None, :]), k)
        rows, scores = found_rows[0], found_scores[0]
    hits = [(int(row), float(score)) for row, score in zip(rows, scores, strict=True) if _is_hit(row, score)]
    return sorted(hits, key=lambda hit: (-hit[1], hit[0]))


def _is_hit(row: int, score: float) -> bool:
    return row >= 0 and bool(np.isfinite(score)) and score > _FAISS_NOTHING
