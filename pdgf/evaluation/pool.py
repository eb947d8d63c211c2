"""What one request gives all strategies: its graphs, their evidence, and the one pool that all of them order.

    request -> graph of its wishes           -> evidence along E+          \\
            -> the whole request as one wish -> evidence for that alone     }-> pool = what the two of them found
            -> the wishes without edges      -> evidence of entry queries, within that pool

Items that the request names itself are left out for all strategies alike. The year rule comes later: strategies differ
in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pdgf import construction, retrieval
from pdgf import graph as dag
from pdgf.errors import EmptyNarrative, LanguageNotSupported, NoPreferences
from pdgf.identity import Exclusion
from pdgf.models import Atom, Candidate, Node, Polarity, PreferenceGraph, SearchQuery, node_id
from pdgf.ports import Acquired, Ports
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

UNREADABLE = (NoPreferences, LanguageNotSupported, EmptyNarrative)  # errors that leave a request without a graph
WHOLE = "request"  # the perspective of a request taken as one wish


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What retrieval needs besides the request."""

    ports: Ports
    config: MethodConfig
    item_word: str
    current_year: int


@dataclass(frozen=True, kw_only=True)
class Evidenced:
    """A graph with what was found for it."""

    graph: PreferenceGraph
    acquired: Acquired


async def read_request(text: str, asking: Asking, budget: Budget) -> PreferenceGraph:
    """G_q of a request. Raises as `build_graph` does."""
    agent = asking.ports.agent
    made, _ = await construction.build_graph(text, agent=agent, config=asking.config, budget=budget)
    return await construction.refine(made, agent=agent, config=asking.config, budget=budget)


async def without_edges(graph: PreferenceGraph, asking: Asking, budget: Budget) -> PreferenceGraph:
    """The same wishes, each described for itself (METHOD 14.4: E empty)."""
    bare = dag.assemble(
        narrative=graph.narrative,
        language=graph.language,
        atoms=graph.atoms,
        nodes=[node.model_copy(update={"feature": ""}) for node in graph.nodes],
        initial_edges=(),
        cycle_edges=(),
    )
    return await construction.refine(bare, agent=asking.ports.agent, config=asking.config, budget=budget)


def one_wish(text: str, language: str = "en") -> PreferenceGraph:
    """The whole request as a graph of one node, whose description is the request."""
    atom = Atom(id=WHOLE, text=text, span=(0, len(text)))
    node = Node(
        id=node_id(text, WHOLE, text, Polarity.WANT),
        atom=atom.id,
        perspective=WHOLE,
        instantiation=text,
        feature=text,
        span=atom.span,
    )
    return dag.assemble(
        narrative=text, language=language, atoms=(atom,), nodes=(node,), initial_edges=(), cycle_edges=()
    )


async def evidence_of(
    graph: PreferenceGraph, asking: Asking, budget: Budget, *, left_out: Sequence[Exclusion], seeds: Sequence[str]
) -> Evidenced:
    """What the queries of a graph find, without what the request names. Raises as the source and the agent do."""
    if len(graph.nodes) == 1 and graph.nodes[0].perspective == WHOLE:
        text = graph.narrative
        queries: tuple[SearchQuery, ...] = (SearchQuery(base=None, node=graph.nodes[0].id, text=text, words=text),)
    else:
        queries = await retrieval.write_queries(
            graph, agent=asking.ports.agent, item_word=asking.item_word, budget=budget
        )
    found = await asking.ports.source.acquire(graph, queries, asking.config, budget)
    any_year = asking.config.model_copy(update={"year_rule": "off"})
    kept = retrieval.exclude(found, graph=graph, exclude=left_out, config=any_year, current_year=asking.current_year)
    return Evidenced(graph=graph, acquired=within(kept, {c.id for c in kept.candidates} - set(seeds)))


def within(acquired: Acquired, items: set[str]) -> Acquired:
    """What was found of some items alone."""
    return acquired.model_copy(
        update={
            "candidates": tuple(candidate for candidate in acquired.candidates if candidate.id in items),
            "evidence": tuple(record for record in acquired.evidence if record.candidate in items),
        }
    )


def united(first: Sequence[Candidate], second: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The pool: what either has found, the first one's items first."""
    return tuple({candidate.id: candidate for candidate in (*first, *second)}.values())
