"""The command line with the real built-in engine: the JSON contract, exit codes, plain sentences on bad input."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dialogue.cli import app, main
from tests.pdgf.engines.builtin.conftest import ROMANCE_REQUEST

pytestmark = pytest.mark.usefixtures("models_loaded")

SCORES = {"SUPPORT": 1.0, "PARTIAL": 0.5, "NOT_ADDRESSED": 0.1, "CONTRADICTS": 0.0}
GAMMA = 0.7


def pdgf(*arguments: str, typed: str | bytes = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=typed)


def printed(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def named(graph: Mapping[str, Any], text: str) -> Any:
    return next(node for node in graph["nodes"] if text in node["instantiation"])


@pytest.fixture(scope="module")
def romance(data_dir: Path) -> Any:
    runner = CliRunner(env={"PDGF_DATA_DIR": str(data_dir)})
    return printed(runner.invoke(app, ["recommend", ROMANCE_REQUEST, "--k", "200", "--json"]))


def recurrence(graph: Mapping[str, Any], node: str, labels: Mapping[str, str]) -> float:
    """H(x, v) by its definition, from the printed edges and labels alone."""
    bases = [edge["base"] for edge in graph["edges"] if edge["qualifier"] == node]
    best = max((recurrence(graph, base, labels) for base in bases), default=0.0)
    return SCORES[labels[node]] + GAMMA * best


def test_the_graph_of_the_papers_request_holds_what_the_paper_names() -> None:
    graph = printed(pdgf("graph", ROMANCE_REQUEST, "--json"))
    edges = {(edge["base"], edge["qualifier"]) for edge in graph["edges"]}
    romance, relationship = named(graph, "romance")["id"], named(graph, "relationship")["id"]
    assert (romance, named(graph, "subplot")["id"]) in edges
    for qualifier in ("conversation", "humour", "disagreements"):
        assert (relationship, named(graph, qualifier)["id"]) in edges
    assert named(graph, "sex")["polarity"] == "avoid"
    roots = [node["id"] for node in graph["nodes"] if node["id"] not in {qualifier for _, qualifier in edges}]
    assert len(graph["queries"]) == len(edges) + len(roots)
    assert sorted(graph["order"]) == sorted(node["id"] for node in graph["nodes"])
    position = {node: place for place, node in enumerate(graph["order"])}
    assert all(position[base] < position[qualifier] for base, qualifier in edges)


def test_the_papers_request_ranks_howls_moving_castle_above_the_lord_of_the_rings(romance: Any) -> None:
    titles = [item["title"] for item in romance["items"]]
    rings = [place for place, title in enumerate(titles) if title.startswith("The Lord of the Rings")]
    assert rings  # those that come into the list at all
    assert titles.index("Howl's Moving Castle") < min(rings)


def test_every_score_equals_the_recurrence_of_the_printed_labels(romance: Any) -> None:
    graph = romance["graph"]
    for item in romance["items"]:
        values = [recurrence(graph, path["node"], path["labels"]) for path in item["paths"]]
        assert [path["score"] for path in item["paths"]] == pytest.approx(values)
        assert item["score"] == pytest.approx(math.log1p(math.fsum(values)))


def test_items_are_in_final_order_with_demoted_ones_last(romance: Any) -> None:
    items = romance["items"]
    assert [item["rank"] for item in items] == list(range(1, len(items) + 1))
    keys = [(item["demoted"] is not None, -round(item["score"], 12)) for item in items]
    assert keys == sorted(keys)


def test_every_quote_stands_word_for_word_in_its_evidence_and_names_a_source(romance: Any) -> None:
    for item in romance["items"]:
        assert item["evidence"]
        for evidence in item["evidence"]:
            assert " ".join(evidence["quote"].split()) in " ".join(evidence["text"].split())
            assert evidence["sources"]


def test_the_config_stands_beside_the_result(romance: Any) -> None:
    assert {"gamma", "score_map", "aggregate", "preset", "engine", "embedder"} <= set(romance["config"])
    assert romance["config"]["score_map"] == SCORES
    assert set(romance["usage"]) >= {
        "agent_calls", "waves", "tokens_in", "tokens_out", "searches", "pages", "seconds", "cost",
    }  # fmt: skip


def test_a_named_film_is_excluded_from_its_own_recommendations() -> None:
    result = printed(pdgf("recommend", "Something like Howl's Moving Castle but funnier.", "--k", "200", "--json"))
    assert result["graph"]["excluded_titles"] == [{"title": "Howl's Moving Castle", "year": 2004}]
    assert "Howl's Moving Castle" not in {item["title"] for item in result["items"]}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("graph", ""), "nothing to read"),
        (("graph", "   "), "nothing to read"),
        (("graph", "🎬🍿"), "nothing to read"),
        (("recommend", "x" * 50_000), "50000"),
        (("graph", "hello there"), "wish"),
        (("graph", "泣ける映画が見たい"), "English"),
        (("recommend", "slow films", "--domain", "cars"), "cars"),
        (("graph", "slow films", "--engine", "llm"), "OPENAI_API_KEY"),
        (("index", "missing.csv", "--name", "mine"), "missing.csv"),
        (("index", "missing.csv", "--name", "../up"), "../up"),
        (("index", "missing.csv", "--name", "movies"), "movies"),
    ],
)
def test_input_that_cannot_be_used_is_refused_in_one_line(arguments: tuple[str, ...], said: str) -> None:
    result = pdgf(*arguments, "--json") if arguments[0] != "index" else pdgf(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_surrogate_in_the_text_is_cleaned_and_read() -> None:
    assert printed(pdgf("graph", "a slow film \ud83d with humour", "--json"))["nodes"]


def test_text_can_come_from_stdin() -> None:
    assert printed(pdgf("graph", "-", "--json", typed="a slow film with humour"))["nodes"]


def test_an_index_reports_each_refused_row_and_serves_the_rest(tmp_path: Path) -> None:
    rows = [
        '{"id": "1", "title": "Blue Kettle", "year": 2001, "metadata": {"material": "tin"}, '
        '"reviews": [{"text": "Boils fast and never whistles."}]}',
        "{broken",
        '{"id": "2", "metadata": {}, "reviews": []}',
        '{"id": "3", "title": "Red Kettle", "metadata": {"material": "copper"}, '
        '"reviews": [{"text": "Slow, loud whistle."}]}',
    ]
    file = tmp_path / "kettles.jsonl"
    file.write_text("\n".join(rows), encoding="utf-8")
    made = printed(pdgf("index", str(file), "--name", "kettles", "--json"))
    assert (made["items"], [row["line"] for row in made["refused"]]) == (2, [2, 3])
    result = printed(pdgf("recommend", "a fast kettle, not loud", "--domain", "kettles", "--json"))
    assert result["items"][0]["title"] == "Blue Kettle"


def test_chat_prints_one_json_line_for_every_line_it_reads() -> None:
    lines = ["hello", "", "Italian food in Old Harbour", "does the second have parking?"]
    result = pdgf("chat", "--domain", "restaurants", "--json", typed="\n".join(lines) + "\n")
    turns = [json.loads(line) for line in result.stdout.splitlines()]
    assert [turn["utterance"] for turn in turns] == lines
    for turn in turns:
        assert set(turn) == {
            "utterance", "intents", "action", "state", "reply", "items", "sources", "graph", "comparison", "usage",
            "notes", "marks",
        }  # fmt: skip
        assert set(turn["state"]) == {
            "hard_constraints", "soft_constraints", "recommended_items", "rejected_items", "accepted_items",
        }  # fmt: skip
        assert set(turn["graph"]) >= {"nodes", "edges", "added", "removed", "kept"}
        assert turn["reply"]


def test_a_stored_conversation_goes_on_where_it_was() -> None:
    first = pdgf("chat", "--domain", "movies", "--thread", "t-1", "--json", typed="a slow mystery\n")
    shown = [item["title"] for item in json.loads(first.stdout)["items"]]
    again = pdgf("chat", "--domain", "movies", "--thread", "t-1", "--json", typed="more\n")
    turn = json.loads(again.stdout)
    assert shown
    assert turn["items"]
    assert set(shown).isdisjoint(item["title"] for item in turn["items"])


def test_the_doctor_names_every_part() -> None:
    found = printed(pdgf("doctor", "--json"))
    assert found["ok"] is True
    assert [row["what"] for row in found["findings"]] == [
        "engine",
        "encoder",
        "evidence",
        "web search",
        "data folder",
        "store",
        "settings",
    ]


def test_people_read_text_and_not_json() -> None:
    shown = pdgf("recommend", "a slow mystery with humour", "--k", "3").stdout
    assert shown.startswith("1. ")
    assert "score" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ["recommend", "slow films", "--k", "0"],
        ["recommend"],
        ["graph", "x", "--preset", "odd"],
        ["graph", "x", "--odd"],
    ],
)
def test_wrong_options_are_told_in_one_line(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["pdgf", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    said = capsys.readouterr()
    assert stopped.value.code == 2
    assert (said.out, len(said.err.strip().splitlines())) == ("", 1)


def test_a_closed_stdin_is_an_empty_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", None)
    monkeypatch.setattr("sys.argv", ["pdgf", "graph", "-", "--json"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert "nothing to read" in capsys.readouterr().err
