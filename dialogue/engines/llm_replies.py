"""What the prompt that reads an utterance is answered with; explanations and answers are prose.

How replies are written and read: `pdgf.engines.llm_replies`.
"""

from typing import Annotated

from pydantic import BeforeValidator, Field

from dialogue.models import Intent, Mention
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
    greeting: bool = Field(default=False, description="true if the utterance is courtesy and nothing else")
    hello: bool = Field(default=False, description="true if its courtesy opens a talk")
    about_system: bool = Field(default=False, description="true if it asks what the system is or can do")
    about_accepted: bool = Field(default=False, description="true if it asks what the user has taken so far")
