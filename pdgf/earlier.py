"""What an earlier turn has asked the agent and still holds (METHOD 10, "incremental"): equal inputs, equal answers.

    pair         c_u^0, c_v^0 and the texts of their atoms, the one mentioned first as u
    cycle        the nodes of the component, the edges inside it and those that lead out
    description  c_v^0 with its hardness and strength, f of its ancestors, the reduced edges among them
    query        c_u^0 or ROOT, and c_v^0

Places in the narrative, ids of atoms and turns are no inputs: they shift when the narrative grows. Nor is the narrative
itself, and that is what makes the reuse approximate for an agent that reads more in it. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pdgf import graph as dag
from pdgf.models import Atom, Node, PreferenceGraph, QualificationEdge, RemovalReason, SearchQuery
from pdgf.ports import Cycle, NodePair, RefinementRequest, RewriteRequest

Initial = tuple[object, ...]  # c_v^0 and its atom in words
Component = tuple[tuple[Initial, ...], frozenset[QualificationEdge], frozenset[QualificationEdge]]
Ends = tuple[str, str]


def initial(node: Node, atom: Atom | None) -> Initial:
    """c_v^0 and its atom as a step is told of them. Ids are in it: edges name their ends by them.

    Hardness is not: it decides the order of the list and, through f_v, its wording (METHOD 4.6, 10).
    """
    said = (atom.text, atom.kind, atom.year) if atom is not None else ()
    return node.id, said, node.perspective, node.instantiation, node.polarity, node.strength


@dataclass(frozen=True)
class Earlier:
    """The graph and the queries of an earlier turn, to be asked what of them still holds."""

    graph: PreferenceGraph
    queries: Sequence[SearchQuery] = ()

    def has_judged(self, pair: NodePair) -> bool:
        """Whether d_q(u, v) was asked for with these inputs."""
        u, v = self._initial.get(pair.u.id), self._initial.get(pair.v.id)
        same = (u, v) == (initial(pair.u, pair.atom_u), initial(pair.v, pair.atom_v))
        return same and self._place[pair.u.id] < self._place[pair.v.id]

    def choice(self, cycle: Cycle) -> Ends | None:
        """e_t of a component that was resolved before."""
        return self._choices.get(_component(cycle))

    def feature(self, request: RefinementRequest, atoms: Mapping[str, Atom], language: str) -> str | None:
        """f_v, if nothing that it depends on is different now. `atoms` are those of the new graph, by id."""
        before = self.graph.node_by_id.get(request.node.id)
        if before is None or not before.feature or language != self.graph.language:
            return None
        above = [self.graph.node_by_id[u] for u in self.graph.ancestors(before.id)]
        inside = {before.id, *(node.id for node in above)}
        edges = tuple(edge for edge in self.graph.edges if inside.issuperset(edge.ends))
        same = (
            _described(before, self._atoms) == _described(request.node, atoms)
            and [(_described(u, self._atoms), u.feature) for u in above]
            == [(_described(u, atoms), u.feature) for u in request.ancestors]
            and edges == request.edges
        )
        return before.feature if same else None

    def query(self, request: RewriteRequest, atoms: Mapping[str, Atom], language: str) -> str | None:
        """r_uv of an edge of E+ whose ends are the same."""
        ends = request.base.id if request.base else None, request.node.id
        nodes = [node for node in (request.base, request.node) if node is not None]
        same = language == self.graph.language and all(
            self._initial.get(node.id) == initial(node, atoms.get(node.atom)) for node in nodes
        )
        return self._texts.get(ends) if same else None

    @cached_property
    def _atoms(self) -> Mapping[str, Atom]:
        return {atom.id: atom for atom in self.graph.atoms}

    @cached_property
    def _initial(self) -> Mapping[str, Initial]:
        return {node.id: initial(node, self._atoms.get(node.atom)) for node in self.graph.nodes}

    @cached_property
    def _place(self) -> Mapping[str, tuple[int, str]]:
        return {node.id: (node.order, node.id) for node in self.graph.nodes}

    @cached_property
    def _texts(self) -> Mapping[tuple[str | None, str], str]:
        return {(query.base, query.node): query.text for query in self.queries}

    @cached_property
    def _choices(self) -> Mapping[Component, Ends]:
        """What was chosen for each component: the removals gone through again, from E^0 on."""
        ids = [node.id for node in self.graph.nodes]
        edges = self.graph.initial_edges
        choices: dict[Component, Ends] = {}
        for removed in self.graph.removed_edges:
            found = dag.first_cyclic_component(ids, edges)
            if removed.reason is not RemovalReason.CYCLE or found is None:
                break
            cycle = cycle_of(found, self.graph.nodes, self.graph.atoms, edges)
            chosen = removed.base, removed.qualifier
            if chosen not in {edge.ends for edge in cycle.internal_edges}:
                break  # the log of a graph that nodes were taken out of
            choices[_component(cycle)] = chosen
            edges = tuple(edge for edge in edges if edge.ends != chosen)
        return choices


def cycle_of(
    component: Sequence[str], nodes: Sequence[Node], atoms: Sequence[Atom], edges: Sequence[QualificationEdge]
) -> Cycle:
    """What CycleJudge sees of a component, its nodes in order of mention."""
    inside = sorted((node for node in nodes if node.id in component), key=lambda node: (node.order, node.id))
    said = {node.atom for node in inside}
    return Cycle(
        nodes=tuple(inside),
        atoms=tuple(atom for atom in atoms if atom.id in said),
        internal_edges=dag.internal_edges(component, edges),
        external_edges=dag.external_edges(component, edges),
    )


def _component(cycle: Cycle) -> Component:
    atoms = {atom.id: atom for atom in cycle.atoms}
    nodes = tuple(initial(node, atoms.get(node.atom)) for node in cycle.nodes)
    return nodes, frozenset(cycle.internal_edges), frozenset(cycle.external_edges)


def _described(node: Node, atoms: Mapping[str, Atom]) -> Initial:
    return *initial(node, atoms.get(node.atom)), node.hard
