"""What many turns and many conversations cost the store (RELIABILITY L7, L8, L10)."""

import os
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from dialogue.composition import Composition
from pdgf.settings import Settings
from tests.reliability import storing
from tests.reliability.crowd import p95
from tests.reliability.started import started
from tests.stress import Figure

TURNS, CHARS, MB = 100, 500, 1_000_000
AT_ONCE = 200
THREADS, MINE = 10_000, 60


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        composition = Composition(settings=Settings(data_dir=place / "index"))
        size, kept = await storing.growth(place / "growth", composition.ports, "restaurants", TURNS, CHARS)
        await composition.close()
        measured = f"{size / MB:.2f} MB, {kept} readable"
        yield Figure(
            f"store after {TURNS} turns of {CHARS} bytes", "<= 2 MB", measured, size <= 2 * MB and kept == TURNS
        )
        took, lost = await storing.steps_at_once(place / "steps", AT_ONCE)
        slow = p95(took)
        measured = f"{slow:.2f} s, {lost} lost; {_load()}"
        yield Figure(f"{AT_ONCE} turns of 6 written steps at once, p95", "<= 3 s", measured, slow <= 3 and not lost)
        await storing.many_threads(place / "many", THREADS, mine=MINE)
        seconds, rows = await storing.list_seconds(place / "many")
        fine = seconds <= 0.3 and rows == MINE
        yield Figure(f"list of chats among {THREADS}", "<= 0.3 s", f"{seconds:.3f} s; {_load()}", fine)
        async with started(place / "many", warm=False) as server:
            measured = f"{server.seconds:.1f} s, {server.worked():.1f} s of work; {_load()}"
            yield Figure(f"start with {THREADS} conversations", "<= 8 s", measured, server.seconds <= 8)


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"
