"""Places in a list that a question points at."""

import pytest

from dialogue.models import ItemRef
from dialogue.pointing import only_points, pointed_at, says_it
from tests.dialogue.town import REFS

LIST = REFS[:3]


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("how long is the first?", (1,)),
        ("who wrote the first and the last?", (1, 3)),
        ("are the last two violent?", (2, 3)),
        ("compare the first two", (1, 2)),
        ("is number two cheap?", (2,)),
        ("is the 3rd open?", (3,)),
        ("is the ninth open?", ()),
        ("is the first half slow?", ()),
        ("is the first part slow?", ()),
        ("is the first part of a series?", (1,)),
        ("how long is it?", ()),
        ("which was made in the second world war?", ()),
    ],
)
def test_the_places_that_a_question_names(question: str, places: tuple[int, ...]) -> None:
    assert pointed_at(question, LIST) == tuple(LIST[place - 1] for place in places)


def test_nothing_is_pointed_at_in_an_empty_list() -> None:
    nothing: tuple[ItemRef, ...] = ()
    assert pointed_at("is the first open?", nothing) == ()


def test_words_that_do_nothing_but_point() -> None:
    assert only_points("the second one")
    assert only_points("that one")
    assert not only_points("the second Dune")
    assert says_it("is it sad?")
    assert not says_it("are they sad?")
