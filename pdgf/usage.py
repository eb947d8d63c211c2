"""One deadline and one budget for a turn, handed down to every step (DESIGN section 4)."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pdgf.errors import BudgetSpent
from pdgf.models import Usage


@dataclass
class Budget:
    """What a turn may spend and has spent. Each spending call raises BudgetSpent when it would pass a cap.

    `seconds` is wall time from construction, measured on a monotonic clock. A wave is a round of agent calls that
    had to wait for the round before it.
    """

    seconds: float = 60.0
    agent_calls: int = 400
    clock: Callable[[], float] = time.monotonic
    _started: float = field(init=False)
    _spent: dict[str, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._started = self.clock()

    def remaining_seconds(self) -> float:
        """Seconds until the deadline; never negative."""
        return max(0.0, self.seconds - (self.clock() - self._started))

    def check_deadline(self) -> None:
        """Raise BudgetSpent("seconds") once the deadline has passed."""
        if self.remaining_seconds() <= 0.0:
            raise BudgetSpent("seconds")

    def spend_wave(self, calls: int, comparisons: int = 0) -> None:
        """Count one round of `calls` agent calls, which compare `comparisons` pairs in all."""
        self.check_deadline()
        if self._spent.get("agent_calls", 0) + calls > self.agent_calls:
            raise BudgetSpent("agent_calls")
        for what, amount in (("agent_calls", calls), ("waves", 1 if calls else 0), ("comparisons", comparisons)):
            self._spent[what] = self._spent.get(what, 0) + amount

    def spend_searches(self, count: int) -> None:
        """Count `count` searches of an evidence source."""
        self.check_deadline()
        self._spent["searches"] = self._spent.get("searches", 0) + count

    def usage(self) -> Usage:
        """What has been spent so far."""
        return Usage(seconds=self.clock() - self._started, **self._spent)
