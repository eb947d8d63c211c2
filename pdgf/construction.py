"""Graph construction: from a narrative to G_q = (V, E, F) through the PreferenceAgent (METHOD 4).

`build_graph` gives V and E; `refine` adds F. They are two steps because queries need only the first (METHOD 5.1).
"""

from collections.abc import Sequence
from itertools import combinations

from pdgf import graph as dag
from pdgf.errors import EmptyNarrative, NoPreferences
from pdgf.models import Dropped, Node, PreferenceGraph, QualificationEdge
from pdgf.ports import Cycle, NodePair, PairJudgement, PreferenceAgent, Reading, RefinementRequest, Span
from pdgf.settings import MethodConfig
from pdgf.usage import Budget


async def build_graph(
    narrative: str,
    *,
    agent: PreferenceAgent,
    config: MethodConfig,
    budget: Budget,
    hard_spans: Sequence[Span] | None = None,
    previous: PreferenceGraph | None = None,
) -> tuple[PreferenceGraph, tuple[Dropped, ...]]:
    """Read nodes, judge pairs, resolve cycles and reduce: the graph without descriptions.

    With `previous` and reuse "incremental", judgements of pairs whose inputs did not change are taken over (METHOD 10).
    Raises EmptyNarrative for a text without a letter or digit and NoPreferences when no wish and no
    reference item was read from it.
    """
    if not any(character.isalnum() for character in narrative):
        raise EmptyNarrative(narrative[:40])
    reading = await agent.extract_nodes(narrative, hard_spans, config, budget)
    if not reading.nodes:
        raise NoPreferences(narrative[:80])
    reading, trimmed = _within_size(reading, config)
    known = previous if config.reuse == "incremental" else None
    initial = await _judge_pairs(narrative, reading, agent=agent, config=config, budget=budget, previous=known)
    cycle_edges = await _resolve_cycles(narrative, reading, initial, agent=agent, budget=budget)
    graph = dag.assemble(
        narrative=narrative,
        language=reading.language,
        atoms=reading.atoms,
        nodes=reading.nodes,
        initial_edges=initial,
        cycle_edges=cycle_edges,
    )
    return graph, (*reading.notes, *trimmed)


async def refine(
    graph: PreferenceGraph,
    *,
    agent: PreferenceAgent,
    config: MethodConfig,
    budget: Budget,
    previous: PreferenceGraph | None = None,
) -> PreferenceGraph:
    """f_v for every node; ancestors are described first (METHOD 4.6).

    One call for each topological generation or, with `layers_at_once`, one for all of them in order pi. With `previous`
    and reuse "incremental", descriptions whose inputs did not change are taken over (METHOD 10).
    """
    known = previous if config.reuse == "incremental" else None
    layers = dag.generations([node.id for node in graph.nodes], graph.edges)
    refined: dict[str, Node] = {}
    for layer in [graph.order] if config.layers_at_once else layers:
        wanted: list[RefinementRequest] = []
        for node_id in layer:
            request = _request(graph, node_id, refined)
            feature = _known_feature(request, known)
            refined[node_id] = request.node.model_copy(update={"feature": feature or ""})
            if feature is None:
                wanted.append(request)
        if wanted:
            budget.spend_comparisons(len(wanted))
            features = await agent.describe(graph.narrative, wanted, budget)
            for request, feature in zip(wanted, features, strict=True):
                refined[request.node.id] = request.node.model_copy(update={"feature": feature})
    return graph.model_copy(update={"nodes": tuple(refined[node.id] for node in graph.nodes)})


def _within_size(reading: Reading, config: MethodConfig) -> tuple[Reading, tuple[Dropped, ...]]:
    """Keep at most `max_nodes` nodes: hard before soft, criteria before what references expand to, earlier first."""
    if config.max_nodes is None or len(reading.nodes) <= config.max_nodes:
        return reading, ()
    kinds = {atom.id: atom.kind.value for atom in reading.atoms}
    salient = sorted(reading.nodes, key=lambda n: (not n.hard, kinds[n.atom] != "criterion", n.order, n.id))
    kept = {node.id for node in salient[: config.max_nodes]}
    dropped = tuple(Dropped(what=node.instantiation, why="max_nodes") for node in reading.nodes if node.id not in kept)
    nodes = tuple(node for node in reading.nodes if node.id in kept)
    return reading.model_copy(update={"nodes": nodes}), dropped


async def _judge_pairs(
    narrative: str,
    reading: Reading,
    *,
    agent: PreferenceAgent,
    config: MethodConfig,
    budget: Budget,
    previous: PreferenceGraph | None,
) -> tuple[QualificationEdge, ...]:
    """E^0: one judgement for each unordered pair, the node mentioned first presented as u (METHOD 4.3)."""
    atoms = {atom.id: atom for atom in reading.atoms}
    pairs = [
        NodePair(u=u, v=v, atom_u=atoms[u.atom], atom_v=atoms[v.atom])
        for u, v in combinations(sorted(reading.nodes, key=lambda node: (node.order, node.id)), 2)
        if not (config.skip_same_atom and u.atom == v.atom)
    ]
    known = set(previous.node_by_id) if previous is not None else set()
    fresh = [pair for pair in pairs if not (pair.u.id in known and pair.v.id in known)]
    kept = [
        edge
        for edge in (previous.initial_edges if previous is not None else ())
        if {edge.base, edge.qualifier} <= {node.id for node in reading.nodes}
    ]
    judged: Sequence[PairJudgement | None] | None = []
    if fresh:
        budget.spend_comparisons(len(fresh))
        judged = _judged_already(reading, fresh)
        if judged is None:
            judged = await agent.judge_pairs(narrative, fresh, budget)
    found = [QualificationEdge(**judgement.model_dump()) for judgement in judged or () if judgement is not None]
    return dag.valid_edges([node.id for node in reading.nodes], (*kept, *found))


def _judged_already(reading: Reading, pairs: Sequence[NodePair]) -> list[PairJudgement] | None:
    """What the reading says of these pairs; None where it left the judging to the next step."""
    if reading.judgements is None:
        return None
    wanted = {frozenset((pair.u.id, pair.v.id)) for pair in pairs}
    return [judgement for judgement in reading.judgements if frozenset((judgement.base, judgement.qualifier)) in wanted]


async def _resolve_cycles(
    narrative: str,
    reading: Reading,
    initial: Sequence[QualificationEdge],
    *,
    agent: PreferenceAgent,
    budget: Budget,
) -> list[tuple[str, str]]:
    """The edges to remove until no component holds a cycle: one a round, the least supported (METHOD 4.4)."""
    ids = [node.id for node in reading.nodes]
    order = {node.id: node.order for node in reading.nodes}
    edges = list(initial)
    removed: list[tuple[str, str]] = []
    while (component := dag.first_cyclic_component(ids, edges)) is not None:
        internal = dag.internal_edges(component, edges)
        nodes = tuple(node for node in reading.nodes if node.id in component)
        cycle = Cycle(
            nodes=nodes,
            atoms=tuple(atom for atom in reading.atoms if atom.id in {node.atom for node in nodes}),
            internal_edges=internal,
            external_edges=dag.external_edges(component, edges),
        )
        choice = await agent.choose_edge_to_remove(narrative, cycle, budget)
        if choice not in {edge.ends for edge in internal}:
            choice = dag.least_supported(internal, order).ends
        removed.append(choice)
        edges = [edge for edge in edges if edge.ends != choice]
    return removed


def _request(graph: PreferenceGraph, node_id: str, refined: dict[str, Node]) -> RefinementRequest:
    ancestors = graph.ancestors(node_id)
    inside = {*ancestors, node_id}
    return RefinementRequest(
        node=graph.node_by_id[node_id],
        ancestors=tuple(refined[u] for u in ancestors),
        edges=tuple(edge for edge in graph.edges if edge.base in inside and edge.qualifier in inside),
    )


def _known_feature(request: RefinementRequest, previous: PreferenceGraph | None) -> str | None:
    """f_v of an earlier turn, if c_v^0, its ancestors' f and the edges among them are the same."""
    if previous is None or request.node.id not in previous.node_by_id:
        return None
    node_id = request.node.id
    known = {u: previous.node_by_id[u].feature for u in previous.ancestors(node_id)}
    if known != {node.id: node.feature for node in request.ancestors}:
        return None
    inside = {*known, node_id}
    edges = {edge.ends for edge in previous.edges if edge.base in inside and edge.qualifier in inside}
    same = edges == {edge.ends for edge in request.edges}
    return previous.node_by_id[node_id].feature if same else None
