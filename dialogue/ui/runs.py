"""The turns that are running in this process, one a conversation.

A turn belongs to the process and not to the browser tab: reloading the page finds it again, closing the page lets it
finish inside its own budget and be stored. Only the Stop button ends it early: with what it has, or by cancelling
its task, never the event that shows it (STACK 2.4).
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dialogue import wording
from dialogue.ui.handlers import Ending, Exchange, advance
from dialogue.ui.texts import page_texts
from pdgf.errors import PdgfError

if TYPE_CHECKING:
    from dialogue.conversation import Conversations

BEAT = 0.06  # seconds that pieces are gathered for before a watcher is woken
KEPT_THREADS = 500  # conversations whose broken turns are remembered until the process ends
KEPT_EXCHANGES = 20  # of one conversation

logger = logging.getLogger(__name__)


@dataclass
class Run:
    """One running turn. `exchange` is replaced at each event, `news` is set then and replaced too.

    `tab` has begun it; `left` names the tabs that have turned to another conversation and are not to be shown this
    one's end, until they come back.
    """

    thread: str
    tab: str
    exchange: Exchange
    news: asyncio.Event = field(default_factory=asyncio.Event)
    task: "asyncio.Task[None] | None" = None
    over: bool = False
    left: set[str] = field(default_factory=set)
    followers: dict[str, object] = field(default_factory=dict)

    def follow(self, tab: str) -> Callable[[], bool]:
        """Begin to show this turn in a tab, which asks the answer whether it still should: not once it has left, nor
        where a later call has taken over."""
        token = object()
        self.left.discard(tab)
        self.followers[tab] = token
        return lambda: self.followers.get(tab) is token

    def leave(self, tab: str) -> None:
        """A tab turns to another conversation; the turn goes on."""
        self.left.add(tab)
        self.followers.pop(tab, None)
        self.show(self.exchange)

    def show(self, exchange: Exchange) -> None:
        """Put the next state of the turn before whoever watches."""
        self.exchange = exchange
        self.news.set()
        self.news = asyncio.Event()

    async def watch(self) -> AsyncIterator[Exchange]:
        """The exchange now and after each change, the ended one last. Any number may watch; none changes the turn."""
        while True:
            news = self.news
            yield self.exchange
            if self.over:
                return
            await news.wait()
            if not self.over:
                await asyncio.sleep(BEAT)


class Runs:
    """At most one turn a conversation and `at_once` in all; what was stopped or failed is remembered to be shown."""

    def __init__(self, conversations: "Conversations", *, at_once: int) -> None:
        self._conversations = conversations
        self._at_once = at_once
        self._running: dict[str, Run] = {}
        self._opening: set[str] = set()
        self._broken: OrderedDict[str, tuple[Exchange, ...]] = OrderedDict()

    def refusal(self, thread: str | None, tab: str) -> str | None:
        """Why a new turn cannot start now, as a key under [status]; None when it can.

        A tab has one turn at a time too: its second message may come before it knows the conversation of its first.
        """
        begun = {run.tab for run in self._running.values() if run.tab not in run.left}
        if thread in self._running or tab in begun | self._opening:
            return "still_answering"
        return "crowded" if len(self._running) >= self._at_once else None

    @contextmanager
    def opening(self, tab: str) -> Iterator[None]:
        """While a conversation is made for the first message of a tab, its next one is refused."""
        self._opening.add(tab)
        try:
            yield
        finally:
            self._opening.discard(tab)

    def start(self, thread: str, utterance: str, *, after: int, tab: str) -> Run:
        """Begin a turn that `refusal` does not speak against; `after` counts the stored turns before it."""
        run = Run(thread, tab, Exchange(utterance=utterance, after=after))
        self._running[thread] = run
        run.task = asyncio.create_task(self._follow(run))
        run.task.add_done_callback(lambda task: self._end(run, task))
        return run

    def running(self, thread: str | None) -> Run | None:
        """The turn that this conversation is in the middle of."""
        return self._running.get(thread or "")

    def broken(self, thread: str | None) -> tuple[Exchange, ...]:
        """The turns of this conversation that were stopped or failed, in order."""
        return self._broken.get(thread or "", ())

    def leave(self, tab: str) -> None:
        """A tab turns away from whatever it was shown; no turn ends by that."""
        for run in self._running.values():
            run.leave(tab)

    def stop(self, thread: str | None) -> bool:
        """Ask the running turn to end, with what it has by now where it waits for something slow; its watchers see it
        end. False when none was running."""
        run = self.running(thread)
        if run is None or run.task is None:
            return False
        return self._conversations.wind_up(run.thread) or run.task.cancel()

    async def _follow(self, run: Run) -> None:
        async for event in self._conversations.turn(run.thread, run.exchange.utterance):
            run.show(advance(run.exchange, event))

    def _end(self, run: Run, task: "asyncio.Task[None]") -> None:
        del self._running[run.thread]
        run.over = True
        error = None if task.cancelled() else task.exception()
        if run.exchange.ending is Ending.FINISHED:
            run.show(run.exchange)
            return
        if task.cancelled():
            ended = replace(run.exchange, ending=Ending.STOPPED)
        else:
            ended = replace(run.exchange, ending=Ending.FAILED, trouble=_trouble(error))
        self._broken[run.thread] = (*self.broken(run.thread), ended)[-KEPT_EXCHANGES:]
        self._broken.move_to_end(run.thread)
        if len(self._broken) > KEPT_THREADS:
            self._broken.popitem(last=False)
        run.show(ended)


def _trouble(error: BaseException | None) -> str:
    """What to say about an error that ended a turn; one that is not of this product's own is logged."""
    if isinstance(error, PdgfError):
        return wording.sentence_for(error)
    logger.error("a turn ended without a result", exc_info=error)
    return str(page_texts()["errors"]["unexpected"])
