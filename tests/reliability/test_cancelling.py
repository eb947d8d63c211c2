"""A turn can be cancelled wherever it waits (F3). Every place is tried by `python -m tests.stress cancelled`."""

import asyncio
from pathlib import Path

from tests.dialogue.llm_cells import REQUEST, plain_model
from tests.dialogue.llm_town import open_llm_town
from tests.dialogue.town import Town, open_town
from tests.openai_server import FakeOpenAI
from tests.reliability.cancelling import Cancelled, cancelled_at

WORDS = ("quiet ramen in Old Harbour with parking", "ramen in Old Harbour with a terrace")
STEP = 41  # every so many awaits


async def swept(town: Town, model: FakeOpenAI | None = None) -> list[Cancelled]:
    number, told = 1, []
    while not told or told[-1].reached:
        told.append(await cancelled_at(town.conversations, "restaurants", WORDS, number, model=model))
        number += STEP
    return told


async def test_a_turn_of_the_rules_that_is_cancelled_at_an_await_leaves_nothing_running_and_the_next_works(
    tmp_path: Path,
) -> None:
    async with open_town(tmp_path) as town:
        told = await swept(town)
    assert [row.fault for row in told if row.fault] == []
    assert len(told) > 4


async def test_a_turn_of_a_model_that_is_cancelled_at_an_await_asks_for_nothing_more_and_the_next_works(
    tmp_path: Path,
) -> None:
    with FakeOpenAI(plain_model) as model:
        async with open_llm_town(tmp_path, model.base_url) as town:
            told = await swept(town, model)
    assert [row.fault for row in told if row.fault] == []
    assert len(told) > 6


async def test_a_call_that_goes_on_after_its_turn_would_be_found(tmp_path: Path) -> None:
    with FakeOpenAI(plain_model) as model:
        async with open_llm_town(tmp_path, model.base_url) as town:
            behind: list[asyncio.Task[None]] = []

            async def on() -> None:
                await asyncio.Event().wait()

            begin = town.conversations._context

            async def leaving(*given: object) -> object:
                behind.append(asyncio.get_running_loop().create_task(on()))
                return await begin(*given)  # type: ignore[arg-type]

            town.conversations._context = leaving  # type: ignore[assignment, method-assign]
            told = await cancelled_at(
                town.conversations, "restaurants", (REQUEST, WORDS[1]), 200, model=model, settled=0.3
            )
            for task in behind:
                task.cancel()
    assert "tasks go on" in told.fault
