"""Items of another kind than the wanted one, and where titles begin: 100 excerpts, and each rule for its whole kind."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pdgf.engines.builtin.candidate_media import media_of
from pdgf.engines.builtin.candidates import candidates_of
from pdgf.engines.builtin.title_index import title_index
from pdgf.identity import name_key

Identity = tuple[str, int | None]
FILES = ("titles", "kinds", "mixed")
PAGES: dict[str, list[dict[str, Any]]] = {
    name: tomllib.loads(Path(__file__).with_name(f"candidate_{name}.toml").read_text(encoding="utf-8"))["page"]
    for name in FILES
}


def found_in(text: str, item_word: str = "film") -> list[Identity]:
    records = candidates_of(text.strip(), "slow and gentle", item_word=item_word, known_titles=title_index([]))
    return [(record.name, record.year) for record in records]


def passages_in(text: str, item_word: str = "film") -> dict[str, str]:
    records = candidates_of(text.strip(), "slow and gentle", item_word=item_word, known_titles=title_index([]))
    return {record.name: "\n".join(record.passages) for record in records}


@pytest.mark.parametrize("name", FILES)
def test_precision_and_recall_over_the_excerpts_reach_the_bar(name: str) -> None:
    pages = PAGES[name]
    found = {(p["what"], name_key(n), y) for p in pages for n, y in found_in(p["text"], p["item"])}
    expected = {(p["what"], name_key(n), y or None) for p in pages for n, y in p["items"]}
    assert sum(map(len, PAGES.values())) >= 100
    assert len({page["what"] for page in pages}) == len(pages)
    right = len(found & expected)
    assert right / len(found) >= 0.95, f"false: {sorted(map(str, found - expected))}"
    assert right / len(expected) >= 0.95, f"missed: {sorted(map(str, expected - found))}"


# ---------------------------------------------------------------------------------------------------- what is said

SAYS = [  # frames around a title, with "{}" for the noun of a medium
    "The {} Blue Harbour (2001) is slow and grey.",
    "Blue Harbour (2001), a {} by Ann Moss, is slow and grey.",
    "Blue Harbour (2001) is a slow, grey {} about rain.",
    "Blue Harbour (2001 {}) is slow and grey.",
    "- Blue Harbour (2001) – {}. Slow and grey.",
    "Blue Harbour (2001)\nThis {} is slow and grey.",
    "Blue Harbour (2001)\nFormat: {}\nSlow and grey, and full of rain.",
]
NOUNS = {
    "film": ["film", "movie", "documentary"],
    "book": ["novel", "memoir", "light novel"],
    "comic": ["manga", "graphic novel"],
    "series": ["tv series", "miniseries"],
    "music": ["album"],
    "game": ["video game", "visual novel"],
    "sound": ["podcast"],
}
FITS = {"film": {"film"}, "book": {"book", "comic"}, "anime": {"film", "series"}, "restaurant": set[str]()}


@pytest.mark.parametrize("frame", SAYS)
@pytest.mark.parametrize(("medium", "noun"), [(m, noun) for m, nouns in NOUNS.items() for noun in nouns])
@pytest.mark.parametrize("item_word", FITS)
def test_whatever_is_said_of_a_kind_beside_a_title_is_heeded(
    frame: str, medium: str, noun: str, item_word: str
) -> None:
    kept = medium in FITS[item_word]
    assert found_in(frame.format(noun), item_word) == [("Blue Harbour", 2001)] * kept


@pytest.mark.parametrize("frame", SAYS)
@pytest.mark.parametrize("item_word", [*FITS, "garden"])
def test_a_word_that_is_no_kind_drops_nothing(frame: str, item_word: str) -> None:
    assert found_in(frame.format("thing"), item_word) == [("Blue Harbour", 2001)]


@pytest.mark.parametrize("noun", ["novel", "film", "album"])
def test_of_a_kind_that_is_no_medium_nothing_is_another_kind(noun: str) -> None:
    assert not media_of("garden").other
    assert found_in(SAYS[0].format(noun), "garden") == [("Blue Harbour", 2001)]


@pytest.mark.parametrize(
    ("heading", "kept"),
    [
        *(("Books", False), ("Three novels for rain", False), ("Albums", False), ("Games we played", False)),
        *(("TV", False), ("And if you prefer novels:", False), ("小说", False), ("漫画推荐", False)),
        *(("Films", True), ("Films and books", True), ("The best films made from books", True), ("Rain", True)),
        *(("Books into films", True), ("电影和小说", True), ("Thrillers", True), ("The Novel Idea", True)),
    ],
)
def test_a_heading_says_of_which_kind_the_items_under_it_are(heading: str, kept: bool) -> None:
    text = f"Things for a wet week\n{heading}\nBlue Harbour (2001): slow and grey.\nThe Ferry (2002): slow and loud."
    assert found_in(text) == [("Blue Harbour", 2001), ("The Ferry", 2002)] * kept


def test_what_a_heading_says_ends_at_the_next_that_says_something() -> None:
    text = "Books\nBlue Harbour (2001): slow and grey.\n{}\nThe Ferry (2002): slow and loud."
    assert found_in(text.format("Films")) == [("The Ferry", 2002)]
    assert found_in(text.format("To watch")) == [("The Ferry", 2002)]
    assert found_in(text.format("Conclusion")) == [("The Ferry", 2002)]
    assert found_in(text.format("More of them")) == []


def test_what_is_said_once_holds_wherever_the_item_is_named() -> None:
    text = "I opened the novel “Blue Harbour” at noon. Blue Harbour is slow and grey, and Blue Harbour is long."
    assert found_in(text) == []
    assert passages_in(text, "book")["Blue Harbour"].count("Blue Harbour") >= 2


def test_a_book_and_its_film_of_one_name_keep_their_own_passages() -> None:
    text = "Blue Harbour (2001), a film by Ann Moss, is grey. The novel Blue Harbour is dry and has no rain in it."
    assert passages_in(text) == {"Blue Harbour": "Blue Harbour (2001), a film by Ann Moss, is grey."}
    assert passages_in(text, "book") == {"Blue Harbour": "The novel Blue Harbour is dry and has no rain in it."}


@pytest.mark.parametrize(
    "text",
    [
        "The film of the novel Blue Harbour (2001) is slow and grey.",
        "The movie adaptation of the famous novel Blue Harbour (2001) is slow and grey.",
        "Blue Harbour (2001), an adaptation of a novel by Ann Moss, is slow and grey.",
        "Blue Harbour (2001), based on the novel by Ann Moss, is slow and grey.",
        "Blue Harbour (2001) is far greyer than the novel.",
        "Blue Harbour (2001). The novel is dry; the film is wet and slow.",
        "Blue Harbour (2001) is a film adaptation of a dry, long novel.",
    ],
)
def test_an_adaptation_is_what_it_was_made_into(text: str) -> None:
    assert found_in(text) == [("Blue Harbour", 2001)]


@pytest.mark.parametrize(
    ("text", "item_word", "kept"),
    [
        ("Blue Harbour (2001), directed by Ann Moss, is grey.", "book", False),
        ("Blue Harbour (2001), directed by Ann Moss, is grey.", "film", True),
        ("Blue Harbour (2001), translated by Ann Moss, is grey.", "film", False),
        ("Blue Harbour (2001), translated by Ann Moss, is grey.", "book", True),
        ("Blue Harbour (2001) by Ann Moss is grey.", "film", True),
        ("Books and films\nBlue Harbour (2001) by Ann Moss is grey.", "film", False),
        ("Books and films\nBlue Harbour (2001) by Ann Moss is a grey film.", "film", True),
        ("Blue Harbour (2001)\nPages: 320\nGrey and slow, with rain.", "film", False),
        ("Blue Harbour (2001)\nDirector: Ann Moss\nGrey and slow, with rain.", "book", False),
        ("《蓝港》（2001）作者：安。很慢，很安静。", "film", False),
        ("《蓝港》（2001）是一部灰色的小说，很慢，很安静。", "film", False),
        ("《蓝港》（2001）是一部灰色的电影，很慢，很安静。", "film", True),
        ("小说《蓝港》（2001）很慢，很安静。", "film", False),
        ("根据小说改编的电影《蓝港》（2001）很慢，很安静。", "film", True),
        ("专辑《蓝港》（2001）很慢，很安静。", "film", False),
    ],
)
def test_makers_and_labels_say_of_which_kind_an_item_is(text: str, item_word: str, kept: bool) -> None:
    assert bool(found_in(text, item_word)) is kept


# ------------------------------------------------------------------------------------------------- where titles begin

COMMAS = [
    "Murder, She Said",
    "Paris, Texas",
    "Hello, Dolly!",
    "What's Up, Doc?",
    "Girl, Interrupted",
    "Me, Myself & Irene",
]


@pytest.mark.parametrize("title", COMMAS)
@pytest.mark.parametrize(
    "frame",
    [
        "{} ({}) is slow and grey.",
        "We watched {} ({}), slow and grey.",
        "The film {} ({}) is slow and grey.",
        "3. {} ({}) – slow and grey",
        "Heat (1995), {} ({}) and Ronin (1998) are slow and grey.",
    ],
)
def test_a_comma_of_a_title_stays_in_it(title: str, frame: str) -> None:
    assert (title, 1970) in found_in(frame.format(title, 1970))


@pytest.mark.parametrize(
    "lead",
    [
        *("However, ", "Overall, ", "In Paris, ", "For Ann Moss, ", "Starring Al Pacino, ", "On Friday, ", "Quietly, "),
        *(
            "By contrast, ",
            "A film by Ann Moss, ",
            "There is, of course, ",
            "With Ann Moss, ",
            "Gorgeous, ",
            "In 1990, ",
        ),
    ],
)
def test_a_comma_before_a_title_stays_out_of_it(lead: str) -> None:
    assert found_in(f"{lead}Harbour (2001) is slow and grey.") == [("Harbour", 2001)]


@pytest.mark.parametrize("place", ["Paris", "New Mexico", "wintry Boston", "Hong Kong"])
@pytest.mark.parametrize("title", ["Harbour", "The Blue Harbour", "A Blue Harbour"])
def test_a_place_before_a_title_stays_out_of_it(place: str, title: str) -> None:
    assert found_in(f"Nobody forgets the {place} of {title} (2001), all grey and slow.") == [(title, 2001)]
    seen = found_in(f"Everybody loves {place} in {title} (2001), a film all grey and slow.")
    assert seen == [(title, 2001)]


@pytest.mark.parametrize(
    ("title", "after"),
    [
        *(
            ("In the Mood for Love", ", with rain, is slow"),
            ("On the Waterfront", " is grey"),
            ("In Bruges", " is grey"),
        ),
        *(
            ("My Neighbor Totoro", " waits"),
            ("His Girl Friday", ", quick and grey"),
            ("Before Sunrise", " walks slowly"),
        ),
        *(("What We Do in the Shadows", ", all bickering"), ("Once Upon a Time in America", ", long and grey")),
        *(("John Wick: Chapter 4", " falls down grey stairs"), ("Kill Bill: Vol. 2", ", slower, talks")),
        *(("Tora! Tora! Tora!", " is patient"), ("Where Is the Friend's House?", " climbs a grey hill")),
    ],
)
def test_a_title_keeps_its_first_words(title: str, after: str) -> None:
    assert found_in(f"{title} (1987){after}.") == [(title, 1987)]


@pytest.mark.parametrize("mark", [", ", " – "])
@pytest.mark.parametrize("item_word", ["film", "book"])
def test_makers_that_begin_all_lines_are_no_part_of_the_titles(mark: str, item_word: str) -> None:
    rows = [("Ann Moss", "Harbour"), ("Carl Reed", "The Slow Ferry"), ("Ida Holm", "Rain")]
    text = "\n".join(f"- {maker}{mark}{title} (2001): grey and slow." for maker, title in rows)
    assert found_in(text, item_word) == [(title, 2001) for _, title in rows]


def test_titles_of_one_row_of_films_are_not_taken_for_makers() -> None:
    titles = ["Star Wars: A New Hope", "Star Trek: First Contact", "Girl, Interrupted"]
    assert [name for name, _ in found_in("\n".join(f"- {title} (1999): slow." for title in titles))] == titles


@pytest.mark.parametrize("full", ["Akira Kurosawa made it late.", "It is by Kurosawa, who was old."])
def test_the_surname_of_a_maker_whom_the_text_names_is_no_part_of_a_title(full: str) -> None:
    assert found_in(f"{full} Kurosawa's Ikiru (1952) is slow and grey.") == [("Ikiru", 1952)]
    assert found_in("Howl's Moving Castle (2004) is slow and grey.") == [("Howl's Moving Castle", 2004)]
