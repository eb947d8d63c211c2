"""A retrieval set: a folder with items, requests and relevance judgements.

    items.jsonl     {"id", "title", "year", "metadata", "reviews": [{"text"}]}     as `pdgf index` reads it
    queries.jsonl   {"qid", "text", "seed_items"?: [item id]}                      other fields are not used
    qrels.tsv       qid <TAB> item id <TAB> grade                                  grades above 0 are relevant

What cannot be used is left out and told. Items that a request names itself (`seed_items`) are no part of its truth.
"""

import hashlib
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from pydantic import Field

from pdgf.catalogues.reading import CatalogueItem, read_items
from pdgf.errors import ConfigInvalid
from pdgf.evaluation.rows import FileRow, LeftOut, read_rows
from pdgf.models import Value

ITEMS, QUERIES, QRELS = "items.jsonl", "queries.jsonl", "qrels.tsv"


class Query(Value):
    """A request with its truth: the support g(i) > 0 of each relevant item. `seeds` must not be recommended."""

    qid: str
    text: str
    seeds: tuple[str, ...] = ()
    truth: dict[str, float]


class RetrievalSet(Value):
    """Items and requests that can be measured, and what was left out of them."""

    name: str
    items: tuple[CatalogueItem, ...]
    queries: tuple[Query, ...]
    left_out: tuple[LeftOut, ...] = ()

    @cached_property
    def item_by_id(self) -> Mapping[str, CatalogueItem]:
        return {item.id: item for item in self.items}


class _QueryRow(FileRow):
    qid: str | int
    text: str = Field(min_length=1)
    seed_items: tuple[str | int, ...] = ()


def read_set(folder: Path) -> RetrievalSet:
    """The set in a folder. Raises ConfigInvalid when a file is missing or no request can be measured, CatalogueInvalid
    when no item is usable."""
    missing = [name for name in (ITEMS, QUERIES, QRELS) if not (folder / name).is_file()]
    if missing:
        raise ConfigInvalid(f"{folder} is no evaluation set: it has no {' and no '.join(missing)}")
    report = read_items(folder / ITEMS)
    known = {item.id for item in report.items}
    left_out = [LeftOut(file=ITEMS, line=row.line, why=row.why) for row in report.refused]
    truths, bad_lines = _truths(folder / QRELS, known)
    rows, bad_rows = read_rows(folder / QUERIES, _QueryRow)
    queries, unused = _queries(rows, truths, known)
    if not queries:
        raise ConfigInvalid(f"{folder}: no request has a relevant item among the items of the set")
    return RetrievalSet(
        name=folder.resolve().name,
        items=report.items,
        queries=tuple(queries),
        left_out=(*left_out, *bad_rows, *bad_lines, *unused),
    )


def set_digest(measured: RetrievalSet) -> str:
    """A digest of everything that is measured: items, requests and truth."""
    said = RetrievalSet(name="", items=measured.items, queries=measured.queries).model_dump_json()
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _queries(
    rows: Sequence[tuple[int, _QueryRow]], truths: Mapping[str, Mapping[str, float]], known: set[str]
) -> tuple[list[Query], list[LeftOut]]:
    """Requests with a truth; a second one of the same id, an empty truth and unknown seeds are told."""
    queries: dict[str, Query] = {}
    left_out: list[LeftOut] = []
    for line, row in rows:
        qid, seeds = str(row.qid), tuple(map(str, row.seed_items))
        truth = {item: grade for item, grade in truths.get(qid, {}).items() if grade > 0 and item not in seeds}
        if qid in queries:
            left_out.append(LeftOut(file=QUERIES, line=line, why=f"a second request of the id {qid}"))
        elif not truth:
            left_out.append(LeftOut(file=QUERIES, line=line, why=f"request {qid} has no relevant item"))
        else:
            queries[qid] = Query(qid=qid, text=row.text, seeds=tuple(s for s in seeds if s in known), truth=truth)
    asked = {str(row.qid) for _, row in rows}
    left_out += [LeftOut(file=QRELS, why=f"{qid} is no request") for qid in sorted(truths.keys() - asked)]
    return list(queries.values()), left_out


def _truths(path: Path, known: set[str]) -> tuple[dict[str, dict[str, float]], list[LeftOut]]:
    """Grades by request and item; the largest where an item is judged twice. Raises ConfigInvalid."""
    truths: dict[str, dict[str, float]] = defaultdict(dict)
    left_out: list[LeftOut] = []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigInvalid(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        fields = line.split("\t")
        why = _fault(fields, known)
        if why:
            left_out.append(LeftOut(file=QRELS, line=number, why=why))
            continue
        qid, item, grade = fields[0].strip(), fields[1].strip(), float(fields[2])
        truths[qid][item] = max(grade, truths[qid].get(item, grade))
    return dict(truths), left_out


def _fault(fields: Sequence[str], known: set[str]) -> str:
    """Why a judgement cannot be used; empty if it can."""
    if len(fields) != 3:
        return f"{len(fields)} fields instead of request, item and grade"
    try:
        usable = math.isfinite(float(fields[2]))
    except ValueError:
        usable = False
    if not usable:
        return "the grade is no number"
    return "" if fields[1].strip() in known else f"item {fields[1].strip()} is not in the set"
