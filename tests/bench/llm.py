"""Waves, calls and seconds of each kind of turn with the LLM engine: `make bench-llm`. Prints, asserts nothing.

The model is a scripted server that takes one second a call, so that seconds are waves and what the code adds to them.
"""

import asyncio
import tempfile
import time
from pathlib import Path

from dialogue.events import Finished, ReplyPiece
from dialogue.models import TurnView
from tests.dialogue.llm_town import open_llm_town
from tests.dialogue.town import Town
from tests.openai_server import FakeOpenAI, Record, waves
from tests.openai_server.town_model import town_reply

LATENCY = 1.0  # seconds a call
TURNS = (
    ("first recommendation", "quiet ramen in Old Harbour with parking", 5),
    ("one preference more", "and with a terrace please", 4),
    ("question", "does the second have candles?", 2),
    ("more", "more please", 1),
    ("rejection without a reason", "not the second", 1),
    ("rejection with a reason", "too loud, something quieter", None),
    ("acceptance", "I take the first", 1),
)


def until_words(records: list[Record]) -> int:
    """Waves up to and with the first call that words something; all of them where none does."""
    worded = [record.started for record in records if record.prompt in ("explain", "answer")]
    if not worded:
        return waves(records)
    return waves(record for record in records if record.ended is not None and record.ended <= min(worded)) + 1


async def turn(town: Town, utterance: str) -> tuple[TurnView, float]:
    """The finished turn and the seconds to the first words of its reply that name a reason."""
    begin, first = time.perf_counter(), 0.0
    async for event in town.conversations.turn(town.thread, utterance):
        if isinstance(event, ReplyPiece) and not first and not event.text.startswith("These"):
            first = time.perf_counter() - begin
        if isinstance(event, Finished):
            return event.view, first or time.perf_counter() - begin
    raise RuntimeError("a turn ends with Finished")


async def main() -> None:
    print(f"{'turn':<30}{'waves to first word':>20}{'limit':>7}{'waves':>7}{'calls':>7}{'first word':>12}{'all':>9}")
    async with FakeOpenAI(town_reply, latency=LATENCY) as server:
        with tempfile.TemporaryDirectory() as folder:
            slow = {"llm_timeout": 30.0, "budget_seconds": 120.0}
            async with open_llm_town(Path(folder), server.base_url, **slow) as town:
                for kind, utterance, limit in TURNS:
                    before = len(server.records)
                    view, first = await turn(town, utterance)
                    records = server.records[before:]
                    print(
                        f"{kind:<30}{until_words(records):>20}{limit or '-':>7}{view.usage.waves:>7}"
                        f"{view.usage.agent_calls:>7}{first:>10.2f} s{view.usage.seconds:>7.2f} s"
                    )


if __name__ == "__main__":
    asyncio.run(main())
