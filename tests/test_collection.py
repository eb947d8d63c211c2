"""The tests are the same ones whoever collects them: workers that disagree about their names run nothing."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def collecting(hash_seed: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTEST_ADDOPTS": ""},
        stdout=subprocess.PIPE,
        text=True,
    )


def names(collected: "subprocess.Popen[str]") -> list[str]:
    told, _ = collected.communicate()
    assert collected.returncode == 0
    return [line for line in told.splitlines() if "::" in line]


def test_every_test_has_the_same_name_whatever_the_clock_and_the_order_of_sets_say() -> None:
    side_by_side = [collecting("1"), collecting("2")]
    first, second = map(names, side_by_side)
    assert first
    assert second == first
