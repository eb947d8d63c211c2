"""What a follow-up turn compares, against a rebuild: `python -m tests.bench.incremental`. Prints, asserts nothing.

One leaf preference is added to a graph of ten nodes (DESIGN section 8: at most 20 % of a rebuild's comparisons, that is
pairs, descriptions and labels). As many items are ranked as in a chat, with lazy labels on both sides.
"""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from dialogue.composition import Composition
from pdgf.construction import build_graph
from pdgf.models import Recommendation, RemovalReason
from pdgf.ports import Ports
from pdgf.ranking import LabelCache
from pdgf.recommend import Request, recommend
from pdgf.settings import MethodConfig, Settings
from tests.bench.machine import ample
from tests.declared import FACETS, WORDS, DeclaredAgent, DrawnShelf

POOL = tuple(f"Item {number:03}" for number in range(300))
TOP = 10
GRAPHS = 20
DENSITY = 0.2  # of qualifications before reduction, and the share of items a query finds: METHOD 11.1 and its pools
RECALLED = 0.12
# Ten wishes each, and one more that narrows one of them.
STORIES = (
    (
        "Fantasy with romance as a subplot, and a relationship shown through conversation and humour. A slow pace. "
        "Beautiful landscapes. A strong heroine. No gore.",
        "The heroine learns magic.",
    ),
    (
        "A tense war film about friendship. A bleak tone. Realistic battles. Historical detail. Little dialogue. "
        "Striking images. A moral dilemma. No romance.",
        "The friendship grows through letters.",
    ),
    (
        "A slow-burn mystery set in a small town. Dry humour. A clever detective. Family secrets. Beautiful "
        "photography. A twist at the end. No violence. Eccentric characters.",
        "The family secrets come out at a funeral.",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What a turn that adds a preference has cost, and a rebuild."""

    nodes: int
    kept: int
    comparisons: int
    rebuild: int
    seconds: float
    rebuild_seconds: float
    same_graph: bool
    same_top: bool


def line(what: str, value: str) -> None:
    print(f"{what:<78}{value:>26}", flush=True)


async def against_rebuild(narrative: str, more: str, request: Request) -> Turn:
    """The second turn of a conversation, and the same request where nothing is known from before."""
    first = await recommend(narrative, request)
    after = replace(request, previous=first.graph, previous_queries=first.queries)
    found, comparisons, seconds = await _counted(f"{narrative} {more}", after)
    alone, rebuild, rebuild_seconds = await _counted(f"{narrative} {more}", replace(request, labels=LabelCache()))
    return Turn(
        nodes=len(first.graph.nodes),
        kept=len(set(first.graph.order) & set(found.graph.order)),
        comparisons=comparisons,
        rebuild=rebuild,
        seconds=seconds,
        rebuild_seconds=rebuild_seconds,
        same_graph=found.graph == alone.graph and found.queries == alone.queries,
        same_top=_top(found) == _top(alone),
    )


async def _counted(narrative: str, request: Request) -> tuple[Recommendation, int, float]:
    budget = ample()
    begin = time.perf_counter()
    found = await recommend(narrative, replace(request, budget=budget))
    return found, budget.usage().comparisons, time.perf_counter() - begin


def _top(found: Recommendation) -> list[tuple[str, float]]:
    return [(item.candidate.id, item.score) for item in found.items[:TOP]]


def _told(turns: Sequence[Turn]) -> None:
    known, rebuilt = sum(turn.comparisons for turn in turns), sum(turn.rebuild for turn in turns)
    line(f"  comparisons of {len(turns)} turns / of rebuilds", f"{known} / {rebuilt} = {100 * known / rebuilt:.1f} %")
    line("  largest share of one turn", f"{100 * max(turn.comparisons / turn.rebuild for turn in turns):.1f} %")
    seconds, again = (statistics.median(getattr(t, name) for t in turns) for name in ("seconds", "rebuild_seconds"))
    line("  seconds of a turn / of a rebuild, p50", f"{seconds:.3f} / {again:.3f}")
    graphs, tops = sum(turn.same_graph for turn in turns), sum(turn.same_top for turn in turns)
    line(f"  same graph and queries / same top {TOP} as a rebuild", f"{graphs} / {tops} of {len(turns)}")


async def scripted(rounds: Literal["few_labels", "few_rounds"]) -> None:
    """An agent whose answers depend on its declared inputs, on a pool of 300 items. Of the random graphs those count in
    which the eleventh preference qualifies one other and is qualified by none, and which hold no cycle: beside a new
    outer edge the cycle judge of such an agent answers anew, and much of the graph with it."""
    line(f"incremental turn, scripted agent, 300 items, {rounds}", "")
    words = [word for word in WORDS if word not in FACETS]  # those that are one node each
    chance, turns = random.Random(11), list[Turn]()
    while len(turns) < GRAPHS:
        *wishes, leaf = chance.sample(words, 11)
        narrative, more = " ".join(f"{wish}." for wish in wishes), f"{leaf}."
        request = Request(
            ports=Ports(agent=DeclaredAgent(DENSITY), source=DrawnShelf(POOL, share=RECALLED)),
            config=MethodConfig(label_rounds=rounds),
            budget=ample(),
            current_year=2026,
            k=MethodConfig().ranked_ahead,
        )
        graph, _ = await build_graph(
            f"{narrative} {more}", agent=request.ports.agent, config=request.config, budget=request.budget
        )
        added = next(node.id for node in graph.nodes if node.instantiation == leaf)
        is_leaf = added not in {edge.base for edge in graph.initial_edges} and len(graph.bases(added)) == 1
        if is_leaf and all(edge.reason is not RemovalReason.CYCLE for edge in graph.removed_edges):
            turns.append(await against_rebuild(narrative, more, request))
    _told(turns)


async def builtin(composition: Composition) -> None:
    """The built-in engine on the bundled films."""
    line("incremental turn, built-in engine, bundled films", "")
    shared = await composition.ports("movies")
    turns = []
    for narrative, more in STORIES:
        request = Request(
            ports=shared.ports,
            config=shared.config,
            budget=composition.budget(),
            item_word=shared.domain.item_word,
            current_year=2026,
            k=shared.config.ranked_ahead,
        )
        turns.append(turn := await against_rebuild(narrative, more, request))
        share = f"{turn.comparisons} / {turn.rebuild} = {100 * turn.comparisons / turn.rebuild:.1f} %"
        line(f"  one more than {turn.nodes} preferences, {turn.kept} kept: comparisons / rebuild", share)
    _told(turns)


async def run(composition: Composition) -> None:
    """Both, as a section of the figures of the machine."""
    await scripted("few_labels")
    await scripted("few_rounds")
    await builtin(composition)


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        await run(Composition(settings=Settings(data_dir=Path(folder))))


if __name__ == "__main__":
    asyncio.run(main())
