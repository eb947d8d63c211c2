"""The memory that 2,000 pages leave behind in the process that reads them, and in the one that has them read (C16)."""

import asyncio
import multiprocessing
from collections.abc import AsyncIterator
from typing import Any

from pdgf.sources.extract import WORKERS, Extractor
from pdgf.sources.fetch import Fetched
from pdgf.sources.reading import forget, read
from pdgf.usage import Budget
from tests.bench.extraction import FORGET, PAGES, bodies
from tests.bench.machine import resident
from tests.stress import Figure

BAR = 50.0  # MB
WARM = 100  # pages


def _reads_alone(told: Any) -> None:
    """Read all pages in this process, and tell how it grew from the hundredth on."""
    after_warm = 0.0
    for number, body in enumerate(bodies(), start=1):
        read(body, mime="text/html", charset="utf-8")
        if number % FORGET == 0:
            forget()
        if number == WARM:
            after_warm = resident()
    told.send(resident() - after_warm)


async def _has_them_read() -> float:
    """How much this process grows while others read for it."""
    extractor, given = Extractor(), bodies()
    pages = [Fetched(url="https://films.example", mime="text/html", body=body) for body in given]
    await asyncio.gather(*(extractor.text_of(pages[0], Budget(seconds=600)) for _ in range(WORKERS)))
    before = resident()
    for start in range(0, len(pages), WARM):
        batch = pages[start : start + WARM]
        await asyncio.gather(*(extractor.text_of(page, Budget(seconds=600)) for page in batch))
    grown = resident() - before
    await extractor.aclose()
    return grown


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    reader = context.Process(target=_reads_alone, args=(there,))
    reader.start()
    alone = await asyncio.to_thread(here.recv)
    reader.join()
    for what, grown in (("that reads", alone), ("that has them read", await _has_them_read())):
        figure = f"growth of the process {what} {PAGES} pages, MB"
        yield Figure(figure, f"<= {BAR:.0f}", f"{grown:.1f}", grown <= BAR)
