"""FAISS in memory and pgvector in a database on the same vectors: what they find, how fast, in how much room."""

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import numpy as np
import psycopg

from pdgf.embedding import CachedEmbedder
from pdgf.graph import assemble
from pdgf.late_fusion import TextsByItem
from pdgf.models import Node, SearchQuery
from pdgf.ports import Vectors
from pdgf.settings import MethodConfig
from pdgf.sources.passage_index import ApproximatePassages, ExactPassages
from pdgf.sources.pgvector.building import index_file
from pdgf.sources.pgvector.catalogue import StoredCatalogue
from pdgf.sources.pgvector.reviews import PgvectorReviews
from tests.bench.late_fusion import SIZES, WIDTH, Reviews, like_embeddings
from tests.bench.machine import ample, resident
from tests.bench.scale.server import started

N, K = 10, 3
TURNS, WISHES = 11, 6
WARM = 5  # queries that are asked before any is measured
Found = list[int]


class Given:
    """An Embedder that knows the vector of each text: "Review 7." has row 7."""

    id = "given"
    dimension = WIDTH
    normalised = True

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    async def encode(self, texts: Sequence[str]) -> Vectors:
        rows = [int(text.split()[1].rstrip(".")) if text.startswith("Review") else 0 for text in texts]
        found: Vectors = self._vectors[rows]
        return found


async def measure(share: float) -> None:
    count, items = (round(size * share) for size in SIZES[-1])
    made = like_embeddings(count, items)
    print(f"{count:,} passages of {items:,} items, {WIDTH} dimensions, {N} items by {K} passages each", flush=True)
    texts = TextsByItem.of(made.owners, items)
    exact = ExactPassages(made.vectors, texts)
    truth = [[item for item, _ in exact.best_items(query, n=N, k=K)] for query in made.queries]
    await _show("numpy, exact", _of(lambda q: exact.best_items(q, n=N, k=K)), made, truth)
    before, begun = resident(), time.perf_counter()
    lists = ApproximatePassages(made.vectors, texts)
    lists.prepare()
    built = time.perf_counter() - begun
    await _show("FAISS, approximate", _of(lambda q: lists.best_items(q, n=N, k=K)), made, truth)
    mb = made.vectors.nbytes / 2**20
    print(f"  FAISS built in {built:.0f} s, {resident() - before:.0f} MB in memory beside {mb:.0f} MB of vectors")
    with started() as url:
        await _in_database(url, made, truth)


async def _in_database(url: str, made: Reviews, truth: list[Found]) -> None:
    phases: dict[str, float] = {}

    def said(what: str, done: int, total: int) -> None:
        phases[what] = time.perf_counter()

    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "passages.jsonl"
        _write(path, made)
        written = time.perf_counter()
        await index_file(url, path, owner="bench", name="bench", embedder=Given(made.vectors), said=said)
    ended = time.perf_counter()
    read, kept = phases["rows read"], phases["texts encoded"]
    print(
        f"  pgvector: {read - written:.0f} s to read, {kept - read:.0f} s to put the vectors down, "
        f"{ended - kept:.0f} s to lay out and to build the graph, {ended - begun:.0f} s in all",
        flush=True,
    )
    with psycopg.connect(url, autocommit=True) as connection:
        for what, size in connection.execute(
            "select relname, pg_total_relation_size(oid) - pg_indexes_size(oid) from pg_class "
            "where relname ~ '^(passages|items|texts)_[0-9]+$' union all "
            "select relname, pg_relation_size(oid) from pg_class where relname ~ '^passages_[0-9]+_.*idx'"
        ):
            print(f"  {what:<60}{size / 2**20:>10,.0f} MB")
    reviews = PgvectorReviews(url, Given(made.vectors), owner="bench", name="bench")

    async def near(query: Vectors, *, exact: bool) -> Found:
        return [int(found.item) for found in await reviews.best_items(query, n=N, k=K, exact=exact)]

    await _show("pgvector, approximate (HNSW)", lambda query: near(query, exact=False), made, truth)
    await _show("pgvector, exact", lambda query: near(query, exact=True), made, truth, most=10)
    ten = [str(item) for item in truth[0]]
    await _show("pgvector, best passages of ten given items", lambda _: _nearest(reviews, ten), made, None)
    at_once = 8
    begun = time.perf_counter()
    for _ in range(5):
        await asyncio.gather(*(near(query, exact=False) for query in made.queries[:at_once]))
    each = (time.perf_counter() - begun) / (5 * at_once)
    print(f"  pgvector, {at_once} at a time{1 / each:>50,.0f} queries a second")
    await reviews.close()
    await _turns(url, made)


async def _turns(url: str, made: Reviews) -> None:
    """The evidence of whole turns of six wishes, recall and records, encoder excluded."""
    embedder = CachedEmbedder(Given(made.vectors))
    reviews = PgvectorReviews(url, embedder, owner="bench", name="bench")
    catalogue = await StoredCatalogue.open(reviews, embedder)
    seconds = []
    for turn in range(TURNS):
        words = [f"Review {1_000 * turn + wish}." for wish in range(WISHES)]
        nodes = [
            Node(id=w, atom="a", perspective="theme", instantiation=w, feature=w, order=n) for n, w in enumerate(words)
        ]
        graph = assemble(narrative="", language="en", atoms=(), nodes=nodes, initial_edges=(), cycle_edges=())
        queries = [SearchQuery(base=None, node=word, text=word, words=word) for word in words]
        begun = time.perf_counter()
        await catalogue.acquire(graph, queries, MethodConfig(), ample())
        seconds.append(time.perf_counter() - begun)
    middle, worst = statistics.median(seconds[1:]), max(seconds[1:])
    print(f"  evidence of a turn of {WISHES} wishes{middle:>30.2f} s, {worst:.2f} s at most", flush=True)
    await catalogue.close()


async def _nearest(reviews: PgvectorReviews, items: Sequence[str]) -> Found:
    await reviews.nearest("Review 1.", items, K)
    return []


def _write(path: Path, made: Reviews) -> None:
    """One line an item, its reviews named by their rows."""
    starts = np.searchsorted(made.owners, np.arange(made.owners[-1] + 2))
    with path.open("w") as file:
        for item in range(int(made.owners[-1]) + 1):
            rows = range(int(starts[item]), int(starts[item + 1]))
            entry = {"id": str(item), "title": f"Item {item}", "reviews": [f"Review {row}." for row in rows]}
            file.write(f"{json.dumps(entry)}\n")


def _of(search: Callable[[Vectors], list[tuple[int, float]]]) -> Callable[[Vectors], Awaitable[Found]]:
    async def found(query: Vectors) -> Found:
        return [item for item, _ in search(query)]

    return found


async def _show(
    what: str,
    search: Callable[[Vectors], Awaitable[Found]],
    made: Reviews,
    truth: list[Found] | None,
    *,
    most: int = 60,
) -> None:
    """Median, 95th percentile and the share of the true ten that are found."""
    seconds, recall = [], []
    for query in made.queries[:WARM]:
        await search(query)
    for number, query in enumerate(made.queries[:most]):
        begun = time.perf_counter()
        found = await search(query)
        seconds.append(time.perf_counter() - begun)
        if truth is not None:
            recall.append(len(set(found) & set(truth[number])) / N)
    p95 = sorted(seconds)[round(0.95 * (len(seconds) - 1))]
    share = f"   recall@{N} {statistics.mean(recall):.3f}" if recall else ""
    print(f"  {what:<46}{statistics.median(seconds) * 1e3:>8.1f} /{p95 * 1e3:>8.1f} ms{share}", flush=True)
