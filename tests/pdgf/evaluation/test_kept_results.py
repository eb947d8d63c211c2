"""Results that are kept over runs."""

from pathlib import Path

import pytest

from pdgf.errors import StoreUnavailable
from pdgf.evaluation.kept_results import KeptResults, code_digest, run_digest, serves
from pdgf.evaluation.runner import QueryResult
from pdgf.evaluation.strategies import Strategy


def result(qid: str, *names: str, unread: str = "") -> QueryResult:
    return QueryResult(
        qid=qid, rankings={name: ["a"] for name in names}, found={"full": [], "flat": []}, seconds={}, unread=unread
    )


def test_orders_of_an_earlier_run_for_other_strategies_stay(tmp_path: Path) -> None:
    kept = KeptResults(tmp_path)
    kept.add(result("q", "full", "max"))
    kept.add(result("q", "bm25"))
    assert set(kept.read()["q"].rankings) == {"full", "max", "bm25"}


def test_what_was_added_is_read_again_and_the_later_line_counts(tmp_path: Path) -> None:
    kept = KeptResults(tmp_path / "run")
    assert kept.read() == {}
    for each in (result("q1", "full"), result("q2", "full"), result("q1", "full", "max")):
        kept.add(each)
    assert KeptResults(tmp_path / "run").read() == {"q1": result("q1", "full", "max"), "q2": result("q2", "full")}


def test_a_line_that_was_cut_off_is_measured_again(tmp_path: Path) -> None:
    kept = KeptResults(tmp_path)
    kept.add(result("q1", "full"))
    file = tmp_path / "requests.jsonl"
    file.write_text(file.read_text() + result("q2", "full").model_dump_json()[:30], encoding="utf-8")
    assert set(kept.read()) == {"q1"}


def test_a_result_serves_when_it_has_every_wanted_order() -> None:
    assert serves(result("q", "full", "max"), [Strategy.FULL])
    assert not serves(result("q", "full"), [Strategy.FULL, Strategy.MAX])
    assert not serves(None, [Strategy.FULL])
    assert serves(result("q", "flat", unread="NoPreferences"), [Strategy.FULL, Strategy.NO_EDGES, Strategy.FLAT])
    assert not serves(result("q", unread="NoPreferences"), [Strategy.FLAT])


def test_the_digest_of_a_run_depends_on_every_number_and_not_on_their_order() -> None:
    assert run_digest({"a": 1, "b": 2}) == run_digest({"b": 2, "a": 1}) != run_digest({"a": 1, "b": 3})


def test_the_digest_of_the_code_changes_with_a_file_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "made_up_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "words.toml").write_text("a = 1")
    monkeypatch.syspath_prepend(tmp_path)
    before = code_digest(["made_up_package"])
    (package / "words.toml").write_text("a = 2")
    assert before != code_digest(["made_up_package"])


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable):
        KeptResults(tmp_path / "file").add(result("q", "full"))
