"""Numbers of a process for whoever watches it, in the text form that Prometheus reads. No text of a user is among them.

Counters only grow; a gauge is asked when the numbers are read.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from itertools import accumulate

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)  # seconds

Labels = tuple[tuple[str, str], ...]
Gauge = Callable[[], Mapping[Labels, float]]


class Metrics:
    """All numbers of one process."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[str, str]] = {}  # name -> kind, what it is
        self._counts: dict[str, dict[Labels, float]] = {}
        self._gauges: dict[str, Gauge] = {}
        self._spread: dict[str, tuple[list[int], float]] = {}  # counts of each bucket and beyond, and the sum

    def counter(self, name: str, what: str) -> None:
        """Declare a number that only grows; it is told from the first `add` on."""
        self._told[name] = ("counter", what)
        self._counts.setdefault(name, {})

    def add(self, name: str, amount: float = 1.0, **labels: str) -> None:
        """Let a counter grow. Raises KeyError for one that was not declared."""
        counts, key = self._counts[name], tuple(sorted(labels.items()))
        counts[key] = counts.get(key, 0.0) + amount

    def gauge(self, name: str, what: str, read: Gauge) -> None:
        """Declare a number that goes up and down."""
        self._told[name] = ("gauge", what)
        self._gauges[name] = read

    def histogram(self, name: str, what: str) -> None:
        """Declare how seconds are spread."""
        self._told[name] = ("histogram", what)
        self._spread[name] = ([0] * (len(BUCKETS) + 1), 0.0)

    def observe(self, name: str, seconds: float) -> None:
        """Count one duration. Raises KeyError for a histogram that was not declared."""
        counts, total = self._spread[name]
        counts[bisect_left(BUCKETS, seconds)] += 1
        self._spread[name] = (counts, total + seconds)

    def text(self) -> str:
        """Every number as it is now."""
        lines: list[str] = []
        for name, (kind, what) in self._told.items():
            lines += [f"# HELP {name} {what}", f"# TYPE {name} {kind}"]
            if kind == "histogram":
                lines += self._buckets(name)
                continue
            values = self._gauges[name]() if kind == "gauge" else self._counts[name]
            lines += [f"{name}{_braced(labels)} {_number(value)}" for labels, value in sorted(values.items())]
        return "\n".join([*lines, ""])

    def _buckets(self, name: str) -> list[str]:
        counts, total = self._spread[name]
        *within, all_of_them = accumulate(counts)
        bounds = [*zip(map(_number, BUCKETS), within, strict=True), ("+Inf", all_of_them)]
        rows = [f'{name}_bucket{{le="{bound}"}} {count}' for bound, count in bounds]
        return [*rows, f"{name}_sum {_number(total)}", f"{name}_count {all_of_them}"]


def plain(value: float) -> Mapping[Labels, float]:
    """A gauge without labels."""
    return {(): value}


def labelled(name: str, values: Mapping[str, float]) -> Mapping[Labels, float]:
    """A gauge with one label."""
    return {((name, key),): value for key, value in values.items()}


def _braced(labels: Labels) -> str:
    return f"{{{','.join(f'{name}={_quoted(value)}' for name, value in labels)}}}" if labels else ""


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))
