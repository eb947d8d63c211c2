"""How sure a mean is, and whether two strategies differ: seeded resampling over queries. Pure."""

import math
from collections.abc import Sequence

import numpy as np

from pdgf.models import Value

SAMPLES = 2_000  # resamples: the ends of an interval move by less than a hundredth of its width between seeds
LEVEL = 0.95
SEED = 0


class Mean(Value):
    """A macro mean over queries and its bootstrap interval."""

    value: float
    low: float
    high: float


class Difference(Value):
    """The mean of a - b over the same queries, its bootstrap interval, and the two-sided p of a sign-flip permutation
    test. `queries` is how many were compared, `differing` how many of them differ."""

    difference: float
    low: float
    high: float
    p: float
    queries: int
    differing: int


def mean_of(values: Sequence[float], *, seed: int = SEED, samples: int = SAMPLES) -> Mean:
    """The mean and its percentile bootstrap interval. Raises ValueError without a value."""
    if not values:
        raise ValueError("a mean needs at least one value")
    low, high = _interval(np.asarray(values, np.float64), seed=seed, samples=samples)
    return Mean(value=math.fsum(values) / len(values), low=low, high=high)


def paired(a: Sequence[float], b: Sequence[float], *, seed: int = SEED, samples: int = SAMPLES) -> Difference:
    """Compare two strategies over the same queries. Raises ValueError for no queries or different numbers of them.

    The permutation test turns the sign of each query's difference at random: under the null hypothesis either
    strategy could have given either value. The observed signs count as one of the permutations, so p is never 0.
    """
    if len(a) != len(b) or not a:
        raise ValueError("a paired test needs the same queries for both, at least one")
    differences = np.asarray(a, np.float64) - np.asarray(b, np.float64)
    low, high = _interval(differences, seed=seed, samples=samples)
    observed = abs(float(differences.mean()))
    signs = np.random.default_rng(seed).choice((-1.0, 1.0), size=(samples, len(differences)))
    turned = np.abs((signs * differences).mean(axis=1))
    as_large = int((turned >= observed - 1e-12).sum())
    return Difference(
        difference=math.fsum(differences) / len(differences),
        low=low,
        high=high,
        p=(as_large + 1) / (samples + 1),
        queries=len(differences),
        differing=int((np.abs(differences) > 1e-12).sum()),
    )


def _interval(values: "np.typing.NDArray[np.float64]", *, seed: int, samples: int) -> tuple[float, float]:
    picked = np.random.default_rng(seed).integers(0, len(values), size=(samples, len(values)))
    means = values[picked].mean(axis=1)
    low, high = np.quantile(means, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return float(low), float(high)
