"""Texts a second of the packaged encoder: in this process, then on a Ray cluster of one and of two workers."""

import functools
import os
import time
from pathlib import Path

from pdgf.catalogues.bundled import bundled_path
from pdgf.catalogues.reading import read_items
from pdgf.embedding import MiniLMEmbedder
from pdgf.ports import Embedder
from pdgf.sources.encoding import CHUNK
from pdgf.sources.index import laid_out

TEXTS = 2_560
ROOT = Path(__file__).parents[3]


async def measure(share: float) -> None:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    from ray.cluster_utils import Cluster

    from pdgf.sources.ray_cluster import RayEmbedder, Workers, connect

    count = max(CHUNK, round(TEXTS * share))
    texts = sorted(laid_out(read_items(bundled_path("movies")).items)[2], key=len)
    texts = texts[:: max(1, len(texts) // count)]
    local = MiniLMEmbedder()
    print(
        f"{len(texts):,} texts of the films, {sum(map(len, texts)) / len(texts):.0f} characters on average", flush=True
    )
    _said("this process alone", len(texts), await _seconds(local, texts))
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        cluster.add_node(num_cpus=1)
        ray = connect(cluster.address)
        for workers in (1, 2):
            embedder = RayEmbedder(local, Workers(ray, functools.partial(MiniLMEmbedder, None), count=workers))
            _said(f"Ray, workers: {workers}, one core each", len(texts), await _seconds(embedder, texts))
            embedder.close()
        ray.shutdown()
    finally:
        cluster.shutdown()


async def _seconds(embedder: Embedder, texts: list[str]) -> float:
    """The time for all texts in chunks that keep the encoder busy; models are loaded before."""
    at_once = CHUNK * int(getattr(embedder, "chunks_at_once", 1))
    await embedder.encode(texts[:at_once])
    begun = time.perf_counter()
    for start in range(0, len(texts), at_once):
        await embedder.encode(texts[start : start + at_once])
    return time.perf_counter() - begun


def _said(what: str, count: int, seconds: float) -> None:
    print(f"  {what:<46}{count / seconds:>8.0f} texts a second", flush=True)
