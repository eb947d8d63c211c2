"""What a conversation, a visitor and a day may ask for, over turns, tabs and restarts (C60, LLM10)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from dialogue.allowances import DAY_SECONDS, FILE, FOLDER, Allowances, TurnAccount
from dialogue.events import Finished
from dialogue.models import TurnView
from pdgf.settings import Allowance
from pdgf.usage import Budget
from tests.dialogue.llm_cells import REQUEST, plain_model, stored_in
from tests.dialogue.llm_town import open_llm_town
from tests.dialogue.town import Town
from tests.openai_server import FakeOpenAI

SCOPES = ("conversation", "visitor", "day")
NOON = 20_000 * DAY_SECONDS + DAY_SECONDS / 2


@asynccontextmanager
async def counting(folder: Path, now: float = NOON, **limits: Allowance) -> AsyncIterator[Allowances]:
    """The counts of a folder as one process keeps them."""
    made = Allowances(folder, {scope: limits.get(scope, Allowance()) for scope in SCOPES}, now=lambda: now)
    try:
        yield made
    finally:
        await made.close()


def budget_of(account: TurnAccount) -> Budget:
    return Budget(account=account)


@pytest.mark.parametrize(
    ("scope", "thread", "owner", "now", "left"),
    [
        ("conversation", "t1", "ann", NOON, 2.0),
        ("conversation", "t2", "ann", NOON, 10.0),
        ("conversation", "t1", "ann", NOON + DAY_SECONDS, 2.0),
        ("visitor", "t2", "ann", NOON, 2.0),
        ("visitor", "t1", "bob", NOON, 10.0),
        ("visitor", "t1", "ann", NOON + DAY_SECONDS, 10.0),
        ("day", "t2", "bob", NOON, 2.0),
        ("day", "t1", "ann", NOON + DAY_SECONDS, 10.0),
    ],
)
async def test_c60_each_limit_counts_its_own_and_a_restart_changes_nothing(
    tmp_path: Path, scope: str, thread: str, owner: str, now: float, left: float
) -> None:
    limit = {scope: Allowance(searches=10)}
    async with counting(tmp_path, **limit) as before:
        budget_of(await before.account("t1", "ann")).spend_searches(8)
    async with counting(tmp_path, now, **limit) as after:
        account = await after.account(thread, owner)
        assert account.left("searches") == (left, scope)
        budget = budget_of(account)
        assert budget.room_for("searches", 50) == left
        assert [setback.step for setback in budget.setbacks()] == [f"allowance_{scope}"]


async def test_c60_a_hundred_turns_at_once_share_what_is_left(tmp_path: Path) -> None:
    async with counting(tmp_path, visitor=Allowance(pages=30)) as allowances:
        budgets = [budget_of(await allowances.account(f"t{number}", "ann")) for number in range(100)]
        fetched = 0
        for budget in budgets:
            room = budget.room_for("pages", 1)
            budget.spend_pages(room) if room else None
            fetched += room
    assert fetched == 30


async def test_c60_two_processes_add_to_one_count(tmp_path: Path) -> None:
    async with counting(tmp_path) as one, counting(tmp_path) as other:
        spenders = [budget_of(await each.account("t", "ann")) for each in (one, other)]
        for budget in spenders * 5:
            budget.spend_tokens(3, 4, 0.5)
        await asyncio.gather(one._settled(), other._settled())
        async with counting(tmp_path, day=Allowance(tokens=100, cost=6.0)) as third:
            account = await third.account("new", "bob")
            assert account.left("tokens") == (100 - 2 * 5 * 7, "day")
            assert account.left("cost") == (6.0 - 2 * 5 * 0.5, "day")


async def test_a_deleted_conversation_leaves_no_count_and_nothing_kept_holds_a_name(tmp_path: Path) -> None:
    async with counting(tmp_path, conversation=Allowance(searches=10)) as allowances:
        budget_of(await allowances.account("thread-canary", "owner-canary")).spend_searches(8)
        await allowances.forget("thread-canary")
        assert (await allowances.account("thread-canary", "x")).left("searches") == (10.0, "conversation")
    stored = stored_in(tmp_path)
    assert stored
    assert b"canary" not in stored


async def test_a_file_of_counts_that_is_damaged_stops_no_turn_and_no_count(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / FILE).write_bytes(b"no database at all" * 100)
    async with counting(tmp_path, day=Allowance(searches=10)) as allowances:
        budget_of(await allowances.account("t", "ann")).spend_searches(8)
        assert (await allowances.account("t", "bob")).left("searches") == (2.0, "day")


@pytest.mark.parametrize("scope", SCOPES)
async def test_c60_at_the_limit_the_built_in_engine_goes_on_and_says_so_also_after_a_restart(
    tmp_path: Path, scope: str
) -> None:
    limit = {scope: Allowance(tokens=1)}
    with FakeOpenAI(plain_model) as server:
        async with counting(tmp_path, **limit) as allowances, open_llm_town(tmp_path, server.base_url) as town:
            first = await turn(town, account_for=allowances.account)
            thread = town.thread
            asked = len(server.records)
            assert asked >= 1
            told = [note for note in first.notes if "may ask" in note]
            assert len(told) == 1  # the first call that ends passes the limit, and the rest of the turn goes without
            assert first.items
        async with counting(tmp_path, **limit) as allowances, open_llm_town(tmp_path, server.base_url) as town:
            town.thread = thread
            again = await turn(town, account_for=allowances.account)
        assert len(server.records) == asked
        assert [note for note in again.notes if "may ask" in note] == told
        assert again.items


async def turn(town: Town, **given: Any) -> TurnView:
    """One turn of a conversation that counts."""
    town.conversations._account_for = given["account_for"]
    events = [event async for event in town.conversations.turn(town.thread, REQUEST)]
    assert isinstance(events[-1], Finished)
    return events[-1].view
