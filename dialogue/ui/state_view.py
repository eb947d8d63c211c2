"""The dialogue state as chips: what must be, what would be liked, what was taken and turned down. Each wish can be
removed or made a must or none, each item taken off the lists that keep it out."""

from collections.abc import Sequence
from dataclasses import dataclass

from dialogue.models import Constraints, DialogueState, ItemRef
from dialogue.ui.templates import render
from dialogue.ui.texts import Texts


@dataclass(frozen=True, kw_only=True)
class Chip:
    """A wish under its key, or an item by its id in a list. `beside` is the key in words, or the year."""

    text: str
    beside: str
    key: str
    item: str = ""


@dataclass(frozen=True, kw_only=True)
class StateRow:
    """One of the five keys. `toggle` is what a wish of it can become ("must", "nice"), `removes` what takes an entry
    out ("drop", "forget"); empty where it cannot."""

    heading: str
    chips: tuple[Chip, ...]
    toggle: str = ""
    removes: str = ""


def render_state(state: DialogueState, texts: Texts) -> str:
    """The five keys with what can be done to their entries."""
    words = texts["state"]
    hard, soft = _wishes(state.hard_constraints, texts), _wishes(state.soft_constraints, texts)
    rows = (
        StateRow(heading=words["hard_constraints"], chips=hard, toggle="nice", removes="drop"),
        StateRow(heading=words["soft_constraints"], chips=soft, toggle="must", removes="drop"),
        StateRow(
            heading=words["accepted_items"], chips=_titles("accepted_items", state.accepted_items), removes="forget"
        ),
        StateRow(
            heading=words["rejected_items"], chips=_titles("rejected_items", state.rejected_items), removes="forget"
        ),
        StateRow(heading=words["recommended_items"], chips=_titles("recommended_items", state.recommended_items)),
    )
    return render("state.html", texts, rows=rows, empty=not any(row.chips for row in rows))


def name_of(key: str, texts: Texts) -> str:
    """A key of the constraints as a person reads it."""
    return str(texts["state"]["keys"].get(key) or key.replace("_", " "))


def _wishes(constraints: Constraints, texts: Texts) -> tuple[Chip, ...]:
    return tuple(
        Chip(text=value.text, beside=name_of(key, texts), key=key)
        for key, values in constraints.items()
        for value in values
    )


def _titles(key: str, items: Sequence[ItemRef]) -> tuple[Chip, ...]:
    return tuple(Chip(text=item.title, beside=str(item.year or ""), key=key, item=item.id) for item in items)
