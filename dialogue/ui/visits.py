"""What a visitor does, as asynchronous functions that yield what to show next. They know nothing of the browser.

    open_page   the stored conversation again, and the turn that is still running
    say         one turn at the end, shown while it runs; `begin` is one at any place
    stop        end the running turn; whoever follows it shows what is there
    start_fresh an empty conversation
    turn_to     another domain: its own conversation, as it was left, unless a new one has been asked for
    open_thread a conversation of the list
    delete      a conversation of the list, with all it has left

The browser keeps a `Memory`; everything else is read from the conversations.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, fields, replace
from typing import Any

from dialogue import owned
from dialogue.edits import Edit
from dialogue.intents import cleaned
from dialogue.models import TurnView
from dialogue.store import UnknownConversation
from dialogue.ui.desk import Desk, Memory, Screen, manner, recall, where_left
from dialogue.ui.handlers import Strip, brought_picks, closing_status, step_sentence, strip, transcript
from dialogue.ui.panels import panels
from dialogue.ui.runs import Run
from dialogue.ui.texts import trouble
from pdgf.errors import CatalogueGone, PdgfError


@dataclass(frozen=True)
class Start:
    """Where a turn begins: how many stored turns stand before it, and its words. With `again` what was there goes."""

    before: int
    utterance: str
    again: bool = False


Where = Callable[[Memory, Sequence[TurnView]], Start | Screen]


@dataclass(frozen=True)
class _Begun:
    memory: Memory
    views: Sequence[TurnView]
    run: Run
    at_the_end: bool


async def open_page(desk: Desk, stored: Any, tab: str) -> AsyncIterator[Screen]:
    """Show the stored conversation, and follow the turn that was running when the page was left.

    `tab` tells the open pages of one browser apart.
    """
    status = desk.texts["status"]["gone"] if desk.gone(stored) else ""
    async for screen in _shown(desk, recall(desk, stored), tab, status=status):
        yield screen


async def turn_to(desk: Desk, stored: Any, domain: str, tab: str) -> AsyncIterator[Screen]:
    """Show the conversation of another domain as it was left, and follow its turn if one is running there.

    What runs in the domain turned away from goes on; turning back finds it again.
    """
    before = recall(desk, stored)
    there = domain in desk.offered(before.owner)
    memory = replace(before, domain=domain) if there else before
    desk.runs.leave(tab)
    told = there or owned.is_owned(domain)  # whoever has deleted their own knows
    status = where_left(desk, before, memory.domain) if told else desk.texts["status"]["gone"]
    async for screen in _shown(desk, memory, tab, domain=memory.domain, status=status):
        yield screen


async def open_thread(desk: Desk, stored: Any, thread: str, tab: str) -> AsyncIterator[Screen]:
    """Show another conversation of this visitor; what runs in the one turned away from goes on."""
    memory = recall(desk, stored)
    try:
        row = await desk.conversations.find(thread)
    except PdgfError as error:
        yield Screen(status=trouble(error, desk.texts))
        return
    if row.owner != memory.owner or row.domain not in desk.offered(memory.owner):
        gone = row.owner == memory.owner
        yield Screen(status=trouble(CatalogueGone(row.domain) if gone else UnknownConversation(thread), desk.texts))
        return
    desk.runs.leave(tab)
    async for screen in _shown(desk, replace(memory, domain=row.domain).with_thread(thread), tab):
        yield screen


async def say(
    desk: Desk, stored: Any, utterance: str, tab: str, *, edits: Sequence[Edit] = (), typed: bool = True
) -> AsyncIterator[Screen]:
    """One turn. Words that cannot be taken now stay in the box, with a sentence saying why.

    With `edits` these are made and the words only describe them; what is in the box stays there, as it does where the
    words are those of a button and not `typed`.
    """
    words = cleaned(utterance)
    if not words.strip():
        yield Screen(status=desk.texts["status"]["empty"])
        return
    box = None if edits else words

    def at_the_end(_: Memory, views: Sequence[TurnView]) -> Start:
        return Start(len(views), words)

    async with aclosing(begin(desk, stored, tab, at_the_end, box=box, edits=edits, empties=typed)) as screens:
        async for screen in screens:
            twice = screen.box == words and _said_twice(desk, stored, words)
            yield replace(screen, box=None) if twice else screen


async def begin(
    desk: Desk,
    stored: Any,
    tab: str,
    where: Where,
    *,
    box: str | None,
    edits: Sequence[Edit] = (),
    empties: bool = True,
) -> AsyncGenerator[Screen, None]:
    """The turn that `where` finds among those stored, or what it shows instead; nothing else happens in the
    conversation meanwhile. `box` are words that have to stand in the message box where no turn can begin."""
    try:
        memory = recall(desk, stored)
        if desk.gone(stored):  # the words were meant for that one, so they are not said in another
            desk.runs.leave(tab)
            async for screen in _shown(desk, memory, tab, status=desk.texts["status"]["gone_box" if box else "gone"]):
                yield replace(screen, box=box)
                box = None  # once: meanwhile something else may be written there
            return
        with desk.runs.opening(memory.thread, tab) as refusal:
            if refusal:
                begun: Screen | _Begun = Screen(status=desk.texts["status"][refusal], box=box)
            else:
                begun = await _begun(desk, memory, tab, where, edits)
        if isinstance(begun, Screen):
            yield begun
            return
        desk.runs.door.shown(tab)
        await begun.run.taken()
        empties = empties and begun.at_the_end and not edits
        stays = isinstance(stored, dict) and stored.get("domain") == begun.memory.domain
        first: Screen | None = Screen(memory=begun.memory, stays=stays, running=True, strip=Strip())
        async with aclosing(_followed(desk, begun.memory, begun.views, begun.run, tab)) as screens:
            async for screen in screens:
                if empties and begun.run.stored:
                    screen, empties = replace(screen, box=""), False
                yield _together(first, screen) if first else screen
                first = None
    except PdgfError as error:
        yield Screen(status=trouble(error, desk.texts), running=False, box=box)


def _together(first: Screen, screen: Screen) -> Screen:
    """Two screens as one: the page may lose the second of two that come at once."""
    known = {row.name: value for row in fields(screen) if (value := getattr(screen, row.name)) is not None}
    return replace(first, **known)


async def _begun(desk: Desk, memory: Memory, tab: str, where: Where, edits: Sequence[Edit]) -> "Screen | _Begun":
    """The turn, started, in a conversation that is this caller's alone until then."""
    memory, views = await arrive(desk, memory)
    start = where(memory, views)
    if isinstance(start, Screen):
        return start
    how = {**manner(desk, memory), **({"edits": edits} if edits else {})}
    if memory.thread is None:
        memory = memory.with_thread(await desk.conversations.start(desk.domain(memory), memory.owner))
    elif start.again:
        if not await desk.conversations.fork(memory.thread, start.before + 1):
            return settled(desk, memory, views, status=desk.texts["status"]["too_far"], box=start.utterance)
        desk.runs.forget(memory.thread, start.before)
        views = views[: start.before]
    run = desk.runs.start(str(memory.thread), start.utterance, after=len(views), tab=tab, **how)
    return _Begun(memory, views, run, at_the_end=not start.again)


async def stop(desk: Desk, stored: Any, tab: str) -> Screen:
    """Ask the turn to end that the tab is shown, else the one that runs in the remembered conversation: the browser
    may learn only later which one that is."""
    memory, shown = recall(desk, stored), desk.runs.followed(tab)
    thread = shown.thread if shown else memory.thread
    asked = thread and await _owns(desk, memory, thread) and desk.runs.stop(thread)
    return Screen(status=desk.texts["status"]["stopping"]) if asked else Screen(running=False)


async def start_fresh(desk: Desk, stored: Any, tab: str) -> Screen:
    """An empty conversation, which stays empty in whichever domain is chosen until something is said. What ran in the
    one that was shown is ended first."""
    memory = recall(desk, stored)
    run = desk.runs.running(memory.thread)
    if run and run.task and await _owns(desk, memory, run.thread):
        run.leave(tab)
        desk.runs.stop(run.thread)
        await asyncio.wait([run.task])
    memory = replace(memory.with_thread(None), fresh=True)
    return replace(settled(desk, memory, (), status=desk.texts["status"]["fresh"]), quiet=True)


async def delete(desk: Desk, stored: Any, thread: str, tab: str) -> Screen:
    """Delete a conversation of this visitor; where it was the one shown, an empty one takes its place. Raises as
    Conversations.delete does."""
    memory = recall(desk, stored)
    current = memory.thread == thread
    if run := desk.runs.running(thread):
        run.leave(tab)
        desk.runs.stop(thread)
    await desk.conversations.delete(thread)
    memory = replace(memory, threads={name: kept for name, kept in memory.threads.items() if kept != thread})
    return replace(settled(desk, memory, (), status=""), quiet=True) if current else Screen(memory=memory)


async def _owns(desk: Desk, memory: Memory, thread: str) -> bool:
    try:
        return (await desk.conversations.find(thread)).owner == memory.owner
    except PdgfError:
        return False


async def _shown(
    desk: Desk, memory: Memory, tab: str, *, domain: str | None = None, status: str = ""
) -> AsyncIterator[Screen]:
    """A conversation and the turn that runs in it. With `domain`, none that has gone on in another one."""
    try:
        memory, views = await arrive(desk, memory)
        if domain is not None and memory.domain != domain:
            memory, views = replace(memory, domain=domain).with_thread(None), ()
        run = desk.runs.running(memory.thread)
        screen = settled(desk, memory, views, status=status)
        if run is None:
            yield screen
            return
        yield replace(screen, running=True, strip=Strip())
        async with aclosing(_followed(desk, memory, views, run, tab)) as screens:
            async for screen in screens:
                yield screen
    except PdgfError as error:
        yield Screen(status=trouble(error, desk.texts), running=False)


async def arrive(desk: Desk, memory: Memory) -> tuple[Memory, Sequence[TurnView]]:
    """The stored turns of the remembered conversation, without the one that is running.

    A conversation that is gone, or belongs to somebody else, is forgotten; one that has gone on in another domain is
    followed there.
    """
    if memory.thread is None:
        return memory, ()
    try:
        row = await desk.conversations.find(memory.thread)
        views = await desk.conversations.history(memory.thread, unfinished=True)
    except UnknownConversation:
        return memory.with_thread(None), ()
    domain = next((view.domain for view in reversed(views) if view.domain), row.domain)
    if row.owner != memory.owner or domain not in desk.offered(memory.owner):
        return memory.with_thread(None), ()
    run = desk.runs.running(memory.thread)
    moved = memory if domain == memory.domain else memory.moved(domain)
    return moved, views[: run.exchange.after] if run else views


def _said_twice(desk: Desk, stored: Any, utterance: str) -> bool:
    """Whether the running turn has the same words: then a refused message is that one sent twice."""
    run = desk.runs.running(recall(desk, stored).thread)
    return run is not None and run.exchange.utterance == utterance


async def _followed(
    desk: Desk, memory: Memory, views: Sequence[TurnView], run: Run, tab: str
) -> AsyncGenerator[Screen, None]:
    earlier = desk.runs.broken(run.thread)
    with run.follow(tab) as still_here:
        async for exchange in run.watch():
            if not still_here():
                return
            if run.over:
                break  # how it stands then is shown below
            live = step_sentence(exchange.steps[-1]) if exchange.steps else desk.texts["status"]["working"]
            told = (*earlier, exchange) if run.stored else earlier  # nothing stands as said that may still be lost
            yield Screen(chat=transcript(views, told, desk.texts), status=live, quiet=True, live=live)
        before = memory
        memory, views = await arrive(desk, memory)
        if not still_here():
            return
    ended = settled(desk, memory, views, status=closing_status(views, run.exchange, desk.texts))
    # The browser may have learned of other conversations since this turn began: what it knows already is not sent.
    news = None if memory == before else memory
    quiet = not brought_picks(views, run.exchange)  # all else is said in the chat
    yield replace(ended, memory=news, follows=True, quiet=quiet)


def settled(desk: Desk, memory: Memory, views: Sequence[TurnView], *, status: str, box: str | None = None) -> Screen:
    """The page while nothing runs."""
    broken, domain = desk.runs.broken(memory.thread), desk.domain(memory)
    return Screen(
        memory=memory,
        chat=transcript(views, broken, desk.texts),
        status=status,
        running=False,
        strip=strip(views, broken, domain, desk.texts),
        panels=panels(views, domain, desk.texts),
        box=box,
    )
