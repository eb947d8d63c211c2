"""What the ranking would be without some wishes, from the labels that were stored with it. Pure.

Recommendation, nodes -> graph recomputed from E^0 without them          METHOD 4.5, pitfall 3
                      -> keys of the whole pool, between bounds          METHOD 7.4, 11.2
                      -> the list without them, what enters, what leaves

No agent is asked. Where a stored label is missing, or a description would be worded anew because one of its ancestors
goes, the answer says so: `certain` is False. Otherwise it is what ranking the pool again would give.
"""

from collections.abc import Collection, Mapping, Sequence

from pdgf.graph import without_nodes
from pdgf.lazy import Labelling
from pdgf.models import (
    Candidate,
    Evidence,
    Label,
    Passage,
    PoolEntry,
    PreferenceGraph,
    Recommendation,
    RelationLabel,
    Source,
    Value,
)
from pdgf.ports import Acquired
from pdgf.settings import MethodConfig


class Placed(Value):
    """An item of the list as it would be; `demoted` where it is known to break a hard wish that stays."""

    id: str
    title: str
    year: int | None = None
    demoted: bool = False


class Counterfactual(Value):
    """The list without the wishes of `nodes`: the whole pool in order, and how its first places change.

    `entering` and `leaving` are ids, in the order of the new and of the old list. `certain` says of the first places
    that they are exactly those of a ranking made anew; what comes later is in order as far as its labels are known.
    """

    nodes: tuple[str, ...]
    graph: PreferenceGraph
    items: tuple[Placed, ...]
    entering: tuple[str, ...]
    leaving: tuple[str, ...]
    certain: bool


def without(found: Recommendation, nodes: Collection[str], *, first: int) -> Counterfactual:
    """What the first places of a ranking would be if the user had never named some wishes.

    Raises KeyError for an unknown node.
    """
    graph = without_nodes(found.graph, nodes)
    entries = [entry for entry in found.entries if not entry.records.keys() <= set(nodes)]
    labelling = _labelling(found, graph, entries, gone=set(nodes))
    order = sorted(labelling.records_of, key=labelling.pessimistic_key)
    items = tuple(
        Placed(id=e.id, title=e.title, year=e.year, demoted=labelling.demoted(place))
        for place, e in ((place, entries[place]) for place in order)
    )
    before = [item.candidate.id for item in found.items[:first]]
    after = [item.id for item in items[:first]]
    return Counterfactual(
        nodes=tuple(node for node in found.graph.order if node in nodes),
        graph=graph,
        items=items,
        entering=tuple(item for item in after if item not in before),
        leaving=tuple(item for item in before if item not in after),
        certain=same_wording(found.graph, graph) and _settled(labelling, order, first),
    )


def entry_of(labelling: Labelling, item: int, broken: Mapping[str, str]) -> PoolEntry:
    """What is known of an item, to be stored with the ranking. `broken` are the hard nodes that its metadata break,
    with the reasons."""
    candidate = labelling.candidates[item]
    records = [(labelling.records[r], labelling.judged[r]) for r in labelling.records_of[item]]
    return PoolEntry(
        id=candidate.id,
        title=candidate.title,
        year=candidate.year,
        broken=dict(broken),
        records={record.node: _places(record) for record, _ in records},
        labels={record.node: {u: label.label for u, label in judged.items()} for record, judged in records},
    )


def _places(record: Evidence) -> tuple[str, ...]:
    return tuple(dict.fromkeys(passage.source.url or passage.source.id for passage in record.passages))


def _labelling(
    found: Recommendation, graph: PreferenceGraph, entries: Sequence[PoolEntry], *, gone: Collection[str]
) -> Labelling:
    """The pool as it would be labelled, with the labels that are known. Texts have no part in the order."""
    numbers = {key: value for key, value in found.config.items() if key in MethodConfig.model_fields}
    evidence = tuple(
        Evidence(
            candidate=entry.id,
            node=node,
            passages=tuple(Passage(text="", source=Source(id=place)) for place in places),
        )
        for entry in entries
        for node, places in entry.records.items()
        if node not in gone
    )
    labelling = Labelling(
        graph,
        Acquired(
            candidates=tuple(Candidate(id=entry.id, title=entry.title, year=entry.year) for entry in entries),
            evidence=evidence,
        ),
        config=MethodConfig.model_validate(numbers),
        violated=[not entry.broken.keys() <= set(gone) for entry in entries],
    )
    labels = {entry.id: entry.labels for entry in entries}
    labelling.learn(
        {
            (place, u): _bare(labels[record.candidate][record.node][u])
            for place, record in enumerate(labelling.records)
            for u in labelling.chains[record.node]
            if u in labels[record.candidate].get(record.node, {})
        }
    )
    return labelling


def _bare(label: Label) -> RelationLabel:
    return RelationLabel(label=label)


def same_wording(before: PreferenceGraph, after: PreferenceGraph) -> bool:
    """Whether each wish that stays has the ancestors it had, so that its description stays too (METHOD 10)."""
    return all(before.ancestors(node) == after.ancestors(node) for node in after.order)


def _settled(labelling: Labelling, order: Sequence[int], first: int) -> bool:
    """Whether the first places are certain: each item's key is its true one and no later one can be better."""
    best = [labelling.optimistic_key(item) for item in order]
    ahead = [labelling.pessimistic_key(item) for item in order[:first]]
    later = [min(best[place + 1 :], default=None) for place in range(len(ahead))]
    return all(
        key == best[place] and (rest is None or key < rest)
        for place, (key, rest) in enumerate(zip(ahead, later, strict=True))
    )
