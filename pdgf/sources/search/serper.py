"""Google's results by serper.dev (METHOD 13.1). Several queries go in one request, as an array."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import SecretStr

from pdgf.llm.faults import redacted
from pdgf.per_loop import PerLoop
from pdgf.ports import Found
from pdgf.sources.search.asking import Answers, Patience, search_with
from pdgf.sources.search.connection import Connection, address_of
from pdgf.sources.search.faults import SearchFault, judged
from pdgf.sources.search.hits import HITS, Fields, Hits, read_hits
from pdgf.sources.search.pacing import CALL_SECONDS, TRIES, Pace, Tries, asked_each, retried
from pdgf.sources.search.queries import primary_language
from pdgf.usage import Budget

SERPER = "https://google.serper.dev"
PLACES: Mapping[str, tuple[str, str]] = {"en": ("us", "en"), "zh": ("cn", "zh-cn")}  # language -> (gl, hl)
COUNTRY = "us"  # for any other language
QUERIES_AT_ONCE = 100  # that one request takes
REQUESTS_AT_ONCE = 5
FIELDS = Fields(link="link", title="title", snippet="snippet")


class Serper:
    """A Search and a Provider. Key and credit are never tried again; what may pass is.

    `places` says where a language is searched, as (gl, hl); it goes before the usual ones. Raises ConfigInvalid for an
    address or a key that no request can carry.
    """

    name = "serper"
    query_chars = 2_048

    def __init__(
        self,
        api_key: SecretStr,
        *,
        base_url: str = SERPER,
        places: Mapping[str, tuple[str, str]] | None = None,
        tries: Tries = TRIES,
    ) -> None:
        self._address = address_of("SERPER_BASE_URL or SERPER_API_KEY", base_url, api_key)
        self._connection = Connection(self._address)
        self._places = {**PLACES, **(places or {})}
        self._tries = tries
        self._paces: PerLoop[Pace] = PerLoop()

    def __repr__(self) -> str:
        return f"Serper({self._address.place!r})"

    async def search(self, queries: Sequence[str], *, language: str, budget: Budget) -> list[Found]:
        return await search_with(self, queries, language=language, budget=budget)

    async def ask(self, queries: Sequence[str], *, language: str, patience: Patience) -> Answers:
        """See Provider. Ten results a query: one credit."""
        answers = Answers()
        for batch in _batches(queries):
            await self._ask_batch(batch, language, patience, answers)
            if answers.stopped is not None:
                break
        return answers

    async def aclose(self) -> None:
        await self._connection.aclose()

    async def _ask_batch(self, batch: Sequence[str], language: str, patience: Patience, answers: Answers) -> None:
        """One request for all; where one query may have spoilt it, one for each."""
        try:
            entries = await self._entries(batch, language, patience)
        except SearchFault as fault:
            if not fault.of_query or len(batch) == 1:
                answers.failed(batch[0], fault)
                return
            entries = None
        if entries is None:
            singly = await asked_each(
                batch, lambda query: self._single(query, language, patience), at_once=REQUESTS_AT_ONCE
            )
            answers.join(singly)
            return
        for query, entry in zip(batch, entries, strict=True):
            try:
                answers.found(query, self._hits(entry))
            except SearchFault as fault:
                answers.failed(query, fault)

    async def _single(self, query: str, language: str, patience: Patience) -> Hits:
        [entry] = await self._entries([query], language, patience)
        return self._hits(entry)

    async def _entries(self, batch: Sequence[str], language: str, patience: Patience) -> list[Any]:
        """One answer for each query, in their order. Raises SearchFault."""
        gl, hl = self._place(language)
        asked = [{"q": query, "gl": gl, "hl": hl, "num": HITS, "autocorrect": False} for query in batch]
        key = {"X-API-KEY": self._address.key}

        async def once() -> list[Any]:
            async with self._paces.get("pace", lambda: Pace(at_once=REQUESTS_AT_ONCE, pause=0.0)).turn(patience):
                reply = await self._connection.ask(
                    "POST",
                    seconds=min(CALL_SECONDS, patience()),
                    headers=key,
                    body=asked if len(asked) > 1 else asked[0],
                )
            return self._matched(reply.result(), len(batch))

        return await retried(once, tries=self._tries, patience=patience)

    def _matched(self, payload: Any, wanted: int) -> list[Any]:
        """The answers of a batch; a bare object is that of a batch of one. Raises SearchFault for another number."""
        if isinstance(payload, Mapping):
            self._check(payload)
        entries = payload if isinstance(payload, list) else [payload]
        if len(entries) != wanted or not (isinstance(payload, Mapping | list)):
            raise SearchFault("no_api", f"{wanted} queries were asked, the answer is not one for each")
        return entries

    def _hits(self, entry: Any) -> Hits:
        """What was found for one query. Raises SearchFault."""
        if not isinstance(entry, Mapping):
            raise SearchFault("no_api", "the answer to a query is no object", of_query=True)
        self._check(entry)
        return read_hits(entry.get("organic"), FIELDS)

    def _check(self, entry: Mapping[str, Any]) -> None:
        """Raise SearchFault for an error in place of results, whatever the status around it."""
        status = entry.get("statusCode")
        if isinstance(status, int) and not isinstance(status, bool) and status >= 400 and not entry.get("organic"):
            message = entry.get("message")
            raise judged(status, redacted(message, self._address.secrets) if isinstance(message, str) else "")

    def _place(self, language: str) -> tuple[str, str]:
        code = primary_language(language)
        return self._places.get(language) or self._places.get(code) or (COUNTRY, code)


def _batches(queries: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(queries), QUERIES_AT_ONCE):
        yield queries[start : start + QUERIES_AT_ONCE]
