"""How much conversations, visitors and days have asked of language models and of the web, and how much they may.

What was spent is told to the ledger as it is spent, so that a process that is killed in mid-turn has counted it. Where
the ledger cannot be used, the counts of this process go on by themselves.
"""

import asyncio
import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dialogue.ledger import FILE as FILE
from dialogue.ledger import FOLDER as FOLDER
from dialogue.ledger import FOREVER, FiledLedger, Ledger, Place
from pdgf.settings import Allowance, Settings

DAY_SECONDS = 86_400


class Allowances:
    """The counts of one data folder or of another ledger, one object a process and event loop. `now` gives seconds of
    the calendar."""

    def __init__(
        self, place: Path | Ledger, allowed: Mapping[str, Allowance], *, now: Callable[[], float] = time.time
    ) -> None:
        self._ledger: Ledger = FiledLedger(place) if isinstance(place, Path) else place
        self._allowed = allowed
        self._now = now
        self._spent: dict[Place, dict[str, float]] = {}
        self._telling: set[asyncio.Task[None]] = set()

    async def account(self, thread: str, owner: str) -> "TurnAccount":
        """What a turn of a conversation may still ask for, counted from what is stored."""
        day = int(self._now() // DAY_SECONDS)
        places = {
            "conversation": (_digest("conversation", thread), FOREVER),
            "visitor": (_digest("visitor", owner), day),
            "day": ("day", day),
        }
        for place in places.values():
            await self._recall(place)
        return TurnAccount(self, places)

    async def forget(self, thread: str) -> None:
        """Delete the counts of a conversation; those of its visitor and of the day stay."""
        whose = _digest("conversation", thread)
        await self._settled()
        self._spent.pop((whose, FOREVER), None)
        await self._ledger.forget(whose)

    async def forget_days(self) -> None:
        """Delete the counts of the days before yesterday, of whoever they are."""
        await self._ledger.forget_before(int(self._now() // DAY_SECONDS) - 1)

    async def close(self) -> None:
        """Wait until everything is written, forget the days before yesterday, and close the ledger."""
        await self._settled()
        await self.forget_days()
        await self._ledger.close()

    def left(self, scope: str, place: Place, what: str) -> float | None:
        """How much may still be asked for; None without a limit."""
        limit = getattr(self._allowed[scope], what)
        return None if limit is None else max(0.0, limit - self._spent.get(place, {}).get(what, 0.0))

    def add(self, place: Place, what: str, amount: float) -> None:
        """Count, here at once and in the ledger as soon as it comes to it."""
        counts = self._spent.setdefault(place, {})
        counts[what] = counts.get(what, 0.0) + amount
        task = asyncio.ensure_future(self._tell(place, what, amount))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _tell(self, place: Place, what: str, amount: float) -> None:
        total = await self._ledger.add(place, what, amount)
        if total is not None:
            self._take_over(place, {what: total})

    async def _recall(self, place: Place) -> None:
        self._take_over(place, await self._ledger.read(place))

    def _take_over(self, place: Place, stored: Mapping[str, float]) -> None:
        """What other processes, or this one before a restart, have counted: never less than is known here, for what is
        spent meanwhile is not in the ledger yet."""
        counts = self._spent.setdefault(place, {})
        for what, amount in stored.items():
            counts[what] = max(amount, counts.get(what, 0.0))

    async def _settled(self) -> None:
        await asyncio.gather(*self._telling)


@dataclass(frozen=True)
class TurnAccount:
    """The three counts that one turn adds to."""

    allowances: Allowances
    places: Mapping[str, Place] = field(repr=False)

    def left(self, what: str) -> tuple[float | None, str]:
        """The least that is left of something, and whose that is; None without a limit."""
        rows = [(self.allowances.left(scope, place, what), scope) for scope, place in self.places.items()]
        return min(((left, scope) for left, scope in rows if left is not None), default=(None, ""))

    def spend(self, what: str, amount: float) -> None:
        """Add to all three."""
        for place in self.places.values():
            self.allowances.add(place, what, amount)


def allowances_of(settings: Settings, ledger: Ledger | None = None) -> Allowances:
    """Those that the settings give, counted in their data folder or in another ledger."""
    return Allowances(
        ledger or settings.data_dir,
        {
            "conversation": settings.allowance_conversation,
            "visitor": settings.allowance_visitor,
            "day": settings.allowance_day,
        },
    )


def _digest(kind: str, name: str) -> str:
    return hashlib.sha256(f"{kind} {name}".encode()).hexdigest()
