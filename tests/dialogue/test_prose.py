"""Prose cut into sentences as it arrives, and what stands between its quotation marks."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialogue.prose import SentenceStream, joined, quotations, unclosed

NAMES = ("L.A. Confidential",)


def cut(prose: str, *, at: tuple[int, ...] = ()) -> list[str]:
    """The sentences of prose that arrives in pieces."""
    stream, found = SentenceStream(NAMES), []
    edges = [0, *sorted(place for place in at if 0 < place < len(prose)), len(prose)]
    for start, end in pairwise(edges):
        found += stream.feed(prose[start:end])
    return [*found, *stream.end()]


@pytest.mark.parametrize(
    ("prose", "sentences"),
    [
        ("It is quiet [e1]. It is dear [f1].", ["It is quiet [e1].", "It is dear [f1]."]),
        ("It is quiet. [e1] It is dear.[f1]So be it.", ["It is quiet. [e1]", "It is dear.[f1]", "So be it."]),
        ("It is quiet. [e1, e2] [e3]\nYes", ["It is quiet. [e1, e2] [e3]", "Yes"]),
        ("It is quiet\n[e1]\n\nIt is dear", ["It is quiet\n[e1]", "It is dear"]),
        ("It is quiet! [once] Yes.", ["It is quiet!", "[once] Yes."]),
        ("It has no end [e1]", ["It has no end [e1]"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_a_citation_mark_belongs_to_the_sentence_before_it(prose: str, sentences: list[str]) -> None:
    assert cut(prose) == sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "Mr. Hale, Dr. Wu and St. Anne sit at approx. 3.5 tables, e.g. No. 5 [e1].",
        "It is slow ... and then… it is not [e1].",
        "“It is quiet. We loved it!” says one [e1].",
        '"It is quiet. We loved it!" says one [e1].',
        "„So ruhig. So schön.“ meint einer [e1].",
        "‘It’s quiet. It’s good’, says one [e1].",
        "Airplane! is funny [f1].",
        "L.A. Confidential is tense [e1].",
    ],
)
def test_a_sentence_does_not_end_at_an_abbreviation_inside_a_quotation_or_before_a_small_letter(sentence: str) -> None:
    assert cut(f"{sentence} The next one.") == [sentence, "The next one."]


def test_chinese_sentences_need_no_space_between_them() -> None:
    assert cut("很安静。[e1]价格是20美元[f1]。“真好！”[e2]是吗？") == [
        "很安静。[e1]",
        "价格是20美元[f1]。",
        "“真好！”[e2]",
        "是吗？",
    ]


def test_a_quotation_that_never_ends_holds_up_no_more_than_its_length() -> None:
    words = "He said “so it goes on. " + "And on it goes. " * 60
    assert len(cut(words)) > 20
    assert max(map(len, cut(words))) < 450


def test_a_sentence_is_handed_out_once_the_next_one_begins() -> None:
    stream = SentenceStream()
    assert stream.feed("It is quiet") == []
    assert stream.feed(". ") == []  # a mark, a small letter or a closing quotation mark may follow
    assert stream.feed("[e") == []
    assert stream.feed("1] ") == []
    assert stream.feed("I") == ["It is quiet. [e1]"]
    assert stream.end() == ["I"]
    assert stream.end() == []


PIECES = st.sampled_from(
    ["It", " is", " quiet", ".", " ", "\n", "[e1]", "[e", "1]", "“", "”", '"', "«", "」", "很安静", "。", "！", "...",
     "…", "Mr", " 3", ".5", "!", "?", "L.A. Conf", "idential", "Not", "’s", " ‘", "’", "[", "]", "【e2】", ")", "a"]
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=40).map("".join), st.lists(st.integers(1, 120), max_size=20))
def test_the_sentences_are_the_same_wherever_the_prose_is_cut_on_its_way(prose: str, places: list[int]) -> None:
    whole = cut(prose)
    assert cut(prose, at=tuple(places)) == whole
    assert cut(prose, at=tuple(range(len(prose)))) == whole
    assert "".join("".join(whole).split()) == "".join(prose.split())  # nothing is lost and nothing added


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("so “quiet”, so «calm»", ["quiet", "calm"]),
        ("so „ruhig“ und »still«", ["ruhig", "still"]),
        ("「静か」と『とても』", ["静か", "とても"]),
        ('so "quiet" and "calm"', ["quiet", "calm"]),
        ("he says “a “small” room”", ["a “small” room"]),
        ('he says "a “small” room"', ["a “small” room"]),
        ("he says “it’s the guests' room”", ["it’s the guests' room"]),
        ("so ‘quiet’ and 'calm it is'", ["quiet", "calm it is"]),
        ("it's the guests' own rock 'n' roll of the ‘90s", []),
        ("nothing at all", []),
    ],
)
def test_every_kind_of_quotation_mark_is_seen_and_an_apostrophe_is_none(text: str, words: list[str]) -> None:
    found = quotations(text)
    assert found is not None
    assert [quotation.words for quotation in found] == words
    assert all(text[q.start + 1 : q.end - 1] == q.words for q in found)


@pytest.mark.parametrize("text", ["so “quiet", "so quiet”", 'so "quiet', "so ‘quiet", "so 「静か", "so “quiet“"])
def test_marks_that_do_not_pair_up_are_told_apart_from_no_quotation(text: str) -> None:
    assert quotations(text) is None


def test_a_text_is_inside_a_quotation_until_its_mark_has_come() -> None:
    assert unclosed("so “quiet. ")
    assert not unclosed("so “quiet.” ")
    assert not unclosed("so quiet” ")
    assert not unclosed("it's the guests' room")


@pytest.mark.parametrize(
    ("before", "after", "between"),
    [
        ("It is.", "So", " "),
        ("很安静。", "很好", ""),
        ("“很安静。”", "“很好”", ""),
        ("很好！", "It", ""),
        ("It is.", "很好", " "),
        ("安静", "很好", ""),
        ("", "So", ""),
    ],
)
def test_a_space_stands_between_sentences_where_their_script_has_one(before: str, after: str, between: str) -> None:
    assert joined(before, after) == between
