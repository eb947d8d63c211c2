"""A catalogue that no process could hold: its items are in memory, its passages in the database.

words of r_uv -> the items nearest by meaning (graph) and by their words (text search), ranks fused
numbers       -> of these the ones whose columns meet them, then others that do
              -> the passages of these items, of items with very many those nearest to anything asked
              -> an index in memory of them alone, which recalls, ranks and makes the records as always
What a search finds is therefore the best of the items recalled, not of all; records and labels are made the same way.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pdgf.constraints import MetadataSchema, schema_of
from pdgf.embedding import CachedEmbedder
from pdgf.errors import IndexUnavailable
from pdgf.models import Candidate, Metadata, Node, Passage, PreferenceGraph, SearchQuery, Source
from pdgf.ports import Acquired, ReviewHit, Vectors
from pdgf.settings import MethodConfig
from pdgf.sources.catalogue import CatalogueSource, met_in_numbers
from pdgf.sources.index import CatalogueIndex, PassageRow
from pdgf.sources.lexical import LexicalIndex
from pdgf.sources.pgvector.connection import literal
from pdgf.sources.pgvector.reviews import PgvectorReviews
from pdgf.sources.pgvector.staging import digest_of
from pdgf.sources.recall import RANK_OFFSET
from pdgf.sources.two_languages import english_texts
from pdgf.texts import sentences
from pdgf.traits import Traits, named_items
from pdgf.usage import Budget

POOL = 250  # items whose passages are looked at in one turn
ALIKE = 100  # items with the traits of a named one
MATCHED = 2_000  # passages with all words of a query that are ranked
LONG = 100  # passages; of an item with more only the nearest are taken
NEAREST_OF_LONG = 8  # passages for each text asked for

HEAD = 4  # bytes before the floats of a vector that is sent

BY_WORDS = """
    select i.id from (
        select item, ts_rank(to_tsvector('english', text), plainto_tsquery('english', %(words)s)) as rank
        from {passages} where to_tsvector('english', text) @@ plainto_tsquery('english', %(words)s) limit %(matched)s
    ) as hits join {items} as i on i.position = hits.item
    group by i.id, i.position order by max(hits.rank) desc, i.position limit %(n)s
"""
OF_ITEMS = """
    with wanted as (select position, id, passages from {items} where id = any(%(items)s)),
    nearest as (
        select best.row from wanted as w cross join unnest(%(asked)s::vector[]) as asked (vector)
        cross join lateral (
            select p.row from {passages} as p where p.item = w.position and p.key is null
            order by p.vector <#> asked.vector limit %(nearest)s
        ) as best where w.passages > %(long)s
    )
    select w.id, p.text, p.source, p.url, p.key
    from wanted as w join {passages} as p on p.item = w.position
    where w.passages <= %(long)s or p.key is not null
    or p.row in (select row from nearest)
    order by p.row
"""
OF_TEXTS = "select digest, vector_send(vector) from {texts} where digest = any(%(digests)s)"
ITEMS = "select id, title, year, metadata from {items} order by position"


@dataclass(frozen=True)
class _Items:
    """The items of one version."""

    version: int
    candidates: tuple[Candidate, ...]
    traits: Traits
    schema: MetadataSchema
    position: Mapping[str, int]


class StoredCatalogue:
    """An EvidenceSource, ReviewIndex and ItemCatalogue over a catalogue in the database. `open` makes one."""

    def __init__(
        self, reviews: PgvectorReviews, items: _Items, embedder: CachedEmbedder, *, current_year: int | None
    ) -> None:
        self._reviews = reviews
        self._items = items
        self._embedder = embedder
        self._current_year = current_year

    @classmethod
    async def open(
        cls, reviews: PgvectorReviews, embedder: CachedEmbedder, *, current_year: int | None = None
    ) -> "StoredCatalogue":
        """Reads the items. Raises CatalogueGone where nothing is served under the name, IndexUnavailable."""
        return cls(reviews, await _items_of(reviews), embedder, current_year=current_year)

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        """(C_q, EV_q) from the items recalled; see CatalogueSource. Raises BudgetSpent, EmbedderUnavailable and
        IndexUnavailable."""
        if await self._reviews.version() != self._items.version:
            self._items = await _items_of(self._reviews)
        items = self._items
        words = list(dict.fromkeys(query.words for query in queries))
        if not words or not items.candidates:
            return Acquired(candidates=(), evidence=(), known_metadata=items.schema)
        nodes = [graph.node_by_id[node] for node in dict.fromkeys(query.node for query in queries)]
        asked = english_texts([*words, *(node.feature or node.instantiation for node in nodes)])
        vectors = await self._embedder.encode(asked)
        searches = zip(asked[: len(words)], vectors, strict=False)
        found = await asyncio.gather(*(self._recalled(word, vector, config) for word, vector in searches))
        named = named_items(graph, items.traits)
        alike = [self._alike(position) for position in dict.fromkeys(named.values())]
        first = [items.candidates[position].id for position in dict.fromkeys(named.values())]
        met = [ids for ids in [await asyncio.to_thread(_met, node, items) for node in nodes] if ids is not None]
        pool = _pool(first, [*found, *alike], met)
        index = await self._index_of(pool, vectors)
        self._embedder.preload(index.texts, index.text_vectors)
        source = CatalogueSource(index, self._embedder, current_year=self._current_year, schema=items.schema)
        return await source.acquire(graph, queries, config, budget)

    async def nearest(self, query: str, items: Sequence[str], k: int) -> list[ReviewHit]:
        """See ReviewIndex."""
        return await self._reviews.nearest(query, items, k)

    def items(self) -> Sequence[Candidate]:
        """All items, in the order of the file."""
        return self._items.candidates

    def metadata_of(self, item: str) -> Metadata:
        """Metadata by item id. Raises KeyError for an unknown id."""
        return self._items.candidates[self._items.position[item]].metadata

    async def close(self) -> None:
        """Let go of the connections."""
        await self._reviews.close()

    async def _recalled(self, words: str, vector: Vectors, config: MethodConfig) -> list[str]:
        """The best items for one query by meaning and by words."""
        near = await self._reviews.near_items(vector, config.catalogue_recall)
        values = {"words": words, "matched": MATCHED, "n": config.catalogue_recall}
        said = await self._reviews.ask(BY_WORDS, values)
        return _fused([near, [item for (item,) in said]])[: config.catalogue_recall]

    def _alike(self, position: int) -> list[str]:
        """The items that share most traits with one."""
        scores = self._items.traits.alike(position)
        best = np.argsort(-scores, kind="stable")[:ALIKE]
        return [self._items.candidates[item].id for item in best if scores[item] > 0.0]

    async def _index_of(self, pool: Sequence[str], asked: Vectors) -> CatalogueIndex:
        """An index of these items alone, in the order of the catalogue."""
        values = {
            "items": list(pool),
            "asked": list(dict.fromkeys(map(literal, asked))),
            "long": LONG,
            "nearest": NEAREST_OF_LONG,
        }
        rows = await self._reviews.ask(OF_ITEMS, values)
        known = sorted(self._items.position[item] for item in pool if item in self._items.position)
        candidates = tuple(self._items.candidates[position] for position in known)
        texts = await asyncio.to_thread(_texts_of, rows)
        vectors = await self._vectors(texts)
        return await asyncio.to_thread(_index, candidates, rows, texts, vectors)

    async def _vectors(self, texts: Sequence[str]) -> Vectors:
        """The stored vectors of passages and sentences."""
        digests = [digest_of(text) for text in texts]
        stored = dict(await self._reviews.ask(OF_TEXTS, {"digests": digests}))
        if len(stored) < len(set(digests)):
            raise IndexUnavailable("the index in the database has changed meanwhile; please ask again")
        sent = b"".join(stored[digest][HEAD:] for digest in digests)
        found: Vectors = np.frombuffer(sent, ">f4").astype(np.float32).reshape(len(digests), -1)
        return found


async def _items_of(reviews: PgvectorReviews) -> _Items:
    version, rows = await reviews.version(), await reviews.ask(ITEMS, {})
    candidates = tuple(
        Candidate(id=item, title=title, year=year, metadata=metadata) for item, title, year, metadata in rows
    )
    return _Items(
        version=version,
        candidates=candidates,
        traits=Traits.of(candidates),
        schema=schema_of(candidates),
        position={candidate.id: position for position, candidate in enumerate(candidates)},
    )


def _met(node: Node, items: _Items) -> dict[str, None] | None:
    """The items that meet the numbers which a node asks for, in the order of the file; None where it asks for none."""
    met = met_in_numbers(node, items.schema, items.candidates)
    return None if met is None else {items.candidates[position].id: None for position in np.flatnonzero(met)}


def _pool(named: Sequence[str], found: Sequence[Sequence[str]], met: Sequence[Mapping[str, None]]) -> list[str]:
    """The items that a turn looks at: those that are named, then what the searches found by fused ranks, what of it
    meets numbers ranked once more by that; what meets numbers and no search found fills the rest."""
    in_order = _fused(found)
    ranked = [*found, *([item for item in in_order if item in those] for those in met)]
    return list(dict.fromkeys([*named, *_fused(ranked), *(item for those in met for item in those)]))[:POOL]


def _fused(rankings: Sequence[Sequence[str]]) -> list[str]:
    """Items by reciprocal ranks, ties to the one that was found first."""
    total: dict[str, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            total[item] = total.get(item, 0.0) + 1.0 / (RANK_OFFSET + rank)
    return sorted(total, key=lambda item: -total[item])


def _texts_of(rows: Sequence[tuple[Any, ...]]) -> tuple[str, ...]:
    texts = dict.fromkeys(row[1] for row in rows)
    texts |= dict.fromkeys([sentence for text in texts for sentence in sentences(text)])
    return tuple(texts)


def _index(
    candidates: tuple[Candidate, ...], rows: Sequence[tuple[Any, ...]], texts: tuple[str, ...], vectors: Vectors
) -> CatalogueIndex:
    place = {candidate.id: position for position, candidate in enumerate(candidates)}
    passages = tuple(
        PassageRow(Passage(text=text, source=Source(id=source, url=url)), place[item], key)
        for item, text, source, url, key in rows
        if item in place
    )
    lexical = LexicalIndex.build([row.passage.text for row in passages])
    return CatalogueIndex(candidates, passages, texts, vectors, lexical)
