"""Which items of a catalogue a search recalls: rankings by words, by meaning and by columns. Pure."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pdgf.late_fusion import NOT_SCORED, fused
from pdgf.settings import MethodConfig
from pdgf.sources.index import CatalogueIndex
from pdgf.sources.two_languages import lexical_words
from pdgf.temporal import YearConstraint

RANK_OFFSET = 60  # reciprocal rank fusion's usual constant: a first place counts twice a 62nd


def recall(
    index: CatalogueIndex,
    words: str,
    dense: NDArray[np.float32],
    config: MethodConfig,
    chinese: NDArray[np.float32] | None = None,
    *,
    allowed: NDArray[np.bool_] | None = None,
    met: NDArray[np.float32] | None = None,
) -> list[int]:
    """The best `allowed` items for one query: ranks by best BM25 passage and by dense late fusion, fused by
    1/(60 + rank); those that have `met` what is asked in numbers are ahead in a ranking of their own.

    Exact at any size: a rank counts for every item, and the records need every similarity anyway.
    """
    best_passage = index.best_of_items(index.lexical.scores(lexical_words(words)))
    rankings: list[tuple[NDArray[np.floating], float]] = [(best_passage, 0.0)]
    near = fused(dense, index.texts_by_item, config.evidence_top_k)
    rankings.append((near, NOT_SCORED))
    if chinese is not None and index.chinese is not None:
        rankings.append((fused(chinese, index.chinese.by_item, config.evidence_top_k), NOT_SCORED))
    if met is None:
        return _best(index, rankings, config.catalogue_recall, allowed)
    order = _best(index, rankings, len(index.candidates), allowed)
    return sorted(order, key=lambda item: -met[item])[: config.catalogue_recall]


def recall_like(
    index: CatalogueIndex, named: Sequence[int], config: MethodConfig, allowed: NDArray[np.bool_] | None
) -> list[int]:
    """The best `allowed` items that are like these of the catalogue: by their traits, and by their notes where those
    leave them level, as items that are listed under a genre and nothing else do.

    Several are searched together, for what is a little like each of them; twice as many items are kept then.
    """
    items = len(index.candidates)
    traits = np.sum([index.traits.alike(item) for item in named], axis=0)
    near = np.full(items, NOT_SCORED)
    theirs = [index.vectors[slice(*index.starts[item : item + 2])] for item in named]
    means = [vectors.mean(0) for vectors in theirs if len(vectors)]
    if means:
        notes = np.asarray(means, np.float32)
        near = fused(index.vectors @ notes.mean(0), index.texts_by_item, config.evidence_top_k)
    order = np.lexsort((np.arange(items), -near, -traits))
    order = order[(traits[order] > 0.0) | (near[order] > NOT_SCORED)]
    order = order if allowed is None else order[allowed[order]]
    return [int(item) for item in order[: config.catalogue_recall * min(2, len(named))]]


def found_first(recalled: Iterable[Sequence[int]]) -> list[int]:
    """All items found, first those that the queries found near their tops; ties to the one that was found earlier."""
    places: dict[int, float] = {}
    for items in recalled:
        for rank, item in enumerate(items, start=1):
            places[item] = places.get(item, 0.0) + 1.0 / (RANK_OFFSET + rank)
    return sorted(places, key=lambda item: -places[item])


def depends_on(
    config: MethodConfig,
    years: YearConstraint | None,
    like: Mapping[str, int],
    word: str,
    met: NDArray[np.float32] | None,
) -> tuple[str, ...]:
    """What a recall depends on besides its words: numbers of the method, years, the items that it is for what is like
    them, and what has met the numbers that are asked."""
    bounds = (str(years.low), str(years.high)) if years else ()
    alike = ("like", *map(str, sorted(set(like.values())))) if word in like else ()
    numbers = ("met", hashlib.sha256(met.tobytes()).hexdigest()) if met is not None else ()
    return str(config.evidence_top_k), str(config.catalogue_recall), *bounds, *alike, *numbers


def _best(
    index: CatalogueIndex,
    rankings: Sequence[tuple[NDArray[np.floating], float]],
    count: int,
    allowed: NDArray[np.bool_] | None,
) -> list[int]:
    """So many items, the best by fused ranks: of each ranking those above its least score count."""
    items = len(index.candidates)
    total = np.zeros(items)
    for scores, lowest in rankings:
        order = np.lexsort((np.arange(items), -scores))
        order = order[scores[order] > lowest]
        order = order if allowed is None else order[allowed[order]]
        total[order] += 1.0 / (RANK_OFFSET + np.arange(1, len(order) + 1))
    order = np.lexsort((np.arange(items), -total))[:count]
    return [int(item) for item in order if total[item] > 0.0]
