"""The preference graph as a graph: components, cycles, reduction, order, removal of nodes, differences.

Pure functions; the only module that knows networkx. `order` is always the rank of first mention of a node
(METHOD 4.2); every tie is broken by it and then by id, so that no result depends on the order of insertion.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

import networkx as nx

from pdgf.models import Atom, Node, PreferenceGraph, QualificationEdge, RemovalReason, RemovedEdge, Value

Edges = tuple[QualificationEdge, ...]


class GraphDiff(Value):
    """What changed between two graphs, as node ids: `added` and `kept` in the new order pi, `removed` in the old."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def valid_edges(node_ids: Iterable[str], edges: Iterable[QualificationEdge]) -> Edges:
    """E^0 without self edges, edges of unknown nodes and duplicates, and with one edge a pair of nodes (METHOD 4.3).

    Of duplicates and of the two edges of a 2-cycle the more confident stays; equal ones are settled by their text.
    """
    known = set(node_ids)
    best: dict[frozenset[str], QualificationEdge] = {}
    for edge in edges:
        if edge.base == edge.qualifier or not {edge.base, edge.qualifier} <= known:
            continue
        pair = frozenset(edge.ends)
        best[pair] = min(best.get(pair, edge), edge, key=lambda e: (-e.confidence, e.ends, e.span, e.aspect))
    return tuple(best.values())


def first_cyclic_component(node_ids: Iterable[str], edges: Iterable[QualificationEdge]) -> tuple[str, ...] | None:
    """The strongly connected component of more than one node with the smallest id, its ids sorted; None if acyclic."""
    components = nx.strongly_connected_components(_digraph(node_ids, edges))
    return min((tuple(sorted(found)) for found in components if len(found) > 1), default=None)


def internal_edges(component: Collection[str], edges: Iterable[QualificationEdge]) -> Edges:
    """The edges with both ends in the component: each of them lies on a cycle."""
    return tuple(edge for edge in edges if edge.base in component and edge.qualifier in component)


def external_edges(component: Collection[str], edges: Iterable[QualificationEdge]) -> Edges:
    """The edges with exactly one end in the component."""
    return tuple(edge for edge in edges if (edge.base in component) != (edge.qualifier in component))


def least_supported(edges: Iterable[QualificationEdge], order: Mapping[str, int]) -> QualificationEdge:
    """The edge to remove when no judge names one (METHOD 4.4): least confidence, then one that returns to a broader
    preference (its head was mentioned before its tail), then the first by ids. Raises ValueError without an edge."""
    return min(edges, key=lambda edge: _support(edge, order))


def break_cycles(
    node_ids: Iterable[str], edges: Iterable[QualificationEdge], order: Mapping[str, int]
) -> tuple[Edges, Edges]:
    """Cycle resolution without a judge (METHOD 4.4): (kept, removed), the least supported of the removed first.

    One pass in order of support removes what the loop over components removes: an edge that lies on no cycle when
    its turn comes never lies on one again, and the least supported of those that do is the minimum of its component.
    """
    edges = tuple(edges)
    ranked = sorted(edges, key=lambda edge: _support(edge, order))
    on_cycles = set(_on_cycles(node_ids, edges, [edge.ends for edge in ranked]))
    kept = tuple(edge for edge in edges if edge.ends not in on_cycles)
    return kept, tuple(edge for edge in ranked if edge.ends in on_cycles)


def transitive_reduction(node_ids: Iterable[str], edges: Iterable[QualificationEdge]) -> tuple[Edges, Edges]:
    """(kept, shortcuts): an edge goes when a longer path joins its ends (METHOD 4.5). Edges keep their data.

    Raises ValueError when the edges hold a cycle.
    """
    edges = tuple(edges)
    successors = _successors(node_ids, edges)
    beyond: dict[str, set[str]] = {}  # what a node reaches in two steps or more
    reached: dict[str, set[str]] = {}
    for node in reversed(topological_order(successors, edges, dict.fromkeys(successors, 0))):
        beyond[node] = set().union(*(reached[after] for after in successors[node]))
        reached[node] = successors[node] | beyond[node]
    kept = tuple(edge for edge in edges if edge.qualifier not in beyond[edge.base])
    return kept, tuple(edge for edge in edges if edge.qualifier in beyond[edge.base])


def topological_order(
    node_ids: Iterable[str], edges: Iterable[QualificationEdge], order: Mapping[str, int]
) -> tuple[str, ...]:
    """pi: of the nodes whose bases are all placed, the one mentioned first comes next. Raises ValueError if cyclic."""
    try:
        return tuple(
            nx.lexicographical_topological_sort(_digraph(node_ids, edges), key=lambda node: (order[node], node))
        )
    except nx.NetworkXUnfeasible as cyclic:
        raise ValueError("a cyclic graph has no topological order") from cyclic


def generations(node_ids: Iterable[str], edges: Iterable[QualificationEdge]) -> list[tuple[str, ...]]:
    """The layers that can be refined at the same time (METHOD 4.6), ids sorted. Raises ValueError if cyclic."""
    try:
        return [tuple(sorted(layer)) for layer in nx.topological_generations(_digraph(node_ids, edges))]
    except nx.NetworkXUnfeasible as cyclic:
        raise ValueError("a cyclic graph has no generations") from cyclic


def assemble(
    *,
    narrative: str,
    language: str,
    atoms: Sequence[Atom],
    nodes: Sequence[Node],
    initial_edges: Sequence[QualificationEdge],
    cycle_edges: Sequence[tuple[str, str]],
) -> PreferenceGraph:
    """G_q from E^0 and the edges that were removed because of cycles, in the order of their removal (METHOD 4.5).

    Nodes come out in order of mention, edges by their ends in that order. Raises ValueError when an edge names an
    unknown node or itself, when a removed edge is not in E^0, or when a cycle is left.
    """
    order = {node.id: node.order for node in nodes}
    _check_ends(order, initial_edges, cycle_edges)
    listed = sorted(initial_edges, key=lambda e: (order[e.base], e.base, order[e.qualifier], e.qualifier))
    dropped = set(cycle_edges)
    acyclic = [edge for edge in listed if edge.ends not in dropped]
    kept, shortcuts = transitive_reduction(order, acyclic)
    return PreferenceGraph(
        narrative=narrative,
        language=language,
        atoms=tuple(atoms),
        nodes=tuple(sorted(nodes, key=lambda node: (node.order, node.id))),
        initial_edges=tuple(listed),
        removed_edges=(
            *(RemovedEdge(base=u, qualifier=v, reason=RemovalReason.CYCLE) for u, v in cycle_edges),
            *(RemovedEdge(base=e.base, qualifier=e.qualifier, reason=RemovalReason.SHORTCUT) for e in shortcuts),
        ),
        edges=kept,
        order=topological_order(order, kept, order),
    )


def without_nodes(graph: PreferenceGraph, node_ids: Iterable[str]) -> PreferenceGraph:
    """The graph recomputed from E^0 without some nodes (METHOD 4.5, pitfall 3).

    The log of cycle edges is gone through again: an edge stays removed only if, when its turn comes, it still lies
    on a cycle. Atoms stay (a reference stays excluded) and so do descriptions: whoever asks an agent has to refine
    the nodes whose ancestors changed. Raises KeyError for an unknown node.
    """
    gone = set(node_ids)
    if unknown := gone - {node.id for node in graph.nodes}:
        raise KeyError(min(unknown))
    nodes = [node for node in graph.nodes if node.id not in gone]
    initial = [edge for edge in graph.initial_edges if gone.isdisjoint(edge.ends)]
    log = [(e.base, e.qualifier) for e in graph.removed_edges if e.reason is RemovalReason.CYCLE]
    return assemble(
        narrative=graph.narrative,
        language=graph.language,
        atoms=graph.atoms,
        nodes=nodes,
        initial_edges=initial,
        cycle_edges=_on_cycles([node.id for node in nodes], initial, [e for e in log if gone.isdisjoint(e)]),
    )


def diff(before: PreferenceGraph | None, after: PreferenceGraph) -> GraphDiff:
    """Which nodes a turn added, removed and kept; without a graph before, all are added."""
    old = before.order if before else ()
    was, now = set(old), set(after.order)
    return GraphDiff(
        added=tuple(node for node in after.order if node not in was),
        removed=tuple(node for node in old if node not in now),
        kept=tuple(node for node in after.order if node in was),
    )


def _support(edge: QualificationEdge, order: Mapping[str, int]) -> tuple[float, bool, tuple[str, str]]:
    return edge.confidence, order[edge.qualifier] >= order[edge.base], edge.ends


def _on_cycles(
    node_ids: Iterable[str], edges: Iterable[QualificationEdge], turns: Iterable[tuple[str, str]]
) -> list[tuple[str, str]]:
    """The edges of `turns` that lie on a cycle when their turn comes; each one found is taken out before the next."""
    successors = _successors(node_ids, edges)
    removed: list[tuple[str, str]] = []
    for base, qualifier in turns:
        if qualifier in successors[base] and _reaches(successors, qualifier, base):
            successors[base].remove(qualifier)
            removed.append((base, qualifier))
    return removed


def _successors(node_ids: Iterable[str], edges: Iterable[QualificationEdge]) -> dict[str, set[str]]:
    successors: dict[str, set[str]] = {node: set() for node in node_ids}
    for edge in edges:
        successors[edge.base].add(edge.qualifier)
    return successors


def _reaches(successors: Mapping[str, set[str]], start: str, goal: str) -> bool:
    seen, open_ = {start}, [start]
    while open_:
        found = successors[open_.pop()] - seen
        if goal in found:
            return True
        seen |= found
        open_ += found
    return False


def _check_ends(
    known: Collection[str], edges: Sequence[QualificationEdge], cycle_edges: Sequence[tuple[str, str]]
) -> None:
    for edge in edges:
        if edge.base == edge.qualifier or edge.base not in known or edge.qualifier not in known:
            raise ValueError(f"edge {edge.base} -> {edge.qualifier} does not join two nodes of the graph")
    if len({edge.ends for edge in edges}) < len(edges):
        raise ValueError("an edge is given twice")
    if unknown := set(cycle_edges) - {edge.ends for edge in edges}:
        raise ValueError(f"removed edges are not among the initial ones: {sorted(unknown)}")


def _digraph(node_ids: Iterable[str], edges: Iterable[QualificationEdge]) -> "nx.DiGraph[str]":
    graph = nx.DiGraph()
    graph.add_nodes_from(node_ids)
    graph.add_edges_from(edge.ends for edge in edges)
    return graph
