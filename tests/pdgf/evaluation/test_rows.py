"""Rows of an evaluation file."""

from pathlib import Path

import pytest

from pdgf.errors import ConfigInvalid
from pdgf.evaluation.rows import FileRow, LeftOut, read_rows, told


class Numbered(FileRow):
    number: int


def test_usable_rows_keep_their_line_and_the_others_their_reason(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"number": 1, "more": 2}\n\nno json\n{"number": "x"}\n[]\n{"number": 5}\n', encoding="utf-8")
    rows, left_out = read_rows(file, Numbered)
    assert [(line, row.number) for line, row in rows] == [(1, 1), (6, 5)]
    assert [row.line for row in left_out] == [3, 4, 5]
    assert left_out[1].why.startswith("number: ")
    assert told(left_out)["count"] == 3


def test_a_file_without_a_usable_row_is_refused_with_the_first_reasons(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("{}\n", encoding="utf-8")
    with pytest.raises(ConfigInvalid, match="line 1: number"):
        read_rows(file, Numbered)
    file.write_text("", encoding="utf-8")
    with pytest.raises(ConfigInvalid, match="the file is empty"):
        read_rows(file, Numbered)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigInvalid, match="cannot be read"):
        read_rows(tmp_path / "none.jsonl", Numbered)


def test_what_was_left_out_is_counted_and_named() -> None:
    assert told([LeftOut(file="f", line=2, why="w")]) == {"count": 1, "rows": [{"file": "f", "line": 2, "why": "w"}]}
