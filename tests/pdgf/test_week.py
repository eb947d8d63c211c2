"""The hours of a week as catalogues write them in one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.constraints.week import DAYS, open_days, week_of


@pytest.mark.parametrize(
    ("hours", "closed"),
    [
        ("Tue-Sun 12:00-14:30 and 18:00-22:00; closed Mon", {"mon"}),
        ("daily 12:00-00:30", set()),
        ("Mon-Sat 16:00-00:00; Sun 12:00-22:00", set()),
        ("Mon-Fri 10:00-20:00; closed weekends", {"sat", "sun"}),
        ("Sun-Thu 10:00-20:00; Fri 10:00-14:00; closed Sat", {"sat"}),
        ("Wed-Mon 08:00-21:30; closed Tue", {"tue"}),
        ("Thu-Mon, sittings at 18:00 and 20:30", {"tue", "wed"}),
        ("Wed-Fri 19:00-23:00; Sat 12:30-15:00 and 19:00-23:00", {"mon", "tue", "sun"}),
    ],
)
def test_the_days_are_those_that_the_hours_name(hours: str, closed: set[str]) -> None:
    assert open_days(hours) == set(DAYS) - closed


def test_hours_without_a_day_say_nothing_of_days() -> None:
    assert open_days("12:00-22:00") == frozenset()


@given(first=st.integers(0, 6), length=st.integers(1, 7))
def test_a_run_of_days_goes_round_the_week(first: int, length: int) -> None:
    run = [DAYS[(first + step) % 7] for step in range(length)]
    assert open_days(f"{run[0].title()}-{run[-1].title()} 10:00-12:00") == set(run)


@pytest.mark.parametrize(
    ("hours", "day", "times"),
    [
        ("Tue-Sun 12:00-14:30 and 18:00-22:00; closed Mon", "wed", ((720, 870), (1080, 1320))),
        ("daily 11:00-03:00", "sun", ((660, 1620),)),
        ("Mon-Sat 16:00-00:00; Sun 12:00-22:00", "sat", ((960, 1440),)),
        ("Mon-Sat 16:00-00:00; Sun 12:00-22:00", "sun", ((720, 1320),)),
        ("open 24 hours, every day", "mon", ((0, 1440),)),
        ("Thu-Mon, sittings at 18:00 and 20:30", "fri", ((1080, 1200), (1230, 1350))),
    ],
)
def test_the_hours_of_a_day_are_those_beside_it(hours: str, day: str, times: tuple[tuple[int, int], ...]) -> None:
    assert week_of(hours)[day] == times
