"""Going back in a conversation: the last message once more, an earlier one in other words, the last one taken back.

Each names its message by the place among all that the page shows; where the conversation has moved on meanwhile, it is
shown anew and nothing else is done. No words are lost: what cannot be sent stands in the message box.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from dialogue.intents import cleaned
from dialogue.models import TurnView
from dialogue.ui.desk import Desk, Memory, Screen, recall
from dialogue.ui.handlers import placed
from dialogue.ui.texts import trouble
from dialogue.ui.visits import Start, arrive, begin, settled
from pdgf.errors import PdgfError


@dataclass(frozen=True)
class Place:
    """A message as the page names it: its index among all messages, and what it showed."""

    index: int
    shown: str


async def again(desk: Desk, stored: Any, place: Place, tab: str) -> AsyncIterator[Screen]:
    """The turn of a message once more; what came of it, and all that followed, goes."""

    def there(memory: Memory, views: Sequence[TurnView]) -> Start | Screen:
        return _found(desk, memory, views, place)

    async with aclosing(begin(desk, stored, tab, there, box=None)) as screens:
        async for screen in screens:
            yield screen


async def change(desk: Desk, stored: Any, place: Place, words: str, tab: str) -> AsyncIterator[Screen]:
    """Other words in place of a message; what came of it, and all that followed, goes."""
    words = cleaned(words)

    def there(memory: Memory, views: Sequence[TurnView]) -> Start | Screen:
        found = _found(desk, memory, views, place, words)
        if isinstance(found, Screen):
            return found
        if not words.strip():
            return settled(desk, memory, views, status=desk.texts["status"]["empty"])
        return replace(found, utterance=words)

    async with aclosing(begin(desk, stored, tab, there, box=words)) as screens:
        async for screen in screens:
            yield screen


async def take_back(desk: Desk, stored: Any, place: Place, typed: str, tab: str) -> Screen:
    """The turn of a message is as if it had never been; its words stand in the box, before what is typed there."""
    status, memory = desk.texts["status"], recall(desk, stored)
    try:
        with desk.runs.opening(memory.thread, tab) as refusal:
            if refusal:
                return Screen(status=status[refusal])
            memory, views = await arrive(desk, memory)
            found = _found(desk, memory, views, place)
            if isinstance(found, Screen):
                return found
            if not await desk.conversations.fork(str(memory.thread), found.before + 1):
                return settled(desk, memory, views, status=status["too_far"])
            desk.runs.forget(str(memory.thread), found.before)
            memory, views = await arrive(desk, memory)
    except PdgfError as error:
        return Screen(status=trouble(error, desk.texts))
    box = "\n".join(filter(None, [found.utterance, typed.strip()]))
    return settled(desk, memory, views, status=status["taken_back"], box=box)


def _found(
    desk: Desk, memory: Memory, views: Sequence[TurnView], place: Place, words: str | None = None
) -> Start | Screen:
    """The turn that is meant, or what to show where there is none such."""
    rows = placed(views, desk.runs.broken(memory.thread), desk.texts)
    row = rows[place.index] if 0 <= place.index < len(rows) else None
    if row is None or row.utterance is None or row.message["content"].strip() != place.shown.strip():
        return settled(desk, memory, views, status=desk.texts["status"]["moved_on"], box=words)
    return Start(row.before, row.utterance, again=True)


def text_of(content: Any) -> str:
    """The text of a message as Gradio sends it: a string, or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))
