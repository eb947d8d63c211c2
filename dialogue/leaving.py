"""How a process ends when it is told to (SIGTERM, Ctrl+C): nothing that is being answered is broken off.

    at once     /ready and /health say so, and whoever watches them sends nobody here any more
    LINGER      then no connection is taken; without anybody who watches, at once
    LONGEST     running turns may take that long to end by themselves, and BIDDEN more with what they have
    CLOSING     their last words are sent, what pages hold open is closed, and the process is gone

A second Ctrl+C ends it without any of this.
"""

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from dialogue.observing import ObservedConversations
from dialogue.operating import Operation

LINGER = 5.0  # seconds
LONGEST = 90.0
BIDDEN = 10.0
CLOSING = 2.0
BEAT = 0.05

log = logging.getLogger(__name__)


class LeavingServer(uvicorn.Server):
    """Uvicorn waits for streams that pages hold open for good; this one for turns, and closes those streams."""

    def __init__(self, config: uvicorn.Config, operation: Operation, conversations: ObservedConversations) -> None:
        super().__init__(config)
        self._operation = operation
        self._conversations = conversations

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """As of uvicorn; from now on the process says that it leaves."""
        self._operation.leaving = True
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """As of uvicorn, once running turns have ended and their pages have been told."""
        if signal.SIGTERM in self._captured_signals and self._operation.watched:
            await self._until(lambda: False, LINGER)
        for server in self.servers:
            server.close()
        if not await self._until(lambda: not self._conversations.at_work, LONGEST):
            log.warning("turns that take long are bidden to end: %s", self._conversations.at_work)
            self._conversations.wind_up_all()
            await self._until(lambda: not self._conversations.at_work, BIDDEN)
        await self._until(lambda: not self.server_state.connections, CLOSING)
        for connection in list(self.server_state.connections):
            connection.transport.close()
        await super().shutdown(sockets)

    async def _until(self, done: Callable[[], bool], seconds: float) -> bool:
        """Wait until something is so, at most so many seconds; whether it is. Not where a second signal hurries."""
        until = asyncio.get_running_loop().time() + seconds
        while not done() and not self.force_exit and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110  uvicorn's own state has no event
            await asyncio.sleep(BEAT)
        return done()


def serve(
    application: ASGIApp,
    operation: Operation,
    conversations: ObservedConversations,
    *,
    host: str,
    port: int,
    proxies: Sequence[str] = ("127.0.0.1",),
) -> None:
    """Serve an application until it is told to end; `proxies` are believed in what they say of visitors."""
    config = uvicorn.Config(
        application,
        host=host,
        port=port,
        forwarded_allow_ips=list(proxies),
        log_level="warning",
        log_config=None,
        timeout_graceful_shutdown=round(CLOSING),  # for whatever has not seen that its connection is closed
    )
    server = LeavingServer(config, operation, conversations)
    with suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        sys.exit(3)
