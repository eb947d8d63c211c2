"""The key of a wish by its own words, where its perspective does not tell."""

import pytest

from dialogue.domain import ConstraintKey, Domain, MandatoryGroup, bundled_domain
from dialogue.engines import key_of_wish
from dialogue.engines.kinds import kinds
from dialogue.models import EditKind, StateEdit

EAT, FILMS = bundled_domain("restaurants"), bundled_domain("movies")


def of_keys(*keys: str, title: str = "shop") -> Domain:
    rows = tuple(ConstraintKey(key=key, description=key, perspectives=(key,)) for key in (*keys, "others"))
    return Domain(
        name="own",
        title=title,
        item_word="item",
        items_word="items",
        greeting=".",
        constraint_keys=rows,
        mandatory=(MandatoryGroup(keys=("others",), question="."),),
    )


SHOP = of_keys("category", "brand", "material", "design", "occasion", "price_range")
TABLES = of_keys("location", "cuisine", "dishes")


def pieces(
    text: str, words: str, domain: Domain, perspective: str = "theme", *, avoid: bool = False
) -> list[tuple[str, str]]:
    start = text.index(words)
    found = key_of_wish.pieces(
        text,
        (start, start + len(words)),
        domain.key_of(perspective),
        perspective=perspective,
        avoid=avoid,
        domain=domain,
    )
    return [(text[slice(*span)], key) for span, key in found]


@pytest.mark.parametrize("perspective", ["theme", "quality", "cuisine", "meal", "diet"])
def test_a_dish_is_a_dish_however_it_was_read(perspective: str) -> None:
    assert pieces("with good ramen", "ramen", EAT, perspective) == [("ramen", "dish_type")]


@pytest.mark.parametrize("text", ["a ramen bar", "some ramen place", "a ramen restaurant"])
def test_a_dish_before_a_kind_of_place_is_its_cooking(text: str) -> None:
    assert pieces(text, "ramen", EAT, "cuisine") == [("ramen", "cuisine_type")]
    assert pieces(text, "ramen", EAT) == [("ramen", "cuisine_type")]


@pytest.mark.parametrize("words", ["nuts", "gluten-free bread"])
def test_what_somebody_does_not_eat_stays_a_diet(words: str) -> None:
    assert pieces(f"only {words}", words, EAT, "diet") == [(words, "dietary_restrictions")]


def test_a_dish_of_a_nations_cooking_stays_with_the_cooking() -> None:
    assert pieces("Korean fried chicken", "Korean fried chicken", EAT, "cuisine")[0][1] == "cuisine_type"


def test_a_dish_in_a_film_is_what_the_film_is_about() -> None:
    assert pieces("about a pizza", "pizza", FILMS) == [("pizza", "theme")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("somewhere in Leeds", "Leeds"),
        ("I live on 12th Avenue", "12th Avenue"),
        ("Mill Road, please", "Mill Road"),
        ("a table downtown", "downtown"),
        ("any place in leeds", "leeds"),
        ("is it close to the pier", "close to the pier"),
    ],
)
def test_the_name_of_a_place_says_where(text: str, words: str) -> None:
    assert pieces(text, words, TABLES) == [(words, "location")]


def test_a_name_keeps_the_common_word_it_begins_with() -> None:
    assert pieces("somewhere in New Haven", "Haven", TABLES) == [("New Haven", "location")]


def test_what_is_near_says_where_with_the_word_that_says_so() -> None:
    assert pieces("lunch near the old mill", "old mill", TABLES) == [("near the old mill", "location")]


@pytest.mark.parametrize(
    ("text", "words"), [("a table in March", "March"), ("a table on Sunday", "Sunday"), ("a hurry", "hurry")]
)
def test_a_time_is_no_place(text: str, words: str) -> None:
    assert pieces(text, words, TABLES) == [(words, "others")]


def test_a_place_that_a_key_does_not_offer_leaves_it_to_be_asked_for() -> None:
    assert pieces("somewhere in Leeds", "Leeds", EAT) == [("Leeds", "others")]
    assert pieces("somewhere downtown", "downtown", EAT) == [("downtown", "others")]


def test_where_a_story_is_set_is_its_setting() -> None:
    assert pieces("a romance set in Leeds", "Leeds", FILMS) == [("Leeds", "setting")]


def test_the_parts_of_a_phrase_each_go_under_their_key() -> None:
    text = "a white cotton shirt"
    assert pieces(text, "white cotton shirt", SHOP) == [
        ("white", "design"),
        ("cotton", "material"),
        ("shirt", "category"),
    ]


def test_what_is_refused_is_not_taken_apart() -> None:
    text = "no white cotton shirt"
    assert [words for words, _ in pieces(text, text, SHOP, avoid=True)] == [text]


def test_a_name_after_by_is_a_brand_and_a_material_is_a_material() -> None:
    assert pieces("boots made by Zorvex", "Zorvex", SHOP) == [("Zorvex", "brand")]
    assert pieces("I prefer Zorvex", "Zorvex", SHOP) == [("Zorvex", "brand")]
    assert pieces("Zorvex please", "Zorvex", SHOP) == [("Zorvex", "others")]
    assert pieces("boots made from leather", "leather", SHOP) == [("leather", "material")]


def test_the_name_of_a_key_before_its_value_is_no_wish_and_gives_the_value_its_key() -> None:
    text = "I want the colour to be ochre"
    assert pieces(text, "colour", SHOP) == []
    assert pieces(text, "ochre", SHOP) == [("ochre", "design")]
    assert pieces("I like the colour", "colour", SHOP) == [("colour", "others")]


def test_what_a_domain_holds_is_no_wish_in_it() -> None:
    clothes = of_keys("brand", title="clothing")
    assert pieces("I like clothes", "clothes", clothes) == []
    assert pieces("I like clothes", "clothes", SHOP) == [("clothes", "others")]


def test_a_softening_lead_is_no_part_of_the_wish() -> None:
    text = "If possible, I would prefer a terrace"
    assert pieces(text, text, EAT, "amenity") == [("terrace", "others")]


@pytest.mark.parametrize("nation", ["Spanish", "Brazilian"])
def test_the_cooking_of_a_nation_that_the_catalogue_lacks_is_a_cuisine(nation: str) -> None:
    assert pieces(f"{nation} food", nation, EAT, "quality") == [(nation, "cuisine_type")]


def test_unknown_words_go_under_features_where_a_domain_has_them() -> None:
    assert pieces("with a child lock", "child lock", of_keys("features")) == [("child lock", "features")]
    assert pieces("with a child lock", "child lock", SHOP) == [("child lock", "others")]


def test_a_perspective_finds_a_key_of_another_name() -> None:
    assert pieces("cheap boots", "cheap", SHOP, "price") == [("cheap", "price_range")]


def test_chinese_words_keep_the_key_of_their_perspective() -> None:
    assert pieces("想吃披萨", "披萨", EAT, "cuisine") == [("披萨", "cuisine_type")]


def test_an_address_in_parts_is_one_place_and_two_offered_places_are_two() -> None:
    def places(text: str, *words: str, domain: Domain) -> list[str]:
        edits = [
            StateEdit(kind=EditKind.ADD, key="location", text=w, span=(1, text.index(w), text.index(w) + len(w)))
            for w in words
        ]
        return [edit.text for edit in key_of_wish.with_places_joined(text, edits, domain)]

    assert places("Kent Road & Mill Lane, Leeds", "Kent Road", "Mill Lane", "Leeds", domain=TABLES) == [
        "Kent Road & Mill Lane, Leeds"
    ]
    assert places("Old Harbour, Riverside", "Old Harbour", "Riverside", domain=EAT) == ["Old Harbour", "Riverside"]


def test_hyphens_spaces_and_endings_of_number_make_no_other_word() -> None:
    category = next(one for one in kinds() if one.name == "category")
    assert all(category.spans_in(words) == [(0, len(words))] for words in ("t-shirt", "T shirts", "t-shirts"))
    assert category.spans_in("short") == []
