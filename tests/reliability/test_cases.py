"""The table of known faults is whole: each has a rule of ours and tests that exist, or a reason why it cannot occur."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
CASES: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "cases.toml").read_text(encoding="utf-8"))
NUMBERS = [f"C{number:02d}" for number in range(1, 64)]
NOT_RUN = {"skip", "skipif", "xfail"}
SHORTEST_REASON = 12  # words


@cache
def found_in(file: str) -> dict[str, set[str]]:
    """The tests of a file, those of a class with its name before theirs, and the marks that each of them bears."""
    found: dict[str, set[str]] = {}
    for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        for each in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name.startswith("test_"):
                name = f"{node.name}::{each.name}" if isinstance(node, ast.ClassDef) else each.name
                marks = "\n".join(ast.unparse(mark) for mark in each.decorator_list)
                found[name] = set(re.findall(r"mark\.(\w+)", marks))
    return found


def test_every_known_fault_has_an_entry_and_no_other_has() -> None:
    assert list(CASES) == NUMBERS


@pytest.mark.parametrize("number", NUMBERS)
def test_a_fault_has_a_rule_and_tests_that_exist_and_are_run_or_a_reason_of_substance(number: str) -> None:
    case = CASES[number]
    assert len(case["must"].split()) >= 8
    assert set(case) <= {"must", "tests", "cannot", "open"}
    assert ("tests" in case) != ("cannot" in case)
    for reason in (case.get("cannot"), case.get("open")):
        assert reason is None or len(reason.split()) >= SHORTEST_REASON
    for test in case.get("tests", ()):
        file, _, name = test.partition("::")
        assert Path(file).name.startswith("test_")
        assert name in found_in(file), test
        assert found_in(file)[name].isdisjoint(NOT_RUN), test
    assert case.get("tests", ["cannot"])


def test_what_is_collected_of_the_files_of_the_table_holds_its_tests(request: pytest.FixtureRequest) -> None:
    """In a run of everything this looks at what pytest itself has found."""
    collected = {re.sub(r"\[.*", "", item.nodeid, flags=re.DOTALL) for item in request.session.items}
    files = {node.partition("::")[0] for node in collected}
    whole = not request.config.option.keyword and not any("::" in given for given in request.config.args)
    named = [test for case in CASES.values() for test in case.get("tests", ()) if test.partition("::")[0] in files]
    assert not whole or [test for test in named if test not in collected] == []
