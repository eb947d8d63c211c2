"""Evidence from the open web: directed path retrieval as PDG-F does it (METHOD 5.2 to 6.3).

r_uv          -> search -> U_v, the addresses of each node
U_v           -> read   -> at most three pages a node, the longest; chunks
(chunk, f_v)  -> the agent's records <name, year, x>
records       -> verified, identified, merged: (C_q, EV_q)

What a model knows by name comes in as a second way to pages: `pdgf.sources.title_search`.
Search failed, search empty, pages failed and pages empty are four different outcomes, each told to the user.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence

from pdgf.consolidation import Recall, consolidate
from pdgf.errors import PageUnusable, SearchFailed
from pdgf.models import Dropped, PreferenceGraph, SearchQuery
from pdgf.pages import Page, chunks, is_page, longest_pages, node_urls
from pdgf.patience import ended
from pdgf.ports import Acquired, ExtractionRequest, PageReader, PreferenceAgent, ReadPage, Search, TitleProposer
from pdgf.settings import MethodConfig, Preset
from pdgf.sources.extractions import Extractions
from pdgf.sources.limits import social_hosts, within
from pdgf.sources.title_search import TitleSearch
from pdgf.usage import Budget

READING_SHARE = 0.5  # of the time that is left: pages that take longer are left out
MANY = 0.25  # of the pages: from here on the user is told that they could not be read
CUT = "page: cap"


class WebSource:
    """An EvidenceSource over a search, a reader of pages and an agent that extracts. `item_word` is the domain's;
    with a `proposer`, up to `known_titles` titles that it names are looked for too."""

    def __init__(
        self,
        *,
        search: Search,
        reader: PageReader,
        agent: PreferenceAgent,
        item_word: str,
        proposer: TitleProposer | None = None,
    ) -> None:
        self._proposer = proposer
        self._search = search
        self._reader = reader
        self._extractions = Extractions(agent, item_word)
        self._item_word = item_word

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        """(C_q, EV_q). What could not be searched or read is in `dropped`, and a turn without any of it is told why.

        Raises BudgetSpent after the deadline, and what the agent raises.
        """
        async with self._title_search(graph, config, budget) as titles:
            recalls, read, dropped = await self._by_queries(graph, queries, config, budget, titles)
            made = consolidate([*recalls, *await titles.recalls()], config)
        if (read or titles.pages) and not made.candidates:
            budget.set_back("pages_empty", "empty", read + len(titles.pages))
        return Acquired(
            candidates=made.candidates,
            evidence=made.evidence,
            dropped=(*dropped, *titles.dropped(made.candidates), *made.dropped),
        )

    def _title_search(self, graph: PreferenceGraph, config: MethodConfig, budget: Budget) -> TitleSearch:
        return TitleSearch(
            proposer=self._proposer,
            search=self._search,
            reader=self._reader,
            extractions=self._extractions,
            item_word=self._item_word,
            graph=graph,
            config=config,
            budget=budget,
        )

    async def _by_queries(
        self,
        graph: PreferenceGraph,
        queries: Sequence[SearchQuery],
        config: MethodConfig,
        budget: Budget,
        titles: TitleSearch,
    ) -> tuple[list[Recall], int, tuple[Dropped, ...]]:
        """What the queries lead to, how many pages were read for it, and what could not be searched or read. Titles
        are looked for from the time on when the queries have been searched."""
        texts = list(dict.fromkeys(query.text for query in queries if query.text.strip()))
        texts = within("searches", texts, budget)
        try:
            found = await self._search.search(texts, language=graph.language, budget=budget)
        except SearchFailed as error:
            budget.set_back("search", error.why)
            return [], 0, (Dropped(what=error.provider, why=f"search: {error.why}"),)
        titles.look()
        results = {result.query: tuple(hit.url for hit in result.hits) for result in found}
        addresses = _addresses(queries, results, config)
        if not any(addresses.values()):
            budget.set_back("search_empty", "empty")
            return [], 0, ()
        read, dropped = await self._read(addresses, config, budget)
        if budget.patience.lost:
            budget.set_back("reading", "stopped", len(read))
        elif read and len(dropped) >= MANY * (len(read) + len(dropped)):
            budget.set_back("pages_some", "failed", len(dropped))
        if not read:
            if not budget.patience.lost:
                budget.set_back("pages_failed", "failed", len(dropped))
            return [], 0, dropped
        return await self._recalls(graph, addresses, read, config, budget), len(read), dropped

    async def _read(
        self, addresses: Mapping[str, Sequence[str]], config: MethodConfig, budget: Budget
    ) -> tuple[dict[str, ReadPage], tuple[Dropped, ...]]:
        """The pages of all nodes by the address that was found, the best ranks first; each is read once."""
        best: dict[str, int] = {}
        for urls in addresses.values():
            for rank, url in enumerate(urls):
                best[url] = min(rank, best.get(url, rank))
        wanted = sorted(best, key=lambda url: (best[url], url))
        tasks: dict[str, asyncio.Task[ReadPage]] = {}
        reading = asyncio.create_task(self._begin(wanted, tasks, budget))
        try:
            with budget.patience.stretch():
                await budget.patience.wait(reading, seconds=READING_SHARE * budget.remaining_seconds())
            late = "stopped" if budget.patience.lost else "timeout"
            read, dropped = _outcomes(tasks, social_hosts(config), late=late)
        finally:
            await ended(reading)  # and with it what is still being read
        cut = [url for url in wanted if url not in tasks] + [left.what for left in dropped if left.why == CUT]
        if cut:
            budget.set_back("pages_cut", "cap", len(cut))
        return read, tuple(left for left in dropped if left.why != CUT)

    async def _begin(self, wanted: Sequence[str], tasks: "dict[str, asyncio.Task[ReadPage]]", budget: Budget) -> None:
        """Read pages in their order until all are read or the cap of the turn is: never more at once than it has room
        for, so that a page refused without a request makes room for the next."""
        waiting, running = list(reversed(wanted)), set[asyncio.Task[ReadPage]]()
        try:
            while True:
                room = budget.room_for("pages", len(waiting) + len(running)) - len(running)
                for url in [waiting.pop() for _ in range(room)]:
                    tasks[url] = asyncio.create_task(self._reader.read(url, budget))
                    running.add(tasks[url])
                if not running:
                    return
                until = asyncio.FIRST_COMPLETED if waiting else asyncio.ALL_COMPLETED
                _, running = await asyncio.wait(running, return_when=until)
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

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
                pages,
                limit=config.pages_per_node,
                max_chars=config.max_page_chars,
                by=config.page_choice,
                copies_once=config.preset is not Preset.PAPER,
            ):
                for chunk in chunks(page.text, size=config.chunk_size, overlap=config.chunk_overlap):
                    places.append((node, page.url, ExtractionRequest(chunk=chunk, feature=feature)))
        by_request = await self._extractions.of([request for _, _, request in places], config, budget)
        return [
            Recall(node=node, url=url, chunk=request.chunk, record=record)
            for node, url, request in places
            for record in by_request[request]
        ]


def _addresses(
    queries: Sequence[SearchQuery], results: Mapping[str, Sequence[str]], config: MethodConfig
) -> dict[str, tuple[str, ...]]:
    """U_v by node, at most `results_per_query` of each query. A URL may serve several nodes (METHOD 5.2)."""
    of_node: dict[str, list[Sequence[str]]] = {}
    for query in queries:
        of_node.setdefault(query.node, []).append(results.get(query.text, ())[: config.results_per_query])
    return {node: node_urls(found, social=social_hosts(config)) for node, found in of_node.items()}


def _outcomes(
    tasks: Mapping[str, "asyncio.Task[ReadPage]"], social: Collection[str], *, late: str
) -> tuple[dict[str, ReadPage], tuple[Dropped, ...]]:
    """What was read, and why the rest was not; a redirect may end where no page is worth reading."""
    read: dict[str, ReadPage] = {}
    dropped: list[Dropped] = []
    for url, task in tasks.items():
        error = task.exception() if task.done() and not task.cancelled() else None
        if not task.done():
            dropped.append(Dropped(what=url, why=f"page: {late}"))
        elif isinstance(error, PageUnusable):
            dropped.append(Dropped(what=url, why=f"page: {error.why}"))
        elif error is not None:
            raise error
        elif not is_page(task.result().url, social=social):
            dropped.append(Dropped(what=url, why="page: redirects"))
        else:
            read[url] = task.result()
    return read, tuple(dropped)
