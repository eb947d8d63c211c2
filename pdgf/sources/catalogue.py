"""Evidence from a catalogue: hybrid recall along the edges of E+, and x_{v,i} from the passages nearest to f_v.

words of r_uv  -> BM25 best passage and dense late fusion an item, ranks fused -> the items recalled at v
f_v            -> the nearest passages of each recalled item, its matching facts among them -> x_{v,i}
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pdgf import temporal
from pdgf.constraints import constraints_of, fact_line, keys_asked
from pdgf.late_fusion import NOT_SCORED, fused
from pdgf.memo import Memo
from pdgf.models import Candidate, Dropped, Evidence, Metadata, Node, Passage, PreferenceGraph, SearchQuery, Source
from pdgf.ports import Acquired, Embedder, ReviewHit, Vectors
from pdgf.reviewed_items import ReviewedItems
from pdgf.settings import MethodConfig
from pdgf.sources.dense import nearest
from pdgf.sources.index import CatalogueIndex
from pdgf.sources.passage_index import reviewed_items
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
from pdgf.texts import cut_at_sentence
from pdgf.usage import Budget

RANK_OFFSET = 60  # reciprocal rank fusion's usual constant: a first place counts twice a 62nd
# Below a cosine of .33 a sentence does not address a preference (METHOD 12); in a passage of three sentences the one
# that does is diluted a little.
DENSE_FLOOR = 0.3
# Half of the best score that the words of c_v reach anywhere in the catalogue: most of its rare words are there.
LEXICAL_FLOOR = 0.5
KEPT_RECALLS = 4_096  # searches; the rows of 200 items each are 1 kB


@dataclass(frozen=True)
class _Sought:
    """One node's view of all passages: similarity to f_v, what has substance for c_v, what x must hold."""

    node: Node
    similarity: NDArray[np.float32]
    substantial: NDArray[np.bool_]
    required: NDArray[np.bool_]
    lexical: NDArray[np.float32]


class CatalogueSource:
    """An EvidenceSource, ReviewIndex and ItemCatalogue over one index. Deterministic; ties go to the earlier item."""

    def __init__(
        self,
        index: CatalogueIndex,
        embedder: Embedder,
        chinese: Embedder | None = None,
        *,
        current_year: int | None = None,
    ) -> None:
        """`chinese` is the encoder of the index's Chinese passages. With `current_year` the year rule holds before a
        search is cut to its best items, so that the cut is filled with items that may stay (METHOD 7.6)."""
        self._current_year = current_year
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
        recalled = {} if config.reuse == "exact" else self._known_recalls(words, config, years)
        fresh = [word for word in words if word not in recalled]
        budget.spend_searches(len(fresh))
        if not words or not self._index.rows:
            return Acquired(candidates=(), evidence=())
        nodes = [graph.node_by_id[node_id] for node_id in dict.fromkeys(query.node for query in queries)]
        features = [node.feature or node.instantiation for node in nodes]
        asked = await self._asked([*fresh, *features])
        made = await asyncio.to_thread(self._recall_all, asked.part(0, len(fresh)), config, years)
        for word, items in made.items():
            self._recalls.put(np.array(items, np.int32), word, *_numbers(config, years))
        budget.took_over("searches", recalled)
        budget.made("searches", made)
        in_order = {word: made[word] if word in made else recalled[word] for word in words}
        return await asyncio.to_thread(self._collect, nodes, queries, in_order, asked.part(len(fresh)), config)

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
    ) -> Acquired:
        """The records of what was recalled for the words of the queries. `asked` are the nodes' features."""
        scores = scores_of(asked, self._index.vectors, self._index.chinese)
        first_seen = list(dict.fromkeys(item for items in recalled.values() for item in items))
        evidence: list[Evidence] = []
        dropped: list[Dropped] = []
        for number, node in enumerate(nodes):
            items = set().union(*(recalled[query.words] for query in queries if query.node == node.id))
            sought = self._sought(node, *scores.of(number), asked.vectors[number])
            records = [
                Evidence(candidate=self._index.candidates[item].id, node=node.id, passages=passages)
                for item in first_seen
                if item in items and (passages := self._record(sought, item, config))
            ]
            evidence.extend(records)
            if not records:
                dropped.append(Dropped(what=node.instantiation, why="nothing in the catalogue speaks of it"))
        found = {record.candidate for record in evidence}
        candidates = tuple(c for item in first_seen if (c := self._index.candidates[item]).id in found)
        return Acquired(
            candidates=candidates, evidence=tuple(evidence), known_metadata=self._index.schema, dropped=tuple(dropped)
        )

    def _years(self, graph: PreferenceGraph, config: MethodConfig) -> YearConstraint | None:
        if self._current_year is None:
            return None
        return temporal.year_rule_of(graph, mode=config.year_rule, current_year=self._current_year)

    def _known_recalls(
        self, words: Sequence[str], config: MethodConfig, years: YearConstraint | None
    ) -> dict[str, Sequence[int]]:
        found = ((word, self._recalls.get(word, *_numbers(config, years))) for word in words)
        return {word: items.tolist() for word, items in found if items is not None}

    def _recall_all(self, asked: Asked, config: MethodConfig, years: YearConstraint | None) -> dict[str, Sequence[int]]:
        scores = scores_of(asked, self._index.vectors, self._index.chinese)
        allowed = None
        if years is not None:
            items = self._index.candidates
            allowed = np.array([not temporal.violates(years, item.year) for item in items], np.bool_)
        recalled: dict[str, Sequence[int]] = {}
        for row, word in enumerate(asked.texts):
            dense, chinese = scores.of(row)
            recalled[word] = self._recall(word, dense, config, chinese, allowed=allowed)
        return recalled

    def _recall(
        self,
        words: str,
        dense: NDArray[np.float32],
        config: MethodConfig,
        chinese: NDArray[np.float32] | None = None,
        *,
        allowed: NDArray[np.bool_] | None = None,
    ) -> list[int]:
        """The best `allowed` items for one query: ranks by best BM25 passage and by dense late fusion, fused by
        1/(60 + rank).

        Exact at any size: a rank counts for every item, and the records need every similarity anyway.
        """
        index, items = self._index, len(self._index.candidates)
        best_passage = index.best_of_items(index.lexical.scores(lexical_words(words)))
        rankings: list[tuple[NDArray[np.floating], float]] = [(best_passage, 0.0)]
        rankings.append((fused(dense, index.texts_by_item, config.evidence_top_k), NOT_SCORED))
        if chinese is not None and index.chinese is not None:
            rankings.append((fused(chinese, index.chinese.by_item, config.evidence_top_k), NOT_SCORED))
        total = np.zeros(items)
        for scores, lowest in rankings:
            order = np.lexsort((np.arange(items), -scores))
            order = order[scores[order] > lowest]
            order = order if allowed is None else order[allowed[order]]
            total[order] += 1.0 / (RANK_OFFSET + np.arange(1, len(order) + 1))
        order = np.lexsort((np.arange(items), -total))[: config.catalogue_recall]
        return [int(item) for item in order if total[item] > 0.0]

    def _sought(
        self, node: Node, dense: NDArray[np.float32], chinese: NDArray[np.float32] | None, vector: Vectors
    ) -> _Sought:
        """What each passage has to do with a node."""
        index = self._index
        length = max(float(np.linalg.norm(vector)), 1e-12)
        lexical = index.lexical.scores(lexical_words(node.instantiation))
        best = float(lexical.max(initial=0.0))
        required = np.zeros(len(index.rows), np.bool_)
        keys = {constraint.key: None for constraint in constraints_of(node, index.schema)}
        for key in (*keys, *keys_asked(node, index.schema)):
            required[index.rows_of_key[key]] = True
        substantial = (dense >= DENSE_FLOOR * length * index.lengths) | required
        substantial |= (lexical >= LEXICAL_FLOOR * best) & (lexical > 0.0)
        substantial |= substance(chinese, index.chinese, len(index.rows))
        return _Sought(node, together(dense, chinese, index.chinese), substantial, required, lexical)

    def _record(self, sought: _Sought, item: int, config: MethodConfig) -> tuple[Passage, ...]:
        """x_{v,i}: facts that the node asks about and the best BM25 hit first, then the passages nearest to f_v.

        They are taken while there is room and given in the order of their source; a fact that has nothing to do with
        the node makes room for a piece of a review. Empty without substance.
        """
        index = self._index
        candidate = index.candidates[item]
        if sought.node.perspective == "era" and candidate.year is not None:
            return (_year_line(candidate.id, candidate.year),)
        start, end = int(index.starts[item]), int(index.starts[item + 1])
        if not sought.substantial[start:end].any():
            return ()
        useful = sought.substantial[start:end] | ~index.states_fact[start:end]
        ranked = np.argsort(-sought.similarity[start:end], kind="stable")
        ranked = (ranked[useful[ranked]] + start).tolist()
        required = (np.flatnonzero(sought.required[start:end]) + start).tolist()
        hit = start + int(sought.lexical[start:end].argmax())
        by_words = [hit] if sought.substantial[hit] and sought.lexical[hit] > 0.0 else []
        room = config.max_evidence_chars
        taken: dict[int, Passage] = {}
        seen: set[int] = set()
        for row in (*required, *by_words, *ranked):
            if len(taken) >= max(config.passages_per_record, len(required)):
                break
            same = index.same_text[row]
            if same in seen:
                continue
            seen.add(same)
            passage = index.rows[row].passage
            if room is not None:
                text = _fitting(passage.text, room, alone=not taken)
                if not text:
                    continue
                room -= len(text) + 1
                passage = passage if text == passage.text else passage.model_copy(update={"text": text})
            taken[row] = passage
        return tuple(taken[row] for row in sorted(taken))


def _numbers(config: MethodConfig, years: YearConstraint | None) -> tuple[str, ...]:
    """Those that a recall depends on besides its words."""
    bounds = (str(years.low), str(years.high)) if years else ()
    return str(config.evidence_top_k), str(config.catalogue_recall), *bounds


def _year_line(item: str, year: int) -> Passage:
    """The year of an item as the line of metadata that answers a wish for a period."""
    return Passage(text=fact_line("year", str(year)), source=Source(id=f"{item}#year"))


def _fitting(text: str, room: int, *, alone: bool) -> str:
    """The text as far as it fits, ended at a sentence; a first sentence that is too long is cut hard if it is alone."""
    return cut_at_sentence(text, room) or (text[:room] if alone else "")
