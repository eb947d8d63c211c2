"""What a line of metadata says about a wish: numbers by numbers, levels by degree, names by being there or not."""

import re
from collections.abc import Mapping

from pdgf.engines.builtin.features import FeatureReading
from pdgf.engines.builtin.findings import Finding, literal_mention, unwanted
from pdgf.engines.builtin.lexicon import concept_mentions, cues
from pdgf.engines.builtin.measures import compare_measure
from pdgf.engines.builtin.polarity import Degree, level_of

# Facts that hold one kind of thing and so exclude others
_EXCLUSIVE = frozenset({"location", "language", "cuisine", "country"})
_KEYS_OF_PERSPECTIVE: Mapping[str, frozenset[str]] = {
    "location": frozenset({"location", "district", "town", "city", "address"}),
    "language": frozenset({"language", "original_language"}),
    "country": frozenset({"country"}),
    "cuisine": frozenset({"cuisine", "cuisines", "categories", "dishes", "kind"}),
    "creator": frozenset({"director", "author", "cast", "studio", "creators"}),
    "dish": frozenset({"dishes", "cuisine"}),
}


def fact_finding(reading: FeatureReading, key: str, value: str) -> Finding | None:
    """What a metadata line says about a wish; a line about another key says nothing."""
    measured = compare_measure(reading.focus, key, value)
    if measured is not None:
        return Finding.FOR if measured != reading.avoid else Finding.AGAINST
    if key in _KEYS_OF_PERSPECTIVE.get(reading.perspective, frozenset()):
        return _named_value(reading, key, value)
    for mention in concept_mentions(reading.focus):
        if key not in mention.concept.facts:
            continue
        degree = level_of(value, mention.concept)
        if degree is None:
            continue
        if reading.avoid:
            return unwanted(reading, degree)
        if degree is Degree.NONE:
            return Finding.AGAINST
        return Finding.FOR if degree >= Degree.PLAIN else Finding.PARTLY
    degree, whole = literal_mention(reading.focus, value)
    if degree is None or not whole or reading.contexts or concept_mentions(reading.focus):
        return None
    return Finding.FOR if (degree is Degree.NONE) == reading.avoid else Finding.AGAINST


def _named_value(reading: FeatureReading, key: str, value: str) -> Finding | None:
    """A place, language or name is among the values or, where a key holds one kind of thing, excluded by them."""
    here = any(
        re.search(rf"(?<!\w){re.escape(part.casefold())}(?!\w)", value.casefold()) for part in reading.alternatives
    )
    if here:
        return Finding.AGAINST if reading.avoid else Finding.FOR
    excludes = reading.perspective != "cuisine" or reading.focus.casefold() in cues().nations
    if excludes and reading.perspective in _EXCLUSIVE and key == reading.perspective:
        return Finding.FOR if reading.avoid else Finding.AGAINST
    return None
