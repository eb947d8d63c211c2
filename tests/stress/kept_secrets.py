"""Keys planted in eight settings, hosts connected to, and who may read what is written (RELIABILITY S1 to S4)."""

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from tests.reliability.leaking import FAULTS, PLANTED, used
from tests.stress import Figure

ROUNDS = 4  # of every fault


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        found = await used(Path(folder) / "place", turns=ROUNDS * len(FAULTS))
    rows = (
        (f"{len(PLANTED)} planted keys in page, log, store, exports, prompts, title", found.keys),
        ("hosts connected to that no setting names", found.hosts),
        ("files of the data folder that others may read", found.readable),
        ("lines of the log with words of a visitor", found.words),
    )
    for figure, wrong in rows:
        measured = f"{len(wrong)} in {found.looked_at} places{': ' if wrong else ''}{'; '.join(wrong[:3])}"
        yield Figure(figure, "0", measured, not wrong)
    tried = f"{found.asked} requests, {'a' if found.searched else 'no'} search"
    yield Figure(
        "asked of the model and of the web while that was looked for",
        "> 0",
        tried,
        bool(found.asked and found.searched),
    )
