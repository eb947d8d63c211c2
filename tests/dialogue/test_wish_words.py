"""What the words of a wish name, and whether they deny it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.wish_words import bare, denied, refuses

NAMED = {
    "not romance": "romance",
    "not not romance": "romance",
    "no gore": "gore",
    "without a sad ending": "sad ending",
    "nothing too dark": "too dark",
    "other than anime": "anime",
    "anything but animation": "animation",
    "can't stand gore": "gore",
    "too violent": "too violent",
    "isn't scary": "isn't scary",
    "no": "no",
    "不要暴力": "暴力",
    "不爱情": "爱情",
    "不要太暴力": "太暴力",
    "别太长": "太长",
    "爱情除外": "爱情",
    "除了恐怖片": "恐怖片",
    "不喜欢血腥": "血腥",
    "不": "不",
}


@pytest.mark.parametrize(("words", "named"), NAMED.items())
def test_what_is_refused_is_named_without_the_words_that_deny_it(words: str, named: str) -> None:
    assert bare(words) == named


@given(words=st.text(alphabet="notany 不要别没有太romance", min_size=1, max_size=12).filter(str.strip))
def test_something_is_always_left_of_what_is_named(words: str) -> None:
    assert bare(words).strip()
    assert bare(words) in words


@pytest.mark.parametrize("words", ["无厘头", "无敌", "别致的店", "不错的结局"])
def test_words_that_only_begin_like_a_denial_refuse_nothing(words: str) -> None:
    assert not denied(words)
    assert not refuses(words)
