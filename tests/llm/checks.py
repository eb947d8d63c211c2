"""What must hold of a result whatever the model said, as complaints; computed anew from what is printed."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dialogue.domain import Domain
from dialogue.models import DialogueState, ItemRef
from dialogue.wording import sentences
from pdgf.catalogues.reading import CatalogueItem
from pdgf.constraints import fact_line
from tests.llm.product import Turn

GAMMA = 0.7
WORTH = {"SUPPORT": 1.0, "PARTIAL": 0.5, "NOT_ADDRESSED": 0.1, "CONTRADICTS": 0.0}
_QUOTED = re.compile(r"“([^”]*)”")


def of_scores(items: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """H as the best discounted path, S = ln(1 + sum of H), both from printed labels and edges (METHOD 7.2, 7.3)."""
    order = [(item["demoted"] is not None, -round(item["score"], 12)) for item in items]
    if order != sorted(order):
        yield f"out of order: {order}"
    for item in items:
        found = []
        for path in item["paths"]:
            ways = list(_ways_to(path["node"], edges))
            labels = path["labels"]
            if set(labels) != {node for way in ways for node in way}:
                yield f"{item['id']}: the labels at {path['node']} are not those of the node and its ancestors"
                return
            found.append(max(sum(WORTH[labels[node]] * GAMMA**k for k, node in enumerate(way)) for way in ways))
            if tuple(reversed(path["path"])) not in ways or not math.isclose(found[-1], path["score"], abs_tol=1e-9):
                yield f"{item['id']}: H at {path['node']} is {path['score']}, by its labels {found[-1]}"
        if not math.isclose(item["score"], math.log(1.0 + sum(found)), abs_tol=1e-9):
            yield f"{item['id']}: S is {item['score']}, by its paths {math.log(1.0 + sum(found))}"


def _ways_to(node: str, edges: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Every way from the node up to a root, the node first."""
    bases = [edge["base"] for edge in edges if edge["qualifier"] == node]
    for base in bases:
        for way in _ways_to(base, edges):
            yield (node, *way)
    if not bases:
        yield (node,)


def of_evidence(items: Sequence[Mapping[str, Any]], catalogue: Iterable[CatalogueItem]) -> Iterator[str]:
    """Every quote of an item stands word for word in each of its sources, and one that decided a label says so."""
    lines = _lines(catalogue)
    for item in items:
        for entry in item["evidence"]:
            for source in entry["sources"]:
                if entry["quote"] not in lines.get(source["id"], ""):
                    yield f"{source['id']} does not say {entry['quote']!r}"
            owners = {source["id"].partition("#")[0] for source in entry["sources"]}
            if owners != {item["id"]}:
                yield f"{item['id']} has evidence of another item: {entry['sources']}"
            [path] = [path for path in item["paths"] if path["node"] == entry["node"]]
            if path["labels"][entry["node"]] != entry["label"]:
                yield f"{item['id']}: two labels at {entry['node']}"


def of_reply(turn: Turn, catalogue: Sequence[CatalogueItem]) -> Iterator[str]:
    """What a turn quotes stands in the catalogue, that of a source in this very source."""
    lines = _lines(catalogue)
    known = [*lines.values(), *(item.title for item in catalogue)]
    for quote in _QUOTED.findall(turn.view.reply):
        if not any(quote in line for line in known):
            yield f"an invented quote: {quote!r}"
    for source in turn.view.sources:
        if source.quote not in lines.get(source.source, ""):
            yield f"{source.source} does not say {source.quote!r}"


def facts_of(catalogue: Iterable[CatalogueItem], item: str) -> set[str]:
    """The lines of metadata of one item."""
    return {fact_line(key, value) for each in catalogue if each.id == item for key, value in each.metadata.items()}


def _lines(catalogue: Iterable[CatalogueItem]) -> dict[str, str]:
    """Every text and line of metadata by the id of its source, white space made single."""
    found: dict[str, str] = {}
    for item in catalogue:
        found |= {f"{item.id}#r{number}": review.text for number, review in enumerate(item.reviews, start=1)}
        found |= {f"{item.id}#{key}": fact_line(key, value) for key, value in item.metadata.items()}
    return {source: " ".join(text.split()) for source, text in found.items()}


def of_state(
    state: DialogueState, *, said: Sequence[str], domain: Domain, catalogue: Iterable[CatalogueItem]
) -> Iterator[str]:
    """The state has its five keys, keys of the domain, words of the user at their place, items of the catalogue."""
    if DialogueState.model_validate_json(state.model_dump_json()) != state:
        yield "it does not survive being written as JSON"
    keys = {row.key for row in domain.constraint_keys}
    for key, values in [*state.hard_constraints.items(), *state.soft_constraints.items()]:
        if key not in keys or not values:
            yield f"a key of its own, or an empty one: {key}"
        for value in values:
            turn, start, end = value.span
            if not 1 <= turn <= len(said) or not value.text or said[turn - 1][start:end] != value.text:
                yield f"words that nobody said: {value}"
    items = {ItemRef(id=item.id, title=item.title, year=item.year) for item in catalogue}
    named = {*state.recommended_items, *state.rejected_items, *state.accepted_items}
    yield from (f"an item that is in no catalogue: {item}" for item in named - items)


def of_notes(turn: Turn) -> Iterator[str]:
    """Whatever the model did not do is said, nothing else is, and nothing but sentences is said."""
    notes = turn.view.notes
    yield from (f"no sentence of ours: {note!r}" for note in notes if not any(_is(key, note) for key in sentences()))
    failed = {call.prompt for call in turn.calls if call.ended in ("ModelUnreachable", "ModelRefused")}
    gave_up = any(_is("setback.engine", note) for note in notes)
    needed = failed - {"pdgf/read_graph"}  # what is read ahead of its need may fail unheard
    if (needed and not gave_up) or (gave_up and not failed):
        yield f"{sorted(failed)} failed, and the notes are {notes}"
    understanding = [call.ended for call in turn.calls if call.prompt == "dialogue/understand"]
    unreadable = any(_is("setback.understand", note) for note in notes)
    if "PromptTooLong" in understanding and not unreadable:
        yield f"the message did not fit, and the notes are {notes}"
    if unreadable and not understanding:
        yield "a reading is said to be unusable that nobody asked for"


def _is(key: str, note: str) -> bool:
    return re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+", re.escape(sentences()[key])), note, re.DOTALL) is not None
