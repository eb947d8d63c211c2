"""What the prompt that reads an utterance is answered with; explanations and answers are prose.

How replies are written and read: `pdgf.engines.llm_replies`.
"""

from typing import Annotated

from pydantic import BeforeValidator, Field

from dialogue.models import Intent, Mention, StatePart
from pdgf.engines.llm_replies import Reply, Texts, Year, in_case, one_of


def _listed(value: object) -> object:
    if isinstance(value, list):
        return tuple(value)  # what is read strictly takes no list for a tuple any more, once a function has had it
    return () if value is None else (value,) if isinstance(value, int | str) else value


Numbers = Annotated[tuple[int, ...], BeforeValidator(_listed)]
Intents = Annotated[
    tuple[Annotated[Intent, in_case(str.lower), one_of(Intent)], ...],
    BeforeValidator(_listed),
]


def _parts(value: object) -> object:
    """The parts of the state among the words given; what is none of them says nothing."""
    words = (word.strip().casefold() for word in (_listed(value) or ()) if isinstance(word, str))  # type: ignore[attr-defined]
    return tuple(StatePart(word) for word in words if word in [*StatePart])


def _name(value: object) -> object:
    return value.strip() if isinstance(value, str) else ""


StateParts = Annotated[tuple[Annotated[StatePart, one_of(StatePart)], ...], BeforeValidator(_parts)]
Name = Annotated[str, BeforeValidator(_name)]


class WishRow(Reply):
    """One wish that the utterance states, asks about, objects to or leaves open."""

    text: str = Field(description="its words, copied character by character from the utterance")
    key: str = Field(description="the key it belongs under, exactly as listed")
    hard: bool = Field(default=False, description="true if it is a condition that must hold")
    avoid: bool = Field(default=False, description="true if the words name something unwanted")
    mention: Annotated[Mention, in_case(str.lower), one_of(Mention)] = Field(
        default=Mention.STATED, description="how it was said"
    )
    replaces: bool | None = Field(
        default=None,
        description="true if it takes the place of what the key holds, false if it is added to it, null if unsaid",
    )


class TakenBackRow(Reply):
    """One wish of the state that no longer holds."""

    key: str = Field(description="its key in the state")
    text: str = Field(description="its text exactly as it stands in the state")


class SeenRow(Reply):
    """One item that the user knows already."""

    title: str = Field(description="the title as listed, or else as the user writes it")
    year: Year = Field(default=None, description="its year if listed or said")


def _titled(value: object) -> object:
    """Rows of titles; a title by itself is a row too, and what holds none says nothing."""
    rows = value if isinstance(value, list | tuple) else [value]
    named = ({"title": row} if isinstance(row, str) else row for row in rows)
    return tuple(
        row
        for row in named
        if isinstance(row, SeenRow) or (isinstance(row, dict) and isinstance(row.get("title"), str))
    )


Titled = Annotated[tuple[SeenRow, ...], BeforeValidator(_titled)]


class UnderstandReply(Reply):
    """What an utterance says."""

    intents: Intents = Field(description="every intent that holds; empty if none does")
    wishes: tuple[WishRow, ...] = Field(description="in the order said; empty if there are none")
    taken_back: tuple[TakenBackRow, ...] = Field(default=(), description="wishes of the state that are withdrawn")
    about: Numbers = Field(default=(), description="numbers of the items that the questions are about")
    accepted: Numbers = Field(default=(), description="numbers of the items taken")
    rejected: Numbers = Field(default=(), description="numbers of the items turned down")
    seen: tuple[SeenRow, ...] = Field(default=(), description="items the user says they know already")
    questions: Texts = Field(default=(), description="each question about items, worded so that it stands alone")
    unresolved: Texts = Field(
        default=(), description="words, copied, that point into the list at an item which is not there"
    )
    interest: Numbers = Field(default=(), description="numbers of the items praised but not taken")
    liked: Titled = Field(default=(), description="items the user tells of having liked")
    disliked: Titled = Field(default=(), description="items the user tells of having disliked")
    candidates: Numbers = Field(default=(), description="numbers of the items that unresolved words may mean")
    new_topic: bool = Field(default=False, description="true if start_over only begins another request")
    domain: Name = Field(default="", description="the name of the other domain asked for; empty if none is")
    keeps_wishes: bool = Field(default=False, description="true if the wishes noted are to hold in that domain too")
    about_state: StateParts = Field(default=(), description="which parts of what was noted are asked for")
    greeting: bool = Field(default=False, description="true if the utterance is courtesy and nothing else")
    hello: bool = Field(default=False, description="true if its courtesy opens a talk")
    about_system: bool = Field(default=False, description="true if it asks what the system is or can do")
    about_accepted: bool = Field(default=False, description="true if it asks what the user has taken so far")
