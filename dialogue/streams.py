"""Several streams of words at once, told one after the other."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import TypeVar, cast

T = TypeVar("T")


def closing(stream: AsyncIterator[T]) -> "aclosing[AsyncGenerator[T, None]]":
    """The stream, closed at the end of a `with` block: whoever stops listening half-way hangs up at once, down to the
    connection that the words come from."""
    return aclosing(cast("AsyncGenerator[T, None]", stream))


async def in_order(streams: Sequence[AsyncIterator[T]]) -> AsyncGenerator[tuple[int, T | None], None]:
    """The values of the first stream with its position and a None at its end, then those of the second, and so on;
    meanwhile all of them run.

    So that the second item's words need not wait for the first item's last one. An error of a stream is raised where
    its turn comes; whoever stops listening stops them all.
    """
    queues: list[asyncio.Queue[T | None]] = [asyncio.Queue() for _ in streams]

    async def pump(stream: AsyncIterator[T], queue: asyncio.Queue[T | None]) -> None:
        try:
            async with closing(stream) as values:
                async for value in values:
                    queue.put_nowait(value)
        finally:
            queue.put_nowait(None)

    tasks = [asyncio.create_task(pump(stream, queue)) for stream, queue in zip(streams, queues, strict=True)]
    try:
        for place, (queue, task) in enumerate(zip(queues, tasks, strict=True)):
            while (value := await queue.get()) is not None:
                yield place, value
            await task
            yield place, None
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
