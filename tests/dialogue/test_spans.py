"""Sentences and clauses with their places."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.spans import clauses, hesitation, hesitation_left, inside, overlaps, sentences


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("no wait, I do want horror", "I do want horror"),
        ("Actually not horror", "not horror"),
        ("Hmm, hold on. ", ""),
        ("wait staff should be kind", "wait staff should be kind"),
        ("no gore", "no gore"),
        ("a moment of peace", "a moment of peace"),
        ("No, thanks", "No, thanks"),
    ],
)
def test_a_hesitation_is_taken_off_the_start_of_a_sentence(text: str, left: str) -> None:
    whole = (0, len(text))
    assert text[slice(*hesitation_left(text, whole))] == left
    assert (hesitation(text, whole) == (0, 0)) == (left == text)


def cut(text: str) -> list[str]:
    return [text[a:b] for a, b in sentences(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Like Dr. No and Mr. Ripley. Or not.", ["Like Dr. No and Mr. Ripley.", "Or not."]),
        ("no. really", ["no.", "really"]),
        ("one\ntwo", ["one", "two"]),
        ("seen it...what else", ["seen it...", "what else"]),
        ("under $9.99 a person", ["under $9.99 a person"]),
        ("你好。再见！", ["你好。", "再见！"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences(text: str, parts: list[str]) -> None:
    assert cut(text) == parts


def test_clauses_end_at_marks_and_turning_words() -> None:
    text = "Too loud, something quieter but cheap and I want ramen. Fine"
    assert [text[a:b] for a, b in clauses(text)] == [
        "Too loud",
        "something quieter",
        "but cheap",
        "and I want ramen.",
        "Fine",
    ]
    assert [text[a:b] for a, b in clauses(text, (0, 8))] == ["Too loud"]


@given(st.text(max_size=200))
def test_spans_are_in_order_disjoint_and_lose_no_letter(text: str) -> None:
    for spans in (sentences(text), clauses(text)):  # a cut takes marks and white space only
        assert all(a < b for a, b in spans)
        assert all(first[1] <= second[0] for first, second in pairwise(spans))
        covered = {place for a, b in spans for place in range(a, b)}
        assert all(place in covered for place, letter in enumerate(text) if letter.isalnum())


def test_overlapping_and_inside() -> None:
    assert overlaps((0, 3), (2, 5))
    assert not overlaps((0, 3), (3, 5))
    assert inside((1, 2), (0, 3))
    assert not inside((1, 4), (0, 3))
