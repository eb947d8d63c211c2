"""A file of 300 MB of short reviews indexed into a database, by an encoder that costs nothing: what the rest costs."""

import hashlib
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pdgf.ports import Vectors
from tests.bench.scale.server import started

BYTES = 300_000_000
ITEMS = 20_000
WORDS = [f"{a}{b}" for a in ("ka", "lo", "mi", "re", "su", "to") for b in ("den", "fal", "gor", "hin", "jup", "kes")]

CODE = """
import asyncio, sys, time
from pathlib import Path
from pdgf.sources.pgvector.building import index_file
from tests.bench.machine import most_resident
from tests.bench.scale.indexing import Cheap
embedder = Cheap()
before = most_resident()
begun = time.perf_counter()
made = asyncio.run(index_file(sys.argv[1], Path(sys.argv[2]), owner="bench", name=sys.argv[4], embedder=embedder,
                              graph_from=10**12))
seconds = time.perf_counter() - begun
print(f"  {sys.argv[3]:<24}{made.reviews:>11,} reviews, {made.encoded:>10,} texts encoded, {seconds:>6.0f} s, "
      f"{made.reviews / seconds:>8,.0f} reviews a second, "
      f"memory {before:.0f} MB at the start, {most_resident():.0f} MB at most", flush=True)
"""


class Cheap:
    """An Embedder whose vectors are digests."""

    id = "digest"
    dimension = 8
    normalised = False

    async def encode(self, texts: Sequence[str]) -> Vectors:
        digests = b"".join(hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts)
        return np.frombuffer(digests, np.uint8).reshape(len(texts), 8).astype(np.float32) / 255


def write(path: Path, size: int) -> None:
    """One short review a line, of items in no order."""
    chance = random.Random(1)
    with path.open("w") as file:
        while file.tell() < size:
            for _ in range(10_000):
                item, text = chance.randrange(ITEMS), " ".join(chance.choices(WORDS, k=8))
                file.write(f'{{"id": "i{item}", "title": "Item {item}", "reviews": ["{text}."]}}\n')


def measure(share: float) -> None:
    with tempfile.TemporaryDirectory() as folder, started() as url:
        small, large = (Path(folder) / f"{name}.jsonl" for name in ("small", "large"))
        for path, size in ((small, BYTES * share / 10), (large, BYTES * share)):
            write(path, round(size))
            print(f"a file of {path.stat().st_size / 1e6:.0f} MB into a database, the encoder excluded", flush=True)
            _run(url, path, path.stem, "first")
        _run(url, small, small.stem, "the small file again")
        with small.open("a") as file:
            file.write('{"id": "i1", "title": "Item 1", "reviews": ["One more."]}\n')
        _run(url, small, small.stem, "one review more")


def _run(url: str, path: Path, name: str, what: str) -> None:
    """In a process of its own, whose memory is that of the work alone."""
    subprocess.run([sys.executable, "-c", CODE, url, str(path), what, name], check=True)
