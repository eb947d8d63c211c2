"""What the age of a child asks of an item besides the age that it is suitable from (METHOD 7.5). Pure.

Suitable is not meant for: a documentary for everybody from seven on is no answer to "for a nine-year-old" that a
family film would be, and one with strong violence is none at all, whatever its age.
"""

import re

from pdgf.constraints.ages import child_ages
from pdgf.constraints.metadata import MetadataSchema, key_words
from pdgf.constraints.words import AGE_KEYS, either
from pdgf.models import Node, Polarity

AGE_OF_CHILDREN = 9  # of whom no age is said
_CHILDREN = re.compile(
    r"\b(?:kids?|child|children|toddlers?|youngsters|little ones|whole family|families|family (?:film|movie|show)s?"
    r"|family[- ]friendly|kid[- ]friendly|child[- ]friendly)\b",
    re.IGNORECASE,
)
KINDS = either("genres|genre")
HARM = either("frightening|violence|gore|sexual_content")
LENGTH = either("length_minutes")
_OWN_AGES = frozenset(AGE_KEYS) - {"suitable from age"}


def age_of_child(wish: str) -> int | None:
    """The age of the youngest child that a wish names, for children of no stated age that of a school child; None where
    it names no child."""
    ages = child_ages(wish)
    if ages:
        return min(age for age, _ in ages)
    return AGE_OF_CHILDREN if _CHILDREN.search(wish) else None


def states_own_age(key: str) -> bool:
    """Whether a key is a column of ages of a person's own catalogue, by which items are found too."""
    return key_words(key) in _OWN_AGES


def keys_for_children(node: Node, schema: MetadataSchema) -> tuple[str, ...]:
    """The keys that say whether an item is one for a child of the age that a node names; none for other nodes, and none
    where no key states an age."""
    if node.perspective != "audience" or node.polarity is Polarity.AVOID or age_of_child(node.instantiation) is None:
        return ()
    keys = [key.key for key in schema.keys]
    ages = {key for key in keys if "age" in key.split("_")}
    return tuple(key for key in keys if key in KINDS | HARM | LENGTH | ages) if ages else ()
