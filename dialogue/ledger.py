"""Where it is written down what was spent: one SQLite file, or a table of the database that many processes share.

    allowances.sqlite3   whose (a digest), day, what -> how much

It holds no word and no name, and outlives a restart.
"""

import sqlite3
from pathlib import Path
from typing import Protocol

from pdgf.cache_file import CacheFile

FILE = "allowances.sqlite3"
FOLDER = "allowances"
SCHEMA_VERSION = 1
BUSY_SECONDS = 20.0  # for others that count at the same time; what is not counted by then is not shared
FOREVER = 0  # in place of a day, for what a conversation has asked since it began

_TABLES = """
CREATE TABLE IF NOT EXISTS spent (whose TEXT NOT NULL, day INTEGER NOT NULL, what TEXT NOT NULL, amount REAL NOT NULL,
    PRIMARY KEY (whose, day, what)) WITHOUT ROWID;
"""
_ADD = """INSERT INTO spent VALUES (?, ?, ?, ?)
    ON CONFLICT (whose, day, what) DO UPDATE SET amount = amount + excluded.amount
    RETURNING amount"""

Place = tuple[str, int]  # whose, and on which day


class Ledger(Protocol):
    """Amounts by place and thing. Nothing here raises: where it cannot be used, each process counts by itself."""

    async def read(self, place: Place) -> dict[str, float]:
        """All that was counted at a place, by thing."""
        ...

    async def add(self, place: Place, what: str, amount: float) -> float | None:
        """Count, and give what all processes together have counted there by now; None where that is not known."""
        ...

    async def forget(self, whose: str) -> None:
        """Delete all places of somebody."""
        ...

    async def forget_before(self, day: int) -> None:
        """Delete the places of earlier days."""
        ...

    async def close(self) -> None:
        """Let go of what is open. A later call opens it again."""
        ...


class FiledLedger:
    """The ledger of one data folder, one object a process and event loop."""

    def __init__(self, data_dir: Path) -> None:
        self._file = CacheFile(
            data_dir / FOLDER / FILE,
            what="allowances",
            version=SCHEMA_VERSION,
            tables=_TABLES,
            busy_seconds=BUSY_SECONDS,
        )

    async def read(self, place: Place) -> dict[str, float]:
        """All that was counted at a place, by thing."""
        nothing: dict[str, float] = {}
        return await self._file.work(lambda db: _read(db, place), nothing)

    async def add(self, place: Place, what: str, amount: float) -> float | None:
        """Count, after all that was counted before."""
        return await self._file.work(lambda db: _add(db, place, what, amount), None)

    async def forget(self, whose: str) -> None:
        """Delete all places of somebody."""
        await self._file.work(lambda db: bool(db.execute("DELETE FROM spent WHERE whose = ?", (whose,))), False)

    async def forget_before(self, day: int) -> None:
        """Delete the places of earlier days."""
        sql = "DELETE FROM spent WHERE day != ? AND day < ?"
        await self._file.work(lambda db: bool(db.execute(sql, (FOREVER, day))), False)

    async def close(self) -> None:
        """Close the file."""
        await self._file.close()


def _read(db: sqlite3.Connection, place: Place) -> dict[str, float]:
    rows = db.execute("SELECT what, amount FROM spent WHERE whose = ? AND day = ?", place)
    return {str(what): float(amount) for what, amount in rows if isinstance(amount, float | int)}


def _add(db: sqlite3.Connection, place: Place, what: str, amount: float) -> float | None:
    [[total]] = db.execute(_ADD, (*place, what, amount)).fetchall()
    return float(total) if isinstance(total, float | int) else None
