"""Words that keep a turn to the catalogue."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.own_evidence import heard

ASKING = [
    "only my catalogue",
    "Only my catalogue, please.",
    "just use my own catalog this time",
    "search my catalogue only",
    "please stick to the catalogue",
    "without the web",
    "no web search please",
    "don't search the web",
    "do not use the internet",
    "from my library only, please",
    "只用我的目录",
    "请只看我的片库。",
    "不要上网搜索",
    "别联网了",
]
SILENT = [
    "a cafe without internet",
    "a film about my library card",
    "only films from the 80s",
    "something about the dark web",
    "no internet, just board games",
    "a story of the internet without romance",
    "what is in your catalogue?",
    "only my favourites",
    "不要恐怖片",
    "只看老电影",
]


@pytest.mark.parametrize("utterance", ASKING)
def test_words_that_bid_us_keep_to_the_catalogue_are_heard_and_are_no_wish(utterance: str) -> None:
    said = heard(utterance)
    assert said.own_only
    assert not any(character.isalnum() for character in said.text)


@pytest.mark.parametrize("utterance", SILENT)
def test_other_words_are_left_as_they_are(utterance: str) -> None:
    assert heard(utterance) == (utterance, False)


@pytest.mark.parametrize("asking", ASKING)
def test_the_wish_beside_them_stays_in_its_place(asking: str) -> None:
    said = heard(f"a slow western. {asking}")
    assert said.own_only
    assert said.text.startswith("a slow western.")
    assert not any(character.isalnum() for character in said.text[len("a slow western.") :])


@given(st.text(max_size=200))
def test_the_text_keeps_its_length(text: str) -> None:
    assert len(heard(text).text) == len(text)
