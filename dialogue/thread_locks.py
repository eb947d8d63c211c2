"""One turn at a time in a conversation, also between processes: a page and a command line may share a data folder.

The system holds the locks, one byte of a file for each conversation and one for all who use the folder, so that a
process that is killed leaves none.
"""

import asyncio
import hashlib
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pdgf.errors import ConversationBusy

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

FILE = "turns.lock"
USED = 1 << 60  # the place that tells that the folder is in use; those of conversations lie below 1 << 56
PAUSE = 0.05  # seconds between two attempts


class ThreadLocks:
    """The locks of one process in a folder; it must not open the file twice, for closing one ends all its locks."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600)

    def use(self) -> bool:
        """Tell others that this process uses the folder, until it closes; False where one has it to itself."""
        return self._shared_or_alone(alone=False)

    def use_alone(self) -> bool:
        """Have the folder to oneself until one closes; False where another process uses it."""
        return self._shared_or_alone(alone=True)

    def close(self) -> None:
        """Let go of everything."""
        os.close(self._descriptor)

    @asynccontextmanager
    async def held(self, thread: str, *, patience: float) -> AsyncIterator[None]:
        """Inside, no other process is. Raises ConversationBusy after so many seconds of waiting for one."""
        place = int.from_bytes(hashlib.blake2b(thread.encode("utf-8", "surrogatepass"), digest_size=7).digest(), "big")
        until = time.monotonic() + patience
        while not self._taken(place):
            if time.monotonic() > until:
                raise ConversationBusy(thread)
            await asyncio.sleep(PAUSE)
        try:
            yield
        finally:
            if fcntl is not None:
                fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1, place)

    def _shared_or_alone(self, *, alone: bool) -> bool:
        if fcntl is None:
            return True
        try:
            fcntl.lockf(self._descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB, 1, USED)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def _taken(self, place: int) -> bool:
        if fcntl is None:
            return True
        try:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):
            return False
        return True
