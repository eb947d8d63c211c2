"""Wishes for what an item is: its form, its makers, its country, the ages it suits, what it must have (METHOD 4.2)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.metadata_lines import fact_finding
from pdgf.engines.builtin.reading import Analysis, analyse
from pdgf.engines.builtin.vocabulary import Vocabulary, vocabulary_of
from pdgf.models import Candidate, Metadata, Polarity

Read = Callable[[str], Analysis]


def _items(facts: Sequence[Metadata]) -> list[Candidate]:
    return [Candidate(id=str(i), title=f"No. {i}", metadata=data) for i, data in enumerate(facts)]


SHOWS = vocabulary_of(
    _items(
        [
            {"format": "film", "studio": "Studio Brook", "director": "Ada North", "country": ["United Kingdom"]},
            {"format": "TV series", "studio": "Hill Works", "director": "Bo Lindqvist", "genres": ["horror"]},
            {"format": "TV series", "studio": "Hill Works", "director": "Cy Del Mar", "language": ["Swedish"]},
        ]
    )
)
BOOKS = vocabulary_of(_items([{"form": "novel", "author": "Ursula Vale"}] * 5 + [{"form": "short stories"}]))
TOWN = vocabulary_of(_items([{"location": "Mill Quarter", "cuisine": ["Portuguese"]}, {"location": "Riverside"}]))


def reader(parser: EnglishParser, vocabulary: Vocabulary) -> Read:
    def read(text: str) -> Analysis:
        doc = parser.parse_now(text)
        return analyse(doc, text, replace(vocabulary, english=parser.words), None)

    return read


def wishes(analysis: Analysis) -> set[tuple[str, str, bool]]:
    signs = {Polarity.AVOID: "-", Polarity.WANT: ""}
    return {(signs[node.polarity] + node.instantiation, node.perspective, node.hard) for node in analysis.nodes}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A film about friendship.", ("film", "format", False)),
        ("I want to watch a sad movie.", ("movie", "format", False)),
        ("A short series, please.", ("series", "format", False)),
        ("It must be a film.", ("film", "format", True)),
        ("A film, not a series, about friendship.", ("film", "format", True)),
        ("A film, not a series, about friendship.", ("-series", "format", True)),
        ("A film rather than a series.", ("-series", "format", True)),
    ],
)
def test_the_noun_for_an_item_is_a_wish_where_items_are_of_several_forms(
    parser: EnglishParser, text: str, found: tuple[str, str, bool]
) -> None:
    assert found in wishes(reader(parser, SHOWS)(text))


@pytest.mark.parametrize(
    "text",
    [
        "Something like that film.",
        "A film or a series about love.",
        "Not a film without romance.",
        "My favourite film.",
    ],
)
def test_a_noun_that_asks_for_no_form_makes_no_wish(parser: EnglishParser, text: str) -> None:
    assert not {kind for _, kind, _ in wishes(reader(parser, SHOWS)(text))} & {"format"}


def test_what_nearly_every_item_is_is_no_wish_but_beside_what_is_refused(parser: EnglishParser) -> None:
    read = reader(parser, BOOKS)
    assert wishes(read("A novel about grief.")) == {("grief", "theme", False)}
    assert wishes(read("A novel, not short stories, about grief.")) == {
        ("novel", "format", True),
        ("-short stories", "format", True),
        ("grief", "theme", False),
    }


def test_a_form_that_is_permitted_widens_the_wish_for_another(parser: EnglishParser) -> None:
    [node] = reader(parser, SHOWS)("I need a film. A series is fine too.").nodes
    assert (node.instantiation, node.perspective) == ("film or series", "format")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Not from Brook.", ("-Brook", "creator", True)),
        ("Nothing by Lindqvist, please.", ("-Lindqvist", "creator", True)),
        ("Nothing by Zzyzx.", ("-Zzyzx", "creator", True)),
        ("Something by del mar.", ("del mar", "creator", False)),
        ("A Lindqvist film.", ("Lindqvist", "creator", False)),
        ("Directed by Ada North.", ("Ada North", "creator", False)),
        ("Something by Lindqvst.", ("Lindqvist", "creator", False)),
    ],
)
def test_makers_are_known_by_parts_of_their_names(
    parser: EnglishParser, text: str, found: tuple[str, str, bool]
) -> None:
    assert found in wishes(reader(parser, SHOWS)(text))


@pytest.mark.parametrize("text", ["Set in the north, by a river.", "North Sea stories.", "Driven by hill walks."])
def test_a_word_that_only_looks_like_a_name_is_no_maker(parser: EnglishParser, text: str) -> None:
    assert "creator" not in {kind for _, kind, _ in wishes(reader(parser, SHOWS)(text))}


def test_a_nationality_of_the_item_is_its_country_and_one_of_the_story_is_not(parser: EnglishParser) -> None:
    read = reader(parser, SHOWS)
    assert ("British", "country", False) in wishes(read("A British film."))
    assert "country" not in {kind for _, kind, _ in wishes(read("A story about a British soldier."))}


def test_a_permitted_nationality_widens_the_country(parser: EnglishParser) -> None:
    [node] = reader(parser, SHOWS)("From Sweden or the United Kingdom. British is fine.").nodes[:1]
    assert node.instantiation.endswith("or British")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Somewhere in Riversid.", ("Riverside", "location", True)),
        ("Lunch in Mill Quater.", ("Mill Quarter", "location", True)),
    ],
)
def test_a_slip_in_a_value_of_the_catalogue_finds_the_value(
    parser: EnglishParser, text: str, found: tuple[str, str, bool]
) -> None:
    assert found in wishes(reader(parser, TOWN)(text))
    [atom] = [
        atom
        for atom in reader(parser, TOWN)(text).atoms
        if "uart" in atom.text or "Riv" in atom.text or "ua" in atom.text
    ]
    assert atom.text in text  # the user's own spelling stays with the user's words


def test_five_letters_are_enough_and_words_that_are_right_are_let_alone(parser: EnglishParser) -> None:
    parser.parse_now("loaded")
    known = replace(SHOWS, english=parser.words)
    assert known.meant_by("horor") == "horror"
    assert known.meant_by("film") is None
    assert not [word for word in sorted(parser.words)[::4] if known.meant_by(word)]


@pytest.mark.parametrize(
    ("text", "hard"),
    [
        ("Parking is a must.", {"Parking"}),
        ("Parking and wifi are essential, quiet.", {"Parking", "wifi"}),
        ("It has to have wifi.", {"wifi"}),
        ("No stairs.", {"stairs"}),
        ("Parking is not a must.", set()),
    ],
)
def test_what_is_called_a_must_is_a_condition(parser: EnglishParser, text: str, hard: set[str]) -> None:
    assert {node.instantiation for node in reader(parser, TOWN)(text).nodes if node.hard} == hard


def test_the_age_of_somebody_in_the_story_is_no_condition(parser: EnglishParser) -> None:
    assert not [n for n in reader(parser, SHOWS)("A drama about a twelve-year-old girl.").nodes if n.hard]


@pytest.mark.parametrize(
    ("feature", "key", "value", "finding"),
    [
        ("film (format).", "format", "film", Finding.FOR),
        ("film (format).", "format", "TV series", Finding.AGAINST),
        ("no series (format).", "format", "film", Finding.FOR),
        ("no Brook (creator).", "studio", "Studio Brook", Finding.AGAINST),
        ("no Brook (creator).", "studio", "Hill Works", Finding.FOR),
        ("either Japan or British (country).", "country", "United Kingdom", Finding.FOR),
        ("no stairs.", "wheelchair_access", "yes", Finding.FOR),
        ("no stairs.", "wheelchair_access", "no", Finding.AGAINST),
    ],
)
def test_a_line_of_metadata_settles_what_an_item_is(feature: str, key: str, value: str, finding: Finding) -> None:
    assert fact_finding(read_feature(feature), key, value) is finding
