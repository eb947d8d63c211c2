"""Days of the week in questions."""

import pytest

from dialogue.opening_hours import day_asked
from pdgf.constraints.week import DAYS


@pytest.mark.parametrize(
    ("words", "days"),
    [("open on Sundays", {"sun"}), ("open at the weekend", {"sat", "sun"}), ("open every day", set(DAYS))],
)
def test_the_days_that_a_question_names(words: str, days: set[str]) -> None:
    assert day_asked(words) == days


def test_a_question_without_a_day() -> None:
    assert day_asked("open late") is None
    assert day_asked("is there sunshine, mon ami") is None
