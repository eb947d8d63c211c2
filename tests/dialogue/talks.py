"""Conversations over the bundled domains and the real built-in engine, a sentence at a time."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.models import DialogueState, TurnView
from dialogue.record import values_of
from pdgf.settings import Settings
from tests.opened import bundled

Say = Callable[..., Awaitable[TurnView]]


@asynccontextmanager
async def talk(domain: str) -> AsyncIterator[Say]:
    """Someone who talks in a domain: each sentence is a turn, and the last one is answered."""
    data_dir = Settings().data_dir
    async with Conversations(data_dir, bundled(data_dir).ports) as conversations:
        thread = await conversations.start(domain, "somebody")

        async def say(*utterances: str) -> TurnView:
            views: list[TurnView] = []
            for utterance in utterances:
                *_, last = [event async for event in conversations.turn(thread, utterance)]
                assert isinstance(last, Finished)
                views.append(last.view)
            return views[-1]

        yield say


def wishes(state: DialogueState) -> list[str]:
    """The words of all wishes, what is left open included."""
    return [value.text for _, value, _ in values_of(state)]
