"""Index a catalogue file of any size: read, encode, lay out, and put in the place of the earlier version.

file -> staging: items and passages   what is read is kept; a run that was stopped goes on after the last batch
     -> texts not yet encoded         those of the version that is served are taken over by their digest
     -> vectors                       kept as they are made, so that nothing is encoded twice
     -> passages_<version>            laid out in the order of the items, with its graph, and served: one transaction
"""

import asyncio
import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
from psycopg import Error, sql

from pdgf.catalogues.reading import RefusedRow
from pdgf.errors import CatalogueInvalid, IndexUnavailable
from pdgf.models import Value
from pdgf.ports import Embedder, Vectors
from pdgf.sources.encoding import CHUNK, chunks_at_once
from pdgf.sources.pgvector import staging
from pdgf.sources.pgvector.connection import Connection, Said, alone, connected, reason_of, take_vectors
from pdgf.sources.pgvector.schema import migrate, table
from pdgf.sources.pgvector.serving import WITHOUT_GRAPH, dropped, publish
from pdgf.sources.pgvector.upkeep import BUSY, INDEXING, given_up

FORMAT = 1  # raise it when the way texts are cut or laid out changes
KEPT_AFTER = 4  # chunks: what was encoded since is lost when the process is killed
QUICK, KEPT_MOST = 1.0, 8_192  # an encoder that needs less seconds for so many texts gets twice as many, up to that
GOES_ON = "the same command goes on where it was"
BLOCK = 1 << 20  # bytes of a file that are hashed at once


class Published(Value):
    """What is served now. `encoded` texts were new to this run; `refused` are the first of `refused_rows`."""

    version: int
    items: int
    reviews: int
    passages: int
    encoded: int
    refused_rows: int
    refused: tuple[RefusedRow, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Order:
    """What is to be indexed. `made_from` tells whether a version is of exactly this file."""

    owner: str
    name: str
    path: Path
    mapping: Mapping[str, str]
    made_from: str


@dataclass(frozen=True)
class _Version:
    """A version on its way, as its row tells."""

    number: int
    catalogue: int
    current: int | None
    state: str
    line: int
    encoded: int


def silent(what: str, done: int, total: int) -> None:
    """Say nothing of the progress."""


async def index_file(
    url: str,
    path: Path,
    *,
    owner: str,
    name: str,
    embedder: Embedder,
    mapping: Mapping[str, str] | None = None,
    said: Said = silent,
    graph_from: int = WITHOUT_GRAPH,
) -> Published:
    """Index a file under an owner and a name; what is served changes when all is done, not before.

    `graph_from` passages get a graph for the approximate search.
    Raises CatalogueInvalid, EmbedderUnavailable, and IndexUnavailable in words for all that the database reports.
    """
    await embedder.encode(["A first sentence."])  # an endpoint's dimension is known after its first call
    made_from = await asyncio.to_thread(_digest_of_file, path, mapping or {})
    order = Order(owner=owner, name=name, path=path, mapping=mapping or {}, made_from=made_from)
    async with connected(url) as connection:
        await migrate(connection)
        await take_vectors(connection)
        catalogue = await _catalogue(connection, owner, name)
        async with alone(connection, (INDEXING, catalogue), BUSY):
            version = await _begun(connection, catalogue, order, embedder)
            try:
                made = await _finished(connection, version, order, embedder, said, graph_from)
                return await _published(connection, version.number, made)
            except Error as error:
                raise IndexUnavailable(f"{reason_of(error)}; {GOES_ON}") from error


async def _finished(
    connection: Connection, version: _Version, order: Order, embedder: Embedder, said: Said, graph_from: int
) -> int:
    """Do what is left to do of a version; how many texts were encoded for it."""
    made = 0
    if version.state == "reading":
        try:
            await _read(connection, version, order, embedder, said)
        except CatalogueInvalid:
            await given_up(connection, version.catalogue)
            raise
    if version.state != "served":
        made = await _encode(connection, version, embedder, said)
        said("passages laid out, about to be served", 0, 0)
        await publish(connection, version.number, version.catalogue, embedder.dimension, graph_from)
    return made


def _digest_of_file(path: Path, mapping: Mapping[str, str]) -> str:
    digest = hashlib.sha256(f"{FORMAT}|{path.suffix.lower()}|{sorted(mapping.items())}".encode())
    try:
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                digest.update(block)
    except OSError as error:
        raise CatalogueInvalid(f"{path.name} cannot be read: {error.strerror or error}") from error
    return digest.hexdigest()


async def _catalogue(connection: Connection, owner: str, name: str) -> int:
    await connection.execute(
        "insert into pdgf_index.catalogues (owner, name) values (%s, %s) on conflict do nothing", (owner, name)
    )
    found = await connection.execute(
        "select number from pdgf_index.catalogues where owner = %s and name = %s", (owner, name)
    )
    return int((await found.fetchone() or (0,))[0])


async def _begun(connection: Connection, catalogue: int, order: Order, embedder: Embedder) -> _Version:
    """The version of exactly this file and encoder, served or on its way; a new one where there is none."""
    found = await connection.execute(
        "select v.version, c.current, v.state, v.line, v.encoded, v.encoder, v.dimension, v.made_from "
        "from pdgf_index.catalogues c left join pdgf_index.versions v on v.catalogue = c.number where c.number = %s "
        "order by v.version desc",
        (catalogue,),
    )
    rows = await found.fetchall()
    current = rows[0][1]
    for version, _, state, line, encoded, *origin in rows:
        if origin == [embedder.id, embedder.dimension, order.made_from]:
            return _Version(version, catalogue, current, state, line, encoded)
    async with connection.transaction():
        await dropped(connection, catalogue, but=current)  # what is left of another file; its vectors stay
        made = await connection.execute(
            "insert into pdgf_index.versions (catalogue, encoder, dimension, made_from) values (%s, %s, %s, %s) "
            "returning version",
            (catalogue, embedder.id, embedder.dimension, order.made_from),
        )
        number = int((await made.fetchone() or (0,))[0])
        await staging.create(connection, number)
        await _room_for_vectors(connection, catalogue, embedder)
    return _Version(number, catalogue, current, "reading", 0, 0)


async def _room_for_vectors(connection: Connection, catalogue: int, embedder: Embedder) -> None:
    """The table that vectors are put into as they are made; one of another encoder goes."""
    name, comment = table("vectors", catalogue), f"{embedder.id}|{embedder.dimension}"
    there = await connection.execute("select obj_description(to_regclass(%s))", (f"pdgf_index.vectors_{catalogue}",))
    if (await there.fetchone() or (None,))[0] == comment:
        return
    create = sql.SQL(
        "drop table if exists {0}; create table {0} (digest uuid primary key, vector vector({1}) not null)"
    )
    await connection.execute(create.format(name, sql.Literal(embedder.dimension)))
    await connection.execute(sql.SQL("comment on table {} is {}").format(name, sql.Literal(comment)))


async def _read(connection: Connection, version: _Version, order: Order, embedder: Embedder, said: Said) -> None:
    """Read the rest of the file, state the facts, and list the texts that are still to be encoded."""
    await staging.read(connection, version.number, order.path, mapping=order.mapping, line=version.line, said=said)
    names = {kind: table(kind, version.number) for kind in ("staged", "split", "todo")}
    names["vectors"] = table("vectors", version.catalogue)
    async with connection.transaction():
        await staging.state_facts(connection, version.number)
        await connection.execute(sql.SQL("analyze {staged}; analyze {split}").format(**names))
        if version.current is not None:
            await _take_over(connection, version, embedder, names)
        # Texts of one length go together, which spares the encoder most padding
        listed = sql.SQL(
            "create table {todo} as select row_number() over (order by length(text), digest) as number, digest, text "
            "from (select digest, text from {staged} union select digest, text from {split}) as texts "
            "where not exists (select from {vectors} as v where v.digest = texts.digest); "
            "alter table {todo} add primary key (number)"
        )
        await connection.execute(listed.format(**names))
        await connection.execute(
            sql.SQL(
                "update pdgf_index.versions set state = 'encoding', texts = (select count(*) from {todo}), "
                "passages = (select count(*) from {staged}) where version = {number}"
            ).format(**names, number=sql.Literal(version.number))
        )


async def _take_over(
    connection: Connection, version: _Version, embedder: Embedder, names: Mapping[str, sql.Identifier]
) -> None:
    """The vectors of texts that are served already and have not changed."""
    served = await connection.execute(
        "select encoder, dimension from pdgf_index.versions where version = %s", (version.current,)
    )
    if await served.fetchone() != (embedder.id, embedder.dimension) or version.current is None:
        return
    query = sql.SQL(
        "insert into {vectors} select digest, vector from {texts} "
        "where digest in (select digest from {staged} union all select digest from {split}) on conflict do nothing"
    )
    await connection.execute(query.format(**names, texts=table("texts", version.current)))


async def _encode(connection: Connection, version: _Version, embedder: Embedder, said: Said) -> int:
    """Encode what is listed, from the last that was kept on; how many texts that were."""
    todo, vectors = table("todo", version.number), table("vectors", version.catalogue)
    found = await connection.execute(
        "select texts, encoded from pdgf_index.versions where version = %s", (version.number,)
    )
    total, done = await found.fetchone() or (0, 0)
    before, window = done, CHUNK * chunks_at_once(embedder)
    many = window * KEPT_AFTER
    query = sql.SQL("select digest, text from {} where number > %s order by number limit %s").format(todo)
    while done < total:
        rows = await (await connection.execute(query, (done, many))).fetchall()
        made, begun = [], time.monotonic()
        for start in range(0, len(rows), window):
            part = await embedder.encode([text for _, text in rows[start : start + window]])
            if not np.isfinite(part).all() or part.shape != (len(rows[start : start + window]), embedder.dimension):
                raise IndexUnavailable(f"the encoder {embedder.id} gave no usable vectors")
            made.append(part)
            said("texts encoded", done + start + len(part), total)
        many = min(2 * many, max(many, KEPT_MOST)) if time.monotonic() - begun < QUICK else many
        done += len(rows)
        await _keep(connection, vectors, [digest for digest, _ in rows], np.concatenate(made), version.number, done)
    return int(done - before)


async def _keep(
    connection: Connection, vectors: sql.Identifier, digests: list[UUID], made: Vectors, version: int, done: int
) -> None:
    """Put vectors down together with how far this is."""
    async with connection.transaction():
        copying = sql.SQL("copy {} (digest, vector) from stdin (format binary)").format(vectors)
        async with connection.cursor() as cursor, cursor.copy(copying) as copy:
            copy.set_types(["uuid", "vector"])
            for row in zip(digests, made, strict=True):
                await copy.write_row(row)
        await connection.execute("update pdgf_index.versions set encoded = %s where version = %s", (done, version))


async def _published(connection: Connection, version: int, encoded: int) -> Published:
    found = await connection.execute(
        "select items, reviews, passages, refused from pdgf_index.versions where version = %s", (version,)
    )
    row: tuple[Any, ...] = await found.fetchone() or (0, 0, 0, 0)
    refused = await connection.execute(
        "select line, why from pdgf_index.refused where version = %s order by line", (version,)
    )
    return Published(
        version=version,
        items=row[0],
        reviews=row[1],
        passages=row[2],
        encoded=encoded,
        refused_rows=row[3],
        refused=tuple(RefusedRow(line=line, why=why) for line, why in await refused.fetchall()),
    )
