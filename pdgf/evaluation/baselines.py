"""Rankings without a graph: words, vectors, and both (METHOD 14, DESIGN 6). They order the pool that all share.

bm25         BM25 of the request against all words of an item, its title and facts among them
dense        one vector an item: the inner product with the mean of its passages
late_fusion  the mean of the k nearest passages of an item (METHOD 9.5)
rank_fusion  1 / (60 + rank) by bm25 and by dense, added up
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pdgf.evaluation.strategies import Strategy
from pdgf.late_fusion import TextsByItem, fused
from pdgf.ports import Embedder, Vectors

RANK_OFFSET = 60  # reciprocal rank fusion's usual constant
Scores = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Corpus:
    """All items of a set as the baselines see them: `vectors` has one row a passage, `texts` says whose it is,
    `by_words` gives the lexical score of each item for a query."""

    ids: tuple[str, ...]
    by_words: Callable[[str], NDArray[np.floating]]
    vectors: Vectors
    texts: TextsByItem
    embedder: Embedder

    @cached_property
    def position(self) -> Mapping[str, int]:
        return {item: place for place, item in enumerate(self.ids)}

    @cached_property
    def means(self) -> Vectors:
        """The mean vector of each item; zeros for an item without a passage."""
        found = np.zeros((len(self.ids), self.vectors.shape[1]), np.float32)
        for run, owner in enumerate(self.texts.owners):
            found[owner] = self.vectors[self.texts.rows(run)].mean(axis=0)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return (found / np.where(lengths > 0.0, lengths, 1.0)).astype(np.float32)


async def baseline_orders(
    request: str, pool: Sequence[str], corpus: Corpus, *, texts_of_an_item: int
) -> dict[Strategy, list[str]]:
    """The pool in the order of each baseline; ties go to what comes first in the pool."""
    vector = (await corpus.embedder.encode([request]))[0]
    places = [corpus.position[item] for item in pool]
    words = np.asarray(corpus.by_words(request), np.float64)[places]
    dense = np.asarray(corpus.means @ vector, np.float64)[places]
    late = fused(corpus.vectors @ vector, corpus.texts, texts_of_an_item)[places]
    both = reciprocal_ranks(words, least=0.0) + reciprocal_ranks(dense)
    scores = {
        Strategy.BM25: words,
        Strategy.DENSE: dense,
        Strategy.LATE_FUSION: late,
        Strategy.RANK_FUSION: both,
    }
    return {name: [pool[place] for place in best_first(found)] for name, found in scores.items()}


def reciprocal_ranks(scores: Scores, *, least: float = -np.inf) -> Scores:
    """1 / (60 + rank) of each score, the best having rank 1; 0 for what does not exceed `least`."""
    ranks = np.empty(len(scores))
    ranks[best_first(scores)] = np.arange(1, len(scores) + 1)
    return np.where(scores > least, 1.0 / (RANK_OFFSET + ranks), 0.0)


def best_first(scores: Scores) -> list[int]:
    """Positions by falling score, ties in their order."""
    return [int(place) for place in np.argsort(-scores, kind="stable")]
