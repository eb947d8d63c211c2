"""The tests are the same ones whoever collects them: workers that disagree about their names run nothing."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def names_of_all_tests(hash_seed: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    return [line for line in done.stdout.splitlines() if "::" in line]


def test_every_test_has_the_same_name_whatever_the_clock_and_the_order_of_sets_say() -> None:
    first, second = names_of_all_tests("1"), names_of_all_tests("2")
    assert first
    assert second == first
