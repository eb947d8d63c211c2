"""Words that are heaped up are told from plain text, which stays as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.catalogues.bundled import BUNDLED
from pdgf.stuffing import passages_said, sentences_said, unstuffed
from pdgf.texts import passages, sentences
from tests.catalogues import bundled_items

PLAIN = (
    "A quiet film about friendship with dry humour.",
    "Good ramen, good service, good prices, good tea, good music and good company. Good, good, good!",
    "She says no, he says no, they all say no, and in the end nobody goes. I love it, love it, love it.",
    "这家店很安静，服务很好，拉面也很好吃，就是周末人太多，要等很久才有位子。",
    "Genre: drama, comedy, drama",
)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_is_left_as_it_is(text: str) -> None:
    assert list(unstuffed(text)) == [text]
    assert (passages_said(text), sentences_said(text)) == (passages(text), sentences(text))


@pytest.mark.parametrize("name", BUNDLED)
def test_no_text_of_a_bundled_catalogue_is_taken_for_stuffed(name: str) -> None:
    texts = [review.text for item in bundled_items(name) for review in item.reviews]
    assert texts
    assert [text for text in texts if list(unstuffed(text)) != [text]] == []


@pytest.mark.parametrize(
    "stuffed", ["quiet film friendship dry humour " * 3, "安静电影友情幽默" * 4, "ramen\nquiet\nparking\n" * 9]
)
def test_what_is_heaped_up_is_cut_out_of_what_is_said_around_it(stuffed: str) -> None:
    before, after = "The boat is old and slow, and its captain never speaks. ", " Nobody else comes aboard."
    assert list(unstuffed(stuffed)) == []
    said = " ".join(sentences_said(before + stuffed + after))
    assert said.startswith("The boat is old")
    assert said.endswith("aboard.")
    assert not set(stuffed.split()) & set(said.replace(".", "").split())


def test_small_words_that_are_left_between_say_nothing() -> None:
    assert list(unstuffed(", ".join(["a quiet film about friendship with dry humour"] * 3))) == []


@given(st.text(alphabet="ab cdé。安静 \n", max_size=400))
def test_what_is_left_stands_in_the_text_in_its_order(text: str) -> None:
    end = 0
    for stretch in unstuffed(text):
        found = text.find(stretch, end)
        assert found >= end
        end = found + len(stretch)
