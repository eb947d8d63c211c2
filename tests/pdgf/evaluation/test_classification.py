"""Accuracy and F1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.evaluation.classification import Counts, by_class, macro_f1, single_label

labels = st.sampled_from(["a", "b", "c"])


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    count = Counts(right=2, wrong=1, missed=3)
    assert (count.precision, count.recall) == (2 / 3, 2 / 5)
    assert count.f1 == pytest.approx(2 * (2 / 3) * (2 / 5) / (2 / 3 + 2 / 5))
    assert Counts().f1 == Counts().precision == Counts().recall == 0.0


def test_the_macro_mean_is_over_the_classes_that_occur() -> None:
    pairs = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")]
    made = single_label(pairs, ("a", "b", "c"))
    assert made["accuracy"] == 3 / 4
    assert made["macro_f1"] == pytest.approx((2 / 3 + 4 / 5) / 2)
    assert made["confusion"]["a"] == {"a": 1, "b": 1, "c": 0}


@given(st.lists(st.tuples(labels, labels), min_size=1))
def test_counts_of_all_classes_add_up_to_the_rows(pairs: list[tuple[str, str]]) -> None:
    counts = by_class(pairs, "abc").values()
    assert sum(count.right + count.missed for count in counts) == len(pairs)
    assert sum(count.right + count.wrong for count in counts) == len(pairs)
    assert 0.0 <= macro_f1(list(counts)) <= 1.0


def test_no_row_has_no_figure() -> None:
    with pytest.raises(ValueError, match="no row"):
        single_label([], ("a",))
