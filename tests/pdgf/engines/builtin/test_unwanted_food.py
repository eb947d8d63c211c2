"""Food that is to be kept away: what is silent on it, or says that none of it is spared, is no support for that
(METHOD 7.1, 12)."""

import pytest

from pdgf.embedding import CachedEmbedder
from pdgf.engines.builtin.chinese.judging import label_in_both
from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.food.judging import dish_finding, dish_texts
from pdgf.engines.builtin.polarity import Degree, concept_events
from pdgf.models import Label
from pdgf.ports import RelationRequest
from tests.local_models import minilm, use

S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS


async def label(text: str, feature: str) -> Label:
    encoders = CachedEmbedder(minilm()), CachedEmbedder(use())
    [found] = await label_in_both([RelationRequest(text=text, feature=feature)], *encoders)
    return found.label


@pytest.mark.parametrize("feature", ["no nuts (diet).", "no nuts (ingredient).", "no nuts (dish)."])
@pytest.mark.parametrize(
    "note",
    [
        "Soft music and a coffee ceremony at the end. In a rush, skip it.",
        "Sittings begin at six, and a late arrival misses courses. Tables go a month ahead, sake not included.",
        "A certified kosher kitchen: no cheese on the pastrami, no milk in the coffee.",
    ],
)
async def test_notes_of_a_place_that_do_not_name_a_food_say_nothing_of_it(note: str, feature: str) -> None:
    assert await label(f"{note}\nDishes: pastrami on rye, lentil stew", feature) is N


@pytest.mark.parametrize(
    ("note", "expected"),
    [("There are no nuts in the kitchen.", S), ("Every sauce is thick with nuts.", X)],
)
async def test_notes_of_a_place_that_name_a_food_count(note: str, expected: Label) -> None:
    assert await label(f"{note}\nDishes: lentil stew", "no nuts (diet).") is expected


def test_the_notes_of_a_place_describe_no_dish() -> None:
    menu = ("Dishes: lentil stew", "Dishes: lentil stew", ("dishes", "lentil stew"))
    note = ("Lentil stew with carrots", "Lentil stew with carrots", None)
    assert dish_texts([note]) != {}
    assert dish_texts([note, menu]) == {}


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("Soft coffee cake", "no nuts (ingredient).", Finding.PARTLY),  # soft, and perhaps with nuts in it
        ("Vegan coffee cake", "no egg (ingredient).", Finding.FOR),
        ("Nut-free coffee cake", "no nuts (ingredient).", Finding.FOR),
    ],
)
def test_a_texture_leaves_no_ingredient_out_and_a_diet_does(text: str, feature: str, expected: Finding) -> None:
    assert dish_finding(read_feature(feature), text) is expected


@pytest.mark.parametrize(
    "text",
    [
        "Chilli is not toned down in the stew.",
        "The chilli is never held back.",
        "Chilli isn't missing from anything.",
        "The cook does not tone down the chilli.",
        "They never skimp on the chilli.",
        "Do not expect them to spare the chilli.",
    ],
)
def test_what_is_not_lessened_is_there(text: str) -> None:
    [event] = concept_events(text, "spicy")
    assert event.degree > Degree.NONE


@pytest.mark.parametrize("text", ["The stew is not spicy.", "Chilli is not used.", "Chilli is absent.", "No chilli."])
def test_what_is_plainly_denied_is_not(text: str) -> None:
    assert [event.degree for event in concept_events(text, "spicy")] == [Degree.NONE]


@pytest.mark.parametrize("feature", ["no spicy.", "不要辣。"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Chilli is not toned down in the stew; people who dislike heat should stick to the mild one.", P),
        ("Scotch bonnet heat is real; the mild version has to be asked for.", P),
        ("Chilli is not toned down for anybody.", X),
        ("A mild, filling menu.", S),
    ],
)
async def test_a_mild_dish_beside_hot_ones_keeps_heat_away_only_in_part(
    text: str, expected: Label, feature: str
) -> None:
    assert await label(text, feature) is expected
