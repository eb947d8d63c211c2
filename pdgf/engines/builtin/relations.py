"""The relation judge without an LLM: label(x, f) from polarity rules, metadata lines and similarity (METHOD 7.1, 12).

Each sentence of x gives a finding about f or none. Rules decide where the lexicon or the literal words name the wish;
otherwise similarity separates unrelated (< .33), partial and supporting (>= .5) text and never contradicts; in words of
its own a sentence must come nearer (>= .55), for what is merely near is often another thing of its kind. A finding
counts in full only inside the scope of f: humour among friends is no humour in the romance.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pdgf.constraints.ages import child_ages
from pdgf.constraints.amounts import amounts, prices
from pdgf.constraints.diets import is_allergy, names_allergen
from pdgf.engines.builtin.child_lines import child_ruling
from pdgf.engines.builtin.compound_kinds import of_the_whole
from pdgf.engines.builtin.features import FeatureReading, read_feature
from pdgf.engines.builtin.findings import (
    Finding,
    absence_said,
    content_words,
    mentioned,
    merely_few,
    of_somebody_else,
    unwanted,
)
from pdgf.engines.builtin.food.judging import dish_texts, dishes_finding, is_judged_by_dishes
from pdgf.engines.builtin.hedges import sends_away
from pdgf.engines.builtin.lexicon import concept_mentions
from pdgf.engines.builtin.likeness import likeness_finding
from pdgf.engines.builtin.listed_kinds import is_graded, is_listed_otherwise
from pdgf.engines.builtin.metadata_lines import fact_finding
from pdgf.engines.builtin.opinions.judging import opined
from pdgf.engines.builtin.other_senses import only_in_another_sense
from pdgf.engines.builtin.pairs import pair_finding, pair_wished
from pdgf.engines.builtin.place_lines import place_ruling
from pdgf.engines.builtin.polarity import Degree, is_only_a_verb, stem
from pdgf.likeness import traits_in
from pdgf.models import Label, RelationLabel
from pdgf.ports import RelationRequest, Vectors
from pdgf.stuffing import sentences_said

RELATED = 0.33  # cosine below which a sentence does not speak of the wish (METHOD 12, measured on MiniLM)
MATCHING = 0.5  # cosine from which it matches where it shares a word with the wish
SAME = 0.55  # cosine from which it matches in words of its own; below lie near things of another kind, and opposites
OF_ITS_OWN = 0.3  # cosine to the wish alone below which a sentence is near its scope and not the wish
SAME_SCOPE = 0.4  # cosine to the wish in its scope from which a sentence is taken to stand inside that scope
# Which sentence is quoted: a metadata line says most plainly what it says, except that a note that speaks of a genre
# says more than the genre's name.
_PLAIN_FACT, _NAMED_GENRE = 2.0, 0.4
_FACT = re.compile(r"^(?P<key>[A-Z][a-z]+(?: [a-z-]+){0,3}): (?P<value>\S.*)$")


@dataclass(frozen=True, kw_only=True)
class _Wish:
    """An f_v with the rows of the vector table that its texts have."""

    reading: FeatureReading
    focus_row: int
    scope_row: int


_NO_PROMISE = re.compile(
    r"\b(?:cannot|can not|not|never|nothing|nobody|no one|no|none|neither)\b[^.;]{0,40}\b(?:promis|guarante|vouch"
    r"|assur)\w*"
    r"|n['’]t\b[^.;]{0,40}\b(?:promis|guarante|vouch|assur)\w*",
    re.IGNORECASE,
)


def texts_to_encode(requests: Sequence[RelationRequest]) -> list[str]:
    """Every distinct sentence and every text of a wish that `label` needs a vector of, in a stable order."""
    wanted: dict[str, None] = {}
    for request in requests:
        if _alike(request.text, request.feature) is None:
            wanted.update(dict.fromkeys(sentence for _, sentence, _ in _pieces(request.text)))
        reading = read_feature(request.feature)
        wanted.update(dict.fromkeys((reading.focus, scope_text(reading))))
    return list(wanted)


def label(requests: Sequence[RelationRequest], texts: Sequence[str], vectors: Vectors) -> list[RelationLabel]:
    """The labels of (x, f) pairs, given the vectors of `texts_to_encode(requests)`, shape (len(texts), d)."""
    rows = {text: row for row, text in enumerate(texts)}
    wishes = {request.feature: _wish(request.feature, rows) for request in requests}
    wish_rows = sorted({row for wish in wishes.values() for row in (wish.focus_row, wish.scope_row)})
    columns = {row: column for column, row in enumerate(wish_rows)}
    similar = vectors @ vectors[wish_rows].T if len(texts) else np.zeros((0, 0), dtype=np.float32)
    return [
        _alike(request.text, request.feature) or _label(request.text, wishes[request.feature], rows, columns, similar)
        for request in requests
    ]


def _wish(feature: str, rows: Mapping[str, int]) -> _Wish:
    reading = read_feature(feature)
    return _Wish(reading=reading, focus_row=rows[reading.focus], scope_row=rows[scope_text(reading)])


def _alike(text: str, feature: str) -> RelationLabel | None:
    """The label for what is like a named item, where the text lists or tells something that this is known for.

    What an item is listed as says it best; a word of a note ("a family", "the war") may be there by the way. Lists that
    name none of it are silent: nothing that is merely near to names and themes in a row is like what has them all.
    """
    traits = traits_in(feature)
    if not traits:
        return None
    pieces = _pieces(text)
    listed = [sentence for _, sentence, fact in pieces if fact is not None]
    found = likeness_finding(traits, listed or [sentence for _, sentence, _ in pieces])
    if found is None:
        return RelationLabel(label=Label.NOT_ADDRESSED) if listed else None
    return weighed(dict([found]))


def scope_text(reading: FeatureReading) -> str:
    """The wish in its nearest scope, in the user's words where they are known."""
    return reading.gloss or " ".join((reading.focus, *reading.contexts[-1:]))


def _label(
    text: str, wish: _Wish, rows: Mapping[str, int], columns: Mapping[int, int], similar: Vectors
) -> RelationLabel:
    best: dict[Finding, tuple[float, str]] = {}
    pieces = _pieces(text)
    described = dish_texts(pieces) if is_judged_by_dishes(wish.reading) else {}
    if described:
        found = dishes_finding(wish.reading, described)
        if found is not None and found[0] is Finding.PARTLY and _is_silent_on_allergy(wish.reading, found[1]):
            found = None
        elif found is None and not wish.reading.avoid:
            near = max(pieces, key=lambda piece: float(similar[rows[piece[1]], columns[wish.focus_row]]))[1]
            found = (Finding.PARTLY, near) if similar[rows[near], columns[wish.focus_row]] >= MATCHING else None
        return weighed({} if found is None else dict([found]))
    stated = {sentence: fact for _, sentence, fact in pieces if fact is not None}
    ruling = place_ruling(wish.reading, stated)
    if ruling.settled and ruling.finding is not None:
        return weighed({ruling.finding: ruling.quote})
    if ruling.finding is not None:
        best[ruling.finding] = (_PLAIN_FACT, ruling.quote)
    of_genre = wish.reading.perspective == "genre"
    # An item that is listed under a genre is of it, whatever a note says that it is not ("no high fantasy")
    pair = pair_wished(wish.reading.focus, wish.reading.perspective)
    facts = {
        sentence: pair_finding(wish.reading, pair, fact[1]) if pair is not None else fact_finding(wish.reading, *fact)
        for sentence, fact in stated.items()
    }
    listed = of_genre and Finding.FOR in facts.values()
    # What is listed under other genres may have something of this one, and is none of it
    unlisted = not listed and is_listed_otherwise(wish.reading, stated.values())
    # What form an item has, who made it and where stand in its metadata, and so does how much it has of what is graded
    # there: a note that says "film", or "scary", says nothing beside that.
    graded = any(facts[line] is not None and is_graded(wish.reading, key) for line, (key, _) in stated.items())
    settled = graded or (
        wish.reading.perspective in ("format", "creator", "country") and any(f is not None for f in facts.values())
    )
    of_child = child_ruling(wish.reading, stated)
    if of_child is not None and of_child[0] is Finding.AGAINST:
        return weighed(dict([of_child]))
    named = wish.reading.perspective == "creator" and Finding.AGAINST in facts.values()
    for passage, sentence, fact in pieces:
        row = rows[sentence]
        focus = float(similar[row, columns[wish.focus_row]])
        scope = float(similar[row, columns[wish.scope_row]])
        if fact is not None:
            finding = None if ruling.together else facts[sentence]
            weight = _NAMED_GENRE if of_genre else _PLAIN_FACT
        else:
            finding = _sentence_finding(wish.reading, passage, sentence, focus, scope)
            finding = opined(wish.reading, sentence, focus, finding)
            weight = max(focus, scope)
        if (listed and finding is Finding.AGAINST) or (settled and fact is None):
            continue
        if (unlisted or ruling.at_most is Finding.PARTLY) and fact is None and finding is Finding.FOR:
            finding = Finding.PARTLY
        if of_child is not None and finding is Finding.FOR:
            finding = Finding.PARTLY
        if named and finding is Finding.FOR:
            continue  # who acts in a film is in it, whoever directed it
        if finding is not None and weight > best.get(finding, (-2.0, ""))[0]:
            best[finding] = (weight, sentence)
    whole = of_the_whole(wish.reading, best, [(sentence, fact) for _, sentence, fact in pieces])
    return weighed({finding: sentence for finding, (_, sentence) in whole.items()})


def weighed(quotes: Mapping[Finding, str]) -> RelationLabel:
    """The label of all findings, each with its quote: support and contradiction on the same point make PARTIAL with
    both quotes (METHOD 7.1)."""
    if Finding.FOR in quotes and Finding.AGAINST in quotes:
        return RelationLabel(label=Label.PARTIAL, quotes=(quotes[Finding.FOR], quotes[Finding.AGAINST]))
    for finding, chosen in (
        (Finding.FOR, Label.SUPPORT),
        (Finding.AGAINST, Label.CONTRADICTS),
        (Finding.PARTLY, Label.PARTIAL),
    ):
        if finding in quotes:
            return RelationLabel(label=chosen, quotes=(quotes[finding],))
    return RelationLabel(label=Label.NOT_ADDRESSED)


@lru_cache(maxsize=20_000)
def _pieces(text: str) -> tuple[tuple[str, str, tuple[str, str] | None], ...]:
    """(passage, sentence, fact) of every sentence of x; `fact` is (key, value) for a metadata line."""
    found: list[tuple[str, str, tuple[str, str] | None]] = []
    for passage in text.split("\n"):
        match = _FACT.match(passage)
        if match:
            found.append((passage, passage, (match["key"].lower().replace(" ", "_"), match["value"])))
        else:
            found.extend((passage, sentence, None) for sentence in sentences_said(passage))
    return tuple(found)


# ---- one sentence of a note -----------------------------------------------------------------------------------------


def _sentence_finding(
    reading: FeatureReading, passage: str, sentence: str, focus: float, scope: float
) -> Finding | None:
    if is_measured(reading.focus) or (reading.perspective == "price" and prices(reading.focus)):
        return None  # a wish in numbers is settled by numbers, which stand in the metadata
    if is_allergy(reading.focus) and not names_allergen(reading.focus, sentence):
        return None
    if (pair := pair_wished(reading.focus, reading.perspective)) is not None:
        return pair_finding(reading, pair, sentence)
    degree, whole = mentioned(reading, sentence)
    if degree is not None and only_in_another_sense(reading, sentence):
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
    if reading.perspective == "diet" and _NO_PROMISE.search(sentence):
        return Finding.AGAINST  # what nobody answers for is not safe to eat
    if reading.avoid:
        elsewhere = degree is Degree.NONE and of_somebody_else(reading, sentence)
        denied = elsewhere or (degree is Degree.NONE and not absence_said(reading, sentence))
        few = degree is Degree.NONE and merely_few(reading, sentence)
        return None if denied else unwanted(reading, Degree.MILD if few else degree)
    if degree is Degree.NONE:
        return Finding.AGAINST if whole else None
    if not inside or not whole:
        return Finding.PARTLY if max(focus, scope) >= RELATED / 2 else None
    return Finding.FOR if degree >= Degree.PLAIN or _asks_for_little(reading) else Finding.PARTLY


def _is_silent_on_allergy(reading: FeatureReading, passage: str) -> bool:
    """Whether a note that is quoted for an allergy, or for what a diet leaves out, does not name it; a list of
    ingredients names all there is."""
    needed = is_allergy(reading.focus) or (reading.avoid and reading.perspective == "diet")
    return needed and not _FACT.match(passage) and not names_allergen(reading.focus, passage)


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
