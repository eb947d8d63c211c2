"""The English words of a Chinese text, as far as the word list knows them: what a Chinese wish asks of English texts.

A gloss is no translation. It keeps the order of the text and drops what it does not know; words in Latin letters and
digits stay. Deterministic, and empty for a text of which nothing is known.
"""

import re
from collections.abc import Collection
from functools import lru_cache

from pdgf.glossary.entries import named
from pdgf.glossary.numbers import limits
from pdgf.glossary.script import folded, has_han

_LATIN = re.compile(r"[A-Za-z0-9\u00c0-\u024f][A-Za-z0-9\u00c0-\u024f'’&.-]*")
_NO = re.compile(r"(?:不要|不想|不能|没有|别|不|没|无|非)(?:那么|这么|太|怎么|想|要)?")
_DECADE = re.compile(
    r"(?<!\d)(?:(?P<century>1[6-9]|20)(?P<tens>\d)0|(?P<short>[2-9])0|(?P<said>[二三四五六七八九])十)年代"
)
_AND = re.compile(r"[、,，和与及跟]")
_TITLE = re.compile(r"[《「『“]([^》」』”\n]{1,80})[》」』”]")


def in_english(text: str) -> str:
    """The text itself where it holds no Chinese character, else its gloss."""
    return gloss(text) if has_han(text) else text


@lru_cache(maxsize=16_384)
def gloss(text: str, known: Collection[str] = frozenset()) -> str:
    """The English words of a text. Values of a catalogue in `known`, folded, stand for themselves.

    ("不太辣的川菜" -> "no too spicy Sichuan"; "节奏慢或烧脑" -> "slow or complex plot")
    """
    plain = folded(text)
    pieces: list[tuple[int, int, str]] = []

    def add(start: int, end: int, words: str) -> None:
        if all(end <= begun or start >= ended for begun, ended, _ in pieces):
            pieces.append((start, end, words))

    for value in sorted((value for value in known if value in plain), key=lambda value: (-len(value), value)):
        for match in re.finditer(re.escape(value), plain):
            add(match.start(), match.end(), value)
    for match in _TITLE.finditer(plain):
        add(match.start(), match.end(), text[match.start(1) : match.end(1)])
    for match in _DECADE.finditer(plain):
        add(match.start(), match.end(), _decade(match))
    for limit in limits(plain):
        add(limit.start, limit.end, limit.english)
    for found in named(plain):
        add(found.start, found.end, found.entry.english)
    for match in _LATIN.finditer(plain):
        add(match.start(), match.end(), text[match.start() : match.end()])
    said = [words for _, _, words in sorted(_with_small_words(plain, pieces))]
    return " ".join(word for word, before in zip(said, ["", *said], strict=False) if word != before).replace(" ,", ",")


def _decade(match: re.Match[str]) -> str:
    """ "1980s" for 80年代, 1980年代 and 八十年代."""
    tens = match["tens"] or match["short"] or str("零一二三四五六七八九".index(match["said"] or "零"))
    return f"{match['century'] or 19}{tens}0s"


def _with_small_words(plain: str, pieces: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """The pieces with the "no" and the commas that stand between them."""
    ordered = sorted(pieces)
    small: list[tuple[int, int, str]] = []
    place = 0
    for start, _, _ in ordered:
        between = plain[place:start]
        if place and _AND.search(between):
            small.append((place, place, ","))
        if _NO.search(between):
            small.append((start, start, "no"))
        place = next(end for begun, end, _ in ordered if begun == start)
    return [*pieces, *small]
