"""Lexical search over passages: BM25 on stemmed words, deterministic, saved as plain arrays."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_VOWEL = re.compile(r"[aeiouy]")

ARRAYS = ("bm25_data", "bm25_indices", "bm25_indptr")


def tokens(text: str) -> list[str]:
    """The stems of a text's words without English stop words; text in CJK script as pairs of characters."""
    found: list[str] = []
    for word in _WORD.findall(text.casefold()):
        if _CJK.search(word):
            found.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif word not in _stop_words():
            found.append(stem(word))
    return found


def stem(word: str) -> str:
    """A word without the endings of number, tense and manner, so that "bakes", "baked" and "baking" meet.

    Light on purpose: it never touches words of three letters and leaves a vowel in what remains.
    """
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed", "ly"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and _VOWEL.search(rest):
            double = rest[-1] == rest[-2] and rest[-1] not in "lsz"
            word = rest[:-1] if double else rest
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return f"{word[:-1]}i" if len(word) > 3 and word.endswith("y") else word


@dataclass(frozen=True)
class LexicalIndex:
    """BM25 scores of every stem in every passage, column by column (compressed sparse columns)."""

    passages: int
    vocabulary: dict[str, int]
    data: NDArray[np.float32]
    indices: NDArray[np.int32]
    indptr: NDArray[np.int32]
    _scorer: Any

    @classmethod
    def build(cls, texts: Sequence[str]) -> "LexicalIndex":
        """Index passages; the vocabulary is numbered in order of first appearance."""
        vocabulary: dict[str, int] = {}
        ids = [[vocabulary.setdefault(token, len(vocabulary)) for token in tokens(text)] for text in texts]
        if not vocabulary:
            return cls.restore(len(texts), {}, np.zeros(0, np.float32), np.zeros(0, np.int32), np.zeros(1, np.int32))
        scorer = _scorer()
        scorer.index((ids, dict(vocabulary)), create_empty_token=False, show_progress=False)
        data, indices, indptr = (np.ascontiguousarray(scorer.scores[name]) for name in ("data", "indices", "indptr"))
        return cls.restore(len(texts), vocabulary, data, indices.astype(np.int32), indptr.astype(np.int32))

    @classmethod
    def restore(
        cls,
        passages: int,
        vocabulary: dict[str, int],
        data: NDArray[np.float32],
        indices: NDArray[np.int32],
        indptr: NDArray[np.int32],
    ) -> "LexicalIndex":
        """An index from its saved parts. Raises ValueError when they do not fit together."""
        fits = (
            indptr.shape == (len(vocabulary) + 1,)
            and data.shape == indices.shape == (int(indptr[-1]),)
            and bool((np.diff(indptr) >= 0).all() and np.isfinite(data).all())
            and (indices.size == 0 or (indices.min() >= 0 and indices.max() < passages))
            and sorted(vocabulary.values()) == list(range(len(vocabulary)))
        )
        if not fits:
            raise ValueError("the parts of the lexical index do not fit together")
        scorer = _scorer()
        scorer.scores = {"data": data, "indices": indices, "indptr": indptr, "num_docs": passages}
        scorer.vocab_dict = vocabulary
        scorer.nonoccurrence_array = None
        return cls(passages, vocabulary, data, indices, indptr, scorer)

    def scores(self, text: str) -> NDArray[np.float32]:
        """The BM25 score of every passage for a query, each stem counted once; 0 where no word occurs."""
        known = [self.vocabulary[token] for token in dict.fromkeys(tokens(text)) if token in self.vocabulary]
        if not known:
            return np.zeros(self.passages, np.float32)
        scores: NDArray[np.float32] = self._scorer.get_scores_from_ids(known)
        return scores


def _scorer() -> Any:
    """An empty BM25 of bm25s, which logs its every step unless told otherwise."""
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return bm25s.BM25(backend="numpy")


@lru_cache(maxsize=1)
def _stop_words() -> frozenset[str]:
    from bm25s.stopwords import STOPWORDS_EN_PLUS

    return frozenset(STOPWORDS_EN_PLUS)
