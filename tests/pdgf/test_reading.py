"""Reading catalogues: what loads, what is refused and why."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.catalogues.bundled import BUNDLED, bundled_path
from pdgf.catalogues.flatten import flat_metadata, readable
from pdgf.catalogues.reading import ReadReport, made_id, read_items
from pdgf.errors import CatalogueInvalid, UnknownDomain

FILES = Path(__file__).parent / "catalogue_files"
GOOD = {"id": "a", "title": "Alder", "year": 2001, "metadata": {"length": "short"}, "reviews": [{"text": "Calm."}]}


def written(tmp_path: Path, *lines: Any, name: str = "items.jsonl") -> Path:
    """A file with one line each; what is not text is written as JSON."""
    path = tmp_path / name
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def read(tmp_path: Path, *lines: Any) -> ReadReport:
    return read_items(written(tmp_path, *lines))


def why(report: ReadReport) -> list[tuple[int, str]]:
    return [(row.line, row.why) for row in report.refused]


def test_a_catalogue_of_eight_items_loads_whole() -> None:
    report = read_items(FILES / "valley.jsonl")
    assert len(report.items) == 8
    assert report.refused == ()
    ladle = report.items[0]
    assert (ladle.id, ladle.title, ladle.year) == ("eat-copper-ladle", "The Copper Ladle", None)
    assert ladle.metadata["diets"] == ["vegetarian", "vegan"]
    assert ladle.metadata["wifi"] is False
    assert ladle.reviews[1].source == "https://reviews.example/ladle"


def test_a_table_maps_its_columns_by_header_and_joins_rows_of_one_item() -> None:
    report = read_items(FILES / "games.csv")
    lantern, ledger, party = report.items
    assert [review.text for review in lantern.reviews] == ["Short rounds, lots of talk.", "The rules fit on one page."]
    assert lantern.metadata == {"kind": ["family", "cooperative"], "players": 4, "publisher": "Ashford"}
    assert ledger.metadata["kind"] == "economic"
    assert (party.year, party.metadata["kind"]) == (None, ["party", "talking"])
    assert why(report) == [(6, "year is not a number"), (7, "no title")]


def test_a_mapping_says_which_column_is_which(tmp_path: Path) -> None:
    path = written(tmp_path, "Werk,Jahr,Urteil,Art", "Alder,1999,Calm.,novel", name="werke.csv")
    fields = {"title": "Werk", "year": "Jahr", "reviews": "Urteil", "form": "Art"}
    [item] = read_items(path, mapping=fields).items
    assert (item.title, item.year, item.metadata) == ("Alder", 1999, {"form": "novel"})
    assert [review.text for review in item.reviews] == ["Calm."]


def test_a_mapping_renames_the_keys_of_json_too(tmp_path: Path) -> None:
    path = written(tmp_path, {"werk": "Alder", "jahr": 1999})
    [item] = read_items(path, mapping={"title": "werk", "year": "jahr"}).items
    assert (item.title, item.year) == ("Alder", 1999)


def test_a_mapping_to_a_missing_column_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "Werk,Jahr", "Alder,1999", name="werke.csv")
    with pytest.raises(CatalogueInvalid, match="no column 'Titel'; the columns are Werk, Jahr"):
        read_items(path, mapping={"title": "Titel"})


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_table_may_use_any_usual_delimiter(tmp_path: Path, delimiter: str) -> None:
    rows = [["title", "year", "text"], ["Alder", "2001", "Calm."], ["Birch", "1950", "Loud."]]
    path = written(tmp_path, *(delimiter.join(row) for row in rows), name="t.csv")
    assert [(item.title, item.year) for item in read_items(path).items] == [("Alder", 2001), ("Birch", 1950)]


def test_a_byte_order_mark_is_no_part_of_the_first_row(tmp_path: Path) -> None:
    for name, text in (("b.jsonl", json.dumps(GOOD)), ("b.csv", "title,year\nAlder,2001")):
        path = tmp_path / name
        path.write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert [item.title for item in read_items(path).items] == ["Alder"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"title": "Alder"', "not JSON"),
        ('["Alder"]', "not an object but a list"),
        ('"Alder"', "not an object but a text"),
        ("null", "not an object but null"),
        ("7", "not an object but a number"),
        ('{"id": "x", "year": 2000}', "no title"),
        ('{"title": "  \\u0000 "}', "no title"),
        ('{"title": ["Alder"]}', "no title"),
        ('{"title": "Alder", "year": "soon"}', "year is not a number"),
        ('{"title": "Alder", "year": true}', "year is not a number"),
        ('{"title": "Alder", "year": 1999.5}', "year is not a number"),
        ('{"title": "Alder", "year": NaN}', "NaN is not JSON"),
        ('{"title": "Alder", "year": -4}', "year out of range"),
        ('{"title": "Alder", "year": 20199}', "year out of range"),
        ('{"title": "Alder", "metadata": {"score": NaN}}', "NaN is not JSON"),
        ('{"title": "Alder", "metadata": {"score": 1e999}}', "not finite"),
        ('{"title": "Alder", "metadata": {"scores": [1e999]}}', "not finite"),
        ('{"title": "Alder", "metadata": "long"}', "metadata is not an object"),
        ("[" * 50_000, "not JSON"),
        ('{"title": "' + "A" * 1_000_001 + '"}', "longer than 1 MB"),
    ],
)
def test_a_bad_row_is_refused_with_its_reason_and_the_rest_loads(tmp_path: Path, line: str, reason: str) -> None:
    report = read(tmp_path, GOOD, line, {**GOOD, "id": "b", "title": "Birch"})
    assert [item.title for item in report.items] == ["Alder", "Birch"]
    [(number, given_reason)] = why(report)
    assert number == 2
    assert reason in given_reason


def test_bytes_that_are_no_utf8_are_refused_alone(tmp_path: Path) -> None:
    for name, good, bad in (("x.jsonl", json.dumps(GOOD).encode(), b'{"title": "\xff"}'), ("x.csv", b"title", b"\xff")):
        path = tmp_path / name
        path.write_bytes(good + b"\n" + bad + b"\nAlder\n" if name == "x.csv" else good + b"\n" + bad + b"\n")
        report = read_items(path)
        assert [item.title for item in report.items] == ["Alder"]
        assert [reason for _, reason in why(report)] == ["not UTF-8"]


def test_a_review_without_text_is_named_and_the_item_keeps_its_others(tmp_path: Path) -> None:
    report = read(tmp_path, {**GOOD, "reviews": [{"text": "Calm."}, {"stars": 5}, "  ", {"text": None}, "Slow."]})
    assert [review.text for review in report.items[0].reviews] == ["Calm.", "Slow."]
    assert why(report) == [(1, f"review {position} without text") for position in (2, 3, 4)]


def test_extra_review_keys_are_accepted_and_ignored(tmp_path: Path) -> None:
    review = {"text": "Calm.", "stars": 4.5, "date": "2020-01-01", "kind": "user", "source": "Gazette"}
    [item] = read(tmp_path, {**GOOD, "reviews": [review]}).items
    assert item.reviews[0].model_dump() == {"text": "Calm.", "source": "Gazette"}


def test_one_id_with_two_titles_is_refused_and_with_one_title_joined(tmp_path: Path) -> None:
    report = read(
        tmp_path,
        GOOD,
        {**GOOD, "title": "Birch"},
        {**GOOD, "title": "ALDER ", "reviews": ["Slow.", "calm."]},
        {**GOOD, "year": 1980},
    )
    assert [review.text for review in report.items[0].reviews] == ["Calm.", "Slow."]
    assert why(report) == [(2, "duplicate id 'a' with another title"), (4, "duplicate id 'a' with another year")]


def test_a_missing_id_is_made_from_title_and_year_and_stays_the_same(tmp_path: Path) -> None:
    rows = [{"title": "Alder", "year": 2001}, {"title": "Alder", "year": 1950}, {"title": "桤木"}]
    report = read(tmp_path, *rows)
    assert [item.id for item in report.items] == [made_id("Alder", 2001), made_id("Alder", 1950), made_id("桤木", None)]
    assert len({item.id for item in report.items}) == 3
    assert made_id("Alder", 2001) == made_id(" ALDER", 2001)
    assert made_id("C", None) != made_id("C++", None)


def test_no_usable_row_is_an_error_that_names_the_first_reasons(tmp_path: Path) -> None:
    with pytest.raises(CatalogueInvalid, match="line 1: no title; line 2: not an object but a list"):
        read(tmp_path, {"id": "x"}, "[]", "{")
    with pytest.raises(CatalogueInvalid, match="the file is empty"):
        read(tmp_path, "")


@pytest.mark.parametrize("place", ["missing.jsonl", "missing.csv", "."])
def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path, place: str) -> None:
    with pytest.raises(CatalogueInvalid, match="cannot be read"):
        read_items(tmp_path / place)


def test_control_characters_and_half_surrogates_are_cleaned_not_refused(tmp_path: Path) -> None:
    line = (
        r'{"title": "Al\u0000der\ud83d", "metadata": {"k\u202ey": "a\u0007b"},'
        r' "reviews": ["Ca\u200blm.\r\nSlow \ud83d\ude00."]}'
    )
    report = read(tmp_path, line)
    [item] = report.items
    assert report.refused == ()
    assert item.title == "Alder"
    assert item.metadata == {"ky": "ab"}
    assert item.reviews[0].text == "Calm.\nSlow 😀."


def test_nested_metadata_becomes_flat_and_readable() -> None:
    nested = {
        "city": "Elm",
        "attributes": {
            "WiFi": "u'free'",
            "GoodForKids": "True",
            "HasTV": "False",
            "RestaurantsPriceRange2": "2",
            "Ambience": "{'romantic': True, 'touristy': False}",
            "GoodForMeal": "{lunch: True, dinner: None}",
            "Alcohol": "'full_bar'",
            "BYOB": None,
            "Parking": {"garage": False, "street": False},
        },
        "hours": {"Monday": "8:0-15:0"},
        "ratings": {"critics": 7.5, "users": 9.0},
    }
    assert flat_metadata(nested) == {
        "city": "Elm",
        "wifi": "free",
        "good for kids": True,
        "has tv": False,
        "price range": 2,
        "ambience": ["romantic"],
        "good for meal": ["lunch"],
        "alcohol": "full_bar",
        "parking": [],
        "hours monday": "8:00-15:00",
        "ratings critics": 7.5,
        "ratings users": 9,
    }


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("GoodForKids", "good for kids"),
        ("length_minutes", "length minutes"),
        ("WiFi", "wifi"),
        ("BYOBCorkage", "byob corkage"),
    ],
)
def test_keys_read_as_words(key: str, words: str) -> None:
    assert readable(key) == words


def test_text_that_only_looks_like_a_literal_stays_text() -> None:
    values = {"a": "'Tis the season", "b": "{not a dict", "c": "1984", "d": "[" * 200, "e": "__import__('os').getcwd()"}
    assert flat_metadata(values) == values


def test_lists_of_records_keep_their_names() -> None:
    assert flat_metadata({"cast": [{"name": "Ida"}, {"role": "cook"}, "Jon", 7]}) == {"cast": ["Ida", "Jon", "7"]}


@pytest.mark.parametrize("domain", BUNDLED)
def test_every_bundled_domain_loads_without_a_refusal(domain: str) -> None:
    report = read_items(bundled_path(domain))
    assert report.refused == ()
    assert len({item.id for item in report.items}) == len(report.items) > 0


def test_an_unknown_domain_is_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownDomain, match="'wines' is not among movies, books, anime, restaurants"):
        bundled_path("wines")


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(
    rows=st.lists(
        st.dictionaries(st.sampled_from(["id", "title", "year", "metadata", "reviews", "other"]), json_values),
        max_size=4,
    )
)
def test_no_row_of_json_ever_stops_the_reading(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    path = written(tmp_path_factory.mktemp("any"), GOOD, *rows)
    report = read_items(path)
    assert report.items[0].title == "Alder"
    for item in report.items:
        assert item.title
        assert all(review.text for review in item.reviews)
        json.dumps(item.model_dump(mode="json"), allow_nan=False).encode("utf-8")


@given(table=st.text(alphabet='ab",;\n\r\t|\x00é\u202e', max_size=60))
def test_no_table_ever_stops_the_reading(tmp_path_factory: pytest.TempPathFactory, table: str) -> None:
    path = tmp_path_factory.mktemp("any") / "t.csv"
    path.write_text(f"title,text\nAlder,Calm.\n{table}", encoding="utf-8", newline="")
    report = read_items(path)
    assert report.items[0].title == "Alder"
    assert all(row.line >= 1 and row.why for row in report.refused)
