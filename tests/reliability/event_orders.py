"""Events of a page in any order, in two tabs of one visitor: messages, stops, reloads, new chats, going back, deleting.

Nothing is faked but the catalogue and the words that are known. After an order of events every message is where its
writer would look for it: in a conversation, or in the box of the tab that sent it; nothing runs on, and the next
message is answered.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dialogue.conversation import Conversations
from dialogue.domain import bundled_domain
from dialogue.ui.desk import Desk, Screen, remembered
from dialogue.ui.going_back import Place, again, change, take_back
from dialogue.ui.runs import Runs
from dialogue.ui.texts import page_texts
from dialogue.ui.visits import delete, open_page, open_thread, say, start_fresh, stop
from pdgf.models import RelationLabel
from pdgf.usage import Budget
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent

DOMAIN = "restaurants"
PATIENCE = 60.0  # seconds for one event
EVENTS = 9  # of one order
KEEPING = ("say", "say", "say", "stop", "reload", "other", "fresh")
LOSING = (*KEEPING, "again", "change", "take_back", "delete")
PAUSES = (0.0, 0.0, 0.01, 0.05, 0.3)  # seconds from one event to the next
SAID = ("quiet ramen in Old Harbour", "something quieter", "with a terrace", "more", "is it loud?")


class Unhurried(VocabularyAgent):
    """Takes its time to judge, so that other events come in between."""

    async def label_relations(self, requests: Any, budget: Budget) -> list[RelationLabel]:
        await asyncio.sleep(random.choice((0.0, 0.02, 0.2)))
        return await super().label_relations(requests, budget)


@dataclass
class Tab:
    """One tab: its name, what its browser remembers, its box, and the messages that its chat shows."""

    name: str
    memory: dict[str, Any]
    box: str = ""
    status: str = ""
    chat: list[dict[str, Any]] = field(default_factory=list)

    def take_in(self, screen: Screen) -> None:
        """Show a screen as a page does."""
        if screen.memory is not None:
            self.memory = remembered(screen.memory)
        self.status = screen.status or self.status
        if screen.box is not None:
            self.box = screen.box
        if screen.chat is not None:
            self.chat = list(screen.chat)  # type: ignore[arg-type]

    @property
    def thread(self) -> str | None:
        """The conversation that it shows."""
        found = None if self.memory.get("fresh") else self.memory["threads"].get(DOMAIN)
        return None if found is None else str(found)

    def last_said(self) -> Place | None:
        """The last message of the visitor, as the page names it."""
        own = [number for number, row in enumerate(self.chat) if row["role"] == "user"]
        return Place(own[-1], str(self.chat[own[-1]]["content"])) if own else None


@dataclass
class Order:
    """One order of events, as it happened, and where each message went."""

    seed: int
    losing: bool
    happened: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    boxes: set[str] = field(default_factory=set)  # words that were given back to be sent again
    threads: set[str] = field(default_factory=set)


@asynccontextmanager
async def open_desk(folder: Path) -> AsyncIterator[Desk]:
    """A desk over a real store."""
    agent, shelf = Unhurried(WORDS), Shelf(PLACES)
    async with Conversations(folder, always(town_ports(agent, shelf))) as conversations:
        runs = Runs(conversations, at_once=1_000)
        domains = {DOMAIN: bundled_domain(DOMAIN)}
        yield Desk(conversations=conversations, runs=runs, domains=domains, texts=page_texts())


async def tried(desk: Desk, seed: int, *, losing: bool) -> list[str]:
    """What is wrong after one order of events. Those that are `losing` also go back and delete."""
    chance, order = random.Random(seed), Order(seed, losing)
    memory = {"owner": f"owner-{seed}-{losing}", "domain": DOMAIN, "threads": {}}
    tabs = [Tab(f"{seed}-{losing}-{name}", {**memory, "threads": {}}) for name in ("one", "other")]
    running: list[asyncio.Task[None]] = []
    for number in range(EVENTS):
        tab, event = chance.choice(tabs), chance.choice(LOSING if losing else KEEPING)
        words = f"{chance.choice(SAID)} note {seed}-{number}"
        running.append(asyncio.create_task(_happens(desk, order, tab, event, words)))
        await asyncio.sleep(chance.choice(PAUSES))
    ended = await asyncio.gather(*running, return_exceptions=True)
    wrong = [f"{type(error).__name__}: {error}" for error in ended if isinstance(error, BaseException)]
    for tab in tabs:  # what is still running is waited for, as a page does
        await _happens(desk, order, tab, "reload", "")
    wrong += [f"{thread} is taken for running" for thread in order.threads if desk.runs.running(thread)]
    wrong += await _accounted(desk, order, memory)
    wrong += await _goes_on(desk, order, tabs)
    return [f"{'losing' if losing else 'keeping'} {seed} ({', '.join(order.happened)}): {each}" for each in wrong]


async def _happens(desk: Desk, order: Order, tab: Tab, event: str, words: str) -> None:
    order.happened.append(f"{event} in {tab.name.rsplit('-', 1)[-1]}")
    last = tab.last_said()
    async with asyncio.timeout(PATIENCE):
        match event:
            case "say":
                order.sent.append(words)
                await _shown(order, tab, say(desk, tab.memory, words, tab.name), words)
            case "change" if last:
                order.sent.append(words)
                await _shown(order, tab, change(desk, tab.memory, last, words, tab.name), words)
            case "again" if last:
                await _shown(order, tab, again(desk, tab.memory, last, tab.name))
            case "take_back" if last:
                tab.take_in(await take_back(desk, tab.memory, last, "", tab.name))
            case "stop":
                tab.take_in(await stop(desk, tab.memory, tab.name))
            case "fresh":
                tab.take_in(await start_fresh(desk, tab.memory, tab.name))
            case "delete" if tab.thread:
                tab.take_in(await delete(desk, tab.memory, tab.thread, tab.name))
            case "other" if order.threads:
                await _shown(order, tab, open_thread(desk, tab.memory, sorted(order.threads)[0], tab.name))
            case "reload":
                await _shown(order, tab, open_page(desk, tab.memory, tab.name))


async def _shown(order: Order, tab: Tab, screens: AsyncIterator[Screen], words: str = "") -> None:
    async for screen in screens:
        tab.take_in(screen)
        order.boxes |= {words} if words and screen.box == words else set()
        order.threads |= {tab.thread} if tab.thread else set()


async def _accounted(desk: Desk, order: Order, memory: dict[str, Any]) -> list[str]:
    """The messages that stand nowhere, or twice."""
    told: Counter[str] = Counter()
    for row in await desk.conversations.list(memory["owner"]):
        order.threads.add(row.thread)
    for thread in order.threads:
        here = Tab("reader", {**memory, "threads": {DOMAIN: thread}})
        async for screen in open_page(desk, here.memory, here.name):
            here.take_in(screen)
        told.update(str(row["content"]).strip() for row in here.chat if row["role"] == "user")
    wrong = [f"twice: {words!r}" for words in order.sent if told[words] > 1]
    if not order.losing:
        wrong += [f"nowhere: {words!r}" for words in order.sent if not told[words] and words not in order.boxes]
        wrong += [f"in a chat and in the box: {words!r}" for words in order.boxes if told[words]]
    return wrong


async def _goes_on(desk: Desk, order: Order, tabs: list[Tab]) -> list[str]:
    """What is wrong with one more message in each tab."""
    wrong = []
    for number, tab in enumerate(tabs):
        words = f"quiet ramen in Old Harbour, last {order.seed}-{number}"
        await _happens(desk, order, tab, "say", words)
        last = tab.chat[-1] if tab.chat else {}
        if words in order.boxes or last.get("role") != "assistant" or words not in str(tab.chat):
            wrong.append(f"the next message is not answered: {tab.status} {str(last)[:100]}")
    return wrong
