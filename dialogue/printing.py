"""What the command line prints for people: plain text from the same objects that --json prints."""

from collections.abc import Mapping
from typing import Any

from dialogue.models import TurnView
from pdgf.models import Label

_MARKS = {
    Label.SUPPORT.value: "+",
    Label.PARTIAL.value: "~",
    Label.CONTRADICTS.value: "-",
    Label.NOT_ADDRESSED.value: " ",
}


def graph_text(printed: Mapping[str, Any]) -> str:
    """Wishes with what they qualify, then the queries."""
    names = {node["id"]: _wish(node) for node in printed["nodes"]}
    by_id = {node["id"]: node for node in printed["nodes"]}
    lines = ["Wishes, most basic first:"]
    for node_id in printed["order"]:
        node = by_id[node_id]
        bases = [names[edge["base"]] for edge in printed["edges"] if edge["qualifier"] == node_id]
        tail = f"   <- qualifies {', '.join(bases)}" if bases else ""
        lines.append(f"  {names[node_id]} ({node['perspective']}{', must hold' if node['hard'] else ''}){tail}")
    for row in printed["excluded_titles"]:
        lines.append(f"  named, so not recommended: {_titled(row)}")
    notes = [f"  note: {note}" for note in printed.get("notes", ())]
    return "\n".join([*lines, "", "Queries:", *(f"  {query['text']}" for query in printed["queries"]), *notes])


def recommendation_text(printed: Mapping[str, Any]) -> str:
    """The ranked list with one line a wish: + supports, ~ partly, - contradicts."""
    graph = printed["graph"]
    names = {node["id"]: _wish(node) for node in graph["nodes"]}
    lines: list[str] = []
    for item in printed["items"]:
        lines.append(f"{item['rank']}. {_titled(item)}   score {item['score']:.3f}")
        if item["demoted"]:
            lines.append(f"     listed last: {item['demoted']}")
        for evidence in item["evidence"]:
            if evidence["label"] != Label.NOT_ADDRESSED.value:
                lines.append(f"   {_MARKS[evidence['label']]} {names[evidence['node']]}: “{evidence['quote']}”")
    lines += [f"   note: {note}" for note in printed.get("notes", ())]
    lines.append(f"\n{printed['pool']} candidates, {printed['usage']['comparisons']} comparisons, "
                 f"{printed['usage']['seconds']:.2f} s")  # fmt: skip
    return "\n".join(lines)


def turn_text(view: TurnView) -> str:
    """The reply of a turn, with what may be said next."""
    hints = "".join(f"\n  > {suggestion}" for suggestion in view.suggestions)
    notes = "".join(f"\n({note})" for note in view.notes)
    return f"{view.reply}{notes}{hints}\n"


def index_text(printed: Mapping[str, Any]) -> str:
    """What was read, what was refused and why, and which keys wishes can be checked against."""
    lines = [f"{printed['name']}: {printed['items']} items, {printed['reviews']} reviews."]
    lines += [f"  refused line {row['line']}: {row['why']}" for row in printed["refused"]]
    more = printed.get("refused_rows", 0) - len(printed["refused"])
    lines += [f"  and {more:,} more"] if more > 0 else []
    lines.append(f"Wishes can be checked against: {', '.join(printed['constraint_keys']) or 'nothing'}.")
    lines += [f"  {key}: {read_as}" for key, read_as in printed.get("read_as", {}).items()]
    lines.append(f'Try: pdgf recommend --domain {printed["name"]} "..."')
    return "\n".join(lines)


def doctor_text(printed: Mapping[str, Any]) -> str:
    """One line a finding."""
    return "\n".join(f"{'ok  ' if row['ok'] else 'FAIL'}  {row['what']}: {row['said']}" for row in printed["findings"])


def copied_text(printed: Mapping[str, Any]) -> str:
    """What came along to the database."""
    lines = [f"{printed['copied']:,} conversations and {printed['seen']:,} known titles were copied."]
    if printed["there"]:
        lines.append(f"{printed['there']:,} conversations of the same name were there already and stay as they are.")
    if printed["renewed"]:
        lines.append(f"{printed['renewed']:,} conversations were there already and got the turns said since.")
    if printed["apart"]:
        lines.append(
            f"{printed['apart']:,} conversations went on both in the data folder and in the database, or are not the "
            "same: the database keeps its own, and the turns of the folder stay in its files."
        )
    if printed["damaged"]:
        lines.append(f"{printed['damaged']:,} conversations are damaged and were left out.")
    if not printed["found_by_browsers"]:
        lines.append(
            "The database was in use before, so browsers that began these conversations will not find them there."
        )
    return "\n".join(lines)


def _wish(node: Mapping[str, Any]) -> str:
    return f"no {node['instantiation']}" if node["polarity"] == "avoid" else str(node["instantiation"])


def _titled(row: Mapping[str, Any]) -> str:
    return f"{row['title']} ({row['year']})" if row["year"] else str(row["title"])
