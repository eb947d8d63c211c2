"""Apostrophes that were left out of contractions or typed by another key: "dont", "Im", "can t", "don`t". Pure.

Without one no word that denies is known again, and "i dont want gore" would ask for gore.
"""

import re
from bisect import bisect_left
from typing import NamedTuple

_OTHER_KEYS = re.compile(r"(?<=[A-Za-z])[`´ʼ′＇](?=(?:t|s|m|d|re|ve|ll)\b)", re.IGNORECASE)
_DENYING = "do|does|did|is|are|was|were|has|have|had|ca|wo|could|would|should|must|need|ai"
# "Can t", as dictation has it: the blank is the apostrophe
_APART = re.compile(rf"\b(?:{_DENYING})n(?P<blank> )(?=t\b)", re.IGNORECASE)
# No "its", "well", and "ill", "were", "id" only where a verb shows what they are: these are words of their own
_LEFT_OUT = re.compile(
    rf"\b(?:(?:{_DENYING})n(?=t\b)|i(?=(?:m|ve)\b)|(?:you|they|we)(?=ve\b)|(?:you|they)(?=(?:re|ll|d)\b)"
    r"|(?:that|what|there|who|where|here|she|he)(?=s\b)|(?:it|that)(?=ll\b)"
    r"|i(?=d (?:rather|like|love|prefer|want|go|say)\b|ll (?:take|have|go|watch|try|read|pass|skip)\b)"
    r"|(?:(?<=\A)|(?<=[.,;!?\n] ))we(?=re (?:after|looking|in the mood|both|all|not|going)\b))",
    re.IGNORECASE,
)


class Contracted(NamedTuple):
    """A text with its apostrophes, and the places in it of those that were put in."""

    text: str
    places: tuple[int, ...]

    def original(self, span: tuple[int, int]) -> tuple[int, int]:
        """A span of the text as a span of what was written."""
        start, end = (place - bisect_left(self.places, place) for place in span)
        return start, end

    def mended(self, span: tuple[int, int]) -> tuple[int, int]:
        """A span of what was written as a span of the text."""
        before = [place - number for number, place in enumerate(self.places)]
        start, end = (place + bisect_left(before, place) for place in span)
        return start, end


def with_apostrophes(text: str) -> Contracted:
    """The text with the apostrophes of its contractions. What is right is left alone, and so are words that are right
    without one ("its")."""
    text = _OTHER_KEYS.sub("'", text)
    text = _APART.sub(lambda found: found[0][:-1] + "'", text)
    ends = [found.end() for found in _LEFT_OUT.finditer(text)]
    pieces = [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]
    return Contracted("'".join(pieces), tuple(end + number for number, end in enumerate(ends)))
