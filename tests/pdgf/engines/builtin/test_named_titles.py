"""Titles that a narrative names with their years: where they begin, and which item of the catalogue they are."""

import pytest

from pdgf.engines.builtin.mentions import known_title, references
from pdgf.engines.builtin.vocabulary import Vocabulary, vocabulary_of
from pdgf.models import Candidate

SHELF = (
    ("Salt, Smoke and Two Old Boats", 1998), ("Harbour Wars: Episode V - The Long Night", 1980), ("Harbour Wars", 1977),
    ("Alone", 1993), ("A Good Day to Sail", 2013), ("Sail", 1988), ("Winter vol. 2", 2004), ("Winter", 2003),
    ("The Grey Coast", 2012), ("Ferry", 1999), ("Ferry", 2001),
)  # fmt: skip


@pytest.fixture(scope="module")
def shelf() -> Vocabulary:
    return vocabulary_of([Candidate(id=str(i), title=title, year=year) for i, (title, year) in enumerate(SHELF)])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("I like Alone (1993), and Salt, Smoke and Two Old Boats (1998).",
         [("Alone", 1993), ("Salt, Smoke and Two Old Boats", 1998)]),
        ("Harbour Wars (1977), Harbour Wars: Episode V - The Long Night (1980)",
         [("Harbour Wars", 1977), ("Harbour Wars: Episode V - The Long Night", 1980)]),
        ("I enjoyed A Good Day to Sail (2013) and Winter vol. 2 (2004).",
         [("A Good Day to Sail", 2013), ("Winter vol. 2", 2004)]),
        ("Films such as Only Birds Left Alone (2013).", [("Only Birds Left Alone", 2013)]),
        ("Last week I saw Alone (2020).", [("Alone", 2020)]),
        ("I liked The Unknown Harbour (1990), Sail (1988).", [("The Unknown Harbour", 1990), ("Sail", 1988)]),
    ],
)  # fmt: skip
def test_a_title_before_its_year_is_read_whole(text: str, named: list[tuple[str, int]], shelf: Vocabulary) -> None:
    assert [(found.title, found.year) for found in references(text, shelf)] == named


@pytest.mark.parametrize(
    ("title", "year", "known"),
    [
        ("The Grey Coast", 2011, 2012),  # shown at a festival the year before
        ("The Grey Coast", 2013, 2012),
        ("The Grey Coast", 2010, None),
        ("Ferry", 2000, None),  # two of that name: which of them?
        ("Ferry", 2001, 2001),
    ],
)
def test_the_only_item_of_its_name_may_be_dated_a_year_apart(
    title: str, year: int, known: int | None, shelf: Vocabulary
) -> None:
    found = known_title(title, year, shelf)
    assert (None if found is None else found.year) == known
