"""A turn that is cancelled at one of its awaits, in whichever of its tasks it waits (RELIABILITY F3).

Every task of the turn counts its suspensions; at a chosen one the turn is cancelled from outside, as the Stop button
does where a turn cannot be bidden to end. A cell passes when nothing is asked for any more, no task goes on, and the
next message is answered.
"""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from dialogue.conversation import Conversations
from dialogue.ui.runs import Run, Runs
from tests.openai_server import FakeOpenAI

OWNER = "cancelling"
LATER = 2.0  # seconds after which nothing may be asked for any more
SETTLED = 10.0  # seconds that tasks may take to end on a busy machine


class _Counted:
    """A coroutine whose every suspension is told before it happens."""

    def __init__(self, inner: Any, suspends: Callable[[], None]) -> None:
        self._inner = inner
        self._suspends = suspends

    def __await__(self) -> Generator[Any, Any, Any]:
        inner = self._inner.__await__() if not hasattr(self._inner, "send") else self._inner
        value: Any = None
        error: BaseException | None = None
        while True:
            try:
                waited = inner.send(value) if error is None else inner.throw(error)
            except StopIteration as ended:
                return ended.value
            self._suspends()
            try:
                value, error = (yield waited), None
            except GeneratorExit:
                raise
            except BaseException as raised:  # noqa: BLE001  handed on to the coroutine
                value, error = None, raised


async def _awaited(counted: _Counted) -> Any:
    return await counted


@asynccontextmanager
async def counting(suspends: Callable[[], None]) -> AsyncIterator[None]:
    """Tell every suspension of every task that begins meanwhile."""
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()

    def factory(of: asyncio.AbstractEventLoop, coroutine: Any, **named: Any) -> "asyncio.Task[Any]":
        task = asyncio.Task(_awaited(_Counted(coroutine, suspends)), loop=of, **named)
        task.add_done_callback(lambda _: coroutine.close())  # where it was cancelled before it began
        return task

    loop.set_task_factory(factory)
    try:
        yield
    finally:
        loop.set_task_factory(before)


@dataclass(frozen=True)
class Cancelled:
    """What came of one cell: whether the turn has an await of that number, and what is wrong, or ""."""

    reached: bool
    fault: str


async def cancelled_at(
    conversations: Conversations,
    domain: str,
    words: tuple[str, str],
    number: int,
    *,
    model: FakeOpenAI | None = None,
    watched: float = 0.0,
    settled: float = SETTLED,
) -> Cancelled:
    """Say the first of two messages, cancel its turn at the suspension of that number, and say the second. For so many
    seconds it is `watched` whether the model is asked for anything more; tasks may take `settled` seconds to end."""
    thread = await conversations.start(domain, OWNER)
    runs, alive = Runs(conversations, at_once=1), asyncio.all_tasks()
    reached = await _cancelled_run(runs, thread, words[0], number)
    fault = await _left_running(alive, settled)
    asked = len(model.records) if model else 0
    await asyncio.sleep(watched)
    if model and len(model.records) > asked:
        fault = fault or f"{len(model.records) - asked} calls after it had ended"
    if runs.running(thread) is not None:
        fault = fault or "still taken for running"
    return Cancelled(reached, fault or await _goes_on(conversations, thread, words))


async def _cancelled_run(runs: Runs, thread: str, words: str, number: int) -> bool:
    count, begun, reached = itertools.count(1), list[Run](), False

    def suspends() -> None:
        nonlocal reached
        if next(count) == number and begun[0].task is not None:
            reached = begun[0].task.cancel()

    async with counting(suspends):
        run = runs.start(thread, words, after=0, tab="tab")
        begun.append(run)
        assert run.task is not None
        with suppress(asyncio.CancelledError):
            await asyncio.wait([run.task])
    return reached


async def _left_running(before: "set[asyncio.Task[Any]]", settled: float) -> str:
    """The tasks of a turn that go on without it."""
    until = time.monotonic() + settled
    while (left := asyncio.all_tasks() - before - {asyncio.current_task()}) and time.monotonic() < until:
        await asyncio.wait(left, timeout=0.1)
    return f"{len(left)} tasks go on: {next(iter(left))!r}"[:300] if left else ""


async def _goes_on(conversations: Conversations, thread: str, words: tuple[str, str]) -> str:
    first, second = words
    kept = [view.utterance for view in await conversations.history(thread)]
    if kept not in ([], [first]):
        return f"kept {kept}"
    async with asyncio.timeout(SETTLED * 3):
        async for _ in conversations.turn(thread, second):
            pass
    views = await conversations.history(thread)
    if [view.utterance for view in views] != [*kept, second]:
        return f"after the next message: {[view.utterance for view in views]}"
    said = [view.utterance for view in await conversations.history(thread, unfinished=True)]
    if said not in ([second], [first, second]):
        return f"said {said}"
    return "" if views[-1].finished and views[-1].reply.strip() and views[-1].items else "no reply with a list"
