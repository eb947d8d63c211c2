"""How fast a server is asked by all processes together."""

import logging

from dialogue.postgres.database import Database
from pdgf.errors import DatabaseUnavailable

log = logging.getLogger(__name__)


class SharedPace:
    """The requests to a server that were begun in the last minute, wherever that was, by the clock of the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def wait(self, server: str, per_minute: int) -> float:
        """Begin a request and give 0, or give the seconds until one may be begun. Where the database does not answer,
        the limit of this process stands alone."""
        try:
            async with self._database.connection() as connection, connection.transaction():
                await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 2))", (server,))
                gone = "DELETE FROM begun WHERE server = %s AND at <= clock_timestamp() - interval '1 minute'"
                await connection.execute(gone, (server,))
                sql = """SELECT count(*), extract(epoch FROM min(at) + interval '1 minute' - clock_timestamp())
                         FROM begun WHERE server = %s"""
                [[count, seconds]] = await (await connection.execute(sql, (server,))).fetchall()
                if count >= per_minute:
                    return max(0.01, float(seconds))
                await connection.execute("INSERT INTO begun VALUES (%s, clock_timestamp())", (server,))
        except DatabaseUnavailable as error:
            log.warning("the common limit of requests is not known: %s", error)
        return 0.0
