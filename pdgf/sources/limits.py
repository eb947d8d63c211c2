"""What of the web a turn may ask for: as much as its caps let through, and no hosts that are left out."""

from collections.abc import Collection
from typing import TypeVar

from pdgf.pages import FORUM_HOSTS, SOCIAL_HOSTS
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

T = TypeVar("T")


def within(what: str, values: list[T], budget: Budget) -> list[T]:
    """As many of the values, from the first, as the cap of the turn lets through; what is left out is told."""
    room = budget.room_for(what, len(values))
    if room < len(values):
        budget.set_back(f"{what}_cut", "cap", len(values) - room)
    return values[:room]


def social_hosts(config: MethodConfig) -> Collection[str]:
    """The hosts of social media that are left out; forums may be allowed in a chat (METHOD 5.2)."""
    return SOCIAL_HOSTS if config.exclude_social else SOCIAL_HOSTS - FORUM_HOSTS
