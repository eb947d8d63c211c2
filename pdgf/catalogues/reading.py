"""Reads a catalogue: JSONL or CSV, row by row; what is unusable is refused with its line and reason, the rest loads.

{"id", "title", "year", "metadata": {...}, "reviews": [{"text", "source"?}]}      one object a line, or
a table whose header names the same things: title or name, year, id, review(s), note(s), text, description;
every other column is metadata
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import Field

from pdgf.catalogues.flatten import UnusableValue, flat_metadata, readable
from pdgf.catalogues.rows import Row, json_rows, table_rows
from pdgf.errors import CatalogueInvalid
from pdgf.models import MetadataValue, Value, normalised
from pdgf.texts import clean, collapsed

YEARS = range(1, 2101)
REASONS_SHOWN = 3
BATCH_ROWS, BATCH_CHARS = 2_000, 4_000_000  # of a file that is read piece by piece
TABLES = frozenset({".csv", ".tsv"})

_TITLE = ("title", "name")
_YEAR = ("year", "release year", "published", "publication year")
_ID = ("id", "item id")
_REVIEWS = re.compile(r"reviews?|notes?|text|description|comments?")  # "Review 2" reads as "review"
_SOURCE = ("source", "url")
_NO_WORD_CHARS = re.compile(r"[^\w]+")


class Review(Value):
    """One text about an item, and where it was found if that is known."""

    text: str
    source: str | None = None


class CatalogueItem(Value):
    """An item i with its flat metadata and the texts about it."""

    id: str
    title: str
    year: int | None = None
    metadata: dict[str, MetadataValue] = Field(default_factory=dict)
    reviews: tuple[Review, ...] = ()


class RefusedRow(Value):
    """A row, or one review of a row, that was left out: its line in the file, from 1, and why."""

    line: int
    why: str


class ReadReport(Value):
    """What a file gave: the items in order of first mention, and what was refused."""

    items: tuple[CatalogueItem, ...]
    refused: tuple[RefusedRow, ...]


class Batch(Value):
    """A piece of a file: its items, the line that each was first met in, what was refused, and its last line."""

    items: tuple[CatalogueItem, ...]
    refused: tuple[RefusedRow, ...]
    lines: dict[str, int]
    line: int


class _Refused(Exception):
    """Ends the reading of one row."""


@dataclass
class _Draft:
    """An item while rows that belong to it may still come."""

    id: str
    title: str
    year: int | None
    metadata: dict[str, MetadataValue]
    reviews: list[Review] = field(default_factory=list)


def read_items(path: Path, *, mapping: Mapping[str, str] | None = None) -> ReadReport:
    """Read an item file, UTF-8 with or without a byte order mark; `.csv` and `.tsv` are tables, all else is JSONL.

    `mapping` says which column holds which field of ours ("title", "year", "id", "reviews", "source"); any other
    name in it is the metadata key that the column is stored under. Rows with the same id and title are one item.
    Raises CatalogueInvalid when the file cannot be read, when `mapping` names a missing column, or when no row is
    usable; the message names the first reasons.
    """
    refused: list[RefusedRow] = []
    drafts: dict[str, _Draft] = {}
    for row in _rows(path, mapping):
        _take(row, drafts, refused)
    if not drafts:
        raise no_usable_row(path, refused)
    return ReadReport(items=tuple(_item(draft) for draft in drafts.values()), refused=tuple(refused))


def read_batches(path: Path, *, mapping: Mapping[str, str] | None = None, after: int = 0) -> Iterator[Batch]:
    """The same file piece by piece, in bounded memory, from the row after line `after` on.

    Rows of one item are joined within a batch; across batches `joined` does it. Raises CatalogueInvalid as read_items
    does, except that a file without a usable row is none of its business.
    """
    refused: list[RefusedRow] = []
    drafts: dict[str, _Draft] = {}
    lines: dict[str, int] = {}
    rows = chars = line = 0
    for row in _rows(path, mapping):
        if row.line <= after:
            continue
        line, rows = row.line, rows + 1
        taken = _take(row, drafts, refused)
        if taken is not None:
            lines.setdefault(taken.id, row.line)
            chars += sum(len(review.text) for review in taken.reviews)
        if rows >= BATCH_ROWS or chars >= BATCH_CHARS:
            yield Batch(items=tuple(map(_item, drafts.values())), refused=tuple(refused), lines=lines, line=line)
            refused, drafts, lines, rows, chars = [], {}, {}, 0, 0
    if rows:
        yield Batch(items=tuple(map(_item, drafts.values())), refused=tuple(refused), lines=lines, line=line)


def joined(kept: CatalogueItem, fresh: CatalogueItem) -> CatalogueItem | str:
    """What two batches say of one item, or in words why they cannot speak of the same."""
    draft = _Draft(kept.id, kept.title, kept.year, kept.metadata, list(kept.reviews))
    try:
        _merge(draft, _Draft(fresh.id, fresh.title, fresh.year, fresh.metadata, list(fresh.reviews)))
    except _Refused as reason:
        return str(reason)
    return _item(draft)


def no_usable_row(path: Path, refused: Iterable[RefusedRow]) -> CatalogueInvalid:
    """The error for a file that gives no item, with the first reasons."""
    reasons = [f"line {row.line}: {row.why}" for row, _ in zip(refused, range(REASONS_SHOWN), strict=False)]
    return CatalogueInvalid(f"{path.name} holds no usable row ({'; '.join(reasons) or 'the file is empty'})")


def _rows(path: Path, mapping: Mapping[str, str] | None) -> Iterator[Row]:
    try:
        yield from (table_rows if path.suffix.lower() in TABLES else json_rows)(path, mapping or {})
    except OSError as error:
        raise CatalogueInvalid(f"{path.name} cannot be read: {error.strerror or error}") from error


def made_id(title: str, year: int | None) -> str:
    """A stable id for an item without one: the title in short, the year, and a digest that tells equals apart."""
    digest = hashlib.sha1(f"{normalised(title)}|{year or ''}".encode(), usedforsecurity=False).hexdigest()[:8]
    words = _NO_WORD_CHARS.sub("-", normalised(title)).strip("-")[:40].strip("-")
    return "-".join(part for part in (words, str(year or ""), digest) if part)


def _take(row: Row, drafts: dict[str, _Draft], refused: list[RefusedRow]) -> _Draft | None:
    """Add one row to the drafts, or its reason to the refused; what the row said, None if it was refused."""
    if row.fields is None:
        refused.append(RefusedRow(line=row.line, why=row.why))
        return None
    try:
        fresh, bad_reviews = _draft(row.fields)
        kept = drafts.setdefault(fresh.id, fresh)
        if kept is not fresh:
            _merge(kept, fresh)
    except (_Refused, UnusableValue) as reason:
        refused.append(RefusedRow(line=row.line, why=str(reason)))
        return None
    refused.extend(RefusedRow(line=row.line, why=why) for why in bad_reviews)
    return fresh


def _draft(fields: Mapping[str, Any]) -> tuple[_Draft, list[str]]:
    """The item that a row describes, and why some of its reviews were left out."""
    names = {readable(key): key for key in fields}
    title = _text(_first(fields, names, _TITLE))
    if not title:
        raise _Refused("no title")
    year = _year(_first(fields, names, _YEAR))
    known = {names[name] for name in (*_TITLE, *_YEAR, *_ID, *_SOURCE) if name in names} | {"metadata"}
    texts = [key for key in fields if _REVIEWS.fullmatch(readable(key))]
    reviews, bad = _reviews([fields[key] for key in texts], _text(_first(fields, names, _SOURCE)) or None)
    metadata = fields.get("metadata")
    if metadata is not None and not isinstance(metadata, Mapping):
        raise _Refused("metadata is not an object")
    others = {key: value for key, value in fields.items() if key not in known and key not in texts}
    flat = flat_metadata({**(metadata or {}), **others})
    item_id = _text(_first(fields, names, _ID)) or made_id(title, year)
    return _Draft(id=item_id, title=title, year=year, metadata=flat, reviews=reviews), bad


def _merge(kept: _Draft, fresh: _Draft) -> None:
    """Add what a further row says of the same item; what was said first stays."""
    if normalised(kept.title) != normalised(fresh.title):
        raise _Refused(f"duplicate id {fresh.id!r} with another title")
    if kept.year is not None and fresh.year is not None and kept.year != fresh.year:
        raise _Refused(f"duplicate id {fresh.id!r} with another year")
    kept.year = kept.year if kept.year is not None else fresh.year
    kept.metadata = {**fresh.metadata, **kept.metadata} if fresh.metadata else kept.metadata
    said = {normalised(review.text) for review in kept.reviews}
    kept.reviews.extend(review for review in fresh.reviews if normalised(review.text) not in said)


def _reviews(values: Iterable[Any], source: str | None) -> tuple[list[Review], list[str]]:
    """Reviews from texts, objects with a text, or lists of either; a review without text is named, not kept."""
    found: list[Review] = []
    bad: list[str] = []
    for value in values:
        entries = value if isinstance(value, list) else [value] if value is not None and value != "" else []
        for position, entry in enumerate(entries, start=1):
            raw = entry.get("text") if isinstance(entry, Mapping) else entry
            text = clean(raw) if isinstance(raw, str) else ""
            if not text:
                bad.append(f"review {position} without text")
                continue
            own = entry.get("source") if isinstance(entry, Mapping) else None
            found.append(Review(text=text, source=_text(own) or source))
    return found, bad


def _first(fields: Mapping[str, Any], names: Mapping[str, str], wanted: Iterable[str]) -> Any:
    """The first value that is there under one of the wanted names."""
    return next((value for name in wanted if name in names and (value := fields[names[name]]) not in (None, "")), None)


def _text(value: Any) -> str:
    """A text or number as clean text on one line; anything else is none."""
    usable = isinstance(value, str | int | float) and not isinstance(value, bool)
    return collapsed(clean(str(value))) if usable else ""


def _year(value: Any) -> int | None:
    """A year of YEARS. Raises _Refused for anything else that is there."""
    if value is None:
        return None
    if isinstance(value, str):
        text = value.strip().removesuffix(".0")
        value = int(text) if re.fullmatch(r"-?\d{1,9}", text, re.ASCII) else None
    if isinstance(value, float):
        value = int(value) if value.is_integer() else None
    if not isinstance(value, int) or isinstance(value, bool):
        raise _Refused("year is not a number")
    if value not in YEARS:
        raise _Refused(f"year out of range ({YEARS[0]} to {YEARS[-1]})")
    return value


def _item(draft: _Draft) -> CatalogueItem:
    return CatalogueItem(
        id=draft.id, title=draft.title, year=draft.year, metadata=draft.metadata, reviews=tuple(draft.reviews)
    )
