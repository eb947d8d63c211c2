"""The rows of a catalogue file as plain fields: lines of JSON, or the lines of a table under its header."""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pdgf.catalogues.flatten import readable
from pdgf.errors import CatalogueInvalid

MAX_LINE_BYTES = 1_000_000  # a line longer than that is refused unread
_CELL_SEPARATORS = (";", "|")
_DELIMITERS = (",", ";", "\t", "|")
_BOM = b"\xef\xbb\xbf"
_WORDS = {"true": True, "yes": True, "false": False, "no": False}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)
_CODE = re.compile(r"-?0\d")  # a leading zero: a code, not a quantity
# Columns whose cells are one text even where they hold a separator.
_WHOLE_CELL = re.compile(
    r"title|name|(?:item )?id|.*year|published|reviews?|notes?|text|description|comments?|source|url"
)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row: its line in the file, from 1, and its fields, or None and why it cannot be read."""

    line: int
    fields: Mapping[str, Any] | None = None
    why: str = ""


def json_rows(path: Path, mapping: Mapping[str, str]) -> Iterator[Row]:
    """One row a line that is not blank. `mapping` renames keys at the top: {our field: their key}. Raises OSError."""
    ours = {theirs: field for field, theirs in mapping.items()}
    with path.open("rb") as file:
        line = 0
        while raw := file.readline(MAX_LINE_BYTES + 1):
            line += 1
            raw = raw.removeprefix(_BOM) if line == 1 else raw
            if len(raw) > MAX_LINE_BYTES and not raw.endswith(b"\n"):
                while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                    pass
                yield Row(line=line, why="the line is longer than 1 MB")
            elif raw.strip():
                yield _json_row(line, raw, ours)


def table_rows(path: Path, mapping: Mapping[str, str], *, as_written: bool = False) -> Iterator[Row]:
    """One row a record under the header; its cells are read as lists, numbers, yes and no unless `as_written`. Raises
    OSError, or CatalogueInvalid when `mapping` names no column of it."""
    with path.open("r", encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        header_line = file.readline(MAX_LINE_BYTES)
        delimiter = max(_DELIMITERS, key=header_line.count)
        file.seek(0)
        reader = csv.reader(file, delimiter=delimiter, strict=True)
        header: list[str] | None = None
        while True:
            row = _next_record(reader)
            if row is None:
                return
            if isinstance(row, Row):
                yield row
            elif header is None:
                header = _header(row, mapping)
            elif any(cell.strip() for cell in row):
                yield _table_row(reader.line_num, header, row, "" if as_written else delimiter)


def _json_row(line: int, raw: bytes, ours: Mapping[str, str]) -> Row:
    try:
        fields = json.loads(raw.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        return Row(line=line, why="not UTF-8")
    except _NotANumber as constant:
        return Row(line=line, why=f"{constant} is not JSON")
    except (ValueError, RecursionError) as error:
        return Row(line=line, why=f"not JSON ({str(error)[:80]})")
    if not isinstance(fields, dict):
        return Row(line=line, why=f"not an object but {_kind(fields)}")
    return Row(line=line, fields={ours.get(key, key): value for key, value in fields.items()})


class _NotANumber(ValueError):
    """NaN or an infinity in a JSON line."""


def _refuse_constant(name: str) -> Any:
    raise _NotANumber(name)


def _kind(value: Any) -> str:
    return {list: "a list", str: "a text", bool: "a boolean", type(None): "null"}.get(type(value), "a number")


def _next_record(reader: Any) -> list[str] | Row | None:
    """The next record of a table, None at its end, or the row that says why it cannot be read."""
    previous_limit = csv.field_size_limit(MAX_LINE_BYTES)
    try:
        record: list[str] = next(reader)
        return record
    except StopIteration:
        return None
    except csv.Error as error:
        return Row(line=reader.line_num, why=f"not a table row ({error})")
    finally:
        csv.field_size_limit(previous_limit)


def _header(cells: list[str], mapping: Mapping[str, str]) -> list[str]:
    """The field that each column holds: as `mapping` says, else the column's own name."""
    columns = [cell.strip() for cell in cells]
    missing = sorted(set(mapping.values()) - set(columns))
    if missing:
        raise CatalogueInvalid(f"no column {missing[0]!r}; the columns are {', '.join(columns)}")
    ours = {column: field for field, column in mapping.items()}
    taken = set(mapping)
    return [ours.get(column, f"other {column}" if column in taken else column) for column in columns]


def _table_row(line: int, header: list[str], cells: list[str], delimiter: str) -> Row:
    """A record as a row; without a `delimiter` its cells stay as they are written."""
    if len(cells) > len(header):
        return Row(line=line, why=f"{len(cells)} cells under {len(header)} columns")
    if any("\udc80" <= char <= "\udcff" for cell in cells for char in cell):
        return Row(line=line, why="not UTF-8")
    fields: dict[str, Any] = {}
    for name, cell in zip(header, cells, strict=False):
        if not name or not cell.strip():
            continue
        value = cell.strip() if not delimiter or _WHOLE_CELL.fullmatch(readable(name)) else _cell(cell, delimiter)
        if name in fields:  # two columns of one name: both count
            value = [*_listed(fields[name]), *_listed(value)]
        fields[name] = value
    return Row(line=line, fields=fields)


def _cell(cell: str, delimiter: str) -> Any:
    """A cell as a list of texts, a boolean, a number or a text."""
    for separator in _CELL_SEPARATORS:
        if separator != delimiter and separator in cell:
            return [part.strip() for part in cell.split(separator) if part.strip()]
    text = cell.strip()
    if text.casefold() in _WORDS:
        return _WORDS[text.casefold()]
    if not _NUMBER.fullmatch(text) or _CODE.match(text):
        return text
    return float(text) if "." in text else int(text)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
