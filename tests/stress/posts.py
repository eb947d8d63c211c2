"""Requests straight at the page, past everything that its own parts would send (RELIABILITY 4.5)."""

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from tests.fuzz.posts import attacked, let_through, results_of
from tests.stress import Figure

COUNT = 500


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        async with attacked(Path(folder)) as (page, thread):
            found = await let_through(page, Path(folder), thread, COUNT)
            bar = "0 with 5xx, a file outside or words of others"
            yield Figure(f"{COUNT} requests", bar, "; ".join([str(len(found)), *found[:3]]), not found)
            told = await results_of(page, thread)
            figure = f"every event of {len(page.events())}, naming the conversation of another: shown"
            yield Figure(figure, "0", "; ".join([str(len(told)), *told[:3]]), not told)
