"""Limits that are named by an item of the catalogue: "shorter than The Long Road"."""

from dataclasses import replace

import pytest

from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.reading import analyse
from pdgf.engines.builtin.vocabulary import vocabulary_of
from pdgf.models import Candidate

TITLES = ("The Long Road", "A Quiet Harbour", "Seven Bridges", "The Glass Owl", "Old Winter", "Paper Boats")
FILMS = [
    Candidate(
        id=str(n), title=title, year=1990 + n, metadata={"length_minutes": 90 + 10 * n, "genres": ["comedy", "drama"]}
    )
    for n, title in enumerate(TITLES)
]
NOTHING_COUNTED = [film.model_copy(update={"metadata": {"genres": ["comedy", "drama"]}}) for film in FILMS]


def read(parser: EnglishParser, text: str, items: list[Candidate] = FILMS) -> dict[str, tuple[str, bool]]:
    found = analyse(parser.parse_now(text), text, replace(vocabulary_of(items), english=parser.words), None)
    return {node.instantiation: (node.perspective, node.hard) for node in found.nodes}


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("A comedy shorter than The Glass Owl.", "shorter than 120 minutes"),
        ("A comedy, a bit longer than Seven Bridges please", "longer than 110 minutes"),
    ],
)
def test_what_is_compared_with_a_named_item_in_numbers_is_a_limit_and_nothing_like_it(
    parser: EnglishParser, text: str, limit: str
) -> None:
    found = read(parser, text)
    assert found[limit] == ("length", True)
    assert set(found) - {limit} <= {"comedy"}


@pytest.mark.parametrize("text", ["A comedy sadder than The Glass Owl.", "A comedy like The Glass Owl."])
def test_what_no_number_tells_stays_a_likeness(parser: EnglishParser, text: str) -> None:
    found = read(parser, text)
    assert not any("minutes" in words for words in found)
    assert {"comedy", "drama"} <= set(found)  # its genres


def test_without_numbers_in_the_catalogue_no_limit_is_made_up(parser: EnglishParser) -> None:
    found = read(parser, "A comedy shorter than The Glass Owl.", NOTHING_COUNTED)
    assert not any("minutes" in words for words in found)
