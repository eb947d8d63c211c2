"""The index of a catalogue: its passages, their vectors, the vectors of their sentences, and BM25.

Every review is cut into passages, every metadata value is a passage of its own ("Parking: own free car park"). The
sentences of all passages are encoded too, because a relation judge compares sentences (METHOD 12).
"""

import asyncio
import hashlib
import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdgf.catalogues.reading import CatalogueItem
from pdgf.constraints import MetadataSchema, facts_of, schema_of
from pdgf.embedding import CachedEmbedder
from pdgf.late_fusion import TextsByItem
from pdgf.models import Candidate, Passage, Source, normalised
from pdgf.ports import Embedder, Vectors
from pdgf.sources.chinese_index import SUFFIX as CHINESE
from pdgf.sources.chinese_index import ChinesePassages, open_chinese
from pdgf.sources.encoding import Progress, encoded, forget
from pdgf.sources.index_store import IndexDamaged, StoredIndex, load, save, texts_digest
from pdgf.sources.lexical import LexicalIndex
from pdgf.stuffing import passages_said
from pdgf.texts import passages, sentences
from pdgf.traits import Traits

CHECKED = 65_536  # rows of vectors that are looked at together

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PassageRow:
    """A passage, the position of its item, and the metadata key it states, None for a piece of a review."""

    passage: Passage
    item: int
    key: str | None


@dataclass(frozen=True)
class CatalogueIndex:
    """Items and their passages in one order: passages [starts[i], starts[i + 1]) belong to item i.

    `vectors` has one row a passage; `texts` are the distinct passages and sentences, `text_vectors` theirs.
    """

    candidates: tuple[Candidate, ...]
    rows: tuple[PassageRow, ...]
    texts: tuple[str, ...]
    text_vectors: Vectors
    lexical: LexicalIndex
    chinese: ChinesePassages | None = None

    @cached_property
    def vectors(self) -> Vectors:
        row_of = {text: row for row, text in enumerate(self.texts)}
        picked = np.fromiter((row_of[row.passage.text] for row in self.rows), np.int64, len(self.rows))
        found: Vectors = self.text_vectors[picked]
        return found

    @cached_property
    def lengths(self) -> NDArray[np.float32]:
        """The length of each passage vector, 1 for an encoder that normalises; never 0."""
        found: NDArray[np.float32] = np.linalg.norm(self.vectors, axis=1).astype(np.float32)
        return np.maximum(found, np.float32(1e-12))

    @cached_property
    def item_of_passage(self) -> NDArray[np.int32]:
        return np.fromiter((row.item for row in self.rows), np.int32, len(self.rows))

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        return np.searchsorted(self.item_of_passage, np.arange(len(self.candidates) + 1)).astype(np.int64)

    @cached_property
    def texts_by_item(self) -> TextsByItem:
        """Where the passages of each item stand, for late fusion."""
        return TextsByItem.of(self.item_of_passage, len(self.candidates))

    @cached_property
    def states_fact(self) -> NDArray[np.bool_]:
        """Whether each passage is a line of metadata."""
        return np.fromiter((row.key is not None for row in self.rows), np.bool_, len(self.rows))

    @cached_property
    def rows_of_key(self) -> dict[str, NDArray[np.int64]]:
        """The passages that state each metadata key."""
        found: dict[str, list[int]] = {}
        for number, row in enumerate(self.rows):
            if row.key is not None:
                found.setdefault(row.key, []).append(number)
        return {key: np.array(numbers, np.int64) for key, numbers in found.items()}

    def prepare(self) -> None:
        """Work out now what the first request would have to wait for."""
        _ = (self.vectors, self.lengths, self.starts, self.texts_by_item, self.states_fact, self.rows_of_key)
        _ = (self.same_text, self.schema, self.traits.keys, self.traits.find("", None))

    def best_of_items(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """The largest score among the passages of each item; 0 for an item without passages."""
        best = np.zeros(len(self.candidates), np.float32)
        there = np.flatnonzero(np.diff(self.starts))
        if there.size:
            best[there] = np.maximum.reduceat(scores, self.starts[there])
        return best

    @cached_property
    def same_text(self) -> tuple[int, ...]:
        """For each passage a number that equal passages share, white space and case aside."""
        numbers: dict[str, int] = {}
        return tuple(numbers.setdefault(normalised(row.passage.text), len(numbers)) for row in self.rows)

    @cached_property
    def position(self) -> dict[str, int]:
        return {candidate.id: position for position, candidate in enumerate(self.candidates)}

    @cached_property
    def traits(self) -> Traits:
        """What the items are said to be, for wishes for something like one of them."""
        return Traits.of(self.candidates)

    @cached_property
    def schema(self) -> MetadataSchema:
        """The keys and values of all items."""
        return schema_of(self.candidates)


def index_folder(data_dir: Path, domain: str, items: Sequence[CatalogueItem], embedder: Embedder) -> Path:
    """The folder of the index of these items by this encoder: data_dir/index/<domain>-<digest>."""
    digest = hashlib.sha256(f"{catalogue_digest(items)}|{embedder.id}".encode()).hexdigest()
    return data_dir / "index" / f"{domain}-{digest[:16]}"


def catalogue_digest(items: Sequence[CatalogueItem]) -> str:
    """A digest of everything the items say, in their order."""
    digest = hashlib.sha256()
    for item in items:
        said = json.dumps(item.model_dump(mode="json"), ensure_ascii=False, sort_keys=True)
        digest.update(said.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


async def open_index(
    items: Sequence[CatalogueItem],
    *,
    embedder: Embedder,
    folder: Path,
    progress: Progress | None = None,
    chinese: Embedder | None = None,
    known: Path | None = None,
) -> CatalogueIndex:
    """The index of the items, read from `folder` if it was made from exactly them, else built and written there.

    A stored index that is damaged, changed or made from other data or by another encoder is built again, and that is
    logged. A folder that cannot be written costs the next start time, not this one its index. A CachedEmbedder
    learns all vectors. `chinese` encodes the Chinese texts, and them alone, once more. `known` is where vectors came
    with the catalogue: texts found there are not encoded. Raises EmbedderUnavailable, or IndexUnavailable when the
    encoder gives no usable vectors.
    """
    candidates, rows, texts = await asyncio.to_thread(laid_out, items)
    made_from = {
        "catalogue": await asyncio.to_thread(catalogue_digest, items),
        "texts": texts_digest(texts),
        "encoder": embedder.id,
        "dimension": embedder.dimension,
    }
    try:
        index = await asyncio.to_thread(_restore, folder, made_from, candidates, rows, texts)
    except IndexDamaged as reason:
        log.log(logging.INFO if reason.absent else logging.WARNING, "building index %s: %s", folder.name, reason)
        vectors = await encoded(texts, embedder=embedder, folder=folder, progress=progress, known=known)
        lexical = await asyncio.to_thread(LexicalIndex.build, [row.passage.text for row in rows])
        index = CatalogueIndex(candidates, rows, texts, vectors, lexical)
        await asyncio.to_thread(_keep, folder, index, made_from)
    if isinstance(embedder, CachedEmbedder):
        embedder.preload(index.texts, index.text_vectors)
    if chinese is not None:
        index = await _with_chinese(index, chinese, folder, progress, known)
    await asyncio.to_thread(index.prepare)
    return index


async def _with_chinese(
    index: CatalogueIndex, embedder: Embedder, folder: Path, progress: Progress | None, known: Path | None
) -> CatalogueIndex:
    item_of_passage = await asyncio.to_thread(lambda: index.item_of_passage)
    place = folder.with_name(folder.name + CHINESE)
    passages = await open_chinese(
        [(row.passage.text, row.key) for row in index.rows],
        item_of_passage,
        len(index.candidates),
        embedder=embedder,
        folder=folder,
        encode=lambda texts: encoded(texts, embedder=embedder, folder=place, progress=progress, known=known),
    )
    forget(place)
    return index if passages is None else replace(index, chinese=passages)


def laid_out(
    items: Sequence[CatalogueItem],
) -> tuple[tuple[Candidate, ...], tuple[PassageRow, ...], tuple[str, ...]]:
    """Candidates, passages and distinct texts, in the order of the items."""
    candidates = tuple(
        Candidate(id=item.id, title=item.title, year=item.year, metadata=dict(item.metadata)) for item in items
    )
    rows = tuple(row for position, item in enumerate(items) for row in _rows(item, position))
    texts = dict.fromkeys(row.passage.text for row in rows)
    texts |= dict.fromkeys([sentence for text in texts for sentence in sentences(text)])
    return candidates, rows, tuple(texts)


def _rows(item: CatalogueItem, position: int) -> Iterator[PassageRow]:
    """The passages of an item: its reviews in order, then its facts."""
    for number, review in enumerate(item.reviews, start=1):
        url = review.source if (review.source or "").startswith(("http://", "https://")) else None
        source = Source(id=f"{item.id}#r{number}", url=url)
        for text in passages_said(review.text):
            yield PassageRow(Passage(text=text, source=source), position, None)
    for key, line in facts_of(item.metadata):
        source = Source(id=f"{item.id}#{key}")
        for text in passages(line):
            yield PassageRow(Passage(text=text, source=source), position, key)


def _restore(
    folder: Path,
    made_from: dict[str, Any],
    candidates: tuple[Candidate, ...],
    rows: tuple[PassageRow, ...],
    texts: tuple[str, ...],
) -> CatalogueIndex:
    """The stored index. Raises IndexDamaged unless it fits these texts exactly."""
    stored = load(folder, made_from)
    vectors = stored.arrays["vectors"]
    finite = (np.isfinite(vectors[start : start + CHECKED]).all() for start in range(0, len(vectors), CHECKED))
    if vectors.shape != (len(texts), made_from["dimension"]) or not all(finite):
        raise IndexDamaged("vectors of another shape")
    try:
        lexical = LexicalIndex.restore(
            len(rows),
            {word: number for number, word in enumerate(stored.vocabulary)},
            stored.arrays["bm25_data"],
            stored.arrays["bm25_indices"],
            stored.arrays["bm25_indptr"],
        )
    except (ValueError, IndexError) as error:
        raise IndexDamaged(str(error)) from error
    return CatalogueIndex(candidates, rows, texts, vectors, lexical)


def _keep(folder: Path, index: CatalogueIndex, made_from: dict[str, Any]) -> None:
    """Store the index; a store that cannot be written is logged and lived with."""
    lexical = index.lexical
    arrays = {
        "vectors": index.text_vectors,
        "bm25_data": lexical.data,
        "bm25_indices": lexical.indices,
        "bm25_indptr": lexical.indptr,
    }
    try:
        save(folder, StoredIndex(arrays, tuple(lexical.vocabulary)), made_from)
        forget(folder)
    except OSError as error:
        log.warning("index %s cannot be stored and will be built again: %s", folder.name, error.strerror or error)
