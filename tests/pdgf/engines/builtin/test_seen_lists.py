"""Titles that somebody knows already (METHOD 4.2, 6.4)."""

import pytest

from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.mentions import references
from pdgf.engines.builtin.reading import analyse
from pdgf.engines.builtin.seen_lists import seen_lists
from pdgf.engines.builtin.vocabulary import Vocabulary, vocabulary_of
from pdgf.models import AtomKind, Candidate


@pytest.fixture(scope="module")
def films() -> Vocabulary:
    titles = ("Alien", "Aliens", "The Thing", "Up", "War and Peace")
    return vocabulary_of(
        [
            Candidate(
                id=title, title=title, year=1990 + at, metadata={"genres": ["drama"], "director": [f"Ann {title}"]}
            )
            for at, title in enumerate(titles)
        ]
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("we've already seen alien, aliens and the thing, another scary one", ["alien", "aliens", "the thing"]),
        ("We have seen Alien, Aliens and The Thing.", ["Alien", "Aliens", "The Thing"]),
        ("seen up, heat and alien already. something funny", ["up", "alien"]),
        ("My wife has watched War and Peace and Up.", ["War and Peace", "Up"]),
        ("I've read the book already", []),
        ("I saw up close how it was done", ["up"]),
        ("I have seen Alien but hated it", []),
    ],
)
def test_a_list_is_its_titles_in_any_letters(films: Vocabulary, text: str, names: list[str]) -> None:
    assert [text[slice(*name)] for known in seen_lists(text, films) for name in known.names] == names


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("we've already seen alien, aliens and the thing, a scary film", ["scary"]),
        ("We've already seen Alien, Aliens and The Thing, a scary film", ["scary"]),
        ("seen up and alien already. something funny", ["funny"]),
    ],
)
def test_what_is_known_already_is_no_wish(
    parser: EnglishParser, films: Vocabulary, text: str, wishes: list[str]
) -> None:
    read = analyse(parser.parse_now(text), text, films, None)
    assert [node.instantiation for node in read.nodes] == wishes
    assert {atom.text.casefold() for atom in read.atoms if atom.kind is AtomKind.FEEDBACK} >= {"alien"}


@pytest.mark.parametrize(
    "text",
    [
        "I've seen Alien and loved it, more please",
        "i already watched alien, something like it",
        "I have seen Alien. Something similar",
        "I've watched alien, more of the same",
    ],
)
def test_what_is_known_and_liked_is_a_reference(films: Vocabulary, text: str) -> None:
    assert [reference.title.casefold() for reference in references(text, films)] == ["alien"]
