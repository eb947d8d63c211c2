"""Quotes that share a word with a wish and take it back, or mean another thing by it."""

import pytest

from pdgf.engines.builtin.findings import literal_mention
from pdgf.engines.builtin.polarity import Degree, concept_events

NONE, MILD, PLAIN, STRONG = Degree.NONE, Degree.MILD, Degree.PLAIN, Degree.STRONG


@pytest.mark.parametrize(
    ("sentence", "concept", "degree"),
    [
        ("Laughter thins out in the last act.", "humour", MILD),
        ("A few of the jokes about money and class have badly dated.", "humour", MILD),
        ("The comedy falls flat.", "humour", MILD),
        ("The humour wears thin.", "humour", MILD),
        ("The comedy builds and the jokes land.", "humour", PLAIN),
        ("A tired guard is the only humour.", "humour", MILD),
        ("Its only joke is told twice.", "humour", MILD),
        ("The snake is sillier than scary.", "scary", NONE),
        ("The ghosts are more sad than scary.", "scary", NONE),
        ("It is more than scary: it is unforgettable.", "scary", PLAIN),
        ("Those expecting big laughs may only smile.", "humour", MILD),
        ("Anyone hoping for laughs will leave disappointed.", "humour", NONE),
        ("Not a film for those who want jokes.", "humour", NONE),
        ("Those who want jokes get dozens.", "humour", PLAIN),
        ("The detective strand is stiff.", "detective", MILD),
        ("The detective is a widow.", "detective", PLAIN),
    ],
)
def test_a_mention_that_is_taken_back_counts_for_little_or_against(sentence: str, concept: str, degree: Degree) -> None:
    assert max(event.degree for event in concept_events(sentence, concept)) is degree


@pytest.mark.parametrize(
    ("sentence", "wish", "degree"),
    [
        ("A boy trains a falcon.", "train", None),
        ("She has to train the horse herself.", "train", None),
        ("The clerk books a room.", "book", None),
        ("Training fills the first half.", "train", MILD),
        ("Once the train is rolling, nobody leaves.", "train", PLAIN),
        ("Most of it happens on trains.", "train", PLAIN),
        ("Of all trains the night train is the best.", "train", PLAIN),
        ("They dance the night away.", "dancing", PLAIN),
    ],
)
def test_a_verb_with_its_object_is_not_the_thing_of_the_same_letters(
    sentence: str, wish: str, degree: Degree | None
) -> None:
    assert literal_mention(wish, sentence)[0] is degree
