"""Clocks that jump while people talk, with a model that answers and with one that hangs (RELIABILITY F7)."""

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from tests.reliability.clocks import JUMPS, kept_time, otherwise, talked
from tests.stress import Figure


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        good, wrong = await talked(place / "steady", "steady")
        for name in JUMPS:
            views, told = await talked(place / name, name)
            wrong += [f"{name}: {each}" for each in (*told, *otherwise(views, good))]
        measured = "; ".join([str(len(wrong)), *wrong[:3]])
        yield Figure(f"{len(JUMPS)} clocks that jump at every event: turns that change", "0", measured, not wrong)
        late = [f"{name}: {told}" for name in JUMPS if (told := await kept_time(place / f"{name} late", name))]
        measured = "; ".join([str(len(late)), *late[:3]])
        yield Figure("with a model that hangs: turns that end early or late", "0", measured, not late)
