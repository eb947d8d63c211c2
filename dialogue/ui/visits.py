"""What a visitor does, as asynchronous functions that yield what to show next. They know nothing of the browser.

    open_page   the stored conversation again, and the turn that is still running
    say         one turn, shown while it runs
    start_fresh an empty conversation, perhaps of another domain

The browser keeps a `Memory`; everything else is read from the conversations.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from dialogue.domain import Domain
from dialogue.models import TurnView
from dialogue.ui.handlers import (
    Exchange,
    Message,
    Panels,
    Strip,
    closing_status,
    panels,
    step_sentence,
    strip,
    transcript,
)
from dialogue.ui.runs import Run, Runs
from dialogue.ui.texts import Texts

if TYPE_CHECKING:
    from dialogue.conversation import Conversations

LONGEST_KEY = 128  # characters of an id that is believed


@dataclass(frozen=True, kw_only=True)
class Memory:
    """All that a browser keeps: who it is, an unguessable word; the conversation it shows; the domain chosen."""

    owner: str
    domain: str
    thread: str | None = None


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
    """What every visit needs."""

    conversations: "Conversations"
    runs: Runs
    domains: Mapping[str, Domain]
    texts: Texts


def recall(desk: Desk, stored: Any) -> Memory:
    """The memory that a browser sent, as far as it can be believed; a new owner where it holds none."""
    known = stored if isinstance(stored, dict) else {}
    owner, thread, domain = known.get("owner"), known.get("thread"), known.get("domain")
    return Memory(
        owner=owner if _believable(owner) else secrets.token_urlsafe(24),
        thread=thread if _believable(owner) and _believable(thread) else None,
        domain=domain if domain in desk.domains else next(iter(desk.domains)),
    )


def remembered(memory: Memory) -> dict[str, Any]:
    """A memory in the form that the browser keeps."""
    return asdict(memory)


async def open_page(desk: Desk, stored: Any) -> AsyncIterator[Screen]:
    """Show the stored conversation, and follow the turn that was running when the page was left."""
    memory = recall(desk, stored)
    views = await _history(desk, memory)
    run = desk.runs.running(memory.thread)
    if run is None:
        yield _settled(desk, memory, views, status="")
        return
    yield replace(_settled(desk, memory, views, status=""), running=True, strip=Strip())
    async for screen in _followed(desk, memory, views, run):
        yield screen


async def say(desk: Desk, stored: Any, utterance: str) -> AsyncIterator[Screen]:
    """One turn. Words that cannot be taken now stay in the box, with a sentence saying why."""
    memory = recall(desk, stored)
    if not utterance.strip():
        yield Screen(status=desk.texts["status"]["empty"])
        return
    if refusal := desk.runs.refusal(memory.thread):
        yield Screen(status=desk.texts["status"][refusal], box=utterance)
        return
    if memory.thread is None:
        thread = await desk.conversations.start(desk.domains[memory.domain], memory.owner)
        memory = replace(memory, thread=thread)
    views = await _history(desk, memory)
    if refusal := desk.runs.refusal(memory.thread):  # another tab may have begun a turn in between
        yield Screen(status=desk.texts["status"][refusal], box=utterance)
        return
    run = desk.runs.start(str(memory.thread), utterance, after=len(views))
    yield Screen(memory=memory, running=True, strip=Strip(), box="")
    async for screen in _followed(desk, memory, views, run):
        yield screen


async def stop(desk: Desk, stored: Any) -> Screen:
    """Ask the running turn to end; whoever follows it shows what is there."""
    asked = desk.runs.stop(recall(desk, stored).thread)
    return Screen(status=desk.texts["status"]["stopping"]) if asked else Screen(running=False)


async def start_fresh(desk: Desk, stored: Any, domain: str | None = None) -> Screen:
    """An empty conversation, of another domain if one is named. What was running is ended first."""
    memory = recall(desk, stored)
    run = desk.runs.running(memory.thread)
    if run and run.task:
        desk.runs.stop(run.thread)
        await asyncio.wait([run.task])
    chosen = domain if domain in desk.domains else memory.domain
    memory = replace(memory, thread=None, domain=str(chosen))
    return _settled(desk, memory, (), status=desk.texts["status"]["fresh"])


async def _history(desk: Desk, memory: Memory) -> Sequence[TurnView]:
    return await desk.conversations.history(memory.thread) if memory.thread else ()


async def _followed(desk: Desk, memory: Memory, views: Sequence[TurnView], run: Run) -> AsyncIterator[Screen]:
    earlier = desk.runs.broken(run.thread)
    async for exchange in run.watch():
        chat = transcript(views, (*earlier, exchange), desk.texts)
        yield Screen(chat=chat, status=_live_status(exchange, desk.texts), quiet=True)
    views = await _history(desk, memory)
    yield _settled(desk, memory, views, status=closing_status(views, run.exchange, desk.texts))


def _live_status(exchange: Exchange, texts: Texts) -> str:
    return step_sentence(exchange.steps[-1], texts) if exchange.steps else str(texts["steps"]["working"])


def _settled(desk: Desk, memory: Memory, views: Sequence[TurnView], *, status: str) -> Screen:
    broken, domain = desk.runs.broken(memory.thread), desk.domains[memory.domain]
    return Screen(
        memory=memory,
        chat=transcript(views, broken, desk.texts),
        status=status,
        running=False,
        strip=strip(views, broken, domain, desk.texts),
        panels=panels(views, domain, desk.texts),
    )


def _believable(key: Any) -> bool:
    return isinstance(key, str) and 0 < len(key) <= LONGEST_KEY
