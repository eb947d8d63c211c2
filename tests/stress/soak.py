"""Very many turns, some at a time, and what they leave behind in the process (RELIABILITY L6).

STRESS_SOAK_TURNS says how many, STRESS_SOAK_SECONDS after how long no more are begun.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

from tests.reliability.crowd import answered, visitor_in, wish
from tests.reliability.started import Started, started
from tests.reliability.visiting import Page, Visitor
from tests.stress import Figure

TURNS = int(os.environ.get("STRESS_SOAK_TURNS") or 10_000)
SECONDS = float(os.environ.get("STRESS_SOAK_SECONDS") or 1_300)
TOLD_EVERY = 2_000  # turns
AT_ONCE, EACH = 50, 10  # visitors at a time, turns of each
SETTLED = 500  # turns after which growth counts
REST = 35.0  # seconds after which a page that was left is forgotten
SAID = ("more please", "not the second", "is the first one sad?", "something lighter", "hello", "I take the first")


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        async with started(Path(folder) / "data") as server:
            await _talk(server, SETTLED, 0)
            await _rest(server)
            before, threads, files = server.resident(), server.threads(), server.descriptors()
            failed, done, until = 0, SETTLED, time.monotonic() + SECONDS
            while done < TURNS and time.monotonic() < until:
                failed += await _talk(server, AT_ONCE * EACH, done)
                done += AT_ONCE * EACH
                if done % TOLD_EVERY == 0:
                    so_far = f"{failed} not answered, {server.resident() - before:+.0f} MB on {before:.0f}"
                    yield Figure(f"{done} turns, {AT_ONCE} at a time, so far", "-", so_far, True)
            await _rest(server)
            grown = server.resident() - before
            log = server.log.read_text(errors="replace")
            more, open_files = server.threads() - threads, server.descriptors() - files
    what = f"{done} turns, {AT_ONCE} at a time"
    yield Figure(f"{what}: as many as asked for", f"{TURNS}", f"{done}", done >= TURNS)
    yield Figure(f"{what}: not answered", "0", f"{failed}", not failed)
    measured = f"{grown:.0f} MB on {before:.0f}; load {os.getloadavg()[0]:.1f}"
    yield Figure(f"{what}: memory after the first {SETTLED}", "<= 100 MB", measured, grown <= 100)
    left = f"{more} threads, {open_files} files and sockets"
    yield Figure(f"{what}: left behind", "0", left, more <= 0 and open_files <= 0)
    told = log.count("never retrieved") + log.count("Traceback") + log.count("was destroyed")
    yield Figure(f"{what}: orphan tasks and tracebacks in the log", "0", f"{told}", not told)


async def _rest(server: Started) -> None:
    """Let pages be forgotten and threads go. AnyIO ends those of its threads that have nothing to do at the next
    request alone: without one as many would seem left behind as were busy at once."""
    await asyncio.sleep(REST)
    async with Page.opened(server.url):
        pass
    await asyncio.sleep(1)


async def _talk(server: Started, turns: int, first: int) -> int:
    """So many turns; how many ended without an answer."""
    failed = 0
    async with Page.opened(server.url) as page:
        for begun in range(first, first + turns, AT_ONCE * EACH):
            visitors = [visitor_in(page, ("movies", "books")[at % 2]) for at in range(AT_ONCE)]
            failed += sum(await asyncio.gather(*(_visit(each, begun + at) for at, each in enumerate(visitors))))
    return failed


async def _visit(visitor: Visitor, number: int) -> int:
    failed = 0
    for turn in range(EACH):
        shown = await visitor.say(SAID[(number + turn) % len(SAID)] if turn else wish(number))
        failed += bool(shown.error) or not answered(shown.parts.get("chat"))
    return failed
