"""Conversations that are watched: every turn is counted, and told to the log in numbers, never in words of users."""

import asyncio
import hashlib
import logging
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from typing import Any, cast

from dialogue import wording
from dialogue.composition import Composition
from dialogue.conversation import Conversations
from dialogue.domain import Domain
from dialogue.edits import Edit
from dialogue.events import Event, Finished
from dialogue.metrics import Metrics, labelled, plain
from dialogue.models import TurnView
from dialogue.operating import Operation
from dialogue.storing import Conversation
from pdgf.errors import PdgfError, ServiceFailed

log = logging.getLogger(__name__)


class ObservedConversations(Conversations):
    """As Conversations; `metrics` hears of every turn."""

    def __init__(self, *place: Any, metrics: Metrics, **options: Any) -> None:
        super().__init__(*place, **options)
        self._metrics = metrics
        self._at_work = 0
        declare(metrics)
        metrics.gauge("pdgf_turns_running", "Turns that are being worked at or wait.", lambda: plain(self._at_work))

    @property
    def at_work(self) -> int:
        """What is being answered now: turns that run or wait, and recommendations."""
        return self._at_work

    @contextmanager
    def working(self) -> Iterator[None]:
        """Inside, something is being answered that is no turn."""
        self._at_work += 1
        try:
            yield
        finally:
            self._at_work -= 1

    def wind_up_all(self) -> None:
        """Bid every running turn end with what it has."""
        for thread in tuple(self._running):
            self.wind_up(thread)

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
        """As Conversations.turn."""
        begun, ending, view = time.monotonic(), "stopped", None
        error: type[BaseException] | None = None
        self._at_work += 1
        running = super().turn(thread_id, utterance, own_only=own_only, seconds=seconds, edits=edits, language=language)
        try:
            async with aclosing(cast(Any, running)) as events:
                async for event in events:
                    if isinstance(event, Finished):
                        ending, view = "finished", event.view
                    yield event
        finally:
            kind = sys.exc_info()[0]
            if view is None and kind is not None and not issubclass(kind, GeneratorExit | asyncio.CancelledError):
                ending, error = "failed", kind
            self._at_work -= 1
            self._note(thread_id, ending, time.monotonic() - begun, view, error)

    async def start(self, domain: Domain | str, owner: str, thread_id: str | None = None) -> str:
        """As Conversations.start; where it fails, nothing said there can become a turn."""
        with self._watching(thread_id or owner):
            return await super().start(domain, owner, thread_id)

    async def find(self, thread_id: str) -> Conversation:
        """As Conversations.find, which comes before a turn."""
        with self._watching(thread_id):
            return await super().find(thread_id)

    @contextmanager
    def _watching(self, name: str) -> Iterator[None]:
        """What fails inside by a fault of the service counts as a turn that failed: it keeps one from being begun."""
        begun = time.monotonic()
        try:
            yield
        except ServiceFailed as error:
            self._note(name, "failed", time.monotonic() - begun, None, type(error))
            raise

    def _note(
        self, thread: str, ending: str, seconds: float, view: TurnView | None, error: type[BaseException] | None
    ) -> None:
        self._metrics.add("pdgf_turns_total", ending=ending)
        self._metrics.observe("pdgf_turn_seconds", seconds)
        numbers: dict[str, object] = {"conversation": sign_of(thread), "ending": ending, "seconds": round(seconds, 3)}
        if view is not None:
            usage = view.usage
            self._metrics.add("pdgf_tokens_total", usage.tokens_in, way="in")
            self._metrics.add("pdgf_tokens_total", usage.tokens_out, way="out")
            self._metrics.add("pdgf_agent_calls_total", usage.agent_calls)
            self._metrics.add("pdgf_cost_dollars_total", usage.cost or 0.0)
            numbers |= {"domain": view.domain, "action": view.action.value, "items": len(view.items)}
            numbers |= usage.model_dump(mode="json", exclude={"seconds"})
        if error is not None:
            self._metrics.add("pdgf_errors_total", kind=error.__name__)
            numbers["error"] = error.__name__
        # What whoever asked can mend is no fault of the service.
        faulty = error is not None and (issubclass(error, ServiceFailed) or not issubclass(error, PdgfError))
        log.log(logging.ERROR if faulty else logging.INFO, "turn", extra={"numbers": numbers})


def declare(metrics: Metrics) -> None:
    """The numbers of turns."""
    metrics.counter("pdgf_turns_total", "Turns by how they ended.")
    metrics.counter("pdgf_errors_total", "Turns that failed, by the kind of the reason.")
    metrics.counter("pdgf_tokens_total", "Tokens of language models, of finished turns.")
    metrics.counter("pdgf_agent_calls_total", "Calls of the engine, of finished turns.")
    metrics.counter("pdgf_cost_dollars_total", "What language models cost where a price is known, in US dollars.")
    metrics.histogram("pdgf_turn_seconds", "How long turns took.")


def sign_of(thread: str) -> str:
    """A sign by which the lines of one conversation are known, and the conversation cannot be opened."""
    return hashlib.sha256(f"log {thread}".encode("utf-8", "surrogatepass")).hexdigest()[:12]


def operation_of(composition: Composition) -> Operation:
    """The state of a process that serves a composition, with what it is."""
    operation, settings = Operation(composition.keeping.check), composition.settings
    store = "files" if settings.database_url is None else "database"
    what = (("engine", composition.engine), ("source", settings.source), ("store", store))
    operation.metrics.gauge("pdgf_info", "What this process serves.", lambda: {what: 1.0})
    if composition.keeping.database is not None:
        counts = composition.keeping.database.counts
        told = "Connections to the database, and turns that wait for one."
        operation.metrics.gauge("pdgf_database_connections", told, lambda: labelled("state", counts()))
    return operation


def warmed(done: "asyncio.Task[None]", operation: Operation) -> None:
    """Take note of what became of opening the catalogues. Where that failed, a turn opens its own and says what is
    wrong with it."""
    if done.cancelled():
        return
    if (error := done.exception()) is not None:
        log.error("the catalogues could not be opened", exc_info=error)
    operation.warm.set()
