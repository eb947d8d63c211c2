"""Stores that were damaged after they were closed (RELIABILITY F5)."""

import logging
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

from tests.reliability import damaged_stores
from tests.stress import Figure

SEEDS = 12  # of each damage that hits a random place in a file


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    logging.getLogger("langgraph").setLevel(logging.CRITICAL)
    counts: Counter[str] = Counter()
    faults, opened = [], 0
    with tempfile.TemporaryDirectory() as folder:
        truth = await damaged_stores.built(Path(folder) / "truth")
        canary = Path(folder) / "canary"
        for name, do in damaged_stores.damages(truth, canary, seeds=SEEDS):
            verdict = await damaged_stores.tried(truth, Path(folder) / "copy", name, do, canary)
            counts["refused" if verdict.refused else "opened"] += 1
            opened += len(verdict.opened)
            faults += [f"{name}: {verdict.fault}"] if verdict.fault else []
    total = counts.total()
    yield Figure("damaged or crafted stores tried", ">= 200", f"{total}", total >= 200)
    what = "crashes, code run, silently wrong, overwritten, not in plain words"
    yield Figure(what, "0", f"{len(faults)}{': ' if faults else ''}{'; '.join(faults[:3])}", not faults)
    each = opened / max(1, counts["opened"])
    yield Figure("stores refused by name, whole", "-", f"{counts['refused']}", True)
    yield Figure(
        f"conversations of {len(damaged_stores.THREADS)} that still open, in the others", "-", f"{each:.1f}", True
    )
