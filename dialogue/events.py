"""What a running turn streams to a surface, in order: steps, pieces of the reply, and at last the finished TurnView."""

from dataclasses import dataclass, field

from dialogue.models import TurnView


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step was reached. `name` is a key of the wording file, `counts` the numbers that its sentence needs."""

    name: str
    counts: dict[str, int] = field(default_factory=dict)


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
