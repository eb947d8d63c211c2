"""Events in any order lose no message and leave nothing running; 400 orders: `python -m tests.stress event_orders`."""

import asyncio
from pathlib import Path

import pytest

from tests.dialogue.town import open_town
from tests.reliability.event_orders import Order, Tab, _accounted, open_desk, tried
from tests.reliability.isolation import left_in

ORDERS = 10


@pytest.mark.parametrize("losing", [False, True])
async def test_events_of_two_tabs_in_any_order_lose_no_message_and_leave_nothing_running(
    tmp_path: Path, losing: bool
) -> None:
    async with open_desk(tmp_path) as desk:
        found = await asyncio.gather(*(tried(desk, seed, losing=losing) for seed in range(ORDERS)))
    assert [each for wrong in found for each in wrong] == []


async def test_a_message_that_stands_nowhere_would_be_found(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        order = Order(seed=0, losing=False, sent=["never stored"])
        assert await _accounted(desk, order, Tab("tab", {"owner": "me", "domain": "restaurants", "threads": {}}).memory)


async def test_a_conversation_is_deleted_without_a_trace_while_others_are_read(tmp_path: Path) -> None:
    """SQLite refuses to empty its log over a connection that somebody is reading from (I4)."""
    word = "zkanarienvogel"
    async with open_town(tmp_path) as town:
        store = town.conversations._store
        for number in range(8):
            await store.add(thread=f"thread {number}", owner=f"owner {number}", domain="restaurants")
            await store.touch(f"thread {number}", f"{word}{number}")
            await store.content(f"thread {number}").put(f"{word} {number}")
        assert left_in(tmp_path, word)
        async with store._chats.execute("SELECT * FROM conversations") as cursor:  # type: ignore[attr-defined]
            await cursor.fetchone()
            deleting = asyncio.create_task(store.delete("thread 0"))
            await asyncio.wait([deleting], timeout=0.3)
        await deleting
        await asyncio.gather(*(store.delete(f"thread {number}") for number in range(1, 8)))
        assert left_in(tmp_path, word) == []
