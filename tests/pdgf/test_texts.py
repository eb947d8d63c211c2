"""Cleaning and cutting text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.texts import PASSAGE_CHARS, PASSAGE_SENTENCES, SENTENCE_CHARS, clean, cut_at_sentence, passages, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is slow. It is warm! Is it long? Yes…", ("It is slow.", "It is warm!", "Is it long?", "Yes…")),
        ("Dr. Vale met F. W. Orm at 5 p.m. on Sunday.", ("Dr. Vale met F. W. Orm at 5 p.m. on Sunday.",)),
        ("They left at 5 p.m. Nobody noticed.", ("They left at 5 p.m.", "Nobody noticed.")),
        ("See vol. 3 for more. It helps.", ("See vol. 3 for more.", "It helps.")),
        ("No. Not at all.", ("No.", "Not at all.")),
        ("great food. will come back", ("great food.", "will come back")),
        ('"Never again." She left.', ('"Never again."', "She left.")),
        ("Title line\nFirst sentence here", ("Title line", "First sentence here")),
        ("很慢。很温暖！值得看", ("很慢。", "很温暖！", "值得看")),
        ("1. Bring water.", ("1. Bring water.",)),
        ("It costs 3.50 a cup.", ("It costs 3.50 a cup.",)),
        ("", ()),
        (" \n\t ", ()),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: tuple[str, ...]) -> None:
    assert sentences(text) == expected


def test_a_short_text_is_one_passage_and_a_long_one_is_cut_every_three_sentences() -> None:
    assert passages("One. Two. Three.") == ("One. Two. Three.",)
    assert passages("One. Two. Three. Four.") == ("One. Two. Three.", "Four.")


def test_a_passage_stops_before_it_grows_too_long() -> None:
    long = "a" * (PASSAGE_CHARS - 10) + "."
    assert passages(f"{long} Short one. Another.") == (long, "Short one. Another.")


def test_a_text_without_full_stops_is_cut_at_spaces() -> None:
    text = "word " * 20_000
    pieces = passages(text)
    assert all(len(piece) <= SENTENCE_CHARS for piece in pieces)
    assert " ".join(pieces) == text.strip()
    assert {len(piece) for piece in passages("x" * 100_000)} == {SENTENCE_CHARS}


def test_text_is_cut_at_the_last_sentence_that_fits() -> None:
    assert cut_at_sentence("One. Two. Three.", 9) == "One. Two."
    assert cut_at_sentence("One. Two. Three.", 8) == "One."
    assert cut_at_sentence("One. Two. Three.", 3) == ""
    assert cut_at_sentence("One. Two. Three.", 100) == "One. Two. Three."


def test_cleaning_keeps_what_is_visible() -> None:
    assert clean("a\x00b\x1b[31m\u202ec\ud800\r\nd\u2028e\u200b ") == "ab[31mc\nd\ne"
    assert clean("\ud83d\ude00") == "😀"
    assert clean("née 漢字 👩\u200d🚀") == "née 漢字 👩\u200d🚀"


@given(st.text(alphabet="ab .!?\nM。r", max_size=200))
def test_sentences_and_passages_lose_and_invent_nothing(text: str) -> None:
    whole = "".join(text.split())
    assert "".join("".join(sentences(text)).split()) == whole
    assert "".join("".join(passages(text)).split()) == whole


@given(st.text(alphabet="ab .!?\nM。r", max_size=200), st.integers(1, 100))
def test_a_cut_is_a_prefix_of_whole_sentences_within_the_limit(text: str, limit: int) -> None:
    cut = cut_at_sentence(text, limit)
    assert text.startswith(cut)
    assert len(cut) <= limit
    assert sentences(text)[: len(sentences(cut))] == sentences(cut)


@given(st.text(max_size=100))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    once.encode("utf-8")


def test_a_passage_has_at_most_three_sentences_each_known_on_its_own() -> None:
    text = "One is here. Two is here. Three is here. Four is here. Five is here."
    assert all(len(sentences(passage)) <= PASSAGE_SENTENCES for passage in passages(text))
    assert [s for passage in passages(text) for s in sentences(passage)] == list(sentences(text))
