"""Evidence from a catalogue: hybrid recall along the edges of E+, and x_{v,i} from the passages nearest to f_v.

words of r_uv  -> BM25 best passage and dense late fusion an item, ranks fused -> the items recalled at v
"similar to X" -> traits shared with X, then dense late fusion with its notes, where X is in the catalogue
f_v            -> the nearest passages of each recalled item, its matching facts among them -> x_{v,i}; where f_v asks
                  for a number, of every item that any r_uv has recalled
"""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pdgf import temporal
from pdgf.constraints import MetadataSchema, Verdict, check, constraints_of, keys_asked
from pdgf.constraints.children import states_own_age
from pdgf.constraints.closed import tells_all
from pdgf.constraints.place_keys import keys_of_country
from pdgf.constraints.relative import check_relative, relative_wish
from pdgf.memo import Memo
from pdgf.models import Candidate, Dropped, Evidence, Metadata, Node, PreferenceGraph, SearchQuery
from pdgf.ports import Acquired, Embedder, ReviewHit, Vectors
from pdgf.reviewed_items import ReviewedItems
from pdgf.settings import MethodConfig
from pdgf.sources.dense import nearest
from pdgf.sources.index import CatalogueIndex
from pdgf.sources.passage_index import reviewed_items
from pdgf.sources.recall import depends_on, found_first, recall, recall_like
from pdgf.sources.records import Sought, record_of
from pdgf.sources.two_languages import (
    Asked,
    Row,
    english_texts,
    lexical_words,
    needs_chinese,
    scores_of,
    substance,
    together,
    wordless,
)
from pdgf.temporal import YearConstraint
from pdgf.traits import named_items
from pdgf.usage import Budget

# Below a cosine of .33 a sentence does not address a preference (METHOD 12); in a passage of three sentences the one
# that does is diluted a little.
DENSE_FLOOR = 0.3
# Half of the best score that the words of c_v reach anywhere in the catalogue: most of its rare words are there.
LEXICAL_FLOOR = 0.5
KEPT_RECALLS = 4_096  # searches; the rows of 200 items each are 1 kB


class CatalogueSource:
    """An EvidenceSource, ReviewIndex and ItemCatalogue over one index. Deterministic; ties go to the earlier item."""

    def __init__(
        self,
        index: CatalogueIndex,
        embedder: Embedder,
        chinese: Embedder | None = None,
        *,
        current_year: int | None = None,
        schema: MetadataSchema | None = None,
    ) -> None:
        """`chinese` is the encoder of the index's Chinese passages. With `current_year` the year rule holds before a
        search is cut to its best items, so that the cut is filled with items that may stay (METHOD 7.6). `schema`: of
        the whole catalogue, where the index holds a part of it."""
        self._current_year = current_year
        self._schema = index.schema if schema is None else schema
        self._index = index
        self._embedder = embedder
        self._chinese = chinese
        self._recalls: Memo[NDArray[np.int32]] = Memo(KEPT_RECALLS)

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        """(C_q, EV_q): candidates in the order in which the queries found them, evidence by node, then candidate.

        Each distinct query counts as one search; what was recalled for the same words before is taken over, except
        with reuse "exact" (METHOD 10). Raises BudgetSpent after the deadline, EmbedderUnavailable.
        """
        words = list(dict.fromkeys(query.words for query in queries))
        years = self._years(graph, config)
        named = named_items(graph, self._index.traits)
        like = {query.words: named[query.node] for query in queries if query.base is None and query.node in named}
        first = {query.words: graph.node_by_id[query.node] for query in reversed(queries)}
        met = {word: found for word, node in first.items() if (found := self._met(node)) is not None}
        numbers = {word: depends_on(config, years, like, word, met.get(word)) for word in words}
        recalled = {} if config.reuse == "exact" else self._known_recalls(numbers)
        fresh = [word for word in words if word not in recalled]
        budget.spend_searches(len(fresh))
        if not words or not self._index.rows:
            return Acquired(candidates=(), evidence=())
        nodes = [graph.node_by_id[node_id] for node_id in dict.fromkeys(query.node for query in queries)]
        features = [node.feature or node.instantiation for node in nodes]
        asked = await self._asked([*fresh, *features])
        made = await asyncio.to_thread(self._recall_all, asked.part(0, len(fresh)), config, years, like, met)
        for word, items in made.items():
            self._recalls.put(np.array(items, np.int32), word, *numbers[word])
        budget.took_over("searches", recalled)
        budget.made("searches", made)
        in_order = {word: made[word] if word in made else recalled[word] for word in words}
        about = asked.part(len(fresh))
        return await asyncio.to_thread(self._collect, nodes, queries, in_order, about, config, named)

    def _met(self, node: Node) -> NDArray[np.float32] | None:
        """1 for each item whose columns meet what the numbers of a node ask, 0 for others; None for a node that asks
        none of it. What is met in numbers is found by no words."""
        met = met_in_numbers(node, self._schema, self._index.candidates)
        return None if met is None else met.astype(np.float32)

    def _told_of_all(self, node: Node) -> bool:
        """Whether the facts of any item answer a node, so that an item with another value is known to have it."""
        schema = self._schema
        measured = relative_wish(node, schema)
        if (measured is not None and measured.key is not None) or keys_of_country(node, schema):
            return True
        return any(tells_all(constraint, schema) for constraint in constraints_of(node, schema))

    async def _asked(self, texts: Sequence[str]) -> Asked:
        """Texts with their vectors, those of the Chinese encoder where Chinese passages must be met."""
        vectors = await self._embedder.encode(english_texts(texts))
        chinese = None
        if self._chinese is not None and needs_chinese(texts, self._index.chinese):
            chinese = await self._chinese.encode(texts)
        return Asked(tuple(texts), vectors, chinese)

    async def nearest(self, query: str, items: Sequence[str], k: int) -> list[ReviewHit]:
        """At most k passages an item by inner product with the query, best first; items in the order given."""
        index = self._index
        known = [item for item in dict.fromkeys(items) if item in index.position]
        if not known or k < 1:
            return []
        asked = await self._asked([query])
        return await asyncio.to_thread(self._nearest_of_all, asked, known, k)

    def items(self) -> Sequence[Candidate]:
        """All items, in the order of the file."""
        return self._index.candidates

    @cached_property
    def reviewed_items(self) -> ReviewedItems:
        """The items with all their passages, reviews and facts, for retrieval by late fusion alone."""
        index = self._index
        ids = [candidate.id for candidate in index.candidates]
        return reviewed_items(ids, index.vectors, index.item_of_passage, self._embedder.id)

    def metadata_of(self, item: str) -> Metadata:
        """Metadata by item id. Raises KeyError for an unknown id."""
        return self._index.candidates[self._index.position[item]].metadata

    def _nearest_of_all(self, asked: Asked, items: Sequence[str], k: int) -> list[ReviewHit]:
        merged = self._merged(asked)
        return [hit for item in items for hit in self._nearest(asked, merged, item, k)]

    def _merged(self, asked: Asked) -> Row | None:
        """One order of all passages of two encoders, for the first text; None where the main encoder alone decides."""
        if asked.chinese is None and not wordless(asked.texts[0]):
            return None
        dense, chinese = scores_of(asked, self._index.vectors, self._index.chinese).of(0)
        return together(dense, chinese, self._index.chinese)

    def _nearest(self, asked: Asked, merged: Row | None, item: str, k: int) -> Iterator[ReviewHit]:
        position = self._index.position[item]
        start, end = self._index.starts[position : position + 2]
        seen: set[int] = set()
        for row, score in self._hits(asked, merged, int(start), int(end)):
            same = self._index.same_text[start + row]
            if len(seen) < k and same not in seen:
                seen.add(same)
                yield ReviewHit(item=item, passage=self._index.rows[start + row].passage, score=score)

    def _hits(self, asked: Asked, merged: Row | None, start: int, end: int) -> list[tuple[int, float]]:
        """The passages of an item and their scores, best first; those of two encoders take turns by rank."""
        if merged is None:
            return nearest(asked.vectors[0], self._index.vectors[start:end], end - start)
        own = merged[start:end]
        order = np.argsort(-own, kind="stable")
        return [(int(row), float(own[row])) for row in order if np.isfinite(own[row])]

    def _collect(
        self,
        nodes: Sequence[Node],
        queries: Sequence[SearchQuery],
        recalled: Mapping[str, Sequence[int]],
        asked: Asked,
        config: MethodConfig,
        named: Collection[str],
    ) -> Acquired:
        """The records of what was recalled for the words of the queries. `asked` are the nodes' features."""
        scores = scores_of(asked, self._index.vectors, self._index.chinese)
        first_seen = found_first(recalled.values())
        evidence: list[Evidence] = []
        dropped: list[Dropped] = []
        for number, node in enumerate(nodes):
            items = set().union(*(recalled[query.words] for query in queries if query.node == node.id))
            if self._told_of_all(node):  # no words find what meets a number, and the facts of any item tell it
                items = set(first_seen)
            sought = self._sought(node, *scores.of(number), asked.vectors[number], as_named=node.id in named)
            records = [
                Evidence(candidate=self._index.candidates[item].id, node=node.id, passages=passages)
                for item in first_seen
                if item in items and (passages := record_of(self._index, sought, item, config))
            ]
            evidence.extend(records)
            if not records:
                dropped.append(Dropped(what=node.instantiation, why="nothing in the catalogue speaks of it"))
        found = {record.candidate for record in evidence}
        candidates = tuple(c for item in first_seen if (c := self._index.candidates[item]).id in found)
        return Acquired(
            candidates=candidates, evidence=tuple(evidence), known_metadata=self._schema, dropped=tuple(dropped)
        )

    def _years(self, graph: PreferenceGraph, config: MethodConfig) -> YearConstraint | None:
        if self._current_year is None:
            return None
        return temporal.year_rule_of(graph, mode=config.year_rule, current_year=self._current_year)

    def _known_recalls(self, numbers: Mapping[str, tuple[str, ...]]) -> dict[str, Sequence[int]]:
        found = ((word, self._recalls.get(word, *those)) for word, those in numbers.items())
        return {word: items.tolist() for word, items in found if items is not None}

    def _recall_all(
        self,
        asked: Asked,
        config: MethodConfig,
        years: YearConstraint | None,
        like: Mapping[str, int],
        met: Mapping[str, NDArray[np.float32]],
    ) -> dict[str, Sequence[int]]:
        index = self._index
        scores = scores_of(asked, index.vectors, index.chinese)
        allowed = None
        if years is not None:
            items = index.candidates
            allowed = np.array([not temporal.violates(years, item.year) for item in items], np.bool_)
        recalled: dict[str, Sequence[int]] = {}
        alike: list[int] | None = None  # the wishes of all references share one search
        for row, word in enumerate(asked.texts):
            dense, chinese = scores.of(row)
            if word not in like:
                recalled[word] = recall(index, word, dense, config, chinese, allowed=allowed, met=met.get(word))
                continue
            alike = recall_like(index, tuple(sorted(set(like.values()))), config, allowed) if alike is None else alike
            recalled[word] = alike
        return recalled

    def _sought(
        self,
        node: Node,
        dense: NDArray[np.float32],
        chinese: NDArray[np.float32] | None,
        vector: Vectors,
        *,
        as_named: bool = False,
    ) -> Sought:
        """What each passage has to do with a node; `as_named`: with one that asks for what is like an item."""
        index = self._index
        length = max(float(np.linalg.norm(vector)), 1e-12)
        lexical = index.lexical.scores(lexical_words(node.instantiation))
        best = float(lexical.max(initial=0.0))
        required = np.zeros(len(index.rows), np.bool_)
        keys = {constraint.key: None for constraint in constraints_of(node, self._schema)}
        for key in index.traits.keys if as_named else (*keys, *keys_asked(node, self._schema)):
            required[index.rows_of_key.get(key, [])] = True
        substantial = (dense >= DENSE_FLOOR * length * index.lengths) | required
        substantial |= (lexical >= LEXICAL_FLOOR * best) & (lexical > 0.0)
        substantial |= substance(chinese, index.chinese, len(index.rows))
        return Sought(node, together(dense, chinese, index.chinese), substantial, required, lexical)


def met_in_numbers(node: Node, schema: MetadataSchema, items: Sequence[Candidate]) -> NDArray[np.bool_] | None:
    """Which items' columns meet what a node asks in numbers, or with words for much and little; None for a node that
    asks none of it. What is met in numbers is found by no words."""
    wish = relative_wish(node, schema)
    if wish is not None and wish.key is not None:
        values = (item.metadata.get(wish.key.key) for item in items)
        return np.array([v is not None and check_relative(wish, str(v)) is Verdict.SATISFIED for v in values], np.bool_)
    asked = [c for c in constraints_of(node, schema) if c.heading is not None or states_own_age(c.key)]
    if not asked:
        return None
    return np.array([all(check(c, item.metadata) is Verdict.SATISFIED for c in asked) for item in items], np.bool_)
