"""Wishes for a kind of a kind ("a courtroom drama", "a legal thriller", "a family saga") (METHOD 7.1, 12).

What such words have before the last one tells the wanted kind from its sisters. A text that speaks only of the last one
("Genres: drama") meets a part of the wish, and of an unwanted kind it shows nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pdgf.constraints.words import either
from pdgf.engines.builtin.features import FeatureReading
from pdgf.engines.builtin.findings import Finding, content_words
from pdgf.engines.builtin.lexicon import concept_mentions, concepts, cues
from pdgf.engines.builtin.opinions.words import lists
from pdgf.engines.builtin.polarity import Degree, concept_events, literal_events

# Kinds by their form, which are no genre of their own
_FORMS = either("saga|sagas|procedural|procedurals|caper|capers|whodunit|whodunits")
# What is said of any kind: age, fame and length are for other lines of an item
_SAYS_NO_KIND = either(
    "classic|classics|old|older|modern|contemporary|recent|popular|famous|true|pure|typical|traditional|short|long"
    "|gritty|tense|strong|light|heavy|quiet|loud|rich|big|small|low-budget|high-stakes"
    "|another|longer|shorter|newer|award-winning|acclaimed|must-see|underrated|foreign|independent|indie"
)
_QUALITY = re.compile(r".(?:ful|ous|ive|less|ing|ed|ish|ly|gent)$")
_KINDS = frozenset({"genre", "theme", "setting"})
Quotes = Mapping[Finding, tuple[float, str]]


@dataclass(frozen=True)
class CompoundKind:
    """The parts of a compound: concepts and words that tell it apart, and what names the wider kind."""

    concepts: tuple[str, ...]
    words: tuple[str, ...]
    head: str  # a concept, or a word where `head_is_word`
    head_is_word: bool = False


@lru_cache(maxsize=4_096)
def compound_kind(focus: str, perspective: str) -> CompoundKind | None:
    """The parts of a wish for a kind of a kind; None for every other wish."""
    if perspective != "genre" or re.search(r"\bor\b", focus):
        return None
    found = concept_mentions(focus)
    last = focus.rstrip().rsplit(maxsplit=1)[-1].casefold() if focus.strip() else ""
    end = len(focus.rstrip())
    head = next((mention for mention in found if mention.end == end and "genres" in mention.concept.facts), None)
    if head is None and last not in _FORMS:
        return None
    start = end - len(last) if head is None else head.start
    before = [mention for mention in found if mention.end <= start]
    rest = focus[:start]
    for mention in reversed(before):
        rest = f"{rest[: mention.start]} {rest[mention.end :]}"
    words = tuple(word for word in content_words(rest) if not _is_a_quality(word))
    own = tuple(mention.concept.name for mention in before if mention.concept.perspective in _KINDS)
    if not own and not words:
        return None
    if head is None:
        return CompoundKind(concepts=own, words=words, head=last, head_is_word=True)
    return CompoundKind(concepts=own, words=words, head=head.concept.name)


def of_the_whole(reading: FeatureReading, best: Quotes, pieces: Sequence[tuple[str, tuple[str, str] | None]]) -> Quotes:
    """The findings on a wish for a compound kind: in full only where its first part is named as well. `pieces` are
    (sentence, fact) of the text. An item that is listed under the wider kind has the whole when a note names what tells
    the wanted kind apart by its own name; otherwise one sentence names both."""
    kind = compound_kind(reading.focus, reading.perspective)
    if kind is None:
        return best
    if reading.avoid:
        return {finding: found for finding, found in best.items() if _names_both(kind, found[1])}
    telling = [sentence for sentence, _ in pieces if _tells_apart(kind, sentence)]
    whole = [sentence for sentence in telling if _names_head(kind, sentence)]
    if not whole and any(fact is not None and fact[0] == "genres" and _names_head(kind, fact[1]) for _, fact in pieces):
        whole = [sentence for sentence in telling if _by_its_name(kind, sentence)]
    kept: dict[Finding, tuple[float, str]] = {one: found for one, found in best.items() if one is not Finding.FOR}
    if whole:
        weight, quote = best.get(Finding.FOR, (0.0, ""))
        return {**kept, Finding.FOR: (weight, quote if quote in whole else whole[0])}
    if Finding.FOR in best:
        kept[Finding.PARTLY] = max(kept.get(Finding.PARTLY, (-2.0, "")), best[Finding.FOR])
    elif telling and not kept and not kind.words:
        kept[Finding.PARTLY] = (0.0, telling[0])
    return kept


@lru_cache(maxsize=100_000)
def _tells_apart(kind: CompoundKind, sentence: str) -> bool:
    """Whether a sentence asserts all that tells a kind from its sisters."""
    return all(_asserted(name, sentence) for name in kind.concepts) and all(
        any(event.degree is not Degree.NONE for event in literal_events(sentence, word)) for word in kind.words
    )


def _by_its_name(kind: CompoundKind, sentence: str) -> bool:
    """Whether what tells a kind apart is called by its name: a lawyer makes no courtroom drama."""
    return all(concepts()[name].naming.search(sentence) for name in kind.concepts)


def _is_a_quality(word: str) -> bool:
    """Whether a word says how good, old or long something of a kind is, or how it feels, and tells no kind apart."""
    small = cues().weak_adjectives | cues().weak_adverbs | cues().nations | _SAYS_NO_KIND
    return word in small or bool(_QUALITY.search(word) or lists().good.fullmatch(word) or lists().bad.fullmatch(word))


def _names_both(kind: CompoundKind, text: str) -> bool:
    named = all(concepts()[name].asserting.search(text) for name in kind.concepts)
    return named and all(literal_events(text, word) for word in kind.words) and _names_head(kind, text)


def _asserted(name: str, sentence: str) -> bool:
    return any(event.degree is not Degree.NONE for event in concept_events(sentence, name))


def _names_head(kind: CompoundKind, text: str) -> bool:
    if kind.head_is_word:
        return bool(re.search(rf"\b{re.escape(kind.head)}\b", text, re.IGNORECASE))
    return bool(concepts()[kind.head].asserting.search(text))
