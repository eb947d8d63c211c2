"""The dialogue state as chips: what must be, what would be liked and what is to be kept away, what was taken, turned
down and is known already. Each wish can be removed or made a must or none, each item taken off the lists that keep it
out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dialogue import wording
from dialogue.edits import BROUGHT, SEEN
from dialogue.models import DialogueState, ItemRef
from dialogue.record import unwanted, values_of
from dialogue.ui.templates import render
from dialogue.ui.texts import Texts
from dialogue.wish_words import bare


@dataclass(frozen=True, kw_only=True)
class Chip:
    """A wish under its key, or an item by its id in a list. `named` is what it is called here; `beside` the column of a
    catalogue of one's own, whether what is refused is a must, or the year; `toggle` what a wish can become ("must",
    "nice"), empty where it cannot."""

    text: str
    named: str
    beside: str
    key: str
    item: str = ""
    toggle: str = ""


@dataclass(frozen=True)
class Brought:
    """The items that a list of one's own names, and how many titles it holds in all."""

    items: Sequence[ItemRef] = ()
    listed: int = 0


@dataclass(frozen=True, kw_only=True)
class StateRow:
    """Wishes of one kind, or a list of items. `removes` is what takes an entry out ("drop", "forget"); empty where
    nothing can."""

    heading: str
    chips: tuple[Chip, ...]
    removes: str = ""


def render_state(
    state: DialogueState,
    texts: Texts,
    seen: Sequence[ItemRef] = (),
    brought: Brought = Brought(),
    names: Mapping[str, str] | None = None,
) -> str:
    """The wishes and lists with what can be done to their entries; `seen` is known already, and so is what was
    `brought`. `names` are what else titles are called, for a Chinese page."""
    words, called = texts["state"], names if names and texts["page"]["language"] == wording.CHINESE else {}
    musts, liked, avoided = _wishes(state, texts)
    items = {"accepted_items": state.accepted_items, "rejected_items": state.rejected_items, SEEN: seen}
    lists = {key: _titles(key, held, called) for key, held in items.items()}
    suggested = _titles("recommended_items", state.recommended_items, called)
    rows = (
        StateRow(heading=words["hard_constraints"], chips=musts, removes="drop"),
        StateRow(heading=words["soft_constraints"], chips=liked, removes="drop"),
        StateRow(heading=words["avoided"], chips=avoided, removes="drop"),
        *(StateRow(heading=words[key], chips=chips, removes="forget") for key, chips in lists.items()),
        *_of_list(brought, texts, called),
        StateRow(heading=words["recommended_items"], chips=suggested),
    )
    return render("state.html", texts, rows=rows, empty=not any(row.chips for row in rows))


def _of_list(brought: Brought, texts: Texts, called: Mapping[str, str]) -> tuple[StateRow, ...]:
    """What a list of one's own names, where there is one: how many of its titles are known here, and which."""
    if not brought.listed:
        return ()
    heading = texts["state"][BROUGHT].format(here=len(brought.items), total=brought.listed)
    return (StateRow(heading=heading, chips=_titles(BROUGHT, brought.items, called), removes="forget"),)


def name_of(key: str, texts: Texts) -> str:
    """A key of the constraints as a person reads it."""
    return str(texts["state"]["keys"].get(key) or key.replace("_", " "))


def _wishes(state: DialogueState, texts: Texts) -> tuple[tuple[Chip, ...], ...]:
    """The wishes that are a must, the others, and those of both that refuse something."""
    chips: tuple[list[Chip], ...] = ([], [], [])
    for key, value, hard in values_of(state):
        refused, column = unwanted(value), "" if key in texts["state"]["keys"] else name_of(key, texts)
        beside = texts["facts"]["comma"].join(filter(None, [column, refused and hard and texts["state"]["strictly"]]))
        named = bare(value.text) if refused else value.text  # the heading says that it is not wanted
        chip = Chip(text=value.text, named=named, beside=beside, key=key, toggle="nice" if hard else "must")
        chips[2 if refused else 0 if hard else 1].append(chip)
    return tuple(map(tuple, chips))


def _titles(key: str, items: Sequence[ItemRef], called: Mapping[str, str]) -> tuple[Chip, ...]:
    named = [(item, called.get(item.title, item.title)) for item in items]
    return tuple(
        Chip(text=name, named=name, beside=str(item.year or ""), key=key, item=item.id) for item, name in named
    )
