"""Opening hours that are asked for, against hours as catalogues write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pdgf.constraints.opening import DAYS, opening_asked

WEEK = "Tue-Sun 12:00-14:30 and 18:00-22:00; closed Mon"


@pytest.mark.parametrize(
    ("words", "met"),
    [
        ("open on Mondays", False),
        ("open on a Monday evening", False),
        ("not closed on Sunday", True),
        ("closed on Mondays is no good", False),
        ("closed on Sundays won't do", True),
        ("open on Sunday evening", True),
        ("open on Sunday afternoon", False),
        ("open until 10 pm", True),
        ("open until 11 pm", False),
        ("open late", True),
        ("on Tuesday", True),
    ],
)
def test_a_week_in_one_line_settles_what_is_asked(words: str, met: bool) -> None:
    asked = opening_asked(words)
    assert asked is not None
    assert asked.met_by("opening_hours", WEEK) is met


def test_words_without_a_day_or_under_another_key_say_nothing() -> None:
    asked = opening_asked("open on Mondays")
    assert asked is not None
    assert asked.met_by("opening_hours", "ask at the bar") is None
    assert asked.met_by("waits", WEEK) is None


@given(day=some.sampled_from(DAYS), opens=some.integers(0, 23), length=some.integers(1, 23), hour=some.integers(0, 23))
def test_a_day_is_open_at_an_hour_that_its_hours_hold(day: str, opens: int, length: int, hour: int) -> None:
    closes = opens + length
    line = f"{day[:3].title()} {opens:02}:00-{closes % 24:02}:00"
    asked = opening_asked(f"open on {day} from {hour}:00 to {hour}:00")
    assert asked is not None
    assert asked.met_by("opening hours", line) is (opens <= hour <= closes)
