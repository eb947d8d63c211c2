"""How many at once and how close together, and trying again."""

import asyncio
from collections.abc import Callable
from math import inf

import pytest

from pdgf.sources.search.faults import SearchFault
from pdgf.sources.search.hits import Hits
from pdgf.sources.search.pacing import Pace, Tries, asked_each, retried


def lasting() -> float:
    return inf


def failing(times: int, fault: Callable[[], SearchFault]) -> tuple[Callable[[], object], list[int]]:
    """An attempt that fails so often before it succeeds, and the list that grows with each try."""
    tries: list[int] = []

    async def attempt() -> str:
        tries.append(len(tries))
        if len(tries) <= times:
            raise fault()
        return "good"

    return attempt, tries


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that were to be waited, none of which are."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return waits


async def test_what_may_pass_is_tried_again_after_waits_that_double(slept: list[float]) -> None:
    attempt, tries = failing(2, lambda: SearchFault("busy", retry=True))
    assert await retried(attempt, tries=Tries(2, 0.5), patience=lasting) == "good"
    assert (len(tries), slept) == (3, [0.5, 1.0])


async def test_the_last_failure_is_raised_when_tries_are_used_up(slept: list[float]) -> None:
    attempt, tries = failing(9, lambda: SearchFault("busy", retry=True))
    with pytest.raises(SearchFault, match="busy"):
        await retried(attempt, tries=Tries(2, 0.5), patience=lasting)
    assert len(tries) == 3


@pytest.mark.parametrize("why", ["key", "credit", "refused", "no_api"])
async def test_what_does_not_pass_is_not_tried_again(why: str, slept: list[float]) -> None:
    attempt, tries = failing(9, lambda: SearchFault(why))
    with pytest.raises(SearchFault, match=why):
        await retried(attempt, tries=Tries(2, 0.5), patience=lasting)
    assert (len(tries), slept) == (1, [])


@pytest.mark.parametrize(
    ("asked", "patience", "waits"),
    [(7.0, inf, [7.0]), (10.0, inf, [10.0]), (10.5, inf, []), (7.0, 6.0, []), (7.0, 8.0, [7.0]), (0.0, inf, [0.5])],
)
async def test_the_wait_that_a_server_asks_for_is_kept_up_to_ten_seconds_and_the_time_left(
    asked: float, patience: float, waits: list[float], slept: list[float]
) -> None:
    attempt, _ = failing(1, lambda: SearchFault("busy", retry=True, wait=asked))
    if waits:
        assert await retried(attempt, tries=Tries(2, 0.5), patience=lambda: patience) == "good"
    else:
        with pytest.raises(SearchFault, match="busy"):
            await retried(attempt, tries=Tries(2, 0.5), patience=lambda: patience)
    assert slept == waits


async def test_no_more_than_so_many_hold_a_place() -> None:
    pace, inside, most = Pace(at_once=2, pause=0.0), 0, 0

    async def one() -> None:
        nonlocal inside, most
        async with pace.turn(lasting):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.002)
            inside -= 1

    await asyncio.gather(*(one() for _ in range(9)))
    assert (most, inside) == (2, 0)


async def test_one_that_cannot_get_a_place_in_time_is_told_that_others_are_before_it() -> None:
    pace = Pace(at_once=1, pause=0.0)
    async with pace.turn(lasting):
        with pytest.raises(SearchFault, match="busy"):
            async with pace.turn(lambda: 0.01):
                pass
    async with pace.turn(lasting):
        pass


async def test_between_two_there_is_a_pause(slept: list[float]) -> None:
    pace = Pace(at_once=1, pause=3.0)
    for _ in range(2):
        async with pace.turn(lasting):
            pass
    assert slept[0] == 0.0
    assert slept[1] == pytest.approx(3.0, abs=0.5)


async def test_a_pause_longer_than_the_time_left_is_not_waited_for() -> None:
    pace = Pace(at_once=1, pause=60.0)
    async with pace.turn(lasting):
        pass
    with pytest.raises(SearchFault, match="busy"):
        async with pace.turn(lambda: 5.0):
            pass


async def test_after_a_fault_of_the_provider_nothing_more_is_sent_and_what_was_found_is_kept() -> None:
    sent: list[str] = []

    async def ask(query: str) -> Hits:
        sent.append(query)
        if query == "c":
            raise SearchFault("busy")
        return ()

    answers = await asked_each("abcdef", ask, at_once=1)
    assert sent == ["a", "b", "c"]
    assert list(answers.hits) == ["a", "b"]
    assert answers.stopped is not None


async def test_after_a_fault_of_one_query_the_others_are_still_sent() -> None:
    async def ask(query: str) -> Hits:
        if query == "c":
            raise SearchFault("refused", of_query=True)
        return ()

    answers = await asked_each("abcdef", ask, at_once=2)
    assert sorted(answers.hits) == ["a", "b", "d", "e", "f"]
    assert (list(answers.faults), answers.stopped) == (["c"], None)
