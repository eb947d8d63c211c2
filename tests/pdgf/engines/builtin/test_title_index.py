"""The gazetteer of known titles."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdgf.engines.builtin.title_index import LONGEST, title_index

INDEX = title_index(
    [
        *(("Superman II", 1980), ("Thing, The", 1982), ("The Night Circus", 2011), ("Kill Bill: Vol. 1", 2003)),
        *(
            ("Amélie", 2001),
            ("Fast & Furious", 2009),
            ("让子弹飞", 2010),
            ("トトロ", 1988),
            ("8½", 1963),
            ("Dune", None),
        ),
        *(("Dune Messiah", 1969), ("Гуляй, Вася", 2016), ("", 2000), ("!?", 2000)),
    ]
)


def found(text: str) -> list[str]:
    return [text[match.start : match.end] for match in INDEX.matches(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("first superman 2, then SUPERMAN TWO", ["superman 2", "SUPERMAN TWO"]),
        ("The Thing and Night Circus", ["The Thing", "Night Circus"]),
        ("Kill Bill Vol. 1", ["Kill Bill Vol. 1"]),
        ("Amelie or Fast and Furious", ["Amelie", "Fast and Furious"]),
        ("昨晚看了让子弹飞很好笑", ["让子弹飞"]),
        ("となりのトトロだ", ["トトロ"]),
        ("ペトトロン", []),  # inside another word in katakana
        ("Dune Messiah, not Dune", ["Dune Messiah", "Dune"]),
        ("Dunes and undune", []),
        ("It was Fast. Furious people left.", []),
        ("The\nThing", []),
        ("Гуляй, Вася, и Гуляи, Вася", ["Гуляй, Вася"]),
    ],
)
def test_known_titles_are_found_on_word_boundaries_longest_first(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_a_name_is_known_as_a_whole_and_with_its_year() -> None:
    assert INDEX.knows("superman ii")
    assert INDEX.knows("Superman II", 1980)
    assert not INDEX.knows("Superman II", 1979)
    assert not INDEX.knows("Superman II again")
    assert not INDEX.knows("")


WORDS = st.text(alphabet="abcdefghijklmnop", min_size=1, max_size=6)


@settings(max_examples=100)
@given(title=st.lists(WORDS, min_size=1, max_size=6), around=st.lists(WORDS.map(str.upper), max_size=6))
def test_every_title_is_found_wherever_it_stands(title: list[str], around: list[str]) -> None:
    name = " ".join(title)
    text = " ".join(["Q1", *around, "Q2", name, "Q3"])
    places = [(match.start, match.end) for match in title_index([(name, 1999)]).matches(text)]
    assert (text.index(f"Q2 {name}") + 3, len(text) - 3) in places


@settings(max_examples=200)
@given(titles=st.lists(st.text(max_size=30), max_size=8), text=st.text(max_size=200))
def test_no_title_and_no_text_is_an_error_and_matches_never_overlap(titles: list[str], text: str) -> None:
    matches = title_index((title, None) for title in titles).matches(text + " ".join(titles))
    assert all(one.end <= other.start for one, other in itertools.pairwise(matches))
    assert all(0 < match.tokens <= LONGEST for match in matches)


def test_a_hundred_thousand_titles_are_looked_up_by_their_first_words() -> None:
    index = title_index((f"Word{n % 300} of{n // 300} House {n}", 1900 + n % 120) for n in range(100_000))
    assert len(index.years_of) == 100_000
    assert max(map(len, index.lengths_of.values())) <= 2  # lengths to try where two words begin titles
    text = "Then Word7 of9 House 2707 ended. " * 50
    assert len(index.matches(text)) == 50
