"""How often the one right option is put first: each option is an item whose text is all that is known of it.

The options are ranked as any pool is: wishes, descriptions, labels, path scores, hard wishes. Where several options
share the first place, the row counts as the chance of naming the right one of them.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import Field, model_validator

from pdgf import construction, ranking
from pdgf.evaluation.pool import UNREADABLE
from pdgf.evaluation.rows import FileRow
from pdgf.evaluation.statistics import mean_of
from pdgf.models import Candidate, Evidence, Passage, PreferenceGraph, RankedItem, Source
from pdgf.ports import Acquired, PreferenceAgent
from pdgf.ranking import LabelCache
from pdgf.scoring import DIGITS
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

Say = Callable[[str], None]


class OptionsRow(FileRow):
    """A request, its options by id, and the id of the right one; `query_type` marks the kinds it belongs to."""

    query: str
    options: dict[str, str] = Field(min_length=2)
    answer: str
    query_type: dict[str, bool] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _answer_is_an_option(self) -> "OptionsRow":
        if self.answer not in self.options:
            raise ValueError("the answer is none of the options")
        return self


async def judge_options(
    rows: Sequence[OptionsRow],
    *,
    agent: PreferenceAgent,
    config: MethodConfig,
    new_budget: Callable[[], Budget],
    say: Say,
) -> dict[str, Any]:
    """Accuracy over all rows with its interval, and by kind of request. Raises ServiceFailed and BudgetSpent."""
    shares: list[float] = []
    kinds: dict[str, list[float]] = defaultdict(list)
    ties, unread = 0, 0
    for row in rows:
        first = await first_options(row, agent=agent, config=config, budget=new_budget())
        unread += first is None
        best = first if first is not None else list(row.options)
        ties += len(best) > 1
        shares.append(1.0 / len(best) if row.answer in best else 0.0)
        for kind in [kind for kind, holds in row.query_type.items() if holds] or ["Other"]:
            kinds[kind].append(shares[-1])
        say(f"{len(shares)} of {len(rows)} requests")
    mean = mean_of(shares)
    return {
        "accuracy": mean.value,
        "interval": [mean.low, mean.high],
        "rows": len(shares),
        "ties": ties,
        "unread": unread,
        "chance": sum(1.0 / len(row.options) for row in rows) / len(rows),
        "query_types": {kind: {"accuracy": sum(v) / len(v), "rows": len(v)} for kind, v in sorted(kinds.items())},
    }


async def first_options(
    row: OptionsRow, *, agent: PreferenceAgent, config: MethodConfig, budget: Budget
) -> list[str] | None:
    """The options that share the first place; None where no wish could be read from the request."""
    try:
        graph, _ = await construction.build_graph(row.query, agent=agent, config=config, budget=budget)
    except UNREADABLE:
        return None
    graph = await construction.refine(graph, agent=agent, config=config, budget=budget)
    ranked = await ranking.rank(
        graph,
        _as_pool(row, graph),
        agent=agent,
        config=config.model_copy(update={"lazy_labels": False}),
        budget=budget,
        k=len(row.options),
        labels=LabelCache(),
    )
    best = _place(ranked.items[0])
    return [item.candidate.id for item in ranked.items if _place(item) == best]


def _as_pool(row: OptionsRow, graph: PreferenceGraph) -> Acquired:
    """Every option with its text at every node."""
    passages = {option: (Passage(text=text, source=Source(id=option)),) for option, text in row.options.items()}
    return Acquired(
        candidates=tuple(Candidate(id=option, title=text) for option, text in row.options.items()),
        evidence=tuple(
            Evidence(candidate=option, node=node, passages=found)
            for node in graph.order
            for option, found in passages.items()
        ),
    )


def _place(item: RankedItem) -> tuple[bool, float, float]:
    """What makes a place: the parts of the key that speak of the request (METHOD 7.4)."""
    return item.demoted is not None, round(item.score, DIGITS), round(max(p.score for p in item.paths), DIGITS)
