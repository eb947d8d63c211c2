"""Catalogue files as visitors send them: what their columns seem to be, and what becomes of their rows."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dialogue.own_catalogue import FIELDS, checked, laid_down, preview, reader_mapping
from dialogue.uploads import MAX_ROWS
from pdgf.catalogues.reading import read_items
from pdgf.errors import BadInput, CatalogueInvalid, UploadNotText, UploadTooLarge

MEGABYTE = 1024 * 1024
LONG = "A long remark about the lighthouse, its keeper and the weather, which goes on and on until all is said."
ODD = "Werk;Jahr;Meinung;Genre\n" + "".join(f"Turm {n};{1950 + n};{LONG} {n};Drama|Krimi\n" for n in range(20))


def laid(text: str | bytes, folder: Path) -> Path:
    return laid_down(text if isinstance(text, bytes) else text.encode(), folder, max_bytes=MEGABYTE)


def proposed(text: str, folder: Path) -> dict[str, tuple[tuple[str, ...], str]]:
    return {row.field: (row.columns, row.why) for row in preview(laid(text, folder)).proposals}


def test_odd_headers_are_understood_by_what_stands_under_them(tmp_path: Path) -> None:
    assert proposed(ODD, tmp_path) == {
        "title": (("Werk",), "distinct"),
        "year": (("Jahr",), "years"),
        "texts": (("Meinung",), "long"),
    }


def test_plain_headers_are_understood_by_their_names(tmp_path: Path) -> None:
    table = "ISBN,Director name,Film Title,Released,Plot,URL\n1,Bo,A,1999,short,http://x.test\n2,Al,B,2000,x,http://y.test\n"
    assert proposed(table, tmp_path) == {
        "title": (("Film Title",), "name"),
        "year": (("Released",), "name"),
        "texts": (("Plot",), "name"),
        "source": (("URL",), "name"),
        "id": (("ISBN",), "name"),
    }


SHORT_TABLE = "Name,Type,Price EUR,Review,Second opinion,Open,Publisher,Motto\n" + "".join(
    f"Fort {n},{('card', 'board')[n % 2]},{9 + n},Warm and quick to learn.,{said},open until 9 p.m.,Harrow & Co.,Go!\n"
    for n, said in enumerate(
        ["Our children loved it.", "The pieces feel good in the hand!", "It is too long for me."] * 8
    )
)


def test_every_column_of_sentences_is_a_text_however_short_and_often_repeated(tmp_path: Path) -> None:
    assert proposed(SHORT_TABLE, tmp_path)["texts"] == (("Review", "Second opinion"), "long")
    table = "名称,短评,二评\n" + "".join(f"店{n},味道很好。,服务员很热情，上菜也快。\n" for n in range(9))
    assert proposed(table, tmp_path)["texts"] == (("短评", "二评"), "long")


def test_what_is_proposed_as_texts_is_what_the_items_are_read_with(tmp_path: Path) -> None:
    path = laid(SHORT_TABLE, tmp_path)
    items = read_items(path, mapping=reader_mapping(preview(path).columns, preview(path).proposed)).items
    assert [review.text for review in items[0].reviews] == ["Warm and quick to learn.", "Our children loved it."]


def test_an_abbreviation_in_a_header_stays_as_it_is_written(tmp_path: Path) -> None:
    path = laid("Title,Price EUR,Alcohol (ABV),AGE,HasTV\nA,9,5,3,yes\n", tmp_path)
    (item,) = read_items(path).items
    assert list(item.metadata) == ["price EUR", "alcohol (ABV)", "age", "has tv"]


def test_a_column_that_repeats_itself_is_no_id_and_one_of_dates_no_year(tmp_path: Path) -> None:
    table = "id,title,published\n7,A,May 1999\n7,B,June 2000\n"
    found = preview(laid(table, tmp_path))
    assert found.proposed == {"title": ("title",)}
    assert checked(laid(table, tmp_path), found.columns, found.proposed).items == 2


def test_the_first_rows_are_shown_as_short_texts(tmp_path: Path) -> None:
    found = preview(laid(ODD, tmp_path))
    assert (found.columns, found.count, len(found.rows)) == (("Werk", "Jahr", "Meinung", "Genre"), 20, 4)
    assert found.rows[0][0] == "Turm 0"
    assert found.rows[0][2] == LONG[:89] + "…"
    assert found.rows[0][3] == "Drama, Krimi"


def test_a_cell_of_a_table_is_shown_as_it_is_written(tmp_path: Path) -> None:
    table = "title,solo,team,price\nA,yes,No,7.50\nB,TRUE,false,12\n"
    assert preview(laid(table, tmp_path)).rows == (("A", "yes", "No", "7.50"), ("B", "TRUE", "false", "12"))


def test_a_broken_row_among_the_first_shifts_no_cell(tmp_path: Path) -> None:
    table = 'title,solo\nA,yes\nB,no,too many\n"C\nC",no\n'
    assert preview(laid(table, tmp_path)).rows == (("A", "yes"), ("C C", "no"))


def test_the_choice_of_columns_holds_whatever_they_are_called(tmp_path: Path) -> None:
    table = "title,notes,film\nscore,private,A\nplot,private too,B\n"
    path = laid(table, tmp_path)
    mapping = reader_mapping(("title", "notes", "film"), {"title": ("film",)})
    items = read_items(path, mapping=mapping).items
    assert [item.title for item in items] == ["A", "B"]
    assert items[0].reviews == ()
    assert items[0].metadata == {"other title": "score", "other notes": "private"}


def test_several_columns_may_hold_texts(tmp_path: Path) -> None:
    path = laid("name,for,against\nA,good,bad\n", tmp_path)
    chosen = {"title": ("name",), "texts": ("for", "against")}
    items = read_items(path, mapping=reader_mapping(("name", "for", "against"), chosen)).items
    assert [review.text for review in items[0].reviews] == ["good", "bad"]


def test_rows_that_cannot_be_used_are_named_by_the_line_of_the_file_sent(tmp_path: Path) -> None:
    path = laid("\ufefftitle,year\nA,1999\nB,soon\n,2000\nC,2001,more\n", tmp_path)
    found = checked(path, ("title", "year"), {"title": ("title",), "year": ("year",)})
    assert found.items == 1
    assert [(row.line, row.why) for row in found.refused] == [
        (3, "year is not a number"),
        (4, "no title"),
        (5, "3 cells under 2 columns"),
    ]


def test_without_titles_nothing_can_be_made_and_that_is_said(tmp_path: Path) -> None:
    path = laid("a,b\n1,2\n", tmp_path)
    assert checked(path, ("a", "b"), {}).problem == "no column for the titles is chosen"
    assert "no usable row" in checked(laid("title,b\n,2\n", tmp_path), ("title", "b"), {"title": ("title",)}).problem


@pytest.mark.parametrize("wrap", [lambda rows: rows, lambda rows: {"items": rows}])
def test_json_lists_become_lines(tmp_path: Path, wrap: object) -> None:
    rows = [{"title": "Ä\u2028", "year": 1999, "reviews": [{"text": "good"}]}, {"title": "B", "extra": {"a": 1}}]
    path = laid(json.dumps(wrap(rows), indent=1), tmp_path)  # type: ignore[operator]
    found = preview(path)
    assert (path.suffix, found.count, found.columns) == (".jsonl", 2, ("title", "year", "reviews", "extra"))
    assert checked(path, found.columns, found.proposed).texts == 1


def test_what_no_page_could_show_is_not_shown(tmp_path: Path) -> None:
    path = laid('{"title": "A\\ud800\\u202e", "\\ud800": 1, "' + "x" * 101 + '": 2}\n{"title": "B"}', tmp_path)
    assert (preview(path).columns, preview(path).rows) == (("title",), (("A",), ("B",)))


def test_one_object_with_reviews_is_one_item(tmp_path: Path) -> None:
    path = laid(json.dumps({"title": "A", "reviews": ["good", "better"]}), tmp_path)
    assert checked(path, ("title", "reviews"), {"title": ("title",), "texts": ("reviews",)}).texts == 2


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_what_spreadsheets_export_is_read_in_its_encoding(tmp_path: Path, encoding: str) -> None:
    path = laid("Titel;Jahr\nGrüße aus Þingvellir;1999\n".encode(encoding), tmp_path)
    assert preview(path).rows == (("Grüße aus Þingvellir", "1999"),)


def test_what_a_file_is_follows_from_what_it_holds(tmp_path: Path) -> None:
    with pytest.raises(UploadNotText):
        laid(b"PK\x03\x04", tmp_path)
    with pytest.raises(CatalogueInvalid, match="neither a table"):
        laid("only\nlines\n", tmp_path)
    with pytest.raises(CatalogueInvalid, match="nothing in it"):
        preview(laid("", tmp_path))
    with pytest.raises(UploadTooLarge, match="1 MB"):
        laid(b"a" * (MEGABYTE + 1), tmp_path)


def test_too_many_rows_or_columns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UploadTooLarge, match="20,000 rows"):
        preview(laid("title,x\n" + "A,1\n" * (MAX_ROWS + 1), tmp_path))
    with pytest.raises(UploadTooLarge, match="200 columns"):
        preview(laid(",".join(f"c{n}" for n in range(201)) + "\n" + ",".join("1" * 201) + "\n", tmp_path))


def test_a_cell_without_end_costs_its_row_only(tmp_path: Path) -> None:
    path = laid_down(f"title,text\nA,{'x' * 1_100_000}\nB,fine\n".encode(), tmp_path, max_bytes=4 * MEGABYTE)
    found = checked(path, ("title", "text"), {"title": ("title",), "texts": ("text",)})
    assert found.items == 1
    assert [row.line for row in found.refused] == [2]


PIECES = st.sampled_from(["title", "a", ",", ";", '"', "\n", "{", "}", "[", "]", ":", "1999", "é", "\t", "null", "\\u"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=60).map("".join)))
def test_junk_is_shown_or_refused_and_nothing_else(tmp_path: Path, junk: bytes | str) -> None:
    try:
        path = laid(junk, tmp_path)
        found = preview(path)
    except BadInput:
        return
    assert found.columns
    assert {proposal.field for proposal in found.proposals} <= set(FIELDS)
    result = checked(path, found.columns, found.proposed)
    assert bool(result.problem) == (result.items == 0)
