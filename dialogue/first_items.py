"""The first items of a ranking, as far as they are certain to be shown while it still goes on (METHOD 11.2)."""

import asyncio

from dialogue.domain import Domain
from dialogue.standings import citable, fits
from pdgf.models import PreferenceGraph, RankedItem


class FirstItems:
    """The items that are certain to be shown, as a ranking tells of them while it goes on.

    `enough` is set once a whole list of items is there that keep every condition and of which something speaks for a
    wish; a list with fewer needs to know the rest of the ranking first, to say what is in the way.
    """

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self.enough = asyncio.Event()
        self.items: list[RankedItem] = []
        self.graph = PreferenceGraph(narrative="")

    def hear(self, graph: PreferenceGraph, item: RankedItem) -> None:
        """Take the next item of the ranking in."""
        self.graph = graph
        spoken_of = citable(graph, self._domain)
        if not self.enough.is_set() and item.demoted is None and fits(item, spoken_of):
            self.items.append(item)
            if len(self.items) == self._domain.shown:
                self.enough.set()
