"""Two processes that talk over one store at the same time (RELIABILITY F8)."""

import asyncio
from pathlib import Path

from dialogue import wording
from dialogue.conversation import Conversations
from pdgf.errors import PdgfError
from tests.dialogue.town import open_town
from tests.reliability.forked import Tell, fork

SHARED = "one-of-both"
PROCESSES = 2


def side_by_side(folder: Path, turns: int) -> tuple[list[str], int]:
    """What was told of failures, and how many turns were lost. Each process has so many turns: every second one in a
    conversation of its own, the others in one that both talk in."""

    def work(name: str, tell: Tell) -> "asyncio.Future[None]":
        async def talk() -> None:
            async with open_town(folder) as town:
                own = await town.conversations.start("restaurants", name, name)
                for number in range(turns):
                    await _say(town.conversations, SHARED if number % 2 else own, f"hello {name} {number}", tell)

        return talk()  # type: ignore[return-value]

    asyncio.run(_begin(folder))
    children = [fork(lambda tell, name=f"p{number}": work(name, tell)) for number in range(PROCESSES)]  # type: ignore[misc]
    told = [line for child in children for line in child.lines()]
    said = asyncio.run(_said(folder))
    wanted = {f"hello p{name} {number}" for name in range(PROCESSES) for number in range(turns)}
    doubled = len(said) - len(set(said))
    return told, len(wanted - set(said)) + doubled


async def _begin(folder: Path) -> None:
    async with open_town(folder) as town:
        await town.conversations.start("restaurants", "both", SHARED)


async def _say(conversations: Conversations, thread: str, utterance: str, tell: Tell) -> None:
    try:
        async for _ in conversations.turn(thread, utterance):
            pass
    except PdgfError as error:
        tell(f"{utterance}: {wording.sentence_for(error)} {error}")


async def _said(folder: Path) -> list[str]:
    async with open_town(folder) as town:
        threads = [SHARED, *(f"p{number}" for number in range(PROCESSES))]
        return [view.utterance for thread in threads for view in await town.conversations.history(thread)]
