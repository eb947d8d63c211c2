"""A piece of work in a process of its own, forked so that models which are loaded here are loaded there too."""

import asyncio
import os
import signal
import sys
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

Tell = Callable[[str], None]
Work = Callable[[Tell], Awaitable[None]]


@dataclass
class Child:
    """A process that tells lines. `killed` is whether it was ended by a kill rather than by itself."""

    pid: int
    told: int
    killed: bool = False

    def kill(self) -> None:
        """End it as a power cut would; one that has ended already stays as it is."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def lines(self) -> list[str]:
        """Wait for its end, and give all that it told. Raises AssertionError where it failed but by a kill."""
        with os.fdopen(self.told, encoding="utf-8") as told:
            lines = told.read().splitlines()
        _, status = os.waitpid(self.pid, 0)
        self.killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        assert self.killed or status == 0, "\n".join(lines)
        return lines


def fork(work: Work) -> Child:
    """Begin a piece of work; what it tells is in the pipe at once, so that nothing told is lost by a kill."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return Child(pid, reading)
    code = 1
    try:
        os.close(reading)

        def tell(line: str) -> None:
            os.write(writing, f"{line}\n".encode())

        try:
            asyncio.run(work(tell))  # type: ignore[arg-type]
            code = 0
        except BaseException:  # noqa: BLE001  whatever it is, the parent is to see it
            os.write(writing, traceback.format_exc().encode("utf-8", "replace"))
    finally:
        sys.stdout.flush()
        os._exit(code)
