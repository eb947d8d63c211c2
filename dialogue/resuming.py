"""An answer to our own "which one do you mean?": the words that were left open, said again with what they mean. Pure.

"I have seen that one" of three is asked back; "the second" then means "I have seen the second". What the first words
wished for was noted when they were said; what they say of an item is read once its name stands in them.
"""

import re
from collections.abc import Sequence

from dialogue import pointing, titles
from dialogue.models import TurnRecord, Understanding
from pdgf.models import Candidate
from pdgf.quotes import place_of

_LEAD = re.compile(
    r"^(?:(?:sorry|oh|no|yes|well|ok|okay|i meant?|i was (?:talking|speaking) (?:about|of)|that(?:['’]s| is| would be)"
    r"|it(?:['’]s| is| was))\b[\s,:]*|(?:我(?:是)?(?:说|指)的?是?|是|就是)[\s,:，：]*)+",
    re.IGNORECASE,
)
_QUOTES = " \"'“”‘’«»《》「」.!。！,，"


def left_open(reading: Understanding, heard: str) -> list[str]:
    """[the utterance, its words that point at nothing] where exactly such words keep an utterance from being settled;
    empty where none do, or several."""
    words = [*reading.unresolved, *reading.unclear]
    if len(words) != 1 or place_of(words[0], heard) is None:
        return []
    return [heard, words[0]]


def said_again(turn: TurnRecord, text: str, known: Sequence[Candidate]) -> str | None:
    """The utterance that was left open with the answer in the place of its open words; None where nothing is open or
    the text is more than an answer. `known` are the items that it can name."""
    if not turn.get("open"):
        return None
    said, words = turn["open"]
    answer = _LEAD.sub("", text.strip()).strip(_QUOTES)
    place = place_of(words, said)
    if place is None or not answer or not (pointing.only_points(answer) or titles.find(answer, known)):
        return None
    return f"{said[: place[0]]}{answer}{said[place[1] :]}"


def verdict_alone(reading: Understanding) -> Understanding:
    """A reading of words said again without what was heard the first time: wishes, and where the talk goes."""
    return reading.model_copy(update={"edits": (), "domain": None, "keeps_wishes": False, "new_topic": False})
