"""How much conversations, visitors and days have asked of language models and of the web, and how much they may.

    allowances.sqlite3   whose (a digest), day, what -> how much

It outlives a restart and holds no word and no name. What was spent is told to a file as it is spent, so that a process
that is killed in mid-turn has counted it. Where the file cannot be used, the counts of this process go on by
themselves.
"""

import asyncio
import hashlib
import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pdgf.cache_file import CacheFile
from pdgf.settings import Allowance, Settings

FILE = "allowances.sqlite3"
FOLDER = "allowances"
SCHEMA_VERSION = 1
DAY_SECONDS = 86_400
FOREVER = 0  # in place of a day, for what a conversation has asked since it began

_TABLES = """
CREATE TABLE IF NOT EXISTS spent (whose TEXT NOT NULL, day INTEGER NOT NULL, what TEXT NOT NULL, amount REAL NOT NULL,
    PRIMARY KEY (whose, day, what)) WITHOUT ROWID;
"""
_ADD = """INSERT INTO spent VALUES (?, ?, ?, ?)
    ON CONFLICT (whose, day, what) DO UPDATE SET amount = amount + excluded.amount"""

Place = tuple[str, int]  # whose, and on which day


class Allowances:
    """The counts of one data folder, one object a process and event loop. `now` gives seconds of the calendar."""

    def __init__(
        self, data_dir: Path, allowed: Mapping[str, Allowance], *, now: Callable[[], float] = time.time
    ) -> None:
        self._file = CacheFile(
            data_dir / FOLDER / FILE, what="allowances", version=SCHEMA_VERSION, tables=_TABLES, busy_seconds=5.0
        )
        self._allowed = allowed
        self._now = now
        self._spent: dict[Place, dict[str, float]] = {}
        self._telling: set[asyncio.Task[bool]] = set()

    async def account(self, thread: str, owner: str) -> "TurnAccount":
        """What a turn of a conversation may still ask for, counted from what is stored."""
        day = int(self._now() // DAY_SECONDS)
        places = {
            "conversation": (_digest("conversation", thread), FOREVER),
            "visitor": (_digest("visitor", owner), day),
            "day": ("day", day),
        }
        for place in places.values():
            await self._recall(place)
        return TurnAccount(self, places)

    async def forget(self, thread: str) -> None:
        """Delete the counts of a conversation; those of its visitor and of the day stay."""
        whose = _digest("conversation", thread)
        self._spent.pop((whose, FOREVER), None)
        await self._settled()
        await self._file.work(lambda db: bool(db.execute("DELETE FROM spent WHERE whose = ?", (whose,))), False)

    async def close(self) -> None:
        """Wait until everything is written, forget the days before yesterday, and close the file."""
        await self._settled()
        before = int(self._now() // DAY_SECONDS) - 1
        sql = "DELETE FROM spent WHERE day != ? AND day < ?"
        await self._file.work(lambda db: bool(db.execute(sql, (FOREVER, before))), False)
        await self._file.close()

    def left(self, scope: str, place: Place, what: str) -> float | None:
        """How much may still be asked for; None without a limit."""
        limit = getattr(self._allowed[scope], what)
        return None if limit is None else max(0.0, limit - self._spent.get(place, {}).get(what, 0.0))

    def add(self, place: Place, what: str, amount: float) -> None:
        """Count, here at once and in the file as soon as its thread comes to it."""
        counts = self._spent.setdefault(place, {})
        counts[what] = counts.get(what, 0.0) + amount
        task = asyncio.ensure_future(self._file.work(lambda db: bool(db.execute(_ADD, (*place, what, amount))), False))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _recall(self, place: Place) -> None:
        """Take over what other processes, or this one before a restart, have counted: never less than is known here,
        for what is spent meanwhile is not in the file yet."""
        nothing: dict[str, float] = {}
        stored = await self._file.work(lambda db: _read(db, place), nothing)
        counts = self._spent.setdefault(place, {})
        for what, amount in stored.items():
            counts[what] = max(amount, counts.get(what, 0.0))

    async def _settled(self) -> None:
        await asyncio.gather(*self._telling)


@dataclass(frozen=True)
class TurnAccount:
    """The three counts that one turn adds to."""

    allowances: Allowances
    places: Mapping[str, Place] = field(repr=False)

    def left(self, what: str) -> tuple[float | None, str]:
        """The least that is left of something, and whose that is; None without a limit."""
        rows = [(self.allowances.left(scope, place, what), scope) for scope, place in self.places.items()]
        return min(((left, scope) for left, scope in rows if left is not None), default=(None, ""))

    def spend(self, what: str, amount: float) -> None:
        """Add to all three."""
        for place in self.places.values():
            self.allowances.add(place, what, amount)


def allowances_of(settings: Settings) -> Allowances:
    """Those that the settings give."""
    return Allowances(
        settings.data_dir,
        {
            "conversation": settings.allowance_conversation,
            "visitor": settings.allowance_visitor,
            "day": settings.allowance_day,
        },
    )


def _digest(kind: str, name: str) -> str:
    return hashlib.sha256(f"{kind} {name}".encode()).hexdigest()


def _read(db: sqlite3.Connection, place: Place) -> dict[str, float]:
    rows = db.execute("SELECT what, amount FROM spent WHERE whose = ? AND day = ?", place)
    return {str(what): float(amount) for what, amount in rows if isinstance(amount, float | int)}
