"""The names by which Chinese readers know the items of a catalogue (METHOD 9.7). Pure."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dialogue.models import ItemRef
from pdgf.glossary import has_han, language_of
from pdgf.models import Candidate

NAMES: deque[tuple[Sequence[Candidate], Mapping[str, str]]] = deque(maxlen=8)  # those of the catalogues told of last


def chinese_name(item: Candidate) -> str:
    """The Chinese one of an item's other titles; empty where it has none."""
    return chinese_title(item.metadata)


def chinese_title(metadata: Mapping[str, Any]) -> str:
    """The same, from the metadata of an item."""
    others = metadata.get("other_titles")
    if not isinstance(others, list):
        return ""
    return next((name for name in reversed(others) if has_han(name) and language_of(name) == "zh"), "")


def chinese_names(items: Sequence[Candidate]) -> Mapping[str, str]:
    """The Chinese names by title, without titles that are called differently from item to item. Worked out once for as
    long as a catalogue gives the same items."""
    known = next((names for seen, names in NAMES if seen is items), None)
    if known is None:
        found: dict[str, set[str]] = {}
        for item in items:
            if name := chinese_name(item):
                found.setdefault(item.title, set()).add(name)
        known = {title: next(iter(names)) for title, names in found.items() if len(names) == 1}
        NAMES.append((items, known))
    return known


def names_of(items: Iterable[ItemRef], catalogue: Sequence[Candidate]) -> dict[str, str]:
    """The Chinese names of some items by title, for a page that is Chinese whatever is spoken."""
    known = chinese_names(catalogue)
    return {item.title: known[item.title] for item in items if item.title in known}
