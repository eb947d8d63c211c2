"""Items that the user tells of having liked or disliked: references, whatever the list holds (METHOD 4.2, 9.6). Pure.

"I loved Howl's Moving Castle and hated Twilight" is no verdict on a list. What is named so is known to the user: it is
never recommended, and what the list shows of it is seen.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dialogue.engines.cues import Act, Part, cue
from dialogue.engines.names import Named, named
from dialogue.engines.references import Shown
from dialogue.models import ItemRef
from dialogue.spans import Span, overlaps, sentences

_TITLE = re.compile(
    r"(?-i:[A-Z0-9])[\w'’&:.-]*(?:\s+(?:(?:of|the|and|in|a|an|to|for|on|at|with"
    r"|from)\s+){0,2}(?-i:[A-Z0-9])[\w'’&:-]*)*"
    r"(?:\s+\(\d{4}\))?"
)
_BETWEEN = re.compile(
    r"(?:\s*(?:,|&|\b(?:and|or|both|also|all|watching|reading|seeing|eating at|the (?:film|movie|book|anime|novel"
    r"|series)s?)"
    r"\b))*\s*",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\s*(?:$|[,.;:!?()–—-]|(?:and|or|but|so|because|though|although|too|very|for|when|which|who|where|with|as|yet"
    r"|then|a lot"
    r"|most|more|is|was|last|this|on|in)\b)",
    re.IGNORECASE,
)
_JOINT = re.compile(r"\s+and\s+")
_NO_TITLE = re.compile(
    r"(?:i|it|he|she|we|you|they|that|this|those|these|there|yes|yeah|yea|no|oh|ok|okay|and|but|so|well|what"
    r"|everything|all|both"
    r"|something|the (?:first|second|third|last))\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|no|never|\w+n['’]?t)\b", re.IGNORECASE)
_JOINED = re.compile(r"(?:and|but)\s+", re.IGNORECASE)
_LIKE_IT = re.compile(
    r"\b(?:like (?:it|that|this|that one|those)|similar|alike|in (?:that|the same|this) (?:vein|style|spirit)"
    r"|along those lines)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Taste:
    """An item that was liked or disliked. `span` holds the title, `said` the verb before it too; an item that was never
    shown has no id yet."""

    item: ItemRef
    liked: bool
    span: Span
    said: Span


def told_of(text: str, parts: Sequence[Part], shown: Shown) -> tuple[Taste, ...]:
    """The likes and dislikes that the parts of an utterance tell of; a question tells of none."""
    asked = [part.span for part in parts if Act.QUESTION in part.acts]
    return tuple(taste for taste in tastes(text, shown) if not any(overlaps(taste.said, span) for span in asked))


def tastes(text: str, shown: Shown) -> tuple[Taste, ...]:
    """What the text says to have liked or disliked by name, in its order."""
    found: list[Taste] = []
    for start, end in sentences(text):
        against = [match.span() for match in cue("disliked").finditer(text, start, end)]
        both = (match.span() for match in cue("liked").finditer(text, start, end))
        if not any(cue("liked").finditer(text, start, end)):
            against = [span for span in against if not text[slice(*span)].lower().startswith("but ")]
        verbs = sorted(
            [(span, False) for span in against]
            + [(span, True) for span in both if not any(overlaps(span, other) for other in against)]
        )
        for place, ((first, last), liked) in enumerate(verbs):
            limit = verbs[place + 1][0][0] if place + 1 < len(verbs) else end
            joined = _JOINED.match(text, first)
            first = joined.end() if joined else first
            for item, span in _titles(text, last, limit, shown):
                found.append(Taste(item=item, liked=liked, span=span, said=(first, span[1])))
        found += [*_praised(text, (start, end), shown), *_models(text, (start, end), shown)]
    unique = {taste.span: taste for taste in reversed(found)}
    return tuple(unique[span] for span in sorted(unique))


def _praised(text: str, sentence: Span, shown: Shown) -> Iterator[Taste]:
    """ "Amelie was wonderful": what is praised in the past tense, by name, at the start of a sentence."""
    match = cue("was_good").search(text, *sentence)
    if match is None and _LIKE_IT.search(text, sentence[0]):
        match = cue("is_good").search(text, *sentence)
    if match is None:
        return
    for item, span in _titles(text, sentence[0], match.start(), shown):
        if span[1] == match.start():
            yield Taste(item=item, liked=True, span=span, said=(span[0], match.end()))


def _models(text: str, sentence: Span, shown: Shown) -> Iterator[Taste]:
    """ "Something like Shrek": a shown item that another is to be like."""
    for span, group in _named_within(text, sentence, shown):
        match = cue("compared").search(text, sentence[0], span[0])
        against = match is not None and _DENIED.search(text, sentence[0], match.end())
        if match and not against and not match[0].lower().startswith(("than", "instead", "rather", "remind", "as ")):
            yield Taste(item=group[0], liked=True, span=span, said=(match.start(), span[1]))


def _named_within(text: str, within: Span, shown: Shown) -> list[Named]:
    """The items that a part of the text names, whatever stands before it."""
    start, end = within
    found = named(text[start:end], [*shown.items, *shown.earlier], shown.metadata)
    return [((first + start, last + start), group) for (first, last), group in found]


def _titles(text: str, start: int, end: int, shown: Shown) -> Iterator[tuple[ItemRef, Span]]:
    """The titles that stand one after the other from a place on."""
    names = _named_within(text, (start, end), shown)
    while start < end:
        between = _BETWEEN.match(text, start, end)
        start = between.end() if between else start
        known = next((n for n in names if n[0][0] in (start, start + 4) and n[0][1] > start), None)
        if known is not None and text[start : known[0][0]].casefold() in ("", "the "):
            yield known[1][0], (start, known[0][1])
            start = known[0][1]
            continue
        run = _TITLE.match(text, start, end)
        if run is None or _NO_TITLE.match(run[0]):
            return
        for words, span in _parted(run[0].rstrip(" .:-"), start, shown):
            if not _ENDS.match(text, span[1]):
                return
            item = next((group[0] for place, group in names if place == span), ItemRef(id="", title=words))
            yield item, span
            start = span[1]


def _parted(run: str, start: int, shown: Shown) -> Iterator[tuple[str, Span]]:
    """A run of capitals as one title, or as several joined by "and" where the whole is none that is known."""
    if not _JOINT.search(run) or shown.knows(run):
        yield run, (start, start + len(run))
        return
    place = 0
    for joint in [*_JOINT.finditer(run), None]:
        stop = joint.start() if joint else len(run)
        yield run[place:stop], (start + place, start + stop)
        place = joint.end() if joint else stop
