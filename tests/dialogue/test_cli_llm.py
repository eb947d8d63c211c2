"""The command line with the LLM engine, against a scripted server on loopback."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from typer.testing import CliRunner, Result

import app as page
from dialogue.cli import app
from dialogue.owned import LOCAL_OWNER
from pdgf.settings import Settings
from tests.openai_server import FakeOpenAI, Fault
from tests.openai_server.town_model import town_reply

pytestmark = pytest.mark.usefixtures("models_loaded")

REQUEST = "quiet ramen in Old Harbour with parking"
KEY = "test-key-canary"


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(town_reply) as server:
        yield server


@pytest.fixture
def at_server(server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, data_dir: Path) -> FakeOpenAI:
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("PDGF_MODEL", "town")
    monkeypatch.setenv("PDGF_LLM_RETRIES", "0")
    return server


def pdgf(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=typed)


def printed(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_an_address_in_the_environment_makes_the_model_the_engine(at_server: FakeOpenAI) -> None:
    result = printed(pdgf("recommend", REQUEST, "--domain", "restaurants", "--k", "3", "--json"))
    assert result["config"]["engine"] == "llm"
    assert result["config"]["label_rounds"] == "few_rounds"
    assert result["notes"] == []
    assert len(result["items"]) == 3
    assert result["usage"]["agent_calls"] == len(at_server.records) > 4
    assert result["usage"]["tokens_in"] > 0
    assert result["usage"]["cost"] is None
    assert {record.headers["authorization"] for record in at_server.records} == {f"Bearer {KEY}"}


def test_the_built_in_engine_can_be_chosen_all_the_same(at_server: FakeOpenAI) -> None:
    result = printed(pdgf("graph", REQUEST, "--domain", "restaurants", "--engine", "builtin", "--json"))
    assert result["nodes"]
    assert at_server.records == []


def test_the_preset_of_the_paper_never_shares_a_call(at_server: FakeOpenAI) -> None:
    graph = printed(pdgf("graph", REQUEST, "--domain", "restaurants", "--preset", "paper", "--json"))
    asked = [record.prompt for record in at_server.records]
    n = len(graph["nodes"])
    assert n == 4
    assert asked.count("extract_nodes") == 1
    assert asked.count("judge_pairs") == n * (n - 1) // 2
    assert asked.count("describe") == n
    assert asked.count("rewrite_queries") == len(graph["queries"])


def test_a_chat_tells_what_its_turns_used(at_server: FakeOpenAI) -> None:
    typed = f"{REQUEST}\ndoes the second have candles?\n"
    result = pdgf("chat", "--domain", "restaurants", "--json", typed=typed)
    first, second = [json.loads(line) for line in result.stdout.splitlines()]
    assert first["action"] == "recommend"
    assert first["usage"]["agent_calls"] > second["usage"]["agent_calls"] >= 1
    assert first["notes"] == second["notes"] == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.UNAUTHORIZED, "did not accept the key"),
        pytest.param(Fault.INSUFFICIENT_QUOTA, "has no credit left", marks=pytest.mark.long),
    ],
)
def test_a_model_that_will_not_serve_is_told_and_the_built_in_engine_goes_on(
    at_server: FakeOpenAI, fault: Fault, said: str
) -> None:
    at_server.faults = fault
    result = printed(pdgf("recommend", REQUEST, "--domain", "restaurants", "--k", "3", "--json"))
    assert len(result["items"]) == 3
    [note] = [note for note in result["notes"] if "built-in engine takes over" in note]
    assert said in note
    assert len(at_server.records) == 1  # neither is ever tried again
    doctor = pdgf("doctor")
    assert doctor.exit_code == 3
    assert said in doctor.stdout
    assert KEY not in doctor.stdout + doctor.stderr


def test_the_doctor_names_model_and_host(at_server: FakeOpenAI) -> None:
    engine = printed(pdgf("doctor", "--json"))["findings"][0]
    assert engine["ok"]
    assert "town" in engine["said"]
    assert "127.0.0.1" in engine["said"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"PDGF_MODEL": ""}, "PDGF_MODEL"),
        ({"OPENAI_BASE_URL": "ftp://somewhere"}, "http"),
        ({"PDGF_LLM_PRICES": "cheap"}, "PRICES"),
        ({"PDGF_LLM_RETRIES": "many"}, "RETRIES"),
        ({"PDGF_LLM_PRICES": '{"town": [NaN, 1]}'}, "PRICES"),
        ({"PDGF_LLM_PRICES": '{"town": [-1, 2]}'}, "PRICES"),
    ],
)
def test_settings_that_cannot_work_are_refused_in_one_line(
    at_server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], said: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    result = pdgf("graph", REQUEST, "--json")
    assert result.exit_code == 2, result.stderr
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert KEY not in result.stderr


async def test_what_visitors_ask_the_endpoint_for_is_kept_under_no_name(
    at_server: FakeOpenAI, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: dict[str, Any] = {}
    monkeypatch.setattr(page, "create_app", lambda _, **named: told.update(named) or FastAPI())
    page.build_app(Settings())
    calls, before = [], kept(data_dir)
    for _ in range(2):
        records = len(at_server.records)
        assert (await told["recommend"](REQUEST, "restaurants", 3))["items"]
        calls.append(len(at_server.records) - records)
    assert calls[0] == calls[1] > 4  # the second visitor's replies are her own
    assert kept(data_dir) == before
    await asyncio.to_thread(pdgf, "recommend", f"{REQUEST} and a garden", "--domain", "restaurants", "--json")
    assert {scope for scope, _ in kept(data_dir) - before} == {LOCAL_OWNER}


def kept(data_dir: Path) -> set[tuple[str, str]]:
    """The replies that are kept: under which name, and what for."""
    found: set[tuple[str, str]] = set()
    for file in data_dir.rglob("replies.sqlite3"):
        with closing(sqlite3.connect(file)) as connection:
            found |= set(connection.execute("SELECT scope, key FROM replies"))
    return found
