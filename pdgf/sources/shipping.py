"""Writes the vectors of an index beside its catalogue, so that they come with the package."""

import asyncio
from pathlib import Path

from pdgf.ports import Embedder
from pdgf.sources.chinese_index import chinese_texts
from pdgf.sources.index import CatalogueIndex
from pdgf.sources.shipped_vectors import ShippedVectors, ship


async def ship_index(index: CatalogueIndex, place: Path, embedder: Embedder, chinese: Embedder | None) -> None:
    """Write the vectors of all texts, and those of the Chinese ones by their encoder. Raises OSError."""
    await asyncio.to_thread(ship, place, embedder, ShippedVectors.of(index.texts, index.text_vectors))
    if chinese is None or index.chinese is None:
        return
    texts = chinese_texts([index.rows[row].passage.text for row in index.chinese.rows])
    vectors = await chinese.encode(texts)
    await asyncio.to_thread(ship, place, chinese, ShippedVectors.of(texts, vectors))
