"""Best-first lazy labelling, the pure part (METHOD 11.2): what is known of the labels of a pool and what to ask next.

Every unknown score lies between the ends of the score map, so each record has a lower and an upper bound of H and
each item an optimistic key that is never worse than its true one. A record is settled when its own label is known
and its bounds meet. An item is settled when all its records are: then its optimistic key is the true one, and if no
other item has a smaller one, it is the next item of the full ranking.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pdgf.identity import name_key
from pdgf.models import Evidence, Label, PreferenceGraph, RelationLabel
from pdgf.ports import Acquired
from pdgf.scoring import RankKey, best_path, chain, final_score, path_bounds, rank_key
from pdgf.settings import MethodConfig

Pair = tuple[int, str]  # a record, by its position in `Labelling.records`, and the node u whose f_u meets its x
Queue = list[tuple[RankKey, int]]  # a heap of items by optimistic key


class Wave(NamedTuple):
    """What one look at the queue gave: items to emit, items to put back, and the pairs to label before that."""

    emitted: tuple[int, ...]
    held: tuple[int, ...]
    pairs: tuple[Pair, ...]


class Labelling:
    """The labels of a pool as far as they are known. An item is its position among the candidates acquired.

    Only candidates with a record count: C_q is the union of the C_v (METHOD 6.2). `violated` says of each candidate
    whether its metadata break a hard constraint.
    """

    def __init__(
        self, graph: PreferenceGraph, acquired: Acquired, *, config: MethodConfig, violated: Sequence[bool]
    ) -> None:
        self.graph = graph
        self.config = config
        self.candidates = acquired.candidates
        place = {node: position for position, node in enumerate(graph.order)}
        self.records: tuple[Evidence, ...] = tuple(sorted(acquired.evidence, key=lambda record: place[record.node]))
        self.judged: list[dict[str, RelationLabel]] = [{} for _ in self.records]
        self.chains = {node: chain(graph, node) for node in graph.order}
        self._hard = {node.id for node in graph.nodes if node.hard}
        self._violated = violated
        self._low = [0.0] * len(self.records)
        self._high = [0.0] * len(self.records)
        self._fill_tables()
        self.records_of = self._group_by_item()
        self._tie_parts = {item: self._read_tie_parts(item) for item in self.records_of}

    def all_comparisons(self) -> int:
        """How many labels full labelling needs: the sum over the records of 1 + |Anc(v)| (METHOD 11.1)."""
        return sum(len(self.chains[record.node]) for record in self.records)

    def compared(self) -> int:
        """How many of them are known."""
        return sum(map(len, self.judged))

    def missing(self, items: Iterable[int]) -> tuple[Pair, ...]:
        """The pairs of the items that have no label yet."""
        records = (record for item in items for record in self.records_of[item])
        return tuple(
            (record, u)
            for record in records
            for u in self.chains[self.records[record].node]
            if u not in self.judged[record]
        )

    def learn(self, labels: Mapping[Pair, RelationLabel]) -> None:
        """Take labels in and tighten the bounds of their records."""
        touched: dict[str, set[int]] = defaultdict(set)
        for (record, u), label in labels.items():
            node = self.records[record].node
            self.judged[record][u] = label
            self._scores[node][self._row[record], self.chains[node].index(u)] = self.config.score_map[label.label]
            touched[node].add(record)
        for node, records in touched.items():
            self._bound(node, sorted(records))

    def wanted(self, item: int) -> tuple[Pair, ...]:
        """The pair that each unsettled record of the item needs next; empty when the item is settled."""
        nodes = ((record, self._next_node(record)) for record in self.records_of[item])
        return tuple((record, u) for record, u in nodes if u is not None)

    def knows_own_labels(self, item: int) -> bool:
        """Whether each record of the item has the label of its own node."""
        return all(self.records[record].node in self.judged[record] for record in self.records_of[item])

    def contradicted(self, item: int) -> tuple[Evidence, RelationLabel] | None:
        """The first record, in order pi, whose own label is known to contradict a hard node, with that label."""
        for record in self.records_of[item]:
            node = self.records[record].node
            label = self.judged[record].get(node) if node in self._hard else None
            if label is not None and _contradicts(label):
                return self.records[record], label
        return None

    def demoted(self, item: int) -> bool:
        """Whether the item is known to break a hard constraint (METHOD 7.5); never with `keep`."""
        return self._demotes() and (self._violated[item] or self.contradicted(item) is not None)

    def optimistic_key(self, item: int) -> RankKey:
        """The key of METHOD 7.4 from upper bounds; what is unknown demotes nothing."""
        high = {self.records[record].node: self._high[record] for record in self.records_of[item]}
        return self._key(item, high, demoted=self.demoted(item))

    def broken(self, item: int, by_metadata: Iterable[str]) -> frozenset[str]:
        """The hard nodes that the item is known to break: by its metadata, and by own labels that contradict."""
        own = ((self.records[record].node, self.judged[record]) for record in self.records_of[item])
        told = (node for node, found in own if node in self._hard and _contradicts(found.get(node)))
        return frozenset((*by_metadata, *told))

    def missing_own(self, items: Iterable[int], *, hard_only: bool = False) -> tuple[Pair, ...]:
        """The own-node labels of the items' records that are not known yet."""
        own = ((record, self.records[record].node) for item in items for record in self.records_of[item])
        return tuple(
            (record, node)
            for record, node in own
            if node not in self.judged[record] and (node in self._hard or not hard_only)
        )

    def pessimistic_key(self, item: int) -> RankKey:
        """The key of METHOD 7.4 from lower bounds, every unknown label of a hard node taken as a contradiction: never
        better than the true one."""
        low = {self.records[record].node: self._low[record] for record in self.records_of[item]}
        unknown = any(node in self._hard for _, node in self.missing_own([item]))
        return self._key(item, low, demoted=self.demoted(item) or (unknown and self._demotes()))

    def _next_node(self, record: int) -> str | None:
        """Own label first: it bounds most and decides demotion. Then the nearest unknown one on the path that carries
        the upper bound: there is one as long as the bounds differ, for a path without any would carry the lower too.
        """
        known, own = self.judged[record], self.records[record].node
        if own not in known:
            return own
        if self._low[record] == self._high[record]:
            return None
        score_map = self.config.score_map
        most = max(score_map.values())
        scores = {u: score_map[known[u].label] if u in known else most for u in self.chains[own]}
        path, _ = best_path(self.graph, own, scores, self.config.gamma)
        return next(u for u in reversed(path) if u not in known)

    def _demotes(self) -> bool:
        return self.config.hard_contradiction == "demote"

    def _key(self, item: int, path_scores: Mapping[str, float], *, demoted: bool) -> RankKey:
        sources, name, year = self._tie_parts[item]
        return rank_key(
            demoted=demoted,
            score=final_score(path_scores, aggregate=self.config.aggregate),
            best_path_score=max(path_scores.values()),
            sources=sources,
            nodes=len(path_scores),
            first_seen=item,
            name_key=name,
            year=year,
        )

    def _fill_tables(self) -> None:
        """One table of scores a node: a row for each record there, a column for each node of its chain, NaN unknown."""
        rows: dict[str, list[int]] = defaultdict(list)
        self._row: list[int] = []
        for position, record in enumerate(self.records):
            self._row.append(len(rows[record.node]))
            rows[record.node].append(position)
        self._scores = {node: np.full((len(found), len(self.chains[node])), np.nan) for node, found in rows.items()}
        for node, found in rows.items():
            self._bound(node, found)

    def _bound(self, node: str, records: Sequence[int]) -> None:
        known = self._scores[node][[self._row[record] for record in records]]
        low, high = path_bounds(self.graph, node, known, score_map=self.config.score_map, gamma=self.config.gamma)
        for record, least, most in zip(records, low.tolist(), high.tolist(), strict=True):
            self._low[record], self._high[record] = least, most

    def _group_by_item(self) -> dict[int, tuple[int, ...]]:
        item_of = {candidate.id: item for item, candidate in enumerate(self.candidates)}
        grouped: dict[int, list[int]] = defaultdict(list)
        for position, record in enumerate(self.records):
            grouped[item_of[record.candidate]].append(position)
        return {item: tuple(grouped[item]) for item in sorted(grouped)}

    def _read_tie_parts(self, item: int) -> tuple[int, str, int | None]:
        passages = (passage for record in self.records_of[item] for passage in self.records[record].passages)
        sources = {passage.source.url or passage.source.id for passage in passages}
        return len(sources), name_key(self.candidates[item].title), self.candidates[item].year


def _contradicts(label: RelationLabel | None) -> bool:
    return label is not None and label.label is Label.CONTRADICTS


def open_queue(labelling: Labelling) -> Queue:
    """All items by what is known of them now."""
    queue = [(labelling.optimistic_key(item), item) for item in labelling.records_of]
    heapq.heapify(queue)
    return queue


def next_wave(labelling: Labelling, queue: Queue, *, room: int, size: int) -> Wave:
    """Take from the queue what is settled and best, then the best unsettled items with up to `size` pairs to label.

    At most `room` items are still wanted: once as many settled ones have been passed, what follows cannot be among
    them. The best item whose own labels are known gets all it lacks at once: it costs next to nothing (on random pools
    up to a hundredth of all labels), saves rounds, and something is fully known after two or three. Items that are
    held belong back in the queue, with `put_back`, once their pairs are labelled.
    """
    emitted: list[int] = []
    held: list[int] = []
    pairs: list[Pair] = []
    settled = 0
    while queue and settled < room and len(pairs) < size:
        _, item = heapq.heappop(queue)
        wanted = labelling.wanted(item)
        pairs += wanted
        settled += not wanted
        if wanted or held:
            held.append(item)
        else:
            emitted.append(item)
    leader = next((item for item in held if labelling.knows_own_labels(item)), None)
    pairs += labelling.missing([] if leader is None else [leader])
    return Wave(tuple(emitted), tuple(held), tuple(dict.fromkeys(pairs)))


def next_wide_wave(labelling: Labelling, queue: Queue, *, room: int, size: int) -> Wave:
    """Like `next_wave`, for judges whose rounds cost more than their labels.

    Only contenders count: items whose optimistic key is no worse than the `room`-th best pessimistic one. Everything
    they lack is asked for at once if it is at most `size` pairs; else first the labels of their own nodes, which thin
    the contenders out. So the first `room` places are certain after at most two rounds, or one more for every `size`
    own labels of the pool.
    """
    emitted: list[int] = []
    while queue and len(emitted) < room and not labelling.wanted(queue[0][1]):
        emitted.append(heapq.heappop(queue)[1])
    if len(emitted) == room or not queue:
        return Wave(tuple(emitted), (), ())
    bar = heapq.nsmallest(room - len(emitted), (labelling.pessimistic_key(item) for _, item in queue))[-1]
    held = [item for key, item in sorted(queue) if key <= bar]
    queue[:] = [entry for entry in queue if entry[0] > bar]
    heapq.heapify(queue)
    pairs = labelling.missing(held)
    if len(pairs) > size:
        pairs = labelling.missing_own(held)[:size] or pairs
    return Wave(tuple(emitted), tuple(held), pairs)


def put_back(labelling: Labelling, queue: Queue, items: Iterable[int]) -> None:
    """Return items to the queue with the keys that their labels give them now."""
    for item in items:
        heapq.heappush(queue, (labelling.optimistic_key(item), item))
