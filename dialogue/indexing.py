"""`pdgf index FILE`: into the memory of this computer, or into the database where one is set; alone or on a cluster."""

import functools
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dialogue.composition import Composition
from dialogue.language_model import embedder_of
from pdgf.embedding import CachedEmbedder, MiniLMEmbedder
from pdgf.errors import ConfigInvalid
from pdgf.ports import Embedder

RECENT_SECONDS = 30.0  # the rate is that of the time since then
LARGE_BYTES = 20_000_000  # of a file
TIMES_IN_MEMORY = 75  # as much as the file takes, the catalogue held in memory takes: each text has a vector of 1.5 kB
TOO_LARGE = (
    "This file is large: its catalogue will be held in memory, some {gigabytes:.0f} GB. With PDGF_DATABASE_URL set it "
    "is read piece by piece into a database instead."
)


@dataclass
class Pace:
    """Progress as a line: how many, of how many, how many a second of late, and how long the rest will take."""

    say: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    _seen: list[tuple[float, str, int]] = field(default_factory=list)

    def __call__(self, what: str, done: int, total: int) -> None:
        now = self.clock()
        self._seen = [seen for seen in self._seen if seen[0] >= now - RECENT_SECONDS and seen[1] == what]
        self._seen.append((now, what, done))
        then, _, before = self._seen[0]
        rate = (done - before) / (now - then) if now > then else 0.0
        many = f"{done:,} of {total:,} {what}" if total else f"{done:,} {what}" if done else what
        pace = f", {rate:,.0f} a second" if rate else ""
        left = f", {_spoken((total - done) / rate)} left" if rate and done < total else ""
        self.say(f"{many}{pace}{left}")

    def texts(self, done: int, total: int) -> None:
        """The progress of an index in memory."""
        self("texts encoded", done, total)


async def index(
    file: Path,
    *,
    name: str,
    mapping: Mapping[str, str],
    composition: Composition,
    pace: Pace,
    warn: Callable[[str], None],
    ray: str | None = None,
) -> dict[str, Any]:
    """Make a domain of a file; what `--json` prints. Raises BadInput and ServiceFailed."""
    async with _spread(composition, ray) as (spreading, embedder):
        stored = spreading.catalogues.stored
        if stored is not None:
            made = await stored.index(file, name=name, mapping=mapping, embedder=embedder, said=pace)
            published = made.published
            return {
                "name": name,
                "items": published.items,
                "reviews": published.reviews,
                "refused": [row.model_dump(mode="json") for row in published.refused],
                "refused_rows": published.refused_rows,
                "encoded": published.encoded,
                "constraint_keys": list(made.read_as),
                "read_as": made.read_as,
            }
        size = _size(file)
        if size > LARGE_BYTES:
            warn(TOO_LARGE.format(gigabytes=TIMES_IN_MEMORY * size / 1e9))
        kept = await spreading.index(file, name=name, mapping=mapping, progress=pace.texts)
        return {
            "name": kept.domain.name,
            "items": len(kept.report.items),
            "reviews": sum(len(item.reviews) for item in kept.report.items),
            "refused": [row.model_dump(mode="json") for row in kept.report.refused],
            "constraint_keys": list(kept.keys),
            "read_as": dict(kept.read_as),
        }


@asynccontextmanager
async def _spread(composition: Composition, ray: str | None) -> AsyncIterator[tuple[Composition, Embedder]]:
    """A composition, and its encoder without a cache: with `ray` one whose texts go to the workers of that cluster."""
    settings = composition.settings
    folder = Path(settings.embedder) if settings.embedder else None
    endpoint = embedder_of(settings)
    if ray is None:
        yield composition, endpoint or MiniLMEmbedder(folder)
        return
    if endpoint is not None:
        raise ConfigInvalid("--ray spreads the encoder that runs here; an embeddings endpoint has machines of its own")
    from pdgf.sources import ray_cluster

    cluster = ray_cluster.connect(ray)
    workers = ray_cluster.Workers(cluster, functools.partial(MiniLMEmbedder, folder))
    spread = ray_cluster.RayEmbedder(MiniLMEmbedder(folder), workers)
    try:
        yield replace(composition, _embedder=CachedEmbedder(spread), _ready={}), spread
    finally:
        spread.close()
        cluster.shutdown()


def _size(file: Path) -> int:
    """The bytes of a file; 0 for one that is not there, which the reader will tell."""
    return file.stat().st_size if file.is_file() else 0


def _spoken(seconds: float) -> str:
    """A time as a person says it: "40 s", "12 min", "3.5 h"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"
