"""The dialogue state in everyday words: what must be, what would be liked, what was taken and turned down."""

from collections.abc import Sequence
from dataclasses import dataclass

from dialogue.models import Constraints, DialogueState, ItemRef
from dialogue.ui.templates import render
from dialogue.ui.texts import Texts


@dataclass(frozen=True, kw_only=True)
class StateRow:
    """One of the five keys: its heading and its entries, each with the constraint key it stands under."""

    heading: str
    entries: tuple[tuple[str, str], ...]


def render_state(state: DialogueState, texts: Texts) -> str:
    """The five keys as a list in words."""
    words = texts["state"]
    rows = (
        StateRow(heading=words["hard_constraints"], entries=_wishes(state.hard_constraints)),
        StateRow(heading=words["soft_constraints"], entries=_wishes(state.soft_constraints)),
        StateRow(heading=words["accepted_items"], entries=_titles(state.accepted_items)),
        StateRow(heading=words["rejected_items"], entries=_titles(state.rejected_items)),
        StateRow(heading=words["recommended_items"], entries=_titles(state.recommended_items)),
    )
    return render("state.html", texts, rows=rows, empty=not any(row.entries for row in rows))


def _wishes(constraints: Constraints) -> tuple[tuple[str, str], ...]:
    return tuple((value.text, key.replace("_", " ")) for key, values in constraints.items() for value in values)


def _titles(items: Sequence[ItemRef]) -> tuple[tuple[str, str], ...]:
    return tuple((item.title, str(item.year or "")) for item in items)
