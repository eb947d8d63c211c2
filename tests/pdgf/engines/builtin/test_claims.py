"""What evidence bears and what it does not: kinds, content notes, absence, diets (METHOD 7.1)."""

import pytest

from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Label
from pdgf.ports import RelationRequest
from pdgf.usage import Budget
from tests.local_models import minilm, parser

S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS


@pytest.fixture(scope="module")
def agent() -> BuiltinAgent:
    return BuiltinAgent(parser=parser(), embedder=minilm(), vocabulary=Vocabulary())


async def label(agent: BuiltinAgent, text: str, feature: str) -> Label:
    return (await agent.label_relations([RelationRequest(text=text, feature=feature)], Budget()))[0].label


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("There is real suspense in the chase.\nGenres: drama, coming of age", "thriller (genre).", P),
        ("There is real suspense in the chase.\nGenres: thriller", "thriller (genre).", S),
        ("There is real suspense in the chase.", "thriller (genre).", S),
        ("A comedy of manners, and very funny.\nGenres: drama", "comedy (genre).", P),
        ("It is very funny.\nGenres: drama", "funny (tone).", S),
        ("The ghost is real horror.\nGenres: family, drama", "a horror film (genre).", P),
    ],
)
async def test_what_kind_an_item_is_stands_in_its_genres(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    assert await label(agent, text, feature) is expected


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("Animal death: yes", "no animal dies.", X),
        ("Animal death: no", "no animal dies.", S),
        ("Animal death: yes", "no dead dogs.", X),
        ("Animal death: yes", "no animals get hurt.", X),
        ("Gore: none\nViolence: strong", "no gore.", S),
        ("Gore: strong\nViolence: none", "no gore.", X),
        ("Gore: none\nViolence: strong", "no violence.", X),
        ("Sexual content: strong", "no sex.", X),
        ("Frightening: mild", "less scary.", S),
        ("Frightening: strong", "less scary.", X),
    ],
)
async def test_content_is_judged_by_the_notes_on_it(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    assert await label(agent, text, feature) is expected


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("Great power does not interest its schoolboy hero.", "no school (setting).", N),
        ("A careless schoolboy is haunted by a ghost.", "no school (setting).", X),
        ("It never enters a school.", "no school (setting).", S),
        ("The sea is grey and the boats are old.", "no school (setting).", N),
        ("It does not show any violence.", "no violence.", S),
        ("Nothing frightens her young students.", "no school (setting).", N),
    ],
)
async def test_a_thing_is_away_only_where_that_is_said(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    assert await label(agent, text, feature) is expected


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("Violence is next to nil.", "violence.", X),
        ("Violence is next to nil.", "no violence.", S),
        ("There is next to no romance.", "romance (genre).", X),
        ("Barely any jokes land.", "humour (tone).", X),
        ("Hardly any violence, and that off screen.", "no violence.", S),
        ("Blood is minimal.", "no gore.", S),
        ("Vegan choices are few.", "vegan (diet).", X),
        ("Vegan choices are few.\nDiets: vegan", "vegan (diet).", P),
    ],
)
async def test_next_to_none_is_as_good_as_none(agent: BuiltinAgent, text: str, feature: str, expected: Label) -> None:
    assert await label(agent, text, feature) is expected


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("People avoiding gluten should steer clear, since flour hangs in the air.", "must have coeliac (diet).", X),
        ("Coeliacs fare better, since most sauces are gluten-free.", "must have coeliac (diet).", S),
        ("The soy sauce is wheat-based, with no gluten-free bottle.", "must have gluten intolerance (diet).", X),
        ("Vegan cheese and gluten-free buns are not stocked.", "must have gluten-free (diet).", X),
        ("Diets: vegetarian, gluten-free", "must have coeliac (diet).", S),
        ("Diets: vegetarian, vegan", "must have vegetarian dishes (diet).", S),
        ("Diets: vegetarian, vegan", "must have vegan options (diet).", S),
        ("Dishes: tonkotsu ramen, clam shio ramen", "no shellfish (dish).", X),
        ("Dishes: steak and ale pie, sausage and mash", "no pork (dish).", X),
        ("Dishes: margherita", "no pork (dish).", N),
    ],
)
async def test_a_diet_is_judged_by_what_is_said_of_the_food(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    assert await label(agent, text, feature) is expected


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("Average spend: 26 dollars a person", "under 30 (price).", S),
        ("Average spend: 36 dollars a person", "must have under 30 (price).", X),
        ("Average spend: 36 dollars a person", "must have between 30 and 60 (price).", S),
        ("Average spend: 36 dollars a person", "must have 30 or less (price).", X),
        ("Pages: 20", "under 30 (price).", N),
    ],
)
async def test_a_price_without_a_currency_is_compared_with_prices_alone(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    assert await label(agent, text, feature) is expected
