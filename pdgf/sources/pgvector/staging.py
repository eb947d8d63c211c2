"""A catalogue file read piece by piece into tables that nobody is served from. What was read is not read again.

The passages and their order are those of pdgf.sources.index.laid_out; a test holds the two together.
"""

import asyncio
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg import sql

from pdgf.catalogues.reading import Batch, CatalogueItem, RefusedRow, Review, joined, no_usable_row, read_batches
from pdgf.constraints import facts_of
from pdgf.models import normalised
from pdgf.sources.pgvector.connection import Connection, Said
from pdgf.sources.pgvector.schema import table
from pdgf.stuffing import passages_said
from pdgf.texts import passages, sentences

REFUSED_KEPT = 1_000  # of a file in which everything is wrong
ITEMS_AT_ONCE = 1_000

CREATE = """
    create table {items} (
        position integer primary key, id text not null unique, title text not null, year integer,
        metadata json not null, reviews integer not null
    );
    create table {said} (item integer not null, same uuid not null, primary key (item, same));
    create table {staged} (
        item integer not null, fact boolean not null, number integer not null, piece integer not null,
        text text not null, source text not null, url text, key text, same uuid not null, digest uuid not null
    );
    create table {split} (digest uuid not null, text text not null);
"""
SPLIT = ("digest", "text")
STAGED = ("item", "fact", "number", "piece", "text", "source", "url", "key", "same", "digest")


@dataclass
class _Known:
    """An item as the table has it: its position, what was said of it, and how many reviews it has."""

    position: int
    item: CatalogueItem
    reviews: int


async def create(connection: Connection, version: int) -> None:
    """The empty tables of a version that is to be read."""
    await connection.execute(sql.SQL(CREATE).format(**_tables(version)))


async def read(
    connection: Connection, version: int, path: Path, *, mapping: Mapping[str, str] | None, line: int, said: Said
) -> None:
    """Take in the rows after `line`. Raises CatalogueInvalid for a file that cannot be read or gives no item."""
    batches = read_batches(path, mapping=mapping, after=line)
    while batch := await asyncio.to_thread(next, batches, None):
        async with connection.transaction():
            await _take(connection, version, batch)
        said("rows read", batch.line, 0)
    found = await connection.execute("select items from pdgf_index.versions where version = %s", (version,))
    if (await found.fetchone() or (0,))[0] == 0:
        rows = await connection.execute(
            "select line, why from pdgf_index.refused where version = %s order by line limit 3", (version,)
        )
        raise no_usable_row(path, [RefusedRow(line=at, why=why) for at, why in await rows.fetchall()])


async def state_facts(connection: Connection, version: int) -> None:
    """Add the lines of metadata, which are known once all rows are read. To be called within a transaction."""
    names = _tables(version)
    query = sql.SQL("select position, id, metadata from {items} order by position").format(**names)
    async with connection.cursor(name="items_for_facts") as items:
        await items.execute(query)
        while rows := await items.fetchmany(ITEMS_AT_ONCE):
            await _lay_down(connection, names, [row for item in rows for row in _facts(*item)])


async def _take(connection: Connection, version: int, batch: Batch) -> None:
    """One batch: items made or added to, their new reviews laid down, how far the file is read."""
    names = _tables(version)
    known = await _known(connection, names, batch.items)
    count = await connection.execute("select items from pdgf_index.versions where version = %s", (version,))
    next_position = (await count.fetchone() or (0,))[0]
    refused, taken = list(batch.refused), []
    for item in batch.items:
        before = known.get(item.id)
        if before is None:
            known[item.id] = _Known(next_position, item, 0)
            next_position += 1
        else:
            both = joined(before.item, item.model_copy(update={"reviews": ()}))
            if isinstance(both, str):
                refused.append(RefusedRow(line=batch.lines[item.id], why=both))
                continue
            before.item = both
        taken.append(item)
    said = await _said(connection, names, [(known[item.id].position, item) for item in taken if known[item.id].reviews])
    staged: list[tuple[Any, ...]] = []
    new = 0
    for item in taken:
        there = known[item.id]
        first = there.reviews == 0
        for review in item.reviews:
            same = digest_of(normalised(review.text))
            if not first and (there.position, same) in said:
                continue
            there.reviews += 1
            new += 1
            staged.extend(_pieces(there, review))
    await _lay_down(connection, names, staged)
    await _keep(connection, names, [known[item.id] for item in taken], taken)
    await _note(connection, version, batch.line, refused, items=next_position, reviews=new)


async def _known(
    connection: Connection, names: Mapping[str, sql.Identifier], items: Sequence[CatalogueItem]
) -> dict[str, _Known]:
    query = sql.SQL("select position, id, title, year, metadata, reviews from {items} where id = any(%s)")
    found = await connection.execute(query.format(**names), ([item.id for item in items],))
    return {
        item_id: _Known(position, CatalogueItem(id=item_id, title=title, year=year, metadata=metadata), reviews)
        for position, item_id, title, year, metadata, reviews in await found.fetchall()
    }


async def _said(
    connection: Connection, names: Mapping[str, sql.Identifier], items: Sequence[tuple[int, CatalogueItem]]
) -> set[tuple[int, UUID]]:
    """Which reviews of these items were said before."""
    pairs = [(position, digest_of(normalised(review.text))) for position, item in items for review in item.reviews]
    query = sql.SQL(
        "select item, same from {said} join unnest(%s::integer[], %s::uuid[]) as asked (item, same) using (item, same)"
    )
    found = await connection.execute(query.format(**names), ([p for p, _ in pairs], [same for _, same in pairs]))
    return {(item, same) for item, same in await found.fetchall()}


async def _keep(
    connection: Connection,
    names: Mapping[str, sql.Identifier],
    known: Sequence[_Known],
    taken: Sequence[CatalogueItem],
) -> None:
    """The items as they are now, and their reviews as said."""
    query = sql.SQL(
        "insert into {items} select position, id, title, year, metadata::json, reviews from "
        "unnest(%s::integer[], %s::text[], %s::text[], %s::integer[], %s::text[], %s::integer[]) "
        "as now (position, id, title, year, metadata, reviews) on conflict (position) do update set "
        "year = excluded.year, metadata = excluded.metadata, reviews = excluded.reviews"
    ).format(**names)
    rows = [(k.position, k.item.id, k.item.title, k.item.year, json.dumps(k.item.metadata), k.reviews) for k in known]
    await connection.execute(query, [list(column) for column in zip(*rows, strict=True)] or [[]] * 6)
    pairs = {
        (k.position, digest_of(normalised(r.text))) for k, item in zip(known, taken, strict=True) for r in item.reviews
    }
    insert = sql.SQL("insert into {said} select * from unnest(%s::integer[], %s::uuid[]) on conflict do nothing")
    await connection.execute(insert.format(**names), ([p for p, _ in pairs], [same for _, same in pairs]))


async def _note(
    connection: Connection, version: int, line: int, refused: Sequence[RefusedRow], *, items: int, reviews: int
) -> None:
    updated = await connection.execute(
        "update pdgf_index.versions set line = %s, refused = refused + %s, items = %s, reviews = reviews + %s "
        "where version = %s returning refused",
        (line, len(refused), items, reviews, version),
    )
    so_far = (await updated.fetchone() or (0,))[0]
    kept = refused[: max(REFUSED_KEPT - (so_far - len(refused)), 0)]
    async with connection.cursor() as cursor:
        rows = [(version, row.line, row.why) for row in kept]
        await cursor.executemany("insert into pdgf_index.refused values (%s, %s, %s)", rows)


def _pieces(known: _Known, review: Review) -> Iterator[tuple[Any, ...]]:
    """The passages of the latest review of an item."""
    source = f"{known.item.id}#r{known.reviews}"
    url = review.source if (review.source or "").startswith(("http://", "https://")) else None
    for piece, text in enumerate(passages_said(review.text)):
        yield (known.position, False, known.reviews, piece, text, source, url, None, *_digests(text))


def _facts(position: int, item_id: str, metadata: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    for number, (key, line) in enumerate(facts_of(metadata)):
        for piece, text in enumerate(passages(line)):
            yield (position, True, number, piece, text, f"{item_id}#{key}", None, key, *_digests(text))


def _digests(text: str) -> tuple[UUID, UUID]:
    return digest_of(normalised(text)), digest_of(text)


def digest_of(text: str) -> UUID:
    """The first sixteen bytes of a text's digest, in the type that a database keeps in as many."""
    return UUID(bytes=hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16])


async def _lay_down(
    connection: Connection, names: Mapping[str, sql.Identifier], staged: Sequence[tuple[Any, ...]]
) -> None:
    """Passages, and the sentences of those that have several: a relation judge compares sentences (METHOD 12)."""
    texts = dict.fromkeys(row[STAGED.index("text")] for row in staged)
    split = dict.fromkeys(sentence for text in texts for sentence in sentences(text) if sentence not in texts)
    await _copy(connection, names["staged"], STAGED, staged)
    await _copy(connection, names["split"], SPLIT, ((digest_of(sentence), sentence) for sentence in split))


async def _copy(
    connection: Connection, into: sql.Identifier, columns: Iterable[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    copying = sql.SQL("copy {} ({}) from stdin").format(into, sql.SQL(", ").join(map(sql.Identifier, columns)))
    async with connection.cursor() as cursor, cursor.copy(copying) as copy:
        for row in rows:
            await copy.write_row(row)


def _tables(version: int) -> dict[str, sql.Identifier]:
    return {kind: table(kind, version) for kind in ("items", "said", "staged", "split")}
