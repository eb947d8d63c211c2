"""The commands that measure, with the real built-in engine: output, resuming, and plain words on bad input."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dialogue.cli import app
from dialogue.evaluation import running
from pdgf.evaluation.dataset import Query
from tests.pdgf.evaluation.village import write_set

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("models_loaded")]

METRICS = {"p@10", "r@10", "ndcg@10", "ndcg@10_binary", "h@1", "h@5", "mrr", "pool_recall", "seconds"}
NO_MODEL = {
    "full", "no_edges", "gamma0", "no_reduction", "max", "mean", "random", "flat", "bm25", "dense", "late_fusion",
    "rank_fusion", "year_on", "year_off", "sum_of_logs", "map_silent_0", "map_silent_25", "map_four_steps",
    "map_binary", "keep",
}  # fmt: skip


def pdgf(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def printed(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def rows_in(file: Path, *rows: dict[str, Any]) -> str:
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(file)


def test_a_set_is_measured_by_all_strategies_and_the_second_run_computes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        running, "code_digest", lambda packages: "this version"
    )  # which may be edited between the two runs
    folder, out = str(write_set(tmp_path / "village")), tmp_path / "out"
    made = printed(pdgf("eval", folder, "--out", str(out), "--json"))
    assert made["strategies"].keys() == NO_MODEL
    for row in made["strategies"].values():
        assert row.keys() == METRICS
        assert all(row[name]["low"] <= row[name]["value"] <= row[name]["high"] for name in METRICS)
    config = made["config"]
    assert {"gamma", "score_map", "aggregate", "preset", "engine", "embedder"} <= config.keys()
    assert (config["set"], config["engine"], made["requests"]["measured"]) == ("village", "builtin", 3)
    assert json.loads((out / "report.json").read_text(encoding="utf-8")) == made
    assert {path.stem for path in out.glob("*.png")} == {"scores", "recall", "deciles", "gaps", "complementarity"}
    assert (out / "report.md").read_text(encoding="utf-8").startswith("# village: 3 requests")
    kept = next(iter(out.glob("village-*/requests.jsonl")))
    before = kept.read_text(encoding="utf-8")
    again = pdgf("eval", folder, "--out", str(out), "--json")
    assert printed(again) == made
    assert "3 of 3 requests were measured before" in again.stderr
    assert kept.read_text(encoding="utf-8") == before


def test_a_run_that_was_stopped_in_the_middle_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "code_digest", lambda packages: "this version")
    folder, asked = str(write_set(tmp_path / "village")), list[str]()
    really = running.measure

    async def stopped_at_the_second(query: Query, *rest: Any) -> Any:
        asked.append(query.qid)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return await really(query, *rest)

    monkeypatch.setattr(running, "measure", stopped_at_the_second)
    out = tmp_path / "out"
    stopped = pdgf("eval", folder, "--strategies", "full,bm25", "--out", str(out), "--json")
    assert stopped.exit_code != 0
    assert asked == ["q1", "q2"]
    assert not (out / "report.json").exists()
    made = printed(pdgf("eval", folder, "--strategies", "full,bm25", "--out", str(out), "--json"))
    assert asked == ["q1", "q2", "q2", "q3"]
    whole = printed(pdgf("eval", folder, "--strategies", "full,bm25", "--out", str(tmp_path / "whole"), "--json"))
    assert made["requests"] == whole["requests"]
    for name, row in whole["strategies"].items():
        assert {m: v for m, v in row.items() if m != "seconds"} == {
            m: v for m, v in made["strategies"][name].items() if m != "seconds"
        }


@pytest.mark.parametrize(
    ("done", "total", "shown"),
    [
        (1, 4, f"[{'#' * 6}{'.' * 18}] 1 of 4 requests, 2.0 s each, 6 s left"),
        (4, 4, f"[{'#' * 24}] 4 of 4 requests, 2.0 s each, 0 s left"),
    ],
)
def test_the_bar_shows_how_far_a_run_is_and_what_is_left(done: int, total: int, shown: str) -> None:
    assert running.bar(done, total, 2.0 * done) == shown


def test_some_strategies_over_some_requests(tmp_path: Path) -> None:
    folder = str(write_set(tmp_path / "village"))
    result = pdgf("eval", folder, "--strategies", "full, bm25", "--limit", "1")
    assert result.exit_code == 0, result.stderr
    assert "| full |" in result.stdout
    assert "village: 1 requests" in result.stdout
    assert "| max |" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--strategies", "full,best"], "no_edges, gamma0"),
        (["--strategies", ","], "late_fusion"),
        (["--strategies", "llm_memory"], "language model"),
    ],
)
def test_a_strategy_that_cannot_be_had_is_refused_in_words(tmp_path: Path, arguments: list[str], said: str) -> None:
    result = pdgf("eval", str(write_set(tmp_path / "village")), *arguments, "--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("command", ["eval", "eval-intents", "eval-relations", "eval-options", "eval-updates"])
def test_what_is_not_there_is_said_in_one_line(tmp_path: Path, command: str) -> None:
    result = pdgf(command, str(tmp_path / "nothing"), "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "nothing" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_intents_are_read_as_in_a_chat(tmp_path: Path) -> None:
    file = rows_in(
        tmp_path / "intents.jsonl",
        {"text": "I would like a quiet place with ramen", "labels": ["preference"], "prev": ""},
        {"text": "Is there parking?", "labels": ["inquire"], "labelled": ["inquire"]},
        {"text": "no labels"},
    )
    made = printed(pdgf("eval-intents", file, "--json"))
    assert made["macro_f1"] == made["classes"]["inquire"]["f1"] / 4 + made["classes"]["preference"]["f1"] / 4
    assert made["classes"]["preference"]["f1"] == made["classes"]["inquire"]["f1"] == 1.0
    assert made["left_out"]["count"] == 1
    assert made["config"]["engine"] == "builtin"


def test_updates_are_made_as_in_a_chat(tmp_path: Path) -> None:
    file = rows_in(
        tmp_path / "updates.jsonl",
        {"utterance": "I want cheap ramen", "new_soft": {"price range": ["cheap"], "dish type": ["ramen"]}},
    )
    made = printed(pdgf("eval-updates", file, "--json"))
    assert made["values_under_any_key"]["f1"] == 1.0
    assert {"f1", "accuracy", "keys"} <= made.keys()


def test_relations_are_judged_by_the_agent_of_the_chat(tmp_path: Path) -> None:
    rows = [
        {"evidence": "The room is very quiet.", "preference": "I want a quiet room.", "label": "supports"},
        {"evidence": "The room is noisy.", "preference": "I want a quiet room.", "label": "contradicts"},
        {"evidence": "We paid by card.", "preference": "I want a quiet room.", "label": "neutral_absent"},
    ]
    file = rows_in(tmp_path / "relations.jsonl", *({**row, "aspect": "noise"} for row in rows))
    made = printed(pdgf("eval-relations", file, "--json"))
    assert made["accuracy"] == made["macro_f1"] == 1.0
    held = printed(pdgf("eval-relations", file, "--held-out", "noise", "--json"))
    assert (held["rows"], held["held_out"]) == (3, ["noise"])
    refused = pdgf("eval-relations", file, "--held-out", "smell", "--json")
    assert refused.exit_code == 2
    assert "it has noise" in refused.stderr


def test_options_are_ranked_as_a_pool(tmp_path: Path) -> None:
    options = {"a": "Leek soup with cream", "b": "Chocolate cake with nuts"}
    file = rows_in(
        tmp_path / "options.jsonl",
        {"query": "I want a chocolate cake", "options": options, "answer": "b", "query_type": {"Specific": 1}},
    )
    made = printed(pdgf("eval-options", file, "--json"))
    assert (made["accuracy"], made["rows"]) == (1.0, 1)
    assert made["query_types"] == {"Specific": {"accuracy": 1.0, "rows": 1}}
