"""What a piece of evidence says about a wish, before the pieces are weighed against one another."""

import re
from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache

from pdgf.engines.builtin.features import FeatureReading
from pdgf.engines.builtin.lexicon import Concept, Mention, concept_mentions
from pdgf.engines.builtin.polarity import Degree, Event, concept_events, literal_events
from pdgf.models import Label, RelationLabel

_EMPTY_WORDS = frozenset(
    {"and", "any", "are", "for", "from", "good", "great", "into", "its", "lots", "more", "nice", "plenty", "really"}
    | {"another", "been", "can", "each", "everyone", "first", "had", "has", "have", "her", "him", "his", "how", "never"}
    | {"not", "other", "them", "they", "was", "were", "what", "when", "where", "who", "whose", "you", "your"}
    | {"extremely", "incredibly", "kinda", "seriously", "slightly", "super", "truly", "ultra"}
    | {"some", "stories", "story", "that", "the", "their", "this", "very", "who", "with"}
)


class Finding(IntEnum):
    """What one sentence says about a wish, before the sentences are weighed against one another."""

    AGAINST = 0
    PARTLY = 1
    FOR = 2


def unwanted(reading: FeatureReading, degree: Degree) -> Finding:
    """What a mention of something unwanted means: only much of it counts against "not too" and "not mostly", and even a
    little against "not at all"."""
    if degree is Degree.NONE:
        return Finding.FOR
    if reading.tolerant:
        return {Degree.MILD: Finding.FOR, Degree.PLAIN: Finding.PARTLY}.get(degree, Finding.AGAINST)
    return Finding.PARTLY if degree is Degree.MILD and not reading.utterly else Finding.AGAINST


def mentioned(reading: FeatureReading, sentence: str) -> tuple[Degree | None, bool]:
    """How strongly a sentence speaks of the wish (None: not at all), and whether of the whole of it.

    For permitted alternatives the best one counts; they need not hold together.
    """
    found = [_alternative(part, sentence, avoid=reading.avoid) for part in reading.alternatives]
    spoken = [pair for pair in found if pair[0] is not None]
    return max(spoken, key=lambda pair: (pair[1], pair[0] or 0), default=(None, False))


_FEW = re.compile(
    r"\b(?:(?:very|rather|relatively|comparatively|quite|too) )?"
    r"(?:few|rare(?:ly)?|seldom|sparse(?:ly)?|scarce(?:ly)?|infrequent(?:ly)?|thin on the ground)\b"
    r"|(?:\bnot|n['’]t|\bnever) (?=(?:\w+ly )?(?:dwell|dwelt|linger|gloat)\w*\b)",
    re.IGNORECASE,
)
_OF_ANYBODY = re.compile(
    r"\b(?:nobody|no[- ]one|not? (?:one|a single)|everyone|everybody|no deaths?|nothing|without)\b", re.IGNORECASE
)


def merely_few(reading: FeatureReading, sentence: str) -> bool:
    """Whether a sentence denies something only by saying that it is little: "deaths are few", and those that are "not
    dwelt upon", are there."""
    rest = _FEW.sub(lambda found: " " * len(found[0]), sentence)
    return rest != sentence and (mentioned(reading, rest)[0] or Degree.NONE) > Degree.NONE


def of_somebody_else(reading: FeatureReading, sentence: str) -> bool:
    """Whether what a sentence denies is said of others than the wish: "no animal dies" of "no parent dies"."""
    mentions = concept_mentions(reading.focus)
    if reading.perspective != "theme" or not mentions or _OF_ANYBODY.search(sentence):
        return False
    said = "".join(c for i, c in enumerate(reading.focus) if all(not m.start <= i < m.end for m in mentions))
    words = content_words(said)
    return bool(words) and not any(literal_events(sentence, word) for word in words)


def speaks_of_the_last(reading: FeatureReading, sentence: str) -> bool:
    """Whether a sentence speaks of the last thing that a wish names, of which the others are said: "children will be
    bored" says nothing of "a child dies"."""
    last = [found[-1] for part in reading.alternatives if len(found := concept_mentions(part)) > 1]
    return not last or any(concept_events(sentence, mention.concept.name) for mention in last)


def absence_said(reading: FeatureReading, sentence: str) -> bool:
    """Whether a sentence says that something unwanted is not there, and does not merely deny something of it."""
    found: list[Event] = []
    for part in reading.alternatives:
        for mention in concept_mentions(part):
            found += concept_events(sentence, mention.concept.name)
            if _is_a_part(mention.concept, words := part[mention.start : mention.end]):
                found += literal_events(sentence, words)
        if not concept_mentions(part):
            found += [event for word in content_words(part)[-1:] for event in literal_events(sentence, word)]
    return any(event.degree is Degree.NONE and not event.presupposed for event in found)


def _alternative(words: str, sentence: str, *, avoid: bool) -> tuple[Degree | None, bool]:
    mentions = concept_mentions(words)
    if not mentions:
        return literal_mention(words, sentence)
    found = [_spoken_of(mention, words[mention.start : mention.end], sentence, avoid=avoid) for mention in mentions]
    spoken = [degree for degree, _ in found if degree is not None]
    if not spoken:
        return None, False
    # The first concept of a phrase is its modifier, the specific part: "believable characters"
    return max(spoken), found[0][0] is not None and found[0][1]


def _spoken_of(mention: Mention, words: str, sentence: str, *, avoid: bool) -> tuple[Degree | None, bool]:
    """How strongly a sentence speaks of a concept, and whether of it as it was named. Another kind of it is a part of a
    wish ("boxing" for "football") and nothing that is to be kept away."""
    concept = mention.concept
    if _is_a_part(concept, words) and (own := overall(e.degree for e in literal_events(sentence, words))) is not None:
        return own, True
    if concept.kinds is not None and concept.kinds.fullmatch(words):
        own = overall(event.degree for event in literal_events(sentence, words))
        if own is not None or avoid:
            return own, own is not None
        return overall(event.degree for event in concept_events(sentence, concept.name)), False
    return overall(event.degree for event in concept_events(sentence, concept.name)), True


def _is_a_part(concept: Concept, words: str) -> bool:
    """Whether a concept is called by what is only a part of it: "no nudity" asks for that alone."""
    return concept.parts is not None and bool(concept.parts.fullmatch(words))


def literal_mention(words: str, sentence: str) -> tuple[Degree | None, bool]:
    """A wish outside the lexicon is spoken of where its own words stand."""
    content = content_words(words)
    events = [literal_events(sentence, word) for word in content]
    if not content or not events[-1]:
        return None, False
    return overall(event.degree for event in events[-1]), all(events)


def overall(degrees: Iterable[Degree]) -> Degree | None:
    """What a sentence says in all; asserted and denied in one breath is a little of it."""
    different = set(degrees)
    if Degree.NONE in different and len(different) > 1:
        return Degree.MILD
    return max(different, default=None)


@lru_cache(maxsize=4_096)
def content_words(words: str) -> tuple[str, ...]:
    found = re.findall(r"[^\W\d_][\w'-]{2,}", words.casefold())
    return tuple(word for word in found if word not in _EMPTY_WORDS)


def findings_of(label: RelationLabel) -> dict[Finding, str]:
    """The findings that made a label of the English rules."""
    if label.label is Label.SUPPORT:
        return {Finding.FOR: label.quotes[0]}
    if label.label is Label.CONTRADICTS:
        return {Finding.AGAINST: label.quotes[0]}
    if len(label.quotes) > 1:
        return {Finding.FOR: label.quotes[0], Finding.AGAINST: label.quotes[1]}
    return {Finding.PARTLY: label.quotes[0]}
