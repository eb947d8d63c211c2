"""The preference graph as an SVG made on the server, with a form for each wish. Pure; no browser needed."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from dialogue.edits import LONGEST
from dialogue.ui.cards import label_of, quoted
from dialogue.ui.layered import Edge, Point, layout
from dialogue.ui.templates import render
from dialogue.ui.texts import Texts, counted
from pdgf.models import Label, Node, Polarity, PreferenceGraph, normalised

BOX_WIDTH = 142.0  # pixels: four beside one another fit the wide page
PADDING = 13.0  # pixels inside a box
CAPTION = 20.0  # pixels for the line that says what kind of wish it is
LINE = 19.0  # pixels from line to line
FONT = 15.0  # pixels; the style sheet uses the same, here and in the next line
CAPTION_FONT = 13.5  # pixels
LEGIBLE = 12.0  # pixels: the smallest letters that the drawing may come to
SMALLEST = LEGIBLE / CAPTION_FONT  # how far the whole may shrink to fit the screen; beyond that it scrolls
CAPTION_AT = PADDING + 10.0  # pixels to the base line of the caption
FIRST_LINE = PADDING + CAPTION + 14.0  # pixels to that of the text below it
LINES_SHOWN = 5
EVIDENCE_SHOWN = 5
SPEAKING = (Label.SUPPORT, Label.PARTIAL, Label.CONTRADICTS)


@dataclass(frozen=True, kw_only=True)
class News:
    """What the last turn changed: node ids that are new and that became a must or none, and the words of those gone.
    `along` is the sentence of what an edit by hand has changed beside its own wish."""

    added: Sequence[str] = ()
    changed: Sequence[str] = ()
    gone: Sequence[str] = ()
    along: str = ""


@dataclass(frozen=True, kw_only=True)
class WhatIf:
    """What the list would be without one wish: titles that would come in and go out. `certain` is False where the
    answer may change once more is compared. `also` holds for each edit of the wish the sentence of what it would change
    beside."""

    node: str
    enters: Sequence[str]
    leaves: Sequence[str]
    certain: bool
    also: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Box:
    """One wish as drawn. `kind` is want or avoid; `news` is "new", "changed" or nothing; `lines` is the wrapped text,
    each line with its base line in y."""

    id: str
    index: int
    x: float
    y: float
    height: float
    kind: str
    hard: bool
    news: str
    caption: str
    lines: tuple[tuple[float, str], ...]
    text: str


@dataclass(frozen=True, kw_only=True)
class Detail:
    """The form for one wish. `said` counts the picks of which anything speaks for or against it; what stands `beside`
    it was said in one breath."""

    id: str
    index: int
    hard: bool
    avoid: bool
    said: int
    caption: str
    text: str
    feature: str
    words: str
    beside: tuple[str, ...]
    narrows: tuple[str, ...]
    narrowed_by: tuple[str, ...]
    evidence: tuple[tuple[str, Label, str], ...]  # title, label, quote


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """Boxes, the outlines of the arrows, and the size of the whole in pixels."""

    boxes: tuple[Box, ...]
    arrows: tuple[str, ...]
    width: float
    height: float


def render_graph(
    graph: PreferenceGraph,
    news: News,
    items: Sequence[Mapping[str, Any]],
    texts: Texts,
    what_if: WhatIf | None = None,
    limits: Sequence[str] = (),
) -> str:
    """The Graph tab: drawing, legend and forms; an invitation where there is no graph yet. `limits` are wishes that
    count and have no place in the drawing."""
    if not graph.nodes:
        return render("graph.html", texts, drawing=None)
    drawing, details = draw(graph, news, texts), details_of(graph, items, texts)
    sizes = {"box_width": BOX_WIDTH, "padding": PADDING, "caption_at": CAPTION_AT, "smallest": SMALLEST}
    said = {"told": announced(news, what_if, texts), "gone": news.gone, "along": news.along, "what_if": what_if}
    told = {**said, "picks": len(items), "counted": partial(counted, texts), "longest": LONGEST, "limits": limits}
    return render("graph.html", texts, drawing=drawing, details=details, **sizes, **told)


def announced(news: News, what_if: WhatIf | None, texts: Texts) -> str:
    """What a screen reader is told when the tab is drawn anew: what would change, where that was asked, or the news."""
    words, comma = texts["graph"], texts["facts"]["comma"]
    if what_if:
        lists = {"enters": what_if.enters, "leaves": what_if.leaves}
        said = [words[key].format(titles=comma.join(titles)) for key, titles in lists.items() if titles]
        return " ".join([*what_if.also, *(said or [words["same_list"]])])
    gone = words["gone"].format(wishes=comma.join(news.gone)) if news.gone else ""
    counts = {"told_new": len(news.added), "told_changed": len(news.changed)}
    drawn = [words[key].format(count=count) for key, count in counts.items() if count]
    return " ".join(filter(None, [gone, news.along, *drawn]))


def draw(graph: PreferenceGraph, news: News, texts: Texts) -> Drawing:
    """Place every node. Raises ValueError when the edges hold a cycle."""
    lines = {node.id: wrapped(node.instantiation, BOX_WIDTH - 2 * PADDING, FONT, LINES_SHOWN) for node in graph.nodes}
    heights = {node: 2 * PADDING + CAPTION + LINE * len(wrap) for node, wrap in lines.items()}
    edges: list[Edge] = [edge.ends for edge in graph.edges]
    placed = layout(heights, BOX_WIDTH, edges)
    boxes = tuple(
        Box(
            id=node.id,
            index=index,
            x=placed.corners[node.id][0],
            y=placed.corners[node.id][1],
            height=heights[node.id],
            kind=node.polarity.value,
            hard=node.hard,
            news="new" if node.id in news.added else "changed" if node.id in news.changed else "",
            caption=_caption(node, texts),
            lines=tuple((FIRST_LINE + LINE * row, line) for row, line in enumerate(lines[node.id])),
            text=node.instantiation,
        )
        for index, node in enumerate(graph.nodes)
    )
    arrows = tuple(_outline(placed.routes[edge]) for edge in edges)
    return Drawing(boxes=boxes, arrows=arrows, width=placed.width, height=placed.height)


def details_of(graph: PreferenceGraph, items: Sequence[Mapping[str, Any]], texts: Texts) -> tuple[Detail, ...]:
    """For each node: f_v, the words it was read from, its neighbours, and what the shown items say about it."""
    named = {node.id: node.instantiation for node in graph.nodes}
    return tuple(
        Detail(
            id=node.id,
            index=index,
            hard=node.hard,
            avoid=node.polarity is Polarity.AVOID,
            said=sum(label_of(item, node.id) in SPEAKING for item in items),
            caption=_caption(node, texts),
            text=node.instantiation,
            feature="" if normalised(node.feature.rstrip(".。")) == normalised(node.instantiation) else node.feature,
            words=graph.narrative[slice(*node.span)].strip(),
            beside=_beside(node, graph),
            narrows=tuple(named[edge.base] for edge in graph.edges if edge.qualifier == node.id),
            narrowed_by=tuple(named[edge.qualifier] for edge in graph.edges if edge.base == node.id),
            evidence=_evidence(node.id, items, texts),
        )
        for index, node in enumerate(graph.nodes)
    )


def _beside(node: Node, graph: PreferenceGraph) -> tuple[str, ...]:
    """The wishes that were read from the same words, as far as no arrows lead from one to the other."""
    joined, before = {node.id}, set[str]()
    while joined != before:
        before, ends = joined, [edge.ends for edge in graph.edges]
        joined = joined.union(*(pair for pair in ends if joined.intersection(pair)))
    return tuple(row.instantiation for row in graph.nodes if row.atom == node.atom and row.id not in joined)


def wrapped(text: str, width: float, font: float, most: int) -> tuple[str, ...]:
    """Break a text into at most `most` lines of `width` pixels; what does not fit ends in an ellipsis."""
    lines: list[str] = [""]
    for word in _pieces(text, width, font):
        joined = f"{lines[-1]} {word}".strip()
        if text_width(joined, font) <= width:
            lines[-1] = joined
        else:
            lines.append(word)
    if len(lines) > most:
        last = " ".join(lines[most - 1 :])
        while last and text_width(last + "…", font) > width:
            last = last[:-1]
        lines = [*lines[: most - 1], last.rstrip() + "…"]
    return tuple(lines)


def text_width(text: str, font: float) -> float:
    """About how wide a text is in pixels, rather too wide than too narrow."""
    return font * sum(map(_em, text))


def _em(sign: str) -> float:
    """The width of one sign in the page's font, in parts of the font size; a full one for CJK."""
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.0
    if sign in "mwMW@%—…":
        return 0.86
    return 0.3 if sign in "ijltfr.,:;'|!()[]· " else 0.6 if sign.isupper() else 0.52


def _pieces(text: str, width: float, font: float) -> list[str]:
    """The words of a text; a word that is wider than a line is cut."""
    pieces = []
    for word in text.split():
        start = 0
        for end in range(1, len(word) + 1):
            if text_width(word[start:end], font) > width:
                pieces.append(word[start : end - 1])
                start = end - 1
        pieces.append(word[start:])
    return pieces


def _caption(node: Node, texts: Texts) -> str:
    """Whether it is wanted or to be avoided, and whether it is a must: what it is about, its own words say better than
    a kind that was read from them."""
    kind = ("must_" if node.hard else "") + ("avoid" if node.polarity is Polarity.AVOID else "want")
    return str(texts["graph"]["kinds"][kind])


def _evidence(node: str, items: Sequence[Mapping[str, Any]], texts: Texts) -> tuple[tuple[str, Label, str], ...]:
    rows = []
    for item in items:
        own = (entry["quote"] for entry in item["evidence"] if entry["node"] == node and entry["label"] in SPEAKING)
        quote = next(own, "")
        rows.append((str(item["title"]), label_of(item, node), quote and quoted(quote, texts)))
    return tuple(rows[:EVIDENCE_SHOWN])


def _outline(route: Sequence[Point]) -> str:
    """An SVG path: a level line through a column passed, a soft curve from column to column."""
    (x, y), *rest = route
    steps = [f"M{x:.1f} {y:.1f}"]
    for index, (to_x, to_y) in enumerate(rest):
        if index % 2:
            steps.append(f"H{to_x:.1f}")
        else:
            bend = (x + to_x) / 2
            steps.append(f"C{bend:.1f} {y:.1f} {bend:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    return "".join(steps)
