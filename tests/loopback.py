"""What the servers of the tests share: a port of loopback, served in a thread of its own, up and down again."""

import asyncio
import socket
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

LONG = 30.0  # seconds; for what should never end, so that a forgotten server still does
DRIP_SECONDS = 0.1  # between two bytes


async def read_head(reader: asyncio.StreamReader) -> tuple[str, dict[str, str]]:
    """The first line of the next request, and its headers by name in small letters. Raises as `readuntil` does."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    return first, {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


async def drip(writer: asyncio.StreamWriter, text: bytes) -> None:
    """A text a byte at a time."""
    for place in range(len(text)):
        writer.write(text[place : place + 1])
        await writer.drain()
        await asyncio.sleep(DRIP_SECONDS)


class LoopbackServer:
    """Serves each connection with `serve` from entering to leaving; `down` refuses connections, `up` takes them again
    on the same port."""

    def __init__(self) -> None:
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server | None = None
        self._connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        # Bound, never listening: it keeps the port while the server is down, when connections are to be refused.
        self._place = socket.socket()
        self._place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until either side closes it; OSError and an incomplete read end it quietly."""
        raise NotImplementedError

    def reader(self) -> asyncio.StreamReader:
        """What a new connection is read with."""
        return asyncio.StreamReader(loop=self._loop)

    def __enter__(self) -> Self:
        self._place.bind(("127.0.0.1", 0))
        self.port = self._place.getsockname()[1]
        self._thread.start()
        self.up()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._run(self._shut())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._place.close()

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.__exit__()

    def up(self) -> None:
        """Listen, after a time of being down on the same port."""
        self._run(self._listen())

    def down(self) -> None:
        """Refuse connections, and break those that are open."""
        self._run(self._stop_listening())

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something that the server will come to see. Raises TimeoutError if it never does."""
        async with asyncio.timeout(LONG):
            while not condition():  # noqa: ASYNC110 (what is waited for happens in another thread)
                await asyncio.sleep(0.005)

    def _run(self, work: Any) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(LONG)

    async def _listen(self) -> None:
        def protocol() -> asyncio.StreamReaderProtocol:
            return asyncio.StreamReaderProtocol(self.reader(), self._connected)

        if self._server is None:
            self._server = await self._loop.create_server(protocol, "127.0.0.1", self.port, reuse_port=True)

    async def _stop_listening(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in self._connections.values():
            writer.transport.abort()

    async def _shut(self) -> None:
        await self._stop_listening()
        tasks = list(self._connections)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        try:
            await self.serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client left, or the server closes
        finally:
            self._connections.pop(task)
            writer.close()
