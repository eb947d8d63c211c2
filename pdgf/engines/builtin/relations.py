"""The relation judge without an LLM: label(x, f) from polarity rules, metadata lines and similarity (METHOD 7.1, 12).

Each sentence of x gives a finding about f or none. Rules decide where the lexicon or the literal words name the wish;
otherwise similarity separates unrelated (< .33), partial and supporting (>= .5) text and never contradicts; in words of
its own a sentence must come nearer (>= .55), for what is merely near is often another thing of its kind. A finding
counts in full only inside the scope of f: humour among friends is no humour in the romance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pdgf.engines.builtin.child_lines import child_ruling
from pdgf.engines.builtin.compound_kinds import of_the_whole
from pdgf.engines.builtin.features import FeatureReading, read_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.food.judging import dish_texts, dishes_finding, is_judged_by_dishes
from pdgf.engines.builtin.likeness import likeness_finding
from pdgf.engines.builtin.listed_kinds import is_graded, is_listed_otherwise
from pdgf.engines.builtin.metadata_lines import fact_finding
from pdgf.engines.builtin.opinions.judging import opined
from pdgf.engines.builtin.pairs import pair_finding, pair_wished
from pdgf.engines.builtin.place_lines import place_ruling
from pdgf.engines.builtin.sentence_findings import FACT, MATCHING, is_silent_on_allergy, sentence_finding
from pdgf.likeness import traits_in
from pdgf.models import Label, RelationLabel
from pdgf.ports import RelationRequest, Vectors
from pdgf.stuffing import sentences_said

# Which sentence is quoted: a metadata line says most plainly what it says, except that a note that speaks of a genre
# says more than the genre's name.
_PLAIN_FACT, _NAMED_GENRE = 2.0, 0.4


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
        if found is not None and found[0] is Finding.PARTLY and is_silent_on_allergy(wish.reading, found[1]):
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
            finding = sentence_finding(wish.reading, passage, sentence, focus, scope)
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
        match = FACT.match(passage)
        if match:
            found.append((passage, passage, (match["key"].lower().replace(" ", "_"), match["value"])))
        else:
            found.extend((passage, sentence, None) for sentence in sentences_said(passage))
    return tuple(found)
