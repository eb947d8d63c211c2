"""Who comes in when many say something at the same moment: a few at a time, the others in line, too many told at once.

Gradio begins with every event that is posted, all side by side, so that with hundreds of them nobody is shown anything
for seconds, not even that too many ask. Here an event goes on to Gradio once there is room at the door, and it makes
room when its turn has begun, or when a refusal, its first change, has been shown. A turn waits with its work for those
who came before it or beside it: what people see goes before.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Collection
from contextlib import suppress

AT_A_TIME = 8  # events on their way to their first change
LOST = 5.0  # seconds after which an event that never showed anything is thought of as lost on its way
CALM = 10.0  # seconds that a turn waits at most for the first changes of others


class Door:
    """The line of those who want to begin a turn, by their tabs.

    `room` says whether a turn more is taken, given the tabs that are expected to begin one.
    """

    def __init__(
        self,
        room: Callable[[Collection[str]], bool],
        *,
        at_a_time: int = AT_A_TIME,
        lost: float = LOST,
        calm: float = CALM,
    ) -> None:
        self._room = room
        self._lost = lost
        self._patience = calm
        self._places = asyncio.Semaphore(at_a_time)
        self._expected: dict[str, int] = {}  # by tab, the how manieth it was to come
        self._came = 0
        self._inside: dict[str, asyncio.TimerHandle] = {}
        self._waiting: deque[tuple[int, asyncio.Event]] = deque()

    async def admit(self, tab: str) -> bool:
        """Wait for a place in front of Gradio. False, at once, where no turn more is taken. A tab has one place,
        whatever it posts meanwhile."""
        if tab in self._expected:
            return True
        if not self._room(self._expected):
            return False
        self._came += 1
        self._expected[tab] = self._came
        try:
            await self._places.acquire()
        except asyncio.CancelledError:
            self._gone(tab)
            raise
        self._inside[tab] = asyncio.get_running_loop().call_later(self._lost, self.shown, tab)
        return True

    def shown(self, tab: str) -> None:
        """The turn of a tab has begun, or it has been shown why none does; the next one may come in."""
        if (timer := self._inside.pop(tab, None)) is None:
            return
        timer.cancel()
        self._places.release()
        self._gone(tab)

    async def calm(self) -> None:
        """Wait until all who stand in line now have come in, but not for long."""
        if self._expected:
            shown = asyncio.Event()
            self._waiting.append((self._came, shown))
            with suppress(TimeoutError):
                await asyncio.wait_for(shown.wait(), self._patience)

    def _gone(self, tab: str) -> None:
        self._expected.pop(tab, None)
        first = next(iter(self._expected.values()), self._came + 1)  # of those who are still in line
        while self._waiting and self._waiting[0][0] < first:
            self._waiting.popleft()[1].set()
