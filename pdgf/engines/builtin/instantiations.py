"""The instantiations of a wish phrase: its head, and the modifiers before it that have a perspective of their own."""

import re
from dataclasses import dataclass, replace
from itertools import islice

from pdgf.constraints.diets import diet_without, is_food
from pdgf.constraints.refusals import refuses_food
from pdgf.constraints.spelling import respelt
from pdgf.engines.builtin.lexicon import concept_mentions, without_overlap
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


_SAID_OF_THE_ITEM = frozenset({"genre", "format", "country", "language", "era", "length"})
_ENDINGS = ("s", "es", "ed", "ing", "er", "est", "ly")
MOST_WORDS = 12  # of a name of the catalogue; a phrase may have thousands, of which each stretch would be looked up
_JOINT = re.compile(r"[\s,-]*(?:(?:of|at|the|an?)\s+)*", re.IGNORECASE)  # between a modifier and what follows it


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
    if phrase.is_clause:
        return [Segment(start=0, end=len(text), perspective="theme", concept=None)]
    named = _named(text, phrase, vocabulary)
    if not named:
        return [Segment(start=0, end=len(text), perspective=_default_perspective(text, phrase), concept=None)]
    if phrase.avoid and refuses_food(phrase.strength) and is_food(text):
        return [Segment(start=0, end=len(text), perspective=_of_food(text), concept=None)]
    if phrase.alternatives:
        return _alternatives(text, named)
    if len(named) > 1 and named[-1].perspective == "prominence" and named[-1].end == len(text):
        part = named.pop()  # "romance on the side": how much of it, after what it is
        return [*_cut(text[: part.start].rstrip(), named, phrase, vocabulary), part]
    return _cut(text, named, phrase, vocabulary)


def _cut(text: str, named: list[Segment], phrase: Phrase, vocabulary: Vocabulary) -> list[Segment]:
    """A phrase as its head and the modifiers before it."""
    segments: list[Segment] = []
    begin = 0
    for position, segment in enumerate(named):
        last = position == len(named) - 1
        modifies = segment.perspective in _MODIFIERS or segment.perspective in vocabulary.column_names
        if not last and segment.perspective == "content" and not phrase.avoid:  # "scary science fiction"
            modifies = named[position + 1].perspective in ("genre", "format")
        if not last and (not modifies or segment.perspective == named[position + 1].perspective):
            continue
        end = len(text) if last else segment.end
        segments.append(replace(segment, start=begin, end=end))
        joint = _JOINT.match(text, end)
        begin = joint.end() if joint else end
    if (
        len(segments) > 1
        and text[named[-1].end :].strip()
        and not phrase.headless
        and named[-1].perspective in _MODIFIERS
    ):
        return [replace(named[-1], start=0, end=len(text))]
    return segments


def _alternatives(text: str, named: list[Segment]) -> list[Segment]:
    """ "cheap ramen or pho": a modifier of both, and the two as one wish. Of different perspectives they are two."""
    first = named[0]
    turn = next((i for i, segment in enumerate(named) if segment.perspective != first.perspective), len(named))
    if 0 < turn < len(named):
        last, other = named[turn - 1], named[turn]
        said_between = re.search(r"\s+or\b", text[last.end : other.start], re.IGNORECASE)
        if said_between:
            end = last.end + said_between.start()
            return [replace(first, start=0, end=end), _alternative(text, other, last.end + said_between.end())]
        if turn > 1:  # "vegan or gluten-free lunch"
            return [replace(first, start=0, end=last.end), replace(other, end=len(text))]
    modifies = len(named) > 1 and first.perspective in _MODIFIERS and named[1].perspective != first.perspective
    if modifies and " or " not in text[: named[1].start]:
        return [replace(first, start=0), replace(named[1], end=len(text))]
    return [replace(first, start=0, end=len(text))]


def _alternative(text: str, segment: Segment, start: int) -> Segment:
    """The other alternative, without the small words before it ("or something sad")."""
    small = re.match(r"\s*(?:(?:an?|some|the|something|somewhere|anything)\s+)*", text[start:], re.IGNORECASE)
    return replace(segment, start=start + (small.end() if small else 0), end=len(text))


def _named(text: str, phrase: Phrase, vocabulary: Vocabulary) -> list[Segment]:
    """Concepts and catalogue values named in the phrase, in order; where they overlap the longer name wins."""
    found = [
        Segment(start=start, end=end, perspective=perspective, concept=None)
        for start in _starts(text)
        for end in _ends(text, start)
        if (perspective := _perspective_in(text, (start, end), phrase, vocabulary))
    ]
    for mention in concept_mentions(text):
        start, end = _whole_compound(text, mention.start, mention.end)
        concept = mention.concept
        found.append(Segment(start=start, end=end, perspective=concept.perspective, concept=concept.name))
    found.sort(key=lambda segment: (segment.start - segment.end, _precedence(segment), segment.start))
    return _of_the_item(text, without_overlap(found), vocabulary)


def _perspective_in(text: str, span: tuple[int, int], phrase: Phrase, vocabulary: Vocabulary) -> str | None:
    """The perspective of the catalogue's value, or the part of a maker's name, that stands in a phrase."""
    words = text[slice(*span)]
    said = normalised(respelt(words).text.replace("-", " "))
    if said in vocabulary.values:
        return vocabulary.values[said]
    if said in vocabulary.parts:
        alone = phrase.maker and span == (0, len(text))
        return "creator" if alone or _is_a_name(text, span, phrase, vocabulary) else None
    if said in vocabulary.nationalities:
        return "country"
    meant = vocabulary.meant_by(words)
    if meant is None:
        return None
    return vocabulary.values.get(normalised(re.sub(r"[\s-]+", " ", meant)), "creator")


def _is_a_name(text: str, span: tuple[int, int], phrase: Phrase, vocabulary: Vocabulary) -> bool:
    """Whether the words are a name by themselves: "a Lynch mystery", but not "King Arthur"."""
    before, after = re.search(r"([\w'’-]+)[ -]+$", text[: span[0]]), re.match(r"[ -]+([\w'’-]+)", text[span[1] :])
    beside = [found[1] for found in (before, after) if found]
    if any(word[0].isupper() and word.casefold() in phrase.proper for word in beside):
        return False
    word = text[slice(*span)].split()[-1].casefold()
    strange = bool(vocabulary.english) and word not in vocabulary.english
    alone = span == (0, len(text)) and phrase.avoid and bool(vocabulary.english)
    if alone and not any(f"{word}{ending}" in vocabulary.english for ending in _ENDINGS):
        return (
            True  # "no nolan", by somebody who types no capitals: a word of English would be known in other forms too
        )
    return text[span[0]].isupper() and (word in phrase.proper or strange)


def _of_the_item(text: str, named: list[Segment], vocabulary: Vocabulary) -> list[Segment]:
    """Without nationalities of somebody in the story: "a British comedy" is from there, "a British soldier" is not."""
    nations = [s for s in named if text[s.start : s.end].casefold() in vocabulary.nationalities]
    last = nations[-1] if nations else None
    if last is None or not text[last.end :].strip():
        return named
    after = [segment for segment in named if segment.start >= last.end]
    of_item = _SAID_OF_THE_ITEM | vocabulary.said_of_item
    if after and all(segment.perspective in of_item for segment in after):
        names = [normalised(text[s.start : s.end]) for s in after if s.perspective == "genre"]
        known = all(name in vocabulary.values or _names_its_concept(name) for name in names)
        return named if known else [segment for segment in named if segment not in nations]
    return [segment for segment in named if segment not in nations]


def _names_its_concept(words: str) -> bool:
    return any(mention.concept.names.fullmatch(words) for mention in concept_mentions(words))


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
    """Where the words after a start end, so far as one name may reach."""
    ends = (
        i
        for i in range(start + 1, len(text) + 1)
        if text[i - 1].isalnum() and (i == len(text) or not text[i].isalnum())
    )
    return list(islice(ends, MOST_WORDS))


def perspective_of(text: str, phrase: Phrase, vocabulary: Vocabulary) -> str | None:
    """The perspective of a phrase's head where its words name one; None for words that nothing knows."""
    named = _named(text, phrase, vocabulary) if phrase.quantity is None else []
    return named[-1].perspective if named else None


def _of_food(text: str) -> str:
    """The perspective of a food that somebody leaves out: a diet where one is called by it."""
    return "dish" if diet_without(text) is None else "diet"


def _default_perspective(text: str, phrase: Phrase) -> str:
    if phrase.avoid and is_food(text):
        return _of_food(text)
    if phrase.maker and phrase.proper:
        return "creator"
    if phrase.avoid:
        return "content"
    if phrase.link is not None and phrase.link.aspect is Aspect.MANNER:
        return "manner"
    return "quality" if phrase.headless else "theme"
