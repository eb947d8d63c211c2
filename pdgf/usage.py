"""One deadline and one budget for a turn, handed down to every step, and what went wrong on the way (DESIGN 4)."""

import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

from pdgf.errors import BudgetSpent
from pdgf.models import Reused, Usage, Value
from pdgf.patience import Patience

RESERVE_SECONDS = 10.0
RESERVE_SHARE = 0.1  # of the turn's time, if that is less


class Setback(Value):
    """A step that an agent could not do as asked and did otherwise (METHOD 2, "on bad output").

    `step` names it ("extract_nodes", "label_relations" ...; "engine" when the model is given up for this turn), `why`
    is a key of the wording ("unreadable", "unreachable" ...), `count` says how many of its parts were concerned.
    """

    step: str
    why: str
    count: int = 1


class Account(Protocol):
    """What turns before this one have spent too, and those beside it. Things are "tokens", "cost" (US dollars),
    "searches" and "pages"."""

    def left(self, what: str) -> tuple[float | None, str]:
        """How much may still be spent, None without a limit, and the name of the limit."""
        ...

    def spend(self, what: str, amount: float) -> None:
        """Count what was spent."""
        ...


@dataclass
class _Ledger:
    """What a turn has spent, whoever of it spends."""

    started: float
    spent: dict[str, int] = field(default_factory=dict)
    cost: float | None = 0.0
    waves_ended: int = 0
    made: dict[str, set[Hashable]] = field(default_factory=dict, repr=False)
    taken_over: dict[str, set[Hashable]] = field(default_factory=dict, repr=False)


@dataclass
class Budget:
    """What a turn may spend and has spent. Each spending call raises BudgetSpent when it would pass a cap.

    `seconds` is wall time from construction, measured on a monotonic clock; `tokens` and `cost` (US dollars) cap what
    language models use, `searches` and `pages` what the open web is asked for, None for no cap; an `account` limits
    these over more than one turn. `scope` is the conversation whose texts a cache may keep. `on_setback` hears of each
    setback at once; `patience` says whether slow work is still waited for.
    """

    seconds: float = 90.0
    agent_calls: int = 400
    tokens: int | None = None
    cost: float | None = None
    searches: int | None = None
    pages: int | None = None
    scope: str = ""
    clock: Callable[[], float] = time.monotonic
    on_setback: Callable[[Setback], None] | None = None
    patience: Patience = field(default_factory=Patience)
    account: Account | None = None
    _ledger: _Ledger = field(init=False)
    _setbacks: dict[tuple[str, str], Setback] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._ledger = _Ledger(started=self.clock())

    def aside(self) -> "Budget":
        """The same budget for work that may turn out not to be needed: what it spends counts, its setbacks do not."""
        beside = replace(self, on_setback=None)
        beside._ledger = self._ledger
        return beside

    def remaining_seconds(self) -> float:
        """Seconds until the deadline; never negative."""
        return max(0.0, self.seconds - (self.clock() - self._ledger.started))

    def model_seconds(self) -> float:
        """Seconds that may still be spent on waiting for a language model: what is left without the reserve in which
        the rest of the turn is done by other means."""
        return max(0.0, self.remaining_seconds() - min(RESERVE_SECONDS, RESERVE_SHARE * self.seconds))

    def check_deadline(self) -> None:
        """Raise BudgetSpent("seconds") once the deadline has passed."""
        if self.remaining_seconds() <= 0.0:
            raise BudgetSpent("seconds")

    @contextmanager
    def agent_call(self) -> Iterator[None]:
        """One call of an agent. Its wave is one more than the last wave that had ended when it began: calls that run
        side by side share a wave, a call that waited for another comes after it."""
        self.check_deadline()
        self._check_caps()
        ledger = self._ledger
        wave = ledger.waves_ended + 1
        self._count("agent_calls", 1)
        ledger.spent["waves"] = max(ledger.spent.get("waves", 0), wave)
        try:
            yield
        finally:
            ledger.waves_ended = max(ledger.waves_ended, wave)

    def spend_comparisons(self, count: int) -> None:
        """Count `count` pairs, descriptions or labels that are about to be asked for."""
        self.check_deadline()
        self._count("comparisons", count)

    def spend_searches(self, count: int) -> None:
        """Count `count` searches of an evidence source."""
        self.check_deadline()
        self._count("searches", count)
        self._charge("searches", count)

    def spend_pages(self, count: int) -> None:
        """Count `count` pages that are about to be fetched."""
        self.check_deadline()
        self._count("pages", count)
        self._charge("pages", count)

    def room_for(self, what: str, wanted: int) -> int:
        """How many of `wanted` searches or pages the cap of the turn and the account still let through; that it is the
        account is told as a setback."""
        cap = {"searches": self.searches, "pages": self.pages}[what]
        room = wanted if cap is None else max(0, min(wanted, cap - self._ledger.spent.get(what, 0)))
        left, limit = self.account.left(what) if self.account else (None, "")
        if left is None or left >= room:
            return room
        self.set_back(f"allowance_{limit}", "allowance")
        return int(left)

    def overdrawn(self) -> str | None:
        """The name of the limit of the account that lets no language model be asked any more; None if none does."""
        for what in ("tokens", "cost"):
            left, limit = self.account.left(what) if self.account else (None, "")
            if left is not None and left <= 0:
                return limit
        return None

    def spend_tokens(self, tokens_in: int, tokens_out: int, cost: float | None) -> None:
        """Note what a call has used; a cost of None, for a model without a known price, makes the sum unknown."""
        self._count("tokens_in", tokens_in)
        self._count("tokens_out", tokens_out)
        self._charge("tokens", tokens_in + tokens_out)
        self._charge("cost", cost or 0.0)
        if cost is None and self.cost is not None:
            self.set_back("price", "unknown")  # a limit that cannot be kept is not kept silently
        known = self._ledger.cost
        self._ledger.cost = None if known is None or cost is None else known + cost

    def can_afford(self, calls: int) -> bool:
        """Whether so many agent calls would stay within the caps and the deadline as things stand."""
        within = self._ledger.spent.get("agent_calls", 0) + calls <= self.agent_calls
        return within and self.remaining_seconds() > 0.0 and self._passed() is None

    def set_back(self, step: str, why: str, count: int = 1) -> None:
        """Note that a step was done otherwise than asked."""
        known = self._setbacks.get((step, why))
        setback = Setback(step=step, why=why, count=count + (known.count if known else 0))
        self._setbacks[step, why] = setback
        if known is None and self.on_setback is not None:
            self.on_setback(setback)

    def setbacks(self) -> tuple[Setback, ...]:
        """Every setback so far, in the order of their first occurrence."""
        return tuple(self._setbacks.values())

    def gave_up_model(self) -> bool:
        """Whether the language model was given up for the rest of the turn."""
        return any(step == "engine" for step, _ in self._setbacks)

    def made(self, what: str, keys: Iterable[Hashable]) -> None:
        """Note labels or searches of this turn by what they are of, so that using them again is no reuse."""
        self._ledger.made.setdefault(what, set()).update(keys)

    def took_over(self, what: str, keys: Iterable[Hashable]) -> None:
        """Note what an earlier turn had found out already: `what` is a field of Reused, equal keys count once."""
        self._ledger.taken_over.setdefault(what, set()).update(keys)

    def reused(self) -> Reused:
        """How much was taken over from earlier turns."""
        made = self._ledger.made
        return Reused(**{what: len(keys - made.get(what, set())) for what, keys in self._ledger.taken_over.items()})

    def usage(self) -> Usage:
        """What has been spent so far."""
        ledger = self._ledger
        return Usage(seconds=self.clock() - ledger.started, cost=ledger.cost, **ledger.spent)

    def _count(self, what: str, amount: int) -> None:
        self._ledger.spent[what] = self._ledger.spent.get(what, 0) + amount

    def _charge(self, what: str, amount: float) -> None:
        if self.account and amount:
            self.account.spend(what, amount)

    def _check_caps(self) -> None:
        if self._ledger.spent.get("agent_calls", 0) >= self.agent_calls:
            raise BudgetSpent("agent_calls")
        passed = self._passed()
        if passed is not None:
            raise BudgetSpent(passed)

    def _passed(self) -> str | None:
        spent, cost = self._ledger.spent, self._ledger.cost
        used = spent.get("tokens_in", 0) + spent.get("tokens_out", 0)
        if self.tokens is not None and used >= self.tokens:
            return "tokens"
        if self.cost is not None and cost is not None and cost >= self.cost:
            return "cost"
        return None
