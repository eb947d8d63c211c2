"""Baselines that ask a language model and know no graph (METHOD 13.3, 14.3, 14.5).

llm_memory      the model names titles from memory; those of the set's items are the list, excluded ones left out
llm_rerank      the pool by late fusion, then the whole of it list-wise in windows
llm_attributes  the request as a flat template of attributes, the 50 items nearest to it, then list-wise

A model's replies vary, so each of them is run three times (METHOD 14.1).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from pdgf.evaluation.baselines import Corpus, baseline_orders
from pdgf.evaluation.dataset import Query
from pdgf.evaluation.listwise import reranked, shortened
from pdgf.evaluation.strategies import Strategy
from pdgf.identity import Exclusion, Record, exclusions_of, group_identities
from pdgf.models import Candidate, Evidence
from pdgf.ports import TitleProposer
from pdgf.usage import Budget

FROM_MEMORY = 50  # titles asked for: as far as the recall curve goes
NEAREST = 50  # items that llm_attributes re-ranks; the rest keeps its place
RUNS = 3


class ListwiseAgent(Protocol):
    """A model that orders a window and reads a request as flat attributes. Unusable replies change nothing: the
    order given, or the request itself; the budget is told of it."""

    async def order(self, request: str, passages: Sequence[str], budget: Budget) -> list[int]: ...

    async def attributes(self, request: str, item_word: str, budget: Budget) -> str: ...


@dataclass(frozen=True, kw_only=True)
class Pooled:
    """A request with its pool, what was found about the items of it by whatever way, and what must not be listed."""

    query: Query
    pool: Sequence[Candidate]
    records: Sequence[Evidence]
    excluded: Sequence[Exclusion] = ()


@dataclass(frozen=True, kw_only=True)
class ModelStrategies:
    """The three of them over one set."""

    agent: ListwiseAgent
    proposer: TitleProposer
    corpus: Corpus
    candidates: Mapping[str, Candidate]
    item_word: str
    texts_of_an_item: int

    async def runs(self, name: Strategy, pooled: Pooled, budget: Budget) -> list[list[str]]:
        """The lists of `RUNS` runs of one strategy, none of which takes over the kept replies of another; setbacks of
        all of them are told to `budget`. Raises BudgetSpent."""
        lists = [await self.order(name, pooled, budget)]
        for number in range(2, RUNS + 1):
            again = replace(budget, scope=f"{budget.scope} run {number}" if budget.scope else "")
            lists.append(await self.order(name, pooled, again))
            for setback in again.setbacks():
                budget.set_back(setback.step, setback.why, setback.count)
        return lists

    async def order(self, name: Strategy, pooled: Pooled, budget: Budget) -> list[str]:
        """The list of one run. Raises BudgetSpent."""
        request = pooled.query.text
        if name is Strategy.LLM_MEMORY:
            titles = await self.proposer.propose_titles(request, self.item_word, FROM_MEMORY, budget)
            named = matched([(title.name, title.year) for title in titles], list(self.candidates.values()))
            return [item for item in named if self._may_be_listed(item, pooled)]
        if name is Strategy.LLM_ATTRIBUTES:
            request = await self.agent.attributes(request, self.item_word, budget)
        ids = [candidate.id for candidate in pooled.pool]
        found = await baseline_orders(request, ids, self.corpus, texts_of_an_item=self.texts_of_an_item)
        first = found[Strategy.LATE_FUSION]
        count = len(first) if name is Strategy.LLM_RERANK else NEAREST
        best = await reranked(first[:count], partial(self._judge, request, _texts(pooled), budget))
        return [*best, *first[count:]]

    def _may_be_listed(self, item: str, pooled: Pooled) -> bool:
        """Whether no name of the item is excluded by the request (METHOD 6.4)."""
        named = exclusions_of(list(_names(self.candidates[item])), pooled.excluded)
        return item not in pooled.query.seeds and not any(named)

    async def _judge(self, request: str, texts: Mapping[str, str], budget: Budget, part: Sequence[str]) -> list[int]:
        return await self.agent.order(request, [texts[item] for item in part], budget)


def matched(titles: Sequence[Record], items: Sequence[Candidate]) -> list[str]:
    """The items that titles name, in the order of the titles, each once (METHOD 6.3). An item answers to its other
    titles too, where no item has that title as its own."""
    own = [((item.title, item.year), item.id) for item in items]
    others = [(record, item.id) for item in items for record in _names(item)]
    known = [*own, *others]
    numbers = group_identities([*(record for record, _ in known), *titles])
    item_of: dict[int, str] = {}
    for (_, item_id), number in zip(known, numbers, strict=False):
        item_of.setdefault(number, item_id)
    named = (item_of.get(number) for number in numbers[len(known) :])
    return list(dict.fromkeys(item for item in named if item is not None))


def _names(item: Candidate) -> Iterator[Record]:
    """Every title of an item with its year, its own first."""
    others = item.metadata.get("other_titles", ())
    for title in (item.title, *(others if isinstance(others, list | tuple) else ())):
        if isinstance(title, str) and title.strip():
            yield title, item.year


def _texts(pooled: Pooled) -> dict[str, str]:
    """What a model sees of each item: its title, its year and what was found, as far as a passage goes."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for record in pooled.records:
        found[record.candidate].update(dict.fromkeys(passage.text for passage in record.passages))
    return {
        item.id: shortened(" ".join((item.title, f"({item.year})" if item.year else "", *found[item.id])))
        for item in pooled.pool
    }
