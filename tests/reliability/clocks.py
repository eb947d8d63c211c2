"""Conversations whose clock jumps as they talk (RELIABILITY F7): by an hour, over midnight, leap day, summer time."""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from dialogue.models import TurnView
from tests.dialogue.llm_bar import equal
from tests.dialogue.llm_cells import BEYOND_DEADLINE, CANARY, CONVERSATION, FailsAt, plain_model
from tests.dialogue.llm_town import open_llm_town
from tests.openai_server import FakeOpenAI, Fault

HOUR = 3_600.0
SHORT = 4.0  # seconds that a turn has in which the model hangs
ZONE = "Europe/Berlin"
STEADY = (0.0, 0.0)  # a clock that does not jump


def _at(*moment: int) -> float:
    return datetime(*moment, tzinfo=UTC).timestamp() - time.time()  # type: ignore[arg-type]


# How far the clock stands from the true one before the first event, and by how much each event moves it on.
JUMPS: Mapping[str, tuple[float, float]] = {
    "an hour forth": (0.0, HOUR),
    "an hour back": (0.0, -HOUR),
    "over midnight": (_at(2026, 12, 31, 23, 59, 58), 1.0),
    "over a leap day": (_at(2028, 2, 28, 23, 59, 58), 12 * HOUR),
    "into summer time": (_at(2026, 3, 29, 0, 59, 58), 1.0),
    "out of summer time": (_at(2026, 10, 25, 0, 59, 58), 1.0),
    "before the first day": (-time.time() + 60.0, 1.0),
}


class Clock:
    """What `time.time` and `time.time_ns` say meanwhile."""

    def __init__(self, shift: float, step: float) -> None:
        self._shift, self._step = shift, step
        self._true, self._true_ns = time.time, time.time_ns

    def jump(self) -> None:
        """Move on."""
        self._shift += self._step

    @contextmanager
    def running(self) -> Iterator["Clock"]:
        """As the clock of this process, which stands in Central Europe."""
        zone = os.environ.get("TZ")
        time.time = lambda: self._true() + self._shift  # type: ignore[assignment]
        time.time_ns = lambda: self._true_ns() + int(self._shift * 1e9)  # type: ignore[assignment]
        os.environ["TZ"] = ZONE
        time.tzset()
        try:
            yield self
        finally:
            time.time, time.time_ns = self._true, self._true_ns  # type: ignore[assignment]
            os.environ.pop("TZ") if zone is None else os.environ.update(TZ=zone)
            time.tzset()


async def talked(folder: Path, name: str) -> tuple[list[TurnView], list[str]]:
    """The turns of a conversation whose clock jumps at every event, and what is wrong besides. A name that is no jump's
    stands for a clock that is steady."""
    views: list[TurnView] = []
    with FakeOpenAI(plain_model) as model, Clock(*JUMPS.get(name, STEADY)).running() as clock:
        async with open_llm_town(folder, model.base_url, budget_seconds=60.0, llm_timeout=30.0) as town:
            conversations, thread = town.conversations, town.thread
            for words in CONVERSATION:
                async for _ in conversations.turn(thread, words):
                    clock.jump()
                views = await conversations.history(thread)
            kept = [view.utterance for view in views]
            wrong = [] if kept == list(CONVERSATION) else [f"kept {kept}"]
            await conversations.undo(thread)
            if (left := [view.utterance for view in await conversations.history(thread)]) != kept[:-1]:
                wrong.append(f"after taking one back {left}")
            if [row.thread for row in await conversations.list("someone")] != [thread]:
                wrong.append("it is not in the list")
        return views, wrong


def otherwise(views: list[TurnView], good: list[TurnView]) -> list[str]:
    """The turns that came out otherwise than without a jump."""
    if len(views) != len(good):
        return [f"{len(views)} turns of {len(good)}"]
    return [view.utterance for view, other in zip(views, good, strict=True) if not equal(view, other)]


async def kept_time(folder: Path, name: str) -> str:
    """What is wrong with the end of a turn in which the model hangs while the clock jumps: it has its seconds."""
    patience = {"budget_seconds": SHORT, "llm_timeout": 30.0, "openai_api_key": CANARY}
    with FailsAt(Fault.HANG, "label_relations") as model, Clock(*JUMPS[name]).running() as clock:
        async with open_llm_town(folder, model.base_url, **patience) as town:
            begun = time.monotonic()
            async for _ in town.conversations.turn(town.thread, CONVERSATION[0]):
                clock.jump()
            seconds = time.monotonic() - begun
    return "" if SHORT / 4 <= seconds <= SHORT + BEYOND_DEADLINE else f"{seconds:.1f} s of {SHORT:.0f}"
