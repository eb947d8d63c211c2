"""What whoever runs this asks a process: does it live, can it take turns, and its numbers.

/health    200 as long as it answers; 503 once it is told to end, and others have to take its place
/ready     200 once its catalogues are open and turns can be kept; else, and once it is told to end, 503 with a reason
/metrics   its numbers, in the text form that Prometheus reads
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from dialogue.metrics import CONTENT_TYPE, Metrics, plain
from pdgf.errors import DatabaseReadOnly, DatabaseTooNew, StoreUnavailable

PATIENCE = 1.8  # seconds that the store may take to answer; proxies and probes wait little longer
WATCHED = 60.0  # seconds since somebody last asked how it is
LEAVING = "it was told to end, and takes nobody new"
OPENING = "the catalogues are being opened"
READ_ONLY = "the place where conversations are kept can only be read"
STORE = "the place where conversations are kept does not answer"
TOO_NEW = "a newer release has brought the database up to date; this one has to be replaced"


@dataclass
class Operation:
    """The state of one process. `warm` is set once its catalogues are open; `check` raises StoreUnavailable where
    turns cannot be kept; `leaving` is set once it was told to end."""

    check: Callable[[], Awaitable[None]]
    metrics: Metrics = field(default_factory=Metrics)
    warm: asyncio.Event = field(default_factory=asyncio.Event)
    leaving: bool = False
    _asked: float = float("-inf")
    _checking: "asyncio.Future[None] | None" = None

    def __post_init__(self) -> None:
        begun = time.time()
        self.metrics.gauge("process_start_time_seconds", "When this process began.", lambda: plain(begun))
        self.metrics.gauge("process_resident_memory_bytes", "Its memory.", lambda: plain(resident()))
        self.metrics.gauge("pdgf_warm", "Whether its catalogues are open.", lambda: plain(self.warm.is_set()))

    async def missing(self) -> str:
        """Why it can take no turn now; empty where it can."""
        if self.leaving:
            return LEAVING
        if self._checking is None or self._checking.done():
            self._checking = asyncio.ensure_future(self.check())
            self._checking.add_done_callback(lambda done: done.cancelled() or done.exception())
        # It is not cancelled, for that may take long too; whoever asks next waits for the same answer.
        await asyncio.wait({checking := self._checking}, timeout=PATIENCE)
        if not checking.done():
            return STORE
        try:
            checking.result()
        except DatabaseTooNew:
            return TOO_NEW
        except DatabaseReadOnly:
            return READ_ONLY
        except (StoreUnavailable, TimeoutError):
            return STORE
        return "" if self.warm.is_set() else OPENING

    @property
    def watched(self) -> bool:
        """Whether somebody asks every now and then how it is, so that it pays to say that it leaves."""
        return time.monotonic() - self._asked < WATCHED

    def routes(self) -> list[Route]:
        """The three addresses."""

        async def health(_: Request) -> Response:
            self._asked = time.monotonic()
            return JSONResponse({"status": "leaving"}, 503) if self.leaving else JSONResponse({"status": "ok"})

        async def ready(_: Request) -> Response:
            self._asked = time.monotonic()
            why = await self.missing()
            return JSONResponse({"status": "not ready", "why": why}, 503) if why else JSONResponse({"status": "ready"})

        async def metrics(_: Request) -> Response:
            return PlainTextResponse(self.metrics.text(), media_type=CONTENT_TYPE)

        return [Route("/health", health), Route("/ready", ready), Route("/metrics", metrics)]


def resident() -> float:
    """Bytes of memory that this process holds; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return float(pages * os.sysconf("SC_PAGE_SIZE"))
