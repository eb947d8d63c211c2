"""What belongs to an event loop: clients, semaphores and the like cannot be shared between two."""

import asyncio
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class PerLoop(Generic[T]):
    """Things that belong to the event loop they were made in. What belongs to a closed loop is forgotten."""

    def __init__(self) -> None:
        self._kept: dict[asyncio.AbstractEventLoop, dict[Hashable, T]] = {}

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The running loop's thing of that name, made at first use."""
        loop = asyncio.get_running_loop()
        if loop not in self._kept:
            self._kept = {kept: things for kept, things in self._kept.items() if not kept.is_closed()}
            self._kept[loop] = {}
        things = self._kept[loop]
        if key not in things:
            things[key] = make()
        return things[key]

    def find(self, key: Hashable) -> T | None:
        """The running loop's thing of that name, if it was made."""
        return self._kept.get(asyncio.get_running_loop(), {}).get(key)

    def pop(self, key: Hashable) -> T | None:
        """Take the running loop's thing of that name out."""
        return self._kept.get(asyncio.get_running_loop(), {}).pop(key, None)

    def __len__(self) -> int:
        return len(self._kept)
