"""A version that is whole takes the place of the one that is served: its passages laid out, its graph built, switched.

All of it is one transaction. Whoever asks meanwhile is answered from the earlier version.
"""

from psycopg import sql

from pdgf.sources.pgvector.connection import Connection
from pdgf.sources.pgvector.schema import table

WITHOUT_GRAPH = 10_000  # passages; so few are scored as fast as a graph is searched
GRAPH_DIMENSIONS = 4_000  # of half-precision vectors; for longer ones there is no graph
INLINE_DIMENSIONS = 1_900  # as many floats fit into a page beside their text
LINKS, CANDIDATES = 16, 64  # of the graph: neighbours a passage, passages looked at for them
MEMORY = "1GB"  # while the graph is built, if the database has not more: a graph that does not fit is built far slower
SORT_MEMORY = "256MB"

KINDS = ("passages", "texts", "items", "said", "staged", "split", "todo")

AT_LEAST = """
    select set_config(%(setting)s, most / 1024 || 'kB', true)
    from greatest(pg_size_bytes(current_setting(%(setting)s)), pg_size_bytes(%(least)s)) as most
"""
LAY_OUT = """
    analyze {vectors};
    analyze {split};
    create table {passages} (
        row bigint not null, item integer not null, text text not null, source text not null, url text, key text,
        same uuid not null, digest uuid not null, vector vector({dimension}) not null
    );
    alter table {passages} alter column vector set storage {storage};
    insert into {passages}
    select row_number() over (order by s.item, s.fact, s.number, s.piece) - 1,
           s.item, s.text, s.source, s.url, s.key, s.same, s.digest, v.vector
    from {staged} as s join {vectors} as v using (digest)
    order by s.item, s.fact, s.number, s.piece;
    alter table {passages} add primary key (row);
    create index on {passages} (item);
    create index on {passages} using gin (to_tsvector('english', text));
    create table {texts} (digest uuid not null, vector vector({dimension}) not null);
    alter table {texts} alter column vector set storage {storage};
    insert into {texts} select digest, vector from {vectors}
    where digest in (select digest from {staged} union all select digest from {split});
    alter table {texts} add primary key (digest);
    alter table {items} add column passages integer not null default 0;
    update {items} set passages = counted.passages
    from (select item, count(*) as passages from {passages} group by item) as counted where item = position;
    analyze {passages};
    analyze {items}
"""
# Half precision halves the graph; what it finds is scored with the full vectors.
GRAPH = """
    create index on {passages} using hnsw ((vector::halfvec({dimension})) halfvec_ip_ops)
    with (m = {links}, ef_construction = {candidates})
"""


async def publish(connection: Connection, version: int, catalogue: int, dimension: int, graph_from: int) -> None:
    """Serve a version whose texts are all encoded, and drop what it replaces."""
    names = {kind: table(kind, version) for kind in KINDS} | {"vectors": table("vectors", catalogue)}
    numbers = {name: sql.Literal(value) for name, value in (("links", LINKS), ("candidates", CANDIDATES))}
    numbers["dimension"] = sql.Literal(dimension)
    storage = sql.SQL("plain" if dimension <= INLINE_DIMENSIONS else "external")
    async with connection.transaction():
        for setting, least in (("maintenance_work_mem", MEMORY), ("work_mem", SORT_MEMORY)):
            await connection.execute(AT_LEAST, {"setting": setting, "least": least})
        await connection.execute(sql.SQL(LAY_OUT).format(**names, **numbers, storage=storage))
        counted = await connection.execute(sql.SQL("select count(*) from {passages}").format(**names))
        passages = (await counted.fetchone() or (0,))[0]
        if passages >= graph_from and dimension <= GRAPH_DIMENSIONS:
            await connection.execute(sql.SQL(GRAPH).format(**names, **numbers))
        await connection.execute(
            "update pdgf_index.versions set state = 'served', passages = %s, finished = clock_timestamp() "
            "where version = %s",
            (passages, version),
        )
        await connection.execute(
            "update pdgf_index.catalogues set current = %s where number = %s", (version, catalogue)
        )
        await dropped(connection, catalogue, but=version)
        gone = sql.SQL("drop table {said}, {staged}, {split}, {todo}, {vectors}")
        await connection.execute(gone.format(**names))


async def dropped(connection: Connection, catalogue: int, *, but: int | None) -> None:
    """Drop every version of a catalogue but one. To be called within a transaction."""
    found = await connection.execute(
        "select version from pdgf_index.versions where catalogue = %s and version is distinct from %s",
        (catalogue, but),
    )
    for (version,) in await found.fetchall():
        names = sql.SQL(", ").join(table(kind, version) for kind in KINDS)
        await connection.execute(sql.SQL("drop table if exists {}").format(names))
        await connection.execute("delete from pdgf_index.versions where version = %s", (version,))
