"""Finding copied words in the text they were copied from. Pure."""

import re
from functools import lru_cache

Span = tuple[int, int]

# What a model changes when it copies: kinds of quotation marks, dashes and spaces.
_SAME = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "."})


def borne_out(quote: str, text: str) -> str | None:
    """The words of one line of the text that a quote copies, as they stand there, white space collapsed; None where
    no line holds them. Kinds of quotation marks and dashes, case and outer punctuation may differ."""
    wanted = _folded(quote).strip(" .,;:!?'\"")
    if len(wanted) < 2:
        return None
    for line, folded in _lines(text):
        start = folded.find(wanted)
        if start >= 0:
            return line[start : start + len(wanted)]
    return None


def place_of(words: str, text: str) -> Span | None:
    """The span at which words stand in a text, white space and case aside; None where they do not."""
    parts = words.split()
    if not parts:
        return None
    match = re.search(r"\s+".join(map(re.escape, parts)), text) or re.search(
        r"\s+".join(map(re.escape, parts)), text, re.IGNORECASE
    )
    return match.span() if match else None


@lru_cache(maxsize=512)  # the texts of a round of labels, each met by several quotes
def _lines(text: str) -> tuple[tuple[str, str], ...]:
    """The lines of a text, white space collapsed, each with its folded form of the same length."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return tuple((line, _folded(line)) for line in lines if line)


def _folded(text: str) -> str:
    """The text for comparison, character by character: its length stays the same."""
    line = " ".join(text.split()).translate(_SAME)
    return "".join(lower if len(lower := character.lower()) == 1 else character for character in line)
