""" "By the same author" and prices without a currency: wishes that need the catalogue to be read (METHOD 4.2, 12)."""

from dataclasses import replace

import pytest

from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.reading import Analysis, analyse
from pdgf.engines.builtin.vocabulary import Vocabulary, vocabulary_of
from pdgf.models import Candidate, Metadata

DATA: tuple[tuple[str, Metadata], ...] = (
    ("Paper Lanterns", {"author": ["Orla Finch"], "genres": ["mystery"]}),
    ("Salt and Ashes", {"author": ["Ito Kan"], "genres": ["war"]}),
)
BOOKS = vocabulary_of([Candidate(id=title, title=title, metadata=data) for title, data in DATA])
PRICED = vocabulary_of([Candidate(id="1", title="Da Remo", metadata={"Price": 25, "dishes": ["ravioli"]})])
UNPRICED = vocabulary_of([Candidate(id="1", title="Da Remo", metadata={"price_range": "cheap", "pages": 200})])


def read(parser: EnglishParser, vocabulary: Vocabulary, text: str) -> Analysis:
    return analyse(parser.parse_now(text), text, replace(vocabulary, english=parser.words), None)


@pytest.mark.parametrize(
    ("text", "maker"),
    [
        ("I loved Paper Lanterns, something by the same author.", "Orla Finch"),
        ("Something like Salt and Ashes, by the same writer please.", "Ito Kan"),
        ("A book by the same author as Paper Lanterns.", "Orla Finch"),
        ("I loved Salt and Ashes and Paper Lanterns. More from that author!", "Orla Finch"),
    ],
)
def test_the_same_author_is_the_one_of_the_book_named_before(parser: EnglishParser, text: str, maker: str) -> None:
    found = [node for node in read(parser, BOOKS, text).nodes if node.perspective == "creator"]
    assert [node.instantiation for node in found] == [maker]


@pytest.mark.parametrize("text", ["by the same author", "I loved Elsewhere (1999), more by the same author"])
def test_without_a_known_book_there_is_no_author_to_wish_for(parser: EnglishParser, text: str) -> None:
    assert "author" not in " ".join(node.instantiation for node in read(parser, BOOKS, text).nodes)


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("something between 30 and 60", "between 30 and 60"),
        ("ravioli, under 30", "under 30"),
        ("at most 25 please", "at most 25"),
        ("30 or less", "30 or less"),
        ("25-40", "25-40"),
    ],
)
def test_a_limit_without_a_unit_is_a_price_where_items_have_prices(
    parser: EnglishParser, text: str, price: str
) -> None:
    found = [node for node in read(parser, PRICED, text).nodes if node.perspective == "price"]
    assert [(node.instantiation, node.hard) for node in found] == [(price, True)]


@pytest.mark.parametrize(
    "text",
    ["for kids under 12", "a table for up to 8", "open until 10", "lunch at 12", "made between 1990 and 2000"],
)
def test_ages_parties_hours_and_years_are_no_prices(parser: EnglishParser, text: str) -> None:
    assert "price" not in {node.perspective for node in read(parser, PRICED, text).nodes}


def test_where_items_have_no_price_a_number_is_none(parser: EnglishParser) -> None:
    assert not read(parser, UNPRICED, "under 30").nodes
