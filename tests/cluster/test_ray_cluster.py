"""Texts encoded on a cluster have the vectors that one process gives them, bit for bit, also when a worker dies."""

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import ray

from pdgf.embedding import MiniLMEmbedder
from pdgf.errors import EmbedderUnavailable, ServiceFailed
from pdgf.ports import Embedder, Vectors
from pdgf.sources.encoding import CHUNK, encoded
from pdgf.sources.pgvector.building import index_file
from pdgf.sources.ray_cluster import RayEmbedder, Workers, connect, cores
from tests.fakes import HashingEmbedder
from tests.pdgf.sources.pgvector.made_up import rows_of, shop, text_vectors_of, vectors_of
from tests.vector_database import write_items

TEXTS = [f"Number {number} of the drums. {'La ' * (number % 40)}" for number in range(10 * CHUNK + 5)]


class Other(HashingEmbedder):
    id = "another"


class Broken(HashingEmbedder):
    """Fails in words for one text."""

    async def encode(self, texts: Sequence[str]) -> Vectors:
        if any("number 100 of" in text.casefold() for text in texts):
            raise EmbedderUnavailable("the model is gone")
        return await super().encode(texts)


@pytest.fixture
def cluster(cluster_address: str) -> Iterator[object]:
    yield connect(cluster_address)
    ray.shutdown()


def spread(cluster: object, make: object, local: Embedder | None = None) -> RayEmbedder:
    return RayEmbedder(local or HashingEmbedder(), Workers(cluster, make))  # type: ignore[arg-type]


async def test_two_nodes_give_two_workers(cluster: object) -> None:
    assert cores(cluster) == 2  # type: ignore[arg-type]
    assert spread(cluster, HashingEmbedder).chunks_at_once == 8


async def test_texts_have_the_vectors_of_one_process_in_their_order(cluster: object) -> None:
    embedder = spread(cluster, HashingEmbedder)
    made = await embedder.encode(TEXTS)
    assert made.tobytes() == (await HashingEmbedder().encode(TEXTS)).tobytes()
    assert (await embedder.encode([])).shape == (0, embedder.dimension)
    embedder.close()


async def test_the_packaged_encoder_gives_the_same_bits_on_the_cluster(cluster: object, tmp_path: Path) -> None:
    local = MiniLMEmbedder()
    alone = await encoded(TEXTS, embedder=local, folder=tmp_path / "a", progress=None, known=None)
    embedder = spread(cluster, functools.partial(MiniLMEmbedder, None), local)
    together = await encoded(TEXTS, embedder=embedder, folder=tmp_path / "b", progress=None, known=None)
    assert together.tobytes() == alone.tobytes()
    embedder.close()


async def test_the_index_is_that_of_one_process(cluster: object, database_url: str, tmp_path: Path) -> None:
    path = write_items(tmp_path / "a.jsonl", shop(150))
    embedder = spread(cluster, HashingEmbedder)
    await index_file(database_url, path, owner="one", name="shop", embedder=HashingEmbedder())
    await index_file(database_url, path, owner="two", name="shop", embedder=embedder)
    for stored in (rows_of, vectors_of, text_vectors_of):
        assert stored(database_url, "one", "shop") == stored(database_url, "two", "shop")
    embedder.close()


async def test_a_worker_that_dies_is_started_anew_and_no_text_is_missing(cluster: object) -> None:
    workers = Workers(cluster, HashingEmbedder)  # type: ignore[arg-type]
    embedder = RayEmbedder(HashingEmbedder(), workers)
    await embedder.encode(TEXTS[:CHUNK])
    ray.kill(workers._workers[0], no_restart=False)
    made = await embedder.encode(TEXTS)
    assert np.array_equal(made, await HashingEmbedder().encode(TEXTS))
    embedder.close()


async def test_a_cluster_with_another_encoder_is_refused(cluster: object) -> None:
    embedder = spread(cluster, Other)
    with pytest.raises(EmbedderUnavailable, match="has another encoder: another, not hashing-64"):
        await embedder.encode(["a drum"])
    embedder.close()


async def test_what_fails_on_a_worker_is_told_in_its_words(cluster: object) -> None:
    embedder = spread(cluster, Broken)
    with pytest.raises(EmbedderUnavailable, match="the model is gone"):
        await embedder.encode(TEXTS)
    embedder.close()


def test_a_cluster_that_is_not_there_is_told_in_words() -> None:
    with pytest.raises(ServiceFailed, match="does not answer"):
        connect("127.0.0.1:9")
