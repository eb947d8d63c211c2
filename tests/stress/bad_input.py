"""Replies of models, results of searches, titles, graphs and files, each kind spoilt many times (RELIABILITY 4.5)."""

import random
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

from pdgf.errors import ReplyUnusable
from pdgf.llm.replies import read_reply
from tests.fuzz.files import wrongly_taken
from tests.fuzz.pure import misjudged, title_pairs, wrong_graphs, wrong_hits
from tests.pdgf.llm.mutations import SAMPLES, mutated
from tests.stress import Figure

REPLIES, HITS, GRAPHS, FILES = 10_000, 1_000, 10_000, 300
SLOWEST = 0.005  # seconds for one reply


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    wrong, slow = _replies()
    yield _row(f"{REPLIES:,} mutated replies: an exception or no valid object", wrong)
    yield Figure(
        f"of these slower than {1000 * SLOWEST:.0f} ms of CPU", "0", "; ".join([str(len(slow)), *slow[:3]]), not slow
    )
    yield _row(f"{HITS:,} results of searches: good ones lost, bad ones kept", list(wrong_hits(range(HITS))))
    pairs = title_pairs()
    bad = misjudged(pairs)
    merged = [pair for pair in bad if not pair.same]
    same = sum(pair.same for pair in pairs)
    share = 1 - sum(pair.same for pair in bad) / same
    languages = len({pair.language for pair in pairs})
    yield _row(
        f"{len(pairs) - same} pairs of different titles in {languages} languages: merged",
        [str(pair) for pair in merged],
    )
    yield Figure(
        f"{same} pairs of the same title: merged", ">= 95 %", f"{share:.1%}", share >= 0.95 and len(pairs) >= 400
    )
    yield _row(f"{GRAPHS:,} graphs: unsound, unstable or slower than 50 ms", list(wrong_graphs(range(GRAPHS))))
    with tempfile.TemporaryDirectory() as folder:
        yield _row(
            f"{FILES} files offered in 4 ways: neither taken nor refused, or out of their folder",
            await wrongly_taken(Path(folder), FILES),
        )


def _replies() -> tuple[list[str], list[str]]:
    wrong, slow = [], []
    for number in range(REPLIES):
        kind, _ = sample = SAMPLES[number % len(SAMPLES)]
        text = mutated(sample, random.Random(number))
        begun = time.process_time()
        try:
            reply = read_reply(text, kind)
            seconds = time.process_time() - begun
            if kind.model_validate(reply.model_dump()) != reply:
                wrong.append(f"reply {number}: not in its schema")
        except ReplyUnusable:
            seconds = time.process_time() - begun
        except Exception as error:  # noqa: BLE001  that is the fault looked for
            seconds = 0.0
            wrong.append(f"reply {number}: {type(error).__name__}: {error}")
        if seconds > SLOWEST:
            slow.append(f"reply {number}: {1000 * seconds:.0f} ms")
    return wrong, slow


def _row(figure: str, wrong: list[str]) -> Figure:
    return Figure(figure, "0", "; ".join([str(len(wrong)), *wrong[:3]]), not wrong)
