"""The secrets that every process needs alike: what one has signed or sealed, another one can read."""

import secrets
from collections.abc import Sequence

import psycopg

from dialogue.postgres.database import conninfo_of, translated

_FIRST = "INSERT INTO keys VALUES (%s, %s) ON CONFLICT DO NOTHING"


def shared_keys(url: str, names: Sequence[str]) -> dict[str, str]:
    """The secrets of these names, made by whichever process asks first. The database has been opened once before, so
    that its tables are there. Raises DatabaseUnavailable."""
    with translated(), psycopg.connect(conninfo_of(url), autocommit=True) as connection:
        for name in names:
            connection.execute(_FIRST, (name, secrets.token_urlsafe(32)))
        rows = connection.execute("SELECT name, secret FROM keys WHERE name = ANY(%s)", (list(names),)).fetchall()
    return {str(name): str(secret) for name, secret in rows}
