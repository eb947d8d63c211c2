"""Slips of the pen: what is read as the word that was meant, and what never is."""

import pytest

from pdgf.constraints.spelling import SHORTEST, WISH_WORDS, meant_by, respelt
from pdgf.engines.builtin.language import EnglishParser


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("romanse", "romance"),
        ("comdey", "comedy"),
        ("vegitarian", "vegetarian"),
        ("fantsay", "fantasy"),
        ("thriler", "thriller"),
        ("histroical", "historical"),
        ("wheelchiar", "wheelchair"),
        ("Itallian", "italian"),
        ("mistery", "mystery"),
    ],
)
def test_one_letter_too_many_too_few_wrong_or_swapped_is_a_slip(typed: str, meant: str) -> None:
    assert meant_by(typed) == meant


@pytest.mark.parametrize(
    "word",
    ["horor", "wra", "desert", "defective", "romanced", "vegetarian", "polish", "vgeetraian", "banner", "likely"],
)
def test_short_words_other_words_and_words_two_slips_away_stay_as_they_are(word: str) -> None:
    assert meant_by(word) is None


def test_no_word_of_english_is_turned_into_another() -> None:
    parser = EnglishParser()
    parser.parse_now("a word")
    lookups = parser._nlp.get_pipe("lemmatizer").lookups.get_table("lemma_index")
    strings = parser._nlp.vocab.strings
    words = {word if isinstance(word, str) else strings[word] for part in lookups.values() for word in part}
    plain = {word.lower() for word in words if word.isalpha() and word.isascii() and len(word) >= SHORTEST}
    assert len(plain) > 10_000
    plain -= {"ukranian"}  # a slip that the parser's own list holds
    assert {word: meant for word in plain if (meant := meant_by(word)) is not None} == {}


def test_a_mended_text_knows_where_its_places_stood() -> None:
    text = "a thriler with vegitarians and romansce, please"
    mended = respelt(text)
    assert mended.text == "a thriller with vegetarians and romance, please"
    for word, typed in (("thriller", "thriler"), ("romance", "romansce"), ("please", "please"), ("with", "with")):
        start = mended.text.index(word)
        assert text[mended.place(start) : mended.place(start + len(word))] == typed


def test_a_text_without_a_slip_is_the_text_itself() -> None:
    text = "a thriller in the desert"
    assert respelt(text).text == text
    assert [respelt(text).place(at) for at in range(len(text) + 1)] == list(range(len(text) + 1))


def test_every_word_that_can_be_meant_is_long_enough() -> None:
    assert all(len(word) >= SHORTEST and word.islower() for word in WISH_WORDS)
