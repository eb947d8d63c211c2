"""The notebooks run from top to bottom, and define nothing."""

import ast
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CLONE = Path(__file__).parent.parent
NOTEBOOKS = sorted((CLONE / "notebooks").glob("*.ipynb"))
A_PLACE = re.compile(r"(?<![\w.])/(?:home|root|Users|work|tmp|content|opt|mnt)\b|[A-Z]:\\\\")


def cells(path: Path) -> list[str]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


@pytest.fixture(autouse=True)
def as_a_kernel_does(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A notebook is run in its own folder; pictures are drawn without a screen; the path is as before afterwards."""
    monkeypatch.chdir(CLONE / "notebooks")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    from matplotlib import pyplot

    pyplot.close("all")


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
async def test_a_notebook_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for source in cells(path):
        code = compile(source, path.name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        running = eval(code, names)  # noqa: S307 (our own cells; eval returns the coroutine of a cell that awaits)
        if running is not None:
            await running
    assert len(capsys.readouterr().out.splitlines()) > 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_defines_nothing(path: Path) -> None:
    nodes = [node for source in cells(path) for node in ast.walk(ast.parse(source))]
    assert not [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_first_cell_installs_the_clone_where_something_is_missing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(subprocess, "run", lambda command, check: asked.append(command))
    names: dict[str, Any] = {}
    exec(cells(path)[0], names)  # noqa: S102 (our own cell)
    assert asked == [[sys.executable, "-m", "pip", "install", "--quiet", "-e", f"{CLONE}[local,eval]"]]
    assert sys.path[0] == str(CLONE)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_first_cell_installs_nothing_where_all_is_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda command, check: pytest.fail("it installs"))
    exec(cells(path)[0], {})  # noqa: S102 (our own cell)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outside_a_clone_it_is_said_what_is_needed(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="needs a clone"):
        exec(cells(path)[0], {})  # noqa: S102 (our own cell)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_holds_no_path_of_a_machine_and_no_output(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not A_PLACE.search(text)
    for cell in json.loads(text)["cells"]:
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None


def test_there_are_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["01_one_request", "02_one_conversation", "03_evaluation"]
