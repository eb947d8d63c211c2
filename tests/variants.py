"""Which of many like cases `make test` tries, and which only `make test-long` does."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

FIRST, EACH = 4, 3  # of the cases of one test: so many, and each such after them
TABLE = Path(__file__).parent / "reliability" / "cases.toml"  # of known faults; all cases of its tests are tried


def mark_further_cases(items: Iterable[pytest.Item]) -> None:
    """Put behind the marker `long` what `make test` leaves out of tests with many cases."""
    named, met = TABLE.read_text(encoding="utf-8"), Counter[str]()
    for item in items:
        test = item.nodeid.partition("[")[0]
        number, met[test] = met[test], met[test] + 1
        if number >= FIRST and (number - FIRST) % EACH and test not in named:
            item.add_marker(pytest.mark.long)


def every(step: int, cases: Iterable[Any], *, named: Callable[[Any], str] | None = None) -> list[ParameterSet]:
    """The cases as parameters of a test, the first and every `step`th after it in `make test`, the others behind the
    marker `long`. `named` gives a case its id."""
    return [
        pytest.param(case, id=named(case) if named else None, marks=[pytest.mark.long] if number % step else [])
        for number, case in enumerate(cases)
    ]
