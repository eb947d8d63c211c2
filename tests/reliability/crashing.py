"""Kills a process in the middle of real turns, opens what it has left, and says what was lost.

A message counts as acknowledged when the page would show it as taken; the child tells that as the page learns it.
"""

import asyncio
import json
import os
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiosqlite

from dialogue.composition import Composition
from dialogue.conversation import Conversations
from dialogue.store import CHATS, FOLDER, TURNS
from dialogue.ui.runs import Runs
from tests.dialogue.llm_town import open_llm_town
from tests.dialogue.town import open_town
from tests.openai_server.records import Record
from tests.openai_server.town_model import blocks
from tests.reliability.forked import Child, Tell, fork

UTTERANCES = ("ramen in Old Harbour", "something quieter", "more")
THREAD, OWNER = "the-conversation", "someone"
SLOW = 0.05  # seconds by which a commit is late; a few of them fit into the time that a page waits for one
_WRITES = ("INSERT", "UPDATE", "DELETE", "BEGIN", "COMMIT", "CREATE", "ALTER")

Open = Callable[[Path], AbstractAsyncContextManager[Conversations]]


@dataclass(frozen=True)
class Outcome:
    """What a kill came to. `fault` is empty where nothing was lost, doubled or damaged."""

    killed: bool
    fault: str
    ready: float


def in_the_town(base_url: str | None = None) -> Open:
    """The small town: with the scripted model behind an address, or with the built-in dialogue over fakes."""

    @asynccontextmanager
    async def opened(folder: Path) -> AsyncIterator[Conversations]:
        patient = {"llm_timeout": 60.0, "budget_seconds": 300.0}  # a busy machine is none of the faults tried here
        async with open_town(folder) if base_url is None else open_llm_town(folder, base_url, **patient) as town:
            yield town.conversations

    return opened


def built_in(composition: Composition) -> Open:
    """The built-in engine over a bundled catalogue."""

    @asynccontextmanager
    async def opened(folder: Path) -> AsyncIterator[Conversations]:
        async with Conversations(folder, composition.ports) as conversations:
            yield conversations

    return opened


def paid_again(records: Sequence[Record]) -> list[str]:
    """The prompts of the calls that a model was asked once more. Those that streamed words to a user who saw them cut
    off are no repetition of the same kind: nothing of them was read and kept."""
    seen: set[str] = set()
    again = []
    for record in records:
        [asked] = [str(each["content"]) for each in record.messages if each["role"] == "user"][:1]
        call = json.dumps([record.prompt, blocks(asked)], sort_keys=True)
        if call in seen:
            again.append(record.prompt)
        seen.add(call)
    return again


def killed_at_write(opened: Open, folder: Path, number: int) -> Outcome:
    """Killed just before its write of that number."""
    return _examined(opened, folder, fork(lambda tell: _talk(opened, folder, tell, number)))


def killed_after(opened: Open, folder: Path, seconds: float) -> Outcome:
    """Killed after so many seconds."""
    child = fork(lambda tell: _talk(opened, folder, tell, 0))
    time.sleep(seconds)
    child.kill()
    return _examined(opened, folder, child)


def killed_when_shown(opened: Open, folder: Path, number: int) -> Outcome:
    """Killed at the moment when its message of that number is shown as taken, on a disk that is slow to keep things."""
    return _examined(opened, folder, fork(lambda tell: _shown(opened, folder, tell, number)))


async def _shown(opened: Open, folder: Path, tell: Tell, number: int) -> None:
    async with opened(folder) as conversations:
        await conversations.start("restaurants", OWNER, THREAD)
        runs = Runs(conversations, at_once=1)
        for place, utterance in enumerate(UTTERANCES):
            if place == number:
                _slow_to_keep()
            run = runs.start(THREAD, utterance, after=place, tab="tab")
            assert run.task is not None
            if await run.taken():
                tell(f"taken {utterance}")
                if place == number:
                    os.kill(os.getpid(), signal.SIGKILL)
            await run.task
            tell(f"done {utterance}")


def _slow_to_keep() -> None:
    """Let every commit of this process wait before it is made, as behind a queue of writes of others."""
    commit = aiosqlite.Connection.commit

    async def late(self: Any) -> None:
        await asyncio.sleep(SLOW)
        await commit(self)

    aiosqlite.Connection.commit = late  # type: ignore[method-assign]


async def _talk(opened: Open, folder: Path, tell: Tell, kill_at: int) -> None:
    async with opened(folder) as conversations:
        await conversations.start("restaurants", OWNER, THREAD)
        if kill_at:
            _kill_at_write(kill_at)
        runs = Runs(conversations, at_once=1)
        for number, utterance in enumerate(UTTERANCES):
            run = runs.start(THREAD, utterance, after=number, tab="tab")
            if await run.taken():
                tell(f"taken {utterance}")
            assert run.task is not None
            await run.task
            tell(f"done {utterance}")


def _kill_at_write(number: int) -> None:
    """End this process just before SQLite is given its write of that number."""
    execute = aiosqlite.Connection._execute
    counted = 0

    async def counting(self: Any, function: Any, *arguments: Any, **options: Any) -> Any:
        nonlocal counted
        first = arguments[0] if arguments and isinstance(arguments[0], str) else ""
        if first.lstrip().upper().startswith(_WRITES) or getattr(function, "__name__", "") == "commit":
            counted += 1
            if counted == number:
                os.kill(os.getpid(), signal.SIGKILL)
        return await execute(self, function, *arguments, **options)

    aiosqlite.Connection._execute = counting  # type: ignore[method-assign]


def _examined(opened: Open, folder: Path, child: Child) -> Outcome:
    lines = child.lines()
    taken = [line.removeprefix("taken ") for line in lines if line.startswith("taken ")]
    done = [line.removeprefix("done ") for line in lines if line.startswith("done ")]
    fault, ready = asyncio.run(_left(opened, folder, taken, done))
    return Outcome(child.killed, fault or _integrity(folder), ready)


async def _left(opened: Open, folder: Path, taken: Sequence[str], done: Sequence[str]) -> tuple[str, float]:
    """What is wrong with what the process left, after going on with it; and the seconds until it could be read."""
    began = time.perf_counter()
    async with opened(folder) as conversations:
        await conversations.start("restaurants", OWNER, THREAD)
        views = await conversations.history(THREAD, unfinished=True)
        ready = time.perf_counter() - began
        said = [view.utterance for view in views]
        finished = [view.utterance for view in views if view.finished]
        if lost := [utterance for utterance in taken if utterance not in said]:
            return f"lost {lost}", ready
        if lost := [utterance for utterance in done if utterance not in finished]:
            return f"replies lost {lost}", ready
        if len(set(said)) != len(said):
            return f"doubled {said}", ready
        for utterance in UTTERANCES[len(finished) :]:
            async for _ in conversations.turn(THREAD, utterance):
                pass
        replies = [view.utterance for view in await conversations.history(THREAD)]
        if replies != list(UTTERANCES):
            return f"went on with {replies}", ready
    return "", ready


def _integrity(folder: Path) -> str:
    for name in (CHATS, TURNS):
        with closing(sqlite3.connect(folder / FOLDER / name)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                return f"{name}: {found}"
    return ""
