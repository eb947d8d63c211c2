"""Many visitors at once, each with a word of their own that nobody else may ever be shown."""

import asyncio
import re
import secrets
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dialogue.ui.texts import page_texts
from tests.reliability.visiting import Page, Shown, Visitor

BUSY = page_texts()["status"]["crowded"]
CANARY = re.compile(r"zkan\d{4}q")
TOPICS = ("friendship", "a heist", "the sea", "old age", "robots", "a long winter", "music", "a family secret")


def canary(number: int) -> str:
    """The word of a visitor."""
    return f"zkan{number:04d}q"


def wish(number: int) -> str:
    """A request of which no two are the same, so that nothing can be taken from a cache."""
    return f"Something quiet about {TOPICS[number % len(TOPICS)]}, not too violent. My code word is {canary(number)}."


def in_town(number: int) -> str:
    """A request that the scripted model knows."""
    return f"quiet ramen in Old Harbour with parking, and my code word is {canary(number)}"


@dataclass
class Came:
    """What came of what many visitors did at once."""

    shown: list[Shown] = field(default_factory=list)
    visitors: list[Visitor] = field(default_factory=list)

    @property
    def served(self) -> list[Shown]:
        """Turns that were taken in and ended."""
        return [row for row in self.shown if not row.error and not told_busy(row)]

    @property
    def refused(self) -> list[tuple[Shown, Visitor]]:
        """Turns that were not taken."""
        return [pair for pair in zip(self.shown, self.visitors, strict=True) if told_busy(pair[0])]

    @property
    def errors(self) -> list[str]:
        """What failed."""
        return [row.error for row in self.shown if row.error and not told_busy(row)]

    def crossed(self) -> int:
        """How often a visitor was shown the word of another."""
        return sum(len(set(CANARY.findall(row.told)) - {canary(at)}) for at, row in enumerate(self.shown))

    def unanswered(self) -> int:
        """How many served turns end without the words that were said and a reply."""
        return sum(
            canary(at) not in str(row.parts.get("chat")) or not answered(row.parts.get("chat"))
            for at, row in enumerate(self.shown)
            if not (row.error or told_busy(row))
        )


def told_busy(shown: Shown) -> bool:
    """Whether a turn was refused because so many people ask."""
    return BUSY in shown.error or any(BUSY in line for line in shown.live)


def answered(chat: Any) -> bool:
    """Whether a chat ends with a reply that is no running step."""
    last = chat[-1] if isinstance(chat, list) and chat else {}
    return last.get("role") == "assistant" and not (last.get("metadata") or {}).get("title")


def visitor_in(page: Page, domain: str) -> Visitor:
    """A visitor who has chosen a domain."""
    made = Visitor(page)
    made.values["browserstate"] = {"owner": secrets.token_urlsafe(24), "domain": domain, "threads": {}}
    return made


async def all_say(visitors: Sequence[Visitor], words: Iterable[str]) -> Came:
    """Everybody says something at the same time."""
    shown = await asyncio.gather(*(each.say(said) for each, said in zip(visitors, words, strict=True)))
    return Came(list(shown), list(visitors))


def p95(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else max(values, default=0.0)
