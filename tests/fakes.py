"""Small real classes that stand in for the ports: they answer from a script and remember what they were asked."""

import re
import zlib
from collections.abc import Mapping, Sequence

import numpy as np

from pdgf.models import Label, Passage, RelationLabel
from pdgf.ports import RelationRequest, ReviewHit, Vectors

NOT_ADDRESSED = RelationLabel(label=Label.NOT_ADDRESSED)


class ScriptedAgent:
    """A PreferenceAgent that labels (x, f) from a table; pairs that are not in it are not addressed.

    `label_rounds` holds the requests of each call.
    """

    def __init__(self, *, labels: Mapping[tuple[str, str], RelationLabel] | None = None) -> None:
        self._labels = labels or {}
        self.label_rounds: list[list[RelationRequest]] = []

    async def label_relations(self, requests: Sequence[RelationRequest]) -> list[RelationLabel]:
        self.label_rounds.append(list(requests))
        return [self._labels.get((request.text, request.feature), NOT_ADDRESSED) for request in requests]


class HashingEmbedder:
    """An Embedder without a model: each word of three letters or more counts in one of 64 dimensions.

    Equal words make texts similar, nothing else does. `calls` holds the texts of each encode.
    """

    id = "hashing-64"
    dimension = 64
    normalised = True

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    async def encode(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w{3,}", text.casefold()) or [""]:
                vectors[row, zlib.crc32(word.encode()) % self.dimension] += 1.0
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(lengths > 0.0, lengths, 1.0)


class ListedReviews:
    """A ReviewIndex over passages listed by item: similarity is the number of words shared with the query."""

    def __init__(self, passages: Mapping[str, Sequence[Passage]]) -> None:
        self._passages = passages

    async def nearest(self, query: str, items: Sequence[str], k: int) -> list[ReviewHit]:
        asked = set(query.casefold().split())
        hits: list[ReviewHit] = []
        for item in dict.fromkeys(items):
            scored = [
                ReviewHit(item=item, passage=p, score=float(len(asked & set(p.text.casefold().split()))))
                for p in self._passages.get(item, ())
            ]
            hits.extend(sorted(scored, key=lambda hit: -hit.score)[:k])
        return hits
