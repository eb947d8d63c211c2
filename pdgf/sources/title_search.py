"""Titles that a model names from memory, followed up on the open web. A proposal leads to searches and to nothing else.

proposals -> "Title" year item review -> search -> the first readable page of each title
page      -> its chunks that hold the name, with f_v of every node that no other narrows -> the agent's records
records   -> those of the title itself alone, consolidated with all the others (METHOD 6.2, 6.3)

The titles come while the ordinary searches run, their pages while the ordinary ones are read, their records last: of
what a turn may spend they get what the ordinary search leaves. Whatever fails costs its title and nothing else.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from pdgf.consolidation import Recall, names
from pdgf.errors import BudgetSpent, PageUnusable, SearchFailed
from pdgf.identity import is_excluded, name_key
from pdgf.models import Candidate, Dropped, PreferenceGraph
from pdgf.pages import chunks, is_page, node_urls
from pdgf.patience import ended
from pdgf.ports import (
    ExtractionRequest,
    PageReader,
    ProposedTitle,
    ReadPage,
    Search,
    TitleProposer,
)
from pdgf.retrieval import reference_items
from pdgf.settings import MethodConfig
from pdgf.sources.extractions import Extractions
from pdgf.sources.limits import social_hosts, within
from pdgf.usage import Budget

SHARE = 0.5  # of the time that is left: until the pages are read, and again until their records are there


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where an agent looks for a title: a chunk of its page that names it, with f_v of a node."""

    title: ProposedTitle
    node: str
    url: str
    request: ExtractionRequest


@dataclass(kw_only=True)
class TitleSearch:
    """The proposals of one turn, as a context: entering asks for them, leaving stops what still runs.

    Without a `proposer`, or with `config.known_titles` 0, nothing is asked for and nothing comes of it.
    """

    proposer: TitleProposer | None
    search: Search
    reader: PageReader
    extractions: Extractions
    item_word: str
    graph: PreferenceGraph
    config: MethodConfig
    budget: Budget
    titles: tuple[ProposedTitle, ...] = field(init=False, default=())
    pages: dict[ProposedTitle, ReadPage] = field(init=False, default_factory=dict)
    _dropped: list[Dropped] = field(init=False, default_factory=list)
    _being_read: dict[ProposedTitle, str] = field(init=False, default_factory=dict)
    _proposing: "asyncio.Task[None] | None" = field(init=False, default=None)
    _looking: "asyncio.Task[None] | None" = field(init=False, default=None)
    _left_then: float = field(init=False, default=0.0)  # seconds that are to be left once the pages are read

    async def __aenter__(self) -> Self:
        if self.proposer is not None and self.config.known_titles:
            self._proposing = asyncio.create_task(self._propose(self.proposer))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in filter(None, (self._looking, self._proposing)):
            await ended(task)

    def look(self) -> None:
        """Begin to look the titles up; called once the ordinary searches are done."""
        if self._proposing is not None:
            self._left_then = (1.0 - SHARE) * self.budget.remaining_seconds()
            self._looking = asyncio.create_task(self._look(self._proposing))

    async def recalls(self) -> list[Recall]:
        """What the agent finds of each title on its page, titles in the order proposed; called once it has read the
        ordinary pages. Raises what the agent and the ports raise, BudgetSpent excepted."""
        if self._looking is None:
            return []
        await self._looked(self._looking)
        places = self._affordable(self._places())
        work = [
            asyncio.create_task(self._recalled([place for place in places if place.title == title]))
            for title in dict.fromkeys(place.title for place in places)
        ]
        try:
            if work:
                await asyncio.wait(work, timeout=SHARE * self.budget.remaining_seconds())
        finally:
            for task in work:
                await ended(task)
        return [recall for task in work if not task.cancelled() for recall in task.result()]

    def dropped(self, candidates: Iterable[Candidate]) -> tuple[Dropped, ...]:
        """The pages that could not be read, and the titles that no candidate of the turn is."""
        pool = [(candidate.title, candidate.year) for candidate in candidates]
        unfound = [title for title in self.titles if not any(is_title(title, name, year) for name, year in pool)]
        return (*self._dropped, *(Dropped(what=title.name, why="title: no evidence") for title in unfound))

    async def _propose(self, proposer: TitleProposer) -> None:
        limit = self.config.known_titles
        try:
            proposed = await proposer.propose_titles(self.graph.narrative, self.item_word, limit, self.budget)
        except BudgetSpent:
            return
        named = reference_items(self.graph)
        self.titles = tuple(title for title in proposed if not is_excluded(title.name, title.year, named))[:limit]

    async def _look(self, proposing: "asyncio.Task[None]") -> None:
        await proposing
        wanted = {query_of(title, self.item_word): title for title in self.titles}
        queries = within("searches", list(wanted), self.budget)
        if not queries:
            return
        try:
            found = await self.search.search(queries, language=self.graph.language, budget=self.budget)
        except SearchFailed as error:
            self.budget.set_back("search_titles", error.why)
            return
        except BudgetSpent:
            return
        reading = [self._read(wanted[each.query], [hit.url for hit in each.hits]) for each in found]
        for failed in filter(None, await asyncio.gather(*reading, return_exceptions=True)):
            raise failed

    async def _read(self, title: ProposedTitle, hits: Sequence[str]) -> None:
        """Keep the first readable page of a title, by rank."""
        for url in node_urls([hits[: self.config.results_per_query]], social=social_hosts(self.config)):
            if not within("pages", [url], self.budget):
                return
            self._being_read[title] = url
            try:
                page = await self.reader.read(url, self.budget)
                why = self._unfit(page)
            except PageUnusable as error:
                why = error.why
            del self._being_read[title]
            if not why:
                self.pages[title] = page
                return
            if why == "cap":  # spent by others meanwhile
                self.budget.set_back("pages_cut", "cap")
                return
            self._dropped.append(Dropped(what=url, why=f"page: {why}"))

    def _unfit(self, page: ReadPage) -> str:
        """Why a page that was read is none to use; empty if it is one."""
        if not is_page(page.url, social=social_hosts(self.config)):
            return "redirects"
        if not page.text.strip():
            return "no_text"
        return "too_long" if len(page.text) > self.config.max_page_chars else ""

    async def _looked(self, looking: "asyncio.Task[None]") -> None:
        """Wait for the pages as long as time and patience allow; what is not there by then is left out and told."""
        patience = self.budget.patience
        stopped_before = patience.lost
        with patience.stretch():
            await patience.wait(looking, seconds=max(0.0, self.budget.remaining_seconds() - self._left_then))
        unasked = self._proposing is not None and not self._proposing.done()
        await ended(looking)
        if not looking.cancelled():
            looking.result()
        elif patience.lost and not stopped_before:
            self.budget.set_back("titles_stopped", "stopped")
        elif unasked and not patience.lost:
            self.budget.set_back("propose_titles", "timeout")
        late = "stopped" if patience.lost else "timeout"
        self._dropped += [Dropped(what=url, why=f"page: {late}") for url in self._being_read.values()]

    def _places(self) -> list[Place]:
        """The first chunk that names it of every title, then the second ones, and so on."""
        nodes = [self.graph.node_by_id[node] for node in narrowest(self.graph)]
        places: list[tuple[int, Place]] = []
        for title in filter(self.pages.__contains__, self.titles):
            page = self.pages[title]
            pieces = chunks(page.text, size=self.config.chunk_size, overlap=self.config.chunk_overlap)
            for turn, chunk in enumerate(piece for piece in pieces if names(piece, title.name)):
                for node in nodes:
                    request = ExtractionRequest(chunk=chunk, feature=node.feature or node.instantiation)
                    places.append((turn, Place(title=title, node=node.id, url=page.url, request=request)))
        return [place for _, place in sorted(places, key=lambda each: each[0])]

    def _affordable(self, places: list[Place]) -> list[Place]:
        """As many places as half of the agent calls that are left allow: the rest is for judging what is found."""
        most = next((count for count in range(len(places), 0, -1) if self.budget.can_afford(2 * count)), 0)
        if most < len(places):
            self.budget.set_back("titles_cut", "cap", len(places) - most)
        return places[:most]

    async def _recalled(self, places: Sequence[Place]) -> list[Recall]:
        """The records of one title; none where the turn may spend no more."""
        requests = [place.request for place in places]
        try:
            by_request = await self.extractions.of(requests, self.config, self.budget)
        except BudgetSpent:
            return []
        return [
            Recall(node=place.node, url=place.url, chunk=place.request.chunk, record=record)
            for place in places
            for record in by_request[place.request]
            if is_title(place.title, record.name, record.year)
        ]


def query_of(title: ProposedTitle, item_word: str) -> str:
    """The search for a title: its name as a phrase, its year if there is one, and what pages about it are."""
    name = " ".join(title.name.replace('"', " ").split())
    return " ".join(filter(None, (f'"{name}"', str(title.year or ""), item_word, "review")))


def narrowest(graph: PreferenceGraph) -> tuple[str, ...]:
    """The nodes that no other node qualifies further, in order pi: every path of the graph ends in one."""
    bases = {edge.base for edge in graph.edges}
    return tuple(node for node in graph.order if node not in bases)


def is_title(title: ProposedTitle, name: str, year: int | None) -> bool:
    """Whether a name and year are those of a proposed title (METHOD 6.3): the same key, no other year."""
    return name_key(name) == name_key(title.name) and (None in (year, title.year) or year == title.year)
