"""What a sentence claims by its words: numbers, names, wishes, and that something is not known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue import claims


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("from 1979, 20 dollars", {"1979", "20"}),
        ("1,200 seats and 1.5 stars at 7:30", {"1200", "1.5", "7:30"}),
        ("the 1980s, the 19th century", {"1980", "19"}),
        ("１９７９年", {"1979"}),
        ("none", set()),
    ],
)
def test_numbers_are_read_in_figures(text: str, numbers: set[str]) -> None:
    assert claims.numbers(text) == numbers


@given(st.integers(0, 10**9))
def test_marks_between_thousands_do_not_make_another_number(number: int) -> None:
    assert claims.numbers(f"about {number:,} of them") == claims.numbers(str(number)) == {str(number)}


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Directed by Ridley Scott, it is quiet", ["Ridley", "Scott"]),
        ("Quiet it is. So I say; It rocks: Good – Very", []),
        ("Like Alien’s crew", ["Alien"]),
        ("像Alien一样安静", ["Alien"]),
        ("It's what I've said, and I'm sure", []),
        ("Das ist die Ruhe und der Gast isst mit Freude", []),  # a language with a capital for every noun
    ],
)
def test_names_are_the_words_with_a_capital_inside_a_sentence(sentence: str, names: list[str]) -> None:
    assert list(claims.names(sentence)) == names


def test_another_form_of_a_known_word_is_no_new_name() -> None:
    known = claims.words("a meal from Japan, cooked by Rosa's aunt")
    assert claims.is_among("Japanese", known)
    assert claims.is_among("Rosa", known)
    assert claims.is_among("Aunt", known)
    assert not claims.is_among("Italian", known)
    assert not claims.is_among("Ro", known)


@pytest.mark.parametrize(
    ("text", "wish", "named"),
    [
        ("It has a car park and parking", "parking", True),
        ("There are terraces outside", "terrace", True),
        ("Of gore there is none", "not gore", True),
        ("the friendship starts with rivalry", "a friendship that starts as rivalry", True),
        ("It is parked", "dark", False),
        ("它很安静。", "要安静", True),
        ("它很热闹。", "安静", False),
        ("anything", "not", False),
    ],
)
def test_a_wish_is_named_by_all_its_content_words(text: str, wish: str, named: bool) -> None:
    assert claims.names_wish(text, wish) is named


@pytest.mark.parametrize(
    "sentence",
    [
        "Whether it has parking is not known.",
        "Nothing is known about parking or a terrace.",
        "However, it is not clear whether it has parking.",
        "As for parking, no review says a word.",
        "No note mentions parking.",
        "Nothing is on record about parking.",
        "There is no information on parking.",
        "是否有停车场，没有提到。",
        "至于停车场，目前不清楚。",
    ],
)
def test_a_sentence_may_say_nothing_but_that_something_is_not_known(sentence: str) -> None:
    assert claims.says_not_known(sentence)
    assert claims.says_only_not_known(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "It has parking, and whether it is loud is not known.",
        "Whether it is loud is not known, but it has parking.",
        "Nothing is said of noise; it has parking.",
        "它有停车场，是否安静不清楚。",
        "No parking, and of noise nothing is known.",
    ],
)
def test_what_also_claims_something_does_more_than_say_that_something_is_not_known(sentence: str) -> None:
    assert claims.says_not_known(sentence)
    assert not claims.says_only_not_known(sentence)


@pytest.mark.parametrize(
    "sentence", ["It has parking.", "It is known for its parking.", "It has no parking.", "它有停车场。"]
)
def test_a_claim_does_not_say_that_something_is_not_known(sentence: str) -> None:
    assert not claims.says_not_known(sentence)


def test_texts_touch_where_they_share_a_number_or_a_content_word() -> None:
    reason = "Average spend: 40 dollars a person (you asked for under $30)"
    assert claims.touches("At 40 it is dear.", reason)
    assert claims.touches("One spends a lot.", reason)
    assert not claims.touches("You asked for ramen.", reason)
