"""The figures of the claims as Markdown. Pure."""

from collections.abc import Mapping
from typing import Any

from pdgf.evaluation.claims import verdict
from pdgf.evaluation.table import difference_cell, interval_cell, rows_as_table

SHOWN = ("told_apart", "ndcg@10", "h@1", "mrr")
TESTED = ("told_apart", "ndcg@10")


def markdown(made: Mapping[str, Any]) -> str:
    """One part a group of requests, then the links, then the sets of one's own."""
    config = made["config"]
    lines = [
        "# Do links between wishes help?",
        "",
        f"Engine {config['engine']}, encoder {config['embedder']}, preset {config['preset']}, gamma {config['gamma']}, "
        f"score map {config['score_map']}. Each value with its {config['bootstrap']['level']:.0%} bootstrap interval; "
        "p by a paired permutation test over the same requests. `told_apart` is the share of pairs of an acceptable "
        "and an unacceptable item in which the acceptable one stands first.",
        "",
    ]
    for name, group in made["groups"].items():
        lines += [f"## Requests: {name} ({group['requests']}, {group['edges']:.1f} links each)", "", *_group(group)]
    lines += ["## Links against those of a reader", "", *_links(made["links"])]
    for name, parts in made["sets"].items():
        for part, group in parts.items():
            lines += [f"## {name}: {part} ({group['requests']} requests)", "", *_group(group)]
    return "\n".join(lines)


def _group(group: Mapping[str, Any]) -> list[str]:
    metrics = [metric for metric in SHOWN if metric in group["strategies"]["full"]]
    tested = [metric for metric in TESTED if metric in metrics] or ["ndcg@10"]
    table = rows_as_table(
        ("strategy", *metrics, *(f"full minus it, {metric}" for metric in tested), "which says"),
        [
            (
                name,
                *(interval_cell(row[metric]) for metric in metrics),
                *(_compared(group, name, metric) for metric in tested),
                "" if name == "full" else "; ".join(verdict(group["paired"][name][metric]) for metric in tested),
            )
            for name, row in group["strategies"].items()
        ],
    )
    return [*table, ""]


def _compared(group: Mapping[str, Any], name: str, metric: str) -> str:
    return "" if name == "full" else difference_cell(group["paired"][name][metric])


def _links(links: Mapping[str, Any]) -> list[str]:
    qualified, flat = links["qualified"], links["flat"]
    lines = [
        *rows_as_table(
            ("requests", "pairs to find", "recall", "edges drawn", "precision", "F1", "left open"),
            [
                (
                    "qualified",
                    str(qualified["pairs"]),
                    f"{qualified['recall']:.2f}",
                    str(qualified["edges"]),
                    f"{qualified['precision']:.2f}",
                    f"{qualified['f1']:.2f}",
                    str(qualified["left_open"]),
                ),
                ("flat", "0", "", str(flat["edges"]), "all wrong" if flat["edges"] else "none drawn", "", ""),
            ],
        ),
        "",
        "Why pairs were missed: " + (", ".join(f"{why} {n}" for why, n in qualified["missed"].items()) or "none was"),
        "",
    ]
    for fault in links["faults"]:
        lines.append(f"- {fault['text']}")
        lines += [f"  - missed: {q!r} on {b!r} ({why})" for (b, q), why in fault["missed"]]
        lines += [f"  - wrong: {q!r} on {b!r}" for b, q in fault["wrong"]]
    return [*lines, ""]
