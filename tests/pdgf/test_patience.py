"""Patience: slow work that ends early with what it has."""

import asyncio

from pdgf.patience import Patience, ended


async def test_nothing_can_be_cut_short_outside_a_stretch() -> None:
    patience = Patience()
    assert not patience.lose()
    with patience.stretch():
        pass
    assert not patience.lose()
    assert not patience.lost


async def test_a_wait_ends_when_patience_is_lost_and_the_work_goes_on_until_it_is_ended() -> None:
    patience, work = Patience(), asyncio.ensure_future(asyncio.sleep(60))
    with patience.stretch():
        waiting = asyncio.create_task(patience.wait(work))
        await asyncio.sleep(0)
        assert patience.lose()
        assert not await waiting
        assert not patience.lose()  # once is enough
    assert patience.lost
    assert not work.done()
    await ended(work)
    assert work.cancelled()


async def test_a_wait_ends_with_its_work_or_its_time() -> None:
    patience = Patience()
    assert await patience.wait(asyncio.ensure_future(asyncio.sleep(0)))
    slow = asyncio.ensure_future(asyncio.sleep(60))
    assert not await patience.wait(slow, seconds=0.01)
    await ended(slow)


async def test_work_that_fails_is_done_and_keeps_its_error() -> None:
    async def fail() -> None:
        raise ValueError("no")

    work = asyncio.ensure_future(fail())
    assert await Patience().wait(work)
    assert isinstance(work.exception(), ValueError)
    await ended(work)


async def test_whoever_waits_and_is_cancelled_leaves_no_task_behind() -> None:
    work = asyncio.ensure_future(asyncio.sleep(60))
    before = asyncio.all_tasks()
    waiting = asyncio.create_task(Patience().wait(work))
    await asyncio.sleep(0)
    await ended(waiting)
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before
    await ended(work)
