"""The seam of the store: what is kept of conversations, in files of one computer or in a database that many share.

Two adapters: `store.py` with SQLite, for one process, and `postgres/` for many processes over one database.
"""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Protocol, Self

from langgraph.checkpoint.base import BaseCheckpointSaver

from dialogue.ports import ContentStore
from dialogue.seen_lists import SeenTitle
from pdgf.errors import BadInput, StoreDamaged
from pdgf.identity import Exclusion
from pdgf.models import Value

PATIENCE = 100.0  # seconds to wait for a turn of another process: longer than one may take


class UnknownConversation(BadInput):
    """Raised when no conversation of that id is stored."""


class Conversation(Value):
    """One row of the list of conversations; times are seconds since the epoch."""

    thread: str
    owner: str
    title: str
    domain: str
    created: float
    updated: float


class SeenCounts(Value):
    """What adding a list came to: titles that were new, that were there already, and all that are kept now."""

    added: int
    known: int
    total: int


class SeenTitles(Protocol):
    """The titles that owners have brought as known already. Every method raises StoreUnavailable."""

    async def add(self, owner: str, titles: Sequence[SeenTitle]) -> SeenCounts:
        """Add titles, all or none. Raises UploadTooLarge when an owner would keep too many."""
        ...

    async def of(self, owner: str) -> tuple[Exclusion, ...]:
        """What an owner knows already, as exclusions, by title."""
        ...

    async def drop(self, owner: str, titles: Sequence[SeenTitle]) -> None:
        """Delete some of what an owner has brought: those of the same key and year."""
        ...

    async def forget(self, owner: str) -> None:
        """Delete what an owner has brought."""
        ...


class Store(Protocol):
    """Open with `async with`; one a process and event loop. Every method raises StoreUnavailable or a kind of it.

    What a method has written when it returns is there after a crash.
    """

    @property
    def checkpoints(self) -> BaseCheckpointSaver[str]:
        """The saver of the loop: gives what was written, or raises StoreDamaged."""
        ...

    @property
    def seen(self) -> SeenTitles:
        """What owners have brought as known already."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def alone(self, thread: str) -> AbstractAsyncContextManager[None]:
        """Inside, no other process changes a conversation. Raises ConversationBusy after PATIENCE seconds."""
        ...

    async def add(self, *, thread: str, owner: str, domain: str) -> None:
        """Add a conversation without a title."""
        ...

    async def touch(self, thread: str, title: str) -> None:
        """Note that a conversation went on; its first words become its title. Raises as `find`."""
        ...

    async def rename(self, thread: str, title: str) -> None:
        """Give a conversation another title; without one, its next words become its title. Raises as `find`."""
        ...

    async def note(self, thread: str, checkpoint: str) -> None:
        """Note a checkpoint that has to be there from now on, in place of the one noted before; none when empty."""
        ...

    async def noted(self, thread: str) -> str:
        """The checkpoint that has to be there. Raises as `find`."""
        ...

    async def has(self, thread: str) -> bool:
        """Whether a conversation of that id is stored."""
        ...

    async def find(self, thread: str) -> Conversation:
        """The row of a conversation. Raises UnknownConversation and StoreDamaged."""
        ...

    async def has_checkpoint(self, thread: str, checkpoint: str) -> bool:
        """Whether a checkpoint of a conversation is there."""
        ...

    async def newest_checkpoint(self, thread: str) -> str:
        """The id of the checkpoint that was written last, whatever its clock said; empty without any."""
        ...

    async def of_owner(self, owner: str) -> list[Conversation]:
        """The conversations of one owner, the latest first."""
        ...

    async def delete(self, thread: str) -> None:
        """Delete a conversation with all that is kept of it."""
        ...

    async def untouched(self, seconds: float) -> list[Conversation]:
        """The conversations of all owners whose last turn is that long ago by the clock of the store, the oldest
        first."""
        ...

    def chore(self, name: str, every: float) -> AbstractAsyncContextManager[bool]:
        """Gives whether something that is done every now and then is to be done now: nobody else of all who share the
        store does it meanwhile, nor again for so many seconds."""
        ...

    async def forget_checkpoints(self, thread: str, *, keep: Sequence[str]) -> None:
        """Delete the checkpoints of a thread but those kept: every step stores the whole record anew."""
        ...

    def content(self, thread: str) -> ContentStore:
        """The texts of one conversation."""
        ...


async def check_noted(store: Store, thread: str) -> None:
    """Raises StoreDamaged where the checkpoint that was noted is missing, and perhaps others with it."""
    noted = await store.noted(thread)
    while noted and not await store.has_checkpoint(thread, noted):
        before, noted = noted, await store.noted(thread)
        if noted == before:  # else the conversation has gone on, or back, while this was looked at
            raise StoreDamaged("checkpoints are missing")
