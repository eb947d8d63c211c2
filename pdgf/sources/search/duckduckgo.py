"""Search without a key, by the package ddgs: it reads the result pages of engines that may refuse at any time, so it
is the last resort. The package is synchronous and runs in one thread, a query at a time with a pause between."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

from pdgf.llm.faults import redacted
from pdgf.per_loop import PerLoop
from pdgf.ports import Found
from pdgf.sources.search.asking import Answers, Patience, search_with
from pdgf.sources.search.faults import SearchFault
from pdgf.sources.search.hits import HITS, Fields, Hits, read_hits
from pdgf.sources.search.pacing import CALL_SECONDS, Pace
from pdgf.sources.search.queries import primary_language
from pdgf.usage import Budget

FIELDS = Fields(link="href", title="title", snippet="body")
# By name, because the package's own choice puts encyclopedias first, which hold no opinions.
ENGINES = "duckduckgo,brave,mojeek"
ENGINE_SECONDS = 4  # for one engine; the package asks two side by side, then the third
REGIONS: Mapping[str, str] = {"en": "us-en", "zh": "cn-zh"}
EMPTY_IN_A_ROW = 3  # first answers without a hit, after which the engines are taken to refuse: that looks the same

_NOTHING = "no results"
_REFUSED = re.compile(r"rate.?limit|too many requests|captcha|\b(?:202|403|429)\b")
# What reading a page that has changed may end in; the package lets such errors pass.
_UNFORESEEN = (OSError, RuntimeError, ValueError, TypeError, AttributeError, LookupError)


class DuckDuckGo:
    """A Search and a Provider over ddgs. `pause` is in seconds. Without the package every search fails."""

    name = "ddgs"
    query_chars = 400

    def __init__(self, *, pause: float = 1.0) -> None:
        self._pause = pause
        self._paces: PerLoop[Pace] = PerLoop()
        self._thread: ThreadPoolExecutor | None = None

    def __repr__(self) -> str:
        return "DuckDuckGo()"

    async def search(self, queries: Sequence[str], *, language: str, budget: Budget) -> list[Found]:
        return await search_with(self, queries, language=language, budget=budget)

    async def ask(self, queries: Sequence[str], *, language: str, patience: Patience) -> Answers:
        """See Provider. A query that runs out of time is given up; its thread ends by the package's own deadline."""
        code = primary_language(language)
        region = REGIONS.get(code, f"us-{code}")
        answers = Answers()
        for query in queries:
            try:
                answers.found(query, await self._found(query, region, patience))
            except SearchFault as fault:
                answers.failed(query, fault)
            if answers.stopped is not None:
                break
            if len(answers.hits) >= EMPTY_IN_A_ROW and not any(answers.hits.values()):
                answers.hits.clear()
                answers.failed(query, SearchFault("busy", "several searches in a row found nothing at all"))
                break
        return answers

    async def aclose(self) -> None:
        """Let the thread go. What still runs in it ends by itself."""
        if self._thread is not None:
            self._thread.shutdown(wait=False)
            self._thread = None

    async def _found(self, query: str, region: str, patience: Patience) -> Hits:
        async with self._paces.get("pace", lambda: Pace(at_once=1, pause=self._pause)).turn(patience):
            seconds = min(CALL_SECONDS, patience())
            if seconds <= 0.0:
                raise SearchFault("timeout", "the time for this search is used up")
            if self._thread is None:
                self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ddgs")
            running = asyncio.get_running_loop().run_in_executor(self._thread, _results, query, region)
            try:
                async with asyncio.timeout(seconds):
                    return read_hits(await running, FIELDS)
            except TimeoutError:
                pass
        raise SearchFault("timeout", f"no answer within {seconds:.0f} s")


def _results(query: str, region: str) -> Any:
    """What the package returns for a query. Raises SearchFault."""
    try:
        package, exceptions = import_module("ddgs"), import_module("ddgs.exceptions")
    except ImportError:
        raise SearchFault("not_installed", "the package ddgs is not installed") from None
    own: type[BaseException] = exceptions.DDGSException
    foreseen = (own, *_UNFORESEEN)
    try:
        client = package.DDGS(timeout=ENGINE_SECONDS)
        return client.text(query, region=region, max_results=HITS, backend=ENGINES)
    except exceptions.TimeoutException:
        fault = SearchFault("timeout", "the engines did not answer in time")
    except exceptions.RatelimitException:
        fault = SearchFault("busy", "the engines refuse more queries")
    except foreseen as error:
        words = str(error).casefold()
        if isinstance(error, own) and _NOTHING in words:
            return None
        fault = SearchFault("busy" if _REFUSED.search(words) else "unreachable", redacted(str(error)))
    raise fault
