"""What a running turn streams to a surface, in order: steps, pieces of the reply, and at last the finished TurnView."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dialogue.models import TurnView


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step was reached. `name` is a key of the wording file, `counts` the numbers that its sentence needs, `language`
    that of the turn; empty where nobody knows it yet."""

    name: str
    counts: dict[str, int] = field(default_factory=dict)
    language: str = ""


@dataclass(frozen=True, kw_only=True)
class ReplyPiece:
    """The next piece of the reply's text."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something went otherwise than asked; the sentence is told at once and again with the finished turn."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Finished:
    """The turn is done and stored."""

    view: TurnView


Event = Step | ReplyPiece | Note | Finished


def event_of(raw: Mapping[str, Any], language: str = "") -> Event:
    """An event from the form in which a step of the loop writes it; `language` is that of the turn."""
    if "piece" in raw:
        return ReplyPiece(text=raw["piece"])
    if "note" in raw:
        return Note(text=raw["note"])
    counts = {name: count for name, count in raw.items() if name != "step"}
    return Step(name=raw["step"], counts=counts, language=language)
