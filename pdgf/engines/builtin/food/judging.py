"""Whether a dish is what is wished for, by what its description names and what that implies (METHOD 7.1, 12).

What is not named is not there for sure: that a description names nothing of what is refused supports the refusal
partly, and a quality that nothing speaks of is not addressed. A list of ingredients names all there is, so that what
it does not name is kept out as far as anybody has said; whoever is allergic still has to ask.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from pdgf.constraints.words import either
from pdgf.engines.builtin.features import FeatureReading
from pdgf.engines.builtin.findings import Finding, mentioned, unwanted
from pdgf.engines.builtin.food.descriptions import (
    LISTED,
    SURE,
    Description,
    describes_a_dish,
    description_of,
    excluders,
)
from pdgf.engines.builtin.food.knowledge import FoodConcept, food_lexicon, food_mentions

PERSPECTIVES = frozenset(
    {
        *("ingredient", "dish", "course", "meal", "cuisine", "diet", "taste", "texture", "temperature", "preparation"),
        *("effort", "cost", "amount", "style", "audience", "occasion", "season", "colour"),
    }
)
DETAIL = "detail"  # the perspective of what people say of food in words that the lexicon does not know
# Keys of metadata under which the recipes of a catalogue say what they are made of and what they are
_HELD_KEYS = either("ingredients|ingredient|contains")
_RECIPE_KEYS = either(
    "course|courses|cuisine|cuisines|tags|keywords|diet|diets|meal|meals|meal_type|method|methods"
    "|cooking_method|dish|dish_type|category|categories|dietary|allergens_free|season|occasion|occasions|technique"
)
_MENU_KEYS = either("dishes|menu")
_BY_NAME = (Finding.AGAINST, Finding.FOR, Finding.PARTLY)
_BY_WEIGHT = (Finding.FOR, Finding.AGAINST, Finding.PARTLY)
FEW = 3  # foods that the description of a simple dish names at most
_SMALL = either(
    "a|an|the|some|any|of|for|with|in|on|to|and|my|very|really|more|food|foods|dish|dishes|recipe|recipes|style"
)


@lru_cache(maxsize=4_096)
def food_wished(focus: str) -> tuple[str, ...]:
    """The concepts that a wish is for; none where it says more than they do."""
    mentions = food_mentions(focus, wish=True)
    rest, at = "", 0
    for mention in mentions:
        rest, at = f"{rest} {focus[at : mention.start]}", mention.end
    left = f"{rest} {focus[at:]}".replace("-", " ").casefold().split()
    if not mentions or any(word not in _SMALL for word in left):
        return ()
    return tuple(dict.fromkeys(name for mention in mentions for name in mention.concepts))


def is_food_wish(reading: FeatureReading) -> bool:
    """Whether the lexicon of food knows what a wish is for."""
    return reading.perspective in PERSPECTIVES and all(food_wished(part) for part in reading.alternatives)


def dish_texts(pieces: Iterable[tuple[str, str, tuple[str, str] | None]]) -> dict[str, str]:
    """The passages of a record that describe a dish, by the passage what is read of it: all of a note, the value of a
    line of metadata. Empty where neither a note nor the ingredients say what the dish is, and for a place, whose menu
    names examples and whose notes speak of many dishes.

    `pieces` are (passage, sentence, (key, value) of a line of metadata).
    """
    found: dict[str, str] = {}
    whole = False
    for passage, _, fact in pieces:
        if fact is not None and fact[0] in _MENU_KEYS:
            return {}
        if fact is not None and fact[0] in _HELD_KEYS:
            found[passage], whole = f"{LISTED}{fact[1]}", True
        elif fact is not None and fact[0] in _RECIPE_KEYS:
            found[passage] = fact[1]
        elif fact is None and describes_a_dish(passage):
            found[passage], whole = passage, True
    return found if whole else {}


def dishes_finding(reading: FeatureReading, texts: Mapping[str, str]) -> tuple[Finding, str] | None:
    """What descriptions of one dish say about a wish, with the passage that says so.

    What any of them names counts before what is only not named.
    """
    found = [(said, passage) for passage, text in texts.items() if (said := _said_of(reading, text)) is not None]
    order = _BY_NAME if reading.avoid else _BY_WEIGHT
    return min(found, key=lambda pair: order.index(pair[0]), default=None)


def _said_of(reading: FeatureReading, text: str) -> Finding | None:
    finding = dish_finding(reading, text)
    listed = text.startswith(LISTED) and reading.avoid and reading.perspective == "ingredient"
    return Finding.FOR if listed and finding is Finding.PARTLY else finding


def dish_finding(reading: FeatureReading, text: str) -> Finding | None:
    """What a description says about a wish; of permitted alternatives the best counts, of unwanted ones the worst."""
    if reading.perspective == DETAIL:
        degree, _ = mentioned(reading, text)
        return Finding.PARTLY if degree is None else unwanted(reading, degree)
    description = description_of(text)
    found = [_part_finding(part, description, avoid=reading.avoid) for part in reading.alternatives]
    said = [finding for finding in found if finding is not None]
    if not said:
        return None
    return min(said) if reading.avoid else max(said)


def _part_finding(words: str, description: Description, *, avoid: bool) -> Finding | None:
    concepts = food_lexicon().concepts
    found = [(_refused if avoid else _wanted)(concepts[name], description) for name in food_wished(words)]
    if avoid:  # "no raw onions": both together
        return (
            None
            if not found or (set(found) <= {None, Finding.AGAINST} and None in found)
            else max(finding for finding in found if finding is not None)
        )
    if Finding.AGAINST in found:
        return Finding.AGAINST
    said = [finding for finding in found if finding is not None]
    if not said:
        return None
    return min(said) if len(said) == len(found) else Finding.PARTLY


def _wanted(concept: FoodConcept, description: Description) -> Finding | None:
    name, sure = concept.name, description.sure.get(concept.name, 0)
    if concept.rules_out and concept.silent and description.denied.issuperset(concept.rules_out):
        return Finding.FOR  # "without any animal products"
    ruled_out = any(other in description.held for other in concept.rules_out)
    if name in description.denied and not sure:
        return Finding.AGAINST
    if sure == SURE and not (ruled_out and name not in description.stated):
        return Finding.FOR
    if ruled_out:
        return Finding.PARTLY if sure and name in description.stated else Finding.AGAINST
    if next(excluders(description, name), None) is not None:
        return Finding.AGAINST
    doubtful = any(other in description.maybe for other in concept.rules_out)
    if sure and concept.silent and not doubtful:
        return Finding.FOR
    if (sure and not doubtful) or (concept.few and description.foods <= FEW):
        return Finding.PARTLY
    if concept.silent and not doubtful:
        return Finding.PARTLY
    return None


def _refused(concept: FoodConcept, description: Description) -> Finding | None:
    name = concept.name
    if name in description.held:
        return Finding.AGAINST
    if name in description.denied or any(_leaves_out(one, concept) for one in excluders(description, name)):
        return Finding.FOR
    seen = next(excluders(description, name, seen=True), None)
    return None if name in description.maybe and seen is None else Finding.PARTLY


def _leaves_out(excluder: str, refused: FoodConcept) -> bool:
    """Whether what is said of a dish leaves an ingredient out: a diet does ("vegan"); what is soft may hold nuts."""
    return refused.perspective != "ingredient" or food_lexicon().concepts[excluder].perspective == "diet"


def is_judged_by_dishes(reading: FeatureReading) -> bool:
    """Whether a wish is one for food that descriptions of dishes are judged by."""
    return is_food_wish(reading) or (reading.perspective == DETAIL and reading.avoid)
