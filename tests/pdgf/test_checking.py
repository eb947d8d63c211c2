"""What is wrong with a catalogue: every kind of fault is found where it is, and nothing else is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from dialogue.cli import app
from pdgf.catalogues.bundled import BUNDLED, bundled_path
from pdgf.catalogues.checking import OFTEN, Fault, alike_faults, bundled_faults, faults_of, notes_of
from pdgf.catalogues.reading import CatalogueItem, ReadReport, RefusedRow, Review, read_items
from tests.catalogues import bundled_items

FILM = next(item for item in bundled_items("movies") if item.id == "film-tampopo-1985")
PLACE = next(item for item in bundled_items("restaurants") if item.id == "eat-pho-viaduct")
ANIME = next(item for item in bundled_items("anime") if item.id == "anime-bocchi-the-rock-2022")


def kinds(faults: tuple[Fault, ...]) -> list[str]:
    return [fault.kind for fault in faults]


def item(number: int, *notes: str, title: str = "", year: int | None = None) -> CatalogueItem:
    texts = tuple(Review(text=note) for note in notes)
    return CatalogueItem(id=f"i{number}", title=title or f"Title {number}", year=year, reviews=texts)


def with_metadata(item: CatalogueItem, **changed: Any) -> CatalogueItem:
    kept = {key: value for key, value in {**item.metadata, **changed}.items() if value is not None}
    return item.model_copy(update={"metadata": kept})


def with_note(item: CatalogueItem, text: str) -> CatalogueItem:
    return item.model_copy(update={"reviews": (*item.reviews[1:], Review(text=text))})


@pytest.mark.parametrize("domain", BUNDLED)
def test_the_bundled_catalogues_keep_their_own_rules(domain: str) -> None:
    report = read_items(bundled_path(domain))
    assert (*faults_of(report), *bundled_faults(report.items, domain)) == ()


def test_a_refused_row_an_item_told_twice_and_one_without_a_note_are_faults_of_any_catalogue() -> None:
    items = (item(1, "Calm.", title="Alder", year=2001), item(2, "Quick.", title="ALDER", year=2001), item(3))
    report = ReadReport(items=items, refused=(RefusedRow(line=9, why="no title"),))
    assert faults_of(report) == (
        Fault(kind="row", item="", says="line 9: no title"),
        Fault(kind="twice", item="i2", says="the same title and year as i1"),
        Fault(kind="notes", item="i3", says="no note"),
    )


def test_one_value_in_two_spellings_is_a_fault_where_it_stands_the_second_time() -> None:
    spelled = [["P.A. Works"], ["P.A.Works"], ["P.A. Works", "Ōta"], ["Ota"], ["Otto"]]
    items = tuple(with_metadata(item(n, "Calm."), studio=value) for n, value in enumerate(spelled))
    found = faults_of(ReadReport(items=items, refused=()))
    assert [(fault.item, fault.says) for fault in found] == [
        ("i1", "studio: “P.A.Works” is elsewhere “P.A. Works”"),
        ("i3", "studio: “Ota” is elsewhere “Ōta”"),
    ]


def test_a_remake_of_another_year_is_no_item_told_twice() -> None:
    items = (item(1, "Calm.", title="Alder", year=1951), item(2, "Quick.", title="Alder", year=2001))
    assert faults_of(ReadReport(items=items, refused=())) == ()


@pytest.mark.parametrize(("phrase"), ["not for viewers who want a plot", "看完之后整个人都安静下来了吧"])
def test_a_phrase_is_a_mannerism_once_it_stands_in_the_notes_of_so_many_items(phrase: str) -> None:
    fewer = tuple(item(number, f"{number}，{phrase}。", f"Once more: {phrase}") for number in range(OFTEN - 1))
    assert faults_of(ReadReport(items=fewer, refused=())) == ()
    enough = (*fewer, item(9, phrase))
    assert set(kinds(faults_of(ReadReport(items=enough, refused=())))) == {"phrase"}


@pytest.mark.parametrize(
    ("broken", "domain", "kind"),
    [
        (lambda: with_metadata(FILM, director=None), "movies", "metadata"),
        (lambda: with_metadata(FILM, violence="a lot"), "movies", "metadata"),
        (lambda: with_metadata(FILM, suitable_from_age=13), "movies", "metadata"),
        (lambda: FILM.model_copy(update={"id": "book-tampopo-1985"}), "movies", "metadata"),
        (lambda: FILM.model_copy(update={"year": 1885, "id": "film-tampopo-1885"}), "movies", "year"),
        (lambda: FILM.model_copy(update={"year": None}), "movies", "year"),
        (lambda: FILM.model_copy(update={"year": 1986}), "movies", "year"),
        (lambda: FILM.model_copy(update={"reviews": FILM.reviews[:3]}), "movies", "notes"),
        (lambda: ANIME.model_copy(update={"reviews": ANIME.reviews[:6]}), "anime", "notes"),
        (lambda: with_note(FILM, "It is short. " * 3 + "Too short, in fact, for what it wants."), "movies", "length"),
        (lambda: with_note(FILM, "Warm."), "movies", "length"),
        (lambda: with_note(FILM, "Warm and long " * 40), "movies", "length"),
        (lambda: with_metadata(PLACE, invented=None), "restaurants", "place"),
        (lambda: with_metadata(PLACE, town="London"), "restaurants", "place"),
    ],
)
def test_one_thing_wrong_with_a_bundled_item_is_one_fault_of_its_kind(
    broken: Callable[[], CatalogueItem], domain: str, kind: str
) -> None:
    [fault] = bundled_faults([broken()], domain)
    assert (fault.kind, fault.item) == (kind, broken().id)


def test_notes_that_say_the_same_are_found_within_an_item_and_across_items() -> None:
    notes = notes_of([item(1, "Slow.", "Slow!"), item(2, "Slow", "Loud.")])
    close, far = [1.0, 0.0], [0.9, np.sqrt(1 - 0.81)]  # their cosine is .9, below the limit
    vectors = np.array([close, close, close, far], np.float32)
    pairs = [(fault.item, fault.says.split(":")[0]) for fault in alike_faults(notes, vectors)]
    assert pairs == [
        ("i1", "note 1 says what note 2 of i1 says"),
        ("i1", "note 1 says what note 1 of i2 says"),
        ("i1", "note 2 says what note 1 of i2 says"),
    ]


def test_the_command_says_what_is_wrong_line_by_line_and_ends_with_2(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(
        "title,year,note\nAlder,2001,A calm walk by a river.\nBirch,2002,A calm walk by the river.\n,2003,x\n"
    )
    result = CliRunner().invoke(app, ["index", str(file), "--check"])
    assert result.exit_code == 2
    assert [line.split(": ")[0] for line in result.stdout.splitlines()] == [
        "mine.csv",
        "mine.csv",
        "2 items, 2 faults.",
    ]
    assert "line 4: no title" in result.stdout
    assert "note 1 says what note 1 of birch-2002" in result.stdout


def test_a_sound_file_ends_with_0_and_stricter_rules_are_asked_for() -> None:
    valley = str(Path(__file__).parent / "catalogue_files" / "valley.jsonl")
    sound = CliRunner().invoke(app, ["index", valley, "--check"])
    assert (sound.exit_code, sound.stdout) == (0, "8 items, no faults.\n")
    strict = CliRunner().invoke(app, ["index", valley, "--check", "--bundled", "--json"])
    assert strict.exit_code == 2
    assert '"ok": false' in strict.stdout


def test_the_bundled_catalogues_pass_the_whole_check() -> None:
    result = CliRunner().invoke(app, ["index", "--check", "--bundled"])
    assert result.exit_code == 0, result.stdout
