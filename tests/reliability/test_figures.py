"""The table of figures is whole: each is measured by groups of the stress run or by tests, all of which exist."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.reliability.test_cases import NOT_RUN, SHORTEST_REASON, found_in
from tests.stress.__main__ import GROUPS

FIGURES: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "figures.toml").read_text(encoding="utf-8"))
NUMBERED = [
    *(f"L{number}" for number in range(1, 11)),
    *(f"F{number}" for number in range(1, 12)),
    *(f"I{number}" for number in range(1, 5)),
    *(f"S{number}" for number in range(1, 5)),
    *(f"LLM{number:02d}" for number in range(1, 11)),
]


def test_every_numbered_figure_has_an_entry() -> None:
    assert set(NUMBERED) <= set(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_a_bar_and_what_measures_it_exists(name: str) -> None:
    figure = FIGURES[name]
    assert set(figure) <= {"bar", "groups", "tests", "open"}
    assert figure["bar"]
    assert figure.get("groups") or figure.get("tests")
    assert set(figure.get("groups", ())) <= set(GROUPS)
    assert len(figure.get("open", "x " * SHORTEST_REASON).split()) >= SHORTEST_REASON
    for test in figure.get("tests", ()):
        file, _, function = test.partition("::")
        assert function in found_in(file), test
        assert found_in(file)[function].isdisjoint(NOT_RUN), test


def test_every_group_measures_a_figure() -> None:
    measured = {group for figure in FIGURES.values() for group in figure.get("groups", ())}
    assert measured == set(GROUPS)
