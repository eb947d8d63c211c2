"""The composition root: the address it serves on, and that the whole application can be built."""

import socket
from pathlib import Path

import pytest
from fastapi import FastAPI

import app
from dialogue.ui.desk import Server
from dialogue.ui.texts import page_texts
from pdgf.settings import Settings


def test_the_address_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    monkeypatch.setenv("GRADIO_SERVER_PORT", str(free))
    assert app.address() == ("127.0.0.1", free)


@pytest.mark.parametrize("port", ["many", "0", "70000", "-1"])
def test_a_port_that_is_none_is_refused_in_words(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADIO_SERVER_PORT", port)
    with pytest.raises(SystemExit, match="GRADIO_SERVER_PORT must be a number"):
        app.address()


def test_a_port_that_is_taken_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv("GRADIO_SERVER_PORT", str(taken.getsockname()[1]))
        with pytest.raises(SystemExit, match="Set GRADIO_SERVER_PORT to a free port"):
            app.address()


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
    monkeypatch.setattr(app, "create_app", lambda _, **named: told.update(named))
    app.build_app(Settings.model_validate({"data_dir": tmp_path, **more}))
    about = page_texts()["about"]
    server = told["server"]
    assert isinstance(server, Server)
    assert said in about["engine"][server.engine]
    assert about["evidence"][server.evidence]
