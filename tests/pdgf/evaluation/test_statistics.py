"""Intervals and paired tests."""

from itertools import product
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.evaluation.statistics import mean_of, paired

values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(values)
def test_the_mean_is_the_plain_mean_and_lies_in_its_interval_among_the_values(found: list[float]) -> None:
    mean = mean_of(found, samples=200)
    assert mean.value == pytest.approx(fmean(found))
    assert min(found) - 1e-9 <= mean.low <= mean.high <= max(found) + 1e-9
    assert mean == mean_of(found, samples=200)


def test_values_that_are_all_equal_leave_no_doubt() -> None:
    assert mean_of([0.25] * 5).model_dump() == {"value": 0.25, "low": 0.25, "high": 0.25}


def test_the_interval_is_about_as_wide_as_the_normal_one_for_many_values() -> None:
    mean = mean_of([0.0, 1.0] * 200)  # standard error .5 / 20 = .025
    assert mean.high - mean.low == pytest.approx(2 * 1.96 * 0.025, rel=0.1)


def test_more_queries_make_the_interval_narrower() -> None:
    few, many = mean_of([0.0, 1.0] * 5), mean_of([0.0, 1.0] * 500)
    assert many.high - many.low < few.high - few.low


def test_the_permutation_test_comes_near_the_exact_one() -> None:
    a, b = [0.9, 0.8, 0.7, 0.9, 0.2, 0.6], [0.1, 0.3, 0.5, 0.2, 0.4, 0.1]
    differences = [x - y for x, y in zip(a, b, strict=True)]
    observed = abs(fmean(differences))
    signs = list(product((-1, 1), repeat=6))
    exact = sum(
        abs(fmean([s * d for s, d in zip(each, differences, strict=True)])) >= observed - 1e-12 for each in signs
    )
    found = paired(a, b, samples=20_000)
    assert found.p == pytest.approx(exact / len(signs), abs=0.01)
    assert found.difference == pytest.approx(fmean(differences))
    assert (found.queries, found.differing) == (6, 6)


def test_a_strategy_against_itself_does_not_differ() -> None:
    found = paired([0.1, 0.7], [0.1, 0.7])
    assert (found.difference, found.low, found.high, found.p, found.differing) == (0.0, 0.0, 0.0, 1.0, 0)


def test_turning_the_comparison_round_turns_its_sign_alone() -> None:
    one, other = paired([1.0, 0.5, 0.25], [0.0, 0.5, 0.5]), paired([0.0, 0.5, 0.5], [1.0, 0.5, 0.25])
    assert (one.difference, one.p) == (-other.difference, other.p)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        mean_of([])
    with pytest.raises(ValueError, match="same queries"):
        paired([1.0], [1.0, 0.0])
