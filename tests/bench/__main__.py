"""Figures of the built-in engine on this machine: `make bench`. Prints, asserts nothing (DESIGN section 8)."""

import asyncio
import random
import resource
import statistics
import tempfile
import time
from pathlib import Path

from dialogue.composition import Composition
from dialogue.conversation import Conversations
from pdgf import ranking
from pdgf.graph import assemble
from pdgf.models import (
    Candidate,
    Evidence,
    Label,
    Node,
    Passage,
    PreferenceGraph,
    QualificationEdge,
    RelationLabel,
    Source,
)
from pdgf.ports import Acquired
from pdgf.ranking import LabelCache
from pdgf.recommend import Request, recommend
from pdgf.settings import MethodConfig, Settings
from tests.bench import incremental, late_fusion
from tests.bench.machine import ample
from tests.fakes import ScriptedAgent

NARRATIVES = {
    "movies": [
        "Fantasy with romance as a subplot, rather than the main attraction, and a relationship shown through "
        "conversation, humour and handling disagreements, not mostly sex.",
        "A slow-burn mystery set in a small town, nothing too violent, with dry humour.",
        "Something funny and warm for my six-year-old, no scary bits, under two hours.",
        "A tense war film that focuses on friendship instead of battles.",
        "Bleak science fiction about grief, with little dialogue and striking images.",
    ],
    "restaurants": [
        "A quiet Italian place in Old Harbour with parking, good for kids.",
        "Cheap vegan ramen near the University, no long waits.",
        "Somewhere romantic in Riverside for an anniversary, not loud, with wine.",
    ],
}
ROUNDS = 5
FOLLOW_UPS = ["Does the second have parking?", "Too loud, something quieter.", "More please.", "Not the first one."]


def line(what: str, value: str) -> None:
    print(f"{what:<78}{value:>18}", flush=True)


async def first_recommendations(composition: Composition) -> None:
    """Time from narrative to ranked list with warm models."""
    fresh: list[float] = []
    again: list[float] = []
    for turn in range(ROUNDS):
        seconds = again if turn else fresh
        for domain, texts in NARRATIVES.items():
            shared = await composition.ports(domain)
            for text in texts:
                # Labels are made anew each time; after the first round the vectors of these wishes are known
                request = Request(
                    ports=shared.ports, config=shared.config, budget=composition.budget(), current_year=2026, k=24
                )
                begin = time.perf_counter()
                await recommend(f"{text} Round {turn}.", request)
                seconds.append(time.perf_counter() - begin)
    for what, seconds in (("wishes never seen before", fresh), ("wishes seen before", again)):
        line(
            f"recommendation, k=24, warm, {what}, p50 / p95",
            f"{statistics.median(seconds):.3f} / {_p95(seconds):.3f} s",
        )


async def follow_ups(composition: Composition, folder: Path) -> None:
    """Time of the turns after the first recommendation of a restaurant chat, store included."""
    first, later = [], []
    async with Conversations(folder, composition.ports) as conversations:
        for _ in range(ROUNDS):
            thread = await conversations.start(composition.domain("restaurants"), "bench")
            first.append(await _timed(conversations, thread, "An Italian place in Old Harbour, good for kids."))
            for text in FOLLOW_UPS:
                later.append(await _timed(conversations, thread, text))
    line("first chat turn, store included, p50", f"{statistics.median(first):.3f} s")
    line("follow-up turn, store included, p50 / p95", f"{statistics.median(later):.3f} / {_p95(later):.3f} s")


async def _timed(conversations: Conversations, thread: str, text: str) -> float:
    begin = time.perf_counter()
    async for _ in conversations.turn(thread, text):
        pass
    return time.perf_counter() - begin


async def ranking_and_lazy_labels() -> None:
    """690 candidates x 14 nodes: order from given labels, and the share of labels that lazy labelling needs."""
    graph, acquired, agent = _synthetic_pool(random.Random(7), nodes=14, items=690)
    full = MethodConfig(lazy_labels=False)
    labels = LabelCache()
    await ranking.rank(graph, acquired, agent=agent, config=full, budget=ample(), k=10, labels=labels)
    begin = time.perf_counter()
    eager = await ranking.rank(graph, acquired, agent=agent, config=full, budget=ample(), k=10, labels=labels)
    line("rank 690 candidates x 14 nodes from given labels", f"{(time.perf_counter() - begin) * 1000:.1f} ms")
    lazy = await ranking.rank(
        graph, acquired, agent=agent, config=MethodConfig(), budget=ample(), k=10, labels=LabelCache()
    )
    same = [item.candidate.id for item in lazy.items] == [item.candidate.id for item in eager.items]
    share = lazy.compared / eager.all_comparisons
    line(f"labels needed lazily for the top 10 of 690 (same list: {same})", f"{100 * share:.1f} %")


def _synthetic_pool(
    chance: random.Random, *, nodes: int, items: int
) -> tuple[PreferenceGraph, Acquired, ScriptedAgent]:
    """A random graph and pool whose items differ in quality, so that labels of one item agree more than by chance."""
    names = [f"n{i:02}" for i in range(nodes)]
    made = [
        Node(id=n, atom="a", perspective="theme", instantiation=n, feature=f"f {n}", order=i)
        for i, n in enumerate(names)
    ]
    edges = [
        QualificationEdge(base=u, qualifier=v)
        for i, u in enumerate(names)
        for v in names[i + 1 :]
        if chance.random() < 0.2
    ]
    graph = assemble(narrative="", language="en", atoms=(), nodes=made, initial_edges=edges, cycle_edges=())
    evidence, labels = [], {}
    for item in range(items):
        quality = chance.random()
        for name in names:
            if chance.random() > 0.12:
                continue
            text = f"text {item} {name}"
            evidence.append(
                Evidence(candidate=str(item), node=name, passages=(Passage(text=text, source=Source(id=text)),))
            )
            for node in made:
                labels[(text, node.feature)] = _label(chance, quality, text)
    candidates = tuple(Candidate(id=str(i), title=f"Item {i}") for i in range(items))
    agent = ScriptedAgent([], labels=labels)
    return graph, Acquired(candidates=candidates, evidence=tuple(evidence)), agent


def _label(chance: random.Random, quality: float, text: str) -> RelationLabel:
    kind = chance.choices(list(Label), weights=[quality, 0.5, 1.2 - quality, 0.2])[0]
    return RelationLabel(label=kind, quotes=() if kind is Label.NOT_ADDRESSED else (text,))


def _p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        composition = Composition(settings=Settings(data_dir=Path(folder)))
        for domain in NARRATIVES:
            begin = time.perf_counter()
            await composition.ports(domain)
            line(f"open {domain} without a stored index, models included", f"{time.perf_counter() - begin:.1f} s")
        again = Composition(settings=composition.settings, _embedder=composition.embedder)
        for domain in NARRATIVES:
            begin = time.perf_counter()
            await again.ports(domain)
            line(f"open {domain} with a stored index", f"{time.perf_counter() - begin:.2f} s")
        await first_recommendations(composition)
        await follow_ups(composition, Path(folder))
        await incremental.run(composition)
    await ranking_and_lazy_labels()
    line("largest memory of this process", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    asyncio.run(main())
    late_fusion.main()
