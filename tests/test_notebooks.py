"""The notebooks run from top to bottom, and define nothing."""

import ast
import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def cells(path: Path) -> list[str]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


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


def test_there_are_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["01_one_request", "02_one_conversation", "03_evaluation"]
