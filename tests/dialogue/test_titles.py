"""Titles in questions: those the catalogue holds, and those nobody knows."""

import pytest

from dialogue import titles
from dialogue.models import ItemRef
from pdgf.models import Candidate

FILMS = (Candidate(id="1", title="The Long Quay", year=1950), Candidate(id="2", title="Brine"))
VALUES = titles.words_of("Italian English Anna Sorel drama")


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("What about The Long Quay?", "1"),
        ("what about the long quay", "1"),
        ("Is The Long Quay (1950) sad?", "1"),
        ("is Brine longer than The Long Quay?", "21"),
        ("is it sadder than Brine?", ""),
        ("is it brine that they eat?", ""),
        ("What about Copper Rain?", ""),
    ],
)
def test_a_title_of_the_catalogue_is_found_in_a_question(question: str, ids: str) -> None:
    assert "".join(item.id for item in titles.known((question,), FILMS)) == ids


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What about Copper Rain?", "Copper Rain"),
        ("tell me about Lost in the Fog", "Lost in the Fog"),
        ("Is Copper Rain any good?", "Copper Rain"),
        ("What about Italian?", None),
        ("What about Anna Sorel?", None),
        ("what about the music?", None),
        ("Is Paul Newcomb in it?", None),
        ("Is English spoken?", None),
    ],
)
def test_a_title_that_nobody_knows_is_told_from_other_capitals(question: str, title: str | None) -> None:
    assert titles.unknown((question,), lambda: VALUES) == title


def test_a_question_about_a_whole_item_names_it_and_nothing_else() -> None:
    brine = ItemRef(id="2", title="Brine")
    assert titles.asks_of_item("what about Brine?", brine)
    assert titles.asks_of_item("and what about the second one?", brine)
    assert not titles.asks_of_item("what about the music?", brine)
    assert not titles.asks_of_item("is Brine sad?", brine)
