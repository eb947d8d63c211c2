"""What a rejection with a reason has changed in the list, and why each item went: by the wish that puts it lower, with
the quote that shows it (METHOD 9.6). Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from dialogue import placing, wording
from dialogue.models import ItemRef, QuotedSource
from dialogue.standings import Standing, standings
from pdgf.models import Label, PreferenceGraph, RankedItem

NAMED = 2  # wishes that are named of one item
_ROOM = (
    (Label.CONTRADICTS, "changes.room_against"),
    (Label.PARTIAL, "changes.room_partly"),
    (Label.NOT_ADDRESSED, "changes.room_silent"),
)


class Change(NamedTuple):
    """A list before and after: what stood there, what was turned down of it or left out with it, what stands there now,
    and how the items that went stand to the wishes as far as that is known."""

    before: Sequence[ItemRef]
    turned_down: Collection[str]
    now: Sequence[RankedItem]
    gone: Mapping[str, RankedItem]

    @property
    def went(self) -> list[ItemRef]:
        """What stands there no more, in the order in which it stood."""
        kept = {item.candidate.id for item in self.now}
        return [item for item in self.before if item.id not in kept]


def told(change: Change, graph: PreferenceGraph, fresh: Collection[str]) -> tuple[str, tuple[QuotedSource, ...]]:
    """The sentences, and the quotes in them; empty where all went for having been turned down and nothing known of it
    speaks against the `fresh` wishes, those of this turn."""
    before = {item.id for item in change.before}
    stay = [item.candidate.title for item in change.now if item.candidate.id in before]
    came = [item.candidate.title for item in change.now if item.candidate.id not in before]
    asked = [item for item in change.went if item.id in change.turned_down]
    said, sources = list[str](), list[QuotedSource]()
    if stay:
        said.append(wording.say("changes.stay_one" if len(stay) == 1 else "changes.stay_many", titles=_names(stay)))
    if asked:
        key = "changes.asked_one" if len(asked) == 1 else "changes.asked_many"
        said.append(wording.say(key, titles=_names(item.title for item in asked)))
    plain = len(said)
    for item in change.went:
        ranked = change.gone.get(item.id)
        own = standings(ranked, graph) if ranked is not None else ()
        sentence, shown = _why(item, own, change, graph, fresh)
        said += sentence
        sources += placing.sources_of(ranked, shown) if ranked is not None else ()
    if len(said) == plain and not stay:
        return "", ()
    if came:
        said.append(wording.say("changes.new", titles=_names(came)))
    return wording.say("changes.all", what=wording.told(said)), tuple(dict.fromkeys(sources))


def _why(
    item: ItemRef, own: Sequence[Standing], change: Change, graph: PreferenceGraph, fresh: Collection[str]
) -> tuple[list[str], list[Standing]]:
    """Why one item went, and the standings that say so: what speaks against it for the wishes of this turn, or, where
    it was not turned down, for any; else what it meets less well than an item that came."""
    down = item.id in change.turned_down
    if down:
        against = [s for s in own if s.label is Label.CONTRADICTS and s.node in fresh][:NAMED]
        parts = placing.quoted_parts(against)
        return ([wording.say("changes.against", title=item.title, parts=parts)] if against else []), against
    lower = sorted((s for s in own if _is_lower(s, change, graph)), key=lambda s: s.node not in fresh)
    for label, key in _ROOM:
        found = [s for s in lower if s.label is label][:NAMED]
        if found:
            parts = placing.quoted_parts(found, last="or" if label is Label.NOT_ADDRESSED else "and")
            return [wording.say(key, title=item.title, parts=parts)], found
    return [wording.say("changes.room", title=item.title)], []


def _is_lower(standing: Standing, change: Change, graph: PreferenceGraph) -> bool:
    """Whether something that came stands better to a wish."""
    before = {item.id for item in change.before}
    came = [item for item in change.now if item.candidate.id not in before]
    worth = placing.WORTH[standing.label]
    return any(
        other.node == standing.node and placing.WORTH[other.label] > worth
        for item in came
        for other in standings(item, graph)
    )


def _names(titles: Iterable[str]) -> str:
    return wording.titles(list(titles))
