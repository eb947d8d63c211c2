"""Fitting the opinion head: softmax regression with a ridge, against an independent computation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdgf.engines.builtin.opinions.fitting import BALANCE, RIDGE, fitted

Numbers = np.ndarray


def data(seed: int, rows: int = 60, width: int = 4) -> tuple[Numbers, Numbers, Numbers]:
    drawn = np.random.default_rng(seed)
    inputs = drawn.normal(size=(rows, width))
    classes = (inputs[:, 0] > 0.3).astype(np.int64) + (inputs[:, 1] > 0).astype(np.int64)
    return inputs, classes, drawn.uniform(0.5, 1, size=rows)


def loss_gradient(inputs: Numbers, classes: Numbers, shares: Numbers, weights: Numbers, bias: Numbers) -> Numbers:
    """The slope of the penalised loss at given weights, by the definition and one class at a time."""
    counts = np.array([shares[classes == c].sum() for c in range(3)])
    row_weights = shares * (shares.sum() / 3 / counts[classes]) ** BALANCE
    powers = np.exp(inputs @ weights + bias)
    given_ = powers / powers.sum(axis=1, keepdims=True)
    slopes = []
    for c in range(3):
        off = row_weights * (given_[:, c] - (classes == c))
        slopes.append([*(off @ inputs + RIDGE * weights[:, c]), off.sum()])
    return np.array(slopes)


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_at_the_fitted_weights_the_penalised_loss_is_level(seed: int) -> None:
    inputs, classes, shares = data(seed)
    head = fitted(inputs, classes, shares)
    standard = (inputs - inputs.mean(axis=0)) / inputs.std(axis=0)
    assert np.abs(loss_gradient(standard, classes, shares, head.weights, head.bias)).max() < 1e-3


def test_the_same_rows_give_the_same_head_and_a_constant_input_does_no_harm() -> None:
    inputs, classes, shares = data(1)
    inputs[:, 2] = 7.0
    one, other = fitted(inputs, classes, shares), fitted(inputs, classes, shares)
    assert np.array_equal(one.weights, other.weights)
    assert np.isfinite(one.weights).all()


def test_a_head_learns_what_separates_the_classes() -> None:
    inputs, classes, shares = data(2, rows=400)
    given_ = fitted(inputs, classes, shares).probabilities(inputs).argmax(axis=1)
    assert (given_ == classes).mean() > 0.7


def test_nothing_can_be_learned_from_no_row() -> None:
    with pytest.raises(ValueError, match="no row"):
        fitted(np.zeros((0, 4)), np.zeros(0, np.int64), np.zeros(0))
