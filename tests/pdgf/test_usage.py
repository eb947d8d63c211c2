"""The budget of a turn: waves, caps, tokens, setbacks."""

import asyncio

import pytest

from pdgf.errors import BudgetSpent
from pdgf.usage import Budget, Setback


async def call(budget: Budget, *, after: float = 0.0) -> None:
    with budget.agent_call():
        await asyncio.sleep(after)


async def test_calls_side_by_side_are_one_wave_and_calls_that_wait_are_one_more_each() -> None:
    budget = Budget()
    await asyncio.gather(*(call(budget) for _ in range(3)))
    await call(budget)
    assert (budget.usage().agent_calls, budget.usage().waves) == (4, 2)


async def test_a_call_begun_while_another_runs_shares_its_wave_and_what_waits_for_it_comes_after() -> None:
    budget = Budget()
    slow = asyncio.create_task(call(budget, after=0.05))
    await asyncio.sleep(0)
    await call(budget)  # beside the slow one: wave 1
    await call(budget)  # after the quick one: wave 2, though the slow one still runs
    await slow
    assert budget.usage().waves == 2


async def test_no_call_begins_beyond_the_cap_of_calls_tokens_or_money() -> None:
    for budget, cap in (
        (Budget(agent_calls=0), "agent_calls"),
        (Budget(tokens=10), "tokens"),
        (Budget(cost=0.01), "cost"),
    ):
        budget.spend_tokens(6, 4, 0.01)
        assert not budget.can_afford(1)
        with pytest.raises(BudgetSpent) as raised:
            await call(budget)
        assert raised.value.what == cap


async def test_no_call_begins_after_the_deadline() -> None:
    now = [0.0]
    budget = Budget(seconds=5.0, clock=lambda: now[0])
    await call(budget)
    now[0] = 5.0
    with pytest.raises(BudgetSpent, match="seconds"):
        await call(budget)
    assert not budget.can_afford(1)


def test_the_cost_of_a_turn_is_unknown_as_soon_as_one_price_is() -> None:
    budget = Budget()
    assert budget.usage().cost == 0.0
    budget.spend_tokens(100, 10, 0.25)
    assert budget.usage().cost == 0.25
    budget.spend_tokens(100, 10, None)
    budget.spend_tokens(100, 10, 0.25)
    assert budget.usage().cost is None
    assert (budget.usage().tokens_in, budget.usage().tokens_out) == (300, 30)


def test_an_unknown_price_never_stops_a_turn() -> None:
    budget = Budget(cost=0.01)
    budget.spend_tokens(1_000, 1_000, None)
    assert budget.can_afford(1)
    assert [setback.step for setback in budget.setbacks()] == ["price"]  # and the limit is not passed over in silence


def test_a_setback_is_heard_of_once_and_its_counts_add_up() -> None:
    heard: list[Setback] = []
    budget = Budget(on_setback=heard.append)
    budget.set_back("label_relations", "unreadable", 3)
    budget.set_back("label_relations", "unreadable", 2)
    budget.set_back("engine", "unreachable")
    assert [setback.step for setback in heard] == ["label_relations", "engine"]
    assert [(setback.step, setback.count) for setback in budget.setbacks()] == [("label_relations", 5), ("engine", 1)]
    assert budget.gave_up_model()
    assert not Budget().gave_up_model()


def test_a_tenth_of_the_turn_but_ten_seconds_at_most_is_kept_for_doing_without_a_model() -> None:
    now = [0.0]
    for seconds, kept in ((20.0, 2.0), (600.0, 10.0)):
        budget = Budget(seconds=seconds, clock=lambda: now[0])
        assert budget.remaining_seconds() - budget.model_seconds() == kept
    now[0] = 595.0
    assert budget.model_seconds() == 0.0 < budget.remaining_seconds()
