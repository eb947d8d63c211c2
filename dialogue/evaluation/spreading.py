"""Requests of `pdgf eval` measured on the machines of a Ray cluster, each with the whole set and its index.

The cluster sees the settings, keys among them, and needs the folder of the set and the data folder at the same paths.
"""

import functools
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from dialogue.composition import Composition
from dialogue.evaluation.composing import keeping_vectors, setup_for
from pdgf.errors import BudgetSpent, ModelFailed, PdgfError
from pdgf.evaluation.dataset import Query, read_set
from pdgf.evaluation.runner import QueryResult, Setup, measure, warmed
from pdgf.evaluation.strategies import Strategy
from pdgf.settings import Preset, Settings
from pdgf.sources.ray_cluster import Workers, connect

Result = tuple[Query, QueryResult | PdgfError]
Measuring = Callable[[Sequence[Query], Sequence[Strategy]], AsyncIterator[Result]]


class Measurer:
    """What a worker holds: the set, ready to be asked about."""

    def __init__(self, folder: Path, settings: Settings, preset: Preset, item_word: str) -> None:
        self._folder = folder
        self._composition = Composition(settings=settings, preset=preset)
        self._item_word = item_word
        self._open = AsyncExitStack()  # as long as the worker lives
        self._setup: Setup | None = None

    async def measured(self, asked: tuple[Query, tuple[Strategy, ...]]) -> QueryResult | PdgfError:
        """The result of one request by the strategies, or why it has none. Raises ServiceFailed."""
        query, strategies = asked
        if self._setup is None:
            keeping = await self._open.enter_async_context(keeping_vectors(self._composition))
            self._setup = await warmed(await setup_for(read_set(self._folder), keeping, item_word=self._item_word))
        try:
            return await measure(query, self._setup, strategies)
        except (BudgetSpent, ModelFailed) as error:
            return error


def spread_over(address: str, folder: Path, composition: Composition, item_word: str) -> Measuring:
    """Measures requests on the cluster at an address. Raises ConfigInvalid and ServiceFailed."""
    cluster = connect(address)
    make = functools.partial(Measurer, folder.resolve(), composition.settings, composition.preset, item_word)

    async def measuring(queries: Sequence[Query], strategies: Sequence[Strategy]) -> AsyncIterator[Result]:
        workers = Workers(cluster, make)
        pieces = [(query, tuple(strategies)) for query in queries]
        try:
            async for place, found in workers.spread("measured", pieces):
                yield queries[place], found
        finally:
            workers.close()
            cluster.shutdown()

    return measuring
