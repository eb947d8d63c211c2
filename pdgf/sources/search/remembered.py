"""A Search that remembers for a while what it has found, so that a follow-up turn only sends its new queries."""

import time
from collections.abc import Callable, Sequence

from pdgf.errors import SearchFailed
from pdgf.memo import Memo
from pdgf.ports import Found, Search, SearchHit
from pdgf.sources.search.queries import cleaned
from pdgf.usage import Budget

KEPT_RESULTS = 2_000  # queries: about 10 MB with ten hits each
MAX_AGE = 3_600.0  # seconds: the web changes, a conversation is over by then


class RememberedSearch:
    """The results of another search by query and language. Kept are digests of queries and what everybody may find.

    A query that nobody answered is not remembered, and neither is one for which nothing was found: that may be a
    provider's hiccup, and the next turn asks again.
    """

    def __init__(
        self,
        search: Search,
        *,
        capacity: int = KEPT_RESULTS,
        max_age: float = MAX_AGE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._search = search
        self._found: Memo[tuple[str, tuple[SearchHit, ...]]] = Memo(capacity, max_age=max_age, clock=clock)

    @property
    def name(self) -> str:
        return self._search.name

    async def search(self, queries: Sequence[str], *, language: str, budget: Budget) -> list[Found]:
        """See Search: only queries that are sent count on the budget.

        Raises SearchFailed when none of them was answered and no other is remembered.
        """
        remembered = {query: self._found.get(cleaned(query), language) for query in queries}
        known = {query: found for query, found in remembered.items() if found is not None}
        fresh = [query for query in queries if query not in known]
        if known:
            budget.check_deadline()
        budget.took_over("searches", map(cleaned, known))
        sent = {each.query: each for each in await self._sent(fresh, language, budget, alone=not known)}
        for each in sent.values():
            if each.provider and each.hits:
                self._found.put((each.provider, each.hits), cleaned(each.query), language)
        budget.made("searches", map(cleaned, sent))
        return [
            Found(query=query, provider=known[query][0], hits=known[query][1]) if query in known else sent[query]
            for query in queries
        ]

    async def _sent(self, queries: Sequence[str], language: str, budget: Budget, *, alone: bool) -> list[Found]:
        """What the search finds now; where it fails beside results that are remembered, nothing, and that is told."""
        if not queries and not alone:
            return []
        try:
            return await self._search.search(queries, language=language, budget=budget)
        except SearchFailed as error:
            if alone:
                raise
            budget.set_back("search_some", error.why, len({cleaned(query) for query in queries} - {""}))
            return [Found(query=query, provider="", hits=()) for query in queries]
