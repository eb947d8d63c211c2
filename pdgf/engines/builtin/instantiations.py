"""The instantiations of a wish phrase: its head, and the modifiers before it that have a perspective of their own."""

from dataclasses import dataclass, replace

from pdgf.engines.builtin.lexicon import concept_mentions
from pdgf.engines.builtin.phrases import Phrase
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Aspect, normalised

# Wishes about the item as a whole, whatever they stand next to: they qualify no other wish.
ITEM_FACETS = frozenset(
    {
        "location",
        "price",
        "parking",
        "audience",
        "language",
        "country",
        "wait",
        "diet",
        "meal",
        "amenity",
        "noise",
        "length",
        "atmosphere",
        "service",
    }
)
# Perspectives that a modifier may have of its own beside its head ("quiet Italian place", "slow-burn mystery").
_MODIFIERS = frozenset(
    {
        "pace",
        "tone",
        "noise",
        "price",
        "cuisine",
        "diet",
        "location",
        "country",
        "language",
        "format",
        "atmosphere",
        "length",
        "audience",
        "quality",
    }
)


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A piece of a phrase that is one instantiation."""

    start: int
    end: int
    perspective: str
    concept: str | None


def segments_of(text: str, phrase: Phrase, vocabulary: Vocabulary) -> list[Segment]:
    """The instantiations of a phrase: its head, and before it the modifiers that have a perspective of their own."""
    if phrase.quantity is not None:
        return [Segment(start=0, end=len(text), perspective=phrase.quantity.perspective, concept=None)]
    named = _named(text, vocabulary)
    if not named:
        return [Segment(start=0, end=len(text), perspective=_default_perspective(phrase), concept=None)]
    if phrase.alternatives:
        return _alternatives(text, named)
    segments: list[Segment] = []
    begin = 0
    for position, segment in enumerate(named):
        last = position == len(named) - 1
        if not last and (
            segment.perspective not in _MODIFIERS or segment.perspective == named[position + 1].perspective
        ):
            continue
        end = len(text) if last else segment.end
        segments.append(replace(segment, start=begin, end=end))
        begin = end + (len(text[end:]) - len(text[end:].lstrip(" -,")))
    if (
        len(segments) > 1
        and text[named[-1].end :].strip()
        and not phrase.headless
        and named[-1].perspective in _MODIFIERS
    ):
        return [replace(named[-1], start=0, end=len(text))]
    return segments


def _alternatives(text: str, named: list[Segment]) -> list[Segment]:
    """ "cheap ramen or pho": a modifier of both, and the two as one wish."""
    first = named[0]
    if len(named) > 1 and first.perspective in _MODIFIERS and " or " not in text[: named[1].start]:
        return [replace(first, start=0), replace(named[1], end=len(text))]
    return [replace(first, start=0, end=len(text))]


def _named(text: str, vocabulary: Vocabulary) -> list[Segment]:
    """Concepts and catalogue values named in the phrase, in order; where they overlap the longer name wins."""
    found = [
        Segment(start=start, end=end, perspective=perspective, concept=None)
        for start in _starts(text)
        for end in _ends(text, start)
        if (perspective := vocabulary.values.get(normalised(text[start:end].replace("-", " "))))
    ]
    for mention in concept_mentions(text):
        start, end = _whole_compound(text, mention.start, mention.end)
        concept = mention.concept
        found.append(Segment(start=start, end=end, perspective=concept.perspective, concept=concept.name))
    found.sort(key=lambda segment: (segment.start - segment.end, _precedence(segment), segment.start))
    kept: list[Segment] = []
    for segment in found:
        if all(segment.end <= other.start or segment.start >= other.end for other in kept):
            kept.append(segment)
    return sorted(kept, key=lambda segment: segment.start)


def _precedence(segment: Segment) -> int:
    """Of two readings of the same words: a concept about the item as a whole, a catalogue's value, another concept."""
    if segment.concept is None:
        return 1
    return 0 if segment.perspective in ITEM_FACETS else 2


def _whole_compound(text: str, start: int, end: int) -> tuple[int, int]:
    """The hyphenated word around a piece of it: "kid-friendly" is one wish, not two."""
    while start > 1 and text[start - 1] == "-" and text[start - 2].isalnum():
        start -= 1
        while start > 0 and text[start - 1].isalnum():
            start -= 1
    while end + 1 < len(text) and text[end] == "-" and text[end + 1].isalnum():
        end += 1
        while end < len(text) and text[end].isalnum():
            end += 1
    return start, end


def _starts(text: str) -> list[int]:
    return [i for i in range(len(text)) if text[i].isalnum() and (i == 0 or not text[i - 1].isalnum())]


def _ends(text: str, start: int) -> list[int]:
    return [
        i
        for i in range(start + 1, len(text) + 1)
        if text[i - 1].isalnum() and (i == len(text) or not text[i].isalnum())
    ]


def _default_perspective(phrase: Phrase) -> str:
    if phrase.avoid:
        return "content"
    if phrase.link is not None and phrase.link.aspect is Aspect.MANNER:
        return "manner"
    return "quality" if phrase.headless else "theme"
