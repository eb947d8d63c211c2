"""One turn at a time in a conversation, over processes that share a database, whatever becomes of them."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from dialogue.past import config_of
from dialogue.postgres import database as databases
from dialogue.postgres.database import Connection, Database
from dialogue.postgres.store import SharedStore
from dialogue.postgres.thread_locks import DatabaseLocks
from pdgf.errors import ConversationBusy, DatabaseTooNew, DatabaseUnavailable
from tests.contracts.stores import shared
from tests.contracts.test_store_contract import STEP, holding
from tests.postgres.serving import fresh_url
from tests.reliability.forked import Tell, fork


async def begun(store: SharedStore) -> None:
    await store.add(thread="t", owner="ann", domain="movies")


async def test_a_second_process_waits_for_the_first_and_then_comes_in() -> None:
    url = fresh_url()
    async with shared(url) as one, shared(url) as two:
        await begun(one)
        order: list[str] = []

        async def second() -> None:
            async with two.alone("t"):
                order.append("second")

        async with one.alone("t"):
            waiting = asyncio.create_task(second())
            await asyncio.sleep(0.3)
            order.append("first")
        await asyncio.wait_for(waiting, 5.0)
        assert order == ["first", "second"]


async def test_who_waits_too_long_is_told_that_it_is_busy() -> None:
    url = fresh_url()
    database, other = Database(url), Database(url)
    one, same, two = DatabaseLocks(database), DatabaseLocks(database), DatabaseLocks(other)
    async with one.held("t", patience=0.0):
        for locks in (one, same, two):  # in the same object, in the same process, in another one
            with pytest.raises(ConversationBusy):
                async with locks.held("t", patience=0.1):
                    pass
        async with two.held("u", patience=0.0):
            pass
    async with two.held("t", patience=1.0):
        pass
    for each in (one, same, two):
        await each.close()
    for each in (database, other):
        await each.close()


async def test_a_lock_that_came_when_nobody_waited_for_it_any_more_is_given_back() -> None:
    url = fresh_url()
    database, other = Database(url), Database(url)
    one, two = DatabaseLocks(database), DatabaseLocks(other)
    for pause in (0.0, 0.001, 0.003, 0.01):
        task = asyncio.ensure_future(one.held("t", patience=1.0).__aenter__())
        await asyncio.sleep(pause)
        if not task.done():
            task.cancel()
            await asyncio.wait([task])
            async with asyncio.timeout(5.0), two.held("t", patience=5.0):
                pass
        else:
            await one.close()
    for locks, each in ((one, database), (two, other)):
        await locks.close()
        await each.close()


def test_the_locks_of_a_killed_process_are_free_at_once() -> None:
    url = fresh_url()

    async def hold(tell: Tell) -> None:
        async with shared(url) as store:
            await begun(store)
            async with store.alone("t"):
                tell("held")
                await asyncio.sleep(60.0)

    async def take() -> None:
        async with shared(url) as store:
            database = Database(url)
            while not await database.rows("SELECT 1 FROM conversations WHERE fence > 0"):  # noqa: ASYNC110  another process
                await asyncio.sleep(0.05)
            await database.close()
            os.kill(child.pid, signal.SIGKILL)
            async with asyncio.timeout(10.0), store.alone("t"):  # of one hundred that a turn would be waited for
                pass

    child = fork(hold)
    asyncio.run(take())
    assert child.lines() == ["held"]
    assert child.killed


@pytest.mark.parametrize("in_a_transaction", [False, True])
def test_a_frozen_process_loses_its_conversation_after_a_while_and_can_write_nothing_late(
    monkeypatch: pytest.MonkeyPatch, in_a_transaction: bool
) -> None:
    monkeypatch.setattr(databases, "LEASE", 1.0)
    monkeypatch.setitem(databases._SERVER, "idle_in_transaction_session_timeout", "1s")
    url, step = fresh_url(), holding(turn=1)

    async def freeze(tell: Tell) -> None:
        async with shared(url) as store:
            await begun(store)
            async with store.alone("t"), broken_connection(store) as connection:
                if in_a_transaction:
                    await connection.execute("BEGIN")
                    await connection.execute("SELECT still_held('t', %s)", (store._fences["t"],))
                os.kill(os.getpid(), signal.SIGSTOP)
                late = [
                    lambda: store.checkpoints.aput(config_of("t"), step, STEP, step["channel_versions"]),
                    lambda: store.note("t", step["id"]),
                    lambda: store.touch("t", "too late"),
                    lambda: store.forget_checkpoints("t", keep=[]),
                ]
                for write in late:
                    with pytest.raises(ConversationBusy):
                        await write()
                    tell("refused")
            await store.add(thread="refused", owner="ann", domain="movies")
            async with asyncio.timeout(20.0), store.alone("t"):  # it works on as any other
                assert (await store.find("t")).title == "the other one's"
                await store.rename("t", "later")

    async def take() -> None:
        async with shared(url) as store, asyncio.timeout(20.0), store.alone("t"):
            await store.touch("t", "the other one's")
            os.kill(child.pid, signal.SIGCONT)
            async with asyncio.timeout(20.0):
                while not await store.has("refused"):  # noqa: ASYNC110  another process
                    await asyncio.sleep(0.05)

    child = fork(freeze)
    os.waitpid(child.pid, os.WUNTRACED)
    try:
        asyncio.run(take())
    except BaseException:
        child.kill()
        raise
    assert child.lines() == ["refused"] * 4

    async def found() -> tuple[str, str]:
        async with shared(url) as store:
            return (await store.find("t")).title, await store.newest_checkpoint("t")

    assert asyncio.run(found()) == ("later", "")


@asynccontextmanager
async def broken_connection(store: SharedStore) -> AsyncIterator[Connection]:
    """A connection of the pool that the server may end meanwhile."""
    with suppress(DatabaseUnavailable):
        async with store._database.connection() as connection:
            yield connection


async def test_a_process_that_lives_keeps_its_conversation_however_long_a_turn_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(databases, "LEASE", 1.0)
    url = fresh_url()
    async with shared(url) as one, shared(url) as two:
        await begun(one)
        async with one.alone("t"):
            with pytest.raises(ConversationBusy):
                async with two._locks.held("t", patience=4.0):
                    pass
            await one.touch("t", "said")
        async with two.alone("t"):
            assert (await two.find("t")).title == "said"


async def test_no_lock_takes_a_connection_of_the_pool() -> None:
    url = fresh_url()
    async with shared(url, connections=2) as store:
        for number in range(30):
            await store.add(thread=str(number), owner="ann", domain="movies")
        inside = 0
        done, all_inside = asyncio.Event(), asyncio.Event()

        async def hold(thread: str) -> None:
            nonlocal inside
            async with store.alone(thread):
                inside += 1
                if inside == 30:
                    all_inside.set()
                all_inside.set() if inside == 30 else None
                await done.wait()
                await store.touch(thread, "said")

        tasks = [asyncio.create_task(hold(str(number))) for number in range(30)]
        async with asyncio.timeout(20.0):
            await all_inside.wait()
            done.set()
            await asyncio.gather(*tasks)
        assert [row.title for row in await store.of_owner("ann")] == ["said"] * 30


async def test_who_has_lost_a_conversation_without_knowing_can_write_nothing_to_it() -> None:
    url = fresh_url()
    async with shared(url) as one, shared(url) as two:
        await begun(one)
        first, second = holding(turn=1), holding(turn=2)
        async with one.alone("t"):
            await one.checkpoints.aput(config_of("t"), first, STEP, first["channel_versions"])
            await one._locks.close()  # as where its connection breaks; the server lets go of the lock
            async with asyncio.timeout(5.0), two.alone("t"):
                await two.touch("t", "the other one's")
                late = [
                    one.checkpoints.aput(config_of("t", first["id"]), second, STEP, second["channel_versions"]),
                    one.note("t", second["id"]),
                    one.touch("t", "too late"),
                    one.forget_checkpoints("t", keep=[]),
                ]
                for write in late:
                    with pytest.raises(ConversationBusy):
                        await write
        assert (await two.find("t")).title == "the other one's"
        assert await two.newest_checkpoint("t") == first["id"]


async def test_an_older_release_writes_no_turn_once_a_newer_one_has_taken_over() -> None:
    url = fresh_url()
    async with shared(url) as store:
        await begun(store)
        database = Database(url)
        await database.run("INSERT INTO migrations VALUES (9999, 'from the future')")
        with pytest.raises(DatabaseTooNew):
            async with store.alone("t"):
                pass
        with pytest.raises(DatabaseTooNew):
            await store._database.check()
        await store.find("t")  # what is there can still be read
        await database.close()
