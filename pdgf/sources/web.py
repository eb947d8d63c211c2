"""Evidence from the open web: directed path retrieval as PDG-F does it (METHOD 5.2 to 6.3).

r_uv          -> search -> U_v, the addresses of each node
U_v           -> read   -> at most three pages a node, the longest; chunks
(chunk, f_v)  -> the agent's records <name, year, x>
records       -> verified, identified, merged: (C_q, EV_q)

Search failed, search empty, pages failed and pages empty are four different outcomes, each told to the user.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence

from pdgf.consolidation import Recall, consolidate
from pdgf.errors import PageUnusable, SearchFailed
from pdgf.models import Dropped, PreferenceGraph, SearchQuery
from pdgf.pages import FORUM_HOSTS, SOCIAL_HOSTS, Page, chunks, is_page, longest_pages, node_urls
from pdgf.ports import Acquired, ExtractionRequest, PageReader, PreferenceAgent, ReadPage, Search
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

READING_SHARE = 0.5  # of the time that is left: pages that take longer are left out
MANY = 0.25  # of the pages: from here on the user is told that they could not be read
NOTHING = Acquired(candidates=(), evidence=())


class WebSource:
    """An EvidenceSource over a search, a reader of pages and an agent that extracts. `item_word` is the domain's."""

    def __init__(self, *, search: Search, reader: PageReader, agent: PreferenceAgent, item_word: str) -> None:
        self._search = search
        self._reader = reader
        self._agent = agent
        self._item_word = item_word

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        """(C_q, EV_q). What could not be searched or read is in `dropped`, and a turn without any of it is told why.

        Raises BudgetSpent after the deadline, and what the agent raises.
        """
        texts = list(dict.fromkeys(query.text for query in queries if query.text.strip()))
        texts = _within("searches", texts, budget)
        try:
            found = await self._search.search(texts, language=graph.language, budget=budget)
        except SearchFailed as error:
            budget.set_back("search", error.why)
            return Acquired(
                candidates=(), evidence=(), dropped=(Dropped(what=error.provider, why=f"search: {error.why}"),)
            )
        results = {result.query: tuple(hit.url for hit in result.hits) for result in found}
        addresses = _addresses(queries, results, config)
        if not any(addresses.values()):
            budget.set_back("search_empty", "empty")
            return NOTHING
        read, dropped = await self._read(addresses, config, budget)
        if read and len(dropped) >= MANY * (len(read) + len(dropped)):
            budget.set_back("pages_some", "failed", len(dropped))
        if not read:
            budget.set_back("pages_failed", "failed", len(dropped))
            return NOTHING.model_copy(update={"dropped": dropped})
        made = consolidate(await self._recalls(graph, addresses, read, config, budget), config)
        if not made.candidates:
            budget.set_back("pages_empty", "empty", len(read))
        return Acquired(candidates=made.candidates, evidence=made.evidence, dropped=(*dropped, *made.dropped))

    async def _read(
        self, addresses: Mapping[str, Sequence[str]], config: MethodConfig, budget: Budget
    ) -> tuple[dict[str, ReadPage], tuple[Dropped, ...]]:
        """The pages of all nodes by the address that was found, the best ranks first; each is read once."""
        best: dict[str, int] = {}
        for urls in addresses.values():
            for rank, url in enumerate(urls):
                best[url] = min(rank, best.get(url, rank))
        wanted = sorted(best, key=lambda url: (best[url], url))
        wanted = _within("pages", wanted, budget)
        budget.spend_pages(len(wanted))
        tasks = {url: asyncio.create_task(self._reader.read(url, budget)) for url in wanted}
        try:
            if tasks:
                await asyncio.wait(tasks.values(), timeout=READING_SHARE * budget.remaining_seconds())
            return _outcomes(tasks, _social(config))
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)

    async def _recalls(
        self,
        graph: PreferenceGraph,
        addresses: Mapping[str, Sequence[str]],
        read: Mapping[str, ReadPage],
        config: MethodConfig,
        budget: Budget,
    ) -> list[Recall]:
        """What the agent finds in the chunks of each node's pages; equal (chunk, f_v) are asked for once."""
        places: list[tuple[str, str, ExtractionRequest]] = []
        for node, urls in addresses.items():
            feature = graph.node_by_id[node].feature or graph.node_by_id[node].instantiation
            pages = [
                Page(url=read[url].url, text=read[url].text, rank=rank)
                for rank, url in enumerate(urls, start=1)
                if url in read
            ]
            for page in longest_pages(
                pages, limit=config.pages_per_node, max_chars=config.max_page_chars, by=config.page_choice
            ):
                for chunk in chunks(page.text, size=config.chunk_size, overlap=config.chunk_overlap):
                    places.append((node, page.url, ExtractionRequest(chunk=chunk, feature=feature)))
        requests = list(dict.fromkeys(request for _, _, request in places))
        budget.spend_comparisons(len(requests))
        records = await self._agent.extract_candidates(requests, self._item_word, budget)
        by_request = dict(zip(requests, records, strict=True))
        return [
            Recall(node=node, url=url, chunk=request.chunk, record=record)
            for node, url, request in places
            for record in by_request[request]
        ]


def _within(what: str, values: list[str], budget: Budget) -> list[str]:
    """As many of the values, from the first, as the cap of the turn lets through; what is left out is told."""
    room = budget.room_for(what, len(values))
    if room < len(values):
        budget.set_back(f"{what}_cut", "cap", len(values) - room)
    return values[:room]


def _addresses(
    queries: Sequence[SearchQuery], results: Mapping[str, Sequence[str]], config: MethodConfig
) -> dict[str, tuple[str, ...]]:
    """U_v by node, at most `results_per_query` of each query. A URL may serve several nodes (METHOD 5.2)."""
    of_node: dict[str, list[Sequence[str]]] = {}
    for query in queries:
        of_node.setdefault(query.node, []).append(results.get(query.text, ())[: config.results_per_query])
    return {node: node_urls(found, social=_social(config)) for node, found in of_node.items()}


def _social(config: MethodConfig) -> Collection[str]:
    """The hosts of social media that are left out; forums may be allowed in a chat (METHOD 5.2)."""
    return SOCIAL_HOSTS if config.exclude_social else SOCIAL_HOSTS - FORUM_HOSTS


def _outcomes(
    tasks: Mapping[str, "asyncio.Task[ReadPage]"], social: Collection[str]
) -> tuple[dict[str, ReadPage], tuple[Dropped, ...]]:
    """What was read, and why the rest was not; a redirect may end where no page is worth reading."""
    read: dict[str, ReadPage] = {}
    dropped: list[Dropped] = []
    for url, task in tasks.items():
        error = task.exception() if task.done() and not task.cancelled() else None
        if not task.done():
            dropped.append(Dropped(what=url, why="page: timeout"))
        elif isinstance(error, PageUnusable):
            dropped.append(Dropped(what=url, why=f"page: {error.why}"))
        elif error is not None:
            raise error
        elif not is_page(task.result().url, social=social):
            dropped.append(Dropped(what=url, why="page: redirects"))
        else:
            read[url] = task.result()
    return read, tuple(dropped)
