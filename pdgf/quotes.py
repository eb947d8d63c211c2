"""Finding copied words in the text they were copied from. Pure.

A model changes small things when it copies: case, kinds of quotation marks and dashes, white space (beside Chinese and
Japanese characters also whether there is any), composed and full-width letters. What the fences take out of a text or
alter in it is not there for it to copy. Both sides are folded for comparison; what is found is given as it stands in
the text. Words are found as whole words where a script has letter case, as the scripts that put spaces between words
do: "fun" does not stand in "funeral".
"""

import re
import unicodedata
from array import array
from functools import lru_cache
from typing import NamedTuple

from pdgf.texts import clean, collapsed

Span = tuple[int, int]

SHORTEST = 2  # characters of a quote that can be looked for
FEWEST_LETTERS = 3  # of a quote that shows something by itself, a character of a script without case counting twice
PHRASE = 1_000  # characters of words that are kept folded

# "Title (1984)": in brackets of either width, after the marks that close a title.
STATED_YEAR = re.compile(
    r"""["'”’»」』》*_]*\s*[(\[（［]\s*(?P<year>(?:1[89]|20)\d\d)(?:\s[^)\]）］\n]{0,20})?[)\]）］]"""
)
_OUTER = " .,;:!?'()[]*_-"  # what a model adds to or leaves out of the ends of a quote, in folded form
_WIDE = "\u2e80"  # from here on: ideographs, kana, full-width forms, emoji
_LEFT_OUT = re.compile(r"\s*(?:[\[(]\s*(?:\.{3,}|…)\s*[\])]|\.{3,}|…+|\n)\s*")
_SAME = str.maketrans(
    dict.fromkeys('‘’‚‛“”„‟′″‹›«»「」『』〈〉《》<>"`´', "'")
    | dict.fromkeys("‐‑‒–—―−", "-")
    | {"。": ".", "、": ",", "\ufe0e": "", "\ufe0f": ""}
)


class _Folded(NamedTuple):
    """A text for comparison, and where each of its characters comes from."""

    text: str
    at: "array[int]"


def place_of(words: str, text: str) -> Span | None:
    """The half-open span at which words stand in a text: the first of `places_of`, None where there is none."""
    return next(iter(places_of(words, text)), None)


def places_of(words: str, text: str) -> list[Span]:
    """Every span at which words stand in a text, those in the same case first, each group in order.

    Where they never stand as whole words they may be parts of words: "romance" in "romances".
    """
    found = _found(words, text, whole_words=True) or _found(words, text, whole_words=False)
    written = collapsed(words)
    return sorted(found, key=lambda span: collapsed(text[slice(*span)]) not in written)


def borne_out(quote: str, text: str) -> str | None:
    """The words of one line of the text that a quote copies, as they stand there, white space collapsed; None where
    no line holds them. Punctuation at the ends may differ."""
    return next((lines[0] for lines in _lines_found(quote, text) if len(lines) == 1), None)


def quotes_of(given: str, text: str) -> tuple[str, ...]:
    """What a quote given as evidence bears out: itself, as `borne_out` has it, or its parts.

    A quote with something left out ("a ... b") is as many quotes as it has parts, and one over line breaks is one a
    line. Nothing is borne out unless every part stands in the text, nor by words that show nothing by themselves
    ("no", "it"; a number does).
    """
    whole = borne_out(given, text)
    if whole is not None:
        return (whole,) if _shows_something(whole) else ()
    found: list[str] = []
    for part in filter(_core, _LEFT_OUT.split(given)):
        places = sorted(_lines_found(part, text), key=len)
        if not places:
            return ()
        found += places[0]
    return tuple(dict.fromkeys(filter(_shows_something, found)))


def _lines_found(quote: str, text: str) -> list[list[str]]:
    """The lines, or parts of lines, that a quote covers at each place where it stands as whole words."""
    if len(_core(quote)) < SHORTEST:
        return []
    found = (text[slice(*span)].split("\n") for span in _found(quote, text, whole_words=True))
    return [[line for line in map(collapsed, lines) if line] for lines in found]


def _found(words: str, text: str, *, whole_words: bool) -> list[Span]:
    """Where words stand with their outer punctuation or, if they never do, without it."""
    folded, wanted = _folded(text), _folded_words(words).text
    core = wanted.strip(_OUTER)
    with_ends = _occurrences(wanted, folded, whole_words) if core else []
    return with_ends or (_occurrences(core, folded, whole_words) if core else [])


def _occurrences(wanted: str, folded: _Folded, whole_words: bool) -> list[Span]:
    found: list[Span] = []
    start = folded.text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not _cuts(folded, start, whole_words) and not _cuts(folded, end, whole_words):
            found.append((folded.at[start], folded.at[end - 1] + 1))
        start = folded.text.find(wanted, start + 1)
    return found


def _cuts(folded: _Folded, place: int, whole_words: bool) -> bool:
    """Whether a cut at this place of the folded text goes through a character or, where words count, through a word."""
    text, at = folded
    if not 0 < place < len(text):
        return False
    if at[place - 1] == at[place] or unicodedata.combining(text[place]):
        return True
    before = place - 1
    while before > 0 and unicodedata.combining(text[before]):
        before -= 1
    return whole_words and _spells_words(text[before]) and _spells_words(text[place])


def _spells_words(character: str) -> bool:
    return character.isdecimal() or character.upper() != character.lower()


def _core(words: str) -> str:
    return _folded_words(words).text.strip(_OUTER)


def _shows_something(quote: str) -> bool:
    letters = sum(1 if _spells_words(character) else 2 for character in quote if character.isalpha())
    return letters >= FEWEST_LETTERS or any(character.isdecimal() for character in quote)


def _fold(text: str) -> _Folded:
    folded: list[str] = []
    at = array("I")
    after_space = False
    for place, character in enumerate(text):
        if character.isspace():
            after_space = True
            continue
        same = _folded_character(character)
        if not same:
            continue
        if after_space and folded and folded[-1] < _WIDE and same < _WIDE:
            folded.append(" ")
            at.append(place - 1)
        after_space = False
        folded.extend(same)
        at.extend([place] * len(same))
    return _Folded("".join(folded), at)


_folded = lru_cache(maxsize=64)(_fold)  # texts that several quotes are looked for in, one after another
_folded_phrase = lru_cache(maxsize=1_024)(_fold)  # the wishes of a conversation are looked for in every turn of it


def _folded_words(words: str) -> _Folded:
    return _folded_phrase(words) if len(words) <= PHRASE else _fold(words)  # a model's quote may be a book


@lru_cache(maxsize=4_096)
def _folded_character(character: str) -> str:
    """What a character is compared as: decomposed, without case; nothing for one that cannot be seen."""
    plain = unicodedata.normalize("NFKD", clean(character).translate(_SAME))
    return "".join(unicodedata.normalize("NFKD", plain.translate(_SAME).casefold()).split())
