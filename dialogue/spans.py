"""Sentences and clauses of an utterance with the characters they stand at. Pure; spans are half-open."""

import re
from collections.abc import Iterator

Span = tuple[int, int]

_SENTENCE_END = re.compile(r"\.{3,}|[.!?…。！？]+[\"'”’)\]]*(?=\s|$)|[。！？]+|\n+")
_CLAUSE_END = re.compile(
    r"\s*[,;:–—]\s+|\s+-+\s+|\.{3,}|…"
    r"|\s+(?=(?:but|because|since|although|though|however|yet|so)\b)"
    r"|\s+(?=and (?:i|we|it|they|please|can|could|something)\b)",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"\b(?:[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|[Vv]s|[Vv]ol|approx|[A-HJ-Z])\.$")


def sentences(text: str) -> list[Span]:
    """The sentences in order, white space around them left out; a line break ends one."""
    return list(_stripped(text, _cut(text, _SENTENCE_END, keep=True)))


def clauses(text: str, within: Span | None = None) -> list[Span]:
    """The clauses of a text or of one span of it: parts between commas, dashes and turning words."""
    start, end = within or (0, len(text))
    found: list[Span] = []
    for first, last in [(start, end)] if within else sentences(text):
        part = _stripped(text, ((first + a, first + b) for a, b in _cut(text[first:last], _CLAUSE_END, keep=False)))
        found += part
    return found


def overlaps(one: Span, other: Span) -> bool:
    """Whether two spans share a character."""
    return one[0] < other[1] and other[0] < one[1]


def inside(inner: Span, outer: Span) -> bool:
    """Whether the first span lies within the second."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _cut(text: str, ends: re.Pattern[str], *, keep: bool) -> Iterator[Span]:
    start = 0
    for match in ends.finditer(text):
        if keep and match[0] == "." and _ABBREVIATION.search(text, start, match.end()):
            continue
        yield start, match.end() if keep else match.start()
        start = match.end()
    yield start, len(text)


def _stripped(text: str, spans: Iterator[Span]) -> Iterator[Span]:
    for start, end in spans:
        piece = text[start:end]
        lead = len(piece) - len(piece.lstrip())
        if piece.strip():
            yield start + lead, start + lead + len(piece.strip())
