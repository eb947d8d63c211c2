"""f_v and queries in Chinese, and what English texts are asked by them (METHOD 4.6, 5.1)."""

import pytest

from pdgf.engines.builtin.chinese.wording import chinese_feature, chinese_query, english_feature, read_chinese_feature
from pdgf.engines.builtin.features import read_feature
from pdgf.models import Node, Polarity, QualificationEdge
from pdgf.ports import RefinementRequest, RewriteRequest

ROMANCE = Node(id="a", atom="a1", perspective="genre", instantiation="爱情")
TALK = Node(id="b", atom="a2", perspective="manner", instantiation="对话")


def node(
    text: str, perspective: str = "content", *, strength: str = "", avoid: bool = False, hard: bool = False
) -> Node:
    polarity = Polarity.AVOID if avoid else Polarity.WANT
    return Node(
        id="n", atom="a", perspective=perspective, instantiation=text, strength=strength, polarity=polarity, hard=hard
    )


@pytest.mark.parametrize(
    ("wish", "feature", "english"),
    [
        (node("节奏慢", "pace"), "节奏慢（节奏）。", "slow (pace)."),
        (node("老港", "location", hard=True), "必须满足：老港（地点）。", "must have Old Harbour (location)."),
        (node("血腥", strength="不要太", avoid=True), "不要太血腥（内容）。", "not too blood and guts (content)."),
        (node("恐怖片", "genre", strength="除了", avoid=True), "不要恐怖片（类型）。", "no horror (genre)."),
        (
            node("打斗", "genre", strength="不要以…为主", avoid=True),
            "不要以打斗为主（类型）。",
            "not too action (genre).",
        ),
        (node("泰国菜或者越南菜", "cuisine"), "泰国菜或者越南菜（菜系）。", "Thai or Vietnamese (cuisine)."),
        (
            node("不超过13集", "length", hard=True),
            "必须满足：不超过13集（长度）。",
            "must have at most 13 episodes (length).",
        ),
        (node("打斗", "genre", strength="越少越好", avoid=True), "不要过多的打斗（类型）。", "not too action (genre)."),
        (node("猪肉", "dish", strength="我不吃", avoid=True, hard=True), "不要猪肉（菜品）。", "no pork (dish)."),
        (node("圣母", avoid=True), "不要圣母（内容）。", ""),
    ],
)
def test_a_wish_is_described_in_chinese_and_asked_of_english_texts_in_english(
    wish: Node, feature: str, english: str
) -> None:
    assert chinese_feature(RefinementRequest(node=wish)) == feature
    assert english_feature(feature) == english


def test_the_scope_of_a_wish_is_named_in_its_description_and_in_its_gloss() -> None:
    edge = QualificationEdge(base="a", qualifier="b", span="通过")
    feature = chinese_feature(RefinementRequest(node=TALK, ancestors=(ROMANCE,), edges=(edge,)))
    assert feature == "对话，即“爱情通过对话”，限于：爱情。"
    read = read_feature(english_feature(feature))
    assert (read.focus, read.gloss, read.contexts) == ("conversation", "romance conversation", ("romance",))


def test_a_description_in_other_words_is_a_focus_without_scope() -> None:
    read = read_chinese_feature("避免出现大量暴力场面")
    assert (read.avoid, read.contexts) == (True, ())
    assert read_chinese_feature("").focus == ""


def test_a_description_stays_within_its_limit() -> None:
    assert len(chinese_feature(RefinementRequest(node=node("很" * 300)))) <= 81


def test_a_web_query_is_chinese_and_names_what_to_leave_out() -> None:
    avoided = node("血腥", avoid=True)
    assert chinese_query(RewriteRequest(base=ROMANCE, node=TALK), "anime") == '"爱情" "对话" 动画 推荐'
    assert chinese_query(RewriteRequest(base=None, node=avoided), "movie") == '电影 推荐 -"血腥"'
