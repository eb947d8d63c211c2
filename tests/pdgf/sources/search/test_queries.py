"""Queries made fit to be sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.sources.search.queries import cleaned, cut_query, primary_language


def test_a_query_comes_to_one_line() -> None:
    assert cleaned("  quiet\n\ttowns\x00  (1995) ") == "quiet towns (1995)"


@pytest.mark.parametrize("nothing", ["", " ", "\n\t", '""', "-() |", "\ud800", "…!?"])
def test_a_query_without_a_letter_or_digit_is_no_query(nothing: str) -> None:
    assert cleaned(nothing) == ""


def test_words_of_any_script_are_kept() -> None:
    assert cleaned("慢节奏 推理") == "慢节奏 推理"
    assert cleaned("naïve „Zitat“ 3½") == "naïve „Zitat“ 3½"


def test_a_query_within_the_limit_stays_as_it_is() -> None:
    assert cut_query("abc def", 7) == "abc def"


def test_a_query_is_cut_between_words() -> None:
    assert cut_query("slow burn mystery", 10) == "slow burn"
    assert cut_query("slow burn mystery", 9) == "slow burn"
    assert cut_query("slow burn mystery", 8) == "slow"


def test_a_query_without_spaces_is_cut_where_the_limit_is() -> None:
    assert cut_query("温柔的乡村动画" * 10, 20) == ("温柔的乡村动画" * 10)[:20]


def test_no_half_phrase_and_no_operator_stays_behind() -> None:
    assert cut_query('banter "slow burn romance"', 20) == "banter slow burn"
    assert cut_query("cosy OR quiet OR gentle", 16) == "cosy OR quiet"
    assert cut_query("cosy -(loud noisy)", 8) == "cosy"


@given(st.text(max_size=80), st.integers(min_value=1, max_value=60))
def test_a_cut_query_keeps_the_limit_and_is_never_emptied(text: str, limit: int) -> None:
    query = cleaned(text)
    cut = cut_query(query, limit)
    assert len(cut) <= limit
    assert bool(cut) == bool(query)


@pytest.mark.parametrize(
    ("tag", "code"),
    [("en", "en"), ("zh-CN", "zh"), ("zh_Hant", "zh"), (" DE ", "de"), ("", "en"), ("English", "en"), ("e1", "en")],
)
def test_a_language_is_its_code(tag: str, code: str) -> None:
    assert primary_language(tag) == code
