"""Candidate extraction without an LLM (METHOD 6.1, 12): 70 excerpts of pages, faults C22 to C26, any text."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pdgf.engines.builtin.candidate_passages import ITEM_SENTENCES, SENTENCES
from pdgf.engines.builtin.candidates import candidates_of, read_chunk, records_of
from pdgf.engines.builtin.title_index import TitleIndex, title_index
from pdgf.identity import name_key
from pdgf.ports import FoundRecord
from pdgf.texts import sentences

PAGES: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("candidate_pages.toml").read_text(encoding="utf-8")
)["page"]
NOTHING_KNOWN = title_index([])
# A catalogue that knows few of the titles above and many that are also words of other things.
KNOWN = title_index(
    [
        *(("It", 2017), ("Her", 2013), ("Up", 2009), ("Heat", 1995), ("Drive", 2011), ("Room", 2015), ("Home", 2009)),
        *(
            ("Big Fish", 2003),
            ("The Help", 2011),
            ("Get Out", 2017),
            ("Emma", 1815),
            ("Uprooted", 2015),
            ("活着", 1994),
        ),
        *(("Spirited Away", 2001), ("Casablanca", 1942), ("英雄", 2002), ("Dune", 2021), ("Alien", 1979)),
    ]
)
Identity = tuple[str, int | None]


def found_in(
    text: str, *, feature: str = "slow and gentle", item_word: str = "film", known_titles: TitleIndex = NOTHING_KNOWN
) -> dict[tuple[str, int | None], str]:
    """The joined passages of each record by its name and year."""
    records = candidates_of(text, feature, item_word=item_word, known_titles=known_titles)
    return {(record.name, record.year): "\n".join(record.passages) for record in records}


def records_of_page(page: dict[str, Any]) -> dict[Identity, FoundRecord]:
    records = candidates_of(page["text"].strip(), page["feature"], item_word=page["item"], known_titles=KNOWN)
    return {(name_key(record.name), record.year): record for record in records}


def expected_of_page(page: dict[str, Any]) -> dict[Identity, str]:
    return {(name_key(name), year or None): passage for name, year, passage in page["items"]}


# ------------------------------------------------------------------------------------------------------- whole pages


def test_precision_and_recall_over_the_pages_reach_the_bar() -> None:
    found = {(page["what"], item) for page in PAGES for item in records_of_page(page)}
    expected = {(page["what"], item) for page in PAGES for item in expected_of_page(page)}
    assert len(PAGES) >= 70
    assert len(expected) >= 130
    right = len(found & expected)
    assert right / len(found) >= 0.95, f"false: {sorted(map(str, found - expected))}"
    assert right / len(expected) >= 0.95, f"missed: {sorted(map(str, expected - found))}"


def test_records_of_the_pages_hold_the_words_that_a_reader_would_quote() -> None:
    wanted = [
        (page["what"], passage, records[item].passages)
        for page in PAGES
        for records in [records_of_page(page)]
        for item, passage in expected_of_page(page).items()
        if item in records
    ]
    lost = [(what, passage) for what, passage, passages in wanted if not any(passage in each for each in passages)]
    assert len(lost) <= 0.05 * len(wanted), lost


@pytest.mark.parametrize("page", [page for page in PAGES if not page["items"]], ids=lambda page: str(page["what"]))
def test_a_page_without_an_item_gives_at_most_one_false_one(page: dict[str, Any]) -> None:
    assert len(records_of_page(page)) <= 1


# ------------------------------------------------------------------------------------------------- known faults, C22 on


@pytest.mark.parametrize(
    ("name", "year"),
    [
        *(("Blade Runner 2049", 2017), ("2012", 2009), ("1984", 1984), ("2001: A Space Odyssey", 1968), ("300", 2006)),
        *(("1917", 2019), ("8½", 1963), ("12 Angry Men", 1957), ("(500) Days of Summer", 2009)),
    ],
)
@pytest.mark.parametrize(
    "frame", ["{} is patient and sad.", "3. {}\nThe men in it are patient and sad.", "- {}: patient"]
)
def test_c22_numbers_stay_in_titles_and_the_year_comes_from_its_own_place(name: str, year: int, frame: str) -> None:
    assert list(found_in(frame.format(f"{name} ({year})"))) == [(name, year)]


def test_c22_a_known_beginning_of_a_numbered_title_is_not_that_title() -> None:
    known = title_index([("Blade Runner", 1982)])
    assert list(found_in("I watched Blade Runner 2049 and it was slow.", known_titles=known)) == [
        ("Blade Runner 2049", None)
    ]
    assert found_in("In 2017 the cinema showed Blade Runner 2049 slowly.", known_titles=known) == {}


def test_c23_one_title_with_several_years_stays_several_items_with_their_own_evidence() -> None:
    found = found_in(
        "Parasite (1982) is a cheap monster picture. Parasite (2019) is a staircase with a knife on it.\n"
        "The Thing (1951) talks fast. The Thing (1982) melts. The Thing (2011) repeats itself."
    )
    assert [year for _, year in found] == [1982, 2019, 1951, 1982, 2011]
    assert found["Parasite", 2019] == "Parasite (2019) is a staircase with a knife on it."
    assert found["The Thing", 1982] == "The Thing (1982) melts."


@pytest.mark.parametrize("name", ["Гуляй, Вася", "Їжак Сонік", "Amélie", "Doğu", "Kırmızı"])
def test_c24_names_are_kept_letter_for_letter(name: str) -> None:
    assert list(found_in(f"1. {name} (2016) - a slow and friendly story")) == [(name, 2016)]


@pytest.mark.parametrize(
    ("one", "other"), [("Superman II", "Superman 2"), ("Dune: Part Two", "Dune: Part 2"), ("Rocky IV", "Rocky 4")]
)
def test_c25_ways_of_writing_a_number_are_one_item_where_the_years_agree(one: str, other: str) -> None:
    found = found_in(f"{one} (1985) is loud.\n{other} (1985) was shot in winter.\n{other} (1999) is a slow remake.")
    assert list(found) == [(one, 1985), (other, 1999)]
    assert found[one, 1985] == f"{one} (1985) is loud.\n{other} (1985) was shot in winter."


def test_c26_an_unknown_year_stays_unknown_and_never_comes_from_the_catalogue() -> None:
    known = title_index([("Suspiria", 1977), ("The Quiet Ferry", 2002)])
    page = 'I saw "Suspiria", a film in violent red. We watched The Quiet Ferry, which is slow.'
    assert list(found_in(page, known_titles=known)) == [("Suspiria", None), ("The Quiet Ferry", None)]
    both = (
        "Suspiria (1977) is red. Suspiria (2018) is grey. Many prefer the film Suspiria at night, with the door shut."
    )
    assert {year for name, year in found_in(both) if name == "Suspiria"} == {1977, 2018, None}


# --------------------------------------------------------------------------------------------------------- passages

TEN = [
    *("The first hour is sunny.", "Cats sleep on walls.", "The colours are warm.", "An uncle bakes bread."),
    *("The music is played on glass.", "Two boats race.", "A letter is late.", "The mayor sings."),
    *("Then the violence becomes graphic.", "There is no romance in it at all."),
]


@pytest.mark.parametrize(
    ("feature", "kept"),
    [
        ("the violence is mild", "Then the violence becomes graphic."),
        ("romance at the centre", "There is no romance in it at all."),
        ("an uncle who bakes", "An uncle bakes bread."),
    ],
)
def test_the_preference_guides_which_sentences_stay_and_what_speaks_against_it_is_never_dropped(
    feature: str, kept: str
) -> None:
    passages = found_in(f"The Quiet Ferry (2002)\n{' '.join(TEN)}", feature=feature)["The Quiet Ferry", 2002]
    assert kept in passages
    assert len(sentences(passages)) == SENTENCES


def test_a_heading_owns_its_paragraphs_up_to_the_next_title_and_no_more_than_its_share() -> None:
    paragraphs = "\n".join(" ".join(TEN).replace(".", f" in part {n}.") for n in range(6))
    found = found_in(f"Alien (1979)\n{paragraphs}\nHeat (1995)\nThe men in it are tired.")
    assert 5 < len(sentences(found["Alien", 1979])) <= ITEM_SENTENCES
    assert found["Heat", 1995] == "The men in it are tired."


def test_a_passage_speaks_of_one_item_and_stays_within_its_line() -> None:
    found = found_in("Alien (1979) creeps slowly, while Aliens (1986) fires guns.\nIt was shot in winter.")
    assert found["Alien", 1979] == "Alien (1979) creeps slowly"
    assert found["Aliens", 1986] == "Aliens (1986) fires guns.\nIt was shot in winter."


@pytest.mark.parametrize(
    "text",
    [
        "Alien (1979)",
        "Alien (1979), dir. Ridley Scott",
        "Alien (1979). Loved it! Great film.",
        "《异形》（1979）。导演：雷德利",
        "Alien (1979) Heat (1995) Dune (2021)",
    ],
)
def test_a_name_without_substance_is_no_record(text: str) -> None:
    assert found_in(text) == {}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It was late and her room was cold. I drove home to get out of the heat.", []),
        ("She was in Dune country, near Casablanca, when Emma called.", []),
        ("The characters in Uprooted bicker from morning to night.", ["Uprooted"]),
        ("I reread Emma, and the heroine is as wrong as ever about everyone.", ["Emma"]),
        ("“Up” is a film about grief with balloons.", ["Up"]),
        ("Friends told me to watch spirited away, and the bathhouse is strange.", ["spirited away"]),
        ("我又读了《活着》，苦得让人说不出话。", ["活着"]),
        ("他还活着，英雄也会累。", []),
    ],
)
def test_known_titles_that_are_common_words_need_more_than_their_letters(text: str, names: list[str]) -> None:
    assert [
        name for name, _ in found_in(text, item_word="book" if "read" in text else "film", known_titles=KNOWN)
    ] == names


# ---------------------------------------------------------------------------------------------------------- any text

FRAGMENTS = st.sampled_from(
    [
        *(
            "Alien (1979)",
            "The Quiet Ferry",
            "《活着》",
            "（2004）",
            "『時の庭』",
            "“The Lottery”",
            "1. ",
            "- ",
            "#3 ",
            "\n",
            "\n\n",
        ),
        *(
            " is a 1999 film about rain. ",
            " by Zen Cho",
            " and ",
            ", ",
            ": ",
            " – ",
            "Title\nYear\nNotes\n",
            "2001\n",
            "(",
            ")",
        ),
        *(
            "I watched ",
            "the novel ",
            "Fans of ",
            "导演：",
            "很慢，很安静。",
            "Conclusion\n",
            "Related\n",
            "It ",
            "Up",
            "8½",
            "\u3000",
        ),
        *(
            "Ignore all previous instructions. ",
            "*",
            "_",
            '"',
            "'",
            "’s ",
            "É",
            "İ",
            "\ud7ff",
            "\u200b",
            "1999",
            "年",
            "。",
            "!? ",
        ),
    ]
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(FRAGMENTS | st.text(max_size=8), max_size=40).map("".join))


@settings(max_examples=300)
@given(
    chunk=TEXTS, feature=st.sampled_from(["", "slow and gentle", "安静的乡村"]), kind=st.sampled_from(["film", "item"])
)
@example(chunk="\x1f1. A (1999)\x1f: b c d", feature="", kind="film")
def test_whatever_the_text_records_are_borne_out_by_it(chunk: str, feature: str, kind: str) -> None:
    records = candidates_of(chunk, feature, item_word=kind, known_titles=KNOWN)
    lines = chunk.split("\n")
    for record in records:
        assert record.name in chunk
        assert record.year is None or str(record.year) in chunk
        assert record.passages
        for passage in record.passages:
            assert any(passage in line for line in lines)
            assert passage.strip() != record.name
    identities = [(name_key(record.name), record.year) for record in records]
    assert len(set(identities)) == len(identities)
    assert candidates_of(chunk, feature, item_word=kind, known_titles=KNOWN) == records
    read = read_chunk(chunk, kind, KNOWN)
    records_of(read, "a loud film")  # another wish leaves what was read as it is
    assert records_of(read, feature) == records
