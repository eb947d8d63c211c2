"""STORY of `make eval-claims`: do links between wishes help, and are they the right ones?

annotated requests -> one set a domain -> orders on one pool, with the links of the engine and with those of a reader
                   -> full against each other strategy, on qualified and on flat requests; precision and recall of links
sets of one's own  -> full against each other strategy; requests with a link and those without apart
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dialogue.composition import Composition
from dialogue.evaluation.composing import keeping_vectors, unhurried_budget
from dialogue.evaluation.running import Measured, Wanted, measured
from pdgf import construction
from pdgf.catalogues.bundled import shipped_place
from pdgf.errors import StoreUnavailable
from pdgf.evaluation.claims import WANTED, Annotated, compared_with_full
from pdgf.evaluation.claims_table import markdown
from pdgf.evaluation.dataset import Query, RetrievalSet, read_set
from pdgf.evaluation.links import Compared, HandLinked, compared, summary
from pdgf.evaluation.pool import UNREADABLE
from pdgf.evaluation.runner import QueryResult, Setup
from pdgf.evaluation.statistics import LEVEL, SAMPLES, SEED
from pdgf.ports import PreferenceAgent

Say = Callable[[str], None]
BY_HAND = "by hand"  # links that a reader has drawn, in place of those of the engine


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is put to the test: annotated requests, and folders with sets of one's own."""

    requests: Sequence[Annotated]
    folders: Sequence[Path] = ()
    limit: int | None = None
    out: Path | None = None

    @property
    def by_qid(self) -> dict[str, Annotated]:
        """The requests by domain and number, so many of each domain as the limit says."""
        found: dict[str, Annotated] = {}
        for domain in dict.fromkeys(request.domain for request in self.requests):
            part = [request for request in self.requests if request.domain == domain][: self.limit]
            found |= {f"{domain}-{number}": request for number, request in enumerate(part, start=1)}
        return found


async def put_to_the_test(asked: Asked, composition: Composition, *, say: Say) -> dict[str, Any]:
    """All figures, as JSON; written to `out` as well. Raises ConfigInvalid, CatalogueInvalid and ServiceFailed."""
    async with keeping_vectors(composition) as keeping:
        parts, links = [], []
        for domain in dict.fromkeys(request.domain for request in asked.requests):
            part = {qid: request for qid, request in asked.by_qid.items() if request.domain == domain}
            agent = await keeping.agent(domain)
            links += [(request, await _drawn(request, agent, keeping)) for request in part.values()]
            for by_hand in (False, True):
                parts.append((by_hand, await _domain(domain, part, keeping, asked, by_hand=by_hand, say=say)))
        sets = {folder.resolve().name: await _set(folder, keeping, asked, say) for folder in asked.folders}
    made = {
        "groups": _groups(asked.by_qid, parts),
        "links": _links(links),
        "sets": sets,
        "config": {
            **parts[0][1].config,
            "set": "bundled",
            "strategies": [strategy.value for strategy in WANTED],
            "limit": asked.limit,
            "bootstrap": {"level": LEVEL, "samples": SAMPLES, "seed": SEED},
        },
    }
    if asked.out is not None:
        _write(made, asked.out)
    return made


async def _domain(
    domain: str, part: Mapping[str, Annotated], keeping: Composition, asked: Asked, *, by_hand: bool, say: Say
) -> Measured:
    """The annotated requests of one domain over its own items."""
    links = [request.links for request in part.values()]

    def altered(setup: Setup) -> Setup:
        agent = HandLinked(inner=setup.asking.ports.agent, links=links)
        return replace(setup, asking=replace(setup.asking, ports=replace(setup.asking.ports, agent=agent)))

    queries = [
        Query(qid=qid, text=request.text, truth=dict.fromkeys(request.acceptable, 1.0)) for qid, request in part.items()
    ]
    read = RetrievalSet(name=f"claims-{domain}", items=await keeping.items(domain), queries=tuple(queries))
    say(f"{domain}, links {BY_HAND if by_hand else 'of the engine'}")
    return await measured(
        read,
        Wanted(strategies=WANTED, out=asked.out, item_word=keeping.domain(domain).item_word),
        keeping,
        say=say,
        known=shipped_place(domain),
        altered=altered if by_hand else None,
        because={"links": [found.model_dump() for found in links]} if by_hand else {},
    )


async def _drawn(request: Annotated, agent: PreferenceAgent, keeping: Composition) -> Compared:
    """The links of one request against those of a reader; none where no wish can be read."""
    try:
        graph, _ = await construction.build_graph(
            request.text, agent=agent, config=keeping.config, budget=unhurried_budget()
        )
    except UNREADABLE:
        return Compared(missed=tuple((pair, "no wish read") for pair in request.pairs))
    return compared(graph, request.links)


async def _set(folder: Path, keeping: Composition, asked: Asked, say: Say) -> dict[str, Any]:
    """Full against the others over a set of one's own, and apart over requests with and without a link."""
    read = read_set(folder)
    found = await measured(read, Wanted(strategies=WANTED, limit=asked.limit, out=asked.out), keeping, say=say)
    parts = {
        "all": found.queries,
        "with a link": [query for query in found.queries if _edges(query, found.results) > 0],
        "without a link": [query for query in found.queries if _edges(query, found.results) == 0],
    }
    return {name: compared_with_full(queries, found.results) for name, queries in parts.items() if queries}


def _edges(query: Query, results: Mapping[str, QueryResult]) -> int:
    return results[query.qid].edges if query.qid in results else 0


def _groups(requests: Mapping[str, Annotated], parts: Sequence[tuple[bool, Measured]]) -> dict[str, Any]:
    """Qualified and flat requests over all domains; the qualified ones once more with the links of a reader."""
    unacceptable = {qid: tuple(request.unacceptable) for qid, request in requests.items()}
    groups: dict[str, Any] = {}
    for name, qualified, by_hand in (
        ("qualified", True, False),
        ("flat", False, False),
        (f"qualified, links {BY_HAND}", True, True),
    ):
        chosen = [found for drawn, found in parts if drawn is by_hand]
        queries = [q for found in chosen for q in found.queries if bool(requests[q.qid].pairs) is qualified]
        results = {qid: result for found in chosen for qid, result in found.results.items()}
        if any(query.qid in results for query in queries):
            groups[name] = compared_with_full(queries, results, unacceptable=unacceptable)
    return groups


def _links(each: Sequence[tuple[Annotated, Compared]]) -> dict[str, Any]:
    """Precision and recall over the qualified requests, what was drawn in flat ones, and every fault."""
    return {
        "qualified": summary([found for request, found in each if request.pairs]),
        "flat": summary([found for request, found in each if not request.pairs]),
        "faults": [
            {"text": request.text, "wrong": found.wrong, "missed": found.missed}
            for request, found in each
            if found.wrong or found.missed
        ],
    }


def _write(made: Mapping[str, Any], out: Path) -> None:
    """claims.json and claims.md. Raises StoreUnavailable."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "claims.json").write_text(json.dumps(made, ensure_ascii=False, indent=2), encoding="utf-8")
        (out / "claims.md").write_text(markdown(made), encoding="utf-8")
    except OSError as error:
        raise StoreUnavailable(f"{out}: {error.strerror or error}") from error
