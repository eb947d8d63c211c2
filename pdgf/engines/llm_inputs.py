"""What each prompt of PDG-A is shown: no more than METHOD 2 lets its step see. Pure."""

from collections.abc import Mapping, Sequence

from pdgf.models import Node
from pdgf.ports import Cycle, NodePair, RefinementRequest, RelationRequest, RewriteRequest

Row = dict[str, object]


def pairs_to_judge(pairs: Sequence[NodePair]) -> list[Row]:
    """c_u^0 and c_v^0 with their atoms, numbered from 1."""
    return [
        {"number": number, "first": _initial(pair.u, pair.atom_u.text), "second": _initial(pair.v, pair.atom_v.text)}
        for number, pair in enumerate(pairs, start=1)
    ]


def cycle_to_break(cycle: Cycle) -> dict[str, list[Row]]:
    """The nodes of the component with their atoms, the edges inside it numbered from 1, and those that lead out."""
    number = {node.id: place for place, node in enumerate(cycle.nodes, start=1)}
    atoms = {atom.id: atom.text for atom in cycle.atoms}
    return {
        "nodes": [{"number": number[node.id], **_initial(node, atoms[node.atom])} for node in cycle.nodes],
        "inner": [
            {
                "number": place,
                "base": number[edge.base],
                "qualifier": number[edge.qualifier],
                "aspect": edge.aspect.value,
                "words": edge.span,
            }
            for place, edge in enumerate(cycle.internal_edges, start=1)
        ],
        "outer": [
            {"base": number.get(edge.base), "qualifier": number.get(edge.qualifier), "words": edge.span}
            for edge in cycle.external_edges
        ],
    }


def nodes_to_describe(
    narrative: str, requests: Sequence[RefinementRequest], described: Mapping[str, str]
) -> dict[str, list[Row]]:
    """c_v^0 of the nodes to describe, numbered from 1, then f of their ancestors, numbered on.

    `described` holds what was made of earlier nodes of the same list; an ancestor of which nothing could be made is
    told by its instantiation. Bases are the numbers of Pa(v) in the reduced E.
    """
    wanted = [request.node for request in requests]
    above = {node.id: node for request in requests for node in request.ancestors}
    known = {
        node.id: described.get(node.id) or node.feature or node.instantiation
        for node in above.values()
        if all(node.id != other.id for other in wanted)
    }
    number: dict[str, int] = {}
    for place, node_id in enumerate([*(node.id for node in wanted), *known], start=1):
        number.setdefault(node_id, place)
    bases: dict[str, set[int]] = {}
    for edge in (edge for request in requests for edge in request.edges):
        bases.setdefault(edge.qualifier, set()).add(number[edge.base])
    return {
        "known": [
            {"number": number[node_id], "description": feature, "bases": sorted(bases.get(node_id, ()))}
            for node_id, feature in known.items()
        ],
        "nodes": [
            {
                "number": place,
                **_initial(node, _words(node, narrative)),
                "hard": node.hard,
                "strength": node.strength,
                "bases": sorted(bases.get(node.id, ())),
            }
            for place, node in enumerate(wanted, start=1)
        ],
    }


def edges_to_search(narrative: str, requests: Sequence[RewriteRequest]) -> list[Row]:
    """c_u^0 (null for ROOT) and c_v^0 of edges of E+, numbered from 1; never f."""
    return [
        {
            "number": number,
            "base": None if request.base is None else _initial(request.base, _words(request.base, narrative)),
            "node": _initial(request.node, _words(request.node, narrative)),
        }
        for number, request in enumerate(requests, start=1)
    ]


def comparisons(requests: Sequence[RelationRequest]) -> list[Row]:
    """Pairs of x and f numbered from 1 in their order, each under the text it shares with others."""
    groups: dict[str, list[Row]] = {}
    for number, request in enumerate(requests, start=1):
        groups.setdefault(request.text, []).append({"number": number, "text": request.feature})
    return [
        {"number": number, "text": text, "features": features}
        for number, (text, features) in enumerate(groups.items(), start=1)
    ]


def _initial(node: Node, atom: str) -> Row:
    """c_v^0: the text of the atom, perspective, instantiation and polarity."""
    return {
        "atom": atom,
        "perspective": node.perspective,
        "instantiation": node.instantiation,
        "polarity": node.polarity.value,
    }


def _words(node: Node, narrative: str) -> str:
    """The user's words for a node that comes without its atom."""
    return narrative[slice(*node.span)].strip() or node.instantiation
