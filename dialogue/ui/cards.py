"""Picks as cards: title, key facts, what each wish finds in the item, and the quotes that show it."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from dialogue import wording
from dialogue.fact_words import fact_in_chinese, key_in_chinese, value_in_chinese
from dialogue.known_names import chinese_title
from dialogue.standings import MARKS as MARK_WORDS
from dialogue.standings import wish_of
from dialogue.ui.templates import render
from dialogue.ui.texts import Texts, counted
from pdgf.constraints.metadata import said_plainly
from pdgf.glossary import has_han
from pdgf.models import Label, PreferenceGraph

FACTS_SHOWN = 6
MARKS = (Label.SUPPORT, Label.PARTIAL, Label.CONTRADICTS, Label.NOT_ADDRESSED)  # the order a card lists them in
OF_PROSE = re.compile(r"#r\d+$|://")  # a source that is prose and no line of metadata
_LABELS = {word: label for label, word in MARK_WORDS.items()}


@dataclass(frozen=True, kw_only=True)
class Quote:
    """One quote as it is shown, how it speaks of which wishes, and the page it stands on if it has one."""

    text: str
    label: Label
    wishes: tuple[str, ...]
    url: str | None


@dataclass(frozen=True, kw_only=True)
class Card:
    """Everything one card shows. `known_as` is the title by which readers of the page's language know it; `marks`
    pairs each label that occurs with the wishes it holds for."""

    id: str
    title: str
    known_as: str
    name: str  # the title, with its year where another pick is called the same
    year: int | None
    rank: int
    facts: tuple[str, ...]
    marks: tuple[tuple[Label, tuple[str, ...]], ...]
    quotes: tuple[Quote, ...]
    demoted: str | None
    unknown: tuple[str, ...]
    accepted: bool
    again: bool


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """What the cards are made from: the items of one turn and its graph, and what the state says of them."""

    graph: PreferenceGraph
    items: Sequence[Mapping[str, Any]] = ()
    facts: Sequence[str] = ()  # metadata keys to show, in order
    accepted: Collection[str] = ()
    again: Collection[str] = ()  # what an earlier list has shown
    marks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # as the turn has them
    domain: str = ""


def render_cards(shelf: Shelf, texts: Texts) -> str:
    """The Picks tab."""
    cards, seen = cards_of(shelf, texts), _seen(shelf.domain, texts)
    return render("cards.html", texts, cards=cards, quotes=partial(counted, texts, "quotes"), seen=seen)


def _seen(domain: str, texts: Texts) -> dict[str, str]:
    """How one says in a domain that a pick is known already: the word of the button, and what it says."""
    words = texts["cards"]
    if domain == "books":
        return {"word": words["seen_read"], "say": words["say_seen_read"]}
    if domain == "restaurants":
        return {"word": words["seen_been"], "say": words["say_seen_been"]}
    return {"word": words["seen"], "say": words["say_seen"]}


def cards_of(shelf: Shelf, texts: Texts) -> tuple[Card, ...]:
    """One card an item, in the order given."""
    wishes = {node.id: wish_of(node) for node in shelf.graph.nodes}
    titles = [known_as(item, texts) or item["title"] for item in shelf.items]
    return tuple(
        Card(
            id=item["id"],
            title=item["title"],
            known_as=known_as(item, texts),
            name=_name(item, title, alone=titles.count(title) == 1),
            year=item["year"],
            rank=position,
            facts=facts_of(item["metadata"], shelf.facts, texts),
            marks=_grouped({node: mark_of(item, node, shelf.marks) for node in wishes}, wishes),
            quotes=_quotes(item, wishes, texts),
            demoted=_reason(item["demoted"], texts),
            unknown=tuple(item["unknown"]),
            accepted=item["id"] in shelf.accepted,
            again=item["id"] in shelf.again,
        )
        for position, (item, title) in enumerate(zip(shelf.items, titles, strict=True), start=1)
    )


def known_as(item: Mapping[str, Any], texts: Texts) -> str:
    """The title by which readers of the page's language know an item; empty where it is the item's own."""
    name = chinese_title(item.get("metadata", {})) if _chinese(texts) else ""
    return "" if name == item["title"] else name


def label_of(item: Mapping[str, Any], node: str) -> Label:
    """How an item stands to f_v: by its own record at v, or else by the best that another record says of v.

    The same rule that words the reply, so that text and card never disagree.
    """
    own = next((Label(entry["label"]) for entry in item["evidence"] if entry["node"] == node), Label.NOT_ADDRESSED)
    if own is not Label.NOT_ADDRESSED:
        return own
    others = {path["labels"].get(node) for path in item["paths"] if path["node"] != node}
    return next((label for label in (Label.SUPPORT, Label.PARTIAL) if label in others), Label.NOT_ADDRESSED)


def mark_of(item: Mapping[str, Any], node: str, marks: Mapping[str, Mapping[str, str]]) -> Label:
    """How an item stands to a wish as the turn says it, or else by its labels."""
    word = marks.get(str(item["id"]), {}).get(node)
    return _LABELS[word] if word in _LABELS else label_of(item, node)


def quoted(text: str, texts: Texts) -> str:
    """A quote word for word between marks; on the Chinese page a line of metadata is told in Chinese instead."""
    return (fact_in_chinese(text) if _chinese(texts) else None) or f"“{text}”"


def facts_of(metadata: Mapping[str, Any], keys: Sequence[str], texts: Texts) -> tuple[str, ...]:
    """The first key facts in words: a list is joined, a yes is its name, a no and an empty value are left out."""
    words, facts = texts["facts"], []
    for key in keys:
        value = metadata.get(key)
        said = value if isinstance(value, bool) else said_plainly(value) if value is not None else None
        if said is not None:
            value = _key_name(key, texts) if said else None
        elif isinstance(value, list | tuple):
            value = words["comma"].join(_value(key, str(each), texts) for each in value)
        elif isinstance(value, str):
            value = _value(key, value, texts)
        if value not in (None, ""):
            form = words.get(f"{key}_{value}") or words.get(key) or _form(key, value, texts)
            facts.append(form.format(value=value))
    return tuple(facts[:FACTS_SHOWN])


def _form(key: str, value: object, texts: Texts) -> str:
    """How a value is shown that we have no words for: under the name of its key where it says nothing alone ("2-4")."""
    if any(character.isalpha() for character in str(value)):
        return "{value}"
    name = _key_name(key, texts).replace("{", "{{").replace("}", "}}")
    return f"{name[:1].upper()}{name[1:]}{'：' if _chinese(texts) else ': '}{{value}}"


def _chinese(texts: Texts) -> bool:
    return bool(texts["page"]["language"] == wording.CHINESE)


def _key_name(key: str, texts: Texts) -> str:
    return key_in_chinese(key) if _chinese(texts) else key.replace("_", " ")


def _value(key: str, value: str, texts: Texts) -> str:
    return value_in_chinese(key, value) if _chinese(texts) else value


def _reason(demoted: str | None, texts: Texts) -> str | None:
    """Why an item is listed last, in the language of the page."""
    if not demoted or not _chinese(texts):
        return demoted
    with wording.speaking(texts["page"]["language"]):
        return wording.reason(demoted)


def _name(item: Mapping[str, Any], title: str, *, alone: bool) -> str:
    return title if alone or not item["year"] else f"{title} ({item['year']})"


def _grouped(labels: Mapping[str, Label], wishes: Mapping[str, str]) -> tuple[tuple[Label, tuple[str, ...]], ...]:
    groups: dict[Label, list[str]] = defaultdict(list)
    for node, label in labels.items():
        groups[label].append(wishes[node])
    return tuple((label, tuple(groups[label])) for label in MARKS if groups[label])


def _quotes(item: Mapping[str, Any], wishes: Mapping[str, str], texts: Texts) -> tuple[Quote, ...]:
    """Quotes that say something, strongest first, of equal ones prose before facts; wishes that share a quote and a
    label share its entry. On the Chinese page a line of metadata is told in Chinese, and what is Chinese is first."""
    found: dict[tuple[Label, str], list[str]] = defaultdict(list)
    addresses: dict[str, str | None] = {}
    written: set[str] = set()
    for entry in item["evidence"]:
        label = Label(entry["label"])
        if label is Label.NOT_ADDRESSED or entry["node"] not in wishes:
            continue
        found[label, entry["quote"]].append(wishes[entry["node"]])
        addresses.setdefault(entry["quote"], next((source["url"] for source in entry["sources"]), None))
        if any(OF_PROSE.search(source["id"]) for source in entry["sources"]):
            written.add(entry["quote"])
    shown = {text: quoted(text, texts) for text in addresses}
    foreign = {text for text in addresses if _chinese(texts) and not has_han(shown[text])}
    ordered = sorted(found, key=lambda key: (MARKS.index(key[0]), key[1] in foreign, key[1] not in written))
    return tuple(
        Quote(
            text=shown[text],
            label=label,
            wishes=tuple(found[label, text]),
            url=addresses[text],
        )
        for label, text in ordered
    )
