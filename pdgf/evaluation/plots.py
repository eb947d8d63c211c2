"""The figures of a run as pictures. matplotlib is loaded on first use and drawn on without a screen."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pdgf.errors import ConfigInvalid, StoreUnavailable

BARS = "ndcg@10"
WIDTH, HEIGHT = 9.0, 5.0  # inches


def draw(report: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write five PNG files: scores with intervals, recall by k, relevance by tenths, what was lost, who found what.

    Raises ConfigInvalid when matplotlib is not installed and StoreUnavailable when the folder cannot be written.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigInvalid("pictures need matplotlib: pip install pdgf[eval]") from error
    paths: list[Path] = []
    for name, painted in PICTURES.items():
        figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        FigureCanvasAgg(figure)
        painted(figure.add_subplot(), report)
        path = folder / f"{name}.png"
        try:
            figure.savefig(path, dpi=120)
        except OSError as error:
            raise StoreUnavailable(f"{path}: {error.strerror or error}") from error
        paths.append(path)
    return paths


def _scores(axes: Any, report: Mapping[str, Any]) -> None:
    rows = {name: row[BARS] for name, row in report["strategies"].items()}
    values = [row["value"] for row in rows.values()]
    below = [max(0.0, row["value"] - row["low"]) for row in rows.values()]
    above = [max(0.0, row["high"] - row["value"]) for row in rows.values()]
    axes.bar(range(len(rows)), values, yerr=[below, above], capsize=3, color="#4a7ba6")
    axes.set_xticks(range(len(rows)), list(rows), rotation=45, ha="right")
    axes.set_ylabel("NDCG@10")
    axes.set_title(f"{report['config']['set']}: NDCG@10 with 95 % intervals")


def _recall(axes: Any, report: Mapping[str, Any]) -> None:
    for name, curve in report["recall_curve"].items():
        axes.plot(range(1, len(curve) + 1), curve, label=name)
    axes.set_xlabel("k")
    axes.set_ylabel("recall among the first k")
    axes.legend(fontsize="small", ncols=2)


def _deciles(axes: Any, report: Mapping[str, Any]) -> None:
    for name, rates in report["deciles"].items():
        if rates is not None:
            axes.plot(range(1, len(rates) + 1), rates, marker="o", label=name)
    axes.set_xlabel("tenth of the ordered pool, the best first")
    axes.set_ylabel("share of relevant items")
    if axes.lines:
        axes.legend(fontsize="small", ncols=2)


def _gaps(axes: Any, report: Mapping[str, Any]) -> None:
    rows = report["gaps"]
    reached = [row["oracle@10"] - row["ranking_gap"] for row in rows.values()]
    ranking = [row["ranking_gap"] for row in rows.values()]
    coverage = [row["coverage_gap"] for row in rows.values()]
    places = range(len(rows))
    axes.bar(places, reached, label="NDCG@10", color="#4a7ba6")
    axes.bar(places, ranking, bottom=reached, label="lost by ranking", color="#d9a441")
    both = [a + b for a, b in zip(reached, ranking, strict=True)]
    axes.bar(places, coverage, bottom=both, label="lost by retrieval", color="#b0b0b0")
    axes.set_xticks(places, list(rows), rotation=45, ha="right")
    axes.legend(fontsize="small")


def _complementarity(axes: Any, report: Mapping[str, Any]) -> None:
    only = report["complementarity"]["first_ten"]
    shares = [[only[a].get(b, 0.0) for b in only] for a in only]
    picture = axes.imshow(shares, cmap="Blues", vmin=0.0)
    axes.set_xticks(range(len(only)), list(only), rotation=90)
    axes.set_yticks(range(len(only)), list(only))
    axes.set_title("share of the truth in the first ten of the row and not in those of the column")
    axes.figure.colorbar(picture)


PICTURES: Mapping[str, Callable[[Any, Mapping[str, Any]], None]] = {
    "scores": _scores,
    "recall": _recall,
    "deciles": _deciles,
    "gaps": _gaps,
    "complementarity": _complementarity,
}
