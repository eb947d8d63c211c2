"""The line in front of the page: how many are inside, who is refused, and who waits for whom."""

import asyncio
from collections.abc import Collection

from hypothesis import given
from hypothesis import strategies as st

from dialogue.ui.door import Door


def always(_: Collection[str]) -> bool:
    return True


def up_to(many: int) -> Door:
    return Door(lambda expected: len(expected) < many, at_a_time=2)


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_the_next_comes_in_when_one_inside_has_been_shown_something() -> None:
    door = Door(always, at_a_time=2)
    line = [asyncio.create_task(door.admit(tab)) for tab in "abc"]
    await settled()
    assert [task.done() for task in line] == [True, True, False]
    door.shown("b")
    assert await line[2]


async def test_who_is_one_too_many_is_told_at_once_while_others_still_wait() -> None:
    door = up_to(3)
    line = [asyncio.create_task(door.admit(tab)) for tab in "abc"]
    await settled()
    assert not line[2].done()
    assert not await door.admit("d")
    door.shown("a")
    assert await line[2]
    assert await door.admit("d") is True


async def test_a_tab_has_one_place_however_much_it_posts() -> None:
    door = Door(always, at_a_time=1)
    assert await door.admit("a")
    assert await door.admit("a")
    door.shown("a")
    door.shown("a")
    assert await door.admit("b")
    waiting = asyncio.create_task(door.admit("c"))
    await settled()
    assert not waiting.done()
    door.shown("b")
    assert await waiting


async def test_who_leaves_the_line_takes_nobodys_place() -> None:
    door = Door(always, at_a_time=1)
    await door.admit("a")
    leaving = asyncio.create_task(door.admit("b"))
    await settled()
    leaving.cancel()
    await settled()
    following = asyncio.create_task(door.admit("c"))
    door.shown("a")
    assert await following
    door.shown("c")
    await door.calm()


async def test_what_is_lost_on_its_way_keeps_its_place_for_a_while_only() -> None:
    door = Door(always, at_a_time=1, lost=0.01)
    await door.admit("gone")
    async with asyncio.timeout(5.0):
        assert await door.admit("next")


async def test_a_turn_waits_for_the_first_changes_of_others_but_not_for_ever() -> None:
    door = Door(always, at_a_time=2, calm=60.0)
    async with asyncio.timeout(5.0):
        await door.calm()  # nobody is there
    await door.admit("a")
    working = asyncio.create_task(door.calm())
    await settled()
    assert not working.done()
    door.shown("a")
    async with asyncio.timeout(5.0):
        await working
    await door.admit("b")
    before = asyncio.create_task(door.calm())
    await settled()
    await door.admit("c")  # who comes later is not waited for
    door.shown("b")
    async with asyncio.timeout(5.0):
        await before
    short = Door(always, at_a_time=2, calm=0.01)
    await short.admit("a")
    async with asyncio.timeout(5.0):
        await short.calm()


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans()), max_size=40), st.integers(1, 3))
def test_never_more_are_inside_than_places_and_all_get_in_at_last(moves: list[tuple[str, bool]], places: int) -> None:
    async def lived() -> None:
        door = Door(always, at_a_time=places)
        line: dict[str, asyncio.Task[bool]] = {}
        inside: set[str] = set()
        for tab, enters in moves:
            if enters and tab not in line:
                line[tab] = asyncio.create_task(door.admit(tab))
            elif not enters:
                door.shown(tab)
                if tab in inside:
                    del line[tab]
            await settled()
            inside = {name for name, task in line.items() if task.done()}
            assert len(inside) <= places
            assert len(inside) == min(places, len(line))
        while line:
            for tab in [name for name, task in line.items() if task.done()]:
                door.shown(tab)
                del line[tab]
            await settled()
        await door.calm()

    asyncio.run(lived())
