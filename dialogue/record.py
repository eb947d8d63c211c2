"""Reading and writing the record of a thread: values of the dialogue to and from their plain form. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from pydantic import TypeAdapter

from dialogue.models import ConstraintValue, DialogueState, ItemRef, TurnRecord, Understanding
from dialogue.wish_words import refuses

Refs = tuple[ItemRef, ...]

# What belongs to one turn, as it is when a turn begins.
ANEW: Final[TurnRecord] = {
    "finished": False,
    "undo": "",
    "moved": False,
    "carried": False,
    "go_to": "",
    "edits": [],
    "preface": "",
    "understanding": {},
    "notice": "",
    "replaced": [],
    "changed": False,
    "renews": False,
    "action": "",
    "reply": "",
    "items": [],
    "reasons": {},
    "shown_before": [],
    "cut_off": [],
    "sources": [],
    "comparison": {},
    "offered": [],
    "brought": [],
    "skipped": False,
    "graph": {},
    "notes": [],
}


_RECORD: TypeAdapter[TurnRecord] = TypeAdapter(TurnRecord)


def checked(stored: Mapping[str, Any]) -> TurnRecord:
    """A stored record whose every value is of the kind that it is declared to be. Raises ValueError."""
    record = _RECORD.validate_python(stored)
    state_of(record)
    reading_of(record)
    for items in ("shown", "focus", "seen"):
        refs(record.get(items, []))  # type: ignore[arg-type]
    return record


def lasting_of(before: TurnRecord) -> TurnRecord:
    """What a turn goes on with: wishes, judgements, the last list and its ranking."""
    return {
        "dialogue": before.get("dialogue", {}),
        "requests": before.get("requests", []),
        "shown": before.get("shown", []),
        "focus": before.get("focus", []),
        "seen": before.get("seen", []),
        "asked": before.get("asked", []),
        "open": before.get("open", []),
        "recommendation": before.get("recommendation", ""),
    }


def merged(items: Sequence[ItemRef], more: Iterable[ItemRef]) -> Refs:
    """The items and those of `more` that are new; identity is the id, never the name."""
    known = {item.id for item in items}
    return (*items, *{item.id: item for item in more if item.id not in known}.values())


def state_of(turn: TurnRecord) -> DialogueState:
    """The dialogue state of a thread; empty before the first turn."""
    return DialogueState.model_validate(turn.get("dialogue", {}))


def heard_in(turn: TurnRecord) -> str:
    """The utterance of a turn in its own places, without what it says to the system about itself."""
    return turn.get("heard", turn["utterance"])


def reading_of(turn: TurnRecord) -> Understanding:
    """What was read from this turn's utterance."""
    return Understanding.model_validate(turn.get("understanding", {}))


def refs(stored: Iterable[Mapping[str, Any]]) -> Refs:
    """ItemRefs from their plain form."""
    return tuple(ItemRef.model_validate(item) for item in stored)


def dumped(items: Iterable[ItemRef]) -> list[dict[str, Any]]:
    """ItemRefs in their plain form."""
    return [item.model_dump(mode="json") for item in items]


def items_of(state: DialogueState) -> Refs:
    """Every item of a state, each once."""
    return merged((), (*state.accepted_items, *state.rejected_items, *state.recommended_items))


def unwanted(value: ConstraintValue) -> bool:
    """Whether a value refuses a thing as such, by its own words or by those before it."""
    return value.avoid or refuses(value.text)


def values_of(state: DialogueState) -> list[tuple[str, ConstraintValue, bool]]:
    """Every wish of a state as (key, value, hard), hard ones first."""
    strengths = ((state.hard_constraints, True), (state.soft_constraints, False))
    return [(key, value, hard) for rows, hard in strengths for key, values in rows.items() for value in values]
