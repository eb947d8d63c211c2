"""Events of two tabs in 400 orders: messages, stops, reloads, new conversations, going back, deleting."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from tests.reliability.event_orders import EVENTS, open_desk, tried
from tests.stress import Figure

ORDERS, AT_ONCE = 200, 20


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    for losing, what in ((False, "messages, stops, reloads, new chats"), (True, "and going back and deleting")):
        wrong: list[str] = []
        with tempfile.TemporaryDirectory() as folder:
            async with open_desk(Path(folder)) as desk:
                for first in range(0, ORDERS, AT_ONCE):
                    seeds = range(first, first + AT_ONCE)
                    found = await asyncio.gather(*(tried(desk, seed, losing=losing) for seed in seeds))
                    wrong += [each for told in found for each in told]
        figure = f"{ORDERS} orders of {EVENTS} events in two tabs, {what}: lost, doubled, stuck or failed"
        yield Figure(figure, "0", "; ".join([str(len(wrong)), *wrong[:3]]), not wrong)
