"""What a turn of a told conversation may expect, and what holds of every turn whatever was said."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from dialogue.models import Action, DialogueState, Intent, TurnView
from pdgf.catalogues.reading import CatalogueItem
from pdgf.constraints import fact_line
from pdgf.models import Value, normalised

Bound = int | float | str | bool | list[int | float | None] | list[str]


class Expected(Value):
    """One turn. `say` may hold {1}, {2} ... for the titles of the last shown list, {last} for its last one.

    `wishes` must each stand in some value of the state, `not_wishes` in none; `hard` and `soft` give keys and words
    that must stand under them. `each` holds of every shown item, `first` of the first one, `some` of at least one:
    a metadata key (or "year", "title") with a value that it must hold, a list of values of which it must hold one, a
    range [low, high] of numbers with null for no end; a key with "not_" before it must not hold it. `says` are
    patterns that the reply must match, `says_not` such as it must not.
    """

    say: str
    intents: tuple[Intent, ...] | None = None
    action: Action | None = None
    wishes: tuple[str, ...] = ()
    not_wishes: tuple[str, ...] = ()
    hard: dict[str, str] = Field(default_factory=dict)
    soft: dict[str, str] = Field(default_factory=dict)
    accepted: tuple[str, ...] | None = None
    rejected: tuple[str, ...] | None = None
    shows: int | None = None
    each: dict[str, Any] = Field(default_factory=dict)
    first: dict[str, Any] = Field(default_factory=dict)
    some: dict[str, Any] = Field(default_factory=dict)
    fresh: bool = False  # nothing is shown that was shown before
    same_list: bool = False  # exactly what the last list showed
    says: tuple[str, ...] = ()
    says_not: tuple[str, ...] = ()
    sources: int | None = None  # at least so many
    kept: int | None = None  # at least so many nodes of the graph


class Told(Value):
    """A conversation: its domain and its turns."""

    about: str
    domain: str
    turns: tuple[Expected, ...]


def read_told(path: Path) -> Told:
    """A conversation from its file."""
    return Told.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))


def filled(text: str, shown: Sequence[str]) -> str:
    """A text with {1}, {2} ... and {last} replaced by the titles of a list."""
    for place, title in enumerate(shown, start=1):
        text = text.replace(f"{{{place}}}", title)
    return text.replace("{last}", shown[-1] if shown else "")


def faults(
    view: TurnView,
    expected: Expected,
    before: Sequence[TurnView],
    items: Mapping[str, CatalogueItem],
    shown: Sequence[str],
) -> list[str]:
    """What of a turn is not as a careful person would have it; empty when all is well."""
    found = [*_always(view, before, items)]
    if expected.intents is not None and set(view.intents) != set(expected.intents):
        found.append(f"intents {[intent.value for intent in view.intents]}")
    if expected.action is not None and view.action is not expected.action:
        found.append(f"action {view.action.value}")
    values = _values(view.state)
    words = [normalised(text) for _, text, _ in values]
    found += [f"no wish holds {wish!r}: {words}" for wish in expected.wishes if not any(wish in w for w in words)]
    found += [f"a wish holds {wish!r}: {words}" for wish in expected.not_wishes if any(wish in w for w in words)]
    for strength, hard in (("hard", True), ("soft", False)):
        for key, text in getattr(expected, strength).items():
            if not any(k == key and h is hard and text in normalised(t) for k, t, h in values):
                found.append(f"{text!r} is not {strength} under {key}: {values}")
    titles = {"accepted": view.state.accepted_items, "rejected": view.state.rejected_items}
    for name, refs in titles.items():
        wanted = getattr(expected, name)
        if wanted is not None:
            named = [filled(title, shown) for title in wanted]
            if sorted(named) != sorted(ref.title for ref in refs):
                found.append(f"{name}: {[ref.title for ref in refs]}, not {named}")
    if expected.shows is not None and len(view.items) != expected.shows:
        found.append(f"shows {len(view.items)} items")
    chosen = [items[item["id"]] for item in view.items]
    found += [f"{item.title}: {fault}" for item in chosen for fault in _unmet(item, expected.each)]
    found += [f"the first, {item.title}: {fault}" for item in chosen[:1] for fault in _unmet(item, expected.first)]
    if expected.first and not chosen:
        found.append("nothing is shown")
    if expected.some and not any(not _unmet(item, expected.some) for item in chosen):
        found.append(f"none of {[item.title for item in chosen]} has {expected.some}")
    earlier = {item["id"] for past in before for item in past.items}
    if expected.fresh and (again := [item.title for item in chosen if item.id in earlier]):
        found.append(f"shown before: {again}")
    if expected.same_list and [item.title for item in chosen] != list(shown):
        found.append(f"shows {[item.title for item in chosen]}, not {list(shown)}")
    found += [f"does not say {p!r}" for p in expected.says if not _says(view.reply, p, shown)]
    found += [f"says {p!r}" for p in expected.says_not if _says(view.reply, p, shown)]
    if expected.sources is not None and len(view.sources) < expected.sources:
        found.append(f"{len(view.sources)} sources")
    if expected.kept is not None and view.graph.kept < expected.kept:
        found.append(f"keeps {view.graph.kept} nodes")
    return found


def _says(reply: str, pattern: str, shown: Sequence[str]) -> bool:
    pattern = filled(pattern, [re.escape(title) for title in shown])
    return re.search(pattern, reply, re.IGNORECASE | re.DOTALL) is not None


def _always(view: TurnView, before: Sequence[TurnView], items: Mapping[str, CatalogueItem]) -> list[str]:
    """What holds of every turn: nothing judged is shown again, quotes stand in their items, words are the user's."""
    found = [] if view.reply.strip() else ["says nothing"]
    shown = {item["id"] for item in view.items}
    judged = {ref.id for ref in (*view.state.rejected_items, *view.state.accepted_items)}
    found += [f"shows {items[i].title}, which was judged" for i in shown & judged]
    for source in view.sources:
        known = items[source.item]
        texts = [review.text for review in known.reviews]
        facts = {**known.metadata, "year": str(known.year)}
        texts += [fact_line(key, value) for key, value in facts.items()]
        if not any(" ".join(source.quote.split()) in " ".join(text.split()) for text in texts):
            found.append(f"{source.quote!r} stands nowhere in {known.title}")
    told = (past.reply for past in (*before, view) if re.search(r'I take ".+" as "|我理解为「', past.reply))
    said = " ".join((*(past.utterance for past in (*before, view)), *told)).casefold()  # or said to be taken for it
    found += [f"{text!r} was never said" for _, text, _ in _values(view.state) if text.casefold() not in said]
    ranks = [item["rank"] for item in view.items]
    if ranks != list(range(1, len(ranks) + 1)):
        found.append(f"ranks {ranks}")
    return found


def _unmet(item: CatalogueItem, wanted: Mapping[str, Any]) -> list[str]:
    """The conditions that an item does not keep."""
    return [f"{key} is {_value(item, key)!r}" for key, bound in wanted.items() if not _keeps(item, key, bound)]


def _keeps(item: CatalogueItem, key: str, bound: Bound) -> bool:
    if key.startswith("not_"):
        return not _keeps(item, key.removeprefix("not_"), bound)
    value = _value(item, key)
    if value is None:
        return False
    held = [normalised(str(v)) for v in (value if isinstance(value, list) else [value])]
    if isinstance(bound, list) and len(bound) == 2 and any(isinstance(end, int | float) for end in bound):
        number = float(held[0])
        low, high = bound
        return (low in (None, "") or number >= float(low)) and (high in (None, "") or number <= float(high))
    wanted = [normalised(str(b)) for b in (bound if isinstance(bound, list) else [bound])]
    return any(w == h or (len(w) > 3 and w in h) for w in wanted for h in held)


def _value(item: CatalogueItem, key: str) -> Any:
    if key == "title":
        return item.title
    return item.year if key == "year" else item.metadata.get(key)


def _values(state: DialogueState) -> list[tuple[str, str, bool]]:
    both = ((state.hard_constraints, True), (state.soft_constraints, False))
    return [(key, value.text, hard) for rows, hard in both for key, values in rows.items() for value in values]
