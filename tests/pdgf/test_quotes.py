"""Copied words are found where they stand, whatever a model changes in copying; words that stand nowhere are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.models import Evidence, Passage, Source
from pdgf.quotes import borne_out, place_of, places_of, quotes_of

PAGE = "The food is “great”… but not cheap.\nParking: no. A quiet—almost  silent—room.\nNobody\u00a0dies."

words = st.text(alphabet="abcdefgh", min_size=1, max_size=6)
lines = st.lists(words, min_size=1, max_size=8).map(" ".join)
texts = st.lists(lines, min_size=1, max_size=5).map("\n".join)
anything = st.text(alphabet="abC é\u0301“”\"'—-… .。，安静room\n\t\u00ad\u200b<«3", max_size=40)


def evidence(text: str) -> Evidence:
    """A record whose passages are the lines of a text."""
    passages = tuple(Passage(text=line, source=Source(id=str(i))) for i, line in enumerate(text.split("\n")))
    return Evidence(candidate="i", node="v", passages=passages)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("the FOOD is", "The food is"),
        ('is "great"', "is “great”"),
        ("is 'great'... but", "is “great”… but"),
        ("a quiet - almost silent", None),
        ("a quiet-almost silent-room", "A quiet—almost silent—room"),
        ("...but not cheap", "but not cheap"),
        ("“Nobody dies”", "Nobody dies"),
        ("Nobody dies.", "Nobody dies."),
        ("Nobody \u200bdies!", "Nobody dies"),
        ("(Parking: no)", "Parking: no"),
        ("Ｐａｒｋｉｎｇ： ｎｏ", "Parking: no"),
    ],
)
def test_a_quote_is_given_as_it_stands_in_the_text(quote: str, found: str | None) -> None:
    assert borne_out(quote, PAGE) == found


@pytest.mark.parametrize("quote", ["", " ", ".", "...", "“”", "a", "food was great", "great but", "oo", "i"])
def test_what_does_not_stand_there_or_is_less_than_two_characters_is_not_borne_out(quote: str) -> None:
    assert borne_out(quote, PAGE) is None
    assert quotes_of(quote, PAGE) == ()


def test_a_quote_stands_as_whole_words() -> None:
    assert borne_out("fun", "A funeral, and no refund.") is None
    assert borne_out("fun", "A funeral, and then some fun.") == "fun"
    assert borne_out("10", "Made in 2010.") is None
    assert borne_out("cafe\u0301", "two cafe\u0301s") is None
    assert borne_out("caf\u00e9", "the cafe\u0301 and the bar") == "cafe\u0301"
    assert borne_out("cafe", "the cafe\u0301") is None


def test_what_a_model_cannot_see_in_a_text_may_be_missing_from_its_quote() -> None:
    assert borne_out("slowly unfolding", "It is slow\u00adly un\u200bfolding.") == "slow\u00adly un\u200bfolding"
    assert borne_out("‹data 1› ［INST]", "so <data 1> [INST] it says") == "<data 1> [INST]"


def test_chinese_and_japanese_words_need_no_space_around_them() -> None:
    text = "店里很安静，适合看 Netflix 剧。\n「静かな店」です。"
    assert borne_out("安静", text) == "安静"
    assert borne_out("很安静,适合看Netflix剧", text) == "很安静，适合看 Netflix 剧"
    assert borne_out("“静かな店”です。", text) == "「静かな店」です。"
    assert borne_out("静", text) is None
    assert borne_out("か", "がく か") is None  # a character of its own, not a part of が, and too short
    assert place_of("か", "がく か") == (3, 4)


def test_a_quote_with_something_left_out_is_as_many_quotes_as_it_has_parts() -> None:
    assert quotes_of("the food ... not cheap", PAGE) == ("The food", "not cheap")
    assert quotes_of("the food […] not cheap", PAGE) == ("The food", "not cheap")
    assert quotes_of("the food … never cheap", PAGE) == ()
    assert borne_out("the food ... not cheap", PAGE) is None


def test_a_quote_over_line_breaks_is_one_quote_a_line() -> None:
    assert quotes_of("but not cheap. Parking: no.", PAGE) == ("but not cheap.", "Parking: no.")
    assert quotes_of("The food\nNobody dies", PAGE) == ("The food", "Nobody dies")


def test_a_place_within_one_line_is_preferred_to_one_over_two() -> None:
    assert quotes_of("calm sea", "calm\nsea. A calm sea.") == ("calm sea",)
    assert quotes_of("calm sea ... storm", "calm\nsea. A calm sea. A storm.") == ("calm sea", "storm")


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("no", "Parking: no.", ()),
        ("is", "It is so.", ()),
        ("很", "很安静", ()),
        ("calm ... no", "A calm place.\nParking: no", ("calm",)),
        ("it is", "It is so.", ("It is",)),
        ("96", "Length: 96 min", ("96",)),
        ("安静", "很安静", ("安静",)),
    ],
)
def test_a_word_that_shows_nothing_by_itself_is_no_evidence_and_a_number_is(
    quote: str, text: str, found: tuple[str, ...]
) -> None:
    assert quotes_of(quote, text) == found


def test_words_are_placed_in_their_own_case_first_and_as_parts_of_words_last() -> None:
    text = "I liked it. It (2017) is romances, it seems."
    assert places_of("It", text) == [(12, 14), (8, 10), (35, 37)]
    assert text[slice(*(place_of("romance", text) or ()))] == "romance"
    assert place_of("is romances, it", text) == (22, 37)
    assert place_of("?", "really?") is None
    assert place_of("f", "\ufb01nd") is None  # no half of a ligature
    assert place_of("🌶️", "noodles 🌶️ please") == (8, 9)


def test_words_are_placed_over_line_breaks_and_white_space() -> None:
    text = "the\n loneliness\ttold"
    assert place_of("the loneliness told", text) == (0, len(text))


@given(texts, st.data())
def test_whole_words_of_a_line_are_found_however_they_are_written(text: str, data: st.DataObject) -> None:
    line = data.draw(st.sampled_from(text.split("\n"))).split(" ")
    start = data.draw(st.integers(0, len(line) - 1))
    end = data.draw(st.integers(start + 1, len(line)))
    wanted = " ".join(line[start:end])
    written = data.draw(
        st.sampled_from([wanted, wanted.upper(), f"“{wanted}.”", wanted.replace(" ", " \n "), f"…{wanted}"])
    )
    assert borne_out(written, text) == (wanted if len(wanted) > 1 else None)


@given(anything, anything)
def test_whatever_is_borne_out_stands_word_for_word_in_a_passage(quote: str, text: str) -> None:
    record = evidence(text)
    for found in (*filter(None, [borne_out(quote, text)]), *quotes_of(quote, text)):
        assert record.sources_of(found)
        assert borne_out(found, text) is not None or len(found) < 2


@given(anything, anything)
def test_every_place_of_words_is_a_place_of_what_stands_there(words: str, text: str) -> None:
    for start, end in places_of(words, text):
        assert 0 <= start < end <= len(text)
        assert (start, end) in places_of(text[start:end], text)
