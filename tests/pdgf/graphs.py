"""Small graphs for tests: written as arrows, drawn at random, and the brute force to compare with."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from hypothesis import strategies as st

from pdgf.graph import assemble
from pdgf.models import Candidate, Evidence, Label, Node, Passage, PreferenceGraph, QualificationEdge, Source

SCORES = {Label.SUPPORT: 1.0, Label.PARTIAL: 0.5, Label.NOT_ADDRESSED: 0.1, Label.CONTRADICTS: 0.0}
LETTERS = {"S": Label.SUPPORT, "P": Label.PARTIAL, "N": Label.NOT_ADDRESSED, "X": Label.CONTRADICTS}
DIAMOND = "A>B A>C B>D C>D A>D"


def edges_of(arrows: str, **confidences: float) -> list[QualificationEdge]:
    """`"A>B B>C"` as edges; a confidence is given by the letters of its edge: `AB=0.2`."""
    pairs = [arrow.split(">") for arrow in arrows.split()]
    return [QualificationEdge(base=u, qualifier=v, confidence=confidences.get(u + v, 1.0)) for u, v in pairs]


def nodes_of(names: Iterable[str], hard: Collection[str] = ()) -> list[Node]:
    """One node a name, mentioned in the order given; f_v is "wish for v"."""
    return [
        Node(
            id=name, atom="a1", perspective="theme", instantiation=f"z of {name}", feature=f"wish for {name}",
            hard=name in hard, order=place,
        )
        for place, name in enumerate(names)
    ]  # fmt: skip


def graph_of(
    arrows: str,
    *,
    names: str | Sequence[str] = "",
    hard: Collection[str] = (),
    cycle_edges: Sequence[tuple[str, str]] = (),
) -> PreferenceGraph:
    """The assembled graph of some arrows; nodes are mentioned in the order of `names`, by default alphabetically."""
    edges = edges_of(arrows)
    listed = list(names) or sorted({end for edge in edges for end in edge.ends})
    return assemble(
        narrative="",
        language="en",
        atoms=(),
        nodes=nodes_of(listed, hard),
        initial_edges=edges,
        cycle_edges=cycle_edges,
    )


def labels_of(text: str) -> dict[str, Label]:
    """`"A=P B=S"` as labels."""
    return {pair[0]: LETTERS[pair[2]] for pair in text.split()}


def record(candidate: str, node: str, text: str = "", url: str | None = None) -> Evidence:
    """x_{v,i} of one passage; by default a text that names both ends."""
    words = text or f"what is said of {candidate} at {node}"
    return Evidence(
        candidate=candidate,
        node=node,
        passages=(Passage(text=words, source=Source(id=f"{candidate}/{node}", url=url)),),
    )


def item(name: str, year: int | None = None) -> Candidate:
    return Candidate(id=name, title=name, year=year)


@st.composite
def dags(draw: st.DrawFn, most: int = 8) -> PreferenceGraph:
    """An acyclic graph of up to `most` nodes whose order of mention is a random one."""
    names = [f"n{place}" for place in range(draw(st.integers(1, most)))]
    ranked = draw(st.permutations(names))
    chosen = [pair for pair in combinations(ranked, 2) if draw(st.booleans())]
    edges = [QualificationEdge(base=u, qualifier=v, span=f"{u} by {v}") for u, v in chosen]
    return assemble(narrative="", language="en", atoms=(), nodes=nodes_of(names), initial_edges=edges, cycle_edges=())


def some_labels(names: Iterable[str]) -> st.SearchStrategy[dict[str, Label]]:
    return st.fixed_dictionaries({name: st.sampled_from(list(Label)) for name in names})


def reach(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Every (u, v) with a path from u to v, by closing the relation until nothing is added."""
    closed = set(pairs)
    while True:
        longer = {(u, w) for u, v in closed for x, w in closed if v == x} - closed
        if not longer:
            return closed
        closed |= longer


def root_paths(graph: PreferenceGraph, node: str) -> list[tuple[str, ...]]:
    """All paths from a root to a node over the reduced edges, written out one by one."""
    bases = [edge.base for edge in graph.edges if edge.qualifier == node]
    return [(*path, node) for base in bases for path in root_paths(graph, base)] or [(node,)]


def discounted(path: Sequence[str], labels: Mapping[str, Label], gamma: float) -> float:
    """The closed form of METHOD 7.2: sum over k of gamma^k * s(u_k), k = edges away from the end of the path."""
    return math.fsum(gamma**k * SCORES[labels[u]] for k, u in enumerate(reversed(path)))
