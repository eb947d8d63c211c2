"""What every test shares: a data folder of its own, no network, no settings from outside."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.variants import mark_further_cases

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

# Thousands of modules and tests are made and none goes before the end: looking through them for garbage again and again
# would be a third of the time that collecting takes, and a part of every test's.
gc.disable()

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on any machine
settings.load_profile("untimed")

TESTS = Path(__file__).parent
FIRST = ("browser", "reliability", "postgres", "fuzz")  # folders of few, long tests


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files of few and long tests first, so that at the end no worker is left alone with one; further cases of what has
    many are marked before they are chosen by that."""
    mark_further_cases(items)

    def turn(item: pytest.Item) -> int:
        folder, *below = item.path.relative_to(TESTS).parts
        return FIRST.index(folder) if folder in FIRST else len(FIRST) + bool(below)

    items.sort(key=turn)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """From here on garbage is collected as ever, but not looked for in what is there already."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """What a file has left that is still in use, as the models that it loaded, is not looked through for its successors
    either."""
    yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One data folder for the whole run, so that the index of a bundled catalogue is built once."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def models_loaded() -> Iterator[None]:
    """A command finds the models of the built-in engine loaded by the one before it, as long as it asks for these."""
    from dialogue import cli
    from tests.opened import with_models

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "Composition", with_models)
        yield


class Nowhere:
    """An empty folder to stand in. One that a test has written into is left to that test: the next finds another."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._folder = folders.mktemp("nowhere")

    def empty(self) -> Path:
        if not self._folder.is_dir() or any(os.scandir(self._folder)):
            self._folder = self._folders.mktemp("nowhere")
        return self._folder


@pytest.fixture(scope="session")
def nowhere(tmp_path_factory: pytest.TempPathFactory) -> Nowhere:
    """Where the tests stand that ask for no folder of their own, of which most need none."""
    return Nowhere(tmp_path_factory)


@pytest.fixture(autouse=True)
def own_settings(
    data_dir: Path, nowhere: Nowhere, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Settings come from the test alone: no PDGF_ or OPENAI_ variable of the machine, no .env of the working folder,
    which is the test's own one or an empty one."""
    for name in [name for name in os.environ if name.startswith(("PDGF_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PDGF_DATA_DIR", str(data_dir))
    own = "tmp_path" in request.fixturenames
    monkeypatch.chdir(request.getfixturevalue("tmp_path") if own else nowhere.empty())
