"""What is wrong with a catalogue, said item by item. Pure.

`faults_of` holds for any catalogue, `bundled_faults` for those that come with the package: what their README promises.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import numpy as np

from pdgf.catalogues.reading import CatalogueItem, ReadReport
from pdgf.glossary import is_chinese
from pdgf.models import Value, normalised
from pdgf.ports import Vectors
from pdgf.texts import collapsed, sentences

Kind = Literal["row", "twice", "notes", "length", "metadata", "year", "place", "phrase", "alike"]

ALIKE = 0.92  # cosine from which two notes say the same
RUN, CHINESE_RUN = 6, 12  # words, and characters, that make a phrase
OFTEN = 4  # items whose notes share a phrase before it is a mannerism
ENGLISH_NOTES, CHINESE_NOTES = 4, 3  # of a bundled item; the second for anime
NOTE_SENTENCES = 3
NOTE_CHARS, CHINESE_CHARS = range(60, 401), range(15, 161)
LEVELS = ("none", "mild", "moderate", "strong")
AGES = (0, 7, 10, 12, 15, 18)
TOWN = "Marrowick"
YEARS: Mapping[str, range] = {"movies": range(1890, 2027), "books": range(1, 2027), "anime": range(1917, 2027)}
PREFIX = {"movies": "film-", "books": "book-", "anime": "anime-", "restaurants": "eat-"}
_WORK = ("genres", "suitable_from_age", "violence", "frightening", "country")
NEEDED: Mapping[str, tuple[str, ...]] = {
    "movies": ("director", "format", "sexual_content", *_WORK),
    "books": ("author", *_WORK),
    "anime": ("format", "gore", "sexual_content", "language", *_WORK),
    "restaurants": (
        "location", "kind", "cuisine", "dishes", "price_range", "average_spend", "parking", "wifi", "noise_level",
        "atmosphere", "meals", "waits", "reservations", "good_for_children", "good_for_groups", "outdoor_seating",
        "wheelchair_access", "alcohol", "opening_hours",
    ),
}  # fmt: skip
_FREE = frozenset({"other_titles", "title", "url", "opening_hours"})  # no two items share these
_LEVELLED = ("violence", "gore", "sexual_content", "frightening")
_WORD = re.compile(r"[\w'’]+")
_HAN = re.compile(r"[一-鿿]")


class Fault(Value):
    """One thing that is wrong: its kind, the item it is about (empty for a row that is no item), and what it is."""

    kind: Kind
    item: str
    says: str


class Note(Value):
    """A note of an item, white space collapsed, and its place among the notes, from 1."""

    item: str
    number: int
    text: str


def notes_of(items: Sequence[CatalogueItem]) -> tuple[Note, ...]:
    """All notes, in the order of the items."""
    return tuple(
        Note(item=item.id, number=number, text=collapsed(review.text))
        for item in items
        for number, review in enumerate(item.reviews, start=1)
    )


def faults_of(report: ReadReport) -> tuple[Fault, ...]:
    """What is wrong with any catalogue: rows refused, items told twice, items without a note, values in
    two spellings, mannerisms."""
    rows = [Fault(kind="row", item="", says=f"line {row.line}: {row.why}") for row in report.refused]
    bare = [Fault(kind="notes", item=item.id, says="no note") for item in report.items if not item.reviews]
    told = (*_told_twice(report.items), *bare, *_spelled_twice(report.items), *_phrases(notes_of(report.items)))
    return (*rows, *told)


def bundled_faults(items: Sequence[CatalogueItem], domain: str) -> tuple[Fault, ...]:
    """What of a bundled catalogue is not as its README says."""
    return tuple(fault for item in items for fault in _faults_of_item(item, domain))


def alike_faults(notes: Sequence[Note], vectors: Vectors) -> tuple[Fault, ...]:
    """Pairs of notes that say the same, within an item or across items; `vectors` has a row of length 1 a note."""
    found = []
    for first, cosines in enumerate(vectors @ vectors.T):
        for second in (np.flatnonzero(cosines[first + 1 :] > ALIKE) + first + 1).tolist():
            one, other = notes[first], notes[second]
            said = f"note {one.number} says what note {other.number} of {other.item} says: {other.text}"
            found.append(Fault(kind="alike", item=one.item, says=said))
    return tuple(found)


def _told_twice(items: Sequence[CatalogueItem]) -> Iterator[Fault]:
    first: dict[tuple[str, int | None], str] = {}
    for item in items:
        other = first.setdefault((normalised(item.title), item.year), item.id)
        if other != item.id:
            yield Fault(kind="twice", item=item.id, says=f"the same title and year as {other}")


def _spelled_twice(items: Sequence[CatalogueItem]) -> Iterator[Fault]:
    """Values of one key that differ in marks alone: whoever asks for one of them misses the items of the other."""
    first: dict[tuple[str, str], str] = {}
    for item in items:
        for key, value in item.metadata.items():
            for said in value if isinstance(value, list | tuple) else [value]:
                if isinstance(said, str) and key not in _FREE:
                    other = first.setdefault((key, _bare(said)), said)
                    if other != said:
                        yield Fault(kind="metadata", item=item.id, says=f"{key}: “{said}” is elsewhere “{other}”")


def _bare(text: str) -> str:
    """The letters and digits of a text without marks."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(part for part in parts if part.isalnum()) or text


def _phrases(notes: Sequence[Note]) -> Iterator[Fault]:
    """Runs of words that the notes of many items share."""
    holders: dict[str, set[str]] = defaultdict(set)
    for note in notes:
        for run in _runs(note.text):
            holders[run].add(note.item)
    for run, items in holders.items():
        if len(items) >= OFTEN:
            yield Fault(kind="phrase", item=min(items), says=f"“{run}” stands in notes of {len(items)} items")


def _runs(text: str) -> Iterator[str]:
    if is_chinese(text):
        characters = "".join(_HAN.findall(text))
        yield from (characters[at : at + CHINESE_RUN] for at in range(len(characters) - CHINESE_RUN + 1))
        return
    words = _WORD.findall(text.casefold())
    yield from (" ".join(words[at : at + RUN]) for at in range(len(words) - RUN + 1))


def _faults_of_item(item: CatalogueItem, domain: str) -> Iterator[Fault]:
    if not item.id.startswith(PREFIX[domain]):
        yield Fault(kind="metadata", item=item.id, says=f"the id does not begin with {PREFIX[domain]}")
    missing = [key for key in NEEDED[domain] if item.metadata.get(key) in (None, "", [])]
    if missing:
        yield Fault(kind="metadata", item=item.id, says=f"missing: {', '.join(missing)}")
    for key in _LEVELLED:
        if item.metadata.get(key) not in (None, *LEVELS):
            yield Fault(kind="metadata", item=item.id, says=f"{key} is none of {', '.join(LEVELS)}")
    if item.metadata.get("suitable_from_age") not in (None, *AGES):
        yield Fault(kind="metadata", item=item.id, says="suitable_from_age is no age that is used here")
    if domain == "restaurants":
        if item.metadata.get("invented") is not True or item.metadata.get("town") != TOWN:
            yield Fault(kind="place", item=item.id, says=f"not marked as invented and in {TOWN}")
    elif item.year is None or item.year not in YEARS[domain]:
        yield Fault(kind="year", item=item.id, says=f"the year {item.year} cannot be right")
    elif not item.id.endswith(f"-{item.year}"):
        yield Fault(kind="year", item=item.id, says=f"the id does not end with the year {item.year}")
    yield from _faults_of_notes(item, domain)


def _faults_of_notes(item: CatalogueItem, domain: str) -> Iterator[Fault]:
    languages = Counter(is_chinese(review.text) for review in item.reviews)
    if languages[False] < ENGLISH_NOTES:
        yield Fault(kind="notes", item=item.id, says=f"{languages[False]} English notes")
    if domain == "anime" and languages[True] < CHINESE_NOTES:
        yield Fault(kind="notes", item=item.id, says=f"{languages[True]} Chinese notes")
    for note in notes_of([item]):
        size, usual = len(note.text), CHINESE_CHARS if is_chinese(note.text) else NOTE_CHARS
        if len(sentences(note.text)) > NOTE_SENTENCES:
            yield Fault(
                kind="length", item=item.id, says=f"note {note.number} has more than {NOTE_SENTENCES} sentences"
            )
        if size not in usual:
            said = f"note {note.number} has {size} characters, not {usual.start} to {usual.stop - 1}"
            yield Fault(kind="length", item=item.id, says=said)
