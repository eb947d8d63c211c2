"""Encodes the texts of an index, in pieces, so that an hour's work that was stopped goes on where it was.

The vectors of many texts stand in a file beside the place of the index until that is stored; `progress.json` says how
many of them are there, of which texts they are, and their checksum.
"""

import asyncio
import hashlib
import json
import logging
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdgf.errors import IndexUnavailable
from pdgf.ports import Embedder, Vectors
from pdgf.sources.index_store import texts_digest
from pdgf.sources.shipped_vectors import shipped

CHUNK = 64  # texts an encode call: half a second, so that a turn that waits for the encoder gets it soon
NOTED_AFTER = 16  # chunks; what was encoded since is lost when the process ends
MANY = 2_048  # texts; fewer take so little time that nothing of them is kept on the way
SUFFIX = ".encoding"
VECTORS, PROGRESS = "vectors.f32", "progress.json"

Progress = Callable[[int, int], None]
"""Called with the texts encoded so far and the texts in all."""

log = logging.getLogger(__name__)


async def encoded(
    texts: Sequence[str], *, embedder: Embedder, folder: Path, progress: Progress | None, known: Path | None
) -> Vectors:
    """The vectors of distinct texts, one row each, those that came with the catalogue `known` not made again.

    What an earlier call for the index at `folder` left is taken over; `forget` removes it. Raises EmbedderUnavailable,
    or IndexUnavailable when the encoder gives no usable vectors.
    """
    there = np.zeros(len(texts), np.bool_)
    found = np.zeros((0, embedder.dimension), np.float32)
    if known is not None:
        there, found = await asyncio.to_thread(lambda: shipped(known, embedder).find(texts))
    # Texts of one length go together, which spares the encoder most padding
    missing = sorted(np.flatnonzero(~there).tolist(), key=lambda position: (len(texts[position]), position))
    work = await asyncio.to_thread(_Work.begin, texts, missing, embedder, _place(folder))
    work.vectors[there] = found
    noted, at_once = work.done, CHUNK * chunks_at_once(embedder)
    for start in range(work.done, len(missing), at_once):
        chunk = missing[start : start + at_once]
        made = await embedder.encode([texts[position] for position in chunk])
        if made.shape != (len(chunk), embedder.dimension) or not np.isfinite(made).all():
            raise IndexUnavailable(f"the encoder {embedder.id} gave no usable vectors")
        work.take(chunk, made)
        if work.done - noted >= CHUNK * NOTED_AFTER:
            await asyncio.to_thread(work.note)
            noted = work.done
        if progress is not None:
            progress(work.done, len(missing))
    return work.vectors


def chunks_at_once(embedder: Embedder) -> int:
    """How many chunks the encoder takes at a time: several where it spreads them over machines, else one."""
    return int(getattr(embedder, "chunks_at_once", 1))


def forget(folder: Path) -> None:
    """Remove what was kept on the way to the index at `folder`, which is stored now."""
    shutil.rmtree(_place(folder), ignore_errors=True)


class _Work:
    """The vectors on their way: how many of the missing ones are `done`, in their order, and the checksum of those."""

    def __init__(self, vectors: NDArray[np.float32], place: Path | None, what: dict[str, Any], done: int) -> None:
        self.vectors = vectors
        self.done = done
        self._place = place
        self._what = what
        self._checksum = hashlib.sha256()

    def take(self, rows: Sequence[int], made: Vectors) -> None:
        """The next vectors, and the rows they belong to."""
        self.vectors[rows] = made
        self._checksum.update(self.vectors[rows].tobytes())
        self.done += len(rows)

    def _is(self, missing: Sequence[int], checksum: str) -> bool:
        """Whether the vectors that are said to be done are as they were written."""
        for start in range(0, self.done, CHUNK):
            self._checksum.update(self.vectors[missing[start : start + CHUNK]].tobytes())
        return self._checksum.hexdigest() == checksum

    @classmethod
    def begin(cls, texts: Sequence[str], missing: Sequence[int], embedder: Embedder, place: Path) -> "_Work":
        """What an earlier run has left, or nothing yet. Where nothing can be written it is all in memory."""
        shape = (len(texts), embedder.dimension)
        what = {"texts": texts_digest(texts), "encoder": embedder.id, "shape": list(shape), "missing": len(missing)}
        if len(missing) >= MANY:
            try:
                done, checksum = _done(place, what)
                if done:
                    found = cls(np.memmap(place / VECTORS, np.float32, "r+", shape=shape), place, what, done)
                    if found._is(missing, checksum):
                        return found
                    log.warning("an index that was stopped on the way is damaged and begins anew")
                place.mkdir(parents=True, exist_ok=True)
                with (place / VECTORS).open("wb") as file:
                    file.truncate(shape[0] * shape[1] * np.dtype(np.float32).itemsize)
                return cls(np.memmap(place / VECTORS, np.float32, "r+", shape=shape), place, what, 0)
            except (OSError, ValueError) as error:
                log.warning("an index that is stopped on the way will begin anew: %s", error)
        return cls(np.zeros(shape, np.float32), None, what, 0)

    def note(self) -> None:
        """Put down how far this is, once the vectors are on the disk."""
        if self._place is None or not isinstance(self.vectors, np.memmap):
            return
        try:
            self.vectors.flush()
            written = self._place / f"{PROGRESS}.new"
            written.write_text(
                json.dumps({**self._what, "done": self.done, "sha256": self._checksum.hexdigest()}), encoding="utf-8"
            )
            os.replace(written, self._place / PROGRESS)
        except OSError as error:
            log.warning("how far the index is cannot be kept: %s", error.strerror or error)
            self._place = None


def _done(place: Path, what: dict[str, Any]) -> tuple[int, str]:
    """How many texts an earlier run for exactly this has encoded, and the checksum of those; 0 for anything else."""
    try:
        left = json.loads((place / PROGRESS).read_text(encoding="utf-8"))
        size = (place / VECTORS).stat().st_size
    except (OSError, ValueError, RecursionError):
        return 0, ""
    if not isinstance(left, dict) or {name: left.get(name) for name in what} != what:
        return 0, ""
    rows, width = what["shape"]
    done = left.get("done")
    whole = isinstance(done, int) and 0 <= done <= what["missing"] and done % CHUNK == 0
    fits = whole and size == rows * width * np.dtype(np.float32).itemsize
    return (done, str(left.get("sha256"))) if fits and isinstance(done, int) else (0, "")


def _place(folder: Path) -> Path:
    return folder.with_name(folder.name + SUFFIX)
