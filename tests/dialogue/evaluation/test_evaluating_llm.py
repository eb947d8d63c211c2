"""The commands that measure with a language model, on replies of a scripted server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dialogue.cli import app
from dialogue.evaluation import running
from tests.dialogue.town import PLACES
from tests.openai_server import FakeOpenAI, Fault
from tests.openai_server.requests import ChatRequest
from tests.openai_server.town_model import blocks, rows, town_reply

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("models_loaded")]

REQUEST = "quiet ramen in Old Harbour with parking"
WANTED = "full,flat,late_fusion,llm_memory,llm_rerank,llm_attributes"


def reply(request: ChatRequest) -> Any:
    """The town's model, which also names titles, turns windows round and reads one attribute."""
    match request.prompt:
        case "propose_titles":
            return {"titles": [{"name": "Salt Kettle", "year": None}, {"name": "Unheard Of", "year": 1999}]}
        case "order_passages":
            return {"order": [row["number"] for row in rows(blocks(request.user)["items"])][::-1]}
        case "read_attributes":
            return {"attributes": [{"name": "noise", "value": "quiet", "required": True}]}
    return town_reply(request)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeOpenAI]:
    with FakeOpenAI(reply) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "test-key")
        monkeypatch.setenv("PDGF_MODEL", "town")
        monkeypatch.setenv("PDGF_DATA_DIR", str(tmp_path / "data"))
        yield server


def pdgf(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def printed(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def lines(file: Path, found: list[dict[str, Any]]) -> None:
    file.write_text("".join(f"{json.dumps(row)}\n" for row in found), encoding="utf-8")


@pytest.fixture
def town_set(tmp_path: Path) -> str:
    folder = tmp_path / "town"
    folder.mkdir()
    places = [{**place.model_dump(mode="json"), "reviews": [{"text": t} for t in texts]} for place, texts in PLACES]
    lines(folder / "items.jsonl", places)
    lines(folder / "queries.jsonl", [{"qid": "q", "text": REQUEST}])
    (folder / "qrels.tsv").write_text("q\tp1\t2\nq\tp4\t1\n", encoding="utf-8")
    return str(folder)


def test_the_baselines_of_a_model_rank_the_same_pool_and_a_second_run_asks_nothing(
    server: FakeOpenAI, town_set: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(running, "code_digest", lambda packages: "this version")
    out = tmp_path / "out"
    arguments = ("eval", town_set, "--strategies", WANTED, "--item-word", "place", "--out", str(out), "--json")
    made = printed(pdgf(*arguments))
    kept = json.loads(next(iter(out.glob("town-*/requests.jsonl"))).read_text(encoding="utf-8"))["rankings"]
    assert kept["llm_memory"] == ["p4"]
    assert kept["llm_rerank"] == kept["late_fusion"][::-1]
    assert sorted(kept["llm_attributes"]) == sorted(kept["full"])
    assert made["config"]["engine"] == "llm"
    assert made["strategies"]["llm_memory"]["h@1"]["value"] == 1.0
    asked = len(server.records)
    assert printed(pdgf(*arguments))["strategies"] == made["strategies"]
    assert len(server.records) == asked


def test_what_the_reserve_has_done_for_a_model_without_service_is_no_result(
    server: FakeOpenAI, town_set: str, tmp_path: Path
) -> None:
    server.faults = Fault.UNAUTHORIZED
    out = tmp_path / "out"
    result = pdgf("eval", town_set, "--strategies", "full", "--out", str(out), "--json")
    assert (result.exit_code, result.stdout) == (3, "")
    assert list(out.glob("*/requests.jsonl")) == []


def test_without_names_every_strategy_is_measured(server: FakeOpenAI, town_set: str) -> None:
    assert {"full", "llm_memory", "llm_rerank", "llm_attributes"} <= printed(pdgf("eval", town_set, "--json"))[
        "strategies"
    ].keys()


def test_intents_are_read_by_the_model(server: FakeOpenAI, tmp_path: Path) -> None:
    lines(tmp_path / "intents.jsonl", [{"text": "quiet ramen, please", "labels": ["preference"], "prev": ""}])
    made = printed(pdgf("eval-intents", str(tmp_path / "intents.jsonl"), "--json"))
    assert made["classes"]["preference"]["f1"] == 1.0
    assert [record.prompt for record in server.records] == ["understand"]


def test_options_and_relations_are_labelled_by_the_model(server: FakeOpenAI, tmp_path: Path) -> None:
    options = {"a": "It is loud.", "b": "A quiet room."}
    lines(tmp_path / "options.jsonl", [{"query": "quiet, please", "options": options, "answer": "b"}])
    assert printed(pdgf("eval-options", str(tmp_path / "options.jsonl"), "--json"))["accuracy"] == 1.0
    row = {"evidence": "A quiet room.", "preference": "quiet, please", "label": "supports", "aspect": "noise"}
    lines(tmp_path / "relations.jsonl", [row])
    assert printed(pdgf("eval-relations", str(tmp_path / "relations.jsonl"), "--json"))["accuracy"] == 1.0
    assert "label_relations" in [record.prompt for record in server.records]


def test_a_judge_whose_model_gives_no_service_has_no_figures(server: FakeOpenAI, tmp_path: Path) -> None:
    server.faults = Fault.UNAUTHORIZED
    lines(tmp_path / "intents.jsonl", [{"text": "quiet ramen, please", "labels": ["preference"], "prev": ""}])
    result = pdgf("eval-intents", str(tmp_path / "intents.jsonl"), "--json")
    assert (result.exit_code, result.stdout) == (3, "")
