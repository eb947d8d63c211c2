"""Two processes on one store at the same time: each waits for the other, and no turn is lost (C43)."""

from pathlib import Path

from tests.dialogue.town import open_town
from tests.reliability.forked import Tell, fork

TURNS = 20  # a process


async def test_c43_two_processes_write_one_store_without_a_lock_error_and_without_losing_a_turn(tmp_path: Path) -> None:
    async def talk(tell: Tell) -> None:
        async with open_town(tmp_path) as town:
            tell(f"thread {town.thread}")
            await town.say("ramen in Old Harbour")
            for turn in range(TURNS - 1):
                view = await town.say(("quiet please", "more", "thanks")[turn % 3])
                assert view.finished
            tell(f"turns {len(await town.conversations.history(town.thread))}")

    children = [fork(talk) for _ in range(2)]
    told = [dict(line.split(" ") for line in child.lines()) for child in children]
    assert [row["turns"] for row in told] == [str(TURNS)] * 2
    async with open_town(tmp_path) as again:
        for row in told:
            assert len(await again.conversations.history(row["thread"])) == TURNS
