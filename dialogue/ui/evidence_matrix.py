"""The tab "Evidence": how each shown item stands to each wish, with quotes and sources. Pure but for `lay_out`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dialogue.standings import wish_of
from dialogue.ui.cards import mark_of, quoted
from dialogue.ui.templates import html, render, static
from dialogue.ui.texts import Texts
from pdgf.models import Label, PreferenceGraph


@dataclass(frozen=True, kw_only=True)
class Quoted:
    """One passage as it is shown, and the page it stands on if it has one."""

    text: str
    url: str | None


@dataclass(frozen=True, kw_only=True)
class Cell:
    """How one item stands to one wish. `through` is the other wish that the passage was found for, where the item has
    none of its own for this one; `on_path`: whether the wish lies on the path that won for the item (METHOD 7.2)."""

    index: str
    label: Label
    quotes: tuple[Quoted, ...]
    through: str
    on_path: bool


@dataclass(frozen=True, kw_only=True)
class Row:
    """One wish and its cells, one for each item."""

    wish: str
    hard: bool
    cells: tuple[Cell, ...]


def lay_out() -> Any:
    """The component of the tab, in the tab that is open."""
    return html(elem_id="evidence", js_on_load=static("matrix.js"))


def render_matrix(
    graph: PreferenceGraph,
    items: Sequence[Mapping[str, Any]],
    marks: Mapping[str, Mapping[str, str]],
    texts: Texts,
) -> str:
    """The tab: an invitation where there is nothing to compare yet."""
    rows = rows_of(graph, items, marks, texts)
    heads = [{"title": item["title"], "year": item["year"], "path": _path_in_words(graph, item)} for item in items]
    return render("matrix.html", texts, rows=rows if items else (), heads=heads)


def rows_of(
    graph: PreferenceGraph, items: Sequence[Mapping[str, Any]], marks: Mapping[str, Mapping[str, str]], texts: Texts
) -> tuple[Row, ...]:
    """A row for each wish in the order of the graph."""
    paths = [won_path(item) for item in items]
    wishes = {node.id: wish_of(node) for node in graph.nodes}
    order = graph.order or tuple(wishes)
    return tuple(
        Row(
            wish=wishes[node],
            hard=graph.node_by_id[node].hard,
            cells=tuple(
                _cell(f"{row}-{column}", item, node, marks, wishes, texts, on_path=node in paths[column])
                for column, item in enumerate(items)
            ),
        )
        for row, node in enumerate(order)
    )


def won_path(item: Mapping[str, Any]) -> tuple[str, ...]:
    """The path that won at the item's best node, root first; empty for an item without paths."""
    return tuple(max(item["paths"], key=lambda path: path["score"])["path"]) if item["paths"] else ()


def _cell(
    index: str,
    item: Mapping[str, Any],
    node: str,
    marks: Mapping[str, Mapping[str, str]],
    wishes: Mapping[str, str],
    texts: Texts,
    *,
    on_path: bool,
) -> Cell:
    label = mark_of(item, node, marks)
    own = next((entry for entry in item["evidence"] if entry["node"] == node and entry["label"] == label), None)
    entry, through = own, ""
    if entry is None and label is not Label.NOT_ADDRESSED:
        other = next((p["node"] for p in item["paths"] if p["node"] != node and p["labels"].get(node) == label), None)
        entry = next((entry for entry in item["evidence"] if entry["node"] == other), None)
        through = wishes.get(other or "", "")
    quotes = () if entry is None or label is Label.NOT_ADDRESSED else _quotes(entry, texts)
    return Cell(index=index, label=label, quotes=quotes, through=through, on_path=on_path)


def _quotes(entry: Mapping[str, Any], texts: Texts) -> tuple[Quoted, ...]:
    url = next((source["url"] for source in entry["sources"] if source["url"]), None)
    return (Quoted(text=quoted(entry["quote"], texts), url=url),) if entry["quote"] else ()


def _path_in_words(graph: PreferenceGraph, item: Mapping[str, Any]) -> str:
    return " → ".join(wish_of(graph.node_by_id[node]) for node in won_path(item) if node in graph.node_by_id)
