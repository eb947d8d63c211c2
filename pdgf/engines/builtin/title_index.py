"""The titles a catalogue knows, made findable in running text: a gazetteer (METHOD 12).

A title is a row of folded tokens: words of alphabets, single characters of Chinese and Japanese. The first two tokens
lead to the few lengths worth trying, so that a text is read in one pass however many titles there are.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from pdgf.engines.builtin.candidate_cues import CJK
from pdgf.identity import name_key

LONGEST = 24  # tokens of a title; a longer one is found by its other marks
_WORD = rf"(?:(?![{CJK}])[^\W_]){{1,60}}"
TOKEN = re.compile(rf"[{CJK}]|{_WORD}(?:['’]{_WORD}){{0,2}}|&")
_GAP = re.compile(r"[ \u00a0\u3000:,'’・·/–—-]{0,3}|[!?] ?|\.")
_ABBREVIATED = frozenset({"mr", "mrs", "ms", "dr", "st", "vs", "vol", "pt", "no", "jr"})
_TRAILING_ARTICLE = re.compile(r"^(.{1,150}),\s?(the|a|an)$", re.IGNORECASE)
_NUMBERS = [
    ("2", "ii", "two"),
    ("3", "iii", "three"),
    ("4", "iv", "four"),
    ("5", "v", "five"),
    ("6", "vi", "six"),
    ("7", "vii", "seven"),
    ("8", "viii", "eight"),
    ("9", "ix", "nine"),
]
_AS_ARABIC = {word: row[0] for row in _NUMBERS for word in row}
_KATAKANA = re.compile("[\u30a0-\u30ff]")


@dataclass(frozen=True, kw_only=True)
class KnownMatch:
    """A known title at half-open offsets of a text, and of how many tokens it consists."""

    start: int
    end: int
    tokens: int


@dataclass(frozen=True, kw_only=True)
class TitleIndex:
    """Titles by their folded tokens, with the years under which they are known; made by `title_index`."""

    years_of: Mapping[str, frozenset[int]]
    lengths_of: Mapping[str, tuple[int, ...]]  # lengths of titles, longest first, by their first two tokens

    def matches(self, text: str) -> list[KnownMatch]:
        """The longest known titles on word boundaries, left to right, none overlapping, none over a line break."""
        tokens = list(TOKEN.finditer(text))
        keys = _keys(match[0] for match in tokens)
        found: list[KnownMatch] = []
        place = 0
        while place < len(tokens):
            length = self._length_at(text, tokens, keys, place)
            if length:
                end = tokens[place + length - 1].end()
                found.append(KnownMatch(start=tokens[place].start(), end=end, tokens=length))
            place += length or 1
        return found

    def knows(self, name: str, year: int | None = None) -> bool:
        """Whether a name, as a whole, is a known title, with a year one of that year."""
        years = self.years_of.get(" ".join(_keys(match[0] for match in TOKEN.finditer(name))))
        return years is not None and (year is None or year in years)

    def _length_at(self, text: str, tokens: list[re.Match[str]], keys: list[str], place: int) -> int:
        lead = " ".join(keys[place : place + 2])
        lengths = self.lengths_of.get(lead, ()) + (self.lengths_of.get(keys[place], ()) if " " in lead else ())
        for length in lengths:
            row = keys[place : place + length]
            if len(row) == length and " ".join(row) in self.years_of and _stands(text, tokens[place : place + length]):
                return length
        return 0


def title_index(records: Iterable[tuple[str, int | None]]) -> TitleIndex:
    """An index of (title, year) pairs; equal spellings in the sense of `name_key` share an entry where that is cheap:
    case, accents, a leading or trailing article, `&`, Roman and spelled numbers from 2 to 9."""
    years: dict[str, set[int]] = {}
    lengths: dict[str, set[int]] = {}
    for title, year in records:
        for row in _rows(title):
            years.setdefault(" ".join(row), set()).update(() if year is None else (year,))
            lengths.setdefault(" ".join(row[:2]), set()).add(len(row))
    return TitleIndex(
        years_of={row: frozenset(found) for row, found in years.items()},
        lengths_of={lead: tuple(sorted(found, reverse=True)) for lead, found in lengths.items()},
    )


def _rows(title: str) -> Iterable[list[str]]:
    """The rows of tokens by which a title is found."""
    article_first = _TRAILING_ARTICLE.sub(r"\2 \1", " ".join(title.split()))
    row = _keys(match[0] for match in TOKEN.finditer(article_first))
    if not row or len(row) > LONGEST:
        return
    yield row
    if row[0] in ("the", "a", "an") and len(row) > 2:
        yield row[1:]


def _keys(tokens: Iterable[str]) -> list[str]:
    """Folded tokens; number words from 2 to 9 as their digit, so that "Rocky II", "Rocky Two" and "Rocky 2" meet."""
    keys = [_folded(token) for token in tokens]
    return [_AS_ARABIC.get(key, key) for key in keys]


def _folded(token: str) -> str:
    if not token.isalnum() and len(token) == 1:  # &, the only token that is no word
        return "and"
    if token.isascii():
        return token.casefold()
    return token if len(token) == 1 else name_key(token) or token


def _stands(text: str, tokens: list[re.Match[str]]) -> bool:
    """Whether tokens follow one another as the words of one name do, and do not cut a word in katakana."""
    start, end = tokens[0].start(), tokens[-1].end()
    cut_before = start > 0 and _KATAKANA.match(text[start]) and _KATAKANA.match(text[start - 1])
    cut_after = end < len(text) and _KATAKANA.match(text[end - 1]) and _KATAKANA.match(text[end])
    if cut_before or cut_after:
        return False
    for one, following in pairwise(tokens):
        gap = text[one.end() : following.start()]
        after_point = gap == ". " and (one[0].casefold() in _ABBREVIATED or len(one[0]) == 1)
        if not after_point and not _GAP.fullmatch(gap):
            return False
    return True
