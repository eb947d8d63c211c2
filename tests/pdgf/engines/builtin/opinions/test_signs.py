"""Signs of opinions in a sentence: what is named, who is praised, and which wishes are for something good."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.engines.builtin.opinions.judging import asks_for_praise
from pdgf.engines.builtin.opinions.signs import NAMES, signs


def sign(name: str, sentence: str, wish: str) -> float:
    return signs(sentence, wish)[NAMES.index(name)]


@given(st.text(max_size=300), st.text(max_size=60))
def test_any_two_texts_have_every_sign_as_a_finite_number(sentence: str, wish: str) -> None:
    found = signs(sentence, wish)
    assert len(found) == len(NAMES) == len(set(NAMES))
    assert all(math.isfinite(number) for number in found)


def test_praise_and_blame_belong_to_the_thing_that_stands_nearest() -> None:
    sentence = "The cakes were wonderful, but the waiter was rude."
    assert sign("good_own", sentence, "good food") == 1
    assert sign("bad_own", sentence, "good food") == 0
    assert sign("bad_own", sentence, "friendly staff") == 1
    assert sign("good_own", sentence, "friendly staff") == 0


def test_a_denied_word_of_praise_is_blame() -> None:
    assert sign("leaning_own", "The food was not good.", "good food") == -1
    assert sign("leaning_own", "The food was good.", "good food") == 1


def test_a_sentence_about_something_else_does_not_name_the_thing() -> None:
    assert sign("named", "The acting is superb.", "good plot") == 0
    assert sign("named", "The plot creaks.", "good plot") == 1


@pytest.mark.parametrize(
    "wish",
    ["friendly staff", "good service", "I want a nice atmosphere", "great acting", "beautiful prose", "witty dialogue"],
)
def test_a_thing_with_praise_is_a_wish_for_something_good(wish: str) -> None:
    assert asks_for_praise(wish)


@pytest.mark.parametrize(
    "wish",
    ["story", "music", "food", "a story about friendship", "vegan food", "live music", "small town", "warm comedy", ""],
)
def test_a_wish_for_a_kind_of_thing_is_not_one_for_a_good_one(wish: str) -> None:
    assert not asks_for_praise(wish)
