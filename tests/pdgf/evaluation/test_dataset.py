"""Reading a retrieval set: what counts, and what is left out with its reason."""

from pathlib import Path

import pytest

from pdgf.errors import ConfigInvalid
from pdgf.evaluation.dataset import read_set, set_digest
from tests.pdgf.evaluation.village import INNS, QUERIES, write_set


def test_a_set_is_read_with_its_requests_and_their_graded_truth(tmp_path: Path) -> None:
    found = read_set(write_set(tmp_path / "village"))
    assert found.name == "village"
    assert [item.id for item in found.items] == list(INNS)
    assert found.queries == QUERIES
    assert found.left_out == ()


def test_everything_that_cannot_be_used_is_told_by_file_line_and_reason(tmp_path: Path) -> None:
    folder = write_set(
        tmp_path / "village",
        queries=[{"qid": "q4", "text": "Nothing is right here"}, {"qid": "q1", "text": "again"}, {"text": "no id"}],
        qrels=["q4\tgate\t0", "q1\tatlantis\t1", "q1\tmill\tmany", "q1\tmill", "q1\tmill\tnan", "q9\tmill\t1"],
    )
    found = read_set(folder)
    assert [query.qid for query in found.queries] == ["q1", "q2", "q3"]
    assert {(row.file, row.line, row.why) for row in found.left_out} == {
        ("queries.jsonl", 4, "request q4 has no relevant item"),
        ("queries.jsonl", 5, "a second request of the id q1"),
        ("queries.jsonl", 6, "qid: Field required"),
        ("qrels.tsv", 6, "item atlantis is not in the set"),
        ("qrels.tsv", 7, "the grade is no number"),
        ("qrels.tsv", 8, "2 fields instead of request, item and grade"),
        ("qrels.tsv", 9, "the grade is no number"),
        ("qrels.tsv", None, "q9 is no request"),
    }


def test_items_that_the_request_names_are_no_part_of_its_truth(tmp_path: Path) -> None:
    folder = write_set(
        tmp_path / "village",
        queries=[{"qid": "q5", "text": "like the Swan", "seed_items": ["swan", "nowhere"]}],
        qrels=["q5\tswan\t4", "q5\theron\t1"],
    )
    last = read_set(folder).queries[-1]
    assert (last.seeds, last.truth) == (("swan",), {"heron": 1.0})


def test_an_item_that_is_judged_twice_keeps_its_larger_grade(tmp_path: Path) -> None:
    found = read_set(write_set(tmp_path / "v", qrels=["q1\tswan\t5", "q1\tswan\t2"]))
    assert found.queries[0].truth == {"heron": 2.0, "swan": 5.0}


@pytest.mark.parametrize("missing", ["items.jsonl", "queries.jsonl", "qrels.tsv"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    folder = write_set(tmp_path / "village")
    (folder / missing).unlink()
    with pytest.raises(ConfigInvalid, match=missing):
        read_set(folder)


def test_a_set_without_any_truth_is_refused(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "village")
    (folder / "qrels.tsv").write_text("", encoding="utf-8")
    with pytest.raises(ConfigInvalid, match="no request has a relevant item"):
        read_set(folder)


def test_the_digest_of_a_set_changes_with_its_truth_but_not_with_its_place(tmp_path: Path) -> None:
    one, same = read_set(write_set(tmp_path / "one")), read_set(write_set(tmp_path / "two"))
    other = read_set(write_set(tmp_path / "three", qrels=["q2\tcrown\t1"]))
    assert set_digest(one) == set_digest(same) != set_digest(other)
