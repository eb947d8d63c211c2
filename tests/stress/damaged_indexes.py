"""Indexes, vectors that come with a catalogue, and caches, each damaged on disk (RELIABILITY F6)."""

import logging
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from tests.reliability import damaged_caches, damaged_indexes
from tests.reliability.damaged_indexes import Indexes
from tests.stress import Figure

SEEDS = 8  # of each damage that hits a random place in a file


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    logging.getLogger("pdgf").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        place, copy = Path(folder), Path(folder) / "copy"
        indexes = await Indexes.built(place / "indexes")
        faults = [(name, await indexes.tried(copy, do)) for name, do in indexes.damages(seeds=SEEDS)]
        yield _row("indexes of a catalogue: noticed, built again or named", 500, faults)
        (place / "vectors").mkdir()
        texts = await damaged_indexes.shipped_built(place / "vectors")
        damages = list(damaged_indexes.shipped_damages(seeds=5 * SEEDS))
        faults = [
            (name, await damaged_indexes.shipped_tried(place / "vectors", copy, do, texts)) for name, do in damages
        ]
        yield _row("vectors beside a catalogue: right ones or none", 150, faults)
        await damaged_caches.built(place / "caches")
        damages = list(damaged_caches.damages(seeds=2 * SEEDS))
        faults = [(name, await damaged_caches.tried(place / "caches", copy, do)) for name, do in damages]
        yield _row("caches of pages and replies: what was put there or nothing", 150, faults)


def _row(figure: str, bar: int, tried: list[tuple[str, str]]) -> Figure:
    wrong = [f"{name}: {fault}" for name, fault in tried if fault]
    measured = f"{len(tried) - len(wrong)} of {len(tried)}{'; ' if wrong else ''}{'; '.join(wrong[:3])}"
    return Figure(figure, f"all of >= {bar}", measured, not wrong and len(tried) >= bar)
