"""The turns that are running in this process, one a conversation.

A turn belongs to the process and not to the browser tab: reloading the page finds it again. Once nobody has watched it
for GRACE seconds, its page being closed, it is bidden to end with what it has, as soon as it can, and is stored; what
goes on behind another conversation that its tab has turned to is left alone, inside its own budget. Only the Stop
button ends a turn at once: with what it has, or by cancelling its task, never the event that shows it (STACK 2.4).
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dialogue.events import Event
from dialogue.ui.door import Door
from dialogue.ui.handlers import Ending, Exchange, advance
from pdgf.errors import PdgfError, StoreUnavailable

if TYPE_CHECKING:
    from dialogue.conversation import Conversations

GRACE = 30.0  # seconds that a turn runs on unwatched
PATIENCE = 1.0  # seconds between two attempts to end it with what it has
BEAT = 0.5  # seconds from one change to the next that a watcher is shown, so that many can watch at once
BREATH = 0.25  # seconds before the next is shown: a page whose stream opens late loses what has come by then
TAKING = 0.4  # seconds that storing what was said may take before the page shows anything of it
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
    how: dict[str, Any] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    task: "asyncio.Task[None] | None" = None
    _begun: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    left: set[str] = field(default_factory=set)
    followers: dict[str, object] = field(default_factory=dict)

    @contextmanager
    def follow(self, tab: str) -> Iterator[Callable[[], bool]]:
        """As long as this turn is shown in a tab, which asks the answer whether it still should be: not once it has
        left or is closed, nor where a later call has taken over."""
        token = object()
        self.left.discard(tab)
        self.followers[tab] = token
        try:
            yield lambda: self.followers.get(tab) is token
        finally:
            if self.followers.get(tab) is token:
                del self.followers[tab]

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

    def heard(self, event: Event) -> None:
        """Take the next event of the turn in. The first one says that its words are stored."""
        self._begun.set()
        self.show(advance(self.exchange, event))

    async def taken(self) -> bool:
        """Whether its words are stored, so that they may be shown as said. False where it takes long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._begun.wait(), TAKING)
        return self.stored

    @property
    def stored(self) -> bool:
        """Whether its words are stored: a conversation tells nothing of a turn before that, and what fails later has
        been told to fail."""
        failed = self.exchange.ending is Ending.FAILED and not isinstance(self.exchange.trouble, StoreUnavailable)
        return self._begun.is_set() or failed

    async def watch(self) -> AsyncGenerator[Exchange, None]:
        """The exchange now and after each change, the ended one last. Any number may watch; none changes the turn."""
        while True:
            news = self.news
            yield self.exchange
            if self.over:
                return
            await asyncio.sleep(BREATH)
            with suppress(TimeoutError):
                await asyncio.wait_for(self.ended.wait(), BEAT - BREATH)
            await news.wait()

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.ended.is_set()

    @property
    def deserted(self) -> bool:
        """Whether no tab follows it, and the one that began it has not merely turned to another conversation."""
        return not self.followers and self.tab not in self.left


class Runs:
    """At most one turn a conversation and `at_once` in all; what was stopped or failed is remembered to be shown."""

    def __init__(self, conversations: "Conversations", *, at_once: int, grace: float | None = None) -> None:
        self._conversations = conversations
        self._grace = GRACE if grace is None else grace
        self._at_once = at_once
        self._running: dict[str, Run] = {}
        self._opening: set[str] = set()  # tabs
        self._taken: set[str] = set()  # conversations that a turn is about to begin in, or that go back
        self._broken: OrderedDict[str, tuple[Exchange, ...]] = OrderedDict()
        self.door = Door(self._has_room)

    def refusal(self, thread: str | None, tab: str) -> str | None:
        """Why a new turn cannot start now, as a key under [status]; None when it can.

        A tab has one turn at a time too: its second message may come before it knows the conversation of its first.
        """
        begun = {run.tab for run in self._running.values() if run.tab not in run.left}
        if thread in self._running or thread in self._taken or tab in begun | self._opening:
            return "still_answering"
        return "crowded" if self.full else None

    @property
    def full(self) -> bool:
        """Whether as many turns run, or wait in line, as are taken."""
        return not self._has_room(())

    def _has_room(self, expected: Collection[str]) -> bool:
        """Whether a turn more would be taken if these tabs had begun theirs."""
        begun = {run.tab for run in self._running.values()}
        return len(self._running) + len(self._opening | (set(expected) - begun)) < self._at_once

    @contextmanager
    def opening(self, thread: str | None, tab: str) -> Iterator[str | None]:
        """Gives what `refusal` says. Where that is None, tab and conversation are this caller's alone inside: what is
        read of the conversation there stays true until the turn is started or the conversation has gone back."""
        if refusal := self.refusal(thread, tab):
            yield refusal
            return
        taken = {thread} if thread else set()
        self._opening.add(tab)
        self._taken |= taken
        try:
            yield None
        finally:
            self._opening.discard(tab)
            self._taken -= taken

    def start(self, thread: str, utterance: str, *, after: int, tab: str, **how: Any) -> Run:
        """Begin a turn that `refusal` does not speak against; `after` counts the stored turns before it, `how` goes to
        the conversation's turn."""
        run = Run(thread, tab, Exchange(utterance=utterance, after=after, by_hand="edits" in how), how)
        self._running[thread] = run
        run.task = asyncio.create_task(self._follow(run))
        waiting = asyncio.create_task(self._mind(run))
        run.task.add_done_callback(lambda task: self._end(run, task))
        run.task.add_done_callback(lambda task: waiting.cancel())
        return run

    def running(self, thread: str | None) -> Run | None:
        """The turn that this conversation is in the middle of."""
        return self._running.get(thread or "")

    def followed(self, tab: str) -> Run | None:
        """The turn that this tab is shown."""
        return next((run for run in self._running.values() if tab in run.followers), None)

    def broken(self, thread: str | None) -> tuple[Exchange, ...]:
        """The turns of this conversation that were stopped or failed, in order."""
        return self._broken.get(thread or "", ())

    def forget(self, thread: str, before: int) -> None:
        """The conversation goes on from before a turn: what was stopped or failed there and later is gone."""
        if thread in self._broken:
            self._broken[thread] = tuple(row for row in self._broken[thread] if row.after < before)

    def leave(self, tab: str) -> None:
        """A tab turns away from whatever it was shown; no turn ends by that."""
        for run in self._running.values():
            run.leave(tab)

    def closed(self, tab: str) -> None:
        """A tab is there no more; whatever it was shown may end for want of anybody who watches."""
        for run in self._running.values():
            run.followers.pop(tab, None)
            run.left.discard(tab)

    def stop(self, thread: str | None) -> bool:
        """Ask the running turn to end, with what it has by now where it waits for something slow; its watchers see it
        end. False when none was running."""
        run = self.running(thread)
        if run is None or run.task is None:
            return False
        return self._conversations.wind_up(run.thread) or run.task.cancel()

    async def _follow(self, run: Run) -> None:
        async for event in self._conversations.turn(run.thread, run.exchange.utterance, **run.how):
            begins = not run.stored
            run.heard(event)
            if begins:
                await self.door.calm()

    async def _mind(self, run: Run) -> None:
        """Look after a turn until it is over or has been bidden to end."""
        pause, since = min(PATIENCE, self._grace), 0.0
        while True:
            await asyncio.sleep(pause)
            since = since + pause if run.deserted else 0.0
            if since >= self._grace and self._conversations.wind_up(run.thread):
                return

    def _end(self, run: Run, task: "asyncio.Task[None]") -> None:
        if self._running.get(run.thread) is run:
            del self._running[run.thread]
        run.ended.set()
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


def _trouble(error: BaseException | None) -> PdgfError | None:
    """The error that ended a turn; one that is not of this product's own is logged and no more is said of it."""
    if isinstance(error, PdgfError):
        return error
    logger.error("a turn ended without a result", exc_info=error)
    return None
