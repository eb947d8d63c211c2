"""The figures of a run as a Markdown report. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

COLUMNS = ("p@10", "r@10", "ndcg@10", "ndcg@10_binary", "h@1", "h@5", "mrr", "pool_recall", "seconds")


def markdown(report: Mapping[str, Any]) -> str:
    """Tables of the strategies, the paired tests and the gaps, with what was left out."""
    requests, config = report["requests"], report["config"]
    lines = [
        f"# {config['set']}: {requests['measured']} requests",
        "",
        f"Engine {config['engine']}, encoder {config['embedder']}, preset {config['preset']}. Mean pool "
        f"{requests['pool']:.1f} items, {requests['nodes']:.1f} wishes, {requests['edges']:.1f} links. "
        f"Without a wish that could be read: {requests['unread']}. Left out: {report['left_out']['count']}.",
        "",
        "Mean over requests, with its 95 % bootstrap interval.",
        "",
        *_table(
            ("strategy", *COLUMNS), [(name, *map(_interval, map(row.get, COLUMNS))) for name, row in _rows(report)]
        ),
    ]
    if report["paired"]:
        lines += [
            "",
            "## full against each other strategy",
            "",
            "Mean difference over the same requests with its interval, and the two-sided p of a permutation test.",
            "",
            *_table(
                ("against", *next(iter(report["paired"].values()))),
                [(name, *map(_difference, row.values())) for name, row in report["paired"].items()],
            ),
        ]
    lines += [
        "",
        "## What was lost",
        "",
        "The best order of the pool would reach the oracle; retrieval lost the coverage gap, ranking the ranking gap.",
        "",
        *_table(
            ("strategy", "oracle@10", "coverage gap", "ranking gap"),
            [(name, *(f"{value:.3f}" for value in row.values())) for name, row in report["gaps"].items()],
        ),
        "",
    ]
    return "\n".join(lines)


def _rows(report: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    return list(report["strategies"].items())


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [_line(head), _line(["---"] * len(head)), *map(_line, rows)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _interval(mean: Mapping[str, float] | None) -> str:
    return "" if mean is None else f"{mean['value']:.3f} ({mean['low']:.3f}-{mean['high']:.3f})"


def _difference(row: Mapping[str, float]) -> str:
    return f"{row['difference']:+.3f} ({row['low']:+.3f} to {row['high']:+.3f}), p {row['p']:.3f}"
