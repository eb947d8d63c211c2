"""The numbers of a process, in the form that Prometheus reads: checked with the parser of its own client."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from dialogue.metrics import BUCKETS, Metrics, labelled, plain


def samples(metrics: Metrics) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every number as the parser of Prometheus understands it."""
    families = text_string_to_metric_families(metrics.text())
    return {(row.name, tuple(sorted(row.labels.items()))): row.value for each in families for row in each.samples}


def test_a_counter_grows_by_what_is_added_for_each_label_by_itself() -> None:
    metrics = Metrics()
    metrics.counter("turns_total", "Turns.")
    assert samples(metrics) == {}
    for ending in ("finished", "failed", "finished"):
        metrics.add("turns_total", ending=ending)
    metrics.add("turns_total", 0.5, ending="failed")
    assert samples(metrics) == {
        ("turns_total", (("ending", "finished"),)): 2.0,
        ("turns_total", (("ending", "failed"),)): 1.5,
    }


def test_a_gauge_is_asked_when_the_numbers_are_read() -> None:
    metrics, values = Metrics(), {"open": 1.0}
    metrics.gauge("connections", "Connections.", lambda: labelled("state", values))
    metrics.gauge("memory_bytes", "Memory.", lambda: plain(1e9))
    assert samples(metrics) == {("connections", (("state", "open"),)): 1.0, ("memory_bytes", ()): 1e9}
    values["free"] = 3.0
    assert samples(metrics)["connections", (("state", "free"),)] == 3.0


@given(st.lists(st.floats(min_value=0.0, max_value=500.0), max_size=40))
def test_each_bucket_counts_what_took_no_longer(seconds: list[float]) -> None:
    metrics = Metrics()
    metrics.histogram("turn_seconds", "Seconds.")
    for each in seconds:
        metrics.observe("turn_seconds", each)
    found = samples(metrics)
    for bound in BUCKETS:
        [count] = [
            v for (name, labels), v in found.items() if name.endswith("_bucket") and float(labels[0][1]) == bound
        ]
        assert count == sum(each <= bound for each in seconds)
    assert found["turn_seconds_bucket", (("le", "+Inf"),)] == found["turn_seconds_count", ()] == len(seconds)
    assert found["turn_seconds_sum", ()] == pytest.approx(sum(seconds))


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters='\n\\"')))
def test_any_label_comes_back_as_it_was(label: str) -> None:
    metrics = Metrics()
    metrics.counter("errors_total", "Errors.")
    metrics.add("errors_total", kind=label)
    assert samples(metrics) == {("errors_total", (("kind", label),)): 1.0}


def test_what_was_not_declared_cannot_be_counted() -> None:
    with pytest.raises(KeyError):
        Metrics().add("misspelt_total")
