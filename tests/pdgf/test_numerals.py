"""One way of writing the numbers of a title (METHOD 6.3, C25)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.numerals import with_arabic_numerals


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("superman ii", "superman 2"),
        ("rocky iv", "rocky 4"),
        ("part two", "part 2"),
        ("back to the future part iii", "back to the future part 3"),
        ("star wars: episode iv - a new hope", "star wars: episode 4 - a new hope"),
        ("henry iv, part i", "henry 4, part 1"),
        ("friday the thirteen", "friday the 13"),
        ("twelve angry men", "12 angry men"),
        ("one hundred and one dalmatians", "101 dalmatians"),
        ("one hundred years of solitude", "100 years of solitude"),
        ("twenty thousand leagues", "20000 leagues"),
        ("20,000 leagues", "20000 leagues"),
        ("the four hundred blows", "the 400 blows"),
        ("twenty-one grams", "21 grams"),
        ("two and a half men", "2 and a half men"),
        ("pelham one two three", "pelham 1 2 3"),
        ("kill bill vol. 2", "kill bill volume. 2"),
        ("der pate teil zwei", "der pate teil 2"),
        ("第二季", "第2季"),
        ("第 十二 集", "第12集"),
        ("第二十一話", "第21話"),
        ("louis xiv: a life", "louis 14: a life"),
    ],
)
def test_numbers_become_arabic(title: str, expected: str) -> None:
    assert with_arabic_numerals(title) == expected


@pytest.mark.parametrize(
    "title",
    [
        "nine",  # all number words: another film than "9"
        "one two three",
        "x",
        "v for vendetta",
        "the king and i",
        "ford v ferrari",
        "spy x family",
        "i, robot",
        "the civic mix",
        "xxx",
        "blade runner 2049",
        "2012",
        "一一",
        "vol de nuit",
        "50/50",
        "",
        " - ",
    ],
)
def test_what_is_no_number_stays(title: str) -> None:
    assert with_arabic_numerals(title) == title


def test_a_fraction_does_not_run_into_the_whole_number() -> None:
    assert with_arabic_numerals("8 1/2").split() == ["8", "1over2"]


@given(st.integers(2, 39), st.sampled_from(["rocky {}", "dune: part {}", "saga {}: the return", "{} angry men"]))
def test_every_small_number_agrees_in_digits_and_letters(number: int, frame: str) -> None:
    tens, units = divmod(number, 10)
    roman = "x" * tens + ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"][units]
    arabic = with_arabic_numerals(frame.format(number))
    if not frame.startswith("{}"):
        assert with_arabic_numerals(frame.format(roman)) == arabic
    small = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    names = [*small.split(), "seventeen", "eighteen", "nineteen"]
    words = (
        names[number] if number < 20 else " ".join([["twenty", "thirty"][tens - 2], names[units]][: 1 + bool(units)])
    )
    assert with_arabic_numerals(frame.format(words)) == arabic
    assert str(number) in arabic


@given(st.text(max_size=60))
def test_any_text_is_taken(title: str) -> None:
    assert isinstance(with_arabic_numerals(title), str)
