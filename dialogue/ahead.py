"""Reading wishes for the graph while the message is still being understood (DESIGN section 5).

The narrative of the turn is guessed; if the guess comes true, the graph's reading is there, or on its way, when it is
asked for: an agent that keeps its replies, or joins equal calls, is asked once. If not, the guess is given up.
"""

import asyncio
import logging
import re
from collections.abc import Coroutine, Sequence
from typing import Any

from dialogue import narrative
from dialogue.models import ConstraintValue, DialogueState, KeptUtterance, Mention
from dialogue.spans import Span, hesitation_left, sentences
from pdgf.errors import PdgfError

WORDS = 3  # a shorter message after a list is feedback or a question rather than a new wish
_QUESTION = re.compile(r"[?？吗呢][\s\"'”’)]*$")
# Words that point at what was shown: such a message judges or asks rather than wishes. Only the price of a guess.
_POINTS = re.compile(
    r"\b(?:first|second|third|last|this|it|them|one|more)\b|第[一二三四五]|这[个本部]|那[个本部]"
    r"|(?<!thing )(?<!place )(?<!where )\bthat\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|\w+")
# Questions of courtesy or about the system, which no wish stands in; all others ask for something.
_SMALL_TALK = re.compile(
    r"\W*(?:(?:and|so|well|hi|hello|hey),?\s+)*(?:how(?:['’]s| are| is) (?:you|it|things)|who are you"
    r"|what(?:['’]s up| can you| do you know| are you))\b|\W*你(?:好吗|是谁|会什么|能做什么)",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"\W*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|thanks|thank you|bye|goodbye|there|again|so much"
    r"|你好|您好|谢谢|再见)\W*)+",
    re.IGNORECASE,
)

log = logging.getLogger(__name__)


class ReadAhead:
    """At most one reading ahead of a turn. Whoever owns the turn gives it up at its end."""

    def __init__(self) -> None:
        self._task: asyncio.Task[Any] | None = None

    def start(self, reading: Coroutine[Any, Any, Any]) -> None:
        """Begin; what fails here fails again, and is dealt with, where the reading is needed."""
        self.give_up()
        self._task = asyncio.create_task(reading)
        self._task.add_done_callback(_unheard)

    def give_up(self) -> None:
        """The reading is not needed, or is needed no longer."""
        if self._task is not None:
            self._task.cancel()


def guess(requests: Sequence[KeptUtterance], state: DialogueState, text: str, *, turn: int, limit: int) -> str | None:
    """The narrative if the message does nothing but state wishes, one a sentence; None where it hardly does."""
    if _COURTESY.fullmatch(text):
        return None
    if state.recommended_items:
        unlikely = _QUESTION.search(text) or _POINTS.search(text) or len(_WORD.findall(text)) < WORDS
        if unlikely or any(item.title in text for item in state.recommended_items):
            return None
    wishes = [span for span in _told(text) if not _SMALL_TALK.match(text[slice(*span)])]
    whole: KeptUtterance = {
        "turn": turn,
        "text": text,
        "values": [(*span, Mention.STATED.value) for span in wishes],
        "plain": True,
    }
    said = tuple(ConstraintValue(text=text[slice(*span)], span=(turn, *span)) for span in wishes)
    soft = {**state.soft_constraints, "others": (*state.soft_constraints.get("others", ()), *said)}
    expected = state.model_copy(update={"soft_constraints": soft})
    return narrative.render([*requests, whole], expected, limit).text or None


def _told(text: str) -> list[Span]:
    """The sentences of a message, each without the words at its start that only win time."""
    spans = (hesitation_left(text, sentence) for sentence in sentences(text))
    return [span for span in spans if span != (0, 0)]


def _unheard(task: asyncio.Task[Any]) -> None:
    """Take notice of how a reading ended, so that nobody hears of it; a fault of ours is named in the log."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, PdgfError):
        log.warning("reading ahead failed: %s", type(error).__name__)
