"""What one sentence of a note says of a wish, in its scope: by rule where it names it, otherwise by similarity (METHOD
7.1, 12)."""

import re
from collections.abc import Sequence
from functools import lru_cache

from pdgf.constraints.ages import child_ages
from pdgf.constraints.amounts import amounts, prices
from pdgf.constraints.diets import is_allergy, is_food, kept_away, names_allergen
from pdgf.engines.builtin.features import FeatureReading
from pdgf.engines.builtin.findings import (
    Finding,
    absence_said,
    content_words,
    mentioned,
    merely_few,
    of_somebody_else,
    speaks_of_the_last,
    unwanted,
)
from pdgf.engines.builtin.food.kept_away import NO_PROMISE, TOLERATED, kept_away_finding
from pdgf.engines.builtin.hedges import sends_away
from pdgf.engines.builtin.lexicon import concept_mentions
from pdgf.engines.builtin.other_senses import only_in_another_sense
from pdgf.engines.builtin.pairs import pair_finding, pair_wished
from pdgf.engines.builtin.polarity import Degree, is_only_a_verb, stem

RELATED = 0.33  # cosine below which a sentence does not speak of the wish (METHOD 12, measured on MiniLM)
MATCHING = 0.5  # cosine from which it matches where it shares a word with the wish
SAME = 0.55  # cosine from which it matches in words of its own; below lie near things of another kind, and opposites
OF_ITS_OWN = 0.3  # cosine to the wish alone below which a sentence is near its scope and not the wish
SAME_SCOPE = 0.4  # cosine to the wish in its scope from which a sentence is taken to stand inside that scope
FACT = re.compile(r"^(?P<key>[A-Z][a-z]+(?: [a-z-]+){0,3}): (?P<value>\S.*)$")
_AGES = frozenset({"old", "older", "new", "newer"})  # of the item; "an old governess" says nothing of it


def sentence_finding(
    reading: FeatureReading, passage: str, sentence: str, focus: float, scope: float
) -> Finding | None:
    """What a sentence of a passage says of a wish, given the cosines of the sentence to the wish alone and in its
    scope, both in [-1, 1]; None where it does not speak of it."""
    if is_measured(reading.focus) or (reading.perspective == "price" and prices(reading.focus)):
        return None  # a wish in numbers is settled by numbers, which stand in the metadata
    if (food := kept_away_from(reading)) is not None and not FACT.match(sentence):
        return kept_away_finding(sentence, food, told=food not in TOLERATED)
    if (pair := pair_wished(reading.focus, reading.perspective)) is not None:
        return pair_finding(reading, pair, sentence)
    if reading.focus.casefold() in _AGES:
        return None
    degree, whole = mentioned(reading, sentence)
    if degree is not None and only_in_another_sense(reading, sentence):
        return None
    if reading.as_a_whole and not whole:
        return None
    inside = _inside_scope(reading, passage, sentence, scope)
    if degree is None:
        if any(is_only_a_verb(sentence, word) for word in content_words(reading.focus)[-1:]):
            return None
        if reading.avoid or reading.perspective in ("creator", "format") or sends_away(sentence):
            return None
        similarity = max(focus, scope if inside else 0.0)
        if similarity < RELATED or (reading.contexts and focus < OF_ITS_OWN):
            return None
        same = similarity >= (MATCHING if shares_words(reading.focus, sentence) else SAME)
        return Finding.FOR if same and inside and not is_named(reading) else Finding.PARTLY
    if reading.perspective == "prominence" and not _speaks_of(reading.contexts, sentence):
        return None
    if degree is Degree.NONE and not inside:
        return None
    if reading.perspective == "diet" and NO_PROMISE.search(sentence):
        return Finding.AGAINST  # what nobody answers for is not safe to eat
    if reading.avoid:
        elsewhere = degree is Degree.NONE and of_somebody_else(reading, sentence)
        if not speaks_of_the_last(reading, sentence):
            return None
        denied = elsewhere or (degree is Degree.NONE and not absence_said(reading, sentence))
        few = degree is Degree.NONE and merely_few(reading, sentence)
        return None if denied else unwanted(reading, Degree.MILD if few else degree)
    if degree is Degree.NONE:
        return Finding.AGAINST if whole else None
    if not inside or not whole:
        return Finding.PARTLY if max(focus, scope) >= RELATED / 2 else None
    return Finding.FOR if degree >= Degree.PLAIN or _asks_for_little(reading) else Finding.PARTLY


@lru_cache(maxsize=4_096)
def kept_away_from(reading: FeatureReading) -> str | None:
    """The food that somebody who has a wish must not have, as `kept_away_finding` takes it; None for other wishes."""
    if reading.avoid and reading.perspective == "diet":
        return reading.focus.casefold() if is_food(reading.focus) else None
    return None if reading.avoid else kept_away(reading.focus)


def is_silent_on_allergy(reading: FeatureReading, passage: str) -> bool:
    """Whether a note that is quoted for an allergy, or for what a diet leaves out, does not name it; a list of
    ingredients names all there is."""
    needed = is_allergy(reading.focus) or (reading.avoid and reading.perspective == "diet")
    return needed and not FACT.match(passage) and not names_allergen(reading.focus, passage)


@lru_cache(maxsize=20_000)
def shares_words(focus: str, sentence: str) -> bool:
    """Whether a sentence has a content word of a wish, inflected or not."""
    return any(re.search(rf"\b{re.escape(stem(word))}", sentence, re.IGNORECASE) for word in content_words(focus))


def _asks_for_little(reading: FeatureReading) -> bool:
    return reading.perspective == "prominence"


@lru_cache(maxsize=4_096)
def is_measured(focus: str) -> bool:
    """Whether a wish is a limit in numbers or an age."""
    return bool(amounts(focus) or child_ages(focus))


def is_named(reading: FeatureReading) -> bool:
    """Whether the lexicon knows the wish, so that a sentence silent on it is probably about something else."""
    return bool(concept_mentions(reading.focus))


def _inside_scope(reading: FeatureReading, passage: str, sentence: str, scope: float) -> bool:
    """Whether what a sentence says is said of the wish's own scope: its nearest ancestors, by word or by similarity."""
    if not reading.contexts:
        return True
    near = reading.contexts[-2:]
    return (
        scope >= MATCHING
        or (_speaks_of(near, passage) and scope >= RELATED / 2)
        or (scope >= SAME_SCOPE and _speaks_of(near, sentence))
    )


def _speaks_of(scopes: Sequence[str], text: str) -> bool:
    """Whether a text names one of the scopes, by its concept or by its words."""
    for scope in scopes:
        mentions = concept_mentions(scope)
        if any(mention.concept.asserting.search(text) for mention in mentions):
            return True
        if not mentions and any(
            re.search(rf"\b{re.escape(stem(word))}", text, re.IGNORECASE) for word in content_words(scope)
        ):
            return True
    return False
