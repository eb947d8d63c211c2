"""What people cannot do, eat or bear at a place, and what the same words mean of films and books (METHOD 4.2)."""

import pytest

from pdgf.engines.builtin.chinese.reading import analyse_chinese, stretches
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Polarity

PLACES = Vocabulary(places=True)
FILMS = Vocabulary(formats=frozenset({"animation"}))


def shown(text: str, vocabulary: Vocabulary) -> list[str]:
    nodes = [node for s in stretches(text) for node in analyse_chinese(text, s, vocabulary, None).nodes]
    return [
        f"{'- ' if n.polarity is Polarity.AVOID else ''}{'! ' if n.hard else ''}{n.perspective} {n.instantiation}"
        for n in nodes
    ]


@pytest.mark.parametrize(
    "text",
    [
        "走不了楼梯",
        "爬不了台阶",
        "不方便上下楼梯",
        "上下楼梯不方便",
        "我妈腿脚不好",
        "奶奶走路不太方便",
        "膝盖有问题",
        "我爸坐轮椅",
        "推着婴儿车",
        "拄着拐",
    ],
)
def test_who_cannot_climb_needs_a_place_without_steps(text: str) -> None:
    assert shown(text, PLACES) == ["! amenity 无障碍"]


@pytest.mark.parametrize("text", ["走不动了", "手艺不好的店不要", "讲一个腿脚不好的老人"])
def test_other_weakness_asks_for_no_ramp(text: str) -> None:
    assert "! amenity 无障碍" not in shown(text, PLACES if "讲" not in text else FILMS)


@pytest.mark.parametrize("text", ["不能吃生的", "不吃生鱼片", "别有生冷的东西", "不吃生食", "忌生冷"])
def test_who_eats_nothing_raw_refuses_raw_food(text: str) -> None:
    assert shown(text, PLACES) == ["- ! dish 生食"]


def test_who_is_pregnant_asks_for_what_suits_her_and_is_not_refused_herself() -> None:
    assert shown("老婆怀孕了不能吃生的", PLACES) == ["! diet 孕妇适合", "- ! dish 生食"]
    assert shown("孕妇能吃的店", PLACES) == ["! diet 孕妇适合"]
    assert shown("怀孕少女的故事", FILMS) == ["theme 怀孕少女"]


@pytest.mark.parametrize("text", ["想吃生鱼片", "不要学生多的地方", "陌生的菜不要", "不要生意太好的"])
def test_a_word_that_holds_raw_refuses_no_raw_food(text: str) -> None:
    assert "- ! dish 生食" not in shown(text, PLACES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我不是素食者，但我女儿是", ["! diet 素食者"]),
        ("我不吃素，但我女朋友吃", ["! diet 吃素"]),
        ("我不吃素，但朋友吃素", ["diet 吃素"]),
        ("我对坚果不过敏，我儿子过敏", ["! diet 对坚果过敏"]),
        ("我们不是穆斯林，朋友是", ["! diet 穆斯林"]),
        ("我不是素食者", []),
        ("我没有乳糖不耐", []),
        ("我不吃猪肉", ["- ! dish 猪肉"]),
        ("我吃素", ["diet 吃素"]),
    ],
)
def test_a_diet_that_somebody_does_not_keep_is_not_refused_and_that_of_another_is_wanted(
    text: str, expected: list[str]
) -> None:
    assert shown(text, PLACES) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("不想去有狗的地方", ["- amenity 店里有狗"]),
        ("我对狗毛过敏", ["- ! amenity 店里有狗"]),
        ("不要热狗", ["- ! dish 热狗"]),
        ("想带狗去", ["amenity 带狗"]),
    ],
)
def test_animals_that_are_refused_at_a_place_are_those_that_are_there(text: str, expected: list[str]) -> None:
    assert shown(text, PLACES) == expected


def test_animals_are_a_theme_of_films() -> None:
    assert shown("怕狗，想看动画", FILMS) == ["- theme 狗", "format 动画片"]
    assert shown("想看动画", Vocabulary()) == []


@pytest.mark.parametrize(
    ("text", "of_places", "of_films"),
    [
        ("波兰的", ["cuisine 波兰菜"], ["country 波兰"]),
        ("波兰菜", ["cuisine 波兰菜"], ["cuisine 波兰菜"]),
        ("波兰语的", ["language 波兰语"], ["language 波兰语"]),
        ("不要意大利的", ["- ! cuisine 意大利菜"], ["- ! country 意大利"]),
        ("背景在法国", ["cuisine 法国菜"], ["setting 法国背景"]),
    ],
)
def test_a_nation_is_a_kitchen_of_places_and_a_country_of_films(
    text: str, of_places: list[str], of_films: list[str]
) -> None:
    assert shown(text, PLACES) == of_places
    assert shown(text, FILMS) == of_films


@pytest.mark.parametrize(
    ("text", "expected"),
    [("他不喜欢小说", ["- format 小说类"]), ("想看小说", []), ("不要电影", []), ("不要太老", ["- era 1980年以前"])],
)
def test_a_general_word_for_the_items_says_something_where_it_is_refused(text: str, expected: list[str]) -> None:
    assert shown(text, Vocabulary(formats=frozenset({"novel", "memoir"}))) == expected


def test_a_food_is_refused_with_the_words_behind_it() -> None:
    text = "海鲜过敏，想吃意大利菜"
    [atom, _] = analyse_chinese(text, stretches(text)[0], PLACES, None).atoms
    assert atom.text == "海鲜过敏"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我不吃肉", ["! diet 素食"]),
        ("女朋友忌荤腥", ["! diet 素食"]),
        ("只吃鱼不吃肉", ["! diet 只吃鱼不吃肉"]),
        ("不吃肉丸", ["- ! dish 肉丸"]),
        ("吃不了奶", ["- dish 乳制品"]),
        ("不吃红肉", ["- ! dish 牛肉", "- ! dish 羊肉", "- ! dish 猪肉"]),
        ("女朋友一点都吃不了", []),
    ],
)
def test_meat_and_milk_that_are_not_eaten(text: str, expected: list[str]) -> None:
    assert shown(text, PLACES) == expected
