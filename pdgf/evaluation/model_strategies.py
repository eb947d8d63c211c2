"""Baselines that ask a language model and know no graph (METHOD 13.3, 14.3, 14.5).

llm_memory      the model names titles from memory; those of the set's items are the list
llm_rerank      the pool by late fusion, then list-wise in windows
llm_attributes  the request as a flat template of attributes, the 50 items nearest to it, then list-wise
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from pdgf.evaluation.baselines import Corpus, baseline_orders
from pdgf.evaluation.dataset import Query
from pdgf.evaluation.listwise import reranked, shortened
from pdgf.evaluation.strategies import Strategy
from pdgf.identity import group_identities
from pdgf.models import Candidate, Evidence
from pdgf.ports import TitleProposer
from pdgf.usage import Budget

FROM_MEMORY = 50  # titles asked for: as far as the recall curve goes
NEAREST = 50  # items that are re-ranked; the rest keeps its place


class ListwiseAgent(Protocol):
    """A model that orders a window and reads a request as flat attributes. Unusable replies change nothing: the
    order given, or the request itself; the budget is told of it."""

    async def order(self, request: str, passages: Sequence[str], budget: Budget) -> list[int]: ...

    async def attributes(self, request: str, item_word: str, budget: Budget) -> str: ...


@dataclass(frozen=True, kw_only=True)
class Pooled:
    """A request with its pool and what was found about it, by item."""

    query: Query
    pool: Sequence[Candidate]
    records: Sequence[Evidence]


@dataclass(frozen=True, kw_only=True)
class ModelStrategies:
    """The three of them over one set."""

    agent: ListwiseAgent
    proposer: TitleProposer
    corpus: Corpus
    candidates: Mapping[str, Candidate]
    item_word: str
    texts_of_an_item: int

    async def order(self, name: Strategy, pooled: Pooled, budget: Budget) -> list[str]:
        """The list of one strategy. Raises BudgetSpent."""
        request = pooled.query.text
        if name is Strategy.LLM_MEMORY:
            titles = await self.proposer.propose_titles(request, self.item_word, FROM_MEMORY, budget)
            named = matched([(title.name, title.year) for title in titles], list(self.candidates.values()))
            return [item for item in named if item not in pooled.query.seeds]
        if name is Strategy.LLM_ATTRIBUTES:
            request = await self.agent.attributes(request, self.item_word, budget)
        ids = [candidate.id for candidate in pooled.pool]
        found = await baseline_orders(request, ids, self.corpus, texts_of_an_item=self.texts_of_an_item)
        first = found[Strategy.LATE_FUSION]
        texts = _texts(pooled)
        best = await reranked(first[:NEAREST], partial(self._judge, request, texts, budget))
        return [*best, *first[NEAREST:]]

    async def _judge(self, request: str, texts: Mapping[str, str], budget: Budget, part: Sequence[str]) -> list[int]:
        return await self.agent.order(request, [texts[item] for item in part], budget)


def matched(titles: Sequence[tuple[str, int | None]], items: Sequence[Candidate]) -> list[str]:
    """The items that titles name, in the order of the titles, each once (METHOD 6.3)."""
    records = [*((item.title, item.year) for item in items), *titles]
    numbers = group_identities(records)
    item_of: dict[int, str] = {}
    for item, number in zip(items, numbers, strict=False):
        item_of.setdefault(number, item.id)
    named = (item_of.get(number) for number in numbers[len(items) :])
    return list(dict.fromkeys(item for item in named if item is not None))


def _texts(pooled: Pooled) -> dict[str, str]:
    """What a model sees of each item: its title, its year and what was found, as far as a passage goes."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for record in pooled.records:
        found[record.candidate].update(dict.fromkeys(passage.text for passage in record.passages))
    return {
        item.id: shortened(" ".join((item.title, f"({item.year})" if item.year else "", *found[item.id])))
        for item in pooled.pool
    }
