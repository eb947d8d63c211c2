"""Turns that are cancelled at every one of their awaits (RELIABILITY F3)."""

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from tests.dialogue.llm_cells import plain_model
from tests.dialogue.llm_town import open_llm_town
from tests.dialogue.town import Town, open_town
from tests.openai_server import FakeOpenAI
from tests.reliability.cancelling import LATER, Cancelled, cancelled_at
from tests.reliability.test_cancelling import WORDS
from tests.stress import Figure

LEAST = 60  # awaits
WATCHED = 7  # every so many cells are watched until nothing may be asked for any more


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_town(Path(folder)) as town:
            yield _row("dialogue of rules", await _swept(town))
    with tempfile.TemporaryDirectory() as folder, FakeOpenAI(plain_model) as model:
        async with open_llm_town(Path(folder), model.base_url) as town:
            told = await _swept(town, model)
    yield _row("scripted model", told)


async def _swept(town: Town, model: FakeOpenAI | None = None) -> list[Cancelled]:
    told: list[Cancelled] = []
    while not told or told[-1].reached:
        watched = LATER if model and len(told) % WATCHED == 0 else 0.0
        number = len(told) + 1
        told.append(await cancelled_at(town.conversations, "restaurants", WORDS, number, model=model, watched=watched))
    return told


def _row(name: str, told: list[Cancelled]) -> Figure:
    wrong = [f"await {number}: {row.fault}" for number, row in enumerate(told, start=1) if row.fault]
    cells = sum(row.reached for row in told)
    measured = f"{len(wrong)} of {cells}{': ' if wrong else ''}{'; '.join(wrong[:3])}"
    what = f"cancelled at every await, {name}: something goes on, is lost, or the next message fails"
    return Figure(what, f"0 of >= {LEAST}", measured, not wrong and cells >= LEAST)
