"""What a line of metadata says about a wish: numbers by numbers, levels by degree, names by being there or not."""

import re
from collections.abc import Mapping
from dataclasses import replace

from pdgf.constraints.amounts import prices
from pdgf.constraints.diets import diet_without, holds_food
from pdgf.constraints.formats import FORMAT_KEYS, says_form
from pdgf.constraints.metadata import fold
from pdgf.constraints.nations import countries_of, country_named, origin_asked
from pdgf.constraints.spelling import respelt
from pdgf.constraints.words import either
from pdgf.engines.builtin.features import FeatureReading
from pdgf.engines.builtin.findings import Finding, content_words, literal_mention, unwanted
from pdgf.engines.builtin.lexicon import Mention, concept_mentions, cues
from pdgf.engines.builtin.measures import compare_measure
from pdgf.engines.builtin.polarity import Degree, level_of, stem
from pdgf.temporal import violates, year_constraint

FOR_CHILDREN, NOT_FOR_CHILDREN = 8, 12  # "suitable from age" up to which "for kids" is met, and from which it is not
# Facts that hold one kind of thing and so exclude others
_EXCLUSIVE = frozenset({"location", "language", "cuisine", "country"})
_SAYS_NO_MORE = either("dish|dishes|food|foods|meal|meals|menu|mains|option|options|choice|choices|place|places|spot")
_KEYS_OF_PERSPECTIVE: Mapping[str, frozenset[str]] = {
    "location": frozenset({"location", "district", "town", "city", "address"}),
    "language": frozenset({"language", "original_language"}),
    "country": frozenset({"country"}),
    "cuisine": frozenset({"cuisine", "cuisines", "categories", "dishes", "kind"}),
    "creator": frozenset({"director", "author", "cast", "studio", "creators"}),
    "dish": frozenset({"dishes", "cuisine"}),
}


def fact_finding(reading: FeatureReading, key: str, value: str) -> Finding | None:
    """What a metadata line says about a wish; a line about another key says nothing. Of permitted alternatives the
    best one counts, of unwanted ones the worst."""
    if len(reading.alternatives) > 1 and not prices(reading.focus):
        parts = [replace(reading, focus=part, alternatives=(part,)) for part in reading.alternatives]
        found = [finding for part in parts if (finding := _fact_finding(part, key, value)) is not None]
        return (min(found) if reading.avoid else max(found)) if found else None
    return _fact_finding(reading, key, value)


def _fact_finding(reading: FeatureReading, key: str, value: str) -> Finding | None:
    if reading.perspective == "era" and key == "year" and value.isdecimal():
        return _of_period(reading, int(value))
    if reading.perspective == "diet" and reading.avoid and key == "diets" and (diet := diet_without(reading.focus)):
        named = re.sub(r"[\s-]+", " ", value.casefold())
        return Finding.FOR if diet in named.split(", ") else None
    if (by_key := _said_by_key(reading, key, value)) is not None:
        return by_key
    measured = compare_measure(reading.focus, key, value)
    if measured is not None:
        return Finding.FOR if measured != reading.avoid else Finding.AGAINST
    if reading.perspective == "format" and key in FORMAT_KEYS:
        said = says_form(reading.focus, value)
        if said is not None:
            return Finding.FOR if said != reading.avoid else Finding.AGAINST
    if key in _KEYS_OF_PERSPECTIVE.get(reading.perspective, frozenset()):
        return _named_value(reading, key, value)
    for mention in concept_mentions(reading.focus):
        if mention.concept.name == "children_audience" and key == "suitable_from_age" and not reading.avoid:
            return _suits_children(value)
        if key in mention.concept.denied_by and (level := level_of(value, mention.concept)) is not None:
            return Finding.FOR if (level is Degree.NONE) != reading.avoid else Finding.AGAINST
        if mention.concept.name == "death" and key == "violence" and reading.avoid:
            return Finding.AGAINST if level_of(value, mention.concept) is Degree.STRONG else None
        if key not in mention.concept.facts:
            continue
        degree = level_of(value, mention.concept)
        if degree is None:
            continue
        if reading.avoid:
            return unwanted(reading, degree)
        if degree is Degree.NONE:
            return Finding.AGAINST
        whole = degree >= Degree.PLAIN and _says_as_much(reading.focus, mention, key, value)
        return Finding.FOR if whole else Finding.PARTLY
    if key == "country" and (countries := origin_asked(reading.focus)):
        here = bool(set(countries) & {fold(part) for part in value.split(",")})
        return Finding.FOR if here != reading.avoid else Finding.AGAINST
    if key == "country" and (countries := country_named(reading.focus)):
        # Where it was made is no proof of where it is set, and a doubt or a hint of it
        return Finding.PARTLY if set(countries) & {fold(part) for part in value.split(",")} else None
    degree, whole = literal_mention(reading.focus, value)
    if degree is None or not whole or reading.contexts or concept_mentions(reading.focus):
        return None
    return Finding.FOR if (degree is Degree.NONE) == reading.avoid else Finding.AGAINST


def _said_by_key(reading: FeatureReading, key: str, value: str) -> Finding | None:
    """A yes or no under a key that a form is called by: "Black and white: yes" for "an old black-and-white film"."""
    holds = {"yes": True, "no": False}.get(value.strip().casefold())
    words = re.sub(r"[\s-]+", " ", reading.focus.casefold())
    if (
        holds is None
        or reading.perspective != "format"
        or not re.search(rf"\b{re.escape(key.replace('_', ' '))}\b", words)
    ):
        return None
    return Finding.FOR if holds != reading.avoid else Finding.AGAINST


def _of_period(reading: FeatureReading, year: int) -> Finding | None:
    """Whether a year lies in the period that is asked for; where that depends on today ("recent"), what the year rule
    has let through does."""
    period = year_constraint(reading.focus, mode="explicit", current_year=0)
    if period is None:
        return None
    return Finding.AGAINST if violates(period, year) != reading.avoid else Finding.FOR


def _says_as_much(focus: str, mention: Mention, key: str, value: str) -> bool:
    """Whether a value says all that the wish does: a genre by its name covers no kind of it ("a heist film"), and a
    car park no "car park of its own"."""
    named = focus[mention.start : mention.end]
    if key == "genres":
        return bool(mention.concept.names.fullmatch(named)) or _holds(value, content_words(named))
    words = content_words(f"{focus[: mention.start]} {focus[mention.end :]}")
    rest = tuple(word for word in words if word not in _SAYS_NO_MORE)
    return not rest or bool(concept_mentions(" ".join(rest))) or _holds(value, rest)


def _countries(said: str) -> tuple[str, ...]:
    """The countries that words stand for: "Japanese", "made in Japan", "from Europe"."""
    bare = said.removeprefix("made in ").removeprefix("from ")
    return (bare, *countries_of(bare))


def _holds(value: str, words: tuple[str, ...]) -> bool:
    return all(re.search(rf"(?<!\w){re.escape(stem(word))}", value, re.IGNORECASE) for word in words)


def _suits_children(value: str) -> Finding | None:
    """What an age says about children of no stated age."""
    age = re.search(r"\d+", value)
    if age is None:
        return None
    if int(age[0]) <= FOR_CHILDREN:
        return Finding.FOR
    return Finding.AGAINST if int(age[0]) >= NOT_FOR_CHILDREN else Finding.PARTLY


def _named_value(reading: FeatureReading, key: str, value: str) -> Finding | None:
    """A place, language or name is among the values or, where a key holds one kind of thing, excluded by them."""
    if (
        reading.avoid
        and reading.perspective == "dish"
        and any(holds_food(said, value) for said in reading.alternatives)
    ):
        return Finding.AGAINST
    here = any(
        re.search(rf"(?<!\w){re.escape(respelt(part).text.casefold())}(?!\w)", value.casefold())
        for said in reading.alternatives
        for part in (said, *(_countries(said) if key == "country" else ()))
    )
    if here:
        return Finding.AGAINST if reading.avoid else Finding.FOR
    if reading.perspective == "creator":
        return Finding.FOR if reading.avoid else None
    excludes = reading.perspective != "cuisine" or respelt(reading.focus).text.casefold() in cues().nations
    if excludes and reading.perspective in _EXCLUSIVE and key == reading.perspective:
        return Finding.FOR if reading.avoid else Finding.AGAINST
    return None
