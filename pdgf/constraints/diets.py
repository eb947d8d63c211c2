"""What somebody does not eat: diets against the list of diets, foods against the dishes that are named. Pure.

"Coeliac" asks for gluten-free food and "I can't eat gluten" does. Where no item of a pool records a diet, or dishes are
only named as examples, a wish is broken by what is named and otherwise not known: silence keeps nobody safe.
"""

import re
from collections.abc import Iterator, Mapping

from pdgf.constraints import words as said
from pdgf.constraints.checks import MetadataConstraint, Requirement
from pdgf.constraints.metadata import KeyKind, MetadataKey, MetadataSchema, fold
from pdgf.constraints.words import either, tokens_of
from pdgf.models import Node, Polarity

DIET_KEYS = either("diets|diet|dietary options|dietary restrictions")
DISH_KEYS = either("dishes|menu|ingredients")
# The words for a need, folded; `*` stands for the rest of a word.
_NEEDS: Mapping[str, str] = {
    "gluten free": r"gluten free|c(?:o)?eliacs?|(?:gluten|wheat) (?:intoleran\w+|allerg\w+|sensitiv\w+)|without gluten",
    "dairy free": r"dairy free|lactose free|(?:lactose|dairy|milk) (?:intoleran\w+|allerg\w+)|without dairy",
    "nut free": r"nut free|(?:pea)?nuts? (?:allerg\w+|intoleran\w+)|without nuts",
    "vegan": r"vegans?|plant based",
    "vegetarian": r"vegetarians?|veggie|meat free|meatless",
    "pescatarian": r"pesc[ae]tarians?",
    "halal": r"halal",
    "kosher": r"kosher",
}
# What is not eaten, and the diet that leaves it out
_LEFT_OUT: Mapping[str, str] = {
    "gluten free": r"gluten|wheat",
    "dairy free": r"dairy|lactose|milk|milk products",
    "nut free": r"(?:tree |pea)?nuts?|any nuts",
    "vegetarian": r"meat|any meat",
    "vegan": r"animal products?",
}
_SATISFIED_BY: Mapping[str, tuple[str, ...]] = {
    "vegetarian": ("vegan",), "dairy free": ("vegan",), "pescatarian": ("vegetarian", "vegan"),
}  # fmt: skip
# A food and what a menu calls it
_FOODS: Mapping[str, str] = {
    "pork": r"pork|bacon|ham|gammon|prosciutto|pancetta|guanciale|chorizo|nduja|salami|speck|lardons?|carnitas"
    r"|sausages?",
    "shellfish": r"shellfish|prawns?|shrimps?|crabs?|lobsters?|mussels?|clams?|oysters?|scallops?|langoustines?"
    r"|crayfish"
    r"|cockles?|squid|octopus|calamari",
    "seafood": r"seafood|fish|cod|haddock|turbot|bream|sea bass|salmon|tuna|mackerel|sardines?|anchov\w+|trout|prawns?"
    r"|shrimps?|crabs?|lobsters?|mussels?|clams?|oysters?|scallops?|squid|octopus|calamari",
    "fish": r"fish|cod|haddock|turbot|bream|sea bass|salmon|tuna|mackerel|sardines?|anchov\w+|trout",
    "nuts": r"nuts?|peanuts?|almonds?|walnuts?|hazelnuts?|cashews?|pistachios?|pecans?|praline|frangipane|satay",
    "eggs": r"eggs?|omelettes?|frittata|meringue|shakshuka",
    "dairy": r"dairy|milk|cream|cheese|butter|yog\w+|mozzarella|ricotta|feta|parmesan|halloumi|paneer|panna cotta",
    "beef": r"beef|steak|brisket|burgers?",
    "mushrooms": r"mushrooms?|ceps?|porcini|truffles?",
    "gluten": r"gluten|wheat|flour|barley|rye",
    "raw fish": r"raw fish|sashimi|sushi|nigiri|maki|ceviche|crudo|tataki|poke|raw tuna|raw salmon|oysters?",
    "raw meat": r"raw meat|raw beef|tartare|carpaccio|kitfo|kibbeh nayyeh",
    "raw": r"raw (?:\w+ ){0,2}?(?:fish|tuna|salmon|scallops?|prawns?|shrimps?|seafood|beef|meat|lamb|eggs?|oysters?)"
    r"|sashimi|sushi|nigiri|maki|tataki|tartare|ceviche|carpaccio|crudo|oysters?(?! (?:sauce|leaf|mushrooms?))",
    "sesame": r"sesame|tahini|halva",
    "soy": r"soya?|tofu|edamame|miso|tempeh",
}
_NAMED_BY_DISHES: Mapping[str, str] = {"nut free": "nuts"}  # a diet that dishes can be seen to break
_PEOPLE = either(
    "disease|person|people|friend|wife|husband|son|daughter|mother|father|sister|brother|guest|eater|eaters|sufferer|diet"
    "|someone|somebody|one|severe|bad|serious|mild|am|im|strict|safe|choices|meals|meal|m|s"
)


def need_of(words: str) -> str | None:
    """The diet that words ask for, as metadata call it; None where they ask for none or for more."""
    return _named(words, _NEEDS)


def diet_without(words: str) -> str | None:
    """The diet that leaves a food out: "gluten", "dairy"."""
    return _named(words, _LEFT_OUT)


def is_food(words: str) -> bool:
    """Whether words name something to eat that people leave out, such as shellfish or gluten."""
    text = " ".join(token for token in tokens_of(words) if token not in said.FILLERS)
    return diet_without(words) is not None or any(text in (food, food.removesuffix("s")) for food in _FOODS)


_ALLERGY = re.compile(
    r"\b(?:allerg\w+|intoleran\w+|c(?:o)?eliacs?"
    r"|(?:gluten|wheat|nut|peanut|dairy|lactose|milk|eggs?|soy|sesame|shellfish) free)\b|过敏|不耐受?"
)
_ALLERGENS: Mapping[str, str] = {
    "gluten free": r"gluten|wheat|flour|barley|rye|c(?:o)?eliacs?",
    "dairy free": r"dairy|lactose|milk|cream|cheese|butter|yog\w+",
    "nut free": r"nuts?|peanuts?|almonds?|walnuts?|hazelnuts?|cashews?|pistachios?|pecans?|praline|frangipane|satay",
}
_DIET_OF: Mapping[str, str] = {"nuts": "nut free", "gluten": "gluten free", "dairy": "dairy free"}
_NO_ALLERGEN = either("allergy|allergies|allergic|allergen|allergens|intolerance|intolerant|free|severe|bad|serious")


def is_allergy(words: str) -> bool:
    """Whether words speak of an allergy or of a food that somebody's health does not bear."""
    return bool(_ALLERGY.search(fold(words)))


def kept_away(words: str) -> str | None:
    """The food that the words of an allergy are about: "nuts" of "nut allergy", "" of "allergies"; None where they
    speak of no allergy."""
    if not is_allergy(words):
        return None
    need = need_of(words)
    if need in _ALLERGENS:
        return next(food for food, diet in _DIET_OF.items() if diet == need)
    foods = [token for token in tokens_of(words) if token not in said.FILLERS | _NO_ALLERGEN | _PEOPLE]
    return " ".join(foods)


def names_allergen(words: str, text: str) -> bool:
    """Whether a text names what the words of an allergy are about, or allergies without saying which."""
    said_of_it = fold(text)
    need = need_of(words) or ""
    foods = [token for token in tokens_of(words) if token not in said.FILLERS | _NO_ALLERGEN | _PEOPLE]
    patterns = [_ALLERGENS[need]] if need in _ALLERGENS else [_words_for(food) for food in foods]
    if any(re.search(rf"\b(?:{pattern})\b", said_of_it) for pattern in patterns):
        return True
    others = (pattern for name, pattern in _FOODS.items() if name != _NAMED_BY_DISHES.get(need))
    return bool(re.search(r"\ballerg", said_of_it)) and not any(re.search(rf"\b(?:{o})\b", said_of_it) for o in others)


def holds_food(food: str, dish: str) -> bool:
    """Whether a dish is, or names, a food: "nuts" and "almond cake"."""
    return bool(re.search(rf"\b(?:{_words_for(food)})\b", fold(dish)))


def diets_of(node: Node, schema: MetadataSchema) -> list[MetadataConstraint]:
    """The tests of a diet that is asked for, or of a food that is not eaten; empty for other wishes."""
    if node.polarity is Polarity.WANT:
        need = need_of(node.instantiation)
        if need is None:
            return []
        wanted = [_diet(node, key, need) for key in _keys(schema, DIET_KEYS)]
        food = _NAMED_BY_DISHES.get(need)
        return wanted + [_dishes(node, key, food) for key in _keys(schema, DISH_KEYS) if food]
    made: list[MetadataConstraint] = []
    left_out = diet_without(node.instantiation)
    if left_out is not None:
        made += [_diet(node, key, left_out) for key in _keys(schema, DIET_KEYS)]
    if node.perspective in ("dish", "diet", "ingredient"):
        made += [_dishes(node, key, node.instantiation) for key in _keys(schema, DISH_KEYS)]
    return made


def _diet(node: Node, key: MetadataKey, diet: str) -> MetadataConstraint:
    return MetadataConstraint(
        node=node.id,
        key=key.key,
        requirement=Requirement.ONE_OF,
        values=(diet, *_SATISFIED_BY.get(diet, ())),
        complete=diet in key.values,
    )


def _dishes(node: Node, key: MetadataKey, food: str) -> MetadataConstraint:
    """What no dish may hold. A list of ingredients names all there is; a menu names examples."""
    return MetadataConstraint(
        node=node.id,
        key=key.key,
        requirement=Requirement.NONE_OF,
        values=tuple(value for value in key.values if holds_food(food, value)),
        complete=key.words in said.INGREDIENT_KEYS,
    )


def _keys(schema: MetadataSchema, names: frozenset[str]) -> Iterator[MetadataKey]:
    return (key for key in schema.keys if key.words in names and key.kind is KeyKind.CATEGORY)


def _named(words: str, table: Mapping[str, str]) -> str | None:
    """The entry whose words these are, besides words that add nothing."""
    text = " ".join(tokens_of(words))
    for name, pattern in table.items():
        match = re.search(rf"\b(?:{pattern})\b", text)
        if match is None:
            continue
        rest = set(f"{text[: match.start()]} {text[match.end() :]}".split())
        if rest <= said.FILLERS | _PEOPLE:
            return name
    return None


def _words_for(food: str) -> str:
    words = " ".join(token for token in tokens_of(food) if token not in said.FILLERS)
    for name, pattern in _FOODS.items():
        if words in (name, name.removesuffix("s")):
            return pattern
    return rf"{re.escape(words.removesuffix('s'))}\w*" if words else r"(?!)"
