"""Who a visitor is whose browser does not know it yet.

A page learns its owner from the answer to its first event. Whatever is done on it before that answer has come, as
dropping a file on a slow line, belongs to the same owner.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

SECONDS, MOST = 600.0, 2_000  # how long a page is waited for that was never heard of again, and how many at once


def unguessable() -> str:
    """A word that nobody can guess."""
    return secrets.token_urlsafe(24)


class Newcomers:
    """The owners of the open pages that have not been told theirs yet."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._owners: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._clock = clock

    def owner(self, tab: str) -> str:
        """The same owner at every event of a page; a new one for an event without a page."""
        now = self._clock()
        while self._owners and (len(self._owners) >= MOST or next(iter(self._owners.values()))[0] < now - SECONDS):
            self._owners.popitem(last=False)
        if not tab:
            return unguessable()
        return self._owners.setdefault(tab, (now, unguessable()))[1]

    def told(self, tab: str) -> None:
        """The browser of this page knows: the page names no owner any more."""
        self._owners.pop(tab, None)
