"""The year rule (METHOD 7.6)."""

import re
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.temporal import YearConstraint, violates, year_constraint
from pdgf.temporal_grammar import _DATED, DECADE, YEAR

NOW = 2026
Bounds = tuple[int | None, int | None]


def bounds(
    text: str, *, titles: tuple[str, ...] = (), mode: Literal["explicit", "max_mentioned"] = "explicit"
) -> Bounds:
    found = year_constraint(text, mode=mode, current_year=NOW, titles=titles)
    return (found.low, found.high) if found else (None, None)


NOTHING: Bounds = (None, None)
GRAMMAR: list[tuple[str, Bounds]] = [
    ("something before 1990", (None, 1989)),
    ("pre-1990 horror", (None, 1989)),
    ("1990年以前的电影", (None, 1989)),
    ("until 1990", (None, 1990)),
    ("up to 1990", (None, 1990)),
    ("after 2010", (2011, None)),
    ("post-2010 science fiction", (2011, None)),
    ("since 2010", (2010, None)),
    ("anything from 2010", (2010, None)),
    ("2010年以后的", (2010, None)),
    ("comedies of the 80s", (1980, 1989)),
    ("1980s thrillers", (1980, 1989)),
    ("late '80s", (1980, 1989)),
    ("the eighties", (1980, 1989)),
    ("80年代的老片", (1980, 1989)),
    ("上世纪八十年代的", (1980, 1989)),
    ("1980年代", (1980, 1989)),
    ("early 2000s", (2000, 2009)),
    ("1800s novels", (1800, 1899)),
    ("1990–2000", (1990, 2000)),
    ("1990-2000", (1990, 2000)),
    ("1990-95", (1990, 1995)),
    ("between 1990 and 2000", (1990, 2000)),
    ("from 2000 to 1990", (1990, 2000)),
    ("from the 70s to the 90s", (1970, 1999)),
    ("1990年到2000年之间", (1990, 2000)),
    ("recent dramas", (NOW - 5, None)),
    ("anything good lately?", (NOW - 5, None)),
    ("最近的动漫", (NOW - 5, None)),
    ("近几年的番", (NOW - 5, None)),
    ("not older than 10 years", (NOW - 10, None)),
    ("nothing older than twenty years", (NOW - 20, None)),
    ("from the last 3 years", (NOW - 3, None)),
    ("from the past decade", (NOW - 10, None)),
    ("近十年的电影", (NOW - 10, None)),
    ("2010 or later", (2010, None)),
    ("2010 and earlier", (None, 2010)),
    ("before the 80s", (None, 1979)),
    ("after the 80s", (1990, None)),
    ("90年代以后的", (1990, None)),
    ("something from this century", (NOW // 100 * 100, None)),
    ("films of the 20th century", (1900, 1999)),
    ("the last century", (1900, 1999)),
    ("本世纪的电影", (NOW // 100 * 100, None)),
    ("from the year 3000", (3000, 3000)),
]


@pytest.mark.parametrize(("text", "expected"), GRAMMAR)
def test_a_wording_sets_inclusive_bounds(text: str, expected: Bounds) -> None:
    assert bounds(text) == expected
    assert bounds(text.upper()) == expected


@pytest.mark.parametrize(("text", "expected"), GRAMMAR)
def test_the_words_that_set_the_bounds_are_named(text: str, expected: Bounds) -> None:
    found = year_constraint(f"I want warmth; {text}", mode="explicit", current_year=NOW)
    assert found is not None
    start, end = found.span
    assert 15 <= start < end <= 15 + len(text)
    assert bounds(f"I want warmth; {text}"[start:end]) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I liked Inception (2010)",
        "like Blade Runner 2049 and 1917",
        "1984 by George Orwell",
        "similar to “Summer of 2010 to 2012”, slow",
        "像《后天2012年以后》一样的",
        "",
        "set in the 80s",
        "a thriller set in Tokyo in the 1980s",
        "set in the 60s and 70s",
        "films set before 1990",
        "life in the 90s",
        "growing up in the nineties",
        "a novel about the 60s",
        "an 80s vibe",
        "with a 90s soundtrack",
        "romance in 1950s Paris",
        "以80年代为背景的电影",
        "故事发生在80年代",
        "80年代背景",
        "a woman in her 30s",
        "people in their 40s",
        "I've been a fan since 1990",
        "I watched everything before 1990",
        "I recently watched Dune",
        "I've been watching a lot of horror lately",
        "Lately I've been feeling low",
        "after a recent breakup I need comfort",
        "我最近看了三体",
        "最近看了三体",
        "for children not older than 10 years",
        "nothing recent",
        "not from the 80s",
        "不要80年代的",
    ],
)
def test_titles_stories_lives_and_denied_periods_set_no_bounds(text: str) -> None:
    assert bounds(text) == NOTHING


def test_a_year_in_or_after_a_named_title_is_no_constraint() -> None:
    assert bounds("like Dune from 1984", titles=("Dune",)) == NOTHING
    assert bounds("like Dune, released in 1984", titles=("Dune",)) == NOTHING
    assert bounds("since 1984 is my favourite", titles=("1984",)) == NOTHING
    assert bounds("Up is lovely, up to 2010 please", titles=("Up",)) == (None, 2010)
    assert bounds("like Dune (1984), but after 2000", titles=("Dune",)) == (2001, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("80s or 90s comedies", (1980, 1999)),
        ("after 1990 but before 2010", (1991, 2009)),
        ("80s films, nothing after 1985", (1980, 1985)),
        ("set in the 1960s, released after 2000", (2001, None)),
        ("before 2010 and after 2015", NOTHING),
        ("nothing before 1990", (1990, None)),
        ("最近两年的也不要", (None, NOW - 3)),
        ("2010年以后的电影不看", (None, 2009)),
        ("最近加班太多，想看点轻松的", NOTHING),
        ("最近有点累，来部最近的喜剧", (NOW - 5, None)),
        ("no films after 2000", (None, 2000)),
        ("not older than 1990", (1990, None)),
        ("no later than 1990", (None, 1990)),
        ("the 70s, not the 90s", (1970, 1979)),
        ("Films from the 90s. Actually make it the 70s, not the 90s.", (1970, 1979)),
        ("Films from the 90s. Actually, make it funny.", (1990, 1999)),
    ],
)
def test_several_wordings_are_read_together(text: str, expected: Bounds) -> None:
    assert bounds(text) == expected


def test_a_liked_film_of_2010_bars_newer_ones_in_the_benchmark_only() -> None:
    """T19."""
    text = "I liked Inception (2010)"
    assert year_constraint(text, mode="explicit", current_year=NOW) is None
    rule = year_constraint(text, mode="max_mentioned", current_year=NOW)
    assert rule == YearConstraint(high=2010, span=(19, 23))
    assert violates(rule, 2015)
    assert not violates(rule, 2010)
    assert not violates(rule, None)


def test_the_benchmark_rule_takes_the_newest_year_or_2000() -> None:
    assert bounds("Alien (1979) and Aliens (1986)", mode="max_mentioned") == (None, 1986)
    assert bounds("no year at all", mode="max_mentioned") == (None, 2000)


def test_off_is_off() -> None:
    assert year_constraint("before 1990", mode="off", current_year=NOW) is None


@given(
    st.integers(1900, 2100),
    st.one_of(st.none(), st.integers(1950, 2050)),
    st.one_of(st.none(), st.integers(1950, 2050)),
)
def test_bounds_are_inclusive_and_an_unknown_year_violates_nothing(
    year: int, low: int | None, high: int | None
) -> None:
    rule = YearConstraint(low=low, high=high)
    inside = year in range(low or 0, (high or 9999) + 1)
    assert violates(rule, year) is not inside
    assert not violates(rule, None)


WORDS = (
    "before after since until from to the 80s 1990 1985 2000s set in and or not nothing recent lately last 10 years "
    "older than 年代 八十年代 80年代 以后 年 最近 十 decade '90s between 1990-2000 I ( ) , ."
)


@given(st.lists(st.sampled_from(WORDS.split()), max_size=12), st.sampled_from(["", " "]))
def test_any_text_gives_bounds_in_order_and_a_span_inside_it(words: list[str], joint: str) -> None:
    text = joint.join(words)
    found = year_constraint(text, mode="explicit", current_year=NOW)
    if found is not None:
        assert 0 <= found.span[0] < found.span[1] <= len(text)
        assert found.low is not None or found.high is not None
        assert found.low is None or found.high is None or found.low <= found.high


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("nothing older than 2010 please", 2010, None),
        ("not earlier than 1990", 1990, None),
        ("nothing before 1980", 1980, None),
        ("nothing newer than 1999", None, 1999),
    ],
)
def test_a_limit_may_be_said_by_what_is_refused(text: str, low: int | None, high: int | None) -> None:
    found = year_constraint(text, mode="explicit", current_year=2026)
    assert found is not None
    assert (found.low, found.high) == (low, high)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no actually from the 2000s on", (2000, None)),
        ("no, from the 2000s", (2000, 2009)),
        ("No, after 2010 please", (2011, None)),
        ("nothing before 1990", (1990, None)),
        ("no film before 1990", (1990, None)),
    ],
)
def test_a_no_that_answers_turns_no_bound_around(text: str, expected: Bounds) -> None:
    assert bounds(text) == expected


@pytest.mark.parametrize("text", ["set in the year 3000", "a story of this century's wars set in the year 2350"])
def test_a_year_of_the_story_to_come_sets_no_bounds(text: str) -> None:
    found = bounds(text)
    assert found[1] is None
    assert found[0] != 3000


@given(st.from_regex(re.compile(f"{DECADE}|{YEAR}", re.IGNORECASE), fullmatch=True))
def test_whatever_is_a_decade_or_a_year_is_gone_through_with_the_rules(point: str) -> None:
    assert _DATED.search(point)
