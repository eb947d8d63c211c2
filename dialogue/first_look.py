"""What there is, where every wish is left open ("just show me something"): items that differ as much as they can. Pure.

Nothing is wished for, so nothing is ranked: there is no graph (METHOD 4), no label and no score. The order is that in
which each next item shares the least with those before it, over what the cards of its domain tell.
"""

from collections.abc import Sequence

from dialogue import wording
from dialogue.citations import facts_of
from dialogue.domain import Domain
from dialogue.models import ItemRef, Piece
from dialogue.seen import unlisted
from pdgf.constraints.metadata import fact_line
from pdgf.identity import Exclusion
from pdgf.models import Candidate, PreferenceGraph, RankedItem, Recommendation

TOLD = 4  # facts of each item


def ranked(items: Sequence[Candidate], domain: Domain, known: Sequence[Exclusion], k: int) -> Recommendation:
    """At most `k` items of a catalogue, each as unlike those before it as can be; those `known` already left out."""
    left = unlisted([RankedItem(candidate=item, score=0.0) for item in items], known)
    values = {item.candidate.id: _values(item.candidate, domain) for item in left}
    shared = dict.fromkeys(values, 0)
    chosen: list[RankedItem] = []
    while left and len(chosen) < k:
        best = min(left, key=lambda item: (shared[item.candidate.id], -len(values[item.candidate.id])))
        left.remove(best)
        chosen.append(best)
        taken = values[best.candidate.id]
        for item in left:
            shared[item.candidate.id] += len(taken & values[item.candidate.id])
    return Recommendation(graph=PreferenceGraph(narrative=""), queries=(), items=tuple(chosen), pool=len(items))


def described(item: RankedItem, domain: Domain) -> Piece:
    """The first few facts of an item that its card tells, with where they stand."""
    ref = ItemRef(id=item.candidate.id, title=item.candidate.title, year=item.candidate.year)
    metadata = item.candidate.metadata
    wanted = [fact_line(key, metadata[key]) for key in domain.facts if key in metadata][:TOLD]
    lines = {fact.text: fact.source for fact in facts_of(ref, metadata)}
    said = [wording.fact_said(line) for line in wanted]
    return Piece(
        text=wording.say("recommend.facts", facts=wording.say("list.semicolon").join(said)),
        sources=tuple(lines[line] for line in wanted),
    )


def _values(item: Candidate, domain: Domain) -> frozenset[tuple[str, str]]:
    """What an item holds under the keys that tell its domain's items apart, a pair for each value."""
    found: set[tuple[str, str]] = set()
    for key in domain.facts:
        value = item.metadata.get(key)
        each = value if isinstance(value, list) else [] if value is None else [value]
        found |= {(key, str(part)) for part in each}
    return frozenset(found)
