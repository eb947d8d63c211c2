"""How long a process that is told to end waits for its turns; tests/postgres/test_leaving.py ends real ones."""

import asyncio
import re
import signal
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from dialogue import leaving
from dialogue.leaving import BIDDEN, CLOSING, LINGER, LONGEST, LeavingServer
from dialogue.operating import LEAVING, Operation
from tests.dialogue.test_operating import asked, fine

COMPOSE = Path(__file__).parents[2] / "compose.yaml"
GONE = 10.0  # seconds after the last turn


class Talks:
    """Turns that end only when they are bidden to, or not even then."""

    def __init__(self, *, obedient: bool = True) -> None:
        self.at_work = 1
        self.bidden = 0
        self._obedient = obedient

    def wind_up_all(self) -> None:
        self.bidden += 1
        self.at_work = 0 if self._obedient else self.at_work


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LINGER", "LONGEST", "BIDDEN", "CLOSING"):
        monkeypatch.setattr(leaving, name, 0.2)


async def shut(talks: Any, operation: Operation, monkeypatch: pytest.MonkeyPatch, *signals: signal.Signals) -> float:
    """How long it waits before it goes on as uvicorn does."""
    gone: list[float] = []

    async def shutdown(_server: uvicorn.Server, _sockets: object = None) -> None:
        gone.append(asyncio.get_running_loop().time())

    monkeypatch.setattr(uvicorn.Server, "shutdown", shutdown)
    server = LeavingServer(uvicorn.Config(app="none"), operation, talks)
    server.servers = []
    begun = asyncio.get_running_loop().time()
    for sign in signals:
        server.handle_exit(sign, None)
    await server.shutdown()
    return gone[0] - begun


async def test_a_turn_that_takes_too_long_is_bidden_to_end_with_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    talks = Talks()
    assert await shut(talks, Operation(fine), monkeypatch, signal.SIGTERM) >= 0.2
    assert (talks.bidden, talks.at_work) == (1, 0)


async def test_one_that_does_not_even_then_holds_nobody_up_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    talks = Talks(obedient=False)
    assert await shut(talks, Operation(fine), monkeypatch, signal.SIGTERM) >= 0.4
    assert talks.at_work == 1


async def test_a_second_signal_ends_it_without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving, "LONGEST", 3_600.0)
    monkeypatch.setattr(leaving, "BIDDEN", 3_600.0)
    async with asyncio.timeout(5.0):
        await shut(Talks(obedient=False), Operation(fine), monkeypatch, signal.SIGINT, signal.SIGINT)


async def test_who_asks_how_it_is_hears_that_it_leaves_and_is_given_time_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving, "LINGER", 0.5)
    talks = Talks()
    talks.at_work = 0
    operation = Operation(fine)
    assert await shut(talks, operation, monkeypatch, signal.SIGTERM) < 0.5  # nobody has asked
    operation = Operation(fine)
    operation.warm.set()
    async with asked(operation) as client:
        assert (await client.get("/health")).status_code == 200
        assert await shut(talks, operation, monkeypatch, signal.SIGTERM) >= 0.5
        ready = await client.get("/ready")
        assert (ready.status_code, ready.json()["why"]) == (503, LEAVING)
        assert (await client.get("/health")).status_code == 503


def test_what_ends_containers_waits_longer_than_the_longest_turn() -> None:
    assert LINGER + 2 * CLOSING < GONE
    [minutes] = re.findall(r"^  stop_grace_period: (\d+)m\b", COMPOSE.read_text(encoding="utf-8"), re.MULTILINE)
    assert 60.0 * float(minutes) >= LINGER + LONGEST + BIDDEN + 2 * CLOSING
