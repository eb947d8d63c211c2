"""Where a test stands: in a folder that is empty whatever the tests before it have written, and never in the code."""

import os
from pathlib import Path

import pytest

from pdgf.settings import Settings

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("time", ["first", "second"])
def test_what_a_test_writes_beside_it_reaches_no_other(time: str) -> None:
    assert os.listdir() == []
    assert ROOT not in (Path.cwd(), *Path.cwd().parents)
    assert Settings().model != time
    Path(".env").write_text(f"PDGF_MODEL={time}\n")
    assert Settings().model == time


def test_a_test_with_a_folder_of_its_own_stands_in_it(tmp_path: Path) -> None:
    assert Path.cwd() == tmp_path.resolve()
