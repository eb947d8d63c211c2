"""Late fusion at scale, encoder excluded: python -m tests.bench.late_fusion, a part of `make bench`. Asserts nothing.

Beside the bare float32 matrix-vector product over the same matrix (the floor) stand exact late fusion (product, fusion,
ten best items), the approximate index, and a plain loop over the reviews. They take turns query by query, and each is
compared with the floor of its own round, so that other work on the machine hits all of them; medians are printed, of
wall time and, in brackets, of processor time.
"""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pdgf.late_fusion import NOT_SCORED, TextsByItem, best_items, fused
from pdgf.ports import Vectors
from pdgf.sources.passage_index import ApproximatePassages, ExactPassages
from tests.bench.machine import resident

WIDTH = 384
SIZES = ((46_728, 1_298), (500_000, 10_000))  # reviews, items
QUERIES, LOOPS = 60, 3
N, K = 10, 3
TOPICS, OF_ITEM = 500, 6
# Squared shares of what vectors are made of. With them 400 reviews have the cosines that the packaged encoder gives 400
# bundled ones: .20 (deviation .15) on average, .30 within an item, .56 to the nearest, .46 to the 10th.
COMMON, TOPIC, ITEM, OWN = 0.20, 0.25, 0.05, 0.50
Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Reviews:
    """Vectors of reviews in the order of their items, the item of each, and queries."""

    vectors: Vectors
    owners: NDArray[np.intp]
    queries: Vectors


class Embeddings:
    """Vectors as a sentence encoder makes them: a direction common to all, a topic, something of the item, and words of
    their own, the last three in directions of falling weight (as 28 equal ones would do), lengths 1."""

    def __init__(self, chance: np.random.Generator) -> None:
        self._chance = chance
        weights = 1.0 / np.sqrt(np.arange(1, WIDTH + 1))
        axes = np.linalg.qr(chance.standard_normal((WIDTH, WIDTH)))[0]
        self._axes = (axes * (weights / np.linalg.norm(weights))[:, None]).astype(np.float32)
        self._common = np.linalg.qr(chance.standard_normal((WIDTH, 1)))[0][:, 0].astype(np.float32)
        self.topics = self.directions(TOPICS)

    def directions(self, count: int) -> Vectors:
        found: Vectors = self._chance.standard_normal((count, WIDTH), dtype=np.float32) @ self._axes
        return found

    def texts(self, topics: NDArray[np.intp], of_item: Vectors | None = None) -> Vectors:
        vectors = COMMON**0.5 * self._common + TOPIC**0.5 * self.topics[topics]
        vectors += OWN**0.5 * self.directions(len(topics))
        if of_item is not None:
            vectors += ITEM**0.5 * of_item
        return unit(vectors)


def unit(vectors: Vectors) -> Vectors:
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def review_counts(reviews: int, items: int, chance: np.random.Generator) -> NDArray[np.intp]:
    """Skewed as real ones are: log-normal, a twentieth of the items with one or two reviews."""
    weights = chance.lognormal(0.0, 1.2, items)
    weights[: items // 20] = 0.0
    counts = np.where(weights > 0.0, 1, chance.integers(1, 3, items))
    counts += chance.multinomial(reviews - counts.sum(), weights / weights.sum())
    return chance.permutation(counts)


def like_embeddings(reviews: int, items: int) -> Reviews:
    """Each review speaks of one of six topics of its item; each query is a text on a topic, of no item."""
    chance = np.random.default_rng(1)
    made = Embeddings(chance)
    owners = np.repeat(np.arange(items), review_counts(reviews, items, chance))
    of_item, topics = made.directions(items), chance.integers(0, TOPICS, (items, OF_ITEM))
    vectors = np.empty((reviews, WIDTH), np.float32)
    for start in range(0, reviews, 20_000):
        own = owners[start : start + 20_000]
        vectors[start : start + 20_000] = made.texts(topics[own, chance.integers(0, OF_ITEM, own.size)], of_item[own])
    return Reviews(vectors, owners, made.texts(chance.integers(0, TOPICS, QUERIES)))


def without_structure(reviews: int, items: int) -> Reviews:
    """Directions drawn evenly: every text is about as far from a query as every other, which no index can help."""
    chance = np.random.default_rng(2)
    owners = np.repeat(np.arange(items), review_counts(reviews, items, chance))
    vectors = chance.standard_normal((reviews + QUERIES, WIDTH), dtype=np.float32)
    unit(vectors)
    return Reviews(vectors[:reviews], owners, vectors[reviews:])


def review_loop(scores: Vectors, owners: NDArray[np.intp], items: int) -> list[float]:
    """Late fusion as it is written down: review by review, item by item."""
    own: list[list[float]] = [[] for _ in range(items)]
    for item, score in zip(owners, scores, strict=True):
        own[item].append(float(score))
    return [sum(sorted(s, reverse=True)[:K]) / min(K, len(s)) if s else NOT_SCORED for s in own]


@dataclass(frozen=True)
class Took:
    """Seconds by the clock and of the processor."""

    wall: float
    cpu: float


def timed(work: Callable[[], Result]) -> tuple[Result, Took]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, Took(time.perf_counter() - wall, time.process_time() - cpu)


def show(what: str, took: list[Took], floors: list[Took], more: str = "") -> None:
    wall = statistics.median(t.wall for t in took) * 1_000
    ratio = statistics.median(t.wall / f.wall for t, f in zip(took, floors, strict=True))
    cpu = statistics.median(t.cpu / f.cpu for t, f in zip(took, floors, strict=True))
    print(f"  {what:<46}{wall:>10.2f} ms{ratio:>9.3f} x the floor ({cpu:.3f}){more}", flush=True)


def compare(reviews: Reviews, items: int) -> None:
    """One line for each way; every query goes through all of them, in an order that turns."""
    vectors, texts = reviews.vectors, TextsByItem.of(reviews.owners, items)
    exact, approximate = ExactPassages(vectors, texts), ApproximatePassages(vectors, texts)
    before = resident()
    _, building = timed(approximate.prepare)
    print(
        f"  approximate index built in {building.wall:.1f} s, {resident() - before:.0f} MB; "
        f"the vectors have {vectors.nbytes / 2**20:.0f} MB",
        flush=True,
    )
    took: dict[str, list[Took]] = {"floor": [], "exact": [], "approximate": []}
    recall = []
    for turn, query in enumerate(reviews.queries):
        ways: dict[str, Callable[[], object]] = {
            "floor": lambda query=query: vectors @ query,
            "exact": lambda query=query: exact.best_items(query, n=N, k=K),
            "approximate": lambda query=query: approximate.best_items(query, n=N, k=K),
        }
        names = list(ways)
        results = {}
        for name in names[turn % 3 :] + names[: turn % 3]:
            results[name], seconds = timed(ways[name])
            took[name].append(seconds)
        true, found = ({item for item, _ in results[name]} for name in ("exact", "approximate"))
        recall.append(len(true & found) / len(true))
    show("bare product, the floor", took["floor"], took["floor"])
    show("exact: product, fusion, ten best items", took["exact"], took["floor"])
    show("approximate", took["approximate"], took["floor"], f", recall@{N} {statistics.mean(recall):.4f}")


def loop(reviews: Reviews, items: int) -> None:
    """The plain loop, timed, and whether the whole ranking of the exact way is its ranking."""
    texts, took, floors, same = TextsByItem.of(reviews.owners, items), [], [], True
    for query in reviews.queries[:LOOPS]:
        scores, floor = timed(lambda query=query: reviews.vectors @ query)
        slow, looping = timed(lambda scores=scores: review_loop(scores, reviews.owners, items))
        floors.append(floor)
        took.append(Took(floor.wall + looping.wall, floor.cpu + looping.cpu))
        order = sorted(range(items), key=lambda item: (-slow[item], item))
        fast = fused(scores, texts, K)
        same &= fast.tolist() == slow and best_items(fast, items).tolist() == order
    show("plain loop over the reviews", took, floors)
    print(f"  exact scores and ranking of all items equal those of the plain loop: {same}", flush=True)


def main() -> None:
    print(f"late fusion, encoder excluded, {WIDTH} dimensions, k = {K}, {QUERIES} queries")
    for count, items in SIZES:
        print(f"{count:,} reviews of {items:,} items, like embeddings")
        reviews = like_embeddings(count, items)
        lengths = np.bincount(reviews.owners)
        print(f"  reviews an item: {lengths.min()} to {lengths.max()}, median {int(np.median(lengths))}", flush=True)
        compare(reviews, items)
        loop(reviews, items)
        del reviews
        gc.collect()
    print(f"{count:,} reviews of {items:,} items, without any structure")
    compare(without_structure(count, items), items)


if __name__ == "__main__":
    main()
