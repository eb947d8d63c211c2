"""What Chinese text names outright: entries of the word list, values and titles of the catalogue, English terms."""

import re
from dataclasses import dataclass
from functools import lru_cache

from pdgf.engines.builtin.chinese import cues
from pdgf.engines.builtin.lexicon import concept_mentions, without_overlap
from pdgf.engines.builtin.mentions import Reference, known_title
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.glossary import has_han, named
from pdgf.glossary.entries import MAKER, WORDS
from pdgf.identity import name_key
from pdgf.models import AtomKind

_LATIN = re.compile(r"[a-z\u00e0-\u024f][a-z\u00e0-\u024f'’ -]*[a-z\u00e0-\u024f]")
LONGEST_TITLE, SHORTEST_BARE_TITLE = 14, 4  # characters of a title without quotation marks
# General words for a form, the form in metadata, and the form of the word list that says it
MEDIA = {said: ("animation", "动画片") for said in ("动画", "动漫", "卡通")}
_CLAUSE = re.compile(r"[,，。.;；!！?？\n]")


@dataclass(frozen=True, kw_only=True)
class Mention:
    """A thing that is named at half-open offsets, and the perspective of a wish for it."""

    start: int
    end: int
    perspective: str


@lru_cache(maxsize=8_192)
def _listed(text: str) -> tuple[Mention, ...]:
    found = [
        Mention(start=one.start, end=one.end, perspective=one.entry.perspective)
        for one in named(text)
        if one.entry.perspective != WORDS
    ]
    for stretch in _LATIN.finditer(text):
        found += [
            Mention(
                start=stretch.start() + one.start,
                end=stretch.start() + one.end,
                perspective=one.concept.perspective,
            )
            for one in concept_mentions(stretch[0])
        ]
    return tuple(found)


def mentions(text: str, vocabulary: Vocabulary) -> tuple[Mention, ...]:
    """What a folded text names, in order; where two overlap the longer one counts."""
    found = [*_listed(text), *_values(text, vocabulary), *_makers(text, vocabulary), *_media(text, vocabulary)]
    found.sort(key=lambda mention: (mention.start - mention.end, mention.start))
    return tuple(without_overlap(found))


def _media(text: str, vocabulary: Vocabulary) -> list[Mention]:
    """Words for a form that some of the items have: 动画 of films, and not of a list of anime."""
    return [
        Mention(start=match.start(), end=match.end(), perspective="format")
        for said, (form, _) in MEDIA.items()
        if form in vocabulary.formats
        for match in re.finditer(said, text)
    ]


def _values(text: str, vocabulary: Vocabulary) -> list[Mention]:
    """The Chinese values of the catalogue's metadata that stand in the text."""
    return [
        Mention(start=match.start(), end=match.end(), perspective=perspective)
        for value, perspective in vocabulary.chinese_values.items()
        if value in text  # few do, and a pattern a value costs more than the look
        for match in re.finditer(re.escape(value), text)
    ]


def _makers(text: str, vocabulary: Vocabulary) -> list[Mention]:
    """The makers of the catalogue whose names, or parts of them, stand in Latin letters (不要Miyazaki的)."""
    return [
        Mention(start=stretch.start(), end=stretch.end(), perspective=MAKER)
        for stretch in _LATIN.finditer(text)
        if stretch[0] in vocabulary.parts or vocabulary.values.get(stretch[0].replace("-", " ")) == MAKER
    ]


def references(narrative: str, plain: str, vocabulary: Vocabulary) -> tuple[Reference, ...]:
    """Reference items: titles in quotation marks, and known titles after "like" or, from four characters on, anywhere.

    Straight and curly quotation marks need a cue, a year or a title that the catalogue knows: they also mark words.
    """
    spans: list[tuple[int, int, str, int | None]] = []
    for match in cues.TITLE.finditer(narrative):
        title = match["title"].strip()
        sure = match[0][0] in "《〈「『" or match["year"] or known_title(title, None, vocabulary)
        if title and (sure or cues.SIMILAR.search(plain, 0, match.start()) or _loved(plain, match.start())):
            spans.append((match.start(), match.end(), title, int(match["year"]) if match["year"] else None))
    for start, end in _bare_titles(narrative, plain, vocabulary):
        if all(end <= begun or start >= ended for begun, ended, _, _ in spans):
            spans.append((start, end, narrative[start:end], None))
    return tuple(_reference(plain, *span, vocabulary=vocabulary) for span in sorted(spans))


def _bare_titles(narrative: str, plain: str, vocabulary: Vocabulary) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    place = 0
    while place < len(narrative):
        cued = bool(cues.SIMILAR.search(plain[max(0, place - 8) : place])) or _loved(plain, place)
        shortest = 2 if cued else SHORTEST_BARE_TITLE
        for length in range(min(LONGEST_TITLE, len(narrative) - place), shortest - 1, -1):
            title = narrative[place : place + length]
            if has_han(title[0]) and _CLAUSE.search(title) is None and name_key(title) in vocabulary.titles:
                found.append((place, place + length))
                place += length - 1
                break
        place += 1
    return found


def _loved(plain: str, start: int) -> bool:
    before = _CLAUSE.split(plain[:start])[-1]
    return bool(cues.LIKED.search(before) or cues.DISLIKED.search(before))


def _reference(plain: str, start: int, end: int, title: str, year: int | None, *, vocabulary: Vocabulary) -> Reference:
    before, after = _CLAUSE.split(plain[:start])[-1], plain[end:]
    disliked = bool(cues.DISLIKED.search(before) or cues.DISLIKED_AFTER.match(after))
    liked = bool(cues.LIKED.search(before) or cues.LIKED_AFTER.match(after)) and not disliked
    return Reference(
        start=start,
        end=end,
        title=title,
        year=year,
        kind=AtomKind.FEEDBACK if liked or disliked else AtomKind.REFERENCE,
        liked=not disliked,
        known=known_title(title, year, vocabulary),
    )
