"""An instance of SearXNG of one's own, by its JSON. One request a query, throttled: bursts trip the engines."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pdgf.per_loop import PerLoop
from pdgf.ports import Found
from pdgf.sources.search.asking import Answers, Patience, search_with
from pdgf.sources.search.connection import Connection, Reply, address_of
from pdgf.sources.search.faults import SearchFault
from pdgf.sources.search.hits import Fields, Hits, read_hits, shown
from pdgf.sources.search.pacing import CALL_SECONDS, TRIES, Pace, Tries, asked_each, retried
from pdgf.sources.search.queries import primary_language
from pdgf.usage import Budget

FIELDS = Fields(link="url", title="title", snippet="content")
NO_JSON = "this SearXNG does not give JSON: add json to search.formats in its settings.yml"

# Words that begin with these steer SearXNG itself: !engine, :language, <timeout.
_STEERING = re.compile(r"(?<!\S)[!?:<]+(?=\S)")


class SearXNG:
    """A Search and a Provider. A login in the address is sent along and never shown.

    `at_once` requests in flight, `pause` seconds between two. Raises ConfigInvalid for an address that is none.
    """

    name = "searxng"
    query_chars = 1_000

    def __init__(self, base_url: str, *, at_once: int = 2, pause: float = 0.2, tries: Tries = TRIES) -> None:
        self._address = address_of("SEARXNG_URL", base_url)
        self._connection = Connection(self._address)
        self._at_once = at_once
        self._pause = pause
        self._tries = tries
        self._paces: PerLoop[Pace] = PerLoop()

    def __repr__(self) -> str:
        return f"SearXNG({self._address.place!r})"

    async def search(self, queries: Sequence[str], *, language: str, budget: Budget) -> list[Found]:
        return await search_with(self, queries, language=language, budget=budget)

    async def ask(self, queries: Sequence[str], *, language: str, patience: Patience) -> Answers:
        """See Provider."""

        async def ask(query: str) -> Hits:
            params = {
                "q": _STEERING.sub("", query),
                "format": "json",
                "language": primary_language(language),
                "pageno": "1",
            }
            return await retried(lambda: self._once(params, patience), tries=self._tries, patience=patience)

        return await asked_each(queries, ask, at_once=self._at_once)

    async def aclose(self) -> None:
        await self._connection.aclose()

    async def _once(self, params: Mapping[str, str], patience: Patience) -> Hits:
        pace = self._paces.get("pace", lambda: Pace(at_once=self._at_once, pause=self._pause))
        async with pace.turn(patience):
            reply = await self._connection.ask("GET", seconds=min(CALL_SECONDS, patience()), params=params)
        return _hits(reply)


def _hits(reply: Reply) -> Hits:
    """What was found. Raises SearchFault, also when nothing was found because engines did not answer."""
    if reply.status == 403:
        raise SearchFault("refused", NO_JSON)
    payload = reply.result()
    if not isinstance(payload, Mapping):
        raise SearchFault("no_api", "the answer is no object")
    found = read_hits(payload.get("results"), FIELDS)
    silent = payload.get("unresponsive_engines")
    if not found and isinstance(silent, list) and silent:
        raise SearchFault("busy", f"no answer from {', '.join(map(_engine, silent[:5]))}", of_query=True)
    return found


def _engine(entry: Any) -> str:
    """ "brave (too many requests)" of a pair as SearXNG reports it."""
    parts = [shown(part) for part in entry[:2]] if isinstance(entry, list) else [shown(entry)]
    return f"{parts[0]} ({parts[1]})" if len(parts) == 2 else "".join(parts) or "an engine"
