"""Kills a process just before one of its exchanges with the database, and looks at what it has left there."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from psycopg import AsyncConnection

from dialogue.conversation import Conversations
from tests.contracts.stores import shared
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent
from tests.reliability import crashing
from tests.reliability.crashing import Open, Outcome
from tests.reliability.forked import fork


def in_the_town(url: str, kill_at: int = 0) -> Open:
    """The small town over a database; where a number is given, this process ends before its exchange of that number."""

    @asynccontextmanager
    async def opened(_: Path) -> AsyncIterator[Conversations]:
        ports = town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
        async with shared(url) as store, Conversations(store, always(ports)) as talks:
            if kill_at:
                _kill_at_exchange(kill_at)
            yield talks

    return opened


def killed_at_exchange(url: str, number: int) -> Outcome:
    """What is left where a process that talks is killed there."""
    nowhere = Path(os.devnull)
    child = fork(lambda tell: crashing._talk(in_the_town(url, number), nowhere, tell, 0))
    lines = child.lines()
    taken = [line.removeprefix("taken ") for line in lines if line.startswith("taken ")]
    done = [line.removeprefix("done ") for line in lines if line.startswith("done ")]
    fault, ready = asyncio.run(crashing._left(in_the_town(url), nowhere, taken, done))
    return Outcome(child.killed, fault, ready)


def _kill_at_exchange(number: int) -> None:
    wait = AsyncConnection.wait
    counted = 0

    async def counting(self: Any, *arguments: Any, **options: Any) -> Any:
        nonlocal counted
        counted += 1
        if counted == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return await wait(self, *arguments, **options)

    AsyncConnection.wait = counting  # type: ignore[method-assign]
