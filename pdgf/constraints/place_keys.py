"""Which keys of a pool state what a node asks of a place, so that an item's lines of them are judged. Pure."""

from pdgf.constraints.children import keys_for_children
from pdgf.constraints.metadata import MetadataKey, MetadataSchema
from pdgf.constraints.nations import country_named
from pdgf.constraints.opening import DAYS, opening_asked, tells_week
from pdgf.constraints.places import place_mentions, squeezed, states_places
from pdgf.constraints.relative import relative_wish
from pdgf.constraints.words import either
from pdgf.models import Node

KINDS_OF_PLACES = either("categories|category|cuisine|cuisines|cuisinetype|kind|placetype")
TOWNS = either("city|town|location|municipality")
WHERE = TOWNS | either("address|street|district|neighborhood|neighbourhood|area|quarter|suburb|borough")


def keys_asked(node: Node, schema: MetadataSchema) -> tuple[str, ...]:
    """The keys that state what a node asks of a place, in the order of the schema: facts about it, its hours, where it
    lies, and for cuisines and alternatives what kind of place it is. In a pool of something else only the age of a
    child asks for more than its own key, a relative word for its column, and a country for where an item is from."""
    question = ("keys_asked", node.id, node.instantiation, node.perspective)
    if question not in schema.memo:
        places = states_places(key.key for key in schema.keys)
        of_places = tuple(key.key for key in schema.keys if _asked(node, key)) if places else ()
        further = keys_for_children(node, schema) or _measured_by(node, schema) or keys_of_country(node, schema)
        schema.memo[question] = of_places or further
    found: tuple[str, ...] = schema.memo[question]
    return found


def _measured_by(node: Node, schema: MetadataSchema) -> tuple[str, ...]:
    """The column on which a relative word is measured ("cheap")."""
    wish = relative_wish(node, schema)
    return (wish.key.key,) if wish is not None and wish.key is not None else ()


def keys_of_country(node: Node, schema: MetadataSchema) -> tuple[str, ...]:
    """The key that says where an item was made, for a wish that names a country as where it is set."""
    key = schema.by_words.get("country") if country_named(node.instantiation) else None
    return (key.key,) if key is not None else ()


def _asked(node: Node, key: MetadataKey) -> bool:
    name = squeezed(key.key)
    if any(name in mention.fact.keys for mention in place_mentions(node.instantiation)):
        return True
    if node.perspective == "location":
        return name in WHERE
    opening = opening_asked(node.instantiation)
    if opening is not None:
        return tells_week(key.key) or any(day in name for day in opening.days or DAYS)
    wide = node.perspective == "alternatives" or " or " in node.instantiation or node.instantiation.istitle()
    return wide and name in KINDS_OF_PLACES
