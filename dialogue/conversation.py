"""Conversations: every surface talks through this class. Turns, history, undo, list, delete.

One lock a thread, every step checkpointed before the next begins. A turn starts from the last finished one: what a
stopped or failed turn has left behind is closed as unfinished and changes nothing.
"""

import asyncio
import secrets
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast
from weakref import WeakValueDictionary

from langchain_core.runnables import RunnableConfig

from dialogue import intents, topics, undoing, wording
from dialogue.ahead import ReadAhead
from dialogue.domain import BUNDLED, Domain, bundled_domain
from dialogue.events import Event, Finished, Note, ReplyPiece, Step
from dialogue.loop import build_loop
from dialogue.models import Action, TurnRecord, TurnView
from dialogue.own_evidence import heard
from dialogue.ports import DomainPorts, TurnContext
from dialogue.recommendation import stored
from dialogue.record import ANEW, lasting_of, state_of
from dialogue.seen_lists import SeenTitle
from dialogue.seen_store import SeenCounts
from dialogue.store import SCHEMA_VERSION, Conversation, ConversationStore, translated
from pdgf.errors import StoreUnavailable
from pdgf.models import Recommendation
from pdgf.patience import Patience

Views = list[TurnView]
Rows = list[Conversation]
ContextFor = Callable[[str], Awaitable[DomainPorts]]

UNDO_DEPTH = 20  # turns that can be taken back; older checkpoints are deleted
TITLE_CHARS = 60
OPENING_SECONDS = 0.3  # a domain that takes longer to open is said to be opening


class Conversations:
    """Open with `async with`. `context_for` gives the ports of a domain by its name and may build them on first use;
    `forget` deletes what a conversation has left elsewhere; `domains` are those that a conversation may go on in."""

    def __init__(
        self,
        data_dir: Path,
        context_for: ContextFor,
        forget: Callable[[str], Awaitable[None]] | None = None,
        *,
        domains: Sequence[Domain] | None = None,
    ) -> None:
        self._store = ConversationStore(data_dir)
        self._context_for = context_for
        self._forget = forget
        self._domains = tuple(map(bundled_domain, BUNDLED)) if domains is None else tuple(domains)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._running: dict[str, Patience] = {}  # of the turns that are running

    async def __aenter__(self) -> Self:
        await self._store.__aenter__()
        self._loop = build_loop(self._store.checkpoints)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._store.__aexit__(kind, error, trace)

    async def start(self, domain: Domain | str, owner: str, thread_id: str | None = None) -> str:
        """Begin a conversation and return its id, which cannot be guessed. A given id that is stored is continued."""
        thread = thread_id or secrets.token_urlsafe(24)
        if thread_id is None or not await self._store.has(thread_id):
            name = domain if isinstance(domain, str) else domain.name
            await self._store.add(thread=thread, owner=owner, domain=name)
        return thread

    async def turn(self, thread_id: str, utterance: str, *, own_only: bool = False) -> AsyncIterator[Event]:
        """Run one turn and stream it; the last event is Finished. Turns of one thread wait for one another.
        With `own_only` it keeps to the catalogue, as it does where the utterance asks for that.

        Raises UnknownConversation, and whatever a port raises (ServiceFailed and its kinds): then the state is that
        before the turn, as it is when the caller stops listening, and the next turn works.
        """
        async with self._lock(thread_id):
            row = await self._store.find(thread_id)
            record = await self._begin(row, intents.cleaned(utterance), own_only=own_only)
            opening = asyncio.ensure_future(self._context(row, record["domain"]))
            await asyncio.wait({opening}, timeout=OPENING_SECONDS)
            if not opening.done():
                yield Step(name="opening")
            context = await asyncio.shield(opening)  # a domain goes on opening for whoever comes next
            await self._store.touch(thread_id, " ".join(record["utterance"].split())[:TITLE_CHARS])
            told: list[str] = []
            ended = False
            self._running[thread_id] = context.budget.patience
            try:
                async with aclosing(self._run(row, record, context)) as events:
                    async for event in events:
                        if isinstance(event, ReplyPiece):
                            told.append(event.text)
                        yield event
                ended = True
            finally:
                del self._running[thread_id]
                if context.ahead is not None:
                    context.ahead.give_up()
                if not ended:  # stopped or failed
                    await self._keep("".join(told), thread_id)
            done, checkpoint = await self._latest(thread_id)
            view = await self._view(thread_id, done["history"][-1])
            await self._store.forget_checkpoints(thread_id, keep=[*done["trail"], checkpoint])
            yield Finished(view=view)

    async def _run(self, row: Conversation, record: TurnRecord, context: TurnContext) -> AsyncGenerator[Event, None]:
        """The turn, and once more in another domain where the agent has heard that one asked for."""
        for _ in range(2):
            run = self._loop.astream(
                record, _config(row.thread), context=context, stream_mode="custom", subgraphs=True, durability="sync"
            )
            with translated():
                async with aclosing(cast(Any, run)) as events:
                    async for _, raw in events:
                        yield _event(raw)
            heard, _ = await self._latest(row.thread)
            if not heard.get("go_to"):
                return
            if context.ahead is not None:
                context.ahead.give_up()
            record = self._moved(record, heard["go_to"], keeps=heard["carried"])
            context = replace(await self._context(row, record["domain"]), budget=context.budget, ahead=None)

    def wind_up(self, thread_id: str) -> bool:
        """Bid the running turn end with what it has, where something is slow: it finishes as any other. False where it
        cannot; then whoever listens may stop listening, and the turn changes nothing."""
        patience = self._running.get(thread_id)
        return patience is not None and patience.lose()

    async def history(self, thread_id: str, *, unfinished: bool = False) -> Views:
        """The finished turns in order; with `unfinished` also those that were stopped or failed."""
        await self._store.find(thread_id)
        record, _ = await self._latest(thread_id)
        views = [await self._view(thread_id, digest) for digest in record.get("history", [])]
        if record and not record["finished"]:
            views.append(_unfinished(record, await self._last_finished(thread_id)))
        return [view for view in views if view.finished or unfinished]

    async def _keep(self, told: str, thread_id: str) -> None:
        """Keep what a turn had said when it was stopped or failed."""
        if told:
            with suppress(StoreUnavailable), _readable():
                await self._loop.aupdate_state(_config(thread_id), {"reply": told}, as_node="finish")

    async def undo(self, thread_id: str) -> None:
        """Take the last turn back: the thread goes on from where it stood before. Without a turn, or more than
        UNDO_DEPTH turns back, nothing happens."""
        async with self._lock(thread_id):
            await self._store.find(thread_id)
            record, _ = await self._latest(thread_id)
            with _readable():
                if not record.get("trail"):
                    await self._store.checkpoints.adelete_thread(thread_id)
                elif (await self._record(before := _config(thread_id, record["trail"][-1])))[0]:
                    await self._loop.aupdate_state(before, None, as_node="__copy__")

    async def recommendation(self, thread_id: str) -> Recommendation | None:
        """The ranking that the thread's lists come from, with graph and evidence; None before the first."""
        row = await self._store.find(thread_id)
        record = await self._last_finished(thread_id)
        return await stored(record, await self._context(row, record.get("domain") or row.domain))

    async def list(self, owner: str) -> Rows:
        """The conversations of an owner, the latest first."""
        return await self._store.of_owner(owner)

    async def find(self, thread_id: str) -> Conversation:
        """Title, domain, owner and times of a conversation. Raises UnknownConversation."""
        return await self._store.find(thread_id)

    async def delete(self, thread_id: str) -> None:
        """Delete a conversation with all it has left: checkpoints, content and row. A running turn ends first."""
        async with self._lock(thread_id):
            await self._store.delete(thread_id)
            if self._forget is not None:
                await self._forget(thread_id)

    async def add_seen(self, owner: str, titles: Sequence[SeenTitle]) -> SeenCounts:
        """Add to what an owner knows already: from the next turn on no list of any conversation of theirs holds it."""
        return await self._store.seen.add(owner, titles)

    async def seen_of(self, owner: str) -> tuple[SeenTitle, ...]:
        """What an owner has brought as known already, in alphabetical order."""
        return tuple(SeenTitle(title=row.title, year=row.year) for row in await self._store.seen.of(owner))

    async def forget_seen(self, owner: str) -> None:
        """Delete what an owner has brought as known already, and overwrite what it left in the files."""
        await self._store.seen.forget(owner)

    def _lock(self, thread_id: str) -> asyncio.Lock:
        return self._locks.setdefault(thread_id, asyncio.Lock())

    async def _begin(self, row: Conversation, utterance: str, *, own_only: bool) -> TurnRecord:
        """The record a turn starts with: the last finished one, and everything that belongs to a turn set anew.

        Words that take a change back, or go over to another domain, have done so before the turn is read."""
        thread_id = row.thread
        latest, checkpoint = await self._latest(thread_id)
        before, said = latest, heard(utterance)
        content = self._store.content(thread_id)
        trail = [*latest.get("trail", []), checkpoint] if latest else []
        history = list(latest.get("history", []))
        if latest and not latest["finished"]:
            before = await self._last_finished(thread_id)
            trail = list(latest["trail"])
            history = [*before.get("history", []), await content.put(_unfinished(latest, before).model_dump_json())]
        domain = before.get("domain") or row.domain
        now = await content.put(undoing.snapshot(before, domain))
        back, forth = undoing.piles(before, now)
        record: TurnRecord = {
            "schema_version": SCHEMA_VERSION,
            **lasting_of(before),
            "domain": domain,
            "base": now,
            "back": back,
            "forth": forth,
            "left": before.get("recommendation", ""),
            "elicited": before.get("elicited", {}),
            "history": history,
            "trail": trail[-UNDO_DEPTH:],
            "turn": latest.get("turn", 0) + 1,
            "utterance": utterance,
            "heard": said.text,
            "own_only": own_only or said.own_only,
            **ANEW,
        }
        asked = undoing.asked_for(utterance)
        if asked is not None:
            with _readable():
                came, lasting, piles = await undoing.restored(asked, back, forth, now, content.get)
            kept = lasting_of(lasting) if lasting else TurnRecord()
            return {**record, **kept, "domain": lasting.get("domain", domain), **piles, "undo": came.value}
        over = topics.asked_for(said.text, domain, self._domains)
        return self._moved({**record, "heard": over.text}, over.domain, keeps=over.keeps) if over else record

    def _moved(self, record: TurnRecord, name: str, *, keeps: bool) -> TurnRecord:
        """The record of a turn as it goes on in another domain."""
        domains = {domain.name: domain for domain in self._domains}
        lasting, sentence = topics.moved(record, domains.get(record["domain"]), domains[name], keeps=keeps)
        carried = bool(lasting["requests"])
        return {**record, **lasting, "moved": True, "carried": carried, "preface": sentence, "go_to": ""}

    async def _latest(self, thread_id: str) -> tuple[TurnRecord, str]:
        """The newest record of a thread and the id of its checkpoint; empty before the first turn."""
        return await self._record(_config(thread_id))

    async def _last_finished(self, thread_id: str) -> TurnRecord:
        """The record at the end of the last finished turn; empty when there is none."""
        latest, _ = await self._latest(thread_id)
        if not latest or latest["finished"]:
            return latest
        return (await self._record(_config(thread_id, latest["trail"][-1])))[0] if latest["trail"] else {}

    async def _record(self, config: RunnableConfig) -> tuple[TurnRecord, str]:
        with _readable():
            snapshot = await self._loop.aget_state(config)
        record = cast(TurnRecord, snapshot.values)
        if record.get("schema_version", SCHEMA_VERSION) > SCHEMA_VERSION:
            raise StoreUnavailable("this conversation was written by a newer release")
        return record, snapshot.config["configurable"].get("checkpoint_id", "")

    async def _view(self, thread_id: str, digest: str) -> TurnView:
        with _readable():
            return TurnView.model_validate_json(await self._store.content(thread_id).get(digest))

    async def _context(self, row: Conversation, domain: str) -> TurnContext:
        shared = await self._context_for(domain)
        return TurnContext(
            ports=shared.ports,
            agent=shared.agent,
            reviews=shared.reviews,
            catalogue=shared.catalogue,
            store=self._store.content(row.thread),
            domain=shared.domain,
            config=shared.config,
            budget=shared.new_budget(row.thread),
            current_year=shared.current_year,
            engine=shared.engine,
            embedder=shared.embedder,
            wider=shared.wider,
            own=shared.own,
            ahead=ReadAhead() if shared.read_ahead else None,
            domains=self._domains,
            seen_list=await self._store.seen.of(row.owner),
            labels=shared.labels,
            max_message_chars=shared.max_message_chars,
        )


@contextmanager
def _readable() -> Iterator[None]:
    """Turn what a missing, damaged or locked store raises into StoreUnavailable."""
    try:
        with translated():
            yield
    except (sqlite3.Error, KeyError, ValueError) as error:
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error


def _config(thread_id: str, checkpoint_id: str | None = None) -> RunnableConfig:
    place = {"thread_id": thread_id} | ({"checkpoint_id": checkpoint_id} if checkpoint_id else {})
    return {"configurable": place}


def _event(event: dict[str, Any]) -> Event:
    if "piece" in event:
        return ReplyPiece(text=event["piece"])
    if "note" in event:
        return Note(text=event["note"])
    return Step(name=event["step"], counts={name: count for name, count in event.items() if name != "step"})


def _unfinished(record: TurnRecord, before: TurnRecord) -> TurnView:
    """A turn that was stopped or failed, as it is kept: what was said, and the state that still holds."""
    return TurnView(
        utterance=record["utterance"],
        action=Action(record["action"] or Action.REQUEST_INFORMATION),
        state=state_of(before),
        reply="\n\n".join(filter(None, [record["reply"], wording.say("notice.unfinished")])),
        finished=False,
    )
