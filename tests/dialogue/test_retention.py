"""Conversations that nobody goes on with are deleted with all they have left, in files and in a real PostgreSQL."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from dialogue import retention
from dialogue.allowances import Allowances
from dialogue.conversation import Conversations
from dialogue.ledger import FiledLedger, Ledger
from dialogue.postgres.ledger import SharedLedger
from dialogue.postgres.store import SharedStore
from dialogue.retention import DAY, delete_untouched
from dialogue.storing import Store, UnknownConversation
from pdgf.errors import StoreUnavailable
from pdgf.settings import Allowance
from tests.contracts.stores import KINDS, a_store
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent

LIMITS = {name: Allowance(searches=100) for name in ("conversation", "visitor", "day")}


@dataclass
class Kept:
    """A store with two conversations, and the counts of both."""

    store: Store
    ledger: Ledger
    allowances: Allowances
    talks: Conversations
    clock: pytest.MonkeyPatch

    async def later(self, days: float) -> None:
        """Let so many days pass for the store."""
        if isinstance(self.store, SharedStore):  # its clock is that of the server, which no test can move
            await self.store._database.run("UPDATE conversations SET updated = updated - %s", (days * DAY,))
            await self.store._database.run("UPDATE chores SET done = done - make_interval(secs => %s)", (days * DAY,))
        else:
            now = time.time()
            self.clock.setattr("dialogue.store.time.time", lambda: now + days * DAY)

    async def left_of(self, thread: str) -> bool:
        """Whether anything is left of a conversation."""
        [place] = [place for place in (await self.allowances.account(thread, "x")).places.values() if place[1] == 0]
        return bool(await self.store.newest_checkpoint(thread)) or bool(await self.ledger.read(place))


@pytest.fixture(params=KINDS)
async def kept(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Kept]:
    async with a_store(request.param, tmp_path) as store:
        ledger: Ledger = SharedLedger(store._database) if isinstance(store, SharedStore) else FiledLedger(tmp_path)
        allowances = Allowances(ledger, LIMITS)
        ports = town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
        talks = Conversations(store, always(ports), allowances.forget)
        async with talks:
            for thread in ("old", "other"):
                await talks.start("restaurants", "ann", thread)
                async for _ in talks.turn(thread, "ramen in Old Harbour"):
                    pass
                (await allowances.account(thread, "ann")).spend("searches", 1.0)
            await allowances._settled()
            yield Kept(store, ledger, allowances, talks, monkeypatch)
        await allowances.close()


async def test_what_nobody_went_on_with_goes_with_all_it_has_left(kept: Kept) -> None:
    assert await kept.left_of("old")
    assert await delete_untouched(30 * DAY, kept.store, kept.talks) == 0
    await kept.later(31)
    await kept.store.touch("other", "")  # it is gone on with
    assert await delete_untouched(30 * DAY, kept.store, kept.talks) == 1
    assert [row.thread for row in await kept.talks.list("ann")] == ["other"]
    assert not await kept.left_of("old")
    assert await kept.left_of("other")
    with pytest.raises(UnknownConversation):
        await kept.talks.history("old")


async def test_one_that_goes_on_while_it_is_about_to_be_deleted_stays(kept: Kept) -> None:
    [old, _] = sorted(await kept.talks.list("ann"), key=lambda row: row.thread)
    await kept.store.touch("old", "")
    assert not await kept.talks.delete("old", as_of=old.updated)
    assert await kept.store.has("old")


async def test_it_is_looked_once_an_interval_by_all_who_share_the_store(kept: Kept) -> None:
    async with kept.store.chore("c", 60.0) as first:
        if isinstance(kept.store, SharedStore):
            async with SharedStore(kept.store._database) as elsewhere, elsewhere.chore("c", 0.0) as meanwhile:
                assert not meanwhile
    async with kept.store.chore("c", 60.0) as again, kept.store.chore("another", 60.0) as other:
        assert (first, again, other) == (True, False, True)
    await kept.later(1)
    async with kept.store.chore("c", 60.0) as at_last:
        assert at_last


async def looked(kept: Kept, days: float | None) -> list[str]:
    """What is left once it has been looked through."""
    done = asyncio.Event()

    async def also() -> None:
        done.set()

    task = asyncio.create_task(retention.kept_for(days, kept.store, kept.talks, also))
    async with asyncio.timeout(20.0):
        await done.wait()
        while days is not None and await kept.store.has("old"):  # noqa: ASYNC110  another task
            await asyncio.sleep(0.02)
    task.cancel()
    await asyncio.wait([task])
    return sorted(row.thread for row in await kept.talks.list("ann"))


async def test_without_days_nothing_goes(kept: Kept) -> None:
    await kept.later(4_000)
    assert await looked(kept, None) == ["old", "other"]


async def test_with_days_it_goes_by_itself(kept: Kept) -> None:
    await kept.later(31)
    await kept.store.touch("other", "")
    assert await looked(kept, 30.0) == ["other"]


async def test_a_store_that_cannot_be_asked_is_asked_again_at_the_next_hour(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = kept.store.untouched
    broken = [StoreUnavailable("secret"), None]

    async def untouched(seconds: float) -> object:
        if error := broken.pop(0):
            raise error
        return await asked(seconds)

    monkeypatch.setattr(kept.store, "untouched", untouched)
    monkeypatch.setattr(retention, "EVERY", 0.0)
    await kept.later(31)
    await kept.store.touch("other", "")
    assert await looked(kept, 30.0) == ["other"]
    assert "could not be looked through: StoreUnavailable" in caplog.text
    assert "secret" not in caplog.text


async def test_days_that_are_over_leave_no_counts_of_visitors(kept: Kept) -> None:
    places = (await kept.allowances.account("old", "ann")).places
    assert await kept.ledger.read(places["visitor"])
    later = Allowances(kept.ledger, LIMITS, now=lambda: time.time() + 3 * DAY)
    await later.forget_days()
    assert not await kept.ledger.read(places["visitor"])
    assert await kept.ledger.read(places["conversation"])
