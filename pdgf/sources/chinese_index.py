"""The Chinese texts of a catalogue with vectors of their own encoder: few, and only where there are any (METHOD 13.2).

They are stored beside the index, in the same form, under its name and "-zh".
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pdgf.embedding import CachedEmbedder
from pdgf.glossary import has_han, is_chinese
from pdgf.late_fusion import TextsByItem
from pdgf.ports import Embedder, Vectors
from pdgf.sources.index_store import IndexDamaged, StoredIndex, load, save, texts_digest
from pdgf.texts import sentences

SUFFIX = "-zh"

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class ChinesePassages:
    """The passages of an index that are Chinese, by their rows, with one vector each and where those of an item stand.

    `alone`: some item has no note in another language, so that English wishes must be compared with them too.
    """

    rows: NDArray[np.int64]
    vectors: Vectors
    by_item: TextsByItem
    alone: bool


def chinese_rows(passages: Sequence[tuple[str, str | None]]) -> NDArray[np.int64]:
    """The rows of the passages, given as (text, metadata key or None), that are Chinese: notes, and facts whose value
    is. Names of an item are nobody's language."""
    found = [
        row
        for row, (text, key) in enumerate(passages)
        if has_han(text)
        and is_chinese(text if key is None else text.partition(":")[2])
        and not (key is not None and ("title" in key or "name" in key))
    ]
    return np.array(found, np.int64)


def chinese_texts(passages: Sequence[str]) -> tuple[str, ...]:
    """The distinct passages, which are Chinese, and their Chinese sentences: what has a vector of its own."""
    texts = dict.fromkeys(passages)
    texts |= dict.fromkeys(s for passage in passages for s in sentences(passage) if is_chinese(s))
    return tuple(texts)


async def open_chinese(
    passages: Sequence[tuple[str, str | None]],
    item_of_passage: NDArray[np.int32],
    items: int,
    *,
    embedder: Embedder,
    folder: Path,
    encode: Callable[[Sequence[str]], Awaitable[Vectors]],
) -> ChinesePassages | None:
    """The Chinese passages with their vectors, read from beside `folder` or made by `encode`; None without any.

    A CachedEmbedder learns the vectors of the passages and of their sentences. Raises what `encode` raises.
    """
    rows = await asyncio.to_thread(chinese_rows, passages)
    if not rows.size:
        return None
    texts = chinese_texts([passages[row][0] for row in rows])
    place = folder.with_name(folder.name + SUFFIX)
    made_from = {"texts": texts_digest(texts), "encoder": embedder.id, "dimension": embedder.dimension}
    try:
        vectors = await asyncio.to_thread(_restored, place, made_from, len(texts))
    except IndexDamaged as reason:
        log.log(logging.INFO if reason.absent else logging.WARNING, "encoding Chinese texts: %s", reason)
        vectors = await encode(texts)
        await asyncio.to_thread(_keep, place, vectors, made_from)
    if isinstance(embedder, CachedEmbedder):
        embedder.preload(texts, vectors)
    row_of = {text: row for row, text in enumerate(texts)}
    own = vectors[[row_of[passages[row][0]] for row in rows]]
    by_item = TextsByItem.of(item_of_passage[rows], items)
    return ChinesePassages(rows, own, by_item, _alone(passages, item_of_passage, rows))


def _alone(
    passages: Sequence[tuple[str, str | None]], item_of_passage: NDArray[np.int32], rows: NDArray[np.int64]
) -> bool:
    """Whether an item has Chinese notes and no other."""
    chinese = set(rows.tolist())
    notes = [row for row, (_, key) in enumerate(passages) if key is None]
    other = {int(item_of_passage[row]) for row in notes if row not in chinese}
    return any(int(item_of_passage[row]) not in other for row in notes if row in chinese)


def _restored(place: Path, made_from: dict[str, object], texts: int) -> Vectors:
    vectors: Vectors = load(place, made_from).arrays["vectors"]
    if vectors.shape != (texts, made_from["dimension"]) or not np.isfinite(vectors).all():
        raise IndexDamaged("vectors of another shape")
    return vectors


def _keep(place: Path, vectors: Vectors, made_from: dict[str, object]) -> None:
    """Store the vectors; a store that cannot be written is logged and lived with."""
    nothing = {"bm25_data": np.zeros(0, np.float32), "bm25_indices": np.zeros(0, np.int32)}
    arrays = {"vectors": vectors, **nothing, "bm25_indptr": np.zeros(1, np.int32)}
    try:
        save(place, StoredIndex(arrays, ()), made_from)
    except OSError as error:
        log.warning("Chinese texts of %s cannot be stored: %s", place.name, error.strerror or error)
