"""What somebody does not eat against metadata: what is named breaks it, silence is not known (METHOD 7.5)."""

import pytest

from pdgf.constraints import Verdict, check, constraints_of, hard_violation, schema_of
from pdgf.constraints.diets import diet_without, holds_food, is_food, need_of
from pdgf.models import Atom, AtomKind, Candidate, Metadata, Node, Polarity, PreferenceGraph

PLACES = [
    Candidate(id="a", title="A", metadata={"diets": ["vegetarian", "vegan"], "dishes": ["mushroom pie"]}),
    Candidate(id="b", title="B", metadata={"diets": ["gluten-free", "dairy-free"], "dishes": ["clam ramen", "ham"]}),
    Candidate(id="c", title="C", metadata={"diets": ["vegetarian", "gluten-free"], "dishes": ["almond cake"]}),
    Candidate(id="d", title="D", metadata={"diets": ["halal", "kosher"], "dishes": ["lamb stew"]}),
    Candidate(id="e", title="E", metadata={"dishes": ["soup"]}),
]
SCHEMA = schema_of(PLACES)


def node(words: str, *, avoid: bool = False, perspective: str = "diet") -> Node:
    polarity = Polarity.AVOID if avoid else Polarity.WANT
    return Node(id=words, atom="a1", perspective=perspective, instantiation=words, polarity=polarity, hard=True)


def verdict(wish: Node, metadata: Metadata) -> Verdict | None:
    """The worst verdict of all tests of a wish; None where it has none."""
    found = {check(constraint, metadata) for constraint in constraints_of(wish, SCHEMA)}
    order = (Verdict.VIOLATED, Verdict.UNKNOWN, Verdict.SATISFIED)
    return next((each for each in order if each in found), None)


@pytest.mark.parametrize(
    ("words", "satisfied"),
    [
        ("gluten-free", "bc"),
        ("coeliac", "bc"),
        ("celiac disease", "bc"),
        ("gluten intolerance", "bc"),
        ("wheat allergy", "bc"),
        ("lactose intolerant", "ab"),
        ("dairy-free", "ab"),
        ("vegan", "a"),
        ("vegetarian", "ac"),
        ("halal", "d"),
        ("kosher", "d"),
    ],
)
def test_a_need_is_met_by_the_diets_that_are_listed_and_broken_by_a_list_without_it(words: str, satisfied: str) -> None:
    for place in PLACES:
        if "diets" not in place.metadata:
            assert verdict(node(words), place.metadata) is Verdict.UNKNOWN
            continue
        expected = Verdict.SATISFIED if place.id in satisfied else Verdict.VIOLATED
        assert verdict(node(words), place.metadata) is expected, place.id


@pytest.mark.parametrize("words", ["nut allergy", "peanut allergy", "nut-free"])
def test_a_diet_that_no_item_records_is_not_known_but_where_a_dish_breaks_it(words: str) -> None:
    found = {place.id: verdict(node(words), place.metadata) for place in PLACES}
    assert found == {**dict.fromkeys("abde", Verdict.UNKNOWN), "c": Verdict.VIOLATED}


def test_who_eats_fish_and_no_meat_is_served_where_vegetarians_are() -> None:
    found = {place.id: verdict(node("pescatarian"), place.metadata) for place in PLACES}
    assert [place for place, each in found.items() if each is Verdict.SATISFIED] == ["a", "c"]
    assert Verdict.VIOLATED not in found.values()


@pytest.mark.parametrize(("food", "broken"), [("shellfish", "b"), ("pork", "b"), ("nuts", "c"), ("mushrooms", "a")])
def test_a_food_that_is_not_eaten_is_broken_by_a_dish_of_it_and_else_not_known(food: str, broken: str) -> None:
    for place in PLACES:
        expected = Verdict.VIOLATED if place.id == broken else Verdict.UNKNOWN
        assert verdict(node(food, avoid=True, perspective="dish"), place.metadata) is expected, place.id


def test_gluten_that_is_not_eaten_asks_for_the_diet() -> None:
    assert verdict(node("gluten", avoid=True), PLACES[0].metadata) is Verdict.VIOLATED
    assert verdict(node("gluten", avoid=True), PLACES[1].metadata) is not Verdict.VIOLATED


def test_an_item_that_says_nothing_of_a_need_is_never_said_to_keep_it() -> None:
    graph = PreferenceGraph(
        narrative="coeliac",
        atoms=(Atom(id="a1", text="coeliac", span=(0, 7), kind=AtomKind.CRITERION, hard=True),),
        nodes=(node("coeliac"),),
        order=("coeliac",),
    )
    assert hard_violation(graph, PLACES[4], SCHEMA).unchecked == ("coeliac",)
    assert "coeliac" in hard_violation(graph, PLACES[0], SCHEMA).broken


@pytest.mark.parametrize(
    "words", ["a place where vegans argue", "vegan or Thai", "quiet", "nuts and bolts", "milk bar"]
)
def test_words_that_ask_for_more_than_a_diet_name_none(words: str) -> None:
    assert need_of(words) is None


def test_foods_are_known_by_what_menus_call_them() -> None:
    assert [is_food(words) for words in ("shellfish", "nuts", "romance")] == [True, True, False]
    assert [diet_without(words) for words in ("any gluten", "romance")] == ["gluten free", None]
    assert holds_food("shellfish", "grilled prawns")
    assert not holds_food("pork", "hamlet in the hills")


@pytest.mark.parametrize(
    ("food", "dish", "held"),
    [
        ("raw fish", "salmon nigiri", True),
        ("raw fish", "steak tartare", False),
        ("raw", "steak tartare", True),
        ("raw", "oysters on ice", True),
        ("raw", "fried cod", False),
        ("sesame", "tahini biscuits", True),
        ("soy", "tofu skewers", True),
    ],
)
def test_a_dish_holds_a_food_by_its_kinds(food: str, dish: str, held: bool) -> None:
    assert holds_food(food, dish) is held
