"""The figures of a run as a Markdown report. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

LEAST_P = 0.001  # a smaller one is shown as that
RECALL_AT = (1, 5, 10, 20, 50)
OF_RUNS = ("ndcg@10", "h@1", "mrr")
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
        *rows_as_table(
            ("strategy", *COLUMNS), [(name, *map(interval_cell, map(row.get, COLUMNS))) for name, row in _rows(report)]
        ),
    ]
    if report["paired"]:
        lines += [
            "",
            "## full against each other strategy",
            "",
            "Mean difference over the same requests with its interval, and the two-sided p of a permutation test.",
            "",
            *rows_as_table(
                ("against", *next(iter(report["paired"].values()))),
                [(name, *map(difference_cell, row.values())) for name, row in report["paired"].items()],
            ),
        ]
    if report["runs"]:
        lines += [
            "",
            "## Runs of the strategies that ask a language model",
            "",
            "Its replies vary: the mean of the runs stands above, here are their deviation and the mean of each run.",
            "",
            *rows_as_table(
                ("strategy", *(f"{name} of each run" for name in OF_RUNS)),
                [(name, *(_runs(row, metric) for metric in OF_RUNS)) for name, row in report["runs"].items()],
            ),
        ]
    lines += [
        "",
        "## What was lost",
        "",
        "The best order of the pool would reach the oracle; retrieval lost the coverage gap, ranking the ranking gap.",
        "",
        *rows_as_table(
            ("strategy", "oracle@10", "coverage gap", "ranking gap"),
            [(name, *(f"{value:.3f}" for value in row.values())) for name, row in report["gaps"].items()],
        ),
        "",
        "## Recall among the first k",
        "",
        *rows_as_table(
            ("strategy", *(f"k = {k}" for k in RECALL_AT)),
            [(name, *(f"{curve[k - 1]:.3f}" for k in RECALL_AT)) for name, curve in report["recall_curve"].items()],
        ),
        "",
        "## Share of relevant items by tenths of the ordered pool, the best tenth first",
        "",
        *_deciles(report["deciles"]),
        "",
        "## What one has found and the other has not",
        "",
        "The share of the truth that the row has and the column has not: in what was retrieved, and in the first ten.",
        "",
        *_complementarity("retrieved by", report["complementarity"]["retrieved"]),
        "",
        *_complementarity("first ten of", report["complementarity"]["first_ten"]),
        "",
    ]
    return "\n".join(lines)


def _deciles(deciles: Mapping[str, Sequence[float] | None]) -> list[str]:
    found = [(name, *(f"{rate:.3f}" for rate in rates)) for name, rates in deciles.items() if rates is not None]
    if not found:
        return ["No pool has ten items."]
    return rows_as_table(("strategy", *map(str, range(1, len(found[0])))), found)


def _complementarity(head: str, only: Mapping[str, Mapping[str, float]]) -> list[str]:
    rows = [(a, *("" if a == b else f"{only[a][b]:.3f}" for b in only)) for a in only]
    return rows_as_table((head, *only), rows)


def _rows(report: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    return list(report["strategies"].items())


def rows_as_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table, a line a row."""
    return [_line(head), _line(["---"] * len(head)), *map(_line, rows)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def interval_cell(mean: Mapping[str, float] | None) -> str:
    """A mean with its interval; empty without one."""
    return "" if mean is None else f"{mean['value']:.3f} ({mean['low']:.3f}-{mean['high']:.3f})"


def _runs(row: Mapping[str, Any], metric: str) -> str:
    return f"±{row['deviation'][metric]:.3f} ({', '.join(f'{mean:.3f}' for mean in row['means'][metric])})"


def difference_cell(row: Mapping[str, float]) -> str:
    """A paired difference with its interval and p, which is never 0."""
    p = f"{row['p']:.3f}" if row["p"] >= LEAST_P else f"<{LEAST_P}"
    return f"{row['difference']:+.3f} ({row['low']:+.3f} to {row['high']:+.3f}), p {p}"
