"""Work spread over a Ray cluster: encoders that work side by side, and the same for anything else made of pieces.

Whoever names a cluster trusts it: it runs this program's code and sees the texts. Each machine of it has this package.
"""

import asyncio
import importlib
import logging
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from pdgf.errors import ConfigInvalid, EmbedderUnavailable, ServiceFailed
from pdgf.ports import Embedder, Vectors
from pdgf.sources.encoding import CHUNK

AGAIN = 3  # times that a worker is started anew, or a piece given to another, when a machine goes away
CHUNKS_A_WORKER = 4  # on their way at a time, so that none waits for the slowest
KNOCK_SECONDS = 10.0
FIRST_WORD_SECONDS = 300.0  # until a worker has loaded its model

Piece = TypeVar("Piece")


def connect(address: str) -> ModuleType:
    """The package ray, connected to the cluster at `address` ("auto", "host:6379", "ray://host:10001").

    Raises ConfigInvalid where the package is missing, ServiceFailed where the cluster does not answer.
    """
    try:
        ray = importlib.import_module("ray")
    except ImportError as error:
        raise ConfigInvalid("--ray needs the package ray: pip install -e '.[ray]'") from error
    if not ray.is_initialized():
        try:
            _knock(address)
            ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            raise ServiceFailed(f"the Ray cluster at {address} does not answer") from error
    return ray


def _knock(address: str) -> None:
    """Raise OSError where nobody listens: Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=KNOCK_SECONDS).close()


def cores(ray: ModuleType) -> int:
    """How many workers the cluster has room for."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


class Workers:
    """Objects made by `make` on the machines of a cluster, one core each, and calls spread over them."""

    def __init__(self, ray: ModuleType, make: Callable[[], Any], *, count: int | None = None) -> None:
        self._ray = ray
        kind = ray.remote(_Worker).options(num_cpus=1, max_restarts=AGAIN, max_task_retries=AGAIN)
        self._workers = [kind.remote(make) for _ in range(count or cores(ray))]

    def __len__(self) -> int:
        return len(self._workers)

    async def each(self, method: str) -> list[Any]:
        """What the method says at every worker."""
        return list(await asyncio.gather(*(self._answer(w.call.remote(method)) for w in self._workers)))

    async def spread(self, method: str, pieces: Sequence[Piece]) -> AsyncIterator[tuple[int, Any]]:
        """The answer to each piece with its place, as they come; a worker that is done takes the next piece."""
        todo = iter(enumerate(pieces))
        answers: asyncio.Queue[tuple[int, Any]] = asyncio.Queue()

        async def work(worker: Any) -> None:
            for place, piece in todo:
                try:
                    answer = await self._answer(worker.call.remote(method, piece))
                except ServiceFailed as error:
                    answer = error
                await answers.put((place, answer))

        tasks = [asyncio.create_task(work(worker)) for worker in self._workers]
        try:
            for _ in pieces:
                yield await answers.get()
        finally:
            for task in tasks:
                task.cancel()

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers:
            self._ray.kill(worker)

    async def _answer(self, asked: Any) -> Any:
        """An answer. Our own errors come as themselves, those of the cluster as ServiceFailed."""
        try:
            return await asyncio.wrap_future(asked.future())
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, Exception) else error
            if isinstance(cause, ServiceFailed):
                raise cause from error
            raise
        except self._ray.exceptions.RayError as error:
            raise ServiceFailed(f"the Ray cluster has lost a piece of work ({type(error).__name__})") from error


class _Worker:
    """Holds one object on a machine of the cluster and waits for its coroutines."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._object = make()
        self._runner = asyncio.Runner()

    def call(self, method: str, *values: Any) -> Any:
        found = getattr(self._object, method)
        answer = found(*values) if callable(found) else found
        return self._runner.run(answer) if asyncio.iscoroutine(answer) else answer


class RayEmbedder:
    """An Embedder whose texts are encoded by the workers of a cluster, each with an encoder of its own.

    Texts go out in the very chunks that one process would encode, so that each vector is the same bit for bit.
    """

    def __init__(self, local: Embedder, workers: Workers) -> None:
        """`local` is the encoder that the workers have each one of."""
        self._local = local
        self._workers = workers
        self._checked = False

    @property
    def id(self) -> str:
        return self._local.id

    @property
    def dimension(self) -> int:
        return self._local.dimension

    @property
    def chunks_at_once(self) -> int:
        """How many chunks keep all workers busy."""
        return len(self._workers) * CHUNKS_A_WORKER

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """One row a text. Raises EmbedderUnavailable, also where a worker has another encoder than this process."""
        await self._check()
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        chunks = [list(texts[start : start + CHUNK]) for start in range(0, len(texts), CHUNK)]
        async for place, made in self._workers.spread("encode", chunks):
            if isinstance(made, ServiceFailed):
                raise EmbedderUnavailable(str(made)) from made
            vectors[place * CHUNK : place * CHUNK + len(made)] = made
        return vectors

    async def _check(self) -> None:
        if self._checked:
            return
        try:
            async with asyncio.timeout(FIRST_WORD_SECONDS):
                ids = set(await self._workers.each("id"))
        except TimeoutError as error:
            raise EmbedderUnavailable("the Ray cluster has no room for a worker") from error
        except ServiceFailed as error:
            raise EmbedderUnavailable(str(error)) from error
        if ids != {self.id}:
            raise EmbedderUnavailable(f"the Ray cluster has another encoder: {', '.join(sorted(ids))}, not {self.id}")
        self._checked = True

    def close(self) -> None:
        """End the workers."""
        self._workers.close()
