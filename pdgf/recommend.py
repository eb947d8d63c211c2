"""STORY: from a narrative to a ranked list, as PDG-F tells it.

    narrative -> graph            construction   nodes, edges, cycles, reduction                  METHOD 4
              -> descriptions     construction   f_v for every node          } side by side       METHOD 4.6
              -> queries          retrieval      one for each edge of E+     }                    METHOD 5
              -> evidence         retrieval      candidates with what was found at each node      METHOD 5, 6
              -> ranking          ranking        labels, path scores, final score, order          METHOD 7

The steps are the nodes of a LangGraph graph that holds no checkpoint of its own: a chat keeps what it needs.
Progress is streamed as `custom` events, one small dict a step.
"""

import asyncio
import warnings
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final, TypedDict, cast

from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from pdgf import construction, ranking, retrieval
from pdgf.earlier import Earlier
from pdgf.identity import Exclusion
from pdgf.models import NOT_UNDERSTOOD, Dropped, PreferenceGraph, RankedItem, Recommendation, SearchQuery
from pdgf.ports import Acquired, Ports, Span
from pdgf.ranking import LabelCache, Ranking
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

# Setbacks after which the graph or its queries are not what the agent would have made of them.
STOOD_IN_FOR: Final = frozenset(
    {"extract_nodes", "judge_pairs", "choose_edge_to_remove", "describe", "rewrite", "engine"}
)


@dataclass(frozen=True, kw_only=True)
class Request:
    """Everything one recommendation depends on besides the narrative: ports, numbers, limits, what to leave out.

    `previous` and `previous_queries` are the graph of an earlier turn and what was searched for it, for the same item
    word, agent and numbers: with reuse "incremental" what still holds of them is not asked for again (METHOD 10).
    `settled` is told of the graph and of each item as soon as its place is certain, while the ranking goes on; what the
    `first` places need is judged first.
    """

    ports: Ports
    config: MethodConfig
    budget: Budget
    item_word: str = "item"
    hard_spans: tuple[Span, ...] | None = None
    exclude: tuple[Exclusion, ...] = ()
    current_year: int
    k: int | None = None
    previous: PreferenceGraph | None = None
    previous_queries: tuple[SearchQuery, ...] = ()
    labels: LabelCache = field(default_factory=LabelCache)
    first: int | None = None
    settled: Callable[[PreferenceGraph, RankedItem], None] | None = None

    @cached_property
    def earlier(self) -> Earlier | None:
        """What of an earlier turn may be taken over; nothing with reuse "exact"."""
        if self.previous is None or self.config.reuse == "exact":
            return None
        return Earlier(self.previous, self.previous_queries)


class Steps(TypedDict, total=False):
    """What the steps hand to one another."""

    narrative: str
    graph: PreferenceGraph  # without descriptions
    described: PreferenceGraph
    queries: tuple[SearchQuery, ...]
    provisional: bool
    acquired: Acquired
    dropped: tuple[Dropped, ...]
    ranking: Ranking


async def build_graph(state: Steps, runtime: Runtime[Request]) -> Steps:
    """Read the wishes and how they qualify one another: V and E."""
    request = runtime.context
    graph, dropped = await construction.build_graph(
        state["narrative"],
        agent=request.ports.agent,
        config=request.config,
        budget=request.budget,
        hard_spans=request.hard_spans,
        earlier=request.earlier,
    )
    get_stream_writer()({"step": "graph", "nodes": len(graph.nodes), "edges": len(graph.edges)})
    return {"graph": graph, "dropped": dropped}


async def refine(state: Steps, runtime: Runtime[Request]) -> Steps:
    """Describe every wish in the light of those it qualifies: F, and with it G_q = (V, E, F)."""
    request = runtime.context
    described = await construction.refine(
        state["graph"],
        agent=request.ports.agent,
        config=request.config,
        budget=request.budget,
        earlier=request.earlier,
    )
    return {"described": described}


async def write_queries(state: Steps, runtime: Runtime[Request]) -> Steps:
    """One query for each edge of E+, the virtual ROOT's included."""
    request = runtime.context
    queries = await retrieval.write_queries(
        state["graph"],
        agent=request.ports.agent,
        item_word=request.item_word,
        budget=request.budget,
        earlier=request.earlier,
    )
    get_stream_writer()({"step": "queries", "queries": len({query.text for query in queries})})
    return {"queries": queries}


async def acquire_evidence(state: Steps, runtime: Runtime[Request]) -> Steps:
    """(C_q, EV_q): search along the edges and keep, for each item and node, what was found there."""
    request = runtime.context
    graph = state["described"]
    stood_in = any(setback.step in STOOD_IN_FOR for setback in request.budget.setbacks())
    async with _told_meanwhile(request.budget):
        acquired = await request.ports.source.acquire(graph, state["queries"], request.config, request.budget)
    kept = retrieval.exclude(
        acquired,
        graph=graph,
        exclude=request.exclude,
        config=request.config,
        current_year=request.current_year,
    )
    get_stream_writer()({"step": "evidence", "candidates": len(kept.candidates), "records": len(kept.evidence)})
    return {
        "acquired": kept,
        "dropped": (*state["dropped"], *kept.dropped),
        "provisional": state.get("provisional", False) or stood_in,
    }


@asynccontextmanager
async def _told_meanwhile(budget: Budget) -> AsyncIterator[None]:
    """While evidence is gathered, say every second how much of the web has been asked for."""
    say = get_stream_writer()

    async def tell() -> None:
        told = 0
        while True:
            await asyncio.sleep(1.0)
            usage = budget.usage()
            if usage.pages != told:
                told = usage.pages
                say({"step": "reading", "searches": usage.searches, "pages": usage.pages})

    telling = asyncio.create_task(tell())
    try:
        yield
    finally:
        telling.cancel()


async def rank(state: Steps, runtime: Runtime[Request]) -> Steps:
    """Label what must be labelled and order the candidates by S(i)."""
    request = runtime.context
    ranked = await ranking.rank(
        state["described"],
        state["acquired"],
        agent=request.ports.agent,
        config=request.config,
        budget=request.budget,
        k=request.k or request.config.k_recommend,
        labels=request.labels,
        first=request.first,
        settled=partial(request.settled, state["described"]) if request.settled else None,
    )
    counts = {
        "compared": ranked.compared,
        "comparisons": ranked.all_comparisons,
        "items": sum(bool(entry.labels) for entry in ranked.entries),
    }
    get_stream_writer()({"step": "ranking", **counts})
    return {"ranking": ranked}


def _begin(state: Steps) -> str:
    """A graph that is described already only needs evidence."""
    return "acquire_evidence" if "described" in state else "build_graph"


def build_recommender() -> CompiledStateGraph[Steps, Request, Steps, Steps]:
    """The steps in a row, descriptions and queries side by side."""
    steps = StateGraph(Steps, context_schema=Request)
    steps.add_node("build_graph", build_graph)
    steps.add_node("refine", refine)
    steps.add_node("write_queries", write_queries)
    steps.add_node("acquire_evidence", acquire_evidence)
    steps.add_node("rank", rank)
    steps.add_conditional_edges(START, _begin, ["build_graph", "acquire_evidence"])
    steps.add_edge("build_graph", "refine")
    steps.add_edge("build_graph", "write_queries")
    steps.add_edge(["refine", "write_queries"], "acquire_evidence")
    steps.add_edge("acquire_evidence", "rank")
    steps.add_edge("rank", END)
    return steps.compile(checkpointer=False)


RECOMMENDER = build_recommender()

_OF_READING = frozenset({"max_nodes", NOT_UNDERSTOOD})  # why wishes are left out before anything is looked for
# The durability of a surrounding graph is inherited, and "sync" fails in one without a checkpoint (langgraph 1.2.24);
# naming another here is right and only earns a warning that it has no effect.
UNSAVED: Final = "async"
warnings.filterwarnings("ignore", message="`durability` has no effect when no checkpointer is present")


async def recommend(narrative: str, request: Request) -> Recommendation:
    """Rank items by how well what is known of them satisfies a narrative request.

    Raises EmptyNarrative, NarrativeTooLong or NoPreferences for a narrative that cannot be read as wishes,
    BudgetSpent when a cap is reached before anything could be ranked, ServiceFailed when a port fails.
    """
    return await _run({"narrative": narrative}, request)


async def widen(found: Recommendation, request: Request) -> Recommendation:
    """The same wishes over the evidence of the request's source, ranked anew: graph and queries are taken over.

    So a list from what is at hand can be shown before slower evidence arrives. Raises as `recommend` does.
    """
    begun: Steps = {
        "narrative": found.graph.narrative,
        "described": found.graph,
        "queries": found.queries,
        "provisional": found.provisional,
        "dropped": tuple(dropped for dropped in found.dropped if dropped.why in _OF_READING),
    }
    return await _run(begun, request)


async def _run(begun: Steps, request: Request) -> Recommendation:
    done = cast(Steps, await RECOMMENDER.ainvoke(begun, context=request, durability=UNSAVED))
    return Recommendation(
        graph=done["described"],
        queries=done["queries"],
        items=done["ranking"].items,
        pool=len(done["acquired"].candidates),
        dropped=done["dropped"],
        usage=request.budget.usage(),
        provisional=done["provisional"],
        config=request.config.printed(),
        entries=done["ranking"].entries,
    )


def printed_config(recommendation: Recommendation, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The config that stands beside a result, with the engine and encoder that made it."""
    return {**recommendation.config, **extra}
