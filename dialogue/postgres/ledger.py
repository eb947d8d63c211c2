"""The ledger of all processes together: one table of the shared database."""

import logging

from dialogue.ledger import FOREVER, Place
from dialogue.postgres.database import Database
from pdgf.errors import DatabaseUnavailable

_ADD = """INSERT INTO spent VALUES (%s, %s, %s, %s)
    ON CONFLICT (whose, day, what) DO UPDATE SET amount = spent.amount + excluded.amount RETURNING amount"""

log = logging.getLogger(__name__)


class SharedLedger:
    """What was spent, as every process sees it. Where the database does not answer, each goes on with its own counts;
    what it could not tell is told with the next amount."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._untold: dict[tuple[Place, str], float] = {}

    async def read(self, place: Place) -> dict[str, float]:
        """All that was counted at a place, by thing."""
        try:
            rows = await self._database.rows("SELECT what, amount FROM spent WHERE whose = %s AND day = %s", place)
        except DatabaseUnavailable as error:
            log.warning("what was spent cannot be read: %s", error)
            return {}
        return {str(what): float(amount) for what, amount in rows}

    async def add(self, place: Place, what: str, amount: float) -> float | None:
        """Count, and give what all processes together have counted there by now; None where that is not known."""
        amount += self._untold.pop((place, what), 0.0)
        try:
            [[total]] = await self._database.rows(_ADD, (*place, what, amount))
        except DatabaseUnavailable as error:
            self._untold[place, what] = self._untold.get((place, what), 0.0) + amount
            log.warning("what was spent cannot be written down: %s", error)
            return None
        return float(total)

    async def forget(self, whose: str) -> None:
        """Delete all places of somebody."""
        self._untold = {row: amount for row, amount in self._untold.items() if row[0][0] != whose}
        await self._delete("DELETE FROM spent WHERE whose = %s", (whose,))

    async def forget_before(self, day: int) -> None:
        """Delete the places of earlier days, where the database is open: that alone is no reason to open it."""
        if self._database.is_open:
            await self._delete("DELETE FROM spent WHERE day <> %s AND day < %s", (FOREVER, day))

    async def close(self) -> None:
        """The database is closed by whoever has made it."""

    async def _delete(self, sql: str, values: tuple[object, ...]) -> None:
        try:
            await self._database.run(sql, values)
        except DatabaseUnavailable as error:
            log.warning("what was spent cannot be forgotten: %s", error)
