"""Metadata as answers: which key, in which words, how compared."""

import pytest

from dialogue.domain import Scale, bundled_domain
from dialogue.facts import affirms, at_the_end, is_polar, key_asked, place_on, scales_asked, values_asked

EAT, FILMS = bundled_domain("restaurants"), bundled_domain("movies")
NOISE = next(scale for scale in EAT.scales if scale.metadata == "noise_level")


def test_a_key_is_found_by_whole_words_its_own_name_or_its_synonyms() -> None:
    metadata = {"parking": "x", "bike_parking": True, "noise_level": "x"}
    assert key_asked("Is there parking?", metadata, EAT) == "parking"
    assert key_asked("Is there bike parking?", metadata, EAT) == "bike_parking"
    assert key_asked("What is the noise level?", metadata, EAT) == "noise_level"
    assert key_asked("Does it sparkle?", metadata, EAT) is None
    assert key_asked("停车", {"": "x", "parking": "x"}, EAT) is None


def test_only_keys_of_the_item_are_found() -> None:
    assert key_asked("Is there parking?", {"wifi": True}, EAT) is None


def test_a_value_of_a_list_is_found_by_its_own_words() -> None:
    metadata = {"diets": ["gluten-free"], "dishes": ["ramen", "crab on toast"]}
    assert values_asked("do they serve crab on toast?", metadata) == ("dishes", "crab on toast")
    assert values_asked("anything gluten-free?", metadata) == ("diets", "gluten-free")
    assert values_asked("do they have crab?", metadata) is None


@pytest.mark.parametrize("question", ["Does it?", "is there wifi", "And do they deliver?", "Can't I pay by card?"])
def test_yes_or_no_questions(question: str) -> None:
    assert is_polar(question)


@pytest.mark.parametrize("question", ["How long is it?", "Which has parking?", "Dogs?", "Isle of Man?"])
def test_other_questions(question: str) -> None:
    assert not is_polar(question)


def test_a_value_affirms_what_the_question_names() -> None:
    assert affirms("parking?", "parking", "street parking only", EAT) is True
    assert affirms("is there parking?", "parking", "paid garage next door", EAT) is True
    assert affirms("is there a car park?", "parking", "own car park", EAT) is True
    assert affirms("is there a car park?", "parking", "on the street", EAT) is None
    assert affirms("is there a garage?", "parking", "no parking nearby", EAT) is False
    assert affirms("are they open?", "opening_hours", "Mon-Fri", EAT) is None
    assert affirms("anything", "wifi", False, EAT) is False
    assert affirms("parking?", "parking", 3, EAT) is None


def test_the_longest_words_choose_the_scale_and_its_end() -> None:
    [(first, low), *_] = scales_asked("which is the least expensive?", EAT)
    assert (first.metadata, low) == ("average_spend", True)
    [(first, low), *_] = scales_asked("which is more expensive?", EAT)
    assert low is False
    assert scales_asked("which is nice?", EAT) == ()
    assert [scale.metadata for scale, _ in scales_asked("the newest", FILMS)] == ["year"]


def test_places_on_a_scale_by_order_by_number_and_by_year() -> None:
    assert [place_on(NOISE, {"noise_level": level}, None) for level in ("quiet", "loud", "odd")] == [0.0, 3.0, None]
    spend = Scale(metadata="average_spend", less=("a",), more=("b",), least="a", most="b")
    assert [place_on(spend, {"average_spend": value}, None) for value in (12, 12.5, "much", True)] == [
        12,
        12.5,
        None,
        None,
    ]
    assert place_on(Scale(metadata="year", less=("a",), more=("b",), least="a", most="b"), {}, 1999) == 1999


def test_an_end_needs_two_known_places_and_keeps_ties() -> None:
    assert at_the_end({"a": 1.0, "b": None}, low=True) == ()
    assert at_the_end({"a": 1.0, "b": 3.0, "c": 1.0}, low=True) == ("a", "c")
    assert at_the_end({"a": 1.0, "b": 3.0, "c": None}, low=False) == ("b",)
