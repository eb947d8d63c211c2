"""A way to a database that can be cut: what goes through it breaks off, and nothing new is taken until it is mended."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from tests.postgres.serving import renamed, socket_file


class Wire:
    """`url` is the address through it."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = renamed(url, folder)
        self._path = folder / ".s.PGSQL.5432"
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._pumping: set[asyncio.Task[None]] = set()
        self._flows = asyncio.Event()
        self._flows.set()

    async def mend(self) -> None:
        """Let connections through."""
        self._server = await asyncio.start_unix_server(self._through, self._path)

    async def cut(self) -> None:
        """Break off every connection, and take no new one."""
        if self._server is not None:
            self._server.close()
            self._path.unlink(missing_ok=True)
        self._server = None
        for writer in tuple(self._open):
            writer.transport.abort()
        self._open.clear()
        await asyncio.gather(*self._pumping)

    def freeze(self) -> None:
        """Let nothing more come through, and break nothing off, as a server does that hangs."""
        self._flows.clear()

    def thaw(self) -> None:
        """Let all of it come through that was held up."""
        self._flows.set()

    async def _through(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, thither = await asyncio.open_unix_connection(str(socket_file()))
        self._open |= {writer, thither}
        pumping = [asyncio.create_task(_pumped(*way, self._flows)) for way in ((reader, thither), (there, writer))]
        self._pumping |= set(pumping)
        await asyncio.wait(pumping)
        self._pumping -= set(pumping)
        self._open -= {writer, thither}


async def _pumped(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flows: asyncio.Event) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            await flows.wait()
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def wire(url: str, folder: Path) -> AsyncIterator[Wire]:
    """A way that is open at first; `folder` is to be short, as socket files are."""
    way = Wire(url, folder)
    await way.mend()
    try:
        yield way
    finally:
        await way.cut()
