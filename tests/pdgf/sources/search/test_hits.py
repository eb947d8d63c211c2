"""Results as they came -> hits: a bad one costs no other (C08)."""

from typing import Any

import pytest

from pdgf.sources.search.faults import SearchFault
from pdgf.sources.search.hits import HITS, TEXT_CHARS, Fields, read_hits

FIELDS = Fields(link="link", title="title", snippet="snippet")
GOOD = {"link": "http://a.example/1", "title": "A", "snippet": "About A."}


def test_a_hit_has_its_address_its_texts_and_its_rank() -> None:
    [hit] = read_hits([GOOD], FIELDS)
    assert (hit.url, hit.title, hit.snippet, hit.rank) == ("http://a.example/1", "A", "About A.", 1)


@pytest.mark.parametrize(
    "bad",
    [
        {"title": "no link"},
        {"link": 7},
        {"link": ""},
        {"link": None},
        {"link": ["http://b.example/"]},
        {"link": "not an address"},
        {"link": "javascript:alert(1)"},
        {"link": "http://user:word@b.example/"},
        {"link": "http://b.example/" + "x" * 5_000},
        None,
        "http://b.example/",
        [],
        0,
    ],
)
def test_a_bad_hit_is_skipped_and_the_others_are_kept(bad: Any) -> None:
    found = read_hits([GOOD, bad, {"link": "http://c.example/"}], FIELDS)
    assert [(hit.url, hit.rank) for hit in found] == [("http://a.example/1", 1), ("http://c.example/", 2)]


def test_texts_that_are_none_are_empty() -> None:
    [hit] = read_hits([{"link": "http://a.example/1", "title": 7, "snippet": ["x"]}], FIELDS)
    assert (hit.title, hit.snippet) == ("", "")


def test_texts_come_to_one_readable_line() -> None:
    [hit] = read_hits([{**GOOD, "title": " A \n\x00 b\ud800c "}], FIELDS)
    assert hit.title == "A b c"


def test_a_megabyte_of_snippet_is_cut() -> None:
    [hit] = read_hits([{**GOOD, "snippet": "dry humour " * 90_000, "title": "x" * 1_000_000}], FIELDS)
    assert hit.snippet == ("dry humour " * 90_000)[:TEXT_CHARS]
    assert hit.title == "x" * 500


def test_a_hundred_times_the_same_hit_is_one_hit() -> None:
    same = [{"link": f"http://A.example/1/?utm_source={number}#top"} for number in range(100)]
    found = read_hits([GOOD, *same], FIELDS)
    assert [hit.url for hit in found] == ["http://a.example/1"]


def test_ten_hits_are_kept_the_first_ones() -> None:
    found = read_hits([{"link": f"http://a.example/{number}"} for number in range(40)], FIELDS)
    assert [hit.url for hit in found] == [f"http://a.example/{number}" for number in range(10)]
    assert [hit.rank for hit in found] == list(range(1, HITS + 1))


def test_no_list_is_no_hit() -> None:
    assert read_hits(None, FIELDS) == read_hits([], FIELDS) == ()


@pytest.mark.parametrize("odd", ["none", 0, {}, True])
def test_something_else_than_a_list_is_no_answer_to_this_query(odd: Any) -> None:
    with pytest.raises(SearchFault) as raised:
        read_hits(odd, FIELDS)
    assert (raised.value.why, raised.value.of_query) == ("no_api", True)
