"""The lines of a chunk: list marks, parts a line plays on a page, sentences; and what kind of page it is."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pdgf.engines.builtin.candidate_cues import KindCues, cue, is_line, is_order
from pdgf.engines.builtin.candidate_shapes import YEAR, person_like
from pdgf.texts import sentences

Span = tuple[int, int]

_PIECE = 2_000  # characters of a line that are cut into sentences at a time
_COUNT = "一二三四五六七八九十"
_NUMBER = re.compile(
    r"(?:#|№)\s?\d{1,3}\b\s?[.):、：–—-]?\s{0,3}(?=\S)"
    r"|no\.?\s?\d{1,3}\s?[.):：–—-]\s{1,3}"
    r"|\d{1,3}\s?(?:[.．](?!\d)|[)、）])\s{0,3}(?=\S)"
    r"|(?:book|film|movie|volume|part|number|week|day|pick)\s\d{1,3}\s?[:.)–—-]\s{1,3}"
    r"|\d{1,3}\s[–—-]\s{1,3}|[（(]\d{1,2}[)）]\s{0,3}(?=\S)|\d{1,2}[:：]\s{1,3}"
    rf"|第[{_COUNT}\d]{{1,3}}[名位]\s?[：:、.]?\s{{0,3}}|\d{{1,3}}位\s?[：:]?\s{{0,3}}|[{_COUNT}]{{1,3}}[、．.]\s{{0,3}}"
    r"|[①-⑳]\s{0,3}|top\s?\d{1,3}[\s:：.]{1,3}",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[-*•–—·▪●○★☆■□►▶✓✔]\s{1,3}(?=\S)|[•▪●○■□►▶・](?=\S)")
_DATED_HEAD = re.compile(rf".{{2,110}}?[(（\[]\s?{YEAR}")
_MAKER_FIRST = re.compile(
    rf"(?P<maker>[^,:：–—\n(]{{4,60}}?)(?P<mark>,\s|[:：]\s?|\s[-–—]\s)(?=(?P<title>[^\n(]{{1,90}})[(\[]\s?{YEAR})"
)
_MOST = 2 / 3  # of the dated list lines
_ENDS_SENTENCE = re.compile(r"[.。;；,，：:]$")
_DIGITS = re.compile(r"\d")


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line: offsets of its visible text in the chunk, where it starts after a list mark, its sentences."""

    start: int
    end: int
    body: int
    mark: str  # "number", "bullet" or ""
    part: str  # "text", "inside", "ends", "links", "chrome" or "order"
    heading: bool  # short and no sentence
    sentences: tuple[Span, ...]


@dataclass(frozen=True, kw_only=True)
class Page:
    """What is known of a chunk as a whole."""

    chunk: str
    lines: tuple[Line, ...]
    cues: KindCues
    lists_items: bool  # a heading announces a list of items
    lists_others: bool  # a heading announces a list of something else (tips, reasons)
    speaks: bool  # somewhere people speak of items of the wanted kind
    makers: Mapping[int, int]  # where the title begins in lines that begin with its maker, by the start of the line
    speakers: frozenset[str]  # who speaks in an interview: names that stand before a colon again and again

    def text(self, line: Line) -> str:
        """A line after its list mark."""
        return self.chunk[line.body : line.end]


def page_of(chunk: str, cues: KindCues) -> Page:
    """The lines of a chunk and what they say of the page."""
    lines = tuple(line for start, end in _line_spans(chunk) if (line := _line(chunk, start, end, cues)) is not None)
    last = next((place for place, line in enumerate(lines) if line.part == "links"), len(lines))
    headings = [chunk[line.body : line.end] for line in lines[:last] if line.heading]
    labels = Counter(
        label for line in lines if (label := chunk[line.body : line.end].partition(":")[0]) and len(label) < 40
    )
    others = [text for text in headings if cue("lists.other").search(text) and not announces(text, cues)]
    return Page(
        chunk=chunk,
        lines=lines,
        cues=cues,
        lists_items=any(announces(text, cues) for text in headings),
        lists_others=any(_DIGITS.search(text) or text.casefold().startswith("how to") for text in others),
        speaks=cues.speaks.search(chunk) is not None,
        makers=_makers(chunk, lines, colons=cues.words.fullmatch("book") is not None),
        speakers=frozenset(label.strip().casefold() for label, count in labels.items() if count > 1),
    )


def announces(text: str, cues: KindCues) -> bool:
    """Whether a line is a heading over a list of items: "The 20 best fantasy books of 2020", 治愈动画推荐."""
    return len(text) <= 110 and bool(cues.words.search(text) and cue("lists.items").search(text))


def _makers(chunk: str, lines: Sequence[Line], *, colons: bool) -> dict[int, int]:
    """Where titles begin in lines of the form "Toni Morrison – Beloved (1987)", if nearly all dated list lines of the
    page have it, with several persons and one kind of separator, and what follows is not rather the person.

    A colon parts authors from books, but Star Wars from its episodes.
    """
    dated = [line for line in lines if line.mark and _DATED_HEAD.match(chunk, line.body, line.end)]
    found: dict[str, list[tuple[int, int, str, str]]] = {}
    for line in dated:
        match = _MAKER_FIRST.match(chunk, line.body, line.end)
        if match and person_like(match["maker"]):
            kind = match["mark"].strip()[:1].replace("-", "–").replace("—", "–")
            found.setdefault(kind, []).append((line.start, match.end(), match["maker"], match["title"].strip()))
    for kind, rows in found.items():
        persons = len({maker for _, _, maker, _ in rows})
        turned = sum(person_like(title) for _, _, _, title in rows)
        if kind in ":：" and not colons:
            continue
        if persons > 1 and len(rows) >= _MOST * len(dated) and turned * 2 < len(rows):
            return {start: place for start, place, _, _ in rows}
    return {}


def sentence_spans(text: str, start: int, end: int) -> tuple[Span, ...]:
    """Half-open spans of the sentences of one line."""
    found: list[Span] = []
    while start < end:
        stop = end if end - start <= _PIECE else text.rfind(" ", start + _PIECE // 2, start + _PIECE)
        stop = stop if stop > start else start + _PIECE
        visible = [place for place in range(start, stop) if not text[place].isspace()]
        first = 0
        for sentence in sentences(text[start:stop]):
            length = len("".join(sentence.split()))
            found.append((visible[first], visible[first + length - 1] + 1))
            first += length
        start = stop
    return tuple(found)


def _line_spans(chunk: str) -> list[Span]:
    spans: list[Span] = []
    start = 0
    for text in chunk.split("\n"):
        left, right = len(text) - len(text.lstrip()), len(text.rstrip())
        if left < right:
            spans.append((start + left, start + right))
        start += len(text) + 1
    return spans


def _line(chunk: str, start: int, end: int, cues: KindCues) -> Line | None:
    number = _NUMBER.match(chunk, start, end)
    bullet = None if number else _BULLET.match(chunk, start, end)
    mark = number or bullet
    body = mark.end() if mark else start
    if body >= end:
        body, mark = start, None
    text = chunk[body:end]
    heading = len(text) <= 90 and len(text.split()) <= 14 and not _ENDS_SENTENCE.search(text)
    kinds = ("links", "ends", "inside", "chrome") if len(text) < 90 else ()
    part = next((kind for kind in kinds if is_line(text, f"lines.{kind}")), "text")
    part = "order" if is_order(text) else part
    if part == "text" and heading and text[:3].casefold() == "by " and not _DIGITS.search(text) and len(text) < 50:
        part = "chrome"
    if part == "text" and heading and not mark and announces(text, cues):
        part = "ends"
    return Line(
        start=start,
        end=end,
        body=body,
        mark=("number" if number else "bullet") if mark else "",
        part=part,
        heading=heading,
        sentences=sentence_spans(chunk, body, end),
    )
