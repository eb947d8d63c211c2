"""Vectors of texts kept on disk, so that a large set is encoded once, however often it is measured or interrupted."""

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pdgf.cache_file import CacheFile
from pdgf.ports import Embedder, Vectors

FILE = "vectors.sqlite3"
VERSION = 1
ASKED_AT_ONCE = 500  # keys a query; SQLite takes at least 999
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"


class KeptVectors:
    """An Embedder that asks another one for what it has not met yet, and keeps that. Close it at the end."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self._file = CacheFile(folder / FILE, what="vectors", version=VERSION, tables=_TABLE)

    @property
    def id(self) -> str:
        return self._embedder.id

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """One row a text, exactly as the encoder underneath gives it. Raises EmbedderUnavailable."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        keys = {text: self._key(text) for text in dict.fromkeys(texts)}
        nothing: dict[bytes, bytes] = {}
        known = await self._file.work(lambda db: _read(db, list(keys.values())), nothing)
        size = np.dtype(np.float32).itemsize * self.dimension
        found = {text: known[key] for text, key in keys.items() if len(known.get(key, b"")) == size}
        fresh = [text for text in keys if text not in found]
        if fresh:
            vectors = np.ascontiguousarray(await self._embedder.encode(fresh), dtype=np.float32)
            made = {text: vector.tobytes() for text, vector in zip(fresh, vectors, strict=True)}
            await self._file.work(lambda db: _write(db, {keys[text]: made[text] for text in fresh}), None)
            found |= made
        return np.stack([np.frombuffer(found[text], np.float32) for text in texts])

    async def close(self) -> None:
        """Close the file; a later call opens it again."""
        await self._file.close()

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.id}\0{text}".encode("utf-8", "surrogatepass")).digest()


def _read(db: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for start in range(0, len(keys), ASKED_AT_ONCE):
        part = keys[start : start + ASKED_AT_ONCE]
        marks = ",".join("?" * len(part))
        found.update(db.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", part))  # noqa: S608  marks only
    return found


def _write(db: sqlite3.Connection, rows: Mapping[bytes, bytes]) -> None:
    with db:
        db.execute("BEGIN")
        db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows.items())
