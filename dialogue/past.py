"""What is stored of the turns of a conversation: the record after the last one, every turn as it was shown, and the
way back to where it stood before one of the latest.

One checkpoint is kept for each of the last finished turns, at its end (`trail` of the record).
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from langchain_core.runnables import RunnableConfig

from dialogue import wording
from dialogue.loop import Loop
from dialogue.models import Action, TurnRecord, TurnView
from dialogue.record import ANEW, checked, refs, state_of
from dialogue.store import SCHEMA_VERSION, translated
from dialogue.storing import Store, check_noted
from pdgf.errors import StoreDamaged, StoreUnavailable

NOWHERE = "none"  # in place of a checkpoint: what follows it starts with nothing


class Past:
    """Reads and rewinds threads. Whoever writes holds the lock of the thread."""

    def __init__(self, store: Store, loop: Loop) -> None:
        self._store = store
        self._loop = loop

    async def latest(self, thread_id: str) -> tuple[TurnRecord, str]:
        """The newest record of a thread and the id of its checkpoint; empty before the first turn."""
        with readable():
            await check_noted(self._store, thread_id)
        return await self._record(config_of(thread_id))

    async def last_finished(self, thread_id: str) -> TurnRecord:
        """The record at the end of the last finished turn; empty when there is none."""
        latest, _ = await self.latest(thread_id)
        if not latest or latest["finished"]:
            return latest
        return (await self._record(config_of(thread_id, latest["trail"][-1])))[0] if latest["trail"] else {}

    async def view(self, thread_id: str, digest: str) -> TurnView:
        """A stored turn. Raises StoreUnavailable."""
        with readable():
            return TurnView.model_validate_json(await self._store.content(thread_id).get(digest))

    async def views(self, thread_id: str, *, unfinished: bool) -> list[TurnView]:
        """The finished turns in order; with `unfinished` also those that were stopped or failed."""
        record, _ = await self.latest(thread_id)
        views = [await self.view(thread_id, digest) for digest in record.get("history", [])]
        if record and not record["finished"]:
            views.append(unfinished_view(record, await self.last_finished(thread_id)))
        return [view for view in views if view.finished or unfinished]

    async def keep(self, told: str, thread_id: str) -> None:
        """Keep what a turn had said when it was stopped or failed."""
        if told:
            with suppress(StoreUnavailable), readable():
                await self._loop.aupdate_state(config_of(thread_id), {"reply": told}, as_node="finish")

    async def note(self, record: TurnRecord, thread_id: str) -> None:
        """Keep what is said, for it has been taken, until the turn that answers it begins. Raises StoreUnavailable."""
        with readable():
            await self._loop.aupdate_state(config_of(thread_id), record, as_node="finish")

    async def turns(self, thread_id: str) -> int:
        """How many turns are stored, stopped and failed ones counted."""
        latest, _ = await self.latest(thread_id)
        return len(latest.get("history", ())) + (bool(latest) and not latest["finished"])

    async def rewind(self, thread_id: str, turns: int) -> bool:
        """Let a thread stand as after its first `turns` turns, stopped and failed ones counted. False, and nothing is
        changed, where that lies further back than checkpoints are kept."""
        if not 0 <= turns < await self.turns(thread_id):
            return True
        noted = await self._store.noted(thread_id)
        await self._store.note(thread_id, "")
        with readable():
            there = await self._rewound(thread_id, turns)
            newest = await self._store.newest_checkpoint(thread_id)
        await self._store.note(thread_id, newest if there else noted)
        return there

    async def _rewound(self, thread_id: str, turns: int) -> bool:
        latest, _ = await self.latest(thread_id)
        history = latest["history"]
        for checkpoint in reversed(latest["trail"]):
            at = config_of(thread_id, checkpoint)
            record, _ = await self._record(at)
            if not record:
                return False
            known = len(record["history"])
            if known <= turns:  # what follows it up to there was stopped or failed, and changed nothing
                change = {"history": history[:turns], "trail": [*record["trail"], checkpoint]}
                change = change if known < turns else {}
                await self._loop.aupdate_state(at, change or None, as_node="finish" if change else "__copy__")
                return True
            if not record["trail"]:
                break
        else:
            if latest["trail"]:
                return False
        keep = []
        if turns:  # stopped or failed ones before the first that changed anything
            kept = {"history": history[:turns], "turn": turns, "domain": latest["domain"], "trail": []}
            fresh: TurnRecord = {**ANEW, "schema_version": SCHEMA_VERSION, "finished": True}
            made = await self._loop.aupdate_state(config_of(thread_id, NOWHERE), {**fresh, **kept}, as_node="finish")
            keep = [made["configurable"]["checkpoint_id"]]
        await self._store.forget_checkpoints(thread_id, keep=keep)
        return True

    async def _record(self, config: RunnableConfig) -> tuple[TurnRecord, str]:
        with readable():
            snapshot = await self._loop.aget_state(config)
            record = checked(snapshot.values)
        if record.get("schema_version", SCHEMA_VERSION) > SCHEMA_VERSION:
            raise StoreUnavailable("this conversation was written by a newer release")
        return record, snapshot.config["configurable"].get("checkpoint_id", "")


@contextmanager
def readable() -> Iterator[None]:
    """Turn what a missing or locked store raises into StoreUnavailable, what a damaged one raises into StoreDamaged."""
    try:
        with translated():
            yield
    except (KeyError, ValueError) as error:
        raise StoreDamaged(f"{type(error).__name__}: {error}") from error


def config_of(thread_id: str, checkpoint_id: str | None = None) -> RunnableConfig:
    """How LangGraph is told a thread, and a checkpoint of it."""
    place: dict[str, Any] = {"thread_id": thread_id, "checkpoint_ns": ""}
    return {"configurable": place | ({"checkpoint_id": checkpoint_id} if checkpoint_id else {})}


def unfinished_view(record: TurnRecord, before: TurnRecord) -> TurnView:
    """A turn that was stopped or failed, as it is kept: what was said, and the state that still holds."""
    language = record.get("language", wording.ENGLISH)
    with wording.speaking(language):
        unfinished = wording.say("notice.unfinished")
    return TurnView(
        utterance=record["utterance"],
        action=Action(record["action"] or Action.REQUEST_INFORMATION),
        state=state_of(before),
        reply="\n\n".join(filter(None, [record["reply"], unfinished])),
        edits=tuple(record.get("edits", ())),
        finished=False,
        domain=record.get("domain", ""),
        language=language,
        standing=tuple(item.id for item in refs(before.get("shown", []))),
        seen=refs(before.get("seen", [])),
    )
