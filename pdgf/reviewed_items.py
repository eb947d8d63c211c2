"""Reviewed-item retrieval, RA-Rec's RIR: the words of a wish, all items ranked by late fusion of their texts.

PDG-F ranks the items of a chat; this ranking is what it is compared with (METHOD 9.5, 14).
"""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pdgf.errors import IndexUnavailable
from pdgf.models import Value
from pdgf.ports import Embedder, Vectors


class PassageIndex(Protocol):
    """Ranks items by their texts; exact, or approximate in which items it finds, never in their scores."""

    def best_items(
        self, query: Vectors, *, n: int, k: int, allowed: NDArray[np.bool_] | None = None
    ) -> list[tuple[int, float]]:
        """At most n (item position, fused score), best first, ties to the earlier item: min(n, items with texts
        among `allowed`) of them, none for a query that is no number. Raises ValueError for k < 1."""
        ...


@dataclass(frozen=True, kw_only=True)
class ReviewedItems:
    """Items by id in the order of their positions, and the two indexes over their texts by one encoder."""

    ids: tuple[str, ...]
    encoder: str
    exact: PassageIndex
    approximate: PassageIndex


class FusedItem(Value):
    """An item and the mean of its best texts' inner products with the query; any finite number."""

    item: str
    score: float


async def retrieve_reviewed_items(
    query: str,
    reviewed: ReviewedItems,
    *,
    embedder: Embedder,
    n: int,
    k: int = 3,
    among: Collection[str] | None = None,
    approximate: bool = False,
) -> tuple[FusedItem, ...]:
    """The n best items for a query by late fusion of their k best texts; only items of `among` where it is given.

    Raises IndexUnavailable when the texts were encoded by another encoder, EmbedderUnavailable.
    """
    if embedder.id != reviewed.encoder:
        raise IndexUnavailable(f"the texts were encoded by {reviewed.encoder}, the query would be by {embedder.id}")
    allowed = None
    if among is not None:
        wanted = frozenset(among)
        allowed = np.fromiter((item in wanted for item in reviewed.ids), np.bool_, len(reviewed.ids))
    index = reviewed.approximate if approximate else reviewed.exact
    [vector] = await embedder.encode([query])
    found = await asyncio.to_thread(index.best_items, vector, n=n, k=k, allowed=allowed)
    return tuple(FusedItem(item=reviewed.ids[position], score=score) for position, score in found)
