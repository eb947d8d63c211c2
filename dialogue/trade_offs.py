"""What would be there without one or two of the hard wishes, counted over the labelled pool (METHOD 7.5). Pure.

PoolEntry        -> the hard wishes that it breaks, by metadata or by a label of its own record
one wish or two  -> the items that break these alone and of which something speaks for another wish: they would fit

A number is exact where every label that it depends on is known; otherwise it is the least that it can be, and told so.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from dialogue import wording
from dialogue.domain import Domain
from dialogue.models import DialogueState, ItemRef
from dialogue.record import values_of
from dialogue.standings import standings, wish_of
from pdgf.counterfactual import without
from pdgf.models import (
    Label,
    Node,
    Polarity,
    PoolEntry,
    PreferenceGraph,
    RankedItem,
    Recommendation,
    Value,
    normalised,
)

ALTERNATIVES = 2  # that are told
# Why an item is no part of the pool although it is known; where one is missing, nothing is said of all that is known.
LEFT_OUT = frozenset({"year", "shown", "rejected", "accepted", "seen", "reference"})
_HAN = re.compile(r"[\u4e00-\u9fff\d]+")
NAMED = 2  # titles of an alternative; one more is named rather than counted
_SAID = frozenset("abcdefghijklmnopqrstuvwxyz0123456789'’ -")  # what words that take a wish back may hold


class Alternative(Value):
    """What would fit without some hard wishes: `items` best first, `exact` unless more may fit than are known."""

    wishes: tuple[str, ...]
    nodes: tuple[str, ...]
    items: tuple[ItemRef, ...]
    exact: bool


class TradeOffs(Value):
    """`conflict` are two hard wishes that nothing in the pool keeps both of; `alternatives` the most useful first."""

    conflict: tuple[str, str] | None = None
    alternatives: tuple[Alternative, ...] = ()


NOTHING_ELSE = TradeOffs()


def trade_offs(found: Recommendation, graph: PreferenceGraph) -> TradeOffs:
    """What leaving out hard wishes would bring. `graph` holds the wishes that an explanation may speak of.

    Two wishes are left out together only where no single one would bring anything.
    """
    hard = _hard_wishes(found.graph)
    known = [_Known(entry, found.graph, graph) for entry in found.entries]
    singles = [(wish,) for wish in hard]
    alternatives = _useful(singles, hard, known) or _useful(combinations(hard, 2), hard, known)
    best = sorted(alternatives, key=lambda a: -len(a.items))[:ALTERNATIVES]
    whole = all(dropped.why not in LEFT_OUT for dropped in found.dropped)
    return TradeOffs(
        conflict=_conflict(hard, known) if whole else None, alternatives=tuple(_in_order(each, found) for each in best)
    )


def told(alternative: Alternative, *, more: bool) -> str:
    """An alternative as a sentence of the reply ("Without “Italian” there are 3: ..."), `more` than are there now."""
    wishes = wording.listed([wording.say("explain.named", wish=wish) for wish in alternative.wishes])
    count = len(alternative.items)
    named = alternative.items if count <= NAMED + 1 else alternative.items[:NAMED]
    others = [wording.say("trade_offs.others", count=count - len(named))] if count > len(named) else []
    titles = wording.listed([*(wording.titled(item.title) for item in named), *others])
    if not alternative.exact:
        key = "trade_offs.at_least_more" if more else "trade_offs.at_least"
    elif count == 1:
        key = "trade_offs.one_more" if more else "trade_offs.one"
    else:
        key = "trade_offs.many_more" if more else "trade_offs.many"
    return wording.say(key, wishes=wishes, count=count, titles=titles)


def offer(alternative: Alternative, found: Recommendation, state: DialogueState, domain: Domain) -> str | None:
    """The sentence that drops the wishes of an alternative, in the user's own words; a key that must be known is left
    open instead. None where the state does not hold the wishes, or no words would be understood."""
    nodes = {node.id: node for node in found.graph.nodes}
    drops, opened = dict[str, None](), dict[str, None]()
    for node in alternative.nodes:
        key, text = next(_alike(normalised(nodes[node].instantiation), state), ("", ""))
        needed = bool(domain.missing(state.known_keys - {key}))
        if needed and domain.row(key).anything:
            opened[wording.left_open(domain, key)] = None
        elif text and not needed and (set(text.casefold()) <= _SAID or _HAN.fullmatch(text)):
            drops[text] = None
        elif text and key != "others" and not needed:
            drops[wording.say("suggest.key", name=key.replace("_", " "))] = None
        else:
            return None
    said = [wording.say("suggest.drop", wishes=wording.listed([*drops]))] if drops else []
    sentence = wording.say("list.comma_between").join([*said, *opened])
    return sentence[:1].upper() + sentence[1:]


def in_the_way(items: Sequence[RankedItem], graph: PreferenceGraph) -> str | None:
    """The hard wish that most of the demoted items break; of equal ones the one said first."""
    hard = [node for node in graph.nodes if node.hard]
    broken = Counter(node.id for item in items if item.demoted is not None for node in hard if _breaks(item, node))
    most = max(broken.values(), default=0)
    return next((wish_of(node) for node in hard if most and broken[node.id] == most), None)


def pulling(items: Sequence[RankedItem], graph: PreferenceGraph) -> str:
    """One sentence about two wishes that pull against each other among the items: each item has one of them, the other
    is spoken against, and both are had by some. Empty where there are none."""
    if len(items) < 2:
        return ""
    labels = [{s.wish: s.label for s in standings(item, graph)} for item in items]
    for one, other in combinations(labels[0], 2):
        sides = [_side(found, one, other) for found in labels]
        if None not in sides and {one, other} == set(sides):
            first = items[sides.index(one)].candidate.title
            second = items[sides.index(other)].candidate.title
            return wording.say("trade_offs.pull", one=one, other=other, first=first, second=second)
    return ""


class _Known:
    """What is known of one entry of the pool: the hard wishes it breaks, those still open, and whether it fits."""

    def __init__(self, entry: PoolEntry, whole: PreferenceGraph, spoken: PreferenceGraph) -> None:
        self.entry = entry
        self._chains = {node: (*whole.ancestors(node), node) for node in entry.records}
        self._wanted = {n.id for n in spoken.nodes if n.polarity is Polarity.WANT} or set(spoken.order)
        hard = {node.id for node in whole.nodes if node.hard}
        own = {node: entry.labels.get(node, {}).get(node) for node in entry.records if node in hard}
        self.broken = {*entry.broken, *(node for node, label in own.items() if label is Label.CONTRADICTS)}
        self.open = {node for node, label in own.items() if label is None} - self.broken

    def breaks(self, nodes: Collection[str]) -> bool:
        return not self.broken.isdisjoint(nodes)

    def may_break(self, nodes: Collection[str]) -> bool:
        return not self.open.isdisjoint(nodes)

    def fits(self, gone: Collection[str]) -> bool | None:
        """Whether something speaks for a wish that stays; None where that cannot be said yet."""
        wanted = self._wanted.difference(gone)
        pairs = [(v, u) for v, chain in self._chains.items() if v not in gone for u in chain if u in wanted]
        labels = [self.entry.labels.get(v, {}).get(u) for v, u in pairs]
        if any(label in (Label.SUPPORT, Label.PARTIAL) for label in labels):
            return True
        return None if None in labels else False


def _hard_wishes(graph: PreferenceGraph) -> dict[str, tuple[str, ...]]:
    """The nodes of each hard wish, in order of mention; one wish may be two nodes."""
    found: dict[str, tuple[str, ...]] = {}
    words: dict[str, str] = {}
    for node in graph.nodes:
        if node.hard:
            wish = words.setdefault(normalised(wish_of(node)), wish_of(node))
            found[wish] = (*found.get(wish, ()), node.id)
    return found


def _useful(
    choices: Iterable[tuple[str, ...]], hard: Mapping[str, tuple[str, ...]], known: Sequence[_Known]
) -> list[Alternative]:
    return [found for wishes in choices if (found := _alternative(wishes, hard, known)).items]


def _alternative(wishes: tuple[str, ...], hard: Mapping[str, tuple[str, ...]], known: Sequence[_Known]) -> Alternative:
    """The items that break these wishes and no other, as far as that is known."""
    gone = {node for wish in wishes for node in hard[wish]}
    others = {node for wish, nodes in hard.items() if wish not in wishes for node in nodes}
    near = [(k, k.fits(gone)) for k in known if (k.breaks(gone) or k.may_break(gone)) and not k.breaks(others)]
    sure = [k for k, fits in near if fits and k.breaks(gone) and not k.may_break(others)]
    unsure = [k for k, fits in near if fits is not False and k not in sure]
    return Alternative(
        wishes=wishes,
        nodes=tuple(node for wish in wishes for node in hard[wish]),
        items=tuple(ItemRef(id=k.entry.id, title=k.entry.title, year=k.entry.year) for k in sure),
        exact=not unsure,
    )


def _in_order(alternative: Alternative, found: Recommendation) -> Alternative:
    """The alternative with its items in the order of the list without its wishes."""
    items = {item.id: item for item in alternative.items}
    change = without(found, alternative.nodes, first=len(items))
    return alternative.model_copy(update={"items": tuple(items[i.id] for i in change.items if i.id in items)})


def _conflict(hard: Mapping[str, tuple[str, ...]], known: Sequence[_Known]) -> tuple[str, str] | None:
    """Two hard wishes of which every item breaks one, though each alone is kept by some."""
    for one, other in combinations(hard, 2):
        both = {*hard[one], *hard[other]}
        alone = (any(not k.breaks(hard[wish]) and not k.may_break(hard[wish]) for k in known) for wish in (one, other))
        if known and all(k.breaks(both) for k in known) and all(alone):
            return one, other
    return None


def _side(labels: Mapping[str, Label], one: str, other: str) -> str | None:
    """Which of two wishes an item has while the other is spoken against."""
    for has, lacks in ((one, other), (other, one)):
        if labels[has] is Label.SUPPORT and labels[lacks] is Label.CONTRADICTS:
            return has
    return None


def _breaks(item: RankedItem, node: Node) -> bool:
    own = item.judged.get(node.id, {}).get(node.id)
    if own is not None and own.label is Label.CONTRADICTS:
        return True
    return normalised(node.instantiation) in normalised(item.demoted or "")


def _alike(wish: str, state: DialogueState) -> Iterator[tuple[str, str]]:
    """(key, text) of the values that are a wish, then of those that hold it or are a part of it."""
    values = [(key, value.text, normalised(value.text)) for key, value, _ in values_of(state)]
    yield from ((key, text) for key, text, words in values if words == wish)
    yield from ((key, text) for key, text, words in values if words != wish and (wish in words or words in wish))
