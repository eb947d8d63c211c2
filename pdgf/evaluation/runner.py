"""One request through every strategy: the same pool, the same labels, one order each.

The product's own way (lazy labels, the first places only) is timed first; the labels that the other strategies need on
top of it are made afterwards and cost it nothing.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from pydantic import Field

from pdgf import ranking, retrieval, temporal
from pdgf.constraints import MetadataSchema
from pdgf.evaluation import strategies
from pdgf.evaluation.baselines import Corpus, baseline_orders
from pdgf.evaluation.dataset import Query
from pdgf.evaluation.model_strategies import ModelStrategies, Pooled
from pdgf.evaluation.pool import (
    UNREADABLE,
    Asking,
    Evidenced,
    evidence_of,
    one_wish,
    read_request,
    united,
    within,
    without_edges,
)
from pdgf.evaluation.strategies import Strategy
from pdgf.identity import Exclusion
from pdgf.models import AtomKind, Candidate, Evidence, PreferenceGraph, RankedItem, Value
from pdgf.ranking import LabelCache
from pdgf.usage import Budget

Orders = dict[Strategy, list[str]]
ON_FULL = (
    Strategy.FULL,
    Strategy.GAMMA0,
    Strategy.NO_REDUCTION,
    Strategy.MAX,
    Strategy.MEAN,
    Strategy.SUM_OF_LOGS,
    Strategy.KEEP,
    *strategies.MAPS,
)
SAMPLE = "Something quiet, not too long."
YEARS = (Strategy.YEAR_ON, Strategy.YEAR_OFF)
BASELINES = (Strategy.BM25, Strategy.DENSE, Strategy.LATE_FUSION, Strategy.RANK_FUSION)


class QueryResult(Value):
    """The orders of one request. `found` are the items that the graph and the whole request have found on their own;
    `unread` says why no wish could be read, in which case strategies of the graph have an empty list. `again` has the
    lists of the further runs of strategies whose lists vary."""

    qid: str
    rankings: dict[str, list[str]]
    again: dict[str, list[list[str]]] = Field(default_factory=dict)
    found: dict[str, list[str]]
    seconds: dict[str, float]
    nodes: int = 0
    edges: int = 0
    pool: int = 0
    unread: str = ""
    setbacks: dict[str, int] = Field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What every request of a run shares. `titles` are those of the set's items by id."""

    asking: Asking
    corpus: Corpus
    schema: MetadataSchema
    candidates: Mapping[str, Candidate]
    new_budget: Callable[[], Budget]
    model: ModelStrategies | None = None


@dataclass
class _Run:
    """One request on its way."""

    query: Query
    setup: Setup
    budget: Budget
    labels: LabelCache = field(default_factory=LabelCache)
    seconds: dict[str, float] = field(default_factory=dict)

    async def ranked(self, found: Evidenced, *, lazily: bool) -> tuple[RankedItem, ...]:
        """The items that have a record, by the ranking of the product; all of them, all labels known, or lazily."""
        config = self.setup.asking.config
        if not found.acquired.evidence:
            return ()
        if not lazily:
            config = config.model_copy(update={"lazy_labels": False})
        done = await ranking.rank(
            found.graph,
            found.acquired,
            agent=self.setup.asking.ports.agent,
            config=config,
            budget=self.budget,
            k=config.k_recommend if lazily else len(found.acquired.candidates),
            labels=self.labels,
        )
        return done.items


async def warmed(setup: Setup) -> Setup:
    """The same setup with everything loaded that a first request would have to wait for."""
    setup.corpus.by_words(SAMPLE)
    _ = setup.corpus.means
    with suppress(*UNREADABLE):
        graph = await read_request(SAMPLE, setup.asking, setup.new_budget())
        await evidence_of(graph, setup.asking, setup.new_budget(), left_out=(), seeds=())
    return setup


async def measure(query: Query, setup: Setup, wanted: Collection[Strategy]) -> QueryResult:
    """The orders of a request by the wanted strategies. Raises ServiceFailed and BudgetSpent as the ports do."""
    run = _Run(query=query, setup=setup, budget=setup.new_budget())
    seeds = [setup.candidates[seed] for seed in query.seeds]
    named = [Exclusion(title=seed.title, year=seed.year, why="reference") for seed in seeds]
    full, unread = await _full(run, named)
    references = retrieval.reference_items(full.graph) if full is not None else ()
    started = time.monotonic()
    whole = one_wish(query.text, full.graph.language if full is not None else "en")
    flat = await evidence_of(whole, setup.asking, run.budget, left_out=(*references, *named), seeds=query.seeds)
    run.seconds["retrieve_flat"] = time.monotonic() - started
    own = full.acquired.candidates if full is not None else ()
    pool = united(own, flat.acquired.candidates)
    orders: Orders = {}
    if full is not None:
        orders |= await _graph_orders(run, full, pool, wanted)
    orders |= await _other_orders(run, flat, pool, wanted)
    pooled = Pooled(query=query, pool=pool, records=_records(full, flat), excluded=(*references, *named))
    runs = await _model_runs(run, pooled, wanted)
    orders |= {name: lists[0] for name, lists in runs.items()}
    return QueryResult(
        qid=query.qid,
        rankings={name.value: _in_time(run, full, name, order) for name, order in orders.items()},
        again={name.value: [_in_time(run, full, name, order) for order in lists[1:]] for name, lists in runs.items()},
        found={
            "full": [candidate.id for candidate in own],
            "flat": [candidate.id for candidate in flat.acquired.candidates],
        },
        seconds=run.seconds,
        nodes=len(full.graph.nodes) if full is not None else 0,
        edges=len(full.graph.edges) if full is not None else 0,
        pool=len(pool),
        unread=unread,
        setbacks={f"{setback.step}: {setback.why}": setback.count for setback in run.budget.setbacks()},
    )


async def _full(run: _Run, named: Sequence[Exclusion]) -> tuple[Evidenced | None, str]:
    """The product's own way, timed; None and the reason where no wish can be read from the request."""
    started = time.monotonic()
    try:
        graph = await read_request(run.query.text, run.setup.asking, run.budget)
    except UNREADABLE as error:
        return None, type(error).__name__
    run.seconds["read"] = time.monotonic() - started
    found = await evidence_of(graph, run.setup.asking, run.budget, left_out=named, seeds=run.query.seeds)
    run.seconds["retrieve"] = time.monotonic() - started - run.seconds["read"]
    await run.ranked(found, lazily=True)
    run.seconds[Strategy.FULL.value] = time.monotonic() - started
    return found, ""


async def _graph_orders(run: _Run, full: Evidenced, pool: Sequence[Candidate], wanted: Collection[Strategy]) -> Orders:
    """The strategies on the labels of the graph, and the one whose graph has no edges."""
    orders: Orders = {}
    config = run.setup.asking.config
    if any(strategy in wanted for strategy in (*ON_FULL, *YEARS)):
        started = time.monotonic()
        judged = {item.candidate.id: item for item in await run.ranked(full, lazily=False)}
        before = run.seconds["read"] + run.seconds["retrieve"] + time.monotonic() - started
        for name, way in strategies.ways(full.graph, config).items():
            began = time.monotonic()
            orders[name] = strategies.graph_order(pool, judged, way, schema=run.setup.schema)
            run.seconds.setdefault(name.value, before + time.monotonic() - began)
        orders |= {name: orders[Strategy.FULL] for name in YEARS}
        run.seconds |= {name.value: run.seconds[Strategy.FULL.value] for name in YEARS}
    if Strategy.NO_EDGES in wanted:
        started = time.monotonic()
        bare = await without_edges(full.graph, run.setup.asking, run.budget)
        orders[Strategy.NO_EDGES] = await _own_evidence(run, bare, pool)
        run.seconds[Strategy.NO_EDGES.value] = run.seconds["read"] + time.monotonic() - started
    return {name: order for name, order in orders.items() if name in wanted}


async def _own_evidence(run: _Run, graph: PreferenceGraph, pool: Sequence[Candidate]) -> list[str]:
    """The pool by what the queries of another graph find of it."""
    found = await evidence_of(graph, run.setup.asking, run.budget, left_out=(), seeds=run.query.seeds)
    return await _ordered(run, Evidenced(graph=graph, acquired=within(found.acquired, {c.id for c in pool})), pool)


async def _ordered(run: _Run, found: Evidenced, pool: Sequence[Candidate]) -> list[str]:
    config = run.setup.asking.config
    judged = {item.candidate.id: item for item in await run.ranked(found, lazily=False)}
    way = strategies.ways(found.graph, config)[Strategy.FULL]
    return strategies.graph_order(pool, judged, way, schema=run.setup.schema)


async def _other_orders(run: _Run, flat: Evidenced, pool: Sequence[Candidate], wanted: Collection[Strategy]) -> Orders:
    """The strategies that know no graph and ask no model."""
    orders: Orders = {}
    ids = [candidate.id for candidate in pool]
    if Strategy.FLAT in wanted:
        started = time.monotonic()
        orders[Strategy.FLAT] = await _ordered(run, flat, pool)
        run.seconds[Strategy.FLAT.value] = run.seconds["retrieve_flat"] + time.monotonic() - started
    if Strategy.RANDOM in wanted:
        orders[Strategy.RANDOM] = sorted(ids)
        run.seconds[Strategy.RANDOM.value] = 0.0
    if any(strategy in wanted for strategy in BASELINES):
        started = time.monotonic()
        found = await baseline_orders(
            run.query.text, ids, run.setup.corpus, texts_of_an_item=run.setup.asking.config.evidence_top_k
        )
        taken = time.monotonic() - started
        orders |= {name: order for name, order in found.items() if name in wanted}
        run.seconds |= {name.value: taken for name in found if name in wanted}
    return orders


async def _model_runs(run: _Run, pooled: Pooled, wanted: Collection[Strategy]) -> dict[Strategy, list[list[str]]]:
    """The lists of every run of the wanted strategies that ask a model; their seconds are those of one run."""
    lists: dict[Strategy, list[list[str]]] = {}
    model = run.setup.model
    for name in strategies.WITH_MODEL:
        if model is not None and name in wanted:
            started = time.monotonic()
            lists[name] = await model.runs(name, pooled, run.budget)
            run.seconds[name.value] = (time.monotonic() - started) / len(lists[name])
    return lists


def _records(full: Evidenced | None, flat: Evidenced) -> tuple[Evidence, ...]:
    """What was found about the whole pool, by the graph and by the whole request."""
    return (*(full.acquired.evidence if full is not None else ()), *flat.acquired.evidence)


def _in_time(run: _Run, full: Evidenced | None, name: Strategy, order: Sequence[str]) -> list[str]:
    """The order without what breaks the year rule: that of the config, or the strategy's own."""
    asking = run.setup.asking
    rules: dict[Strategy, temporal.Mode] = {Strategy.YEAR_ON: "max_mentioned", Strategy.YEAR_OFF: "off"}
    atoms = full.graph.atoms if full is not None else ()
    bounds = temporal.year_constraint(
        run.query.text,
        mode=rules.get(name, asking.config.year_rule),
        current_year=asking.current_year,
        titles=tuple(atom.text for atom in atoms if atom.kind is not AtomKind.CRITERION),
    )
    candidates = run.setup.candidates
    return [item for item in order if bounds is None or not temporal.violates(bounds, candidates[item].year)]
