"""A catalogue file that a visitor has sent: laid down as the reader takes it, shown, and its columns understood.

bytes -> laid_down -> preview: columns, first rows, which column could hold which field of ours and why
                   -> checked: what the reader makes of it with the columns that were chosen
"""

import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal

from dialogue.uploads import MAX_ROWS, decoded, json_entries, shape_of
from pdgf.catalogues.flatten import readable
from pdgf.catalogues.reading import TABLES, YEARS, CatalogueItem, RefusedRow, read_items
from pdgf.catalogues.rows import Row, json_rows, table_rows
from pdgf.errors import CatalogueInvalid, UploadTooLarge
from pdgf.glossary import has_han
from pdgf.models import Value
from pdgf.texts import clean, collapsed

Field = Literal["title", "year", "texts", "id", "source"]
Why = Literal["name", "years", "long", "distinct"]
Chosen = Mapping[Field, Sequence[str]]  # the columns that hold each field

FIELDS: tuple[Field, ...] = ("title", "year", "texts", "id", "source")
MAX_COLUMNS = 200
LONGEST_NAME = 100  # characters of a column that can be chosen; what is under a longer one stays a fact
SAMPLE = 200  # rows that a column is judged by
SHOWN_ROWS = 4
SHOWN_CHARS = 90  # of one cell
LONG = 60  # characters of an average value from which a column holds texts
SHORT = 80  # characters of an average title at most
MOSTLY = 0.8

_NAMES: dict[Field, str] = {
    "title": r"(?:.* )?(?:title|name)|.*(?:名称|标题|名字|书名|片名|酒名|店名|品名)|名"
    r"|films?|movies?|books?|games?|albums?|songs?|shows?|series|restaurants?|places?"
    r"|recipes?|dish(?:es)?|wines?|hikes?|walks?|trails?|routes?|courses?|hotels?|podcasts?|products?|items?",
    "year": r"(?:.* )?year(?: .*)?|.*release(?:d)?|published|y|vintage|.*年份|年代|.*年",
    "texts": r"(?:.* )?(?:reviews?|notes?|texts?|descriptions?|comments?|summar(?:y|ies)|plot|synopsis|overview|blurb)"
    r"|.*(?:评论|评价|点评|简介|描述|介绍|备注|说明|笔记)",
    "id": r"(?:item |film |movie |book )?id|编号|序号|isbn(?:13)?|imdb(?: id)?|sku|key",
    "source": r"source|url|link|web ?site|uri|链接|网址|来源",
}
_SENTENCE = re.compile(r"[.!?…。！？]+[\"'”’)\]」』]*$")
_NO_END = re.compile(r"\b(?:[ap]\.m|etc|inc|ltd|co|[A-Z])\.$")  # what ends in a dot and is no sentence
_LOWER_WORD = re.compile(r"(?<![^\s\"'“‘(])[^\W\d_A-Z]{2,}")
_HAN = re.compile(r"[\u4e00-\u9fff]")
SENTENCE_WORDS, SENTENCE_SIGNS = 3, 4  # words in small letters, or Chinese characters, that a sentence has at least
_LISTED = re.compile(r"[,;|、，；]")
# What the reader would take for a field of ours although another column was chosen for it, or none.
_TAKEN = re.compile(
    r"title|name|year|release year|published|publication year|id|item id|source|url"
    r"|reviews?|notes?|text|description|comments?|metadata"
)


class Proposal(Value):
    """The columns that seem to hold a field, and what speaks for them."""

    field: Field
    columns: tuple[str, ...]
    why: Why


class Preview(Value):
    """What a file holds: its columns, the first rows under them as texts, and what the columns seem to be."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    count: int
    proposals: tuple[Proposal, ...]

    @property
    def proposed(self) -> dict[Field, tuple[str, ...]]:
        """The proposals as a choice."""
        return {proposal.field: proposal.columns for proposal in self.proposals}


class Checked(Value):
    """What a catalogue would be made of: its items, the texts about them, the rows refused; `problem` if of nothing."""

    items: int = 0
    texts: int = 0
    refused: tuple[RefusedRow, ...] = ()
    problem: str = ""


def laid_down(data: bytes, folder: Path, *, max_bytes: int) -> Path:
    """Write a file as UTF-8 into the folder under a name of ours: a table as .csv, everything else as .jsonl.

    Raises UploadTooLarge, UploadNotText, and CatalogueInvalid for a file that is neither a table nor JSON.
    """
    text = decoded(data, max_bytes=max_bytes).text
    shape = shape_of(text)
    if shape == "lines" and text.strip():
        raise CatalogueInvalid("it is neither a table with a header nor JSON")
    if shape == "json":
        text = "".join(f"{json.dumps(entry, ensure_ascii=True)}\n" for entry in json_entries(text))
    path = folder / f"draft-{secrets.token_hex(16)}.{'csv' if shape == 'table' else 'jsonl'}"
    path.write_text(text.lstrip("\r\n") if shape == "table" else text, encoding="utf-8", newline="")
    return path


def preview(path: Path) -> Preview:
    """The columns of a file that was laid down, its first rows, and proposals for the fields.

    Raises CatalogueInvalid when no row can be read, and UploadTooLarge for more rows or columns than are taken.
    """
    sample: list[Mapping[str, Any]] = []
    lines: list[int] = []
    columns: dict[str, None] = {}
    count, first_reason = 0, ""
    for row in _rows(path):
        count += 1
        if count > MAX_ROWS:
            raise UploadTooLarge(f"{MAX_ROWS:,} rows")
        if row.fields is None:
            first_reason = first_reason or f"line {row.line}: {row.why}"
            continue
        columns |= dict.fromkeys(name for name in row.fields if len(name) <= LONGEST_NAME and name == clean(name))
        if len(columns) > MAX_COLUMNS:
            raise UploadTooLarge(f"{MAX_COLUMNS} columns")
        if len(sample) < SAMPLE:
            sample.append(row.fields)
            lines.append(row.line)
    if not columns:
        raise CatalogueInvalid(f"no row can be read ({first_reason or 'there is nothing in it'})")
    first = list(zip(sample[:SHOWN_ROWS], _as_written(path, lines[:SHOWN_ROWS]), strict=True))
    shown = tuple(
        tuple(_shown(_cell(fields.get(column), written.get(column))) for column in columns) for fields, written in first
    )
    return Preview(columns=tuple(columns), rows=shown, count=count, proposals=tuple(_proposals(tuple(columns), sample)))


def checked(path: Path, columns: Sequence[str], chosen: Chosen) -> Checked:
    """What the reader makes of a file with the columns chosen; a file it can make nothing of is a problem in words."""
    if not chosen.get("title"):
        return Checked(problem="no column for the titles is chosen")
    try:
        report = read_items(path, mapping=reader_mapping(columns, chosen))
    except CatalogueInvalid as error:
        return Checked(problem=str(error).removeprefix(f"{path.name} "))
    return Checked(items=len(report.items), texts=_texts(report.items), refused=report.refused)


def table_mapping(path: Path) -> dict[str, str]:
    """The mapping for a table that nobody has looked at: what its columns seem to be, as the page proposes it. Empty
    for another file, and for a table in which no column seems to hold titles."""
    if path.suffix.lower() not in TABLES:
        return {}
    try:
        seen = preview(path)
    except (OSError, CatalogueInvalid, UploadTooLarge):
        return {}  # the reader says what is wrong with it
    return reader_mapping(seen.columns, seen.proposed) if seen.proposed.get("title") else {}


def reader_mapping(columns: Sequence[str], chosen: Chosen) -> dict[str, str]:
    """The mapping for the reader, {our field: their column}: the choice holds, whatever the columns are called."""
    mapping: dict[str, str] = {}
    for field in FIELDS:
        for number, column in enumerate(chosen.get(field, ()), start=1):
            if column in columns and column not in mapping.values():
                mapping[f"review {number}" if field == "texts" else field] = column
    for column in columns:
        if column not in mapping.values() and _TAKEN.fullmatch(readable(column)) and column != "metadata":
            mapping[f"other {readable(column)}"] = column
    return mapping


def _texts(items: Sequence[CatalogueItem]) -> int:
    return sum(len(item.reviews) for item in items)


def _as_written(path: Path, lines: Sequence[int]) -> list[Mapping[str, Any]]:
    """The cells of the rows at some lines as they stand in a table; none of another file."""
    if path.suffix.lower() not in TABLES or not lines:
        return [{} for _ in lines]
    until = takewhile(lambda row: row.line <= lines[-1], table_rows(path, {}, as_written=True))
    return [row.fields for row in until if row.line in lines and row.fields is not None]


def _cell(read: Any, written: Any) -> Any:
    """What is shown of a cell: a list as one, all else as it is written ("yes")."""
    return read if isinstance(read, list) or written is None else written


def _rows(path: Path) -> Iterator[Row]:
    return table_rows(path, {}) if path.suffix.lower() in TABLES else json_rows(path, {})


def _proposals(columns: Sequence[str], sample: Sequence[Mapping[str, Any]]) -> Iterator[Proposal]:
    """A proposal for each field that some column seems to hold, each column for one field at most."""
    values = {column: [row[column] for row in sample if row.get(column) not in (None, "", [])] for column in columns}
    free = [column for column in columns if values[column]]
    for field in ("title", "year", "texts", "source", "id"):
        found, why = _columns_for(field, free, values)
        if found:
            yield Proposal(field=field, columns=tuple(found), why=why)
            free = [column for column in free if column not in found]


def _columns_for(field: Field, free: Sequence[str], values: Mapping[str, list[Any]]) -> tuple[list[str], Why]:
    fitting = [column for column in free if _FITS[field](values[column])]
    named = [column for column in fitting if re.fullmatch(_NAMES[field], readable(column))]
    if field == "texts":
        long = [
            column
            for column in fitting
            if column in named or _is_long(values[column]) or _are_sentences(values[column])
        ]
        return long, "name" if long and long == named else "long"
    if named:
        best = min(named, key=lambda column: len(readable(column))) if field != "title" else _titles_of(named)
        return [best], "name"
    if field == "title" and (distinct := [column for column in fitting if _distinct(values[column])]):
        return [distinct[0]], "distinct"
    return (fitting[:1], "years") if field == "year" else ([], "name")


def _titles_of(named: Sequence[str]) -> str:
    """Of several columns that could hold titles the one that says so most plainly."""
    return min(named, key=lambda column: ("title" not in readable(column), len(readable(column))))


def _is_long(values: Sequence[Any]) -> bool:
    """Whether values are texts by their length: long ones that are no lists of a few words each."""
    if _average(values) < LONG and not (all(map(has_han, map(str, values))) and _average(values) >= LONG / 2):
        return False
    pieces = [piece for value in values for piece in (value if isinstance(value, list) else _LISTED.split(str(value)))]
    words = [str(piece).strip().casefold() for piece in pieces]
    return len(set(words)) > len(words) / 2 or _average(words) > LONG / 2


def _are_sentences(values: Sequence[Any]) -> bool:
    """Whether most values are sentences, however short they are or often they are repeated."""
    said = [value for value in values if isinstance(value, str)]
    return sum(map(_is_sentence, said)) >= MOSTLY * len(values)


def _is_sentence(value: str) -> bool:
    text = value.strip()
    if not _SENTENCE.search(text) or _NO_END.search(text):
        return False
    return len(_LOWER_WORD.findall(text)) >= SENTENCE_WORDS or len(_HAN.findall(text)) >= SENTENCE_SIGNS


def _average(values: Sequence[Any]) -> float:
    return sum(len(_shown(value, limit=1000)) for value in values) / max(len(values), 1)


def _distinct(values: Sequence[Any]) -> bool:
    return len({str(value) for value in values}) >= MOSTLY * len(values)


def _are_texts(values: Sequence[Any]) -> bool:
    """Whether most values are words: texts, or lists of texts or of objects with one."""
    return sum(isinstance(value, str | list) for value in values) >= MOSTLY * len(values)


def _are_titles(values: Sequence[Any]) -> bool:
    usable = sum(isinstance(value, str | int | float) and not isinstance(value, bool) for value in values)
    wordy = sum(isinstance(value, str) for value in values)
    return usable >= MOSTLY * len(values) and 2 * wordy >= len(values) and _average(values) <= SHORT


def _are_years(values: Sequence[Any]) -> bool:
    numbers = [int(str(value).removesuffix(".0")) for value in values if re.fullmatch(r"\d{1,4}(?:\.0)?", str(value))]
    return sum(number in YEARS and number > 999 for number in numbers) >= MOSTLY * len(values)


def _are_ids(values: Sequence[Any]) -> bool:
    return len({str(value) for value in values}) == len(values)


def _are_addresses(values: Sequence[Any]) -> bool:
    return sum(str(value).startswith(("http://", "https://")) for value in values) >= MOSTLY * len(values)


_FITS = {"title": _are_titles, "year": _are_years, "texts": _are_texts, "id": _are_ids, "source": _are_addresses}


def _shown(value: Any, *, limit: int = SHOWN_CHARS) -> str:
    """A value as a short text on one line."""
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        text = ", ".join(value[:50])
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    short = collapsed(clean(text[: 4 * limit]))
    return short if len(short) <= limit else f"{short[: limit - 1]}…"
