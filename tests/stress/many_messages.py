"""Very many messages in one conversation, and the same conversation opened anew (RELIABILITY L7, C48)."""

import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path

from tests.dialogue.town import open_town
from tests.stress import Figure

MESSAGES, SLICE = 2_000, 100
SLOWER, OPEN_SECONDS, MB = 3.0, 5.0, 1_000_000
SAID = (
    "quiet ramen in Old Harbour", "something quieter", "with a terrace please", "is it loud?", "more",
    "not the second", "vegan", "hello there", "with parking", "in the Mill Quarter", "why the first?", "no terrace",
)  # fmt: skip


@dataclass
class Many:
    """What very many messages came to."""

    finished: int = 0
    work: list[float] = field(default_factory=list)  # seconds of each turn, whatever else the machine does
    opened: float = 0.0  # seconds of work until the last turns can be read again
    whole: bool = False  # whether what is read again is what was said
    size: int = 0  # bytes of the store


async def many_messages(folder: Path, count: int) -> Many:
    """A conversation of so many messages, no two the same."""
    told, said = Many(), [f"{words} (note {n})" for n, words in enumerate(islice(cycle(SAID), count))]
    async with open_town(folder) as town:
        for words in said:
            begun = time.process_time()
            view = await town.say(words)
            told.work.append(time.process_time() - begun)
            told.finished += bool(view.finished and view.reply.strip())
        thread = town.thread
    told.size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())  # noqa: ASYNC240
    begun = time.process_time()
    async with open_town(folder) as again:
        told.whole = [view.utterance for view in await again.conversations.history(thread)] == said
        told.opened = time.process_time() - begun
    return told


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        told = await many_messages(Path(folder), MESSAGES)
    measured = f"{told.finished}, {'all' if told.whole else 'not all'} there again"
    fine = told.finished == MESSAGES and told.whole
    yield Figure(f"{MESSAGES:,} messages in one conversation: answered and kept", f"{MESSAGES:,}", measured, fine)
    early, late = statistics.median(told.work[:SLICE]), statistics.median(told.work[-SLICE:])
    measured = f"{1000 * early:.0f} ms to {1000 * late:.0f} ms"
    fine = late <= SLOWER * early
    yield Figure("work of a turn at the start and at the end", f"<= {SLOWER:.0f} times", measured, fine)
    fine = told.opened <= OPEN_SECONDS
    yield Figure("work until it can be read again, s", f"<= {OPEN_SECONDS:.0f}", f"{told.opened:.1f}", fine)
    yield Figure("store of it, MB", "-", f"{told.size / MB:.1f}", True)
