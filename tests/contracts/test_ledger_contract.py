"""What every Ledger promises, and what allowances make of it, asked of a file and of PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from dialogue.allowances import DAY_SECONDS, Allowances
from dialogue.ledger import FOREVER, FiledLedger, Ledger
from dialogue.postgres.database import Database
from dialogue.postgres.ledger import SharedLedger
from pdgf.settings import Allowance
from tests.contracts.stores import KINDS
from tests.postgres.serving import fresh_url

PLACE = ("somebody", 20_000)
Again = Callable[[], Ledger]


@pytest.fixture(params=KINDS)
async def again(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Again]:
    """The same ledger as one more process has it."""
    made: list[Ledger] = []
    url = fresh_url() if request.param == "postgres" else ""
    databases: list[Database] = []

    def one_more() -> Ledger:
        if url:
            databases.append(Database(url))
        made.append(SharedLedger(databases[-1]) if url else FiledLedger(tmp_path))
        return made[-1]

    yield one_more
    for ledger in made:
        await ledger.close()
    for database in databases:
        await database.close()


async def test_amounts_of_all_processes_add_up(again: Again) -> None:
    one, two = again(), again()
    assert await one.add(PLACE, "tokens", 100.0) == 100.0
    assert await two.add(PLACE, "tokens", 20.0) == 120.0
    assert await one.add(PLACE, "cost", 0.25) == 0.25
    assert await one.read(PLACE) == await two.read(PLACE) == {"tokens": 120.0, "cost": 0.25}
    assert await one.read(("somebody", 20_001)) == {}
    assert await one.read(("nobody", 20_000)) == {}


async def test_amounts_that_are_told_at_once_are_all_counted(again: Again) -> None:
    one, two = again(), again()
    await asyncio.gather(*(ledger.add(PLACE, "pages", 1.0) for ledger in (one, two) for _ in range(25)))
    assert await two.read(PLACE) == {"pages": 50.0}


async def test_somebody_or_earlier_days_can_be_forgotten(again: Again) -> None:
    ledger = again()
    for place in (PLACE, ("somebody", 19_999), ("talk", FOREVER), ("other", 20_000)):
        await ledger.add(place, "tokens", 1.0)
    await ledger.forget_before(20_000)
    assert await ledger.read(("somebody", 19_999)) == {}
    assert await ledger.read(("talk", FOREVER)) == await ledger.read(PLACE) == {"tokens": 1.0}
    await ledger.forget("somebody")
    assert await ledger.read(PLACE) == {}
    assert await ledger.read(("other", 20_000)) == {"tokens": 1.0}


async def test_what_one_process_spends_is_missing_from_what_another_may(again: Again) -> None:
    limits = {"conversation": Allowance(), "visitor": Allowance(searches=10), "day": Allowance(searches=100)}
    one, two = (Allowances(again(), limits, now=lambda: 20_000.5 * DAY_SECONDS) for _ in range(2))
    account = await one.account("a", "ann")
    account.spend("searches", 7)
    await one._settled()
    elsewhere = await two.account("b", "ann")
    assert elsewhere.left("searches") == (3.0, "visitor")
    elsewhere.spend("searches", 2)
    await two._settled()
    account.spend("searches", 1)
    await one._settled()
    assert (await one.account("a", "ann")).left("searches") == (0.0, "visitor")
    assert (await two.account("c", "bob")).left("searches") == (10.0, "visitor")


async def test_a_running_turn_learns_what_others_spend_with_what_it_spends_itself() -> None:
    limits = {"conversation": Allowance(), "visitor": Allowance(), "day": Allowance(tokens=100)}
    url = fresh_url()
    first, second = Database(url), Database(url)
    one, two = (Allowances(SharedLedger(each), limits, now=lambda: 20_000.5 * DAY_SECONDS) for each in (first, second))
    running = await one.account("a", "ann")
    (await two.account("b", "bob")).spend("tokens", 60)
    await two._settled()
    running.spend("tokens", 10)
    await one._settled()
    assert running.left("tokens") == (100.0 - 60.0 - 10.0, "day")
    await first.close()
    await second.close()
