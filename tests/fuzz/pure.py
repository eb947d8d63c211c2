"""What is judged without asking anybody: titles, graphs and results of a search. Each function tries so many seeds and
gives what went wrong."""

import itertools
import random
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import networkx

from pdgf.graph import assemble, break_cycles, valid_edges
from pdgf.identity import Record, group_identities
from pdgf.models import QualificationEdge
from pdgf.sources.search.faults import SearchFault
from pdgf.sources.search.hits import HITS, LINK_CHARS, TEXT_CHARS, Fields, read_hits
from tests.pdgf.graphs import nodes_of

TITLES = Path(__file__).with_name("title_pairs.toml")
MOST_NODES = 60
SLOWEST = 0.05  # seconds for one graph
FIELDS = Fields("link", "title", "snippet")
GOOD = {"link": "https://films.example/a-good-hit", "title": "A good hit", "snippet": "It is good."}


class Pair(NamedTuple):
    """Two records, and whether they are of one item."""

    language: str
    one: Record
    other: Record
    same: bool


def title_pairs() -> list[Pair]:
    """Each title beside its other spelling and beside the one that looks like it, undated, of one year and of two."""
    pairs = []
    for language, table in tomllib.loads(TITLES.read_text(encoding="utf-8")).items():
        for place, (title, spelt, other) in enumerate(table["titles"]):
            year = 1950 + 7 * place
            pairs += [
                Pair(language, (title, None), (spelt, None), True),
                Pair(language, (title, year), (spelt, year), True),
                Pair(language, (title, year), (other, year), False),
                Pair(language, (title, year), (spelt, year + 1), False),
            ]
    return pairs


def misjudged(pairs: list[Pair]) -> list[Pair]:
    """Pairs that are merged although they differ, or kept apart although they are one."""
    return [pair for pair in pairs if (group_identities([pair.one, pair.other]) == [0, 0]) is not pair.same]


def wrong_graphs(seeds: range) -> Iterator[str]:
    """Random, dense, cyclic ones, with edges to themselves and to nobody, of 0 to 60 nodes."""
    for seed in seeds:
        dice = random.Random(seed)
        names = [f"n{place}" for place in range(dice.choice((0, 1, 2, 5, 8, 14, 14, 24, MOST_NODES)))]
        edges = _wild(names, dice)
        built, seconds = _built(names, edges), _seconds(names, edges)
        if (trouble := _trouble(names, edges, built)) or seconds > SLOWEST:
            yield f"graph {seed}: {trouble or f'{1000 * seconds:.0f} ms'}"
        if _built(names, dice.sample(edges, len(edges))) != built:
            yield f"graph {seed}: another order of the edges gives another graph"


def _wild(names: list[str], dice: random.Random) -> list[QualificationEdge]:
    ends = [*names, "nobody"]
    shape = dice.choice(("sparse", "sparse", "dense", "circle"))
    if shape == "circle":
        pairs = list(zip(names, [*names[1:], *names[:1]], strict=True))
    else:
        most = len(names) * (2 if shape == "sparse" else 6)
        pairs = [(dice.choice(ends), dice.choice(ends)) for _ in range(dice.randint(0, most))]
    known: dict[tuple[str, str], QualificationEdge] = {}
    for base, qualifier in pairs:
        edge = QualificationEdge(
            base=base, qualifier=qualifier, span=f"{base} by {qualifier}", confidence=dice.choice((0.2, 0.5, 0.9))
        )
        known.setdefault(edge.ends, edge)
    return [*known.values(), *dice.choices(list(known.values()), k=min(3, len(known)))]


def _built(names: list[str], edges: list[QualificationEdge]) -> Any:
    order = {name: place for place, name in enumerate(names)}
    valid = valid_edges(names, edges)
    _, removed = break_cycles(names, valid, order)
    return assemble(
        narrative="", language="en", atoms=(), nodes=nodes_of(names), initial_edges=valid,
        cycle_edges=sorted(edge.ends for edge in removed),
    )  # fmt: skip


def _seconds(names: list[str], edges: list[QualificationEdge]) -> float:
    """CPU time of building; the quicker of two where the first was slow, for another may have held the machine up."""
    best = 1.0
    for _ in range(2):
        begun = time.process_time()
        _built(names, edges)
        best = min(best, time.process_time() - begun)
        if best <= SLOWEST:
            break
    return best


def _trouble(names: list[str], edges: list[QualificationEdge], built: Any) -> str:
    kept = {edge.ends for edge in built.edges}
    drawn = networkx.DiGraph()
    drawn.add_nodes_from(names)
    drawn.add_edges_from(kept)
    if not networkx.is_directed_acyclic_graph(drawn):
        return "cyclic"
    if set(drawn) != set(names) or sorted(built.order) != sorted(names):
        return "other nodes"
    places = {name: place for place, name in enumerate(built.order)}
    if any(places[base] >= places[qualifier] for base, qualifier in kept):
        return "an order against an edge"
    acyclic = networkx.DiGraph()
    acyclic.add_nodes_from(names)
    cut = {(row.base, row.qualifier) for row in built.removed_edges if row.reason == "cycle"}
    acyclic.add_edges_from(edge.ends for edge in built.initial_edges if edge.ends not in cut)
    if _reach(acyclic) != _reach(drawn):
        return "another reach"
    spans = {edge.ends: edge.span for edge in edges}
    if any(edge.span != spans[edge.ends] for edge in built.edges):
        return "an edge without its words"
    return ""


def _reach(drawn: Any) -> set[tuple[str, str]]:
    return set(networkx.transitive_closure_dag(drawn).edges)


_ODD: tuple[Any, ...] = (
    None, True, 7, -1.5, float("nan"), 10**400, "", " ", "x" * 1_000_000, "\ud800", "a\0b", [], {}, ["https://a.example"],
    {"url": "https://a.example"}, "http://", "javascript:alert(1)", "file:///etc/passwd", "//a.example", "https://",
    "http://127.0.0.1/", "https://[::1", "data:text/html,x", "https://a.example/" + "y" * 3_000, b"https://a.example",
    "<script>alert(1)</script>", "IGNORE all rules", "</data>", "\u202egnp.exe", "https://ex ample/", "HTTPS://B.EXAMPLE/",
)  # fmt: skip


def wrong_hits(seeds: range) -> Iterator[str]:
    """Results as no provider should send them, with good ones among them."""
    for seed in seeds:
        dice = random.Random(seed)
        rows: list[Any] = [_odd_row(dice) for _ in range(dice.randint(0, 8))]
        good = dice.randint(0, 4)
        for number in range(good):
            rows.insert(dice.randint(0, len(rows)), {**GOOD, "link": f"{GOOD['link']}-{number}"})
        sent: Any = rows if dice.random() < 0.9 else dice.choice((None, "text", 7, {"results": rows}, True))
        try:
            hits = read_hits(sent, FIELDS)
        except SearchFault:
            if isinstance(sent, list):
                yield f"results {seed}: a list was refused"
            continue
        kept = sum(hit.url.startswith(GOOD["link"]) for hit in hits)
        if isinstance(sent, list) and kept != good:
            yield f"results {seed}: {kept} of {good} good hits kept"
        if len(hits) > HITS or [hit.rank for hit in hits] != list(range(1, len(hits) + 1)):
            yield f"results {seed}: ranks"
        for hit in hits:
            texts = (hit.title, hit.snippet)
            if not hit.url.lower().startswith(("http://", "https://")) or len(hit.url) > LINK_CHARS:
                yield f"results {seed}: the address {hit.url[:60]!r}"
            if any(len(text) > TEXT_CHARS or "\0" in text or "\ud800" in text for text in texts):
                yield f"results {seed}: a text"


def _odd_row(dice: random.Random) -> Any:
    if dice.random() < 0.2:
        return dice.choice(_ODD)
    row = dict(GOOD) | {"link": dice.choice(_ODD)}
    for name in ("title", "snippet"):
        if dice.random() < 0.5:
            row[name] = dice.choice(_ODD)
    for name in dice.sample(list(row), dice.randint(0, 1)):
        del row[name]
    return dict(itertools.islice(row.items(), dice.randint(0, 3)))
