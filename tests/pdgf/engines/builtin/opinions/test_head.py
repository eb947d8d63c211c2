"""The opinion head: its file, its digest, and the probabilities it gives."""

import hashlib
import tomllib
from importlib import resources

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pdgf.engines.builtin import opinions
from pdgf.engines.builtin.opinions.head import (
    CARD,
    CLASSES,
    INPUTS,
    MOST_BYTES,
    WEIGHTS,
    Head,
    bytes_of,
    head_of,
    shipped_head,
)
from pdgf.errors import WeightsDamaged

FOLDER = resources.files(opinions)


def sealed(head: Head) -> tuple[bytes, str]:
    data = bytes_of(head)
    return data, hashlib.sha256(data).hexdigest()


def small(inputs: int = INPUTS, fill: float = 0.5) -> Head:
    weights = np.full((inputs, len(CLASSES)), fill)
    return Head(mean=np.zeros(inputs), scale=np.ones(inputs), weights=weights, bias=np.zeros(len(CLASSES)))


def test_the_shipped_head_is_the_file_that_its_card_names_and_is_small() -> None:
    data = FOLDER.joinpath(WEIGHTS).read_bytes()
    card = tomllib.loads(FOLDER.joinpath(CARD).read_text(encoding="utf-8"))
    assert hashlib.sha256(data).hexdigest() == card["sha256"]
    assert len(data) <= MOST_BYTES
    assert shipped_head().weights.shape == (INPUTS, len(CLASSES))
    assert not set(card["aspects"]) & set(card["held_out"])


def test_a_file_with_one_other_byte_is_refused() -> None:
    data, digest = sealed(small())
    changed = data[:-1] + bytes([data[-1] ^ 1])
    with pytest.raises(WeightsDamaged):
        head_of(changed, digest)


@pytest.mark.parametrize("head", [small(inputs=3), small(fill=float("nan"))])
def test_a_file_of_other_shapes_or_without_numbers_is_refused_even_with_its_digest(head: Head) -> None:
    with pytest.raises(WeightsDamaged):
        head_of(*sealed(head))


def test_a_file_of_pickled_objects_is_refused_even_with_its_digest() -> None:
    objects = small()
    object.__setattr__(objects, "weights", np.array([{"code": 1}], dtype=object))
    with pytest.raises(WeightsDamaged):
        head_of(*sealed(objects))


def test_what_is_no_archive_is_refused_even_with_its_digest() -> None:
    with pytest.raises(WeightsDamaged):
        head_of(b"words", hashlib.sha256(b"words").hexdigest())


def test_a_head_survives_its_file() -> None:
    head = shipped_head()
    again = head_of(*sealed(head))
    assert np.array_equal(again.weights, head.weights)
    assert bytes_of(again) == bytes_of(head)


@given(arrays(np.float64, st.tuples(st.integers(0, 5), st.just(INPUTS)), elements=st.floats(-1e3, 1e3)))
def test_probabilities_are_one_row_an_input_and_sum_to_one(inputs: np.ndarray) -> None:
    shares = shipped_head().probabilities(inputs)
    assert shares.shape == (len(inputs), len(CLASSES))
    assert (shares >= 0).all()
    assert np.allclose(shares.sum(axis=1), 1)
    assert np.array_equal(shares, shipped_head().probabilities(inputs))
