"""Topological path ranking (METHOD 7): label what has to be labelled, score along the paths, order.

Which labels are needed is decided in `lazy`, what they are worth in `scoring`; here they are asked for, checked
against the text they quote, and turned into ranked items.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pdgf.constraints import HardVerdict, hard_violation, schema_of
from pdgf.counterfactual import entry_of
from pdgf.errors import BudgetSpent
from pdgf.lazy import Labelling, Pair, next_wave, next_wide_wave, open_queue, put_back
from pdgf.models import Evidence, Label, PoolEntry, PreferenceGraph, RankedItem, RelationLabel, Value
from pdgf.ports import Acquired, PreferenceAgent, RelationRequest
from pdgf.scoring import final_score, path_score
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

# Pairs a labelling round, one a record. More make fewer rounds but label items that a closer look would have spared:
# on random pools of 250 to 690 items 24 needs 16 to 31 % of all labels, 48 needs 16 to 35 % in 0.6 times the rounds.
WAVE_SIZE = 24
# Where rounds are what costs: the most pairs that are asked for before anything is known of the pool.
WIDE_WAVE_SIZE = 160
MOST_DROPPED = 2  # hard wishes without which an item would keep the others, for it to be a near miss
KEPT_LABELS = 100_000  # about 60 MB; a request of ten wishes on a pool of a hundred makes some two thousand


UNADDRESSED = RelationLabel(label=Label.NOT_ADDRESSED)


class LabelCache:
    """label(x, f) by the digests of both texts: exact, for a label depends on nothing else (METHOD 7.1, 10).

    It holds the labels as the agent gave them, the least recently used leave first. One cache belongs to one agent.
    """

    def __init__(self, *, capacity: int = KEPT_LABELS) -> None:
        self._capacity = capacity
        self._labels: OrderedDict[tuple[bytes, bytes], RelationLabel] = OrderedDict()

    def get(self, text: str, feature: str) -> RelationLabel | None:
        """The label of a pair that was judged before."""
        key = (_digest(text), _digest(feature))
        if key in self._labels:
            self._labels.move_to_end(key)
        return self._labels.get(key)

    def put(self, text: str, feature: str, label: RelationLabel) -> None:
        """Remember the label of a pair. Most are silent and equal: those are one."""
        self._labels[_digest(text), _digest(feature)] = UNADDRESSED if label == UNADDRESSED else label
        if len(self._labels) > self._capacity:
            self._labels.popitem(last=False)


class Ranking(Value):
    """The first items of L_q. `compared` labels were computed or reused, of the `all_comparisons` of the whole pool.

    When the budget ran out on the way, `complete` is false and the items are those whose labels were all known.
    `entries` are what is known of the whole pool.
    """

    items: tuple[RankedItem, ...]
    compared: int
    all_comparisons: int
    complete: bool = True
    entries: tuple[PoolEntry, ...] = ()


async def rank(
    graph: PreferenceGraph,
    acquired: Acquired,
    *,
    agent: PreferenceAgent,
    config: MethodConfig,
    budget: Budget,
    k: int,
    labels: LabelCache,
    first: int | None = None,
    settled: Callable[[RankedItem], None] | None = None,
) -> Ranking:
    """The k best items of the pool in the order of METHOD 7.4, with paths, labels and reasons.

    Lazy labelling gives exactly what full labelling gives (METHOD 11.2). `settled` is told of each item in its final
    order as soon as its place and all its labels are certain; the labels that the `first` places need come first.
    Raises BudgetSpent when the budget ends
    before every label of at least one item is known, KeyError for a record of an unknown candidate or node, and
    whatever the agent raises.
    """
    verdicts = _hard_verdicts(graph, acquired, config)
    violated = [verdict.violated is not None for verdict in verdicts]
    labelling = Labelling(graph, acquired, config=config, violated=violated)
    features = {node.id: node.feature for node in graph.nodes}
    judge = _Judge(labelling=labelling, agent=agent, budget=budget, labels=labels, features=features)
    judge.reuse()
    complete = True

    def told(item: int) -> None:
        if settled is not None:
            settled(_ranked_item(labelling, item, verdicts[item]))

    try:
        best = await _best_first(labelling, judge, k=k, first=min(first or k, k), told=told)
    except BudgetSpent:
        best = _finished(labelling)[:k]
        if not best:
            raise
        complete = False
    if complete and first is not None:
        await _label_near_misses(labelling, judge, verdicts, best[:first])
    return Ranking(
        items=tuple(_ranked_item(labelling, item, verdicts[item]) for item in best),
        compared=labelling.compared(),
        all_comparisons=labelling.all_comparisons(),
        complete=complete,
        entries=tuple(entry_of(labelling, item, verdicts[item].broken) for item in labelling.records_of),
    )


def verified(label: RelationLabel, evidence: Evidence) -> RelationLabel:
    """A label as far as its quotes bear it out: each must stand word for word in one passage of x (METHOD 7.1).

    Anything else, and anything without a quote, is NOT_ADDRESSED.
    """
    if label.label is Label.NOT_ADDRESSED:
        return UNADDRESSED
    borne_out = label.quotes and all(quote.strip() and evidence.sources_of(quote) for quote in label.quotes)
    return label if borne_out else UNADDRESSED


@dataclass(frozen=True, kw_only=True)
class _Judge:
    """Asks the agent for labels, once for each distinct (x, f)."""

    labelling: Labelling
    agent: PreferenceAgent
    budget: Budget
    labels: LabelCache
    features: dict[str, str]

    def reuse(self) -> None:
        """Take in what the cache knows of the pool."""
        pairs = self.labelling.missing(self.labelling.records_of)
        known = {texts: self.labels.get(*texts) for texts in self._texts(pairs)}
        self.budget.took_over("labels", (texts for texts, label in known.items() if label is not None))
        self._learn(pairs, known)

    async def label(self, pairs: Sequence[Pair]) -> None:
        """One round: everything the pairs need in one call. Raises BudgetSpent before asking."""
        found = {texts: self.labels.get(*texts) for texts in self._texts(pairs)}
        unknown = [texts for texts, label in found.items() if label is None]
        if unknown:
            self.budget.spend_comparisons(len(unknown))
            self.budget.made("labels", unknown)
            requests = [RelationRequest(text=text, feature=feature) for text, feature in unknown]
            for texts, label in zip(unknown, await self.agent.label_relations(requests, self.budget), strict=True):
                if not label.by_default:
                    self.labels.put(*texts, label)
                found[texts] = label
        self._learn(pairs, found)

    def _texts(self, pairs: Sequence[Pair]) -> list[tuple[str, str]]:
        """(x, f) of each pair."""
        records = self.labelling.records
        return [(records[record].text, self.features[node]) for record, node in pairs]

    def _learn(self, pairs: Sequence[Pair], found: Mapping[tuple[str, str], RelationLabel | None]) -> None:
        labels = zip(pairs, map(found.__getitem__, self._texts(pairs)), strict=True)
        records = self.labelling.records
        self.labelling.learn({pair: verified(label, records[pair[0]]) for pair, label in labels if label is not None})


async def _best_first(
    labelling: Labelling, judge: _Judge, *, k: int, first: int, told: Callable[[int], None]
) -> list[int]:
    """The k best items, every label of theirs known; `told` hears of each as soon as that is so."""
    if not labelling.config.lazy_labels:
        await judge.label(labelling.missing(labelling.records_of))
    wide = labelling.config.label_rounds == "few_rounds"
    queue = open_queue(labelling)
    best: list[int] = []
    ready = 0
    while queue and len(best) < k:
        room = (first if wide and len(best) < first else k) - len(best)
        if wide:
            wave = next_wide_wave(labelling, queue, room=room, size=WIDE_WAVE_SIZE)
        else:
            wave = next_wave(labelling, queue, room=room, size=WAVE_SIZE)
        best += wave.emitted
        if wave.pairs:  # what emitted items lack for their explanation shares the round
            await judge.label((*wave.pairs, *labelling.missing(best)))
        put_back(labelling, queue, wave.held)
        ready = _tell(labelling, best, ready, told)
    await judge.label(labelling.missing(best))
    _tell(labelling, best, ready, told)
    return best


async def _label_near_misses(
    labelling: Labelling, judge: _Judge, verdicts: Sequence[HardVerdict], best: Sequence[int]
) -> None:
    """Where fewer items keep every hard wish than are to be shown: label what decides how many more there would be
    without one or two of these wishes. Two rounds at most, as far as the budget goes; the order does not need them.
    """
    if not any(labelling.demoted(item) for item in best):
        return

    def near_misses(most: int) -> list[int]:
        broken = ((item, labelling.broken(item, verdicts[item].broken)) for item in labelling.records_of)
        return [item for item, nodes in broken if len(nodes) <= most]

    try:
        pairs = labelling.missing_own(near_misses(MOST_DROPPED), hard_only=True)
        if pairs:
            await judge.label(pairs[:WIDE_WAVE_SIZE])
        pairs = labelling.missing(near_misses(1))
        if pairs:
            await judge.label(pairs[:WIDE_WAVE_SIZE])
    except BudgetSpent:
        return


def _tell(labelling: Labelling, best: Sequence[int], ready: int, told: Callable[[int], None]) -> int:
    """Tell of the items from place `ready` on as far as all their labels are known; the place that this reached."""
    while ready < len(best) and not labelling.missing([best[ready]]):
        told(best[ready])
        ready += 1
    return ready


def _finished(labelling: Labelling) -> list[int]:
    """The items whose labels are all known, best first."""
    known = [item for item in labelling.records_of if not labelling.missing([item])]
    return sorted(known, key=labelling.optimistic_key)


def _hard_verdicts(graph: PreferenceGraph, acquired: Acquired, config: MethodConfig) -> list[HardVerdict]:
    """What the metadata of each candidate say about the hard constraints (METHOD 7.5); nothing with `keep`."""
    if config.hard_contradiction == "keep":
        return [HardVerdict()] * len(acquired.candidates)
    schema = acquired.known_metadata if acquired.known_metadata.keys else schema_of(acquired.candidates)
    return [hard_violation(graph, candidate, schema) for candidate in acquired.candidates]


def _ranked_item(labelling: Labelling, item: int, verdict: HardVerdict) -> RankedItem:
    config = labelling.config
    records = labelling.records_of[item]
    judged = {labelling.records[record].node: dict(labelling.judged[record]) for record in records}
    paths = tuple(
        path_score(
            labelling.graph,
            node,
            {u: label.label for u, label in found.items()},
            score_map=config.score_map,
            gamma=config.gamma,
        )
        for node, found in judged.items()
    )
    return RankedItem(
        candidate=labelling.candidates[item],
        score=final_score({path.node: path.score for path in paths}, aggregate=config.aggregate),
        demoted=_reason(labelling, item, verdict),
        paths=paths,
        evidence=tuple(labelling.records[record] for record in records),
        judged=judged,
        unknown=verdict.unknown,
        unchecked=verdict.unchecked,
    )


def _reason(labelling: Labelling, item: int, verdict: HardVerdict) -> str | None:
    """Why an item follows all others: its metadata, or the quote that contradicts a hard wish."""
    if not labelling.demoted(item):
        return None
    if verdict.violated is not None:
        return verdict.violated
    contradiction = labelling.contradicted(item)
    if contradiction is None:
        return None
    evidence, label = contradiction
    wishes = {node.id: node.instantiation for node in labelling.graph.nodes}
    return f'{wishes[evidence.node]}: "{label.quotes[0]}"'


@lru_cache(maxsize=4_096)  # a pool's texts meet every wish; about 8 MB
def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()
