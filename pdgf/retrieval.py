"""Directed path retrieval: queries along E+, and who leaves the pool before anything is labelled (METHOD 5, 6.4, 7.6).

Collecting pages, recall and consolidation belong to the evidence sources; what every source shares is here.
"""

from collections.abc import Sequence

from pdgf import identity, temporal
from pdgf.earlier import Earlier
from pdgf.identity import Exclusion
from pdgf.models import AtomKind, Candidate, Dropped, PreferenceGraph, SearchQuery
from pdgf.ports import Acquired, PreferenceAgent, RewriteRequest
from pdgf.settings import MethodConfig
from pdgf.usage import Budget


def directed_paths(graph: PreferenceGraph) -> tuple[tuple[str | None, str], ...]:
    """E+ = E and (ROOT, v) for every node without a base; ROOT is None (METHOD 5.1)."""
    roots: list[tuple[str | None, str]] = [(None, node_id) for node_id in graph.roots()]
    return (*roots, *(edge.ends for edge in graph.edges))


async def write_queries(
    graph: PreferenceGraph, *, agent: PreferenceAgent, item_word: str, budget: Budget, earlier: Earlier | None = None
) -> tuple[SearchQuery, ...]:
    """Q = { r_uv : (u, v) in E+ }: one query an edge, |Q| = |E| + number of roots. The rewriter never sees f.

    Those of `earlier`, which were written for the same item word, are taken over where their ends are the same.
    """
    bare = {node.id: node.model_copy(update={"feature": ""}) for node in graph.nodes}
    atoms = {atom.id: atom for atom in graph.atoms}
    texts: dict[RewriteRequest, str] = {}
    for u, v in directed_paths(graph):
        request = RewriteRequest(base=bare[u] if u is not None else None, node=bare[v])
        known = earlier.query(request, atoms, graph.language) if earlier is not None else None
        texts[request] = known or ""
        if known:
            budget.took_over("queries", [(u, v)])
    fresh = [request for request, known in texts.items() if not known]
    if fresh:
        texts |= zip(fresh, await agent.rewrite(graph.narrative, fresh, item_word, budget), strict=True)
    return tuple(
        SearchQuery(
            base=request.base.id if request.base else None, node=request.node.id, text=text, words=_words(request)
        )
        for request, text in texts.items()
    )


def _words(request: RewriteRequest) -> str:
    """The plain words of c_u^0 and c_v^0 that a catalogue is searched with (METHOD 5.1)."""
    return " ".join(node.instantiation for node in (request.base, request.node) if node is not None)


def reference_items(graph: PreferenceGraph) -> tuple[Exclusion, ...]:
    """The items named in the narrative: excluded by name and year before ranking (METHOD 6.4)."""
    named = (AtomKind.REFERENCE, AtomKind.FEEDBACK)
    return tuple(Exclusion(title=a.text, year=a.year, why="reference") for a in graph.atoms if a.kind in named)


def exclude(
    acquired: Acquired,
    *,
    graph: PreferenceGraph,
    exclude: Sequence[Exclusion],
    config: MethodConfig,
    current_year: int,
) -> Acquired:
    """Take references, `exclude` and violations of the year rule out of the pool, each with its reason.

    Done before labelling, which gives the same list for less (METHOD 11.2).
    """
    candidates = acquired.candidates
    records = [(candidate.title, candidate.year) for candidate in candidates]
    reasons = identity.exclusions_of(records, (*reference_items(graph), *exclude))
    constraint = temporal.year_rule_of(graph, mode=config.year_rule, current_year=current_year)
    kept: list[Candidate] = []
    dropped: list[Dropped] = []
    for candidate, reason in zip(candidates, reasons, strict=True):
        if reason is not None:
            dropped.append(Dropped(what=candidate.title, why=reason.why))
        elif constraint is not None and temporal.violates(constraint, candidate.year):
            dropped.append(Dropped(what=candidate.title, why="year"))
        else:
            kept.append(candidate)
    ids = {candidate.id for candidate in kept}
    return acquired.model_copy(
        update={
            "candidates": tuple(kept),
            "evidence": tuple(evidence for evidence in acquired.evidence if evidence.candidate in ids),
            "dropped": (*acquired.dropped, *dropped),
        }
    )
