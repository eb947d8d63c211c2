"""Contractions whose apostrophe was left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.contractions import with_apostrophes


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("i dont want gore", "i don't want gore"),
        ("Im easily scared, Ive seen enough", "I'm easily scared, I've seen enough"),
        ("CANT STAND MUSICALS", "CAN'T STAND MUSICALS"),
        ("can t stand it, it won t do", "can't stand it, it won't do"),
        ("don`t and don´t", "don't and don't"),
        ("thats not what theyre after", "that's not what they're after"),
        ("it isnt slow and doesnt drag", "it isn't slow and doesn't drag"),
        ("I don't, and I don’t", "I don't, and I don’t"),
        ("its plot is well paced, I was ill, an id of ours", "its plot is well paced, I was ill, an id of ours"),
        ("want, aunt, giant, can the rest", "want, aunt, giant, can the rest"),
        ("不要暴力", "不要暴力"),
        ("id rather not, ill take it. were looking for", "i'd rather not, i'll take it. we're looking for"),
        ("they were looking for an id", "they were looking for an id"),
        ("", ""),
    ],
)
def test_an_apostrophe_that_is_missing_is_put_in(written: str, meant: str) -> None:
    assert with_apostrophes(written).text == meant


WORDS = st.sampled_from(["dont", "Im", "a", "plain", "cant", "we", "film", "isnt", "don't", "，", "theyre"])


@given(st.lists(WORDS).map(" ".join) | st.text())
def test_a_span_comes_back_to_where_it_was(written: str) -> None:
    contracted = with_apostrophes(written)
    assert contracted.text.replace("'", "") == with_apostrophes(contracted.text).text.replace("'", "")
    assert with_apostrophes(contracted.text) == (contracted.text, ())
    for start in range(len(written) + 1):
        for end in range(start, min(len(written), start + 9) + 1):
            assert contracted.original(contracted.mended((start, end))) == (start, end)


@given(st.lists(WORDS).map(" ".join))
def test_a_span_of_whole_words_names_the_same_words(written: str) -> None:
    contracted, place = with_apostrophes(written), 0
    for word in written.split(" ") if written else []:
        start, end = contracted.mended((place, place + len(word)))
        assert contracted.text[start:end].replace("'", "") == word.replace("'", "")
        place += len(word) + 1
