"""Batches: each answer in its place, whatever fails; what fails beyond one batch stops the others."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.engines.llm_batches import in_batches
from pdgf.errors import BudgetSpent, ModelUnreachable, PromptTooLong, ReplyUnusable
from pdgf.usage import Budget, Setback

PATIENCE = 20.0  # seconds after which a call that should have been cancelled ends the test

Ask = Callable[[Sequence[int]], Mapping[int, str]]


class Asked:
    """Answers a batch by a function and remembers the batches."""

    def __init__(self, answer: Ask) -> None:
        self._answer = answer
        self.batches: list[list[int]] = []
        self.budget = Budget()

    async def __call__(self, batch: Sequence[int]) -> Mapping[int, str]:
        self.batches.append(list(batch))
        await asyncio.sleep(0)
        return self._answer(batch)

    async def all_of(self, values: Sequence[int], size: int) -> list[str]:
        return await in_batches(
            values, size, self, otherwise=lambda value: f"otherwise {value}", step="step", budget=self.budget
        )


def every(batch: Sequence[int]) -> dict[int, str]:
    return {place: f"answer {value}" for place, value in enumerate(batch)}


async def test_nothing_asked_is_no_call() -> None:
    asked = Asked(every)
    assert await asked.all_of([], 5) == []
    assert asked.batches == []


async def test_a_last_batch_may_be_smaller_and_answers_come_in_the_order_of_the_values() -> None:
    asked = Asked(every)
    assert await asked.all_of(range(7), 3) == [f"answer {value}" for value in range(7)]
    assert asked.batches == [[0, 1, 2], [3, 4, 5], [6]]


async def test_a_batch_that_is_too_long_is_halved_until_it_fits() -> None:
    def answer(batch: Sequence[int]) -> Mapping[int, str]:
        if len(batch) > 2:
            raise PromptTooLong("too long")
        return every(batch)

    asked = Asked(answer)
    assert await asked.all_of(range(7), 7) == [f"answer {value}" for value in range(7)]
    assert [len(batch) for batch in asked.batches] == [7, 3, 1, 2, 4, 2, 2]
    assert asked.budget.setbacks() == ()


async def test_one_value_that_is_too_long_by_itself_takes_its_fallback_alone() -> None:
    def answer(batch: Sequence[int]) -> Mapping[int, str]:
        if 5 in batch:
            raise PromptTooLong("too long")
        return every(batch)

    asked = Asked(answer)
    assert await asked.all_of(range(8), 8) == [f"answer {v}" if v != 5 else "otherwise 5" for v in range(8)]
    assert asked.batches.count([5]) == 1
    assert asked.budget.setbacks() == (Setback(step="step", why="unreadable", count=1),)


async def test_what_a_reply_leaves_out_is_asked_for_once_more_by_itself() -> None:
    asked = Asked(lambda batch: {p: a for p, a in every(batch).items() if batch[p] % 3 or len(batch) == 4})
    assert await asked.all_of(range(10), 10) == [f"answer {value}" for value in range(10)]
    assert asked.batches == [list(range(10)), [0, 3, 6, 9]]
    assert asked.budget.setbacks() == ()


async def test_what_is_left_out_twice_takes_its_fallback() -> None:
    asked = Asked(lambda batch: {p: a for p, a in every(batch).items() if batch[p] not in (2, 4)} or _none())
    assert await asked.all_of(range(6), 6) == [
        f"otherwise {value}" if value in (2, 4) else f"answer {value}" for value in range(6)
    ]
    assert asked.batches == [list(range(6)), [2, 4]]
    assert asked.budget.setbacks() == (Setback(step="step", why="unreadable", count=2),)


def _none() -> Mapping[int, str]:
    raise ReplyUnusable("nothing")


async def test_a_batch_without_a_usable_reply_loses_no_answer_of_another() -> None:
    asked = Asked(lambda batch: _none() if 4 in batch else every(batch))
    assert await asked.all_of(range(9), 3) == [
        f"otherwise {value}" if value in (3, 4, 5) else f"answer {value}" for value in range(9)
    ]
    assert asked.batches == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert asked.budget.setbacks() == (Setback(step="step", why="unreadable", count=3),)


@pytest.mark.parametrize("error", [ModelUnreachable("timeout"), BudgetSpent("seconds")])
async def test_a_model_that_gives_no_service_or_a_spent_budget_stops_the_other_calls(error: Exception) -> None:
    running = ended = 0

    async def ask(batch: Sequence[int]) -> Mapping[int, str]:
        nonlocal running, ended
        running += 1
        try:
            await asyncio.sleep(0.0 if 4 in batch else 3600)
            raise error
        finally:
            ended += 1

    with pytest.raises(type(error)):
        async with asyncio.timeout(PATIENCE):
            await in_batches(range(9), 3, ask, otherwise=str, step="step", budget=Budget())
    assert (running, ended) == (3, 3)


async def test_cancelling_cancels_every_call() -> None:
    began, gone = asyncio.Event(), []

    async def ask(batch: Sequence[int]) -> Mapping[int, str]:
        if batch[-1] == 8:
            began.set()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            gone.append(batch[0])
            raise
        return {}

    work = asyncio.create_task(in_batches(range(9), 3, ask, otherwise=str, step="step", budget=Budget()))
    await began.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert sorted(gone) == [0, 3, 6]


@given(
    size=st.integers(1, 6),
    count=st.integers(0, 25),
    longest=st.integers(0, 6),
    lost=st.sets(st.integers(0, 24)),
    broken=st.sets(st.integers(0, 24), max_size=3),
)
async def test_every_value_has_its_own_answer_or_its_own_fallback_whatever_happens(
    size: int, count: int, longest: int, lost: set[int], broken: set[int]
) -> None:
    def answer(batch: Sequence[int]) -> Mapping[int, str]:
        if len(batch) > longest:
            raise PromptTooLong("too long")
        if broken & set(batch):
            raise ReplyUnusable("broken")
        return {p: a for p, a in every(batch).items() if batch[p] not in lost}

    asked = Asked(answer)
    answers = await asked.all_of(range(count), size)
    assert all(answer in (f"answer {value}", f"otherwise {value}") for value, answer in enumerate(answers))
    assert len(answers) == count
    for value in range(count):
        if longest and value not in lost and not broken:
            assert answers[value] == f"answer {value}"
    noted = sum(setback.count for setback in asked.budget.setbacks())
    assert noted == sum(answer.startswith("otherwise") for answer in answers)
