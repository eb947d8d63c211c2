"""The relation judge without an LLM: label(x, f) from polarity rules, metadata lines and similarity (METHOD 7.1, 12).

Each sentence of x gives a finding about f or none. Rules decide where the lexicon or the literal words name the wish;
otherwise similarity separates unrelated (< .33), partial and supporting (>= .5) text and never contradicts. A finding
counts in full only inside the scope of f: humour among friends is no humour in the romance.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

import numpy as np

from pdgf.constraints.amounts import amounts, child_ages
from pdgf.engines.builtin.features import FeatureReading, read_feature
from pdgf.engines.builtin.lexicon import concept_mentions, cues
from pdgf.engines.builtin.measures import compare_measure
from pdgf.engines.builtin.polarity import Degree, Event, concept_events, level_of, literal_events, stem
from pdgf.models import Label, RelationLabel
from pdgf.ports import RelationRequest, Vectors
from pdgf.texts import sentences

RELATED = 0.33  # cosine below which a sentence does not speak of the wish (METHOD 12, measured on MiniLM)
MATCHING = 0.5  # cosine from which it matches
SAME_SCOPE = 0.4  # cosine to the wish in its scope from which a sentence is taken to stand inside that scope
# Which sentence is quoted: a metadata line says most plainly what it says, except that a note that speaks of a genre
# says more than the genre's name.
_PLAIN_FACT, _NAMED_GENRE = 2.0, 0.4
_FACT = re.compile(r"^(?P<key>[A-Z][a-z]+(?: [a-z-]+){0,3}): (?P<value>\S.*)$")
_EXCLUSIVE = frozenset(
    {"location", "language", "cuisine", "country"}
)  # facts that hold one kind of thing and so exclude others
_KEYS_OF_PERSPECTIVE: Mapping[str, frozenset[str]] = {
    "location": frozenset({"location", "district", "town", "city", "address"}),
    "language": frozenset({"language", "original_language"}),
    "country": frozenset({"country"}),
    "cuisine": frozenset({"cuisine", "cuisines", "categories", "dishes", "kind"}),
    "creator": frozenset({"director", "author", "cast", "studio", "creators"}),
    "dish": frozenset({"dishes", "cuisine"}),
}
_EMPTY_WORDS = frozenset(
    {
        "the",
        "and",
        "with",
        "for",
        "its",
        "their",
        "that",
        "this",
        "into",
        "from",
        "who",
        "are",
        "any",
        "very",
        "really",
        "good",
        "great",
        "nice",
        "lots",
        "plenty",
        "more",
        "some",
        "story",
        "stories",
    }
)


class Finding(IntEnum):
    """What one sentence says about a wish, before the sentences are weighed against one another."""

    AGAINST = 0
    PARTLY = 1
    FOR = 2


@dataclass(frozen=True, kw_only=True)
class _Wish:
    """An f_v with the rows of the vector table that its texts have."""

    reading: FeatureReading
    focus_row: int
    scope_row: int


def texts_to_encode(requests: Sequence[RelationRequest]) -> list[str]:
    """Every distinct sentence and every text of a wish that `label` needs a vector of, in a stable order."""
    wanted: dict[str, None] = {}
    for request in requests:
        wanted.update(dict.fromkeys(sentence for _, sentence, _ in _pieces(request.text)))
        reading = read_feature(request.feature)
        wanted.update(dict.fromkeys((reading.focus, _scope_text(reading))))
    return list(wanted)


def label(requests: Sequence[RelationRequest], texts: Sequence[str], vectors: Vectors) -> list[RelationLabel]:
    """The labels of (x, f) pairs, given the vectors of `texts_to_encode(requests)`, shape (len(texts), d)."""
    rows = {text: row for row, text in enumerate(texts)}
    wishes = {request.feature: _wish(request.feature, rows) for request in requests}
    wish_rows = sorted({row for wish in wishes.values() for row in (wish.focus_row, wish.scope_row)})
    columns = {row: column for column, row in enumerate(wish_rows)}
    similar = vectors @ vectors[wish_rows].T if len(texts) else np.zeros((0, 0), dtype=np.float32)
    return [_label(request.text, wishes[request.feature], rows, columns, similar) for request in requests]


def _wish(feature: str, rows: Mapping[str, int]) -> _Wish:
    reading = read_feature(feature)
    return _Wish(reading=reading, focus_row=rows[reading.focus], scope_row=rows[_scope_text(reading)])


def _scope_text(reading: FeatureReading) -> str:
    """The wish in its nearest scope, in the user's words where they are known."""
    return reading.gloss or " ".join((reading.focus, *reading.contexts[-1:]))


def _label(
    text: str, wish: _Wish, rows: Mapping[str, int], columns: Mapping[int, int], similar: Vectors
) -> RelationLabel:
    best: dict[Finding, tuple[float, str]] = {}
    for passage, sentence, fact in _pieces(text):
        row = rows[sentence]
        focus = float(similar[row, columns[wish.focus_row]])
        scope = float(similar[row, columns[wish.scope_row]])
        if fact is not None:
            finding = _fact_finding(wish.reading, *fact)
            weight = _NAMED_GENRE if wish.reading.perspective == "genre" else _PLAIN_FACT
        else:
            finding = _sentence_finding(wish.reading, passage, sentence, focus, scope)
            weight = max(focus, scope)
        if finding is not None and weight > best.get(finding, (-2.0, ""))[0]:
            best[finding] = (weight, sentence)
    return _weighed(best)


def _weighed(best: Mapping[Finding, tuple[float, str]]) -> RelationLabel:
    """Support and contradiction on the same point make PARTIAL with both quotes (METHOD 7.1)."""
    if Finding.FOR in best and Finding.AGAINST in best:
        return RelationLabel(label=Label.PARTIAL, quotes=(best[Finding.FOR][1], best[Finding.AGAINST][1]))
    for finding, chosen in (
        (Finding.FOR, Label.SUPPORT),
        (Finding.AGAINST, Label.CONTRADICTS),
        (Finding.PARTLY, Label.PARTIAL),
    ):
        if finding in best:
            return RelationLabel(label=chosen, quotes=(best[finding][1],))
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
            found.extend((passage, sentence, None) for sentence in sentences(passage))
    return tuple(found)


# ---- one sentence of a note -----------------------------------------------------------------------------------------


def _sentence_finding(
    reading: FeatureReading, passage: str, sentence: str, focus: float, scope: float
) -> Finding | None:
    if _measured(reading.focus):
        return None  # a wish in numbers is settled by numbers, which stand in the metadata
    degree, whole = _mentioned(reading, sentence)
    inside = _inside_scope(reading, passage, sentence, scope)
    if degree is None:
        if reading.avoid:
            return None
        similarity = max(focus, scope if inside else 0.0)
        if similarity < RELATED or (reading.contexts and focus < RELATED / 2):
            return None
        return Finding.FOR if similarity >= MATCHING and inside and not _named(reading) else Finding.PARTLY
    if reading.perspective == "prominence" and not _speaks_of(reading.contexts, sentence):
        return None
    if degree is Degree.NONE and not inside:
        return None
    if reading.avoid:
        return _unwanted(reading, degree)
    if degree is Degree.NONE:
        return Finding.AGAINST if whole else None
    if not inside or not whole:
        return Finding.PARTLY if max(focus, scope) >= RELATED / 2 else None
    return Finding.FOR if degree >= Degree.PLAIN or _asks_for_little(reading) else Finding.PARTLY


def _unwanted(reading: FeatureReading, degree: Degree) -> Finding:
    """What a mention of something unwanted means: only much of it counts against "not too" and "not mostly"."""
    if degree is Degree.NONE:
        return Finding.FOR
    if reading.tolerant:
        return {Degree.MILD: Finding.FOR, Degree.PLAIN: Finding.PARTLY}.get(degree, Finding.AGAINST)
    return Finding.PARTLY if degree is Degree.MILD else Finding.AGAINST


def _asks_for_little(reading: FeatureReading) -> bool:
    return reading.perspective == "prominence"


def _mentioned(reading: FeatureReading, sentence: str) -> tuple[Degree | None, bool]:
    """How strongly a sentence speaks of the wish (None: not at all), and whether of the whole of it.

    For permitted alternatives the best one counts; they need not hold together.
    """
    found = [_alternative(part, sentence) for part in reading.alternatives]
    spoken = [pair for pair in found if pair[0] is not None]
    return max(spoken, key=lambda pair: (pair[1], pair[0] or 0), default=(None, False))


def _alternative(words: str, sentence: str) -> tuple[Degree | None, bool]:
    mentions = concept_mentions(words)
    if not mentions:
        return _literal(words, sentence)
    degrees = [_overall(concept_events(sentence, mention.concept.name)) for mention in mentions]
    spoken = [degree for degree in degrees if degree is not None]
    if not spoken:
        return None, False
    # The first concept of a phrase is its modifier, the specific part: "believable characters"
    return max(spoken), degrees[0] is not None


@lru_cache(maxsize=4_096)
def _content_words(words: str) -> tuple[str, ...]:
    found = re.findall(r"[^\W\d_][\w'-]{2,}", words.casefold())
    return tuple(word for word in found if word not in _EMPTY_WORDS)


def _literal(words: str, sentence: str) -> tuple[Degree | None, bool]:
    """A wish outside the lexicon is spoken of where its own words stand."""
    content = _content_words(words)
    events = [literal_events(sentence, word) for word in content]
    if not content or not events[-1]:
        return None, False
    return _overall(events[-1]), all(events)


def _overall(events: Sequence[Event]) -> Degree | None:
    """What a sentence says in all; asserted and denied in one breath is a little of it."""
    degrees = {event.degree for event in events}
    if Degree.NONE in degrees and len(degrees) > 1:
        return Degree.MILD
    return max(degrees, default=None)


@lru_cache(maxsize=4_096)
def _measured(focus: str) -> bool:
    return bool(amounts(focus) or child_ages(focus))


def _named(reading: FeatureReading) -> bool:
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
            re.search(rf"\b{re.escape(stem(word))}", text, re.IGNORECASE) for word in _content_words(scope)
        ):
            return True
    return False


# ---- one line of metadata -------------------------------------------------------------------------------------------


def _fact_finding(reading: FeatureReading, key: str, value: str) -> Finding | None:
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
            return _unwanted(reading, degree)
        if degree is Degree.NONE:
            return Finding.AGAINST
        return Finding.FOR if degree >= Degree.PLAIN else Finding.PARTLY
    degree, whole = _literal(reading.focus, value)
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
