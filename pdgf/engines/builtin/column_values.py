"""What the built-in engine knows of a person's own catalogue by its columns: values, yes-or-no keys, item nouns."""

import re
from collections.abc import Iterator

from pdgf.constraints.checks import scale_of, tells_amounts
from pdgf.constraints.columns import item_nouns
from pdgf.constraints.levels import DIFFICULTY, WORDS_OF_SCALE
from pdgf.constraints.metadata import KeyKind, MetadataKey, MetadataSchema, names_of_truth
from pdgf.constraints.words import PLACE_KEYS, SAID_OF_ITEMS
from pdgf.models import normalised

LONGEST_VALUE = 4  # words; more are a sentence and no name
_SAYS_NOTHING = frozenset({"none", "yes", "no", "other", "others", "various", "n/a", "unknown", "any", "all", "misc"})


def values_by_column(schema: MetadataSchema, known: frozenset[str]) -> dict[str, tuple[str, str]]:
    """(perspective, value as written) of each value of the closed lists and each yes-or-no key, by its normalised
    words. Keys in `known` have a perspective of their own already."""
    found: dict[str, tuple[str, str]] = {}
    for key in schema.keys:
        if key.key in known or key.names_items:
            continue
        for said in _words_of(key):
            words = normalised(re.sub(r"[\s-]+", " ", said))
            if len(words) > 1 and words.count(" ") < LONGEST_VALUE and words not in _SAYS_NOTHING:
                found.setdefault(words, (perspective_of_key(key), said))
            short, _, last = words.rpartition(" ")
            if short and last in SAID_OF_ITEMS:
                found.setdefault(short, (perspective_of_key(key), said.rpartition(" ")[0]))
    return found


def perspective_of_key(key: MetadataKey) -> str:
    """The perspective of a wish that a column of names answers: the column's own name, or that of places."""
    return "location" if key.words in PLACE_KEYS else key.words


def nouns_of(values: dict[str, tuple[str, str]]) -> frozenset[str]:
    """The words for items that are no values of the catalogue."""
    return frozenset(noun for noun in item_nouns() if noun not in values and " " not in noun)


def _words_of(key: MetadataKey) -> Iterator[str]:
    if tells_amounts(key):
        return  # "little" and "much" are of everything; such a column is asked for by its header
    if scale_of(key) == DIFFICULTY:
        yield from sorted(word for level in WORDS_OF_SCALE[DIFFICULTY] for word in level.words)
    if key.kind is KeyKind.CATEGORY:
        yield from (value for value in key.values if re.search(r"[^\W\d_]", value))
    elif key.kind is KeyKind.BOOLEAN:
        yield from names_of_truth(key.words)
