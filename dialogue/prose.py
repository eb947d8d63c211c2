"""Prose as a model writes it: sentences as they arrive, what stands between quotation marks, spacing. Pure.

The sentences are the same wherever the prose is cut into pieces on its way: nothing is decided before enough has come
to decide it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pdgf.texts import sentences

# An opening mark and what may close it. Single ones are quotation marks only where a word begins and ends.
DOUBLE = {"“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』", '"': '"', "＂": "＂"}
SINGLE = {"‘": "’", "'": "'’"}
CLOSING = "\"'”’“»«」』＂)]）】》"
MARK_CHARS = 40  # of one citation mark, so that a bracket which never closes holds nothing up
QUOTED_CHARS = 400  # a quotation that does not end within so many characters has lost its end
SHORTEST_SINGLE = 3  # letters between single marks: fewer are an elision (rock 'n' roll)

_UNPAIRED = -1
_DOUBLE_CLOSING = "".join(DOUBLE.values())
_CJK_STOPS = "。！？｡"
_STOPS = ".!?…؟।" + _CJK_STOPS
_END = re.compile(rf"[{re.escape(_STOPS)}]+|\n")
_BRACKETS = {"[": "]", "【": "】", "［": "］"}
_ID = re.compile(r"\W*[A-Za-z]\d{1,3}\b")
_ELISION = re.compile(r"\d|(?:em|n|tis|twas|til|cause|bout|round)\b", re.IGNORECASE)
_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]")


class Quotation(NamedTuple):
    """Words between quotation marks; the text from `start` to `end` includes the marks."""

    start: int
    end: int
    words: str


def quotations(text: str) -> tuple[Quotation, ...] | None:
    """What stands between the outermost quotation marks, in order; None where the marks do not pair up."""
    found, place = [], 0
    while place < len(text):
        end = _closing(text, place)
        if end == _UNPAIRED:
            return None
        if end is not None:
            found.append(Quotation(place, end + 1, text[place + 1 : end]))
        place = place + 1 if end is None else end + 1
    return tuple(found)


def unclosed(text: str) -> bool:
    """Whether the text ends inside a quotation."""
    place = 0
    while place < len(text):
        end = _closing(text, place)
        if end == _UNPAIRED and text[place] in {**DOUBLE, **SINGLE}:
            return True
        place = end + 1 if end is not None and end != _UNPAIRED else place + 1
    return False


def joined(before: str, after: str) -> str:
    """What stands between two sentences: a space, or nothing where the script needs none."""
    last = before.rstrip().rstrip(CLOSING)[-1:]
    return "" if not before or (_CJK.match(last) and (last in "。！？" or _CJK.match(after))) else " "


def is_cjk(character: str) -> bool:
    """Whether a character belongs to a script that is written without spaces."""
    return bool(_CJK.match(character))


class SentenceStream:
    """Cuts growing prose into whole sentences; a citation mark after a full stop belongs to the sentence before it.

    A sentence does not end inside a quotation, at an abbreviation, before a small letter, or inside one of the names
    that are given as `unbroken`.
    """

    def __init__(self, unbroken: Sequence[str] = ()) -> None:
        self._unbroken = unbroken
        self._rest = ""
        self._decided = 0  # no sentence of the rest ends before this place

    def feed(self, text: str) -> list[str]:
        """The sentences that are certainly complete now."""
        self._rest += text
        return list(self._taken(final=False))

    def end(self) -> list[str]:
        """What is left when the prose has ended."""
        found = list(self._taken(final=True))
        rest, self._rest, self._decided = self._rest.strip(), "", 0
        return [*found, rest] if rest else found

    def _taken(self, *, final: bool) -> Iterator[str]:
        while (end := self._next_end(final=final)) is not None:
            sentence, self._rest, self._decided = self._rest[:end].strip(), self._rest[end:], 0
            if sentence:
                yield sentence

    def _next_end(self, *, final: bool) -> int | None:
        """Where the first sentence of the rest ends; None where that cannot be said yet."""
        text = self._rest
        while (stop := _END.search(text, self._decided)) is not None:
            end, following = self._after(stop.end(), newline=stop[0] == "\n", final=final)
            if end is None:
                return None
            ends = self._ends(stop, end, following)
            if ends is None and not final:
                return None
            if ends or ends is None:
                return end
            self._decided = stop.end()
        self._decided = max(self._decided, len(text))
        return None

    def _after(self, place: int, *, newline: bool, final: bool) -> tuple[int | None, int]:
        """Behind the closing marks and citation marks at a place, and where the words after them begin. None, where
        more has to come before that can be said."""
        text, end = self._rest, place
        while not newline and end < len(text) and _closes(text, end):
            end += 1
        while True:
            following = end + len(text[end:]) - len(text[end:].lstrip())
            if following == len(text):
                return (end if final else None), following
            if text[following] not in _BRACKETS:
                return end, following
            close = text.find(_BRACKETS[text[following]], following, following + MARK_CHARS)
            if close < 0 and len(text) - following < MARK_CHARS and not final:
                return None, following
            if close < 0 or not _ID.match(text, following + 1, close):
                return end, following
            end = close + 1
            while end < len(text) and text[end] in _STOPS + CLOSING:
                end += 1

    def _ends(self, stop: re.Match[str], end: int, following: int) -> bool | None:
        """Whether a sentence ends at a stop; None where more has to come before that can be said."""
        text = self._rest
        if stop[0] == "\n":
            return True
        if end <= QUOTED_CHARS and unclosed(text[:end]):
            return False
        if stop[0][-1] not in _CJK_STOPS and following < len(text) and not _ends_latin(text, stop, end, following):
            return False
        return self._outside_names(stop.end())

    def _outside_names(self, place: int) -> bool | None:
        """Whether a place lies inside none of the unbroken names; None where one may still be on its way."""
        text = self._rest
        for name in self._unbroken:
            for start in range(max(0, place - len(name) + 1), place):
                piece = text[start : start + len(name)]
                if piece == name:
                    return False
                if start + len(piece) == len(text) and name.startswith(piece):
                    return None
        return True


def _closing(text: str, place: int) -> int | None:
    """Where the quotation that opens at a place closes; None where none opens, _UNPAIRED where a mark lacks its
    partner."""
    mark = text[place]
    if mark in DOUBLE:
        return _double_end(text, place)
    if mark in SINGLE:
        return _single_end(text, place)
    return _UNPAIRED if mark in _DOUBLE_CLOSING else None


def _closes(text: str, place: int) -> bool:
    """Whether the mark behind a stop belongs before it: a bracket or single mark, or the end of a quotation."""
    return text[place] in CLOSING and (text[place] not in _DOUBLE_CLOSING or unclosed(text[:place]))


def _double_end(text: str, place: int) -> int:
    mark, depth = text[place], 0
    for at in range(place + 1, len(text)):
        if text[at] in DOUBLE[mark]:
            if not depth:
                return at
            depth -= 1
        elif text[at] == mark:
            depth += 1
    return _UNPAIRED


def _single_end(text: str, place: int) -> int | None:
    mark, follows = text[place], text[place + 1 : place + 2]
    opens = follows.isalnum() and not text[place - 1 : place].isalnum() and not _ELISION.match(text, place + 1)
    if not opens:
        return None
    for at in range(place + 1, len(text)):
        at_word_end = not text[at - 1].isspace() and not text[at + 1 : at + 2].isalnum()
        if text[at] in SINGLE[mark] and at_word_end:
            return at if at - place > SHORTEST_SINGLE else None
    return _UNPAIRED if mark == "‘" else None


def _ends_latin(text: str, stop: re.Match[str], end: int, following: int) -> bool:
    """Whether a sentence ends where words are set apart by spaces. By the rule of all texts "Mr.", "approx." and an
    initial do not end one."""
    apart = end < following or text[end - 1] in _BRACKETS.values()
    if not apart or following == stop.end() or text[following].islower():
        return False
    before = text[: stop.end()]
    return stop[0] != "." or len(sentences(f"{before} {text[following]}")) > len(sentences(before))
