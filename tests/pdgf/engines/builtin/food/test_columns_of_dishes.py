"""Dishes of a person's own catalogue: numbers of their columns, and lists of ingredients."""

import pytest

from pdgf.constraints import Verdict, check, constraints_of
from pdgf.engines.builtin.column_lines import with_columns
from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.food.judging import LISTED, dishes_finding
from pdgf.engines.builtin.food.reading import analyse_food
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.vocabulary import vocabulary_of
from pdgf.models import Candidate, Label, Node, Polarity, RelationLabel
from pdgf.ports import RelationRequest

HELD = ("lentils, rice, tofu", "noodles, peanuts, tofu", "beans, rice, lime", "lentils, noodles, lime")
DISHES = [
    Candidate(
        id=str(n),
        title=f"Bowl {n}",
        metadata={
            "Minutes": 15.0 + n,
            "Servings": "4-6" if n % 2 else "2",
            "Calories": 300.0 + 40 * n,
            "Ingredients": HELD[n % 4],
        },
    )
    for n in range(12)
]
OWN = vocabulary_of(DISHES, own=True)
SILENT = RelationLabel(label=Label.NOT_ADDRESSED)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("under 400 calories", {"under 400 calories"}),
        ("calories below 400", {"calories below 400"}),
        ("something for 6 people", {"6 people"}),
        ("actually it may take longer, up to 45 minutes", {"up to 45 minutes"}),
        ("under 20 minutes, no peanuts", {"under 20 minutes", "no peanuts"}),
        ("without peanuts, at most 500 calories, quick", {"no peanuts", "at most 500 calories", "quick"}),
    ],
)
def test_a_number_of_a_column_is_one_wish_in_its_own_words(
    parser: EnglishParser, text: str, expected: set[str]
) -> None:
    found = analyse_food(parser.parse_now(text), text, OWN, None)
    assert found is not None
    said = {f"{'no ' if n.polarity is Polarity.AVOID else ''}{n.instantiation}" for n in found.nodes}
    assert said == expected


@pytest.mark.parametrize(
    ("words", "meets", "fails"),
    [
        ("under 400 calories", {"Calories": 380.0}, {"Calories": 420.0}),
        ("calories below 400", {"Calories": 380.0}, {"Calories": 420.0}),
        ("6 people", {"Servings": "4-6"}, {"Servings": "2"}),
    ],
)
def test_the_number_is_tested_on_its_column(words: str, meets: dict[str, str], fails: dict[str, str]) -> None:
    assert OWN.columns is not None
    (test,) = constraints_of(Node(id="n", atom="a", perspective="", instantiation=words), OWN.columns)
    assert check(test, dict(meets)) is Verdict.SATISFIED
    assert check(test, dict(fails)) is Verdict.VIOLATED


@pytest.mark.parametrize(
    ("held", "expected"), [("lentils, rice, tofu", Label.SUPPORT), ("noodles, peanuts, tofu", Label.CONTRADICTS)]
)
def test_a_list_of_ingredients_tells_what_is_kept_out_and_leaves_nothing_open(held: str, expected: Label) -> None:
    assert OWN.columns is not None
    wish = Node(id="n", atom="a", perspective="ingredient", instantiation="peanuts", polarity=Polarity.AVOID, hard=True)
    verdicts = {check(test, {"Ingredients": held}) for test in constraints_of(wish, OWN.columns)}
    assert verdicts == {Verdict.SATISFIED if expected is Label.SUPPORT else Verdict.VIOLATED}
    request = RelationRequest(text=f"Ingredients: {held}", feature="no peanuts (ingredient).")
    (found,) = with_columns([request], [SILENT], OWN.columns)
    assert found == RelationLabel(label=expected, quotes=(f"Ingredients: {held}",))


def test_a_note_that_does_not_name_what_is_refused_says_less_than_a_list() -> None:
    wish = read_feature("no peanuts (ingredient).")
    listed = {"Ingredients: rice, tofu": f"{LISTED}rice, tofu"}
    assert dishes_finding(wish, listed) == (Finding.FOR, "Ingredients: rice, tofu")
    assert dishes_finding(wish, {"Rice with tofu": "Rice with tofu"}) == (Finding.PARTLY, "Rice with tofu")
    named = {**listed, "Topped with peanuts": "Topped with peanuts"}
    assert dishes_finding(wish, named) == (Finding.AGAINST, "Topped with peanuts")
