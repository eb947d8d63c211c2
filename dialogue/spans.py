"""Sentences and clauses of an utterance with the characters they stand at. Pure; spans are half-open."""

import re
from collections.abc import Iterator
from functools import lru_cache

Span = tuple[int, int]

_SENTENCE_END = re.compile(r"\.{3,}|[.!?…。！？]+[\"'”’)\]]*(?=\s|$)|[。！？]+|\n+")
_CLAUSE_END = re.compile(
    r"\s*[,;:–—]\s+|[，；：]+\s*|\s+-+\s+|\.{3,}|…"
    r"|\s+(?=(?:but|because|since|although|though|however|yet)\b)|(?<!\bnot)(?<!n't)(?<!n’t)\s+(?=so\b)"
    r"|\s+(?=and (?:i|we|it|they|please|can|could|something)\b)",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"\b(?:[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|[Vv]s|[Vv]ol|approx|[A-HJ-Z])\.$")

_WAIT = (
    r"(?:(?:just )?wait(?: a (?:minute|second|moment|sec|bit))?|hold (?:on|up)(?: a (?:minute|second|moment|sec))?"
    r"|hang on|(?:just )?(?:one|a) (?:moment|second|sec|minute)|scratch that|let me (?:think|see)|on second thoughts?"
    r"|come to think of it|my mistake|i mean|you know what|actually)"
)
_HESITATION = re.compile(
    rf"(?:(?:oh|no|hmm+|hm|um+|uh+|er+|ah|sorry|ok|okay|well|but|and|yes|please)\b[,.!…\s-]*)*{_WAIT}\b"
    rf"(?:[,.!…\s-]+(?:(?:no|sorry|hmm+|please)\b[,.!…\s-]+)*{_WAIT}\b)*(?:[,.!…\s-]+(?:no|please|sorry)\b(?=[,.!…\s-]))*"
    r"(?=\s*(?:$|[,.!…;:–—-]|(?:i|we|it|that|this|no|not|make|please|can|could|do|does|is|are|what|let['’]s)\b))"
    r"[,.!…;:–—\s-]*",
    re.IGNORECASE,
)


def sentences(text: str) -> list[Span]:
    """The sentences in order, white space around them left out; a line break ends one."""
    return list(_sentences(text))


@lru_cache(maxsize=1_024)  # what was said is told anew in every turn
def _sentences(text: str) -> tuple[Span, ...]:
    return tuple(_stripped(text, _cut(text, _SENTENCE_END, keep=True)))


def clauses(text: str, within: Span | None = None) -> list[Span]:
    """The clauses of a text or of one span of it: parts between commas, dashes and turning words."""
    start, end = within or (0, len(text))
    found: list[Span] = []
    for first, last in [(start, end)] if within else sentences(text):
        part = _stripped(text, ((first + a, first + b) for a, b in _cut(text[first:last], _CLAUSE_END, keep=False)))
        found += part
    return found


def hesitation(text: str, sentence: Span) -> Span:
    """The words at the start of a sentence that only win time or take breath ("no wait,", "hold on"): neither wish nor
    verdict; (0, 0) where there are none."""
    match = _HESITATION.match(text, *sentence)
    return (sentence[0], sentence[0] + len(match[0].rstrip())) if match else (0, 0)


def hesitation_left(text: str, sentence: Span) -> Span:
    """A sentence without the hesitation it starts with; (0, 0) where it is nothing else."""
    match = _HESITATION.match(text, *sentence)
    start = match.end() if match else sentence[0]
    return (start, sentence[1]) if re.search(r"\w", text[start : sentence[1]]) else (0, 0)


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
