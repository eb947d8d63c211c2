"""The text of fetched pages, read in processes of their own (METHOD 5.4, RELIABILITY rule 10).

    Fetched -> a free worker -> PageText
                 `-- dies, hangs or grows: it is replaced, and this page alone is lost

The parser and the extractor are as exposed as the fetcher: a page is bytes that anybody wrote. They run outside this
process, with limits on time and memory, without its environment, and speak JSON with it.
"""

import asyncio
import os
import struct
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic_core import to_json

from pdgf.errors import PageUnusable
from pdgf.models import Value
from pdgf.per_loop import PerLoop
from pdgf.sources.fetch import Fetched
from pdgf.sources.unusable import Unusable
from pdgf.usage import Budget

WORKER = ("-P", "-m", "pdgf.sources.extraction_worker")
ROOT = Path(__file__).parents[2]  # where the worker finds this package when it is not installed
PASSED_ON = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TEMP")  # of the environment
WORKERS = 2
WALL_SECONDS = 10.0  # a page on a busy machine; the worker's own limit is on processor time
MAX_PAGES = 300  # a worker reads before it is replaced
MAX_GROWTH = 60 * 2**20  # bytes by which a worker may have grown after a page
MAX_REPLY = 4 * 2**20  # bytes; 200,000 characters take less in any script

Kind = Literal["heading", "item", "cell", "paragraph", "quote"]
Why = Literal["", "no_text", "bot_check", "too_long"]

_LENGTH = struct.Struct(">I")


class Line(Value):
    """The visible text of one block or table cell, white space collapsed: contiguous in the page."""

    text: str
    kind: Kind = "paragraph"


class PageText(Value):
    """What a page says: its final canonical address, its title and its content line by line."""

    url: str
    title: str = ""
    lines: tuple[Line, ...]

    @cached_property
    def text(self) -> str:
        """The lines, one below the other: at most 200,000 characters."""
        return "\n".join(line.text for line in self.lines)


class _Reply(Value):
    """What a worker says of a page: title and lines, or why there are none. Not trusted more than the page."""

    resident: int = 0
    why: Why = ""
    title: str = ""
    lines: tuple[tuple[Kind, str], ...] = ()


@dataclass
class _Worker:
    process: asyncio.subprocess.Process
    begun: int = 0  # bytes of memory before the first page
    resident: int = 0
    pages: int = 0

    @property
    def growth(self) -> int:
        return self.resident - self.begun

    async def started(self) -> None:
        self.begun = self.resident = (await self._reply()).resident

    async def read(self, fetched: Fetched) -> _Reply:
        stdin = self.process.stdin
        assert stdin is not None  # noqa: S101  a pipe, as asked for
        for frame in (to_json({"mime": fetched.mime, "charset": fetched.charset}), fetched.body):
            stdin.write(_LENGTH.pack(len(frame)) + frame)
        await stdin.drain()
        reply = await self._reply()
        self.pages += 1
        self.resident = reply.resident
        return reply

    async def _reply(self) -> _Reply:
        stdout = self.process.stdout
        assert stdout is not None  # noqa: S101
        (length,) = _LENGTH.unpack(await stdout.readexactly(_LENGTH.size))
        if length > MAX_REPLY:
            raise ValueError("a reply that is too long")
        return _Reply.model_validate_json(await stdout.readexactly(length))

    async def end(self) -> None:
        """End the process, whatever it is doing."""
        await asyncio.shield(asyncio.create_task(self._ended()))

    async def _ended(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.communicate()  # reads what is left: a full pipe would keep it from being gone


@dataclass
class _Loop:
    """The workers of one event loop."""

    free: asyncio.Semaphore
    idle: list[_Worker] = field(default_factory=list)
    all: list[_Worker] = field(default_factory=list)


class Extractor:
    """Reads pages in a few worker processes, which begin when they are first needed. Close it at the end, once in
    each event loop that used it.

    A worker is replaced after `max_pages` pages or when its memory grew. `command` is its command line without the
    interpreter.
    """

    def __init__(
        self,
        *,
        workers: int = WORKERS,
        wall_seconds: float = WALL_SECONDS,
        max_pages: int = MAX_PAGES,
        command: tuple[str, ...] = WORKER,
    ) -> None:
        self._workers = workers
        self._wall_seconds = wall_seconds
        self._max_pages = max_pages
        self._command = command
        self._loops: PerLoop[_Loop] = PerLoop()

    async def text_of(self, fetched: Fetched, budget: Budget) -> PageText:
        """The text of a page. Cancelling it ends the worker that reads it.

        Raises PageUnusable: `no_text`, `bot_check`, `too_long`, `extractor`, or `timeout` when the turn ends first.
        """
        try:
            async with asyncio.timeout(budget.remaining_seconds()):
                reply = await self._read(fetched)
        except TimeoutError as error:
            raise PageUnusable(fetched.url, "timeout") from error
        except Unusable as error:
            raise PageUnusable(fetched.url, error.why) from error
        if reply.why:
            raise PageUnusable(fetched.url, reply.why)
        lines = tuple(Line(kind=kind, text=text) for kind, text in reply.lines)
        return PageText(url=fetched.url, title=reply.title, lines=lines)

    async def aclose(self) -> None:
        """End the workers of the running event loop."""
        here = self._loops.pop("extract")
        if here is not None:
            await asyncio.gather(*(worker.end() for worker in here.all))

    async def _read(self, fetched: Fetched) -> _Reply:
        here = self._loops.get("extract", lambda: _Loop(asyncio.Semaphore(self._workers)))
        async with here.free:
            worker = await self._idle(here) or await self._begun(here)
            healthy = False
            try:
                async with asyncio.timeout(self._wall_seconds):
                    reply = await worker.read(fetched)
                healthy = worker.pages < self._max_pages and worker.growth <= MAX_GROWTH
            except TimeoutError as error:
                raise Unusable("extractor", "hung") from error
            except (EOFError, OSError, ValueError) as error:  # it ended: time, memory or a fault of the parser
                raise Unusable("extractor", "ended") from error
            finally:
                if healthy:
                    here.idle.append(worker)
                else:
                    await self._ended(here, worker)
            return reply

    async def _idle(self, here: _Loop) -> _Worker | None:
        while here.idle:
            worker = here.idle.pop()
            if worker.process.returncode is None:
                return worker
            await self._ended(here, worker)  # by something outside
        return None

    async def _begun(self, here: _Loop) -> _Worker:
        worker = None
        begun = False
        try:
            worker = _Worker(await self._process())
            here.all.append(worker)
            async with asyncio.timeout(self._wall_seconds):
                await worker.started()
            begun = True
        except (EOFError, OSError, ValueError) as error:
            raise Unusable("extractor", "cannot be started") from error
        finally:
            if worker is not None and not begun:
                await self._ended(here, worker)
        return worker

    async def _ended(self, here: _Loop, worker: _Worker) -> None:
        here.all.remove(worker)
        await worker.end()

    async def _process(self) -> asyncio.subprocess.Process:
        """The environment is not handed on: it holds keys."""
        kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**kept, "PYTHONPATH": str(ROOT)},
        )
