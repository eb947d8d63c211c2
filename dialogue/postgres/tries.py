"""Wrong passwords of late, by all processes together; addresses and names are kept as digests only."""

import hashlib
import logging
from collections.abc import Mapping

from dialogue.postgres.database import QUICK, Database, promptly
from pdgf.errors import DatabaseUnavailable

WITHIN = 900.0  # seconds; after that they are forgotten

_OLD = "since <= clock_timestamp() - make_interval(secs => %(within)s)"
_ADD = f"""INSERT INTO wrong_passwords AS w VALUES (%(who)s, 1, clock_timestamp()) ON CONFLICT (who) DO UPDATE SET
    count = CASE WHEN w.{_OLD} THEN 1 ELSE w.count + 1 END,
    since = CASE WHEN w.{_OLD} THEN excluded.since ELSE w.since END"""  # noqa: S608
_WAIT = """SELECT max(extract(epoch FROM since - clock_timestamp()) + %(within)s)
    FROM wrong_passwords JOIN unnest(%(who)s::text[], %(most)s::integer[]) AS asked (who, most) USING (who)
    WHERE count >= most"""

log = logging.getLogger(__name__)


class SharedTries:
    """Counts by what is guessed at and from where, which a right password does not take back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def wait(self, counted: Mapping[str, int]) -> float:
        """For how many seconds no password is looked at, where any of these has come so often; 0 where the next one
        is."""
        asked = {"who": [_digest(key) for key in counted], "most": list(counted.values()), "within": WITHIN}
        try:
            [[seconds]] = await promptly(self._database.rows(_WAIT, asked, wait=QUICK), QUICK)
        except DatabaseUnavailable as error:
            log.warning("wrong passwords elsewhere are not known: %s", error)
            return 0.0
        return max(0.0, float(seconds or 0.0))

    async def add(self, counted: Mapping[str, int]) -> None:
        """One more of each; what is old goes."""
        try:
            await promptly(self._add(counted), QUICK)
        except DatabaseUnavailable as error:
            log.warning("a wrong password is counted here only: %s", error)

    async def _add(self, counted: Mapping[str, int]) -> None:
        async with self._database.connection(wait=QUICK) as connection:
            for who in sorted(map(_digest, counted)):
                await connection.execute(_ADD.encode(), {"who": who, "within": WITHIN})
            await connection.execute(f"DELETE FROM wrong_passwords WHERE {_OLD}".encode(), {"within": WITHIN})  # noqa: S608


def _digest(key: str) -> str:
    return hashlib.sha256(f"tries {key}".encode("utf-8", "replace")).hexdigest()
