"""The connections to one server, in whatever event loop they are needed."""

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from pdgf.llm.address import Address
from pdgf.per_loop import PerLoop

if TYPE_CHECKING:
    from pdgf.llm.wire import Wires


class Connections:
    """Opens the connections of a loop when they are first asked for. Times are in seconds."""

    def __init__(self, address: Address, *, timeout: float, connect_timeout: float) -> None:
        self._address = address
        self._timeouts = {"timeout": timeout, "connect_timeout": connect_timeout}
        self._wires: PerLoop[Wires] = PerLoop()

    async def here(self) -> "Wires":
        """The connections of the running loop."""
        wires = self._wires.find("wires")
        if wires is None:
            wire = await asyncio.to_thread(import_module, "pdgf.llm.wire")  # long enough to hold up the loop
            wires = self._wires.get("wires", lambda: wire.Wires(self._address, **self._timeouts))
        return wires

    async def aclose(self) -> None:
        """Close those of the running loop; `here` opens new ones."""
        wires = self._wires.pop("wires")
        if wires is not None:
            await wires.aclose()
