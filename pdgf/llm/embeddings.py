"""An Embedder over any OpenAI-compatible server, apart from the one that answers in words."""

import asyncio
from collections.abc import Sequence

import numpy as np
from pydantic import Field

from pdgf.errors import EmbedderUnavailable, ModelFailed, StepFailed
from pdgf.llm.address import Address
from pdgf.llm.connections import Connections
from pdgf.llm.dialect import encodable
from pdgf.llm.faults import CallFault, Kind
from pdgf.llm.retrying import LONGEST_WAIT, retried
from pdgf.ports import Vectors

BATCH = 64  # texts in one request
AT_ONCE = 4  # requests
TEXT_CHARS = 8_000  # at one token a character still within the 8,191 tokens of OpenAI's models


class EmbeddingSettings(Address):
    """Which model embeds at an address. Times are in seconds. `dimensions` asks for shorter vectors where the model
    knows how, and is refused by those that do not; None takes the vectors as they come."""

    model: str = Field(min_length=1)
    dimensions: int | None = Field(default=None, ge=1)
    timeout: float = Field(default=60.0, gt=0.0)
    connect_timeout: float = Field(default=10.0, gt=0.0)
    retries: int = Field(default=2, ge=0, le=10)
    first_wait: float = Field(default=0.5, gt=0.0)


class OpenAIEmbedder:
    """An embeddings endpoint as an Embedder. Rows have length 1. May be used from any event loop.

    How many dimensions the model has is known after the first `encode`; `encode([])` asks for it with one short text.
    """

    def __init__(self, settings: EmbeddingSettings) -> None:
        self._settings = settings
        self._dimension = settings.dimensions
        self._connections = Connections(settings, timeout=settings.timeout, connect_timeout=settings.connect_timeout)

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.id!r})"

    @property
    def id(self) -> str:
        """Host, path and model, with the dimensions where they were asked for; never a secret."""
        asked = f"|{self._settings.dimensions}" if self._settings.dimensions is not None else ""
        return f"{self._settings.place}|{self._settings.model}{asked}"

    @property
    def dimension(self) -> int:
        """Raises EmbedderUnavailable before the first `encode`, unless the settings say it."""
        if self._dimension is None:
            raise EmbedderUnavailable(f"how many dimensions {self.id} has is known after its first call")
        return self._dimension

    @property
    def normalised(self) -> bool:
        """Whether vectors have length 1."""
        return True

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """One row a text, float32; empty in, empty out. Raises EmbedderUnavailable, saying in words what is wrong.

        Texts are read up to 8,000 characters; a blank one stands as a single space, which every server takes.
        """
        if not texts:
            if self._dimension is None:
                await self._rows([" "])
            return np.zeros((0, self.dimension), np.float32)
        readable = [encodable(text[:TEXT_CHARS]) if text.strip() else " " for text in texts]
        free = asyncio.Semaphore(AT_ONCE)

        async def batch(start: int) -> Vectors:
            async with free:
                return await self._rows(readable[start : start + BATCH])

        try:
            async with asyncio.TaskGroup() as group:  # the first failure stops the others
                tasks = [group.create_task(batch(start)) for start in range(0, len(readable), BATCH)]
        except* EmbedderUnavailable as failures:
            failure = failures.exceptions[0]
        else:
            return np.concatenate([task.result() for task in tasks])
        raise EmbedderUnavailable(str(failure))

    async def aclose(self) -> None:
        """Close the connections of the running event loop. The embedder can still be used; it opens new ones."""
        await self._connections.aclose()

    async def _rows(self, texts: list[str]) -> Vectors:
        """The checked rows of one batch."""
        settings = self._settings
        try:
            return await retried(
                lambda: self._embedded(texts),
                retries=settings.retries,
                first_wait=settings.first_wait,
                patience=lambda: LONGEST_WAIT,
                secrets=settings.secrets,
            )
        except (ModelFailed, StepFailed) as error:
            problem = str(error)
        raise EmbedderUnavailable(f"no embeddings of {settings.model} from {settings.place}: {problem}")

    async def _embedded(self, texts: list[str]) -> Vectors:
        """One request. Raises CallFault, also for vectors that are none."""
        settings = self._settings
        wires = await self._connections.here()
        try:
            async with asyncio.timeout(settings.timeout):
                vectors = await wires.embedded(settings.model, texts, settings.dimensions)
        except TimeoutError:
            vectors = None
        if vectors is None:
            raise CallFault(Kind.TIMEOUT)
        return self._checked(vectors, len(texts))

    def _checked(self, vectors: list[list[float]], count: int) -> Vectors:
        lengths = {len(vector) for vector in vectors}
        if len(vectors) != count or len(lengths) != 1 or not all(lengths):
            raise CallFault(Kind.NOT_API, f"{len(vectors)} vectors of {sorted(lengths)} numbers for {count} texts")
        rows = np.asarray(vectors, np.float32)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(norms).all():
            raise CallFault(Kind.NOT_API, "vectors with numbers that are none")
        if self._dimension is None:
            self._dimension = rows.shape[1]
        if rows.shape[1] != self._dimension:
            raise CallFault(Kind.NOT_API, f"vectors of {rows.shape[1]} dimensions after some of {self._dimension}")
        rows /= np.where(norms > 0.0, norms, 1.0)
        return rows
