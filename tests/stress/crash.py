"""Kills in the middle of turns: before every write, and at random moments (RELIABILITY F2)."""

import asyncio
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dialogue.composition import Composition
from pdgf.settings import Settings
from tests.openai_server import FakeOpenAI
from tests.openai_server.town_model import town_reply
from tests.reliability.crashing import Outcome, built_in, in_the_town, killed_after, killed_at_write, paid_again
from tests.stress import Figure

MOMENTS, SECONDS = 200, 5.0
STARTS = 3  # of the whole application, with its models


def figures() -> Iterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder, FakeOpenAI(town_reply, latency=0.01) as server:
        place, town, paid = Path(folder), in_the_town(), _Paid(server)
        yield from _rows(
            "before every write, dialogue of rules", _swept(lambda n: killed_at_write(town, place / f"w{n}", n))
        )
        model = in_the_town(server.base_url)
        yield from _rows(
            "before every write, scripted model",
            _swept(lambda n: paid.counted(lambda: killed_at_write(model, place / f"m{n}", n))),
        )
        chance = random.Random(9)
        outcomes = _killed(
            lambda n: paid.counted(lambda: killed_after(model, place / f"r{n}", chance.uniform(0.0, 1.0)))
        )
        yield from _rows("at random moments, scripted model", outcomes)
        at_once, most = server.most_in_flight, max(paid.again)
        yield Figure(
            "paid calls repeated after one kill, most", f"<= {at_once} in flight at once", f"{most}", most <= at_once
        )
        yield Figure("paid calls repeated in all, by kills", "-", f"{sum(paid.again)} by {len(paid.again)}", True)
    with tempfile.TemporaryDirectory() as folder:
        yield from _of_the_real_engine(Path(folder), chance)


def _of_the_real_engine(place: Path, chance: random.Random) -> Iterator[Figure]:
    composition = Composition(settings=Settings(data_dir=place / "data"))
    asyncio.run(_warm(composition))
    engine = built_in(composition)
    outcomes = _killed(lambda n: killed_after(engine, place / f"b{n}", chance.uniform(0.0, 1.2)))
    yield from _rows("at random moments, built-in engine", outcomes)
    before = _work()
    started = [_started(place / "data") for _ in range(STARTS)]
    measured = f"{max(started):.1f} beside whatever else ran; {(_work() - before) / STARTS:.1f} of work"
    yield Figure("page up again after a kill, seconds", f"<= {SECONDS:.0f}", measured, max(started) <= SECONDS)


async def _warm(composition: Composition) -> None:
    await composition.ports("restaurants")
    await composition.embedder.encode(["A first sentence."])


class _Paid:
    """Counts the calls that a model was asked once more, kill by kill."""

    def __init__(self, server: FakeOpenAI) -> None:
        self._server = server
        self.again: list[int] = []

    def counted(self, kill: Callable[[], Outcome]) -> Outcome:
        before = len(self._server.records)
        outcome = kill()
        self.again.append(len(paid_again(self._server.records[before:])))
        return outcome


def _work() -> float:
    """Seconds of work of all processes that this one has begun and that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _killed(kill: Callable[[int], Outcome]) -> list[Outcome]:
    """Outcomes, so many of which were kills; the others ended before."""
    outcomes: list[Outcome] = []
    while sum(outcome.killed for outcome in outcomes) < MOMENTS // 2:
        outcomes.append(kill(len(outcomes)))
    return outcomes


def _swept(kill: Callable[[int], Outcome]) -> list[Outcome]:
    outcomes = []
    while not outcomes or outcomes[-1].killed:
        outcomes.append(kill(len(outcomes) + 1))
    return outcomes


def _rows(what: str, outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    faults = [outcome.fault for outcome in outcomes if outcome.fault]
    kills = sum(outcome.killed for outcome in outcomes)
    measured = f"0 in {kills} kills" if not faults else f"{len(faults)} in {kills} kills: {faults[0]}"
    yield Figure(f"killed {what}: lost, doubled, damaged or stuck", "0", measured, not faults)
    ready = max(outcome.ready for outcome in outcomes)
    yield Figure(f"killed {what}: readable again, seconds", f"<= {SECONDS:.0f}", f"{ready:.2f}", ready <= SECONDS)


def _started(data: Path) -> float:
    """Seconds until the page answers, of a process that is then killed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    root = Path(__file__).parent.parent.parent
    environment = {**os.environ, "PDGF_DATA_DIR": str(data), "GRADIO_SERVER_PORT": str(port), "PYTHONPATH": str(root)}
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, str(root / "app.py")], env=environment, stderr=subprocess.DEVNULL)
    try:
        while process.poll() is None and time.perf_counter() - began < 60.0:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1.0):
                    return time.perf_counter() - began
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        return 60.0
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
