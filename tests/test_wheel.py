"""The wheel holds everything that the program reads, and recommends where nothing but it and its requirements is.

The requirements are those of the environment that runs the tests, led into the empty one by a path: to install PyTorch
anew would take longer than all other tests. What is ours can only come from the wheel.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("pdgf", "dialogue", "prompts")
NO_DATA = {".py", ".pyc"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that nothing is left in the project's folder."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE", "app.py"):
        shutil.copy(ROOT / name, source)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", str(out), str(source))
    [built] = out.glob("pdgf-*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment in which only the wheel is installed."""
    place = tmp_path_factory.mktemp("empty")
    venv.create(place, with_pip=False, symlinks=os.name == "posix")
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    options = ("--no-deps", "--no-index", "--quiet", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", *options, str(wheel))
    own = Path(sysconfig.get_path("purelib", vars={"base": str(place), "platbase": str(place)}))
    (own / "requirements_of_the_tests.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return programs


def run(*command: str, **more: str) -> str:
    """What a program prints, outside of the project's folder and without its settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PDGF_", "OPENAI_"))}
    done = subprocess.run(
        command, env={**kept, **more}, capture_output=True, encoding="utf-8", cwd=Path(sys.prefix).anchor
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    ours = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    held = set(zipfile.ZipFile(wheel).namelist())
    assert ours - held == set()
    kinds = {Path(name).suffix for name in ours} - NO_DATA
    assert {".md", ".toml", ".jsonl", ".npz", ".j2", ".css", ".js", ".sql"} <= kinds
    assert "app.py" in held
    assert not [name for name in held if name.startswith("tests")]


@pytest.mark.long
def test_the_installed_wheel_recommends_from_its_own_files(environment: Path, tmp_path: Path) -> None:
    where = run(str(environment / "python"), "-c", "import pdgf, dialogue, prompts, app; print(app.__file__)")
    assert Path(where.strip()).is_relative_to(environment.parent)
    wish = "Fantasy with romance as a subplot, shown through banter."
    command = (str(environment / "pdgf"), "recommend", "--json", "--k", "3", wish)
    shown = json.loads(run(*command, PDGF_DATA_DIR=str(tmp_path), OMP_NUM_THREADS="1"))
    assert len(shown["items"]) == 3
    assert all(any(evidence["quote"] for evidence in item["evidence"]) for item in shown["items"])
    assert shown["usage"]["seconds"] > 0


def test_the_changelog_begins_with_the_version_that_is_built(wheel: Path) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines() if line[:3] == "## "]
    assert headings[0] == f"## {version}"
    assert wheel.name.startswith(f"pdgf-{version}-")
