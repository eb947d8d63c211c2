"""Graph construction: from a narrative to G_q = (V, E, F) through the PreferenceAgent (METHOD 4).

`build_graph` gives V and E; `refine` adds F. They are two steps because queries need only the first (METHOD 5.1).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from pdgf import graph as dag
from pdgf.earlier import Earlier, cycle_of
from pdgf.errors import EmptyNarrative, NoPreferences
from pdgf.models import Dropped, Node, PreferenceGraph, QualificationEdge
from pdgf.ports import NodePair, PairJudgement, PreferenceAgent, Reading, RefinementRequest, Span
from pdgf.settings import MethodConfig
from pdgf.usage import Budget


async def build_graph(
    narrative: str,
    *,
    agent: PreferenceAgent,
    config: MethodConfig,
    budget: Budget,
    hard_spans: Sequence[Span] | None = None,
    earlier: Earlier | None = None,
) -> tuple[PreferenceGraph, tuple[Dropped, ...]]:
    """Read nodes, judge pairs, resolve cycles and reduce: the graph without descriptions.

    Judgements of pairs and choices in cycles whose inputs are those of `earlier` are taken over (METHOD 10).
    Raises EmptyNarrative for a text without a letter or digit and NoPreferences when no wish and no
    reference item was read from it.
    """
    if not any(character.isalnum() for character in narrative):
        raise EmptyNarrative(narrative[:40])
    reading = await agent.extract_nodes(narrative, hard_spans, config, budget)
    if not reading.nodes:
        raise NoPreferences(narrative[:80])
    reading, trimmed = _within_size(reading, config)
    initial = await _judge_pairs(narrative, reading, agent=agent, config=config, budget=budget, earlier=earlier)
    cycle_edges = await _resolve_cycles(narrative, reading, initial, agent=agent, budget=budget, earlier=earlier)
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
    earlier: Earlier | None = None,
) -> PreferenceGraph:
    """f_v for every node; ancestors are described first (METHOD 4.6).

    One call for each topological generation or, with `layers_at_once`, one for all of them in order pi. Descriptions
    whose inputs are those of `earlier` are taken over (METHOD 10).
    """
    atoms = {atom.id: atom for atom in graph.atoms}
    layers = dag.generations([node.id for node in graph.nodes], graph.edges)
    refined: dict[str, Node] = {}
    for layer in [graph.order] if config.layers_at_once else layers:
        wanted: list[RefinementRequest] = []
        for node_id in layer:
            request = _request(graph, node_id, refined)
            feature = earlier.feature(request, atoms, graph.language) if earlier else None
            refined[node_id] = request.node.model_copy(update={"feature": feature or ""})
            if feature is None:
                wanted.append(request)
            else:
                budget.took_over("descriptions", [node_id])
        if wanted:
            budget.spend_comparisons(len(wanted))
            features = await agent.describe(graph.narrative, wanted, budget)
            for request, feature in zip(wanted, features, strict=True):
                refined[request.node.id] = request.node.model_copy(update={"feature": feature})
    return graph.model_copy(update={"nodes": tuple(refined[node.id] for node in graph.nodes)})


def _within_size(reading: Reading, config: MethodConfig) -> tuple[Reading, tuple[Dropped, ...]]:
    """Keep at most `max_nodes` nodes: hard before soft, criteria before what references expand to, earlier first.

    Of several references each keeps its first wishes before any keeps its last.
    """
    if config.max_nodes is None or len(reading.nodes) <= config.max_nodes:
        return reading, ()
    kinds = {atom.id: atom.kind.value for atom in reading.atoms}
    of_atom: Counter[str] = Counter()
    place: dict[str, int] = {}  # of a reference's wish among its own; 0 for criteria
    for node in sorted(reading.nodes, key=lambda n: (n.order, n.id)):
        place[node.id] = of_atom[node.atom] if kinds[node.atom] != "criterion" else 0
        of_atom[node.atom] += 1
    salient = sorted(
        reading.nodes, key=lambda n: (not n.hard, kinds[n.atom] != "criterion", place[n.id], n.order, n.id)
    )
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
    earlier: Earlier | None,
) -> tuple[QualificationEdge, ...]:
    """E^0: one judgement for each unordered pair, the node mentioned first presented as u (METHOD 4.3).

    Edges come in the order of their pairs, whichever of them were known.
    """
    atoms = {atom.id: atom for atom in reading.atoms}
    pairs = [
        NodePair(u=u, v=v, atom_u=atoms[u.atom], atom_v=atoms[v.atom])
        for u, v in combinations(sorted(reading.nodes, key=lambda node: (node.order, node.id)), 2)
        if not (config.skip_same_atom and u.atom == v.atom)
    ]
    place = {_ends(pair): number for number, pair in enumerate(pairs)}
    known = {_ends(pair) for pair in pairs if earlier is not None and earlier.has_judged(pair)}
    kept = [edge for edge in (earlier.graph.initial_edges if earlier else ()) if frozenset(edge.ends) in known]
    budget.took_over("pairs", known)
    judged: Sequence[PairJudgement | None] | None = []
    fresh = [pair for pair in pairs if _ends(pair) not in known]
    if fresh:
        budget.spend_comparisons(len(fresh))
        judged = _judged_already(reading, fresh)
        if judged is None:
            judged = await agent.judge_pairs(narrative, fresh, budget)
    found = [QualificationEdge(**judgement.model_dump()) for judgement in judged or () if judgement is not None]
    edges = dag.valid_edges([node.id for node in reading.nodes], (*kept, *found))
    return tuple(sorted(edges, key=lambda edge: place[frozenset(edge.ends)]))


def _judged_already(reading: Reading, pairs: Sequence[NodePair]) -> list[PairJudgement] | None:
    """What the reading says of these pairs; None where it left the judging to the next step."""
    if reading.judgements is None:
        return None
    wanted = set(map(_ends, pairs))
    return [judgement for judgement in reading.judgements if frozenset((judgement.base, judgement.qualifier)) in wanted]


def _ends(pair: NodePair) -> frozenset[str]:
    return frozenset((pair.u.id, pair.v.id))


async def _resolve_cycles(
    narrative: str,
    reading: Reading,
    initial: Sequence[QualificationEdge],
    *,
    agent: PreferenceAgent,
    budget: Budget,
    earlier: Earlier | None,
) -> list[tuple[str, str]]:
    """The edges to remove until no component holds a cycle: one a round, the least supported (METHOD 4.4)."""
    ids = [node.id for node in reading.nodes]
    order = {node.id: node.order for node in reading.nodes}
    edges = list(initial)
    removed: list[tuple[str, str]] = []
    while (component := dag.first_cyclic_component(ids, edges)) is not None:
        cycle = cycle_of(component, reading.nodes, reading.atoms, edges)
        choice = earlier.choice(cycle) if earlier is not None else None
        if choice is None:
            choice = await agent.choose_edge_to_remove(narrative, cycle, budget)
        if choice not in {edge.ends for edge in cycle.internal_edges}:
            choice = dag.least_supported(cycle.internal_edges, order).ends
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
