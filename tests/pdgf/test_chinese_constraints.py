"""Hard wishes in Chinese against metadata in English and in Chinese (METHOD 7.5)."""

import pytest

from pdgf.constraints import MetadataSchema, Verdict, check, constraints_of, schema_of
from pdgf.models import Candidate, Metadata, Node, Polarity

TRATTORIA: Metadata = {
    "location": "Old Harbour", "cuisine": ["Italian"], "parking": "own free car park", "noise_level": "quiet",
    "price_range": "moderate", "average_spend": 34, "diets": ["vegetarian"], "good_for_children": False,
    "reservations": True, "outdoor_seating": False,
}  # fmt: skip
DINER: Metadata = {
    "location": "Riverside", "cuisine": ["American"], "parking": "no parking nearby", "noise_level": "loud",
    "price_range": "expensive", "average_spend": 60, "diets": ["vegan", "gluten-free"], "good_for_children": True,
    "reservations": False, "outdoor_seating": True,
}  # fmt: skip
SERIES: Metadata = {
    "genres": ["horror"], "episodes": 24, "gore": "strong", "violence": "none", "suitable_from_age": 15,
    "language": ["Japanese"], "country": ["Japan"],
}  # fmt: skip
FILM: Metadata = {
    "genres": ["comedy"], "episodes": 12, "gore": "none", "violence": "mild", "suitable_from_age": 7,
    "language": ["English"], "country": ["France"],
}  # fmt: skip


def schema(*rows: Metadata) -> MetadataSchema:
    return schema_of([Candidate(id=str(n), title=str(n), metadata=dict(row)) for n, row in enumerate(rows)])


def node(perspective: str, words: str, strength: str = "") -> Node:
    avoid = strength != ""
    return Node(
        id="n",
        atom="a",
        perspective=perspective,
        instantiation=words,
        strength=strength,
        polarity=Polarity.AVOID if avoid else Polarity.WANT,
        hard=True,
    )


@pytest.mark.parametrize(
    ("wish", "kept", "broken"),
    [
        (node("location", "老港"), TRATTORIA, DINER),
        (node("location", "河畔"), DINER, TRATTORIA),
        (node("cuisine", "意大利餐厅"), TRATTORIA, DINER),
        (node("cuisine", "美国菜", "不要"), TRATTORIA, DINER),
        (node("parking", "停车场"), TRATTORIA, DINER),
        (node("noise", "安静"), TRATTORIA, DINER),
        (node("noise", "吵", "别太"), TRATTORIA, DINER),
        (node("price", "贵", "别太"), TRATTORIA, DINER),
        (node("price", "人均50以下"), TRATTORIA, DINER),
        (node("diet", "素食"), TRATTORIA, None),
        (node("diet", "纯素"), DINER, TRATTORIA),
        (node("diet", "无麸质"), DINER, TRATTORIA),
        (node("audience", "带孩子"), DINER, TRATTORIA),
        (node("amenity", "露台"), DINER, TRATTORIA),
        (node("amenity", "预订"), TRATTORIA, DINER),
        (node("genre", "恐怖片", "不要"), FILM, SERIES),
        (node("length", "不超过13集"), FILM, SERIES),
        (node("content", "血腥", "不要太"), FILM, SERIES),
        (node("content", "暴力", "绝对不要"), SERIES, FILM),
        (node("audience", "十岁孩子"), FILM, SERIES),
        (node("language", "英语"), FILM, SERIES),
    ],
    ids=lambda value: value.instantiation if isinstance(value, Node) else None,
)
def test_a_chinese_wish_is_checked_against_english_metadata(
    wish: Node, kept: Metadata, broken: Metadata | None
) -> None:
    rows = (TRATTORIA, DINER) if kept in (TRATTORIA, DINER) else (SERIES, FILM)
    tests = constraints_of(wish, schema(*rows))
    assert tests
    assert {check(test, kept) for test in tests} == {Verdict.SATISFIED}
    if broken is not None:
        assert Verdict.VIOLATED in {check(test, broken) for test in tests}


def test_values_of_a_chinese_catalogue_are_checked_as_they_stand() -> None:
    one: Metadata = {"location": "中关村", "cuisine": ["淮扬菜"]}
    other: Metadata = {"location": "望京", "cuisine": ["川菜"]}
    [test] = constraints_of(node("location", "中关村"), schema(one, other))
    assert (check(test, one), check(test, other)) == (Verdict.SATISFIED, Verdict.VIOLATED)
    [test] = constraints_of(node("cuisine", "淮扬菜"), schema(one, other))
    assert check(test, one) is Verdict.SATISFIED


@pytest.mark.parametrize("words", ["主角聪明", "讲一个厨师的故事", "类似《老港》"])
def test_words_that_ask_nothing_of_metadata_set_no_constraint(words: str) -> None:
    assert constraints_of(node("theme", words), schema(TRATTORIA, DINER)) == ()


@pytest.mark.parametrize("words", ["对花生过敏", "坚果过敏", "对坚果过敏"])
def test_a_nut_allergy_is_broken_by_a_menu_that_names_nuts_and_kept_by_a_diet(words: str) -> None:
    nutty: Metadata = {"diets": ["vegan"], "dishes": ["almond cake", "leek soup"]}
    safe: Metadata = {"diets": ["vegan", "nut-free"], "dishes": ["leek soup"]}
    tests = constraints_of(node("diet", words), schema(nutty, safe))
    assert Verdict.VIOLATED in {check(test, nutty) for test in tests}
    assert Verdict.VIOLATED not in {check(test, safe) for test in tests}
    assert Verdict.SATISFIED in {check(test, safe) for test in tests}


@pytest.mark.parametrize(
    ("words", "dish"),
    [("海鲜", "grilled squid"), ("猪肉", "bacon roll"), ("虾", "prawn curry"), ("花生", "peanut noodles")],
)
def test_a_food_that_is_not_eaten_is_broken_by_a_dish_that_holds_it(words: str, dish: str) -> None:
    holding, free = {"dishes": [dish, "leek soup"]}, {"dishes": ["leek soup"]}
    tests = constraints_of(node("dish", words, strength="过敏"), schema(holding, free))
    assert {check(test, holding) for test in tests} == {Verdict.VIOLATED}
    assert Verdict.VIOLATED not in {check(test, free) for test in tests}
