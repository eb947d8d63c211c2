"""What a user can change by hand, in the graph or in the state, and how a turn that does so is described. Pure."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Final

from pydantic import AfterValidator

from dialogue import intents, wording
from pdgf.models import Value

LONGEST: Final = 200  # characters of the words of one wish
MOST: Final = 100  # edits of one turn, and wishes that are written by hand at once
SEEN: Final = "seen"  # the key of what is known already: a list beside those of the state
BROUGHT: Final = "brought"  # the key of what a list says to be known that was brought from elsewhere
BRIEF: Final = 60  # characters of them that a turn is described with


class Act(StrEnum):
    """What is done by hand: to a wish that stands (the first six), a new wish, or an item of the state's lists."""

    DROP = "drop"
    MUST = "must"
    NICE = "nice"
    WANT = "want"
    AVOID = "avoid"
    REWORD = "reword"
    ADD = "add"
    FORGET = "forget"


Words = Annotated[str, AfterValidator(intents.cleaned)]  # nothing that cannot be stored


class Edit(Value):
    """One change: of a node of the graph; or else of the value `text` under a key of the state; or, for FORGET, of the
    item of that id in the list that `key` names, SEEN and BROUGHT among them.

    `text` is how a person names it, `words` what it is to be instead. ADD puts `words` under `key`, as a must where
    `hard`.
    """

    act: Act
    node: Words = ""
    key: Words = ""
    text: Words = ""
    words: Words = ""
    item: Words = ""
    hard: bool = False


def described(edits: Sequence[Edit]) -> str:
    """The edits as the words of the turn that makes them ("(edited: dropped “romance”)")."""
    said = [
        wording.say(f"edit.{edit.act.value}", wish=_brief(edit.text), words=_brief(cleaned(edit.words)))
        for edit in edits
    ]
    return wording.say("edit.utterance", what=wording.listed(said))


def cleaned(words: str) -> str:
    """The words of a wish as they are kept: one line, no mark at the end."""
    return " ".join(words.split()).rstrip(" .,;:!。，；：！")


def _brief(words: str) -> str:
    return words if len(words) <= BRIEF else f"{words[: BRIEF - 1].rstrip()}…"
