"""Whose words turn up where, among many visitors at once (RELIABILITY I1 to I4).

STRESS_VISITORS, STRESS_TURNS and STRESS_INTRUSIONS say how many.
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from tests.reliability.crowd import canary
from tests.reliability.isolation import DOMAIN, House, intrusions, left_in, line, open_house, talk
from tests.stress import Figure

VISITORS = int(os.environ.get("STRESS_VISITORS") or 200)
TURNS = int(os.environ.get("STRESS_TURNS") or 20)
INTRUSIONS = int(os.environ.get("STRESS_INTRUSIONS") or 10_000)


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        async with open_house(place / "talk") as house:
            found = await talk(house, VISITORS, TURNS)
        what = f"{VISITORS} visitors of {TURNS} turns: words of others in replies, prompts, state, store, log"
        yield Figure(what, "0", _told(found), not found)
        async with open_house(place / "intrusions") as house:
            found = await intrusions(house, INTRUSIONS)
        yield Figure(f"{INTRUSIONS} requests with conversations of others: hits", "0", _told(found), not found)
        async with open_house(place / "deleted", latency=0.2) as house:
            found = await deleted(house)
        yield Figure("files that hold a word of a deleted conversation", "0", _told(found), not found)


async def deleted(house: House) -> list[str]:
    """The files with words of a conversation that was deleted while a turn ran in it."""
    visitor = house.visitor()
    await visitor.say(line(7, 0))
    if not left_in(house.folder, canary(7)):
        return ["nothing was stored before"]
    running = asyncio.create_task(visitor.say(line(7, 1)))
    await asyncio.sleep(0.5)
    other = house.visitor()
    other.values["browserstate"] = visitor.memory
    await other.do("act", {"say": f"delete {visitor.memory['threads'][DOMAIN]}"})
    await running
    return left_in(house.folder, canary(7))


def _told(found: list[str]) -> str:
    return f"{len(found)}{': ' if found else ''}{'; '.join(found[:3])}"
