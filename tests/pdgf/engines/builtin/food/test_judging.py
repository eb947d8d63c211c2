"""Wishes for food against descriptions of dishes."""

import pytest

from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.food.descriptions import LISTED, describes_a_dish
from pdgf.engines.builtin.food.judging import dish_finding, dish_texts, dishes_finding, is_judged_by_dishes

FOR, PARTLY, AGAINST, SILENT = Finding.FOR, Finding.PARTLY, Finding.AGAINST, None


def found(feature: str, text: str) -> Finding | None:
    reading = read_feature(feature)
    assert is_judged_by_dishes(reading)
    return dish_finding(reading, text)


@pytest.mark.parametrize(
    ("feature", "text", "expected"),
    [
        # a kind of food is that food; another kind is not
        ("fish (ingredient).", "Trout baked with fennel", FOR),
        ("trout (ingredient).", "Salmon baked with fennel", SILENT),
        # what a dish is stands first; what is in it does not make it that dish
        ("soup (dish).", "Lentil soup with mint", FOR),
        ("soup (dish).", "Braised leeks made with canned soup", PARTLY),
        # what dishes hold, and what they usually are
        ("no gluten (ingredient).", "Lasagna with spinach", AGAINST),
        ("dinner (meal).", "Barley stew with parsnips", PARTLY),
        ("Japanese (cuisine).", "Udon with spring onions", FOR),
        # a quality by what shows it
        ("spicy (taste).", "Prawns with habanero and lime", FOR),
        ("creamy (texture).", "Mango mousse", FOR),
        # what rules a quality out
        ("vegetarian (diet).", "Pumpkin curry with lamb", AGAINST),
        ("cold (temperature).", "Hot oat drink", AGAINST),
        ("warm (temperature).", "Frozen oat drink", AGAINST),
    ],
)
def test_a_wish_is_judged_by_what_a_dish_is_and_holds(feature: str, text: str, expected: Finding | None) -> None:
    assert found(feature, text) is expected


@pytest.mark.parametrize(
    ("feature", "text", "expected"),
    [
        ("no cheese (ingredient).", "Polenta with gorgonzola", AGAINST),
        ("no cheese (ingredient).", "Polenta with mushrooms", PARTLY),  # not named, so perhaps not there
        ("no cheese (ingredient).", "Polenta without cheese", FOR),
        ("no nuts (ingredient).", "Nut-free carrot cake", FOR),
        ("no meat (ingredient).", "Vegan burger with beetroot", FOR),
        ("no fish (ingredient).", "Noodles in chicken broth", PARTLY),
        ("no meat (ingredient).", "Noodles in chicken broth", AGAINST),  # held, though it is no dish of meat
        ("no raw onion (ingredient).", "Baked onion with sage", PARTLY),
        ("no raw onion (ingredient).", "Salad of raw onion and orange", AGAINST),
        ("vegan (diet).", "Stew of beans, made without any animal products", FOR),
        ("vegan (diet).", "Stew of beans and carrots", PARTLY),
    ],
)
def test_what_is_not_named_supports_a_refusal_only_partly(feature: str, text: str, expected: Finding | None) -> None:
    assert found(feature, text) is expected


def test_broth_is_no_meat_that_was_asked_for() -> None:
    assert found("chicken (ingredient).", "Barley in chicken broth") is SILENT


def test_what_is_like_a_food_is_none() -> None:
    assert found("lamb (ingredient).", "Sponge cake shaped like a lamb") is PARTLY
    assert found("pizza (dish).", "Vegan pizza with artichokes") is FOR


def test_one_of_permitted_alternatives_is_enough() -> None:
    assert found("either pie or cake (dish).", "Carrot cake") is FOR


@pytest.mark.parametrize(
    "text",
    [
        "We had the salmon and it came cold.",
        "The kitchen can't promise anything free of nuts.",
        "Vegan cheese is not stocked.",
        "A film about a baker and his bread.",
        "Staff are friendly and the soup arrives hot.",
    ],
)
def test_an_opinion_of_a_place_or_a_film_describes_no_dish(text: str) -> None:
    assert not describes_a_dish(text)


def test_a_recipe_is_judged_by_its_ingredients_and_quoted_by_the_line() -> None:
    line = "Ingredients: walnut, flour, honey"
    texts = dish_texts([(line, line, ("ingredients", "walnut, flour, honey"))])
    assert dishes_finding(read_feature("no nuts (ingredient)."), texts) == (AGAINST, line)
    assert dishes_finding(read_feature("no fish (ingredient)."), texts) == (FOR, line)


def test_a_list_of_diets_alone_says_nothing_of_what_is_not_in_a_dish() -> None:
    assert dish_texts([("Diets: vegan", "Diets: vegan", ("diets", "vegan"))]) == {}


def test_the_pod_and_the_stew_of_one_name_are_told_apart() -> None:
    assert found("meat (ingredient).", f"{LISTED}prawn, chilli") is SILENT
    assert found("spicy (taste).", f"{LISTED}prawn, chilli") is FOR
