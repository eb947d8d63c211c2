"""Evidence of a catalogue and of the open web in one pool (METHOD 6.3): what is the same item is one candidate."""

import asyncio
from collections.abc import Sequence

from pdgf.errors import IndexUnavailable
from pdgf.identity import dated_years, name_key
from pdgf.models import Candidate, Evidence, PreferenceGraph, SearchQuery
from pdgf.ports import Acquired, EvidenceSource, ItemCatalogue
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

UNREAD = ("catalogue", "unread")  # the setback of a turn whose catalogue has no index that can be read


class CatalogueFirst:
    """An EvidenceSource over the catalogue alone, and over the web alone while the index of that cannot be read."""

    def __init__(self, *, catalogue: EvidenceSource, web: EvidenceSource) -> None:
        self._catalogue = catalogue
        self._web = web

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        """(C_q, EV_q) of the one or of the other; that it is the other is noted as a setback."""
        try:
            return await self._catalogue.acquire(graph, queries, config, budget)
        except IndexUnavailable:
            budget.set_back(*UNREAD)
            return await self._web.acquire(graph, queries, config, budget)


class CombinedSource:
    """An EvidenceSource over both, asked side by side. What the catalogue cannot give is left to the web, and noted."""

    def __init__(self, *, catalogue: EvidenceSource, web: EvidenceSource, items: ItemCatalogue) -> None:
        self._catalogue = catalogue
        self._web = web
        self._items = items

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        """(C_q, EV_q) of both; an item of the catalogue keeps its id and metadata."""
        near = asyncio.create_task(self._catalogue.acquire(graph, queries, config, budget))
        far = asyncio.create_task(self._web.acquire(graph, queries, config, budget))
        try:
            try:
                found = await near
            except IndexUnavailable:
                budget.set_back(*UNREAD)
                found = Acquired(candidates=(), evidence=())
            return joined(found, await far, self._items.items())
        finally:
            near.cancel()
            far.cancel()
            await asyncio.gather(near, far, return_exceptions=True)


def joined(near: Acquired, far: Acquired, items: Sequence[Candidate]) -> Acquired:
    """Two pools as one. A candidate of `far` that is an item of the catalogue becomes that item, recalled or not.

    The same key and the same year are the same item; a candidate without a year is it where only one item has its key
    (METHOD 6.3). At a node, what the catalogue says comes first.
    """
    own = _own_items(far.candidates, items)
    candidates = {candidate.id: candidate for candidate in near.candidates}
    for candidate in far.candidates:
        known = own.get(candidate.id, candidate)
        candidates.setdefault(known.id, known)
    evidence: dict[tuple[str, str], Evidence] = {(e.candidate, e.node): e for e in near.evidence}
    for found in far.evidence:
        item = own[found.candidate].id if found.candidate in own else found.candidate
        before = evidence.get((item, found.node))
        passages = (*before.passages, *found.passages) if before else found.passages
        evidence[item, found.node] = Evidence(candidate=item, node=found.node, passages=passages)
    return near.model_copy(
        update={
            "candidates": tuple(candidates.values()),
            "evidence": tuple(evidence.values()),
            "dropped": (*near.dropped, *far.dropped),
        }
    )


def _own_items(candidates: Sequence[Candidate], items: Sequence[Candidate]) -> dict[str, Candidate]:
    """The catalogue's item for each candidate that is one, by the candidate's id."""
    by_key: dict[str, list[Candidate]] = {}
    for item in items:
        by_key.setdefault(name_key(item.title), []).append(item)
    years = dated_years([(candidate.title, candidate.year) for candidate in candidates])
    found: dict[str, Candidate] = {}
    for candidate in candidates:
        same = by_key.get(name_key(candidate.title), [])
        if candidate.year is not None:
            fitting = [item for item in same if item.year in (None, candidate.year)]
            exact = [item for item in fitting if item.year == candidate.year]
            fitting = exact or fitting
        else:
            fitting = same if not years[name_key(candidate.title)] else []
        if len(fitting) == 1:
            found[candidate.id] = fitting[0]
    return found
