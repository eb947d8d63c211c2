"""What a visitor does, as asynchronous functions that yield what to show next. They know nothing of the browser.

    open_page   the stored conversation again, and the turn that is still running
    say         one turn, shown while it runs
    stop        end the running turn; whoever follows it shows what is there
    start_fresh an empty conversation of the domain chosen
    turn_to     another domain: its own conversation, as it was left
    open_thread a conversation of the list
    delete      a conversation of the list, with all it has left

The browser keeps a `Memory`; everything else is read from the conversations.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from dialogue import wording
from dialogue.edits import Edit
from dialogue.models import TurnView
from dialogue.store import UnknownConversation
from dialogue.ui.desk import Desk, Memory, Screen, recall
from dialogue.ui.handlers import (
    Strip,
    brought_picks,
    closing_status,
    step_sentence,
    strip,
    transcript,
)
from dialogue.ui.panels import panels
from dialogue.ui.runs import Run
from dialogue.ui.texts import trouble
from pdgf.errors import PdgfError


async def open_page(desk: Desk, stored: Any, tab: str) -> AsyncIterator[Screen]:
    """Show the stored conversation, and follow the turn that was running when the page was left.

    `tab` tells the open pages of one browser apart.
    """
    async for screen in _shown(desk, recall(desk, stored), tab):
        yield screen


async def turn_to(desk: Desk, stored: Any, domain: str, tab: str) -> AsyncIterator[Screen]:
    """Show the conversation of another domain as it was left, and follow its turn if one is running there.

    What runs in the domain turned away from goes on; turning back finds it again.
    """
    memory = recall(desk, stored)
    memory = replace(memory, domain=domain) if domain in desk.offered(memory.owner) else memory
    desk.runs.leave(tab)
    async for screen in _shown(desk, memory, tab, domain=memory.domain):
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
        yield Screen(status=trouble(UnknownConversation(thread), desk.texts))
        return
    desk.runs.leave(tab)
    async for screen in _shown(desk, replace(memory, domain=row.domain).with_thread(thread), tab):
        yield screen


async def say(
    desk: Desk, stored: Any, utterance: str, tab: str, *, instead_of: int | None = None, edits: Sequence[Edit] = ()
) -> AsyncIterator[Screen]:
    """One turn. Words that cannot be taken now stay in the box, with a sentence saying why.

    With `instead_of` the conversation first goes back to where it stood after so many turns. With `edits` these are
    made and the words only describe them; what is in the box stays there.
    """
    if not utterance.strip():
        yield Screen(status=desk.texts["status"]["empty"])
        return
    try:
        memory, views = await arrive(desk, recall(desk, stored))
        if refusal := desk.runs.refusal(memory.thread, tab):
            yield Screen(status=desk.texts["status"][refusal], box=None if edits else _unsaid(desk, memory, utterance))
            return
        how = {**manner(desk, memory), **({"edits": edits} if edits else {})}
        with desk.runs.opening(tab):
            if memory.thread is None:
                thread = await desk.conversations.start(desk.domain(memory), memory.owner)
                memory = memory.with_thread(thread)
            elif instead_of is not None:
                if not await desk.conversations.fork(memory.thread, instead_of + 1):
                    yield settled(desk, memory, views, status=desk.texts["status"]["too_far"], box=utterance)
                    return
                desk.runs.forget(memory.thread, instead_of)
                views = views[:instead_of]
            run = desk.runs.start(str(memory.thread), utterance, after=len(views), tab=tab, **how)
        yield Screen(memory=memory, running=True, strip=Strip(), box=None if edits or instead_of is not None else "")
        async with aclosing(_followed(desk, memory, views, run, tab)) as screens:
            async for screen in screens:
                yield screen
    except PdgfError as error:
        yield Screen(status=trouble(error, desk.texts), running=False, box=None if edits else utterance)


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


async def _shown(desk: Desk, memory: Memory, tab: str, *, domain: str | None = None) -> AsyncIterator[Screen]:
    """A conversation and the turn that runs in it. With `domain`, none that has gone on in another one."""
    try:
        memory, views = await arrive(desk, memory)
        if domain is not None and memory.domain != domain:
            memory, views = replace(memory, domain=domain).with_thread(None), ()
        run = desk.runs.running(memory.thread)
        screen = settled(desk, memory, views, status="")
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


def manner(desk: Desk, memory: Memory) -> dict[str, Any]:
    """How the visitor wants turns to be, as far as it differs from what is usual."""
    wanted = {
        "own_only": memory.own_only and desk.server.evidence != "catalogue",
        "seconds": float(memory.seconds) if memory.seconds else None,
        "language": desk.language if desk.language != wording.ENGLISH else None,
    }
    return {name: value for name, value in wanted.items() if value}


def _unsaid(desk: Desk, memory: Memory, utterance: str) -> str | None:
    """What a refused message leaves in the box: itself, unless it is the running one sent twice."""
    run = desk.runs.running(memory.thread)
    return None if run and run.exchange.utterance == utterance else utterance


async def _followed(
    desk: Desk, memory: Memory, views: Sequence[TurnView], run: Run, tab: str
) -> AsyncGenerator[Screen, None]:
    earlier = desk.runs.broken(run.thread)
    with run.follow(tab) as still_here:
        async for exchange in run.watch():
            if not still_here():
                return
            live = step_sentence(exchange.steps[-1]) if exchange.steps else desk.texts["status"]["working"]
            yield Screen(chat=transcript(views, (*earlier, exchange), desk.texts), status=live, quiet=True)
        before = memory
        memory, views = await arrive(desk, memory)
        if not still_here():
            return
    ended = settled(desk, memory, views, status=closing_status(views, run.exchange, desk.texts))
    # The browser may have learned of other conversations since this turn began: what it knows already is not sent.
    news = None if memory == before else memory
    yield replace(ended, memory=news, quiet=not brought_picks(views, run.exchange))  # all else is said in the chat


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
