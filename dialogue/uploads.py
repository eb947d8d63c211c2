"""What a visitor has sent, as text: judged by what it holds, never by its name, and never unpacked. Pure."""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pdgf.errors import UploadNotText, UploadTooLarge
from pdgf.models import Value

MEGABYTE = 1024 * 1024
MAX_ROWS = 20_000  # of one file
DELIMITERS = (",", ";", "\t", "|")

Shape = Literal["json", "json_lines", "table", "lines"]

_MARKED = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_PACKED = (
    (b"PK\x03\x04", "a spreadsheet or a packed file"),
    (b"PK\x05\x06", "a packed file"),
    (b"\x1f\x8b", "a packed file"),
    (b"7z\xbc\xaf", "a packed file"),
    (b"%PDF", "a PDF"),
    (b"\xd0\xcf\x11\xe0", "a spreadsheet"),
    (b"SQLite format 3", "a database"),
)
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f]")
_FEW = 0.01  # the share of control characters up to which a file still counts as text


class Decoded(Value):
    """A text and the encoding that it was read in."""

    text: str
    encoding: str


def decoded(data: bytes, *, max_bytes: int) -> Decoded:
    """The text of a file: by its byte order mark, else UTF-8, else Windows-1252.

    Raises UploadTooLarge, and UploadNotText for what is packed or holds other things than text.
    """
    if len(data) > max_bytes:
        raise UploadTooLarge(f"{max_bytes // MEGABYTE} MB" if max_bytes >= MEGABYTE else f"{max_bytes} bytes")
    for mark, what in _PACKED:
        if data.startswith(mark):
            raise UploadNotText(what)
    found = _read(data)
    if "\0" in found.text or len(_CONTROLS.findall(found.text)) > _FEW * len(found.text):
        raise UploadNotText("an image or a program")
    return found


def shape_of(text: str) -> Shape:
    """What a text is written as. A table has a header of at least two cells, its rows as many as it or fewer."""
    start = text.lstrip()
    if start.startswith(("[", "{")) and _json(start) is not None:
        return "json"
    if start.startswith("{"):
        return "json_lines"
    delimiter = delimiter_of(text)
    first = start.splitlines()[0] if start else ""
    return "table" if delimiter and len(next(csv.reader([first], delimiter=delimiter), ())) > 1 else "lines"


def delimiter_of(text: str) -> str:
    """What separates the cells of the first line that is not blank; empty where nothing does."""
    first = next((line for line in text.lstrip().splitlines() if line.strip()), "")
    best = max(DELIMITERS, key=first.count)
    return best if best in first else ""


def table_records(text: str, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """The records of a table with the line each begins in, from 1; in place of one that cannot be read, why."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            yield line, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            unclosed = "unexpected end" in str(error)
            why = "a quotation mark is never closed: nothing after it was read" if unclosed else str(error)
            yield line, why


def json_entries(text: str) -> Sequence[Any]:
    """The entries of a JSON text: of a list, of the only list in an object without a title, or its only value."""
    value = _json(text)
    if isinstance(value, dict):
        lists = [entry for entry in value.values() if isinstance(entry, list)]
        titled = any(key.casefold() in ("title", "name") for key in value)
        return lists[0] if len(lists) == 1 and not titled else [value]
    return value if isinstance(value, list) else [] if value is None else [value]


def _read(data: bytes) -> Decoded:
    for mark, encoding in _MARKED:
        if data.startswith(mark):
            return Decoded(text=data.decode(encoding, errors="replace"), encoding=encoding.removesuffix("-sig"))
    try:
        return Decoded(text=data.decode("utf-8"), encoding="utf-8")
    except UnicodeDecodeError:
        return Decoded(text=data.decode("cp1252", errors="replace"), encoding="windows-1252")


def _json(text: str) -> Any:
    """The value of a JSON text; None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
