"""Chinese clauses of every kind become wishes, or are named (METHOD 4.2, 12)."""

import pytest

from pdgf.engines.builtin.chinese.reading import analyse_chinese, joined, stretches
from pdgf.engines.builtin.reading import Analysis
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Polarity


def read(text: str) -> Analysis:
    return joined([analyse_chinese(text, stretch, Vocabulary(), None) for stretch in stretches(text)])


def links(analysis: Analysis) -> set[tuple[str, str]]:
    named = {node.id: node.instantiation for node in analysis.nodes}
    return {(named[link.base], named[link.qualifier]) for link in analysis.attachments}


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        # a clause before 的, a refusing word in it that only describes
        ("想看一部两个人一开始互相讨厌的慢热爱情片。", "两个人一开始互相讨厌"),
        ("两个多年没有联系的姐妹。", "多年没有联系"),
        ("主角是一个不会说话的女孩的电影。", "不会说话"),
        ("一本没有人说真话的小说。", "没有人说真话"),
        ("喜欢叙述者不可信的小说。", "叙述者不可信"),
        ("主角是一位失去听力的音乐家。", "失去听力"),
        # what it is to do to somebody
        ("要一部能让我睡着的轻松电影。", "让我睡着"),
        ("当主角发现真相时令人落泪的电影。", "令人落泪"),
        # when and where
        ("找一部永远下雨的小镇上的悬疑片。", "永远下雨"),
        ("以厨房为舞台的故事。", "厨房"),
        ("当雨停的时候才出现的鬼。", "雨停"),
        # a clause beside another
        ("想看战争已经结束、人们要继续生活的片子。", "人们要继续生活"),
        ("通过做菜慢慢和解的父子。", "和解"),
        ("幽默但不低俗。", "低俗"),
    ],
)
def test_a_clause_that_says_something_is_a_wish(text: str, wish: str) -> None:
    assert any(wish in node.instantiation for node in read(text).nodes)


@pytest.mark.parametrize(
    ("text", "more", "less"),
    [
        ("比起打斗更想看心理描写。", "心理描写", "打斗"),
        ("比起动作更想看对话。", "对话", "动作"),
        ("与其说是恐怖不如说是悲伤的电影。", "悲伤", "恐怖"),
        ("与其说是喜剧不如说是悲剧。", "悲剧", "喜剧"),
        ("恐怖要靠声音而不是血腥。", "声音", "血腥"),
    ],
)
def test_of_what_is_compared_the_one_is_wanted_and_the_other_less(text: str, more: str, less: str) -> None:
    polarity = {node.instantiation: node.polarity for node in read(text).nodes}
    assert (polarity[more], polarity[less]) == (Polarity.WANT, Polarity.AVOID)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("想看一部两个人一开始互相讨厌的慢热爱情片。", {("爱情片", "两个人一开始互相讨厌"), ("爱情片", "慢热")}),
        ("讲一个失去记忆的侦探的故事。", {("侦探", "失去记忆")}),
        ("以友情为主线的冒险故事。", {("冒险", "友情")}),
        ("以海边小镇为背景的悬疑小说。", {("悬疑小说", "海边小镇")}),
        ("爱情要通过书信来表现。", {("爱情", "书信")}),
        ("恐怖要靠声音而不是血腥。", {("恐怖", "声音")}),
    ],
)
def test_what_qualifies_a_wish_is_tied_to_it(text: str, drawn: set[tuple[str, str]]) -> None:
    assert drawn <= links(read(text))


def test_a_clause_of_which_nothing_was_read_is_named() -> None:
    assert read("想看喜剧。父亲，一位老渔夫。").left_out == ("一位老渔夫",)


@pytest.mark.parametrize(
    "text",
    [
        "你好，想看喜剧，谢谢。",
        "我昨天加班到很晚，想看轻松的喜剧。",
        "有没有推荐的喜剧？",
        "爸爸去世之后，我想看喜剧。",
        "离婚后想看喜剧。",
    ],
)
def test_courtesy_and_the_life_of_whoever_asks_are_not_named(text: str) -> None:
    assert read(text).left_out == ()
