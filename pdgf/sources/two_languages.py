"""How texts that are asked for meet passages of two languages. Scores of two encoders never mix: ranks do. Pure.

A Chinese text meets English passages through its English words and the main encoder, Chinese passages through the
Chinese encoder; what both find is ordered by rank.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdgf.glossary import gloss, has_han, in_english
from pdgf.ports import Vectors
from pdgf.sources.chinese_index import ChinesePassages
from pdgf.sources.dense import MISSING, products

CHINESE_FLOOR = 0.25  # cosine of the Chinese encoder below which a passage does not address a preference

Row = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Asked:
    """Texts with their vectors, one row each: of the main encoder, and of the Chinese one where it is needed."""

    texts: tuple[str, ...]
    vectors: Vectors
    chinese: Vectors | None

    def part(self, start: int, end: int | None = None) -> "Asked":
        """Some of the texts."""
        chinese = None if self.chinese is None else self.chinese[start:end]
        return Asked(self.texts[start:end], self.vectors[start:end], chinese)


@dataclass(frozen=True, eq=False)
class Scores:
    """One row a text: over all passages by the main encoder, over the Chinese passages by theirs."""

    dense: NDArray[np.float32]
    chinese: NDArray[np.float32] | None

    def of(self, row: int) -> tuple[Row, Row | None]:
        """The scores of one text."""
        return self.dense[row], None if self.chinese is None else self.chinese[row]


def needs_chinese(texts: Sequence[str], passages: ChinesePassages | None) -> bool:
    """Whether texts must be compared with Chinese passages."""
    return passages is not None and (passages.alone or any(map(has_han, texts)))


def english_texts(texts: Sequence[str]) -> list[str]:
    """What the main encoder sees of each text."""
    return [in_english(text) for text in texts]


def wordless(text: str) -> bool:
    """Whether a text is Chinese and no English word of it is known: the main encoder has nothing to say of it."""
    return has_han(text) and not gloss(text)


def lexical_words(text: str) -> str:
    """What BM25 sees of a text: its own words and their English ones."""
    return f"{text} {gloss(text)}" if has_han(text) else text


def scores_of(asked: Asked, vectors: Vectors, passages: ChinesePassages | None) -> Scores:
    """Every text against every passage. MISSING where an encoder has nothing to say: English passages for a text of
    which no English word is known, Chinese passages for the main encoder where their own one is used."""
    dense = products(asked.vectors, vectors) if asked.texts else np.zeros((0, len(vectors)), np.float32)
    for row, text in enumerate(asked.texts):
        if wordless(text):
            dense[row] = MISSING
    if asked.chinese is None or passages is None:
        return Scores(dense, None)
    dense[:, passages.rows] = MISSING
    return Scores(dense, products(asked.chinese, passages.vectors))


def substance(chinese: Row | None, passages: ChinesePassages | None, count: int) -> NDArray[np.bool_]:
    """The Chinese passages that address a text, as a mask of all passages."""
    found = np.zeros(count, np.bool_)
    if chinese is not None and passages is not None:
        found[passages.rows[chinese >= CHINESE_FLOOR]] = True
    return found


def together(dense: Row, chinese: Row | None, passages: ChinesePassages | None) -> Row:
    """One order of all passages: each one's rank among those of its encoder, as a share in (0, 1], 1 the best.

    Without Chinese scores those of the main encoder themselves.
    """
    if chinese is None or passages is None:
        return dense
    merged = np.full(len(dense), MISSING, np.float32)
    own = np.setdiff1d(np.arange(len(dense)), passages.rows)
    for rows, scores in ((own, dense[own]), (passages.rows, chinese)):
        order = np.argsort(-scores, kind="stable")
        order = order[np.isfinite(scores[order])]
        merged[rows[order]] = 1.0 - np.arange(len(order)) / max(1, len(order))
    return merged
