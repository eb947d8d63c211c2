"""Rows of an evaluation file: what is usable, and what was left out, by file, line and reason."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from pdgf.catalogues.rows import json_rows
from pdgf.errors import ConfigInvalid
from pdgf.models import Value

SHOWN = 3  # reasons in an error


class LeftOut(Value):
    """A row that is not measured; `line` counts from 1, and is None for what concerns no single line."""

    file: str
    line: int | None = None
    why: str


class FileRow(BaseModel):
    """A row of a file of others: fields that we do not know are no fault."""

    model_config = ConfigDict(frozen=True, extra="ignore")


R = TypeVar("R", bound=FileRow)


def read_rows(path: Path, row_type: type[R]) -> tuple[list[tuple[int, R]], list[LeftOut]]:
    """The usable rows of a JSONL file with their lines, and those left out. Raises ConfigInvalid when the file cannot
    be read or none of its rows is usable."""
    rows: list[tuple[int, R]] = []
    left_out: list[LeftOut] = []
    try:
        for row in json_rows(path, {}):
            try:
                if row.fields is None:
                    left_out.append(LeftOut(file=path.name, line=row.line, why=row.why))
                else:
                    rows.append((row.line, row_type.model_validate(row.fields)))
            except ValidationError as error:
                left_out.append(LeftOut(file=path.name, line=row.line, why=_first_fault(error)))
    except OSError as error:
        raise ConfigInvalid(f"{path} cannot be read: {error.strerror or error}") from error
    if not rows:
        raise ConfigInvalid(f"{path} holds no usable row ({_reasons(left_out) or 'the file is empty'})")
    return rows, left_out


def told(left_out: Sequence[LeftOut]) -> dict[str, Any]:
    """What was left out, counted and named, to stand beside the figures."""
    return {"count": len(left_out), "rows": [row.model_dump(mode="json") for row in left_out]}


def _first_fault(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"]))
    return f"{where}: {first['msg']}" if where else str(first["msg"])


def _reasons(left_out: Sequence[LeftOut]) -> str:
    return "; ".join(f"line {row.line}: {row.why}" for row in left_out[:SHOWN])
