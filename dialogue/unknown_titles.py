"""Titles that are told of as liked and that the catalogue does not have: named as unknown, no wishes. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from dialogue.models import EditKind, Understanding
from dialogue.spans import Span
from dialogue.titles import find, words_of
from pdgf.models import Candidate, normalised

# What is liked by habit may be a maker or a country; what was liked once is a title.
_LIKED: Final = (
    r"\b(?:liked|loved|enjoyed|adored"
    r"|favou?rite (?:film|movie|book|novel|anime|series|show|game)s? (?:is|are|was|were))\b"
)


def unknown_liked(text: str, titles: Iterable[str], items: Sequence[Candidate]) -> tuple[str, ...]:
    """Those of some titles that the text says to have been liked, and that are neither a title nor another value of
    the catalogue. Of a catalogue that is not at hand nothing is known to be missing."""
    told = [title for title in dict.fromkeys(titles) if _said_to_be_liked(text, title)] if items else []
    absent = [title for title in told if not find(title, items)]
    return tuple(title for title in absent if not _is_a_value(words_of(title), items))


def of_reading(reading: Understanding, text: str, items: Sequence[Candidate]) -> tuple[str, ...]:
    """Such titles among what a reading holds as liked, of which it has made no wish."""
    wished = [normalised(edit.text) for edit in reading.edits if edit.kind is EditKind.ADD]
    titles = [item.title for item in reading.liked if not item.id]
    free = [title for title in titles if not any(normalised(title) in wish for wish in wished)]
    return unknown_liked(text, free, items)


def spans(text: str, titles: Iterable[str]) -> list[Span]:
    """Where such titles stand in the text: no part of what is asked for."""
    return [match.span() for title in titles for match in re.finditer(rf"(?<!\w){re.escape(title)}(?!\w)", text)]


def _said_to_be_liked(text: str, title: str) -> bool:
    return title[:1].isupper() and bool(re.search(rf"(?i:{_LIKED})[^.!?;\n]{{0,120}}?{re.escape(title)}", text))


def _is_a_value(words: str, items: Sequence[Candidate]) -> bool:
    return any(words in words_of(str(value)) for item in items for value in item.metadata.values())
