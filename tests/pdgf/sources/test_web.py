"""Evidence from the open web, with search, pages and agent from a script (METHOD 5.2 to 6.3)."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from pdgf.errors import PageUnusable, SearchFailed
from pdgf.models import PreferenceGraph, SearchQuery
from pdgf.ports import Acquired, ExtractionRequest, Found, FoundRecord, ReadPage, SearchHit
from pdgf.settings import MethodConfig, Preset
from pdgf.sources.web import WebSource
from pdgf.usage import Budget
from tests.fakes import ScriptedAgent
from tests.pdgf.graphs import graph_of

Pages = Mapping[str, str | Exception]
REFUSED = ("robots", "refused_address", "robots_unreachable")


class ToldSearch:
    """A Search that answers from a table; `failing` makes it fail."""

    name = "told"

    def __init__(self, hits: Mapping[str, Sequence[str]], failing: SearchFailed | None = None) -> None:
        self._hits = hits
        self._failing = failing
        self.asked: list[str] = []

    async def search(self, queries: Sequence[str], *, language: str, budget: Budget) -> list[Found]:
        self.asked += queries
        budget.spend_searches(len(queries))
        if self._failing:
            raise self._failing
        return [
            Found(
                query=query,
                provider="told",
                hits=tuple(SearchHit(url=url, rank=n) for n, url in enumerate(self._hits.get(query, ()), start=1)),
            )
            for query in queries
        ]


class ToldPages:
    """A PageReader that reads from a table; a page of None never comes. `REFUSED` are refused without a request."""

    def __init__(self, pages: Mapping[str, str | Exception | None]) -> None:
        self._pages = pages
        self.begun = asyncio.Event()
        self.read_urls: list[str] = []
        self.requested: list[str] = []

    async def read(self, url: str, budget: Budget) -> ReadPage:
        self.read_urls.append(url)
        self.begun.set()
        page = self._pages.get(url, PageUnusable(url, "status"))
        await asyncio.sleep(0)
        if not (isinstance(page, PageUnusable) and page.why in REFUSED):
            if not budget.room_for("pages", 1):
                raise PageUnusable(url, "cap")
            budget.spend_pages(1)
            self.requested.append(url)
        if isinstance(page, Exception):
            raise page
        if page is None:
            await asyncio.Event().wait()
        return ReadPage(url=url, text=str(page))


class NamingAgent(ScriptedAgent):
    """Finds in a chunk one record a line "Title: what is said"."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[ExtractionRequest] = []

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        self.requests += requests
        return [
            [
                FoundRecord(name=line.split(":")[0], passages=(line,))
                for line in request.chunk.split("\n")
                if ":" in line
            ]
            for request in requests
        ]


GRAPH = graph_of("A>B")
QUERIES = (
    SearchQuery(base=None, node="A", text="qa", words="a"),
    SearchQuery(base="A", node="B", text="qb", words="a b"),
)


async def acquired(
    search: ToldSearch,
    pages: Mapping[str, str | Exception | None],
    *,
    graph: PreferenceGraph = GRAPH,
    budget: Budget | None = None,
    agent: NamingAgent | None = None,
    **config: object,
) -> Acquired:
    source = WebSource(search=search, reader=ToldPages(pages), agent=agent or NamingAgent(), item_word="film")
    return await source.acquire(graph, QUERIES, MethodConfig.model_validate(config), budget or Budget())


def texts(found: Acquired) -> dict[tuple[str, str], str]:
    titles = {candidate.id: candidate.title for candidate in found.candidates}
    return {(titles[e.candidate], e.node): e.text for e in found.evidence}


async def test_each_node_has_what_the_pages_of_its_own_queries_say_of_an_item() -> None:
    search = ToldSearch({"qa": ["https://a.test/1"], "qb": ["https://b.test/1", "https://a.test/1"]})
    pages = {"https://a.test/1": "Salt House: it is quiet.", "https://b.test/1": "Salt House: it is warm.\nBlue: cold."}
    found = await acquired(search, pages)
    assert texts(found) == {
        ("Salt House", "A"): "Salt House: it is quiet.",
        ("Salt House", "B"): "Salt House: it is quiet.\nSalt House: it is warm."
        if len(pages["https://a.test/1"]) > len(pages["https://b.test/1"])
        else "Salt House: it is warm.\nSalt House: it is quiet.",
        ("Blue", "B"): "Blue: cold.",
    }
    assert {p.source.url for e in found.evidence for p in e.passages} == set(pages)


async def test_a_page_that_serves_two_nodes_is_read_once_and_a_chunk_asked_about_once_a_node() -> None:
    search = ToldSearch({"qa": ["https://a.test/1"], "qb": ["https://a.test/1/"]})
    agent, budget = NamingAgent(), Budget()
    await acquired(search, {"https://a.test/1": "X Y: good."}, agent=agent, budget=budget)
    assert budget.usage().pages == 1
    assert len(agent.requests) == 2
    assert len({request.feature for request in agent.requests}) == 2


async def test_only_the_three_longest_pages_of_a_node_are_given_to_the_agent() -> None:
    urls = [f"https://{n}.test/x" for n in range(5)]
    pages = {url: f"T{n}: " + "long " * (n + 1) for n, url in enumerate(urls)}
    agent = NamingAgent()
    await acquired(ToldSearch({"qa": urls}), pages, agent=agent)
    assert [request.chunk[:2] for request in agent.requests] == ["T4", "T3", "T2"]


async def test_long_pages_are_cut_into_chunks_that_overlap() -> None:
    agent = NamingAgent()
    text = " ".join(f"{number:04}" for number in range(4_400))[:22_000]
    await acquired(ToldSearch({"qa": ["https://a.test/x"]}), {"https://a.test/x": text}, agent=agent)
    assert [request.chunk for request in agent.requests] == [text[:12_000], text[10_000:]]


async def test_social_media_and_files_are_never_read_and_forums_only_when_allowed() -> None:
    urls = ["https://x.com/a", "https://www.reddit.com/r/a", "https://a.test/b.pdf", "https://a.test/c"]
    reader = ToldPages({url: "X Y: fine." for url in urls})
    for config, read in ((MethodConfig(), 1), (MethodConfig(exclude_social=False), 2)):
        reader.read_urls.clear()
        source = WebSource(search=ToldSearch({"qa": urls}), reader=reader, agent=NamingAgent(), item_word="film")
        await source.acquire(GRAPH, QUERIES, config, Budget())
        assert len(reader.read_urls) == read


@pytest.mark.parametrize(
    ("search", "pages", "step"),
    [
        (ToldSearch({}, failing=SearchFailed("told", "busy")), {}, "search"),
        (ToldSearch({}), {}, "search_empty"),
        (ToldSearch({"qa": ["https://a.test/1"]}), {"https://a.test/1": PageUnusable("u", "robots")}, "pages_failed"),
        (ToldSearch({"qa": ["https://a.test/1"]}), {"https://a.test/1": "Nothing named here."}, "pages_empty"),
    ],
)
async def test_four_ways_of_finding_nothing_are_told_apart(search: ToldSearch, pages: Pages, step: str) -> None:
    budget = Budget()
    found = await acquired(search, pages, budget=budget)
    assert found.candidates == ()
    assert [setback.step for setback in budget.setbacks()] == [step]


async def test_pages_that_fail_are_listed_and_the_others_count() -> None:
    """200 pages of which a fifth fails or never comes, within the time of the turn."""
    urls = [f"https://{n}.test/x" for n in range(200)]
    pages: dict[str, str | Exception | None] = {url: f"Title {n}: good." for n, url in enumerate(urls)}
    for n in range(0, 200, 10):
        pages[urls[n]] = PageUnusable(urls[n], "timeout")
        pages[urls[n + 1]] = None
    budget = Budget(seconds=10.0)  # half of which the reading may take, all of it because of the pages that never come
    found = await acquired(ToldSearch({"qa": urls}), pages, budget=budget, results_per_query=200, pages_per_node=200)
    assert len(found.candidates) == 160
    assert len(found.dropped) == 40
    assert {dropped.why for dropped in found.dropped} == {"page: timeout"}
    assert budget.remaining_seconds() > 0.0


async def test_caps_of_searches_and_pages_hold() -> None:
    urls = [f"https://{n}.test/x" for n in range(20)]
    search = ToldSearch({"qa": urls, "qb": urls})
    budget = Budget(searches=1, pages=5)
    await acquired(search, dict.fromkeys(urls, "X Y: good."), budget=budget, results_per_query=20)
    assert search.asked == ["qa"]
    assert (budget.usage().searches, budget.usage().pages) == (1, 5)


async def test_pages_that_are_refused_without_a_request_make_room_for_the_next_in_rank() -> None:
    urls = [f"https://{n:02}.test/x" for n in range(20)]
    pages: dict[str, str | Exception | None] = {url: f"Title {n}: good." for n, url in enumerate(urls)}
    for n in (0, 2, 3, 5):
        pages[urls[n]] = PageUnusable(urls[n], REFUSED[n % 3])
    reader, budget = ToldPages(pages), Budget(pages=6)
    source = WebSource(search=ToldSearch({"qa": urls}), reader=reader, agent=NamingAgent(), item_word="film")
    found = await source.acquire(GRAPH, QUERIES, MethodConfig(results_per_query=20, pages_per_node=9), budget)
    assert sorted(reader.requested) == [urls[n] for n in (1, 4, 6, 7, 8, 9)]
    assert budget.usage().pages == 6
    assert {left.what for left in found.dropped} == {urls[n] for n in (0, 2, 3, 5)}
    assert [(s.step, s.why, s.count) for s in budget.setbacks() if s.step == "pages_cut"] == [("pages_cut", "cap", 10)]


async def test_pages_that_others_have_spent_meanwhile_are_told_as_cut_not_as_failed() -> None:
    class Spending(ToldPages):
        async def read(self, url: str, budget: Budget) -> ReadPage:
            if not self.read_urls:
                budget.spend_pages(2)  # another search of the same turn
            return await super().read(url, budget)

    urls = [f"https://{n}.test/x" for n in range(5)]
    reader, budget = Spending(dict.fromkeys(urls, "X Y: good.")), Budget(pages=5)
    source = WebSource(search=ToldSearch({"qa": urls}), reader=reader, agent=NamingAgent(), item_word="film")
    found = await source.acquire(GRAPH, QUERIES, MethodConfig(), budget)
    assert (len(reader.requested), budget.usage().pages) == (3, 5)
    assert found.dropped == ()
    assert [(s.step, s.count) for s in budget.setbacks()] == [("pages_cut", 2)]


async def test_copies_of_one_text_count_once_unless_the_paper_is_followed() -> None:
    lines = [f"Title {n}: it is quiet, and quieter still on page {n}." for n in range(30)]
    pages = {f"https://{n}.test/x": "\n".join([f"Mirror {n}", *lines, "x" * n]) for n in range(3)}
    pages |= {"https://8.test/x": "Salt House: warm. " + "long " * 20, "https://9.test/x": "Blue: cold."}
    for preset, chunks in ((Preset.INTERACTIVE, ["Mirror 2", "Salt Hou", "Blue: co"]), (Preset.PAPER, 3 * ["Mirror"])):
        agent = NamingAgent()
        await acquired(ToldSearch({"qa": list(pages)}), pages, agent=agent, preset=preset)
        starts = [request.chunk[:8] for request in agent.requests]
        assert [start[: len(wanted)] for start, wanted in zip(starts, chunks, strict=True)] == chunks


async def test_a_stopped_turn_stops_reading() -> None:
    reader = ToldPages({"https://a.test/1": None})
    source = WebSource(
        search=ToldSearch({"qa": ["https://a.test/1"]}), reader=reader, agent=NamingAgent(), item_word="film"
    )
    running = asyncio.create_task(source.acquire(GRAPH, QUERIES, MethodConfig(), Budget()))
    await reader.begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert len([task for task in asyncio.all_tasks() if not task.done()]) == 1  # this test's own
