"""What a visitor does, as asynchronous functions that yield what to show next. They know nothing of the browser.

    open_page   the stored conversation again, and the turn that is still running
    say         one turn, shown while it runs
    stop        end the running turn; whoever follows it shows what is there
    start_fresh an empty conversation of the domain chosen
    turn_to     another domain: its own conversation, as it was left

The browser keeps a `Memory`; everything else is read from the conversations.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeGuard

from dialogue import wording
from dialogue.domain import Domain
from dialogue.models import TurnView
from dialogue.store import UnknownConversation
from dialogue.ui.handlers import (
    Message,
    Panels,
    Strip,
    brought_picks,
    closing_status,
    panels,
    step_sentence,
    strip,
    transcript,
)
from dialogue.ui.runs import Run, Runs
from dialogue.ui.texts import Texts
from pdgf.errors import PdgfError

if TYPE_CHECKING:
    from dialogue.conversation import Conversations
    from dialogue.own_domains import OwnDomains

LONGEST_KEY = 128  # characters of an id that is believed


@dataclass(frozen=True, kw_only=True)
class Memory:
    """All that a browser keeps: who it is, an unguessable word; the domain chosen; the conversation of each domain."""

    owner: str
    domain: str
    threads: Mapping[str, str] = field(default_factory=dict)

    @property
    def thread(self) -> str | None:
        """The conversation of the domain chosen."""
        return self.threads.get(self.domain)

    def with_thread(self, thread: str | None) -> "Memory":
        """The same with another conversation, or none, in the domain chosen; those of other domains stay."""
        others = {domain: kept for domain, kept in self.threads.items() if domain != self.domain}
        return replace(self, threads=others if thread is None else {**others, self.domain: thread})


@dataclass(frozen=True, kw_only=True)
class Screen:
    """What changes on the page; None leaves a part as it is. `box` is the text to put into the message box.

    A `quiet` status is for listeners only: who sees the page sees the same in the chat.
    """

    memory: Memory | None = None
    chat: list[Message] | None = None
    status: str | None = None
    quiet: bool = False
    running: bool | None = None
    strip: Strip | None = None
    panels: Panels | None = None
    box: str | None = None


@dataclass(frozen=True, kw_only=True)
class Desk:
    """What every visit needs; `own` are the domains that visitors have brought."""

    conversations: "Conversations"
    runs: Runs
    domains: Mapping[str, Domain]
    texts: Texts
    own: "OwnDomains | None" = None

    def offered(self, owner: str) -> dict[str, Domain]:
        """The domains that this visitor can choose: everybody's, then their own."""
        return {**self.domains, **(self.own.of(owner) if self.own else {})}

    def domain(self, memory: "Memory") -> Domain:
        """The domain chosen; the first one where it is gone."""
        known = self.domains.get(memory.domain) or self.offered(memory.owner).get(memory.domain)
        return known or next(iter(self.domains.values()))


def recall(desk: Desk, stored: Any) -> Memory:
    """The memory that a browser sent, as far as it can be believed; a new owner where it holds none."""
    known = stored if isinstance(stored, dict) else {}
    owner, threads, domain = known.get("owner"), known.get("threads"), known.get("domain")
    kept = threads if isinstance(threads, dict) and _believable(owner) else {}
    offered = desk.offered(owner) if _believable(owner) else desk.domains
    return Memory(
        owner=owner if _believable(owner) else secrets.token_urlsafe(24),
        domain=domain if _believable(domain) and domain in offered else next(iter(desk.domains)),
        threads={name: kept[name] for name in offered if _believable(kept.get(name))},
    )


def remembered(memory: Memory) -> dict[str, Any]:
    """A memory in the form that the browser keeps."""
    return asdict(memory)


async def open_page(desk: Desk, stored: Any, tab: str) -> AsyncIterator[Screen]:
    """Show the stored conversation, and follow the turn that was running when the page was left.

    `tab` tells the open pages of one browser apart.
    """
    try:
        async for screen in _shown(desk, recall(desk, stored), tab):
            yield screen
    except PdgfError as error:
        yield Screen(status=wording.sentence_for(error), running=False)


async def turn_to(desk: Desk, stored: Any, domain: str, tab: str) -> AsyncIterator[Screen]:
    """Show the conversation of another domain as it was left, and follow its turn if one is running there.

    What runs in the domain turned away from goes on; turning back finds it again.
    """
    memory = recall(desk, stored)
    memory = replace(memory, domain=domain) if domain in desk.offered(memory.owner) else memory
    desk.runs.leave(tab)
    try:
        async for screen in _shown(desk, memory, tab):
            yield screen
    except PdgfError as error:
        yield Screen(status=wording.sentence_for(error), running=False)


async def say(desk: Desk, stored: Any, utterance: str, tab: str) -> AsyncIterator[Screen]:
    """One turn. Words that cannot be taken now stay in the box, with a sentence saying why."""
    if not utterance.strip():
        yield Screen(status=desk.texts["status"]["empty"])
        return
    try:
        memory, views = await _arrive(desk, recall(desk, stored))
        if refusal := desk.runs.refusal(memory.thread, tab):
            yield Screen(status=desk.texts["status"][refusal], box=_unsaid(desk, memory, utterance))
            return
        with desk.runs.opening(tab):
            if memory.thread is None:
                thread = await desk.conversations.start(desk.domain(memory), memory.owner)
                memory = memory.with_thread(thread)
            run = desk.runs.start(str(memory.thread), utterance, after=len(views), tab=tab)
        yield Screen(memory=memory, running=True, strip=Strip(), box="")
        async for screen in _followed(desk, memory, views, run, tab):
            yield screen
    except PdgfError as error:
        yield Screen(status=wording.sentence_for(error), running=False, box=utterance)


async def stop(desk: Desk, stored: Any) -> Screen:
    """Ask the running turn to end."""
    asked = desk.runs.stop(recall(desk, stored).thread)
    return Screen(status=desk.texts["status"]["stopping"]) if asked else Screen(running=False)


async def start_fresh(desk: Desk, stored: Any, tab: str) -> Screen:
    """An empty conversation of the domain chosen; those of other domains stay. What ran in it is ended first."""
    memory = recall(desk, stored)
    run = desk.runs.running(memory.thread)
    if run and run.task:
        run.leave(tab)
        desk.runs.stop(run.thread)
        await asyncio.wait([run.task])
    memory = memory.with_thread(None)
    return replace(_settled(desk, memory, (), status=desk.texts["status"]["fresh"]), quiet=True)


async def _shown(desk: Desk, memory: Memory, tab: str) -> AsyncIterator[Screen]:
    memory, views = await _arrive(desk, memory)
    run = desk.runs.running(memory.thread)
    screen = _settled(desk, memory, views, status="")
    if run is None:
        yield screen
        return
    yield replace(screen, running=True, strip=Strip())
    async for screen in _followed(desk, memory, views, run, tab):
        yield screen


async def _arrive(desk: Desk, memory: Memory) -> tuple[Memory, Sequence[TurnView]]:
    """The stored turns of the remembered conversation, without the one that is running.

    A conversation that is gone, or belongs to somebody else, is forgotten.
    """
    if memory.thread is None:
        return memory, ()
    try:
        row = await desk.conversations.find(memory.thread)
        views = await desk.conversations.history(memory.thread, unfinished=True)
    except UnknownConversation:
        return memory.with_thread(None), ()
    if row.owner != memory.owner or row.domain != memory.domain:
        return memory.with_thread(None), ()
    run = desk.runs.running(memory.thread)
    return memory, views[: run.exchange.after] if run else views


def _unsaid(desk: Desk, memory: Memory, utterance: str) -> str | None:
    """What a refused message leaves in the box: itself, unless it is the running one sent twice."""
    run = desk.runs.running(memory.thread)
    return None if run and run.exchange.utterance == utterance else utterance


async def _followed(desk: Desk, memory: Memory, views: Sequence[TurnView], run: Run, tab: str) -> AsyncIterator[Screen]:
    earlier, still_here = desk.runs.broken(run.thread), run.follow(tab)
    async for exchange in run.watch():
        if not still_here():
            return
        live = step_sentence(exchange.steps[-1]) if exchange.steps else desk.texts["status"]["working"]
        yield Screen(chat=transcript(views, (*earlier, exchange), desk.texts), status=live, quiet=True)
    before = memory
    memory, views = await _arrive(desk, memory)
    if not still_here():
        return
    settled = _settled(desk, memory, views, status=closing_status(views, run.exchange, desk.texts))
    # The browser may have learned of other conversations since this turn began: what it knows already is not sent.
    news = None if memory == before else memory
    yield replace(settled, memory=news, quiet=not brought_picks(views, run.exchange))  # all else is said in the chat


def _settled(desk: Desk, memory: Memory, views: Sequence[TurnView], *, status: str) -> Screen:
    broken, domain = desk.runs.broken(memory.thread), desk.domain(memory)
    return Screen(
        memory=memory,
        chat=transcript(views, broken, desk.texts),
        status=status,
        running=False,
        strip=strip(views, broken, domain, desk.texts),
        panels=panels(views, domain, desk.texts),
    )


def _believable(key: object) -> TypeGuard[str]:
    return isinstance(key, str) and 0 < len(key) <= LONGEST_KEY
