"""A reading of the web that is cut short keeps the pages that were read by then."""

import asyncio

from pdgf.settings import MethodConfig
from pdgf.sources.web import WebSource
from pdgf.usage import Budget
from tests.pdgf.sources.test_web import GRAPH, QUERIES, NamingAgent, ToldPages, ToldSearch, texts

SEARCH = {"qa": ["https://a.example/1", "https://a.example/slow"], "qb": ["https://b.example/1"]}
PAGES = {"https://a.example/1": "Alpha: one", "https://b.example/1": "Alpha: two", "https://a.example/slow": None}


async def test_a_stop_while_pages_are_read_goes_on_with_those_that_arrived() -> None:
    budget, reader = Budget(), ToldPages(PAGES)
    source = WebSource(search=ToldSearch(SEARCH), reader=reader, agent=NamingAgent(), item_word="film")
    acquiring = asyncio.create_task(source.acquire(GRAPH, QUERIES, MethodConfig(), budget))
    await reader.begun.wait()
    await asyncio.sleep(0.05)
    assert budget.patience.lose()
    found = await acquiring
    assert texts(found) == {("Alpha", "A"): "Alpha: one", ("Alpha", "B"): "Alpha: two"}
    assert [(dropped.what, dropped.why) for dropped in found.dropped] == [("https://a.example/slow", "page: stopped")]
    assert [(setback.step, setback.why, setback.count) for setback in budget.setbacks()] == [("reading", "stopped", 2)]


async def test_a_stop_before_any_page_has_arrived_leaves_nothing_and_says_so_once() -> None:
    budget, reader = Budget(), ToldPages(dict.fromkeys(PAGES))
    source = WebSource(search=ToldSearch(SEARCH), reader=reader, agent=NamingAgent(), item_word="film")
    acquiring = asyncio.create_task(source.acquire(GRAPH, QUERIES, MethodConfig(), budget))
    await reader.begun.wait()
    assert budget.patience.lose()
    found = await acquiring
    assert found.candidates == ()
    assert {dropped.why for dropped in found.dropped} == {"page: stopped"}
    assert [(setback.step, setback.count) for setback in budget.setbacks()] == [("reading", 0)]
