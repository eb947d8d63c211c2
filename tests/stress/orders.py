"""Orders in titles, facts, reviews and notes to a model that obeys, and to the built-in engine (LLM01)."""

import itertools
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from tests.fuzz.orders import EVERY, MORE_ORDERS, SUPPORT, WHERE, moved_by_notes, moved_by_orders
from tests.stress import Figure


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    cells = list(itertools.product(EVERY, WHERE))
    with tempfile.TemporaryDirectory() as folder:
        found = await moved_by_orders(Path(folder), cells)
        figure = f"{len(cells)} orders to a model that obeys: another item moved, or their own gained"
        yield Figure(figure, "0 of 120", "; ".join([str(len(found)), *found[:5]]), not found and len(cells) >= 120)
        notes = [*SUPPORT, *MORE_ORDERS]
        found = await moved_by_notes(Path(folder) / "notes", notes)
        yield Figure(
            f"{len(notes)} orders in notes, built-in engine: the same",
            "0",
            "; ".join([str(len(found)), *found[:5]]),
            not found,
        )
