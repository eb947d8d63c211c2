"""Chinese questions as the plain English ones that mean the same."""

import pytest

from dialogue.chinese_questions import in_english
from dialogue.domain import bundled_domain
from dialogue.models import ItemRef

SHOWN = {
    ItemRef(id="a", title="Alien", year=1979): {"other_titles": ["异形"]},
    ItemRef(id="s", title="Spirited Away", year=2001): {"other_titles": ["千と千尋の神隠し", "千与千寻"]},
}
FILMS = {
    "第二部多长？": "what is the length minutes of the second one?",
    "《异形》是谁导演的？": "what is the director of Alien?",
    "千与千寻是日本的吗": "is Spirited Away made in Japan?",
    "第一部血腥吗": "is the first one gore?",
    "适合六岁的孩子吗？": "is it suitable for a 6-year-old child?",
    "对六岁的孩子会不会太吓人？": "is it too frightening for a 6-year-old child?",
    "哪部最短？": "which is the shortest?",
    "第一部比第二部长吗？": "is the first one longer than the second one?",
    "为什么没有《盗梦空间》？": "why not 《盗梦空间》?",
    "为什么第一部排在第二部前面？": "why is the first one above the second one?",
    "为什么第二部排在第一部后面？": "why is the second one below the first one?",
    "第一部有什么缺点？": "what are the downsides of the first one?",
    "比较一下前两部": "compare the first two",
    "比较前两部": "compare the first two",
    "比较第一部和第二部": "compare the first one and the second one",
    "为什么不是《盗梦空间》？": "why not 《盗梦空间》?",
    "它讲什么？": "what is it about?",
    "《异形》讲什么的": "what is Alien about?",
    "为什么第一部比第二部靠前": "why is the first one above the second one?",
    "为什么《异形》比《千与千寻》靠后？": "why is Alien below Spirited Away?",
    "第一部怎么样": "what about the first one?",
    "超过两小时吗？": "is it more than 120 minutes?",
    "结局是悲剧吗？": "is the ending sad?",
    "是动画吗": "is it animation?",
}
PLACES = {
    "第一家能停车吗？": "does the first one have parking?",
    "第二家吵不吵？": "is the second one loud?",
    "第三家周日开门吗？": "is the third one open on Sunday?",
    "人均多少？": "what is the average spend?",
    "哪家最便宜？": "which is the cheapest?",
    "哪家有停车位？": "which has parking?",
    "需要预约吗": "does it have reservations?",
}


@pytest.mark.parametrize(("said", "english"), FILMS.items())
def test_a_question_about_a_film_is_the_english_one_of_the_same_meaning(said: str, english: str) -> None:
    assert in_english([said], SHOWN, bundled_domain("movies")) == {english: said}


@pytest.mark.parametrize(("said", "english"), PLACES.items())
def test_a_question_about_a_place_is_the_english_one_of_the_same_meaning(said: str, english: str) -> None:
    assert in_english([said], {}, bundled_domain("restaurants")) == {english: said}


def test_english_questions_are_split_as_before_and_two_chinese_ones_are_two() -> None:
    films = bundled_domain("movies")
    assert list(in_english(["how long is it, and who directed it?"], SHOWN, films)) == [
        "how long is it",
        "who directed it?",
    ]
    assert list(in_english(["第一部多长？第二部呢？"], SHOWN, films)) == [
        "what is the length minutes of the first one?",
        "what about the second one?",
    ]


def test_a_question_of_which_nothing_is_known_stays_as_it_was_asked() -> None:
    assert in_english(["完结了吗"], SHOWN, bundled_domain("anime")) == {"完结了吗": "完结了吗"}
