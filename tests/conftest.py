"""What every test shares: a data folder of its own, no network, no settings from outside."""

import os
from pathlib import Path

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One data folder for the whole run, so that the index of a bundled catalogue is built once."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(autouse=True)
def own_settings(data_dir: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Settings come from the test alone: no PDGF_ or OPENAI_ variable of the machine, no .env of the working folder."""
    for name in [name for name in os.environ if name.startswith(("PDGF_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PDGF_DATA_DIR", str(data_dir))
    monkeypatch.chdir(tmp_path)
