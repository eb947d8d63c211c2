"""Reading wishes for the graph while the message is still being understood (DESIGN section 5).

The narrative of the turn is guessed; if the guess comes true, the graph's reading is there, or on its way, when it is
asked for: an agent that keeps its replies, or joins equal calls, is asked once. If not, the guess is given up.
"""

import asyncio
import re
from collections.abc import Coroutine, Sequence
from typing import Any

from dialogue import narrative
from dialogue.models import ConstraintValue, DialogueState, KeptUtterance, Mention
from pdgf.errors import PdgfError

WORDS = 3  # a shorter message after a list is feedback or a question rather than a new wish
_QUESTION = re.compile(r"[?？吗呢]\s*$")
# Words that point at what was shown: such a message judges or asks rather than wishes. Only the price of a guess.
_POINTS = re.compile(
    r"\b(?:first|second|third|last|that|this|it|them|one|more)\b|第[一二三四五]|这[个本部]|那[个本部]", re.IGNORECASE
)
_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|\w+")


class ReadAhead:
    """At most one reading ahead of a turn."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    def start(self, reading: Coroutine[Any, Any, Any]) -> None:
        """Begin; what fails here fails again, and is dealt with, where the reading is needed."""

        async def read() -> None:
            try:
                await reading
            except PdgfError:
                return

        self._task = asyncio.create_task(read())

    def give_up(self) -> None:
        """The reading is not needed, or is needed no longer."""
        if self._task is not None:
            self._task.cancel()


def guess(requests: Sequence[KeptUtterance], state: DialogueState, text: str, *, turn: int, limit: int) -> str | None:
    """The narrative if the message does nothing but state wishes; None where it hardly does."""
    if state.recommended_items:
        unlikely = _QUESTION.search(text) or _POINTS.search(text) or len(_WORD.findall(text)) < WORDS
        if unlikely or any(item.title in text for item in state.recommended_items):
            return None
    whole: KeptUtterance = {
        "turn": turn,
        "text": text,
        "values": [(0, len(text), Mention.STATED.value)],
        "plain": True,
    }
    said = ConstraintValue(text=text, span=(turn, 0, len(text)))
    soft = {**state.soft_constraints, "others": (*state.soft_constraints.get("others", ()), said)}
    expected = state.model_copy(update={"soft_constraints": soft})
    return narrative.render([*requests, whole], expected, limit).text or None
