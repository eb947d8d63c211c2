"""Vectors of the bundled texts that come with the package, so that nobody waits for the encoder at a first start.

One file a catalogue and encoder: catalogues/vectors/<domain>-<encoder>.npz. A vector is found by the digest of its
text: a text that was changed or is new is not found and is encoded. Each is stored in one byte a dimension with a scale
of its own: its length stays, and its cosine to the true one is above .9998.
"""

import hashlib
import logging
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdgf.ports import Embedder, Vectors

LARGEST = 127  # of a signed byte

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class ShippedVectors:
    """Vectors by text: `keys` are the sorted digests of the texts, with one row of `codes` and one scale each."""

    keys: NDArray[np.uint64]
    codes: NDArray[np.int8]
    scales: NDArray[np.float32]

    @classmethod
    def none(cls, dimension: int) -> "ShippedVectors":
        """No vector at all."""
        return cls(np.zeros(0, np.uint64), np.zeros((0, dimension), np.int8), np.zeros(0, np.float32))

    @classmethod
    def of(cls, texts: Sequence[str], vectors: Vectors) -> "ShippedVectors":
        """The vectors of distinct texts, one row each. Raises ValueError when shapes do not fit."""
        if vectors.shape[:1] != (len(texts),):
            raise ValueError("vectors need one row a text")
        keys = _keys(texts)
        order = np.argsort(keys, kind="stable")
        rows = vectors[order]
        steps = np.abs(rows).max(axis=1, initial=0.0, keepdims=True) / LARGEST
        codes = np.rint(rows / np.where(steps > 0, steps, 1)).astype(np.int8)
        lengths = np.linalg.norm(codes.astype(np.float32), axis=1)
        scales = (np.linalg.norm(rows, axis=1) / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        return cls(keys[order], codes, scales)

    def find(self, texts: Sequence[str]) -> tuple[NDArray[np.bool_], Vectors]:
        """For each text whether its vector is known, and the vectors of those that are, in the order of the texts."""
        keys = _keys(texts)
        if not self.keys.size:
            return np.zeros(len(keys), np.bool_), np.zeros((0, self.codes.shape[1]), np.float32)
        places = np.minimum(np.searchsorted(self.keys, keys), self.keys.size - 1)
        known = self.keys[places] == keys
        rows = places[known]
        return known, self.codes[rows].astype(np.float32) * self.scales[rows, None]


def shipped(place: Path, embedder: Embedder) -> ShippedVectors:
    """The vectors that came with a catalogue for this encoder, from beside `place`; none where there are none or the
    file is damaged, which is logged."""
    nothing = ShippedVectors.none(embedder.dimension)
    path = _file(place, embedder)
    if not path.is_file():
        return nothing
    try:
        with np.load(path, allow_pickle=False) as stored:
            if "encoder" in stored.files and str(stored["encoder"]) != embedder.id:
                raise ValueError("vectors of another encoder")
            found = ShippedVectors(*(_array(stored, name, kind) for name, kind in _PARTS))
    except _UNREADABLE as error:
        log.warning("%s cannot be used: %s", path.name, error)
        return nothing
    count = len(found.keys)
    if (found.keys.shape, found.codes.shape, found.scales.shape) != ((count,), (count, embedder.dimension), (count,)):
        log.warning("%s cannot be used: arrays of other shapes", path.name)
        return nothing
    return found


def ship(place: Path, embedder: Embedder, vectors: ShippedVectors) -> None:
    """Write the vectors of a catalogue beside `place`. Raises OSError."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with _file(place, embedder).open("wb") as file:
        np.savez(file, encoder=np.array(embedder.id), keys=vectors.keys, codes=vectors.codes, scales=vectors.scales)


# All that zipfile and NumPy raise over changed bytes: an unknown version, another packing, a size beyond the memory.
_UNREADABLE = (
    OSError, ValueError, KeyError, EOFError, RuntimeError, MemoryError, OverflowError,
    zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip
_PARTS: tuple[tuple[str, type[np.generic]], ...] = (("keys", np.uint64), ("codes", np.int8), ("scales", np.float32))


def _array(stored: Any, name: str, kind: type[np.generic]) -> NDArray[Any]:
    array: NDArray[Any] = stored[name]
    if array.dtype != np.dtype(kind) or not np.isfinite(array).all():
        raise ValueError(f"{name} is of another kind")
    return array


def _file(place: Path, embedder: Embedder) -> Path:
    return place.with_name(f"{place.name}-{embedder.id.replace('/', '-')}.npz")


def _keys(texts: Sequence[str]) -> NDArray[np.uint64]:
    """The first eight bytes of the digest of each text: that two of 100,000 texts share them is out of the question."""
    digests = (hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8] for text in texts)
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)
