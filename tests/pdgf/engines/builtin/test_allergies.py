"""Nothing that is silent on an allergy is quoted for it, not even in part (METHOD 7.1, 12)."""

import pytest

from pdgf.constraints.diets import is_allergy, names_allergen
from pdgf.embedding import CachedEmbedder
from pdgf.engines.builtin.chinese.judging import label_in_both
from pdgf.models import Label
from pdgf.ports import RelationRequest
from tests.local_models import minilm, use

S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS


@pytest.fixture(scope="module")
def encoders() -> tuple[CachedEmbedder, CachedEmbedder]:
    return CachedEmbedder(minilm()), CachedEmbedder(use())


@pytest.mark.parametrize(
    "feature", ["对花生过敏（饮食要求）。", "must have peanut allergy (diet).", "nut-free (diet).", "花生过敏。"]
)
@pytest.mark.parametrize(
    "text",
    ["Sour cream and rye bread come with everything.", "Most of it is vegan and cold.", "素食者很满意。"],
)
async def test_what_does_not_name_the_allergen_is_no_evidence(
    encoders: tuple[CachedEmbedder, CachedEmbedder], text: str, feature: str
) -> None:
    [found] = await label_in_both([RelationRequest(text=text, feature=feature)], *encoders)
    assert found.label is N


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("Nut allergies are taken seriously.", "must have peanut allergy (diet).", S),
        ("花生酱到处都是。", "对花生过敏（饮食要求）。", X),
        ("Most dishes are vegetarian.", "must have coeliac (diet).", N),
        ("Coeliacs are safe here.", "must have coeliac (diet).", S),
        ("Diets: vegan, gluten-free", "must have coeliac (diet).", S),
        ("素食者很满意。", "对芒果过敏（饮食要求）。", N),
        ("Ingredients: butter, flour, sugar", "nut-free (diet).", P),  # a list of ingredients names all there is
    ],
)
async def test_what_names_it_counts(
    encoders: tuple[CachedEmbedder, CachedEmbedder], text: str, feature: str, expected: Label
) -> None:
    [found] = await label_in_both([RelationRequest(text=text, feature=feature)], *encoders)
    assert found.label is expected


@pytest.mark.parametrize("feature", ["must have nut allergy (diet).", "对坚果过敏（饮食要求）。", "no nuts (diet)."])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hazelnuts are ground into half of what they sell, and a nut allergy ends the visit at the door.", X),
        ("Nut allergies are a grave problem here.", X),
        ("With pecans in every second dish an allergy is dangerous.", X),
        ("Whoever has a nut allergy runs a real risk.", X),
        ("Almonds go into most of it, so nut allergies rule it out.", X),
        ("Cashews are in the air as well as in the pot.", X),
        ("Do not come with a nut allergy.", X),
        ("The kitchen is not safe for a nut allergy.", X),
        ("There are no nut-free options.", X),
        ("A nut allergy is no problem at all.", S),
        ("They keep nuts out of the kitchen.", S),
        ("The whole bakery is nut-free.", S),
        ("They leave out the nuts if you ask.", S),
        ("They keep nuts on the bar for everybody.", X),
        ("A safe bet is the walnut cake.", X),
        ("The satay sauce comes separately.", X),
        ("There are no nuts in anything.", S),
        ("Nut allergies are looked after with a separate fryer.", S),
        ("The waiters ask about allergies before they take the order.", P),
        ("Allergens are marked on the menu.", P),
        ("Sesame goes over everything, a worry for anyone allergic to it.", N),
        ("The terrace is sunny and the staff are kind.", N),
    ],
)
async def test_who_warns_of_an_allergen_never_speaks_for_it(
    encoders: tuple[CachedEmbedder, CachedEmbedder], text: str, feature: str, expected: Label
) -> None:
    [found] = await label_in_both([RelationRequest(text=text, feature=feature)], *encoders)
    assert found.label is expected


@pytest.mark.parametrize("words", ["peanut allergy", "allergic to egg", "lactose intolerant", "celiac", "gluten-free"])
def test_allergies_are_told_by_their_words(words: str) -> None:
    assert is_allergy(words)
    assert not is_allergy("vegetarian")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Almond cake.", True),
        ("Allergens are marked.", True),
        ("Shellfish allergies are handled with care.", False),
        ("Bread and butter.", False),
    ],
)
def test_another_allergy_is_not_the_one_that_is_asked_about(text: str, named: bool) -> None:
    assert names_allergen("peanut allergy", text) is named
