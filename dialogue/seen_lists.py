"""Reads a list of titles that somebody knows already, from wherever it was kept. Pure.

goodreads    its export: only the shelf "read" counts. The year is that of the work; the year of an edition is none
letterboxd   watched.csv, diary.csv, ratings.csv
storygraph   its export: only the status "read" counts
table        any other table with a column for titles
json         a list of titles, or of objects with a title
lines        one title a line, its year in brackets if it has one
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from dialogue.uploads import MAX_ROWS, decoded, delimiter_of, json_entries, shape_of, table_records
from pdgf.catalogues.reading import REASONS_SHOWN, YEARS, RefusedRow
from pdgf.errors import SeenListInvalid, UploadTooLarge
from pdgf.identity import name_key
from pdgf.models import Value
from pdgf.texts import clean, collapsed

Kind = Literal["goodreads", "letterboxd", "storygraph", "table", "json", "lines"]

LONGEST_TITLE = 300  # characters; what is longer is a remark about one
_TITLES = ("title", "name", "film", "movie", "book", "series", "film title", "movie title", "book title", "anime")
_YEARS = ("original publication year", "year", "release year", "first published", "publication year", "published")
_SHELVES = ("exclusive shelf", "read status")
_READ = "read"
_SERIES = re.compile(r"\s*\((?:[^()]|\([^()]*\))*#\s*[\d.,\-–]+[^()]*\)\s*$")  # "Dune (Dune Chronicles, #1)"
_BULLET = re.compile(r"^\s*(?:[-*•–]\s+|\d{1,5}[.)]\s+)")
_BRACKETED_YEAR = re.compile(r"^(?P<title>.*\S)\s*[(\[](?P<year>\d{4})[)\]]$")
_CELL_YEAR = re.compile(r'^"?(?P<title>.*?\S)"?\s*[,;\t|]\s*"?(?P<year>1[89]\d\d|20[0-3]\d)"?$')
_QUOTED = (('"', '"'), ("“", "”"), ("«", "»"), ("‘", "’"))
_DATE = re.compile(r"(\d{4})(?:\.0)?(?:-\d{1,2}){0,2}", re.ASCII)


class SeenTitle(Value):
    """A title known already, and its year where the list gives it."""

    title: str
    year: int | None = None


class SeenList(Value):
    """What a list gave: its kind, each title once in the order given, and the rows that give none, with the reason."""

    kind: Kind
    encoding: str
    titles: tuple[SeenTitle, ...]
    refused: tuple[RefusedRow, ...]


class _Unusable(Exception):
    """Ends the reading of one row."""


Read = Iterator[tuple[int, SeenTitle | str]]  # by line: a title, or why there is none


def read_seen_list(data: bytes, *, name: str = "", max_bytes: int) -> SeenList:
    """The titles of a list. `name` is what its file was called: a watchlist looks like a list of what was watched.

    Raises UploadTooLarge, UploadNotText, and SeenListInvalid when no row gives a title.
    """
    if "watchlist" in name.casefold():
        raise SeenListInvalid("a watchlist names what is still to be watched")
    source = decoded(data, max_bytes=max_bytes)
    kind, rows = _rows(source.text)
    titles: dict[tuple[str, int | None], SeenTitle] = {}
    refused: list[RefusedRow] = []
    for number, (line, found) in enumerate(rows):
        if number >= MAX_ROWS:
            raise UploadTooLarge(f"{MAX_ROWS:,} rows")
        if isinstance(found, str):
            refused.append(RefusedRow(line=line, why=found))
        else:
            titles.setdefault((name_key(found.title), found.year), found)
    if not titles:
        first = "; ".join(f"line {row.line}: {row.why}" for row in refused[:REASONS_SHOWN])
        raise SeenListInvalid(first or "there is nothing in it")
    return SeenList(kind=kind, encoding=source.encoding, titles=tuple(titles.values()), refused=tuple(refused))


def _rows(text: str) -> tuple[Kind, Read]:
    shape = shape_of(text)
    if shape == "json":
        return "json", _of_entries(enumerate(json_entries(text), start=1))
    if shape == "json_lines":
        lines = ((line, said) for line, said in enumerate(text.splitlines(), start=1) if said.strip())
        return "json", _of_entries((line, next(iter(json_entries(said)), None)) for line, said in lines)
    if shape == "table":
        records = table_records(text, delimiter_of(text))
        header = next((record for _, record in records if isinstance(record, list) and any(record)), [])
        columns = [collapsed(cell.replace("_", " ")).casefold() for cell in header]
        if any(title in columns for title in _TITLES):
            return _kind(columns), _of_table(records, columns)
    return "lines", _of_lines(text)


def _kind(columns: list[str]) -> Kind:
    if "exclusive shelf" in columns:
        return "goodreads"
    if "read status" in columns:
        return "storygraph"
    return "letterboxd" if "letterboxd uri" in columns else "table"


def _of_table(records: Iterable[tuple[int, list[str] | str]], columns: list[str]) -> Read:
    for line, record in records:
        if isinstance(record, str):
            yield line, record
        elif len(record) > len(columns):
            yield line, f"{len(record)} cells under {len(columns)} columns"
        elif any(cell.strip() for cell in record):
            # the first of two columns of one name counts
            yield line, _read(_of_cells, dict(zip(reversed(columns[: len(record)]), reversed(record), strict=True)))


def _of_cells(cells: Mapping[str, str]) -> SeenTitle:
    for shelf in _SHELVES:
        if shelf in cells and collapsed(cells[shelf]).casefold() != _READ:
            raise _Unusable(f"on the shelf “{collapsed(clean(cells[shelf]))[:40] or 'none'}”, not “{_READ}”")
    title = _first(cells, _TITLES)
    if "exclusive shelf" in cells:
        title = _SERIES.sub("", title) or title
    return _seen(title, _first(cells, _YEARS))


def _of_entries(entries: Iterable[tuple[int, Any]]) -> Read:
    for line, entry in entries:
        yield line, _read(_of_entry, entry)


def _of_entry(entry: Any) -> SeenTitle:
    if isinstance(entry, str):
        return _of_line(entry)
    if not isinstance(entry, dict):
        raise _Unusable("neither a title nor an object with one")
    fields = {collapsed(key.replace("_", " ")).casefold(): str(value) for key, value in entry.items() if _plain(value)}
    return _of_cells(fields)


def _of_lines(text: str) -> Read:
    for line, said in enumerate(text.splitlines(), start=1):
        if said.strip() and not (line == 1 and said.strip().strip("\"'").casefold() in _TITLES):
            yield line, _read(_of_line, said)


def _of_line(said: str) -> SeenTitle:
    text = collapsed(clean(_BULLET.sub("", said)))
    found = _BRACKETED_YEAR.match(text) or _CELL_YEAR.match(text)
    return _seen(found["title"], found["year"]) if found else _seen(text, "")


def _read(reading: Any, row: Any) -> SeenTitle | str:
    try:
        found: SeenTitle = reading(row)
        return found
    except _Unusable as why:
        return str(why)


def _seen(title: str, year: str) -> SeenTitle:
    text = _unquoted(collapsed(clean(title)))
    if len(text) > LONGEST_TITLE:
        raise _Unusable(f"longer than {LONGEST_TITLE} characters, so it is no title")
    if not any(character.isalnum() for character in text):
        raise _Unusable("no title")
    number = _DATE.fullmatch(year.strip())
    return SeenTitle(title=text, year=int(number[1]) if number and int(number[1]) in YEARS else None)


def _unquoted(text: str) -> str:
    for left, right in _QUOTED:
        around = len(text) > 2 and text.startswith(left) and text.endswith(right)
        if around and text.count(right) == (2 if left == right else 1):
            return text[1:-1].strip()
    return text


def _first(cells: Mapping[str, str], names: Iterable[str]) -> str:
    return next((cells[name] for name in names if cells.get(name, "").strip()), "")


def _plain(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)
