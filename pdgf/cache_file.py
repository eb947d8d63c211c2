"""A SQLite file that holds what can be had again: it never fails whoever uses it.

What cannot be read is a miss, what cannot be written is not kept, a damaged file is put away and begun anew. One thread
does all the work, in the order it was asked for.
"""

import asyncio
import logging
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

BUSY_SECONDS = 2.0  # how long to wait for another process

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

# SQLITE_ERROR too: our statements are fixed, so that a logic error means the tables of somebody else.
_DAMAGE = frozenset([sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR])

_log = logging.getLogger(__name__)


class _OtherVersion(sqlite3.DatabaseError):
    """Raised when a file was written by another release."""


class CacheFile:
    """One file in a folder that only its owner can read; one object a process and event loop.

    `tables` is the script that makes them, `pragmas` go before it. A file of another `version` counts as damaged. What
    is damaged goes to `aside`, or is deleted where that is None. `what` names the contents in the log.
    """

    def __init__(
        self,
        path: Path,
        *,
        what: str,
        version: int,
        tables: str,
        pragmas: tuple[str, ...] = (),
        aside: Path | None = None,
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        self.path = path
        self._what = what
        self._version = version
        self._tables = tables
        self._pragmas = (*pragmas, "journal_mode = WAL", "synchronous = NORMAL")
        self._aside = aside
        self._busy_seconds = busy_seconds
        self._worker: ThreadPoolExecutor | None = None
        self._connection: sqlite3.Connection | None = None
        self._opened_inode = 0
        self._warned = False

    async def work(self, work: Work[T], otherwise: T) -> T:
        """What the work gives; `otherwise` if the file cannot be used."""
        return await self.in_turn(lambda: self.tolerant(work, otherwise))

    async def in_turn(self, work: Callable[[], T]) -> T:
        """Run something in the thread of the file, after all that was asked for before."""
        if self._worker is None:
            self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix=self._what)
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    async def close(self) -> None:
        """Close the file and end the thread. A later call opens them again."""
        worker, self._worker = self._worker, None
        if worker is not None:
            await asyncio.get_running_loop().run_in_executor(worker, self._disconnect)
            worker.shutdown()

    def tolerant(self, work: Work[T], otherwise: T) -> T:
        """`work`, from within the thread. A damaged file is put away once a call."""
        for attempt in range(2):
            try:
                return work(self._connected())
            except (sqlite3.Error, UnicodeDecodeError) as error:
                if attempt or not _is_damage(error):
                    self._warn(error)
                    return otherwise
                _log.warning("the cache of %s is damaged and begun anew: %s", self._what, error)
            except OSError as error:
                self._warn(error)
                return otherwise
            try:
                self._put_away()
            except OSError as error:
                self._warn(error)
                return otherwise
        return otherwise

    def delete(self) -> None:
        """Delete the file, from within the thread. Raises OSError."""
        self._disconnect()
        self.path.unlink(missing_ok=True)
        self._delete_logs()

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            os.makedirs(self.path.parent, mode=0o700, exist_ok=True)
            os.chmod(self.path.parent, 0o700)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))  # the write-ahead log inherits the mode
            os.chmod(self.path, 0o600)
            self._opened_inode = self.path.stat().st_ino
            connection = sqlite3.connect(self.path, timeout=self._busy_seconds, isolation_level=None)
            try:
                self._prepare(connection)
            except (sqlite3.Error, UnicodeDecodeError):
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        for pragma in self._pragmas:
            connection.execute(f"PRAGMA {pragma}")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, self._version):
            raise _OtherVersion(f"version {version}")
        connection.executescript(self._tables)
        connection.execute(f"PRAGMA user_version = {self._version}")

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _put_away(self) -> None:
        self._disconnect()
        # Another process may have begun anew already: its good file stays.
        if self.path.exists() and self.path.stat().st_ino == self._opened_inode:
            if self._aside is None:
                self.path.unlink()
            else:
                os.replace(self.path, self._aside)
            self._delete_logs()

    def _delete_logs(self) -> None:
        for suffix in ("-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _warn(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            _log.warning("%s are not kept: %s: %s", self._what, type(error).__name__, error)


def _is_damage(error: BaseException) -> bool:
    # SQLite names damaged tables in its messages, in bytes that are no text. The low byte is the primary code.
    return (
        isinstance(error, _OtherVersion | UnicodeDecodeError) or getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE
    )
