"""The tables of chats.sqlite3: made, brought up to date, and known from those of another program."""

import sqlite3
from pathlib import Path

import aiosqlite

from dialogue.seals import seal
from dialogue.seen_store import SEEN_TABLE
from pdgf.errors import StoreFileDamaged, StoreTooNew, StoreUnavailable

SCHEMA_VERSION = 2  # of chats.sqlite3 and of the record of a thread; a newer store is refused unchanged
ROW = "thread, owner, title, domain, created, updated, noted"
NAMES = frozenset(["conversations", "content", "seen"])

_COLUMNS = {"conversations": f"{ROW}, seal", "content": "thread, digest, text", "seen": "owner, key, year, title"}
_TABLES = (
    # `noted`: a checkpoint that has to be there; `seal`: the checksum of all before it.
    """CREATE TABLE IF NOT EXISTS conversations (thread TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL,
       domain TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL, noted TEXT NOT NULL DEFAULT '',
       seal INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS content (thread TEXT NOT NULL, digest TEXT NOT NULL, text BLOB NOT NULL,
       PRIMARY KEY (thread, digest)) WITHOUT ROWID""",
    SEEN_TABLE,
)
_FROM_THE_FIRST = (  # what the list of conversations lacks in version 1
    "ALTER TABLE conversations ADD COLUMN noted TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE conversations ADD COLUMN seal INTEGER NOT NULL DEFAULT 0",
    "DROP INDEX IF EXISTS conversations_of_owner",
    "UPDATE conversations SET seal = seal(thread, owner, title, domain, created, updated, noted)",
)


async def prepare(chats: aiosqlite.Connection, path: Path, *, writable: bool) -> None:
    """Create the tables of a new file and bring those of an older release up to date, all or nothing.

    Raises StoreTooNew, StoreFileDamaged where the columns are not ours, and StoreUnavailable for a file of an older
    release that cannot be written.
    """
    await chats.create_function("seal", -1, seal, deterministic=True)
    try:
        if await _version(chats, path) < SCHEMA_VERSION:
            if not writable:
                raise StoreUnavailable(f"{path} has to be brought up to date and cannot be written")
            await chats.execute("BEGIN IMMEDIATE")
            await _bring_up_to_date(chats, await _version(chats, path))
            await chats.execute("COMMIT")
        for table, columns in _COLUMNS.items():
            await chats.execute(f"SELECT {columns} FROM {table} LIMIT 0")  # noqa: S608  our own words
    except sqlite3.OperationalError as error:
        await chats.rollback()
        if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:  # our statements are fixed: the tables are of somebody else
            raise StoreFileDamaged(path, str(error)) from error
        raise


async def _bring_up_to_date(chats: aiosqlite.Connection, version: int) -> None:
    """From a version that another process may have changed meanwhile."""
    if version == SCHEMA_VERSION:
        return
    for statement in (*(_FROM_THE_FIRST if version else ()), *_TABLES):
        await chats.execute(statement)
    await chats.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


async def _version(chats: aiosqlite.Connection, path: Path) -> int:
    async with chats.execute("PRAGMA user_version") as cursor:
        row = await cursor.fetchone()
    version = int(row[0]) if row else 0
    if version > SCHEMA_VERSION:
        raise StoreTooNew(path, version, SCHEMA_VERSION)
    return version
