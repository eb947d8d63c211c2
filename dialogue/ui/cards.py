"""Picks as cards: title, key facts, what each wish finds in the item, and the quotes that show it."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dialogue.ui.templates import render
from dialogue.ui.texts import Texts, counted
from pdgf.models import Label

QUOTES_SHOWN = 2
FACTS_SHOWN = 6
MARKS = (Label.SUPPORT, Label.PARTIAL, Label.CONTRADICTS, Label.NOT_ADDRESSED)  # the order a card lists them in


@dataclass(frozen=True, kw_only=True)
class Quote:
    """One verbatim quote, how it speaks of which wishes, and the page it stands on if it has one."""

    text: str
    label: Label
    wishes: tuple[str, ...]
    url: str | None


@dataclass(frozen=True, kw_only=True)
class Card:
    """Everything one card shows. `marks` pairs each label that occurs with the wishes it holds for."""

    id: str
    title: str
    name: str  # the title, with its year where another pick is called the same
    year: int | None
    rank: int
    facts: tuple[str, ...]
    marks: tuple[tuple[Label, tuple[str, ...]], ...]
    quotes: tuple[Quote, ...]
    demoted: str | None
    unknown: tuple[str, ...]
    accepted: bool


def render_cards(
    items: Sequence[Mapping[str, Any]],
    graph: Mapping[str, Any],
    facts: Sequence[str],
    accepted: Collection[str],
    texts: Texts,
) -> str:
    """The Picks tab. `items` and `graph` are those of one turn; `facts` the metadata keys to show, in order."""
    cards = cards_of(items, graph, facts, accepted, texts)
    return render("cards.html", texts, cards=cards, shown=QUOTES_SHOWN, more=lambda n: counted(texts, "more", n))


def cards_of(
    items: Sequence[Mapping[str, Any]],
    graph: Mapping[str, Any],
    facts: Sequence[str],
    accepted: Collection[str],
    texts: Texts,
) -> tuple[Card, ...]:
    """One card an item, in the order given."""
    wishes = {node["id"]: wish_text(node, texts) for node in graph.get("nodes", ())}
    titles = [item["title"] for item in items]
    return tuple(
        Card(
            id=item["id"],
            title=item["title"],
            name=_name(item, alone=titles.count(item["title"]) == 1),
            year=item.get("year"),
            rank=position,
            facts=facts_of(item.get("metadata", {}), facts, texts),
            marks=_grouped(labels_of(item, wishes), wishes),
            quotes=_quotes(item, wishes),
            demoted=item.get("demoted"),
            unknown=tuple(item.get("unknown", ())),
            accepted=item["id"] in accepted,
        )
        for position, item in enumerate(items, start=1)
    )


def wish_text(node: Mapping[str, Any], texts: Texts) -> str:
    """A node in the fewest words that say it: z, marked when it is to be avoided."""
    text = str(node.get("instantiation") or node.get("feature") or node["id"])
    return str(texts["cards"]["avoided"].format(wish=text)) if node.get("polarity") == "avoid" else text


def labels_of(item: Mapping[str, Any], wishes: Collection[str]) -> dict[str, Label]:
    """label(x_v, f_v) for each node v; where nothing was found at v the item is silent about it."""
    found = {entry["node"]: Label(entry.get("label", Label.NOT_ADDRESSED)) for entry in item.get("evidence", ())}
    return {node: found.get(node, Label.NOT_ADDRESSED) for node in wishes}


def facts_of(metadata: Mapping[str, Any], keys: Sequence[str], texts: Texts) -> tuple[str, ...]:
    """The first key facts in words: a list is joined, a yes is its name, a no and an empty value are left out."""
    facts = []
    for key in keys:
        value = metadata.get(key)
        if isinstance(value, bool):
            value = key.replace("_", " ") if value else None
        elif isinstance(value, list | tuple):
            value = ", ".join(map(str, value))
        if value not in (None, ""):
            facts.append(texts["facts"].get(key, "{value}").format(value=value))
    return tuple(facts[:FACTS_SHOWN])


def _name(item: Mapping[str, Any], *, alone: bool) -> str:
    return str(item["title"]) if alone or not item.get("year") else f"{item['title']} ({item['year']})"


def _grouped(labels: Mapping[str, Label], wishes: Mapping[str, str]) -> tuple[tuple[Label, tuple[str, ...]], ...]:
    groups: dict[Label, list[str]] = defaultdict(list)
    for node, label in labels.items():
        groups[label].append(wishes[node])
    return tuple((label, tuple(groups[label])) for label in MARKS if groups[label])


def _quotes(item: Mapping[str, Any], wishes: Mapping[str, str]) -> tuple[Quote, ...]:
    """Quotes that say something, strongest first; wishes that share a quote and a label share its entry."""
    found: dict[tuple[Label, str], list[str]] = defaultdict(list)
    addresses: dict[str, str | None] = {}
    for entry in item.get("evidence", ()):
        label = Label(entry.get("label", Label.NOT_ADDRESSED))
        if label is Label.NOT_ADDRESSED or entry["node"] not in wishes:
            continue
        found[label, entry["quote"]].append(wishes[entry["node"]])
        addresses.setdefault(entry["quote"], next((source.get("url") for source in entry.get("sources", ())), None))
    ordered = sorted(found, key=lambda key: MARKS.index(key[0]))
    return tuple(
        Quote(text=text, label=label, wishes=tuple(found[label, text]), url=addresses[text]) for label, text in ordered
    )
