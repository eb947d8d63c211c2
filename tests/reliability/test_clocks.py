"""A clock that jumps while people talk changes nothing (F7); all of it: `python -m tests.stress clocks`."""

import time
from pathlib import Path

import pytest

from tests.reliability.clocks import JUMPS, kept_time, otherwise, talked


async def test_a_clock_that_jumps_at_every_event_changes_no_turn_and_no_order(tmp_path: Path) -> None:
    good, wrong = await talked(tmp_path / "steady", "steady")
    assert wrong == []
    for name in JUMPS:
        views, wrong = await talked(tmp_path / name, name)
        assert (name, wrong, otherwise(views, good)) == (name, [], [])


@pytest.mark.parametrize("name", ["an hour forth", "an hour back"])
async def test_a_turn_has_its_seconds_whatever_the_clock_says(tmp_path: Path, name: str) -> None:
    assert await kept_time(tmp_path, name) == ""


async def test_the_clock_of_the_process_is_given_back(tmp_path: Path) -> None:
    before = (time.time, time.time_ns, time.tzname)
    await talked(tmp_path, "an hour back")
    assert (time.time, time.time_ns, time.tzname) == before
