"""What is amiss with a file is said in the words of the page, whatever reader found it."""

import re
from pathlib import Path

import pytest

from dialogue.own_catalogue import checked
from dialogue.seen_lists import read_seen_list
from dialogue.ui.file_words import in_words
from dialogue.ui.texts import page_texts

ENGLISH, CHINESE = page_texts(), page_texts("zh")
MB = 1_000_000
NAMES = {"JSON", "UTF", "PDF", "NaN"}  # what is called so in Chinese too
TABLE = b"title,year\nA,soon\n,1999\nB,12\nC,1999,more,still more\n\xff\xfe,1999\n"
LINES = b'{"title": 1, "year": NaN}\nnothing\n[1]\n{"title": "A", "id": "x"}\n{"title": "B", "id": "x"}\n'
SHELVES = b"Title,Exclusive Shelf\nA,to-read\n***,read\nB,read\nC,read,more\n"


def latin(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z]{2,}", re.sub(r"“[^”]*”", "", text))) - NAMES


@pytest.mark.parametrize(("name", "content"), [("a.csv", TABLE), ("a.jsonl", LINES)])
def test_every_refused_row_of_a_catalogue_has_its_reason_in_chinese(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    refused = checked(path, ("title", "year"), {"title": ("title",), "year": ("year",)}).refused
    assert len({row.why for row in refused}) >= 3
    assert {row.why for row in refused if latin(in_words(row.why, CHINESE))} == set()


def test_every_refused_row_of_a_list_has_its_reason_in_chinese() -> None:
    refused = read_seen_list(SHELVES, max_bytes=MB).refused
    assert [in_words(row.why, CHINESE) for row in refused] == [
        "它在书架“to-read”上，不在“read”上",
        "没有名称",
        "有 3 格，表头只有 2 列",
    ]


def test_reasons_inside_a_reason_are_told_too() -> None:
    said = "holds no usable row (line 2: no title; line 3: year is not a number)"
    assert in_words(said, ENGLISH) == ("no row can be used (line 2: it has no title; line 3: the year is not a number)")
    assert latin(in_words(said, CHINESE)) == set()


def test_what_there_are_no_words_for_stays_as_it_is() -> None:
    assert in_words("something else", CHINESE) == "something else"
