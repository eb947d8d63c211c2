"""Wrong passwords of late, by all processes together; an address is kept as a digest only."""

import hashlib
import logging

from dialogue.postgres.database import Database
from pdgf.errors import DatabaseUnavailable

TRIES = 10  # wrong passwords of one visitor
WITHIN = 900.0  # seconds; after that they are forgotten

_OLD = "since <= clock_timestamp() - make_interval(secs => %(within)s)"
_ADD = f"""INSERT INTO wrong_passwords AS w VALUES (%(who)s, 1, clock_timestamp()) ON CONFLICT (who) DO UPDATE SET
    count = CASE WHEN w.{_OLD} THEN 1 ELSE w.count + 1 END,
    since = CASE WHEN w.{_OLD} THEN excluded.since ELSE w.since END"""  # noqa: S608
_WAIT = """SELECT extract(epoch FROM since - clock_timestamp()) + %(within)s FROM wrong_passwords
    WHERE who = %(who)s AND count >= %(tries)s"""

log = logging.getLogger(__name__)


class SharedTries:
    """Counts by visitor, which a right password does not take back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def wait(self, visitor: str) -> float:
        """For how many seconds no password from there is looked at; 0 where the next one is."""
        try:
            async with self._database.connection() as connection:
                asked = {"who": _digest(visitor), "within": WITHIN, "tries": TRIES}
                rows = await (await connection.execute(_WAIT.encode(), asked)).fetchall()
        except DatabaseUnavailable as error:
            log.warning("wrong passwords elsewhere are not known: %s", error)
            return 0.0
        return max(0.0, float(rows[0][0])) if rows else 0.0

    async def add(self, visitor: str) -> None:
        """One more from there; what is old goes."""
        said = {"who": _digest(visitor), "within": WITHIN}
        try:
            async with self._database.connection() as connection:
                await connection.execute(_ADD.encode(), said)
                await connection.execute(f"DELETE FROM wrong_passwords WHERE {_OLD}".encode(), said)  # noqa: S608
        except DatabaseUnavailable as error:
            log.warning("a wrong password is counted here only: %s", error)


def _digest(visitor: str) -> str:
    return hashlib.sha256(f"tries {visitor}".encode("utf-8", "replace")).hexdigest()
