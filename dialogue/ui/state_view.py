"""The dialogue state as chips: what must be, what would be liked and what is to be kept away, what was taken, turned
down and is known already. Each wish can be removed or made a must or none, each item taken off the lists that keep it
out."""

from collections.abc import Sequence
from dataclasses import dataclass

from dialogue.edits import SEEN
from dialogue.models import DialogueState, ItemRef
from dialogue.record import values_of
from dialogue.ui.templates import render
from dialogue.ui.texts import Texts
from dialogue.wish_words import refuses


@dataclass(frozen=True, kw_only=True)
class Chip:
    """A wish under its key, or an item by its id in a list. `beside` is the key in words, or the year; `toggle` what a
    wish can become ("must", "nice"), empty where it cannot."""

    text: str
    beside: str
    key: str
    item: str = ""
    toggle: str = ""


@dataclass(frozen=True, kw_only=True)
class StateRow:
    """Wishes of one kind, or a list of items. `removes` is what takes an entry out ("drop", "forget"); empty where
    nothing can."""

    heading: str
    chips: tuple[Chip, ...]
    removes: str = ""


def render_state(state: DialogueState, texts: Texts, seen: Sequence[ItemRef] = ()) -> str:
    """The wishes and lists with what can be done to their entries; `seen` is known already."""
    words = texts["state"]
    musts, liked, avoided = _wishes(state, texts)
    items = {"accepted_items": state.accepted_items, "rejected_items": state.rejected_items, SEEN: seen}
    rows = (
        StateRow(heading=words["hard_constraints"], chips=musts, removes="drop"),
        StateRow(heading=words["soft_constraints"], chips=liked, removes="drop"),
        StateRow(heading=words["avoided"], chips=avoided, removes="drop"),
        *(StateRow(heading=words[key], chips=_titles(key, held), removes="forget") for key, held in items.items()),
        StateRow(heading=words["recommended_items"], chips=_titles("recommended_items", state.recommended_items)),
    )
    return render("state.html", texts, rows=rows, empty=not any(row.chips for row in rows))


def name_of(key: str, texts: Texts) -> str:
    """A key of the constraints as a person reads it."""
    return str(texts["state"]["keys"].get(key) or key.replace("_", " "))


def _wishes(state: DialogueState, texts: Texts) -> tuple[tuple[Chip, ...], ...]:
    """The wishes that are a must, the others, and those of both that refuse something."""
    chips: tuple[list[Chip], ...] = ([], [], [])
    for key, value, hard in values_of(state):
        refused, name = refuses(value.text), name_of(key, texts)
        beside = texts["state"]["strictly"].format(key=name) if refused and hard else name
        chip = Chip(text=value.text, beside=beside, key=key, toggle="nice" if hard else "must")
        chips[2 if refused else 0 if hard else 1].append(chip)
    return tuple(map(tuple, chips))


def _titles(key: str, items: Sequence[ItemRef]) -> tuple[Chip, ...]:
    return tuple(Chip(text=item.title, beside=str(item.year or ""), key=key, item=item.id) for item in items)
