"""The tables of the index, in a schema of their own, and the one way to bring an older database up to date.

catalogues  one row an owner and name; `current` is the version that is served, `about` what the program notes of it
versions    one row an attempt to index: from which file, by which encoder, how far
refused     the first rows of a version's file that could not be used
Each version has tables of its own: items_<version>, passages_<version>, texts_<version> with the vectors of all its
passages and sentences by digest; and, until it is served, what it is made from.
"""

from psycopg import sql

from pdgf.errors import IndexUnavailable
from pdgf.sources.pgvector.connection import Connection

SCHEMA = "pdgf_index"
LOCK = (0x70646766, 0)  # "pdgf"
MIGRATIONS = (
    """
    -- Not in a schema of the user's name, which may be that of the conversations: a backup is put back without it
    do $$ begin
        if to_regnamespace('public') is null then create extension if not exists vector;
        else create extension if not exists vector schema public; end if;
    end $$;
    create table pdgf_index.catalogues (
        number integer generated always as identity primary key,
        owner text not null,
        name text not null,
        current bigint,
        about text,
        unique (owner, name)
    );
    create table pdgf_index.versions (
        version bigint generated always as identity primary key,
        catalogue integer not null references pdgf_index.catalogues on delete cascade,
        encoder text not null,
        dimension integer not null,
        made_from text not null,
        state text not null default 'reading' check (state in ('reading', 'encoding', 'served')),
        line bigint not null default 0,
        refused bigint not null default 0,
        items bigint not null default 0,
        reviews bigint not null default 0,
        passages bigint not null default 0,
        texts bigint not null default 0,
        encoded bigint not null default 0,
        begun timestamptz not null default now()
    );
    alter table pdgf_index.catalogues add foreign key (current) references pdgf_index.versions;
    create table pdgf_index.refused (
        version bigint not null references pdgf_index.versions on delete cascade,
        line bigint not null,
        why text not null
    );
    """,
    "alter table pdgf_index.versions add column finished timestamptz",
)


async def migrate(connection: Connection) -> None:
    """Make what is missing, once however many ask at a time; a step that is interrupted leaves nothing behind.

    Raises IndexUnavailable for a database that a newer release has written.
    """
    async with connection.transaction():
        await connection.execute("select pg_advisory_xact_lock(%s, %s)", LOCK)
        await connection.execute("create schema if not exists pdgf_index")
        await connection.execute("create table if not exists pdgf_index.migrations (number integer primary key)")
        found = await connection.execute("select coalesce(max(number), 0) from pdgf_index.migrations")
        done = (await found.fetchone() or (0,))[0]
        if done > len(MIGRATIONS):
            raise IndexUnavailable(
                f"the index in the database was written by a newer release (schema {done}, "
                f"this one knows {len(MIGRATIONS)}); please update pdgf"
            )
        for number, step in enumerate(MIGRATIONS[done:], start=done + 1):
            await connection.execute(step)
            await connection.execute("insert into pdgf_index.migrations values (%s)", (number,))


def table(kind: str, number: int) -> sql.Identifier:
    """The table of one version or catalogue."""
    return sql.Identifier(SCHEMA, f"{kind}_{number}")
