"""Which of many like cases `make test` tries, and which only `make test-long` does."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def every(step: int, cases: Iterable[Any], *, named: Callable[[Any], str] | None = None) -> list[ParameterSet]:
    """The cases as parameters of a test, the first and every `step`th after it in `make test`, the others behind the
    marker `long`. `named` gives a case its id."""
    return [
        pytest.param(case, id=named(case) if named else None, marks=[pytest.mark.long] if number % step else [])
        for number, case in enumerate(cases)
    ]
