"""Lists of what somebody knows already, as the services export them, and as people write them."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.seen_lists import SeenList, read_seen_list
from dialogue.uploads import MAX_ROWS
from pdgf.errors import SeenListInvalid, UploadNotText, UploadRefused, UploadTooLarge
from pdgf.identity import name_key

MEGABYTE = 1024 * 1024

GOODREADS = '''\
Book Id,Title,Author,ISBN,My Rating,Year Published,Original Publication Year,Exclusive Shelf,My Review
1,"Salt Roads (The Salt Cycle, #1)",Ana Quill,"=""0123456789""",5,2011,1974,read,"Long,
and ""loved"""
2,The Paper Tide,Ana Quill,,0,2003,1999,to-read,
3,Lamplight,Bo Varga,,4,2015,,read,
4,Lamplight,Bo Varga,,4,2019,,read,
5,,Nobody,,4,2019,2019,read,
'''
LETTERBOXD = "Date,Name,Year,Letterboxd URI\n2024-01-02,Nine Winters,2019,u\n2024-01-03,The Borrowed Crown,1998,u\n"
STORYGRAPH = (
    "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Star Rating\n"
    "Salt Roads,Ana Quill,,,hardcover,read,4.5\nMoth Season,Bo Varga,,,digital,did-not-finish,\n"
)


def read(text: str | bytes, *, name: str = "", max_bytes: int = MEGABYTE) -> SeenList:
    return read_seen_list(text if isinstance(text, bytes) else text.encode(), name=name, max_bytes=max_bytes)


def titles(text: str | bytes) -> list[tuple[str, int | None]]:
    return [(title.title, title.year) for title in read(text).titles]


def refused(text: str) -> list[tuple[int, str]]:
    return [(row.line, row.why) for row in read(text).refused]


def test_of_a_goodreads_export_only_what_was_read_counts() -> None:
    found = read(GOODREADS)
    assert found.kind == "goodreads"
    assert "The Paper Tide" not in {title.title for title in found.titles}
    assert refused(GOODREADS) == [(4, "on the shelf “to-read”, not “read”"), (7, "no title")]


def test_the_year_of_a_book_is_that_of_the_work_and_its_series_is_no_part_of_its_title() -> None:
    assert titles(GOODREADS) == [("Salt Roads", 1974), ("Lamplight", None)]


def test_letterboxd_gives_names_and_years() -> None:
    assert read(LETTERBOXD).kind == "letterboxd"
    assert titles(LETTERBOXD) == [("Nine Winters", 2019), ("The Borrowed Crown", 1998)]


def test_a_watchlist_is_not_what_was_watched() -> None:
    with pytest.raises(SeenListInvalid, match="still to be watched"):
        read(LETTERBOXD, name="watchlist.csv")
    assert len(read(LETTERBOXD, name="watched.csv").titles) == 2


def test_of_a_storygraph_export_only_what_was_read_counts() -> None:
    assert read(STORYGRAPH).kind == "storygraph"
    assert titles(STORYGRAPH) == [("Salt Roads", None)]
    assert refused(STORYGRAPH) == [(3, "on the shelf “did-not-finish”, not “read”")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_table_is_read_with_any_separator_and_encoding(delimiter: str, encoding: str) -> None:
    table = LETTERBOXD.replace("Nine", "Ñine é").replace(",", delimiter)
    assert titles(table.encode(encoding)) == [("Ñine é Winters", 2019), ("The Borrowed Crown", 1998)]


def test_plain_lines_may_have_years_bullets_and_quotes() -> None:
    lines = "Nine Winters (2019)\n- Moth Season\n2. Lamplight\n\n“Salt, and Roads”\n12 Geese, 1957\n[LOG] (2007)\r\n"
    assert titles(lines) == [
        ("Nine Winters", 2019),
        ("Moth Season", None),
        ("Lamplight", None),
        ("Salt, and Roads", None),
        ("12 Geese", 1957),
        ("[LOG]", 2007),
    ]


def test_a_title_of_letters_that_open_an_archive_is_a_title() -> None:
    assert titles("PK (2014)\nPK\n") == [("PK", 2014), ("PK", None)]


def test_json_lists_hold_titles_or_objects() -> None:
    entries = ["Nine Winters (2019)", {"title": "Lamplight", "year": 1974}, {"Name": "Moth"}, 3, {"rating": 5}]
    expected = [("Nine Winters", 2019), ("Lamplight", 1974), ("Moth", None)]
    assert titles(json.dumps(entries)) == expected
    assert titles(json.dumps({"user": "x", "watched": entries})) == expected
    assert titles("\n".join(json.dumps(entry) for entry in entries[1:])) == expected[1:]
    assert refused(json.dumps(entries)) == [(4, "neither a title nor an object with one"), (5, "no title")]


def test_a_formula_is_a_text_like_any_other() -> None:
    assert titles("Title,Year\n=HYPERLINK(1),1999\n@SUM(1+1),\n") == [("=HYPERLINK(1)", 1999), ("@SUM(1+1)", None)]


def test_one_title_counts_once_and_another_year_is_another_title() -> None:
    assert titles("The Lantern (1999)\nlantern (1999)\nLantern (2005)") == [("The Lantern", 1999), ("Lantern", 2005)]


def test_rows_that_cannot_be_used_are_named_by_line() -> None:
    table = 'Title,Year\nA,1999,extra\n***,\n"Fine",1999\n' + "x" * 301 + ',\n"never closed,1\nB,2000\n'
    assert [title for title, _ in titles(table)] == ["Fine"]
    assert [line for line, _ in refused(table)] == [2, 3, 5, 6]
    assert "never closed" in refused(table)[-1][1]


def test_a_year_that_is_none_leaves_the_title_without_one() -> None:
    assert titles("Title,Year\nA,soon\nB,1999-04-01\nC,0\nD,1987.0\n") == [
        ("A", None),
        ("B", 1999),
        ("C", None),
        ("D", 1987),
    ]


def test_ten_thousand_rows_are_read_and_too_many_are_refused() -> None:
    assert len(titles("\n".join(f"Film {number} (1999)" for number in range(10_000)))) == 10_000
    with pytest.raises(UploadTooLarge, match="20,000 rows"):
        read("\n".join(f"Film {number}" for number in range(MAX_ROWS + 1)))


def test_a_file_that_is_too_large_is_not_read() -> None:
    with pytest.raises(UploadTooLarge, match="1 MB"):
        read(b"a" * (MEGABYTE + 1))


@pytest.mark.parametrize("data", [b"PK\x03\x04rest", b"\x1f\x8brest", b"%PDF-1.7", b"\x89PNG\r\n\x1a\n\0\0", b"a\0b\0"])
def test_what_is_no_text_is_named_not_read(data: bytes) -> None:
    with pytest.raises(UploadNotText):
        read(data)


@pytest.mark.parametrize("data", [b"", b"\n \n", b"{}", b"[]", b"***\n---", b"Title,Year\n"])
def test_a_list_without_a_title_says_so(data: bytes) -> None:
    with pytest.raises(SeenListInvalid):
        read(data)


PIECES = st.sampled_from(
    ["Title", "Year", ",", ";", "\t", '"', "\n", "\r", "[", "{", "}", ":", "1999", "(2001)", "é", "\ud83d", "=", "\\u"]
)


@given(st.one_of(st.binary(max_size=300), st.lists(PIECES, max_size=60).map("".join), st.text(max_size=300)))
def test_junk_is_read_or_refused_and_nothing_else(junk: bytes | str) -> None:
    data = junk if isinstance(junk, bytes) else junk.encode("utf-8", "surrogatepass")
    try:
        found = read(data)
    except UploadRefused:
        return
    assert found.titles
    assert all(title.title.strip() for title in found.titles)


@given(st.lists(st.tuples(st.text("abcdefghij ü\"',;", min_size=1, max_size=12), st.integers(1900, 2030)), max_size=20))
def test_what_was_written_as_a_table_comes_back(rows: list[tuple[str, int]]) -> None:
    kept = [(f"x{title}", year) for title, year in rows]
    out = io.StringIO()
    csv.writer(out, delimiter="|").writerows([("Name", "Year"), ("always", 1999), *kept])
    found = {(name_key(title), year) for title, year in titles(out.getvalue())}
    assert found == {("always", 1999), *((name_key(title), year) for title, year in kept)}
