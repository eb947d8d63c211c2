"""Conversations: every surface talks through this class. Turns, history, undo, list, delete.

One lock a thread, every step checkpointed before the next begins. A turn starts from the last finished one: what a
stopped or failed turn has left behind is closed as unfinished and changes nothing.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast
from weakref import WeakValueDictionary

from dialogue import beginning, editing, past, wording
from dialogue.ahead import ReadAhead
from dialogue.beginning import Asked
from dialogue.domain import Domain, bundled_domain
from dialogue.edits import BROUGHT, Act, Edit, described
from dialogue.events import Event, Finished, ReplyPiece, Step, event_of
from dialogue.loop import build_loop
from dialogue.models import TurnRecord, TurnView
from dialogue.past import Past
from dialogue.places import Places
from dialogue.ports import DomainPorts, TurnContext
from dialogue.seen import by_any_title, naming
from dialogue.seen_lists import SeenTitle
from dialogue.store import ConversationStore, translated
from dialogue.stored_list import stored
from dialogue.storing import Conversation, SeenCounts, Store
from pdgf.catalogues.bundled import BUNDLED
from pdgf.errors import CatalogueGone, UnknownDomain
from pdgf.models import PreferenceGraph, Recommendation
from pdgf.patience import Patience
from pdgf.usage import Account

Views = list[TurnView]
Rows = list[Conversation]
ContextFor = Callable[[str], Awaitable[DomainPorts]]
AccountFor = Callable[[str, str], Awaitable[Account]]

TITLE_CHARS = 60
OPENING_SECONDS = 0.3  # a domain that takes longer to open is said to be opening


class Conversations:
    """Open with `async with`. They are kept in a data folder, or in a store that is given in its place. `context_for`
    gives the ports of a domain by its name and may build them on first use; `forget` deletes what a conversation has
    left elsewhere; `domains` are those that a conversation may go on in, asked anew at each turn. Where only so many
    turns may be worked at `at_once`, the others wait in line, in the order they came, and say so. `account_for` gives
    what a conversation and its owner may still ask of models and of the web."""

    def __init__(
        self,
        place: Path | Store,
        context_for: ContextFor,
        forget: Callable[[str], Awaitable[None]] | None = None,
        *,
        domains: Collection[Domain] | None = None,
        at_once: int | None = None,
        account_for: AccountFor | None = None,
    ) -> None:
        self._store: Store = ConversationStore(place) if isinstance(place, Path) else place
        self._context_for = context_for
        self._forget = forget
        self._account_for = account_for
        self._domains = tuple(map(bundled_domain, BUNDLED)) if domains is None else domains
        self._places = Places(at_once)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._running: dict[str, Patience] = {}  # of the turns that are running

    async def __aenter__(self) -> Self:
        await self._store.__aenter__()
        self._loop = build_loop(self._store.checkpoints)
        self._past = Past(self._store, self._loop)
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

    def edit(self, thread_id: str, edits: Sequence[Edit], *, own_only: bool = False) -> AsyncIterator[Event]:
        """Change wishes by hand: a turn as any other, but that nothing is read from its words. Raises as `turn`."""
        return self.turn(thread_id, described(edits), own_only=own_only, edits=edits)

    async def turn(
        self,
        thread_id: str,
        utterance: str,
        *,
        own_only: bool = False,
        seconds: float | None = None,
        edits: Sequence[Edit] = (),
        language: str = wording.ENGLISH,
    ) -> AsyncIterator[Event]:
        """Run one turn and stream it; the last event is Finished. Turns of one thread wait for one another.
        With `own_only` it keeps to the catalogue, as it does where the utterance asks for that; `seconds` shortens the
        time that it may take; with `edits` these are made, and the utterance only describes them.

        Raises UnknownConversation, CatalogueGone, and whatever a port raises (ServiceFailed and its kinds): then the
        state is that before the turn, as it is when the caller stops listening, and the next turn works.
        """
        async with self._alone(thread_id), AsyncExitStack() as place:
            row = await self._store.find(thread_id)
            asked = Asked(utterance, own_only=own_only, edits=edits, language=language)
            content = self._store.content(thread_id)
            record = await beginning.begun(asked, row, past=self._past, content=content, domains=tuple(self._domains))
            if self._places.taken:
                await self._past.note(record, thread_id)
                yield Step(name="waiting", language=record["language"])
            await place.enter_async_context(self._places)
            opening = asyncio.ensure_future(self._context(row, record["domain"], seconds))
            await asyncio.wait({opening}, timeout=OPENING_SECONDS)
            if not opening.done() or opening.exception():
                await self._past.note(record, thread_id)  # nothing is said of words that a crash could still lose
            if not opening.done():
                yield Step(name="opening", language=record["language"])
            context = await asyncio.shield(opening)  # a domain goes on opening for whoever comes next
            context = await self._without_brought(row.owner, edits, context)
            await self._store.touch(thread_id, titled(record["utterance"]))
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
                    await self._past.keep("".join(told), thread_id)
            done, checkpoint = await self._past.latest(thread_id)
            view = await self._past.view(thread_id, done["history"][-1])
            await self._store.note(thread_id, checkpoint)
            await self._store.forget_checkpoints(thread_id, keep=[*done["trail"], checkpoint])
            yield Finished(view=view)

    async def _run(self, row: Conversation, record: TurnRecord, context: TurnContext) -> AsyncGenerator[Event, None]:
        """The turn, and once more in another domain where the agent has heard that one asked for."""
        for _ in range(2):
            at = past.config_of(row.thread)
            run = self._loop.astream(
                record, at, context=context, stream_mode="custom", subgraphs=True, durability="sync"
            )
            with translated():
                async with aclosing(cast(Any, run)) as events:
                    async for _, raw in events:
                        yield event_of(raw, record.get("language", ""))
            heard, _ = await self._past.latest(row.thread)
            if not heard.get("go_to"):
                return
            if context.ahead is not None:
                context.ahead.give_up()
            record = beginning.moved(record, heard["go_to"], context.domains, keeps=heard["carried"])
            context = replace(await self._context(row, record["domain"]), budget=context.budget, ahead=None)

    def wind_up(self, thread_id: str) -> bool:
        """Bid the running turn end with what it has, where something is slow: it finishes as any other. False where it
        cannot; then whoever listens may stop listening, and the turn changes nothing."""
        patience = self._running.get(thread_id)
        return patience is not None and patience.lose()

    async def history(self, thread_id: str, *, unfinished: bool = False) -> Views:
        """The finished turns in order; with `unfinished` also those that were stopped or failed."""
        await self._store.find(thread_id)
        return await self._past.views(thread_id, unfinished=unfinished)

    async def undo(self, thread_id: str) -> None:
        """Take the last turn back: the thread goes on from where it stood before. Without a turn, or more than
        UNDO_DEPTH turns back, nothing happens."""
        async with self._alone(thread_id):
            await self._store.find(thread_id)
            await self._past.rewind(thread_id, await self._past.turns(thread_id) - 1)

    async def fork(self, thread_id: str, turn_number: int) -> bool:
        """Let the thread go on from before its turn of that number, counted from 1 with the stopped and failed ones;
        that turn and all later ones go. False, and nothing is changed, where that is more than UNDO_DEPTH finished
        turns back. Raises UnknownConversation."""
        async with self._alone(thread_id):
            row = await self._store.find(thread_id)
            turns = await self._past.views(thread_id, unfinished=True)
            if not await self._past.rewind(thread_id, turn_number - 1):
                return False
            if turns and turn_number <= 1 and row.title == titled(turns[0].utterance):
                await self._store.rename(thread_id, "")  # its next first words name it
            return True

    async def recommendation(self, thread_id: str) -> Recommendation | None:
        """The ranking that the thread's lists come from, with graph and evidence; None before the first."""
        row = await self._store.find(thread_id)
        record = await self._past.last_finished(thread_id)
        return await stored(record, await self._context(row, record.get("domain") or row.domain))

    async def foreseen(self, thread_id: str, edits: Sequence[Edit]) -> PreferenceGraph | None:
        """The graph as it would be after some edits, which are not made; None before the first ranking. Raises
        LookupError for a wish that is not there, and whatever a port raises."""
        row = await self._store.find(thread_id)
        record = await self._past.last_finished(thread_id)
        return await editing.foreseen(record, edits, await self._context(row, record.get("domain") or row.domain))

    async def list(self, owner: str) -> Rows:
        """The conversations of an owner, the latest first."""
        return await self._store.of_owner(owner)

    async def find(self, thread_id: str) -> Conversation:
        """Title, domain, owner and times of a conversation. Raises UnknownConversation."""
        return await self._store.find(thread_id)

    async def rename(self, thread_id: str, title: str) -> None:
        """Give a conversation another title; blank words leave the one it has. Raises UnknownConversation."""
        await self._store.find(thread_id)
        if short := titled(title):
            await self._store.rename(thread_id, short)

    async def delete(self, thread_id: str, *, as_of: float | None = None) -> bool:
        """Delete a conversation with all it has left: checkpoints, content and row. A running turn ends first. With
        `as_of`, only where its last turn is still the one of that time; whether it was deleted."""
        async with self._alone(thread_id):
            if as_of is not None and (await self._store.find(thread_id)).updated != as_of:
                return False
            await self._store.delete(thread_id)
            if self._forget is not None:
                await self._forget(thread_id)
            return True

    async def add_seen(self, owner: str, titles: Sequence[SeenTitle]) -> SeenCounts:
        """Add to what an owner knows already: from the next turn on no list of any conversation of theirs holds it."""
        return await self._store.seen.add(owner, titles)

    async def seen_of(self, owner: str) -> tuple[SeenTitle, ...]:
        """What an owner has brought as known already, in alphabetical order."""
        return tuple(SeenTitle(title=row.title, year=row.year) for row in await self._store.seen.of(owner))

    async def forget_seen(self, owner: str) -> None:
        """Delete what an owner has brought as known already, and overwrite what it left in the files."""
        await self._store.seen.forget(owner)

    async def _without_brought(self, owner: str, edits: Sequence[Edit], context: TurnContext) -> TurnContext:
        """The context without what some edits take off the list that an owner has brought, which goes with it."""
        ids = {edit.item for edit in edits if edit.act is Act.FORGET and edit.key == BROUGHT}
        gone = naming(context.catalogue.items(), ids, context.seen_list) if ids else ()
        if not gone:
            return context
        await self._store.seen.drop(owner, [SeenTitle(title=each.title, year=each.year) for each in gone])
        return replace(context, seen_list=tuple(each for each in context.seen_list if each not in gone))

    @asynccontextmanager
    async def _alone(self, thread_id: str) -> AsyncIterator[None]:
        async with self._locks.setdefault(thread_id, asyncio.Lock()), self._store.alone(thread_id):
            yield

    async def _context(self, row: Conversation, domain: str, seconds: float | None = None) -> TurnContext:
        try:
            shared = await self._context_for(domain)
        except UnknownDomain as error:  # a conversation was begun in it, so it was there
            raise CatalogueGone(domain) from error
        budget = shared.new_budget(row.thread)
        if self._account_for is not None:
            budget.account = await self._account_for(row.thread, row.owner)
        if seconds is not None:
            budget.seconds = min(seconds, budget.seconds)
        return TurnContext(
            ports=shared.ports,
            agent=shared.agent,
            reviews=shared.reviews,
            catalogue=shared.catalogue,
            store=self._store.content(row.thread),
            domain=shared.domain,
            config=shared.config,
            budget=budget,
            current_year=shared.current_year,
            engine=shared.engine,
            embedder=shared.embedder,
            wider=shared.wider,
            own=shared.own,
            ahead=ReadAhead() if shared.read_ahead else None,
            domains=tuple(self._domains),
            seen_list=by_any_title(await self._store.seen.of(row.owner), shared.catalogue.items),
            labels=shared.labels,
            max_message_chars=shared.max_message_chars,
        )


def titled(words: str) -> str:
    """Words as the title of a conversation: on one line, and short."""
    return " ".join(words.split())[:TITLE_CHARS]
