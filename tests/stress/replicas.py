"""Many chats over three processes and one database while processes are killed, and a kill at every moment of a turn."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.postgres.killing import killed_at_exchange
from tests.postgres.replicas import Talked, talked
from tests.postgres.serving import fresh_url
from tests.stress import Figure

CHATS, KILLS = 200, 5
UTTERANCES = ("ramen in Old Harbour", "quiet please", "with parking", "more", "vegan", "something quieter")


def figures() -> Iterator[Figure]:
    """Outside any loop, for processes are forked."""
    came = asyncio.run(_talked())
    lost = sum(said != list(UTTERANCES) for said in came.finished)
    turns = CHATS * len(UTTERANCES)
    yield Figure(
        f"chats with a turn lost or doubled, {KILLS} kills, {came.broken} turns broken", "0", str(lost), lost == 0
    )
    yield Figure("turns a second, three processes on this computer", "-", f"{turns / came.seconds:.1f}", True)
    tried, faults, number, killed = 0, 0, 1, True
    while killed:
        outcome = killed_at_exchange(fresh_url(), number)
        tried, killed, number = tried + 1, outcome.killed, number + 3
        faults += bool(outcome.fault)
    yield Figure(
        f"kills before an exchange with the database that lose something, of {tried}", "0", str(faults), not faults
    )


async def _talked() -> Talked:
    with tempfile.TemporaryDirectory(prefix="replicas-") as folder:
        return await talked(fresh_url(), Path(folder), chats=CHATS, utterances=UTTERANCES, kills=KILLS, at_once=12)
