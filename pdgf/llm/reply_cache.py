"""Kept replies by everything they depend on, each belonging to a conversation; equal calls in flight become one.

A cache never fails a turn: what cannot be read is a miss, what cannot be written is not kept. Only a deletion that
could not be carried out is an error.
"""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic_core import to_jsonable_python

from pdgf.cache_file import BUSY_SECONDS
from pdgf.llm.calls import Ask
from pdgf.llm.kept_replies import FILE as FILE
from pdgf.llm.kept_replies import MAX_ROWS, FiledReplies, KeptReplies

MAX_CHARS = 200_000  # of one reply; a longer one is not kept


@dataclass
class _Flight:
    """One call that several callers wait for."""

    task: asyncio.Task[str] | None = None
    waiting: int = 0
    keep: bool = True


def reply_key(model: str, ask: Ask) -> str:
    """The key of a reply: a digest of the model, the role, the prompt, its inputs and the schema of the reply."""
    rendered = ask.rendered
    parts = [model, ask.role.value, rendered.name, rendered.digest, rendered.inputs, ask.reply_schema]
    canonical = json.dumps(to_jsonable_python(parts), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


class ReplyCache:
    """Replies in a folder of its own or in another place. One a process and event loop; close it at the end.

    `scope` is the conversation a reply belongs to; for an empty one, which nobody could ever forget, nothing is kept.
    """

    def __init__(
        self,
        place: Path | KeptReplies,
        *,
        max_rows: int = MAX_ROWS,
        max_chars: int = MAX_CHARS,
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        self._kept: KeptReplies = (
            FiledReplies(place, max_rows=max_rows, busy_seconds=busy_seconds) if isinstance(place, Path) else place
        )
        self._max_chars = max_chars
        self._flights: dict[tuple[str, str], _Flight] = {}

    async def get(self, scope: str, key: str) -> str | None:
        """The reply kept under a key of a scope, None if there is none or it was damaged."""
        return await self._kept.get(scope, key) if scope else None

    async def put(self, scope: str, key: str, text: str) -> None:
        """Keep a reply; the oldest of all scopes go when there are too many."""
        if scope and len(text) <= self._max_chars:
            await self._kept.put(scope, key, text)

    async def forget(self, scope: str) -> None:
        """Delete all replies of a scope; calls in flight are not kept. Raises StoreUnavailable."""
        for (flying, _), flight in self._flights.items():
            if flying == scope:
                flight.keep = False
        await self._kept.forget(scope)

    async def shared(
        self,
        scope: str,
        key: str,
        make: Callable[[], Awaitable[str]],
        *,
        usable: Callable[[str], bool] | None = None,
    ) -> str:
        """The reply kept under a key, if `usable` says so; else what `make` returns, which is then kept.

        Equal calls at the same time are one. It goes on while anyone waits for it and is cancelled when nobody does.
        What `make` raises is raised to everyone who waits, and nothing is kept.
        """
        place = (scope, key)
        flight = self._flights.get(place)
        if flight is None:
            flight = self._flights[place] = _Flight()
            flight.task = asyncio.create_task(self._kept_or_made(flight, place, make, usable))
        task = flight.task
        assert task is not None  # noqa: S101  set in the same step of the loop that made the flight
        flight.waiting += 1
        try:
            return await asyncio.shield(task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                if self._flights.get(place) is flight:
                    del self._flights[place]
                if not task.done():
                    task.cancel()
                    await asyncio.wait([task])

    async def close(self) -> None:
        """Let go of what is open. A later call opens it again."""
        await self._kept.close()

    async def _kept_or_made(
        self,
        flight: _Flight,
        place: tuple[str, str],
        make: Callable[[], Awaitable[str]],
        usable: Callable[[str], bool] | None,
    ) -> str:
        kept = await self.get(*place)
        if kept is not None and (usable is None or usable(kept)):
            return kept
        made = await make()
        if flight.keep:
            await self.put(*place, made)
        return made
