"""Requests for something to cook or eat, read as wishes of their own."""

import pytest

from pdgf.engines.builtin.food.reading import analyse_food, asks_for_food
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.reading import Analysis
from pdgf.engines.builtin.vocabulary import Vocabulary, vocabulary_of
from pdgf.models import Candidate, Polarity


def read(parser: EnglishParser, text: str) -> Analysis:
    analysis = analyse_food(parser.parse_now(text), text, Vocabulary(), None)
    assert analysis is not None
    return analysis


def wishes(parser: EnglishParser, text: str) -> set[str]:
    return {
        f"{'no ' if node.polarity is Polarity.AVOID else ''}{node.instantiation}" for node in read(parser, text).nodes
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A mild Thai soup with prawns", {"mild", "Thai", "soup", "prawns"}),
        ("Do you have a lasagna recipe without ricotta?", {"lasagna", "no ricotta"}),
        ("A burger, but not with beef", {"burger", "no beef"}),
        ("I want tacos with fish instead of pork", {"tacos", "fish", "no pork"}),
        ("Cookies for us, we're out of butter", {"Cookies", "no butter"}),
        ("I'm not in the mood for rice tonight, any noodles?", {"no rice", "noodles"}),
        ("I hate raw onions. A salad please", {"no raw onions", "salad"}),
        ("My oven is broken, what bread can I make?", {"no oven", "bread"}),
        ("I have way too many zucchinis, a cake maybe?", {"zucchinis", "cake"}),
        ("I've never made sushi, something simple please", {"sushi", "simple"}),
        ("We're having steak and need a vegetable", {"vegetable"}),
        ("My favourite dessert is sorbet", {"sorbet"}),
        ("Dessert with berries, but no strawberries", {"Dessert", "berries", "no strawberries"}),
        ("a cake or a pie with plums", {"cake or a pie", "plums"}),
    ],
)
def test_each_food_form_and_quality_is_a_wish_of_its_own(parser: EnglishParser, text: str, expected: set[str]) -> None:
    assert wishes(parser, text) == expected


def test_what_is_refused_flatly_is_a_condition_and_what_only_too_much_of_is_not(parser: EnglishParser) -> None:
    hard = {node.instantiation: node.hard for node in read(parser, "soup, no leeks, not too salty").nodes}
    assert hard == {"soup": False, "leeks": True, "salty": False}


def test_how_a_dish_tastes_qualifies_the_dish(parser: EnglishParser) -> None:
    analysis = read(parser, "a creamy soup with leeks")
    names = {node.id: node.instantiation for node in analysis.nodes}
    assert {(names[link.base], names[link.qualifier]) for link in analysis.attachments} == {("soup", "creamy")}


def test_a_limit_in_minutes_stays_a_wish(parser: EnglishParser) -> None:
    assert any("30 minutes" in words for words in wishes(parser, "a soup in under 30 minutes"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("something spicy for lunch", True),
        ("the food scenes of a film", False),
        ("a film about a chef who loses his taste", False),
        ("a restaurant with good pasta", False),
        ("a snack to make for a film night", True),
    ],
)
def test_only_a_request_for_food_is_read_so(text: str, expected: bool) -> None:
    assert asks_for_food(text) is expected


def test_a_catalogue_of_dishes_is_known_by_what_its_items_are_made_of() -> None:
    dishes = [Candidate(id=str(n), title="No 5", metadata={"ingredients": ["leek"]}) for n in range(3)]
    places = [Candidate(id="1", title="Soup Bar", metadata={"location": "Quay", "dishes": ["leek soup"]})]
    films = [Candidate(id="1", title="Pulp", metadata={"director": "A. B."})]
    assert vocabulary_of(dishes).dishes
    assert not vocabulary_of(places).dishes
    assert not vocabulary_of(films).may_be_dishes
