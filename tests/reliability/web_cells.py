"""Conversations over the web in which one call goes wrong: of the search, or of a page (RELIABILITY 4.2, F1, F9).

The town's places stand on pages that a search finds. A cell is one fault at one request of the first turn's search, or
at one page; then the web is whole again and one more turn follows. What is wrong with a cell is told as complaints.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import SecretStr

from dialogue.conversation import Conversations
from dialogue.events import Event, Finished
from dialogue.models import TurnView
from dialogue.open_web import _tell
from pdgf.ports import ExtractionRequest, FoundRecord, Ports
from pdgf.sources.extract import Extractor
from pdgf.sources.fetch import FetchLimits, GuardedFetcher
from pdgf.sources.page_cache import PageCache
from pdgf.sources.pages import CachedPages
from pdgf.sources.search.fallback import FallbackSearch
from pdgf.sources.search.pacing import Tries
from pdgf.sources.search.searxng import SearXNG
from pdgf.sources.search.serper import Serper
from pdgf.sources.web import WebSource
from pdgf.usage import Budget
from tests.dialogue.llm_bar import _TECHNICAL
from tests.dialogue.llm_cells import BEYOND_DEADLINE, CANARY, stored_in
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent
from tests.reliability.web_fault_kinds import FEWER_HITS, FOR_GOOD, PAGE_FAULTS, SLOW_PAGES, SLOW_SEARCHES
from tests.web import page_server, search_server
from tests.web.page_server import Answer, PageServer, Served
from tests.web.search_server import SearchServer

WISH, MORE = "quiet ramen in Old Harbour with parking", "and with a terrace"
SECONDS, HASTY = 60.0, 4.0  # of a turn; where something hangs
PAGE_SECONDS = 1.0  # where a page hangs
TRIES = Tries(retries=1, first_wait=0.01)
FILLER = "Everybody in the street knows the house, and most of them have eaten there more than once. "


class ReadsLines(VocabularyAgent):
    """Finds in a chunk the place that its first line names, and the lines below as what is said of it."""

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        self._called(budget, "extract_candidates")
        return [_records(request.chunk.split("\n")) for request in requests]


def _records(lines: Sequence[str]) -> list[FoundRecord]:
    known = {item.title for item, _ in PLACES}
    said = tuple(line for line in lines[1:] if line.strip() and line not in known)
    return [FoundRecord(name=lines[0], passages=said)] if lines[0] in known and said else []


@dataclass(frozen=True)
class Cell:
    """One fault: of the search request of that number, or of the page of that number; None for every page."""

    engine: str
    number: int | None = None
    search: search_server.Fault | None = None
    page: str = ""

    @property
    def slow(self) -> bool:
        """Whether what is asked for would never come."""
        page = PAGE_FAULTS.get(self.page)
        return self.search in SLOW_SEARCHES or (isinstance(page, page_server.Fault) and page in SLOW_PAGES)

    @property
    def fault(self) -> str:
        """The name of what goes wrong."""
        return self.page or (self.search.name if self.search else "none")

    def __str__(self) -> str:
        place = "every page" if self.number is None else f"{'page' if self.page else 'search'} {self.number}"
        return f"{self.engine}, {self.fault} at {place}"


@dataclass
class Told:
    """One turn as a user meets it."""

    events: list[Event] = field(default_factory=list)
    seconds: float = 0.0
    raised: str = ""

    @property
    def view(self) -> TurnView:
        assert isinstance(self.events[-1], Finished)
        return self.events[-1].view

    def titles(self) -> list[str]:
        return [item["title"] for item in self.view.items]


@dataclass
class WebTown:
    """The servers, and what reads their pages: shared by all cells, as one process serves many conversations."""

    pages: PageServer
    search: SearchServer
    extractor: Extractor
    good: dict[str, tuple[Told, Told]] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)  # search requests of the first good turn


@asynccontextmanager
async def open_web_town(folder: Path, engines: Sequence[str] = ("serper", "searxng")) -> AsyncIterator[WebTown]:
    """Servers that are whole, and the good run of each search."""
    extractor = Extractor()
    page_server.gzip_bomb()  # takes longer to make than a page may take
    with PageServer(_whole()) as pages:
        hits = [
            {"link": pages.url(f"/p/{number}"), "title": item.title, "snippet": f"{item.title}, a place to eat"}
            for number, (item, _) in enumerate(PLACES)
        ]
        with SearchServer(lambda query: hits, key=CANARY) as search:
            town = WebTown(pages, search, extractor)
            try:
                for engine in engines:
                    await _good(town, folder / engine, engine)
                yield town
            finally:
                await extractor.aclose()


async def _good(town: WebTown, folder: Path, engine: str) -> None:
    """The good run, of the one whose faults come to nothing."""
    first = len(town.search.requests)
    async with _conversation(town, folder, Cell(engine)) as (conversations, thread):
        wish = await _turn(conversations, thread, WISH, SECONDS)
        town.calls[engine] = len(town.search.requests) - first
        town.good[engine] = (wish, await _turn(conversations, thread, MORE, SECONDS))
    told = [*of_turn(wish, SECONDS), *of_turn(town.good[engine][1], SECONDS)]
    if told or len(wish.titles()) < 3:
        raise RuntimeError(f"the good run of {engine} is not sound: {told or (wish.view.reply, wish.view.notes)}")


def cells(town: WebTown) -> list[Cell]:
    """Every fault of a search at every request, every fault of a page at every page and at all of them."""
    found = [
        Cell(engine, number, search=fault)
        for engine, calls in town.calls.items()
        for fault in search_server.Fault
        for number in range(calls)
    ]
    return found + [
        Cell("searxng", number, page=name) for name in PAGE_FAULTS for number in (*range(len(PLACES)), None)
    ]


async def tried(town: WebTown, folder: Path, cell: Cell) -> list[str]:
    """What is wrong with a cell. Its own search, its own fetcher and its own store: nothing is remembered."""
    seconds = HASTY if cell.slow else SECONDS
    async with _conversation(town, folder, cell) as (conversations, thread):
        _break(town, cell)
        try:
            met = await _turn(conversations, thread, WISH, seconds)
        finally:
            await _mend(town)
        wrong = of_turn(met, seconds)
        good = town.good[cell.engine]
        if not met.raised and met.titles() != good[0].titles() and not _says_why(cell, met.view, good[0].view):
            wrong.append(f"another list, and no word why: {met.titles()} {met.view.notes}")
        after = await _turn(conversations, thread, MORE, SECONDS)
        wrong += [f"the next turn: {each}" for each in of_turn(after, SECONDS)]
        if not after.raised and not after.titles() and not (cell.search in FOR_GOOD and after.view.notes):
            wrong.append(f"the next turn finds nothing: {after.view.notes}")
        kept = [view.model_dump() for view in await conversations.history(thread)]
        if kept != [told.view.model_dump() for told in (met, after) if not told.raised]:
            wrong.append("what is kept is not what was shown")
    return wrong + (["the key is on disk"] if CANARY.encode() in stored_in(folder) else [])


def of_turn(told: Told, seconds: float) -> list[str]:
    """What is wrong with one turn by itself."""
    if told.raised:
        return [f"raised {told.raised}"]
    view, wrong = told.view, []
    if told.seconds > seconds + BEYOND_DEADLINE:
        wrong.append(f"{told.seconds:.1f} s of {seconds:.0f}")
    if not view.reply.strip() or not view.finished:
        wrong.append("no reply")
    if CANARY in repr(told.events):
        wrong.append("the key was told")
    said = _without_quotes([view.reply, *view.notes])
    wrong += [f"no plain words: {text[:160]!r}" for text in said if _TECHNICAL.search(text)]
    texts = {f"/p/{number}": "\n".join(lines) for number, (_, lines) in enumerate(PLACES)}
    for item in view.items:
        borne = [
            all(entry["quote"] in texts.get("/" + source["url"].split("/", 3)[-1], "") for source in entry["sources"])
            for entry in item["evidence"]
        ]
        if not borne or not all(borne):
            wrong.append(f"{item['title']} stands on what no page says")
    return wrong


def _says_why(cell: Cell, view: TurnView, good: TurnView) -> bool:
    """Whether a list that came out otherwise is explained. Less than a quarter of the pages need no word."""
    few = (bool(cell.page) and cell.number is not None) or cell.search in FEWER_HITS
    return (few and bool(view.items)) or bool(set(view.notes) - set(good.notes))


def _without_quotes(texts: Sequence[str]) -> list[str]:
    return [re.sub("“[^”]*”|^None of", "", text) for text in texts]


@asynccontextmanager
async def _conversation(town: WebTown, folder: Path, cell: Cell) -> AsyncIterator[tuple[Conversations, str]]:
    limits = FetchLimits(page_seconds=PAGE_SECONDS) if cell.slow else FetchLimits()
    agent, shelf = ReadsLines(WORDS), Shelf(PLACES)
    async with AsyncExitStack() as stack:
        fetcher = GuardedFetcher(allow_hosts=[town.pages.authority], limits=limits)
        cache = PageCache(folder / "pages")
        provider = (
            Serper(SecretStr(CANARY), base_url=town.search.url, tries=TRIES)
            if cell.engine == "serper"
            else SearXNG(town.search.url, at_once=1, pause=0.0, tries=TRIES)
        )
        for each in (fetcher, provider):
            stack.push_async_callback(each.aclose)
        stack.push_async_callback(cache.close)
        source = WebSource(
            search=FallbackSearch([provider], tell=_tell),
            reader=CachedPages(fetcher=fetcher, extractor=town.extractor, cache=cache),
            agent=agent,
            item_word="restaurant",
        )
        seconds = HASTY if cell.slow else SECONDS
        ports = replace(
            town_ports(agent, shelf),
            ports=Ports(agent=agent, source=source),
            new_budget=lambda thread: Budget(seconds=seconds, scope=thread),
        )
        conversations = await stack.enter_async_context(Conversations(folder, always(ports)))
        yield conversations, await conversations.start("restaurants", "someone")


async def _turn(conversations: Conversations, thread: str, words: str, seconds: float) -> Told:
    told, begun = Told(), time.monotonic()
    try:
        async with asyncio.timeout(seconds + 10.0):
            async for event in conversations.turn(thread, words):
                told.events.append(event)
    except Exception as error:  # noqa: BLE001  whatever leaves a turn is told
        told.raised = f"{type(error).__name__}: {error}"[:200]
    told.seconds = time.monotonic() - begun
    return told


def _whole() -> dict[str, Answer]:
    return {f"/p/{number}": _page(item.title, lines) for number, (item, lines) in enumerate(PLACES)}


def _page(title: str, lines: Sequence[str]) -> Served:
    told = "".join(f"<p>{line}</p>" for line in lines)
    body = f"<article><h1>{title}</h1>{told}<p>{FILLER}</p></article>"
    return Served(f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode())


def _break(town: WebTown, cell: Cell) -> None:
    if cell.page:
        numbers = range(len(PLACES)) if cell.number is None else [cell.number]
        town.pages.pages |= {f"/p/{number}": PAGE_FAULTS[cell.page] for number in numbers}
    elif cell.search and cell.number is not None:
        town.search.faults = {len(town.search.requests) + cell.number: cell.search}


async def _mend(town: WebTown) -> None:
    town.search.faults = None
    town.pages.pages |= _whole()
    with suppress(OSError):
        town.search.up()
