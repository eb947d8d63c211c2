"""Inner products with passage vectors, behind two functions. NaN never becomes a score and no hit is made up."""

import numpy as np
from numpy.typing import NDArray

from pdgf.ports import Vectors

NUMPY_VECTORS = 100_000  # up to here a plain matrix product is as good as an index
MISSING = -np.inf


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
    else:
        import faiss

        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(np.ascontiguousarray(vectors))
        all_scores, all_rows = index.search(np.ascontiguousarray(query[None, :]), k)
        rows, scores = all_rows[0], np.full(len(vectors), MISSING, np.float32)
        scores[rows[rows >= 0]] = all_scores[0][rows >= 0]
        rows = rows[rows >= 0]
    return [(int(row), float(scores[row])) for row in rows if np.isfinite(scores[row])]
