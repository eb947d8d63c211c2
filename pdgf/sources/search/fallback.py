"""Several providers as one search: the first that answers a query serves it."""

import logging
from collections.abc import Callable, Sequence

from pdgf.errors import SearchFailed
from pdgf.ports import Found
from pdgf.sources.search.asking import Provider, ProviderFailure, Searched, count_searches, search_in_turn
from pdgf.sources.search.queries import cleaned
from pdgf.usage import Budget

SHARE = 0.5  # of the time that is left: what is found has still to be read and ranked

_log = logging.getLogger(__name__)


class FallbackSearch:
    """A Search over providers in order of preference.

    A provider whose key, credit or installation fails, or which refuses us, is left out from then on; one that is
    busy or not reached is tried again in the next search. What one provider leaves unanswered goes to the next, what
    was answered is kept. `tell` hears of every failure, with the budget of the turn that it happened in: it is how
    the user is told, also when others answered.
    """

    name = "web search"

    def __init__(
        self,
        providers: Sequence[Provider],
        *,
        tell: Callable[[ProviderFailure, Budget], None] | None = None,
        share: float = SHARE,
    ) -> None:
        self._providers = tuple(providers)
        self._tell = tell
        self._share = share
        self._left_out: dict[int, ProviderFailure] = {}

    @property
    def left_out(self) -> tuple[ProviderFailure, ...]:
        """The providers that are not asked any more, and why, in order of preference."""
        return tuple(failure for _, failure in sorted(self._left_out.items()))

    async def search(self, queries: Sequence[str], *, language: str, budget: Budget) -> list[Found]:
        """See Search: `provider` of each result says who answered. A query that nobody answered has no hits and ""
        for its provider. Raises SearchFailed, of the last provider tried, when no query was answered."""
        searched = await self.search_all(queries, language=language, budget=budget)
        if searched.failed:
            raise searched.failures[-1].as_error()
        return list(searched.found)

    async def search_all(self, queries: Sequence[str], *, language: str, budget: Budget) -> Searched:
        """The same with the failures of this search. Raises SearchFailed when there is nobody to ask."""
        places = [place for place in range(len(self._providers)) if place not in self._left_out]
        if not places and any(map(cleaned, queries)):
            raise self.left_out[-1].as_error() if self._left_out else SearchFailed(self.name, "none")
        count_searches(queries, budget)
        begun = budget.remaining_seconds()

        def patience() -> float:
            return max(0.0, budget.remaining_seconds() - (1.0 - self._share) * begun)

        return await search_in_turn(
            [self._providers[place] for place in places],
            queries,
            language=language,
            patience=patience,
            on_failure=lambda asked, failure: self._note(places[asked], failure, budget),
        )

    async def aclose(self) -> None:
        """Close what the providers hold open in the running event loop."""
        for provider in self._providers:
            await provider.aclose()

    def _note(self, place: int, failure: ProviderFailure, budget: Budget) -> None:
        # The provider's own words stay out of the log: they may quote a query.
        _log.info("%s left %d queries unanswered: %s", failure.provider, failure.queries, failure.why)
        if failure.lasting:
            self._left_out[place] = failure
        if self._tell is not None:
            self._tell(failure, budget)
