"""The composition root: that the whole application can be built."""

import gc
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi import FastAPI

import app
from dialogue.ui.desk import Server
from dialogue.ui.texts import page_texts
from pdgf.settings import Settings


def test_the_application_is_built_without_loading_a_model(tmp_path: Path) -> None:
    assert isinstance(app.build_app(Settings(data_dir=tmp_path)), FastAPI)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "nothing is sent anywhere"),
        ({"engine": "llm", "openai_api_key": "test-key", "source": "both"}, "are sent to the model"),
    ],
)
def test_the_page_says_what_leaves_the_computer(
    more: dict[str, str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: dict[str, object] = {}
    monkeypatch.setattr(app, "create_app", lambda _, **named: told.update(named) or FastAPI())
    app.build_app(Settings.model_validate({"data_dir": tmp_path, **more}))
    about = page_texts()["about"]
    server = told["server"]
    assert isinstance(server, Server)
    assert said in about["engine"][server.engine]
    assert about["evidence"][server.evidence]


def test_a_setting_that_does_not_fit_is_named_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PDGF_KEEP_DAYS", "a fortnight")
    with pytest.raises(SystemExit) as refused:
        app.main()
    assert str(refused.value) == "PDGF_KEEP_DAYS must be a number."


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"PDGF_ENGINE": "llm"}, "OPENAI_API_KEY"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}, "PDGF_MODEL"),
        ({"PDGF_BUNDLED": "none"}, "PDGF_BUNDLED"),
    ],
)
def test_a_page_that_could_answer_nothing_does_not_start_and_says_what_is_missing(
    variables: dict[str, str], named: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PDGF_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("dialogue.serving.address", lambda: ("127.0.0.1", 0))
    monkeypatch.setattr("dialogue.leaving.serve", lambda *_, **__: pytest.fail("it was served"))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit, match=named):
        app.main()


def test_a_port_that_is_none_is_told_in_words_by_the_program_itself(tmp_path: Path) -> None:
    environment = {**os.environ, "GRADIO_SERVER_PORT": "many", "PDGF_DATA_DIR": str(tmp_path)}
    run = [sys.executable, app.__file__]
    told = subprocess.run(run, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert told.stderr.strip() == "GRADIO_SERVER_PORT must be a number from 1 to 65535, not 'many'."


@pytest.mark.parametrize("fails", [False, True])
async def test_garbage_is_looked_for_again_once_the_start_is_over_however_it_ended(
    fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(*_: Any) -> None:
        if fails:
            raise OSError("no catalogue can be read")

    monkeypatch.setattr(app, "warm_pages", nothing)
    gc.disable()
    try:
        warming = app._warm_up(FastAPI(), cast(Any, SimpleNamespace(warm_up=nothing)))
        if fails:
            with pytest.raises(OSError, match="no catalogue"):
                await warming
        else:
            await warming
        assert gc.isenabled()
    finally:
        gc.enable()
