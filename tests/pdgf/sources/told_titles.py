"""Proposed titles over a search, pages and an agent from a script, for the tests of the title search."""

from collections.abc import Mapping, Sequence
from typing import Any

from pdgf.graph import assemble
from pdgf.models import Atom, AtomKind, PreferenceGraph, SearchQuery
from pdgf.ports import (
    Acquired,
    ExtractionRequest,
    FoundRecord,
    ProposedTitle,
    ReadPage,
    TitleProposer,
)
from pdgf.settings import MethodConfig
from pdgf.sources.title_search import query_of
from pdgf.sources.web import WebSource
from pdgf.usage import Budget
from tests.fakes import ListedTitles
from tests.pdgf.graphs import edges_of, graph_of, nodes_of
from tests.pdgf.sources.test_web import NamingAgent, ToldPages, ToldSearch

GRAPH = graph_of("A>B")
QUERIES = (
    SearchQuery(base=None, node="A", text="qa", words="a"),
    SearchQuery(base="A", node="B", text="qb", words="a b"),
)
ORDINARY = "https://a.example/list"
HERO = ProposedTitle(name="Local Hero", year=1983)
HERO_QUERY = '"Local Hero" 1983 film review'
REVIEW = "https://h.example/review"
TOLD_HERO = "Local Hero: a quiet town by the sea."
PAGES: Mapping[str, str | Exception | None] = {ORDINARY: "Salt House: it is quiet.", REVIEW: TOLD_HERO}
HITS = {"qa": [ORDINARY], HERO_QUERY: [REVIEW]}


class Turn:
    """One acquisition with all that was asked for on the way."""

    def __init__(
        self,
        *titles: ProposedTitle,
        hits: Mapping[str, Sequence[str]] = HITS,
        pages: Mapping[str, str | Exception | None] = PAGES,
        graph: PreferenceGraph = GRAPH,
        agent: NamingAgent | None = None,
        search: ToldSearch | None = None,
        budget: Budget | None = None,
        **config: Any,
    ) -> None:
        self.proposer = ListedTitles(*titles)
        self.search = search or ToldSearch(hits)
        self.reader = ToldPages(pages)
        self.agent = agent or NamingAgent()
        self.budget = budget or Budget()
        self.graph = graph
        self.config = MethodConfig.model_validate({"known_titles": 5, **config})

    async def acquired(self, proposer: TitleProposer | None = None) -> Acquired:
        source = WebSource(
            search=self.search,
            reader=self.reader,
            agent=self.agent,
            item_word="film",
            proposer=proposer or self.proposer,
        )
        return await source.acquire(self.graph, QUERIES, self.config, self.budget)

    def steps(self) -> list[tuple[str, str, int]]:
        return [(setback.step, setback.why, setback.count) for setback in self.budget.setbacks()]


class DatingAgent(NamingAgent):
    """Finds one record a line "Title, year: what is said"."""

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        found = await super().extract_candidates(requests, item_word, budget)
        return [
            [record.model_copy(update={"name": record.name[:-6], "year": int(record.name[-4:])}) for record in records]
            for records in found
        ]


class CallingAgent(NamingAgent):
    """Spends a call on each request, as a language model does."""

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        for _ in requests:
            with budget.agent_call():
                pass
        return await super().extract_candidates(requests, item_word, budget)


class Redirected(ToldPages):
    """Every page ends at the address that is its text."""

    async def read(self, url: str, budget: Budget) -> ReadPage:
        page = await super().read(url, budget)
        return ReadPage(url=page.text, text=f"Local Hero: as told at {page.text}")


def graph_naming(title: str, kind: AtomKind = AtomKind.REFERENCE) -> PreferenceGraph:
    return assemble(
        narrative="",
        language="en",
        atoms=[Atom(id="a9", text=title, kind=kind, span=(0, len(title)))],
        nodes=nodes_of("AB"),
        initial_edges=edges_of("A>B"),
        cycle_edges=(),
    )


def titles(found: Acquired) -> set[str]:
    return {candidate.title for candidate in found.candidates}


MANY = [ProposedTitle(name=f"Film {word}") for word in ("One", "Two", "Three", "Four", "Five", "Six")]


def hits_of_many() -> dict[str, Sequence[str]]:
    return {"qa": [ORDINARY], **{query_of(title, "film"): [f"https://h.example/{n}"] for n, title in enumerate(MANY)}}


def pages_of_many() -> dict[str, str | Exception | None]:
    return {ORDINARY: PAGES[ORDINARY], **{f"https://h.example/{n}": f"{t.name}: good." for n, t in enumerate(MANY)}}
