"""Of packages with known faults, what is asked for is a version after their fix, and installed (LLM03)."""

import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

PROJECT = Path(__file__).parent.parent.parent / "pyproject.toml"
# Files and addresses of others, checkpoints that run code, bombs that are unpacked, an import that fails.
FLOORS = {
    "gradio": "6.30",
    "httpx2": "2.12",
    "langchain-openai": "1.7",
    "langgraph": "1.2",
    "langgraph-checkpoint-sqlite": "3.1",
    "lxml": "6.1",
    "lxml_html_clean": "0.4",
    "trafilatura": "2.3",
    "urllib3": "2.7.0",
}


@pytest.mark.parametrize("name", FLOORS)
def test_no_version_with_a_known_fault_is_asked_for_or_installed(name: str) -> None:
    declared = map(Requirement, tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"])
    [lowest] = [
        Version(row.version) for each in declared if each.name == name for row in each.specifier if row.operator == ">="
    ]
    assert lowest >= Version(FLOORS[name])
    assert Version(version(name)) >= lowest
