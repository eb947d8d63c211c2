"""Streams told in order while all of them run."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from dialogue.streams import in_order


async def words(*said: str, log: list[str] | None = None) -> AsyncIterator[str]:
    try:
        for word in said:
            await asyncio.sleep(0)
            yield word
    finally:
        if log is not None:
            log.append("closed")


async def test_the_first_is_told_to_its_end_before_the_second_begins() -> None:
    found = [value async for value in in_order([words("a", "b"), words(), words("c")])]
    assert found == [(0, "a"), (0, "b"), (0, None), (1, None), (2, "c"), (2, None)]


async def test_later_streams_run_while_the_first_is_told() -> None:
    begun = asyncio.Event()

    async def first() -> AsyncIterator[str]:
        await begun.wait()
        yield "first"

    async def second() -> AsyncIterator[str]:
        begun.set()
        yield "second"

    assert [word async for _, word in in_order([first(), second()]) if word] == ["first", "second"]


async def test_an_error_is_raised_where_its_turn_comes_and_the_others_are_closed() -> None:
    log: list[str] = []

    async def broken() -> AsyncIterator[str]:
        yield "b"
        raise ValueError("broken")

    told: list[str | None] = []

    async def listen() -> None:
        async for _, word in in_order([words("a", log=log), broken(), words("c", "d", log=log)]):
            told.append(word)

    with pytest.raises(ValueError, match="broken"):
        await listen()
    assert told == ["a", None, "b"]
    assert log == ["closed", "closed"]


async def test_whoever_stops_listening_stops_them_all() -> None:
    log: list[str] = []
    stream = in_order([words("a", "b", log=log), words(*"cdefgh", log=log)])
    assert await anext(stream) == (0, "a")
    await stream.aclose()
    assert log == ["closed", "closed"]
