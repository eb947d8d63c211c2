"""What becomes of catalogues in the database besides being searched: listed, noted upon, removed, given up."""

import psycopg
from psycopg import sql
from psycopg.errors import InvalidSchemaName, UndefinedTable

from pdgf.errors import IndexUnavailable
from pdgf.models import Value
from pdgf.sources.pgvector.connection import CONNECT_SECONDS, Connection, alone, connected, reason_of
from pdgf.sources.pgvector.schema import table
from pdgf.sources.pgvector.serving import KINDS, dropped

INDEXING = 0x70646766  # the first number of the lock of a catalogue that is being indexed
BUSY = "another process is indexing this catalogue; please wait until it is done"

# Nothing is migrated to be listed: as JSON, a row of an older release has no `finished` instead of failing.
_LIST = """
    select c.name, coalesce(v.items, 0), coalesce(v.passages, 0), coalesce(v.encoder, ''),
           coalesce(extract(epoch from coalesce((to_jsonb(v) ->> 'finished')::timestamptz, v.begun))::float8, 0),
           coalesce(v.version = c.current, false),
           (select coalesce(sum(pg_total_relation_size(to_regclass('pdgf_index.' || kind || '_' || v.version))), 0)
            from unnest(%(kinds)s::text[]) as kind)
           + coalesce(pg_total_relation_size(to_regclass('pdgf_index.vectors_' || c.number)), 0)
    from pdgf_index.catalogues as c left join pdgf_index.versions as v on v.catalogue = c.number
    where c.owner = %(owner)s order by c.name, v.version
"""


class Listed(Value):
    """One version of a catalogue. `at`: when it was finished, or else begun, in seconds since the epoch; `served`:
    whether turns are answered from it, or it is still on its way or was stopped."""

    name: str
    items: int
    passages: int
    encoder: str
    at: float
    served: bool
    size: int


def listed(url: str, owner: str) -> tuple[Listed, ...]:
    """The catalogues of an owner, by name; of one that is being indexed anew both versions. Raises IndexUnavailable."""
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS) as connection:
            rows = connection.execute(_LIST, {"kinds": list(KINDS), "owner": owner}).fetchall()
    except (UndefinedTable, InvalidSchemaName):
        return ()
    except psycopg.Error as error:
        raise IndexUnavailable(reason_of(error)) from error
    return tuple(Listed(**dict(zip(Listed.model_fields, row, strict=True))) for row in rows)


async def note(url: str, *, owner: str, name: str, about: str) -> None:
    """Keep a text beside an owner's catalogue, for `noted`. Raises IndexUnavailable."""
    async with connected(url) as connection:
        await connection.execute(
            "update pdgf_index.catalogues set about = %s where owner = %s and name = %s", (about, owner, name)
        )


async def remove(url: str, *, owner: str, name: str) -> bool:
    """Delete the index of an owner's catalogue, whatever state it is in; whether there was one. Raises
    IndexUnavailable."""
    async with connected(url) as connection:
        found = await connection.execute("select to_regclass('pdgf_index.catalogues') is not null")
        if not (await found.fetchone() or (False,))[0]:
            return False
        numbers = await connection.execute(
            "select number from pdgf_index.catalogues where owner = %s and name = %s", (owner, name)
        )
        row = await numbers.fetchone()
        if row is None:
            return False
        catalogue = int(row[0])
        async with alone(connection, (INDEXING, catalogue), BUSY), connection.transaction():
            await connection.execute("update pdgf_index.catalogues set current = null where number = %s", (catalogue,))
            await dropped(connection, catalogue, but=None)
            await connection.execute(sql.SQL("drop table if exists {}").format(table("vectors", catalogue)))
            await connection.execute("delete from pdgf_index.catalogues where number = %s", (catalogue,))
    return True


async def given_up(connection: Connection, catalogue: int) -> None:
    """Leave nothing of a file that cannot be used: what is served stays, and vectors that are paid for."""
    vectors = table("vectors", catalogue)
    async with connection.transaction():
        found = await connection.execute("select current from pdgf_index.catalogues where number = %s", (catalogue,))
        current = (await found.fetchone() or (None,))[0]
        await dropped(connection, catalogue, but=current)
        any_made = await connection.execute(sql.SQL("select exists (select from {})").format(vectors))
        if (await any_made.fetchone() or (False,))[0]:
            return
        await connection.execute(sql.SQL("drop table {}").format(vectors))
        if current is None:
            await connection.execute("delete from pdgf_index.catalogues where number = %s", (catalogue,))
