"""Titles that a line of its own names without a year: list lines, headings, reviews, table cells.

Such a line names an item only where something bears it out: a list of items announced above, words about items below,
a maker beside it, or the title again in the text under it.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pdgf.engines.builtin.candidate_cues import cue, is_line, words
from pdgf.engines.builtin.candidate_lines import Line, Page, Span, announces
from pdgf.engines.builtin.candidate_mentions import Mention, Mentions
from pdgf.engines.builtin.candidate_shapes import (
    has_cjk,
    is_capital,
    never_title,
    persons_like,
    title_like,
    trimmed,
)
from pdgf.engines.builtin.candidate_years import labelled_year, year_cell
from pdgf.identity import name_key

_MORE = 4  # columns with names of no list that a table may have
_BELOW = 3  # lines under a heading that may bear it out
_SEPARATOR = re.compile(
    r"\s[–—―|-]{1,2}\s|[:：]\s?|——|,?\s(?:written\s|directed\s)?by\s(?=[A-Z])|\s?[（(\[【]|,\s(?:dir|directed|starring)\b|\s/\s"
)
_AFTER_MAKER = re.compile(r"\s?[(|–—]")
_BY = re.compile(r",?\sby\s")
_REVIEW_BEFORE = re.compile(r"(?:(?:book|film|movie|anime|restaurant|tv|series)\s)?review\s?[:–—|-]\s?", re.IGNORECASE)
_REVIEW_AFTER = re.compile(
    r"\s?[:–—|-]?\s?(?:(?:a|my|book|film|movie|anime|restaurant|spoiler-free)\s){0,2}review(?:\s?[:–—|-].{0,60})?$|\s?(?:影评|书评|观后感|读后感|评测)$",
    re.IGNORECASE,
)


def head_mentions(mentions: Mentions) -> None:
    """Add the items that whole lines name without a year."""
    page, lines = mentions.page, mentions.lines
    one_item = not page.lists_items and any(_reviewed(page, line) is not None for line in lines[:6])
    for place, line in enumerate(lines):
        span = _reviewed(page, line)
        if span is None and line.part == "text" and mentions.free(line.body, line.end):
            span = _head(page, lines, place, one_item=one_item)
        if span is not None:
            mentions.add(Mention(start=span[0], end=span[1], reach=span[1], owns=True))


def row_mentions(mentions: Mentions) -> None:
    """Add the title cells of tables: under a row of column names, or beside a cell that is a year."""
    page, lines = mentions.page, mentions.lines
    texts = [page.chunk[line.start : line.end] for line in lines]
    read: set[int] = set()
    place = 0
    while place < len(lines):
        width = _columns_at(texts, place)
        if width < 2 or not any(is_line(text, "lines.title_columns") for text in texts[place : place + width]):
            place += 1
            continue
        header, place = place, _read_rows(mentions, texts, place, width)
        mentions.breaks.update(line.start for line in lines[place : place + 1])
        read.update(range(header, place))
    for number, (text, following) in enumerate(pairwise(texts)):
        year = year_cell(following) if number not in read else None
        if year is not None and _cell_title(page, lines[number], text):
            _add_cell(mentions, lines[number], year)


def with_label_years(mentions: Mentions) -> None:
    """Give an item the year that a labelled line under its heading states."""
    chunk, lines = mentions.page.chunk, mentions.lines
    owning: Mention | None = None
    for place, line in enumerate(lines):
        first = mentions.first_in(line.start, line.end)
        if first is not None and first.owns:
            owning = first
        elif line.part in ("ends", "links"):
            owning = None
        if owning is None or owning.year is not None:
            continue
        following = chunk[lines[place + 1].start : lines[place + 1].end] if place + 1 < len(lines) else ""
        year = labelled_year(chunk[line.body : line.end], following)
        if year is not None:
            owning = replace(owning, year=year)
            mentions.change(owning)


def with_subject(mentions: Mentions) -> None:
    """Make the item that a page is all about own its lines: the one its first heading names, or the only one named
    again and again, unless the page lists items or names others as often."""
    chunk, found, lines = mentions.page.chunk, mentions.found(), mentions.lines
    if not found or mentions.page.lists_items or any(m.owns for m in found):
        return
    keys = [name_key(chunk[m.start : m.end]) for m in found]
    counts = Counter(keys)
    own = counts[keys[0]]
    years = {m.year for m, key in zip(found, keys, strict=True) if m.year is not None and key == keys[0]}
    named = lines[0].heading and found[0].start < lines[0].end
    if len(years) < 2 and own > len(found) - own and (named or (own > 1 and len(counts) == 1)):
        mentions.change(replace(found[0], owns=True))


def _read_rows(mentions: Mentions, texts: list[str], header: int, width: int) -> int:
    """Read the rows under a header of `width` columns; the place after the table."""
    lines, names = mentions.lines, texts[header : header + width]
    title = next(n for n, name in enumerate(names) if is_line(name, "lines.title_columns"))
    dated = next((n for n, name in enumerate(names) if is_line(name, "lines.years")), None)
    dull = [n for n, name in enumerate(names) if n != title and is_line(name, "lines.columns")]
    place = header + width
    while place + title < len(lines):
        end = place + width
        year = year_cell(texts[place + dated]) if dated is not None and place + dated < len(texts) else None
        if dated is not None and year is None:  # a cell was empty and is no line: find the row by the next year
            after = next((n for n in range(place, min(end + width, len(texts))) if year_cell(texts[n])), None)
            if after is None:
                return place
            end, year, place = after - dated + width, year_cell(texts[after]), max(place, after - dated)
        else:
            mentions.values.update(lines[place + n].start for n in dull if place + n < len(lines))
        line, text = lines[place + title], texts[place + title]
        if len(text) > 90 or line.part in ("ends", "links") or (text[-1:] in ".。" and len(text) > 40):
            return place
        if not never_title(text):
            _add_cell(mentions, line, year)
            mentions.told[line.start] = tuple(zip(names, texts[place:end], strict=False))
        place = max(end, place + 1)
    return place


def _add_cell(mentions: Mentions, line: Line, year: int | None) -> None:
    """The title of a cell; a mention that is there already learns that the row is about it."""
    found = mentions.first_in(line.start, line.end)
    if found is not None:
        mentions.change(replace(found, year=found.year or year, owns=True))
        return
    span = trimmed(mentions.page.chunk, line.body, line.end)
    if span is not None:
        mentions.add(Mention(start=span[0], end=span[1], reach=span[1], year=year, owns=True))


def _cell_title(page: Page, line: Line, text: str) -> bool:
    plain = line.heading and title_like(text) and not never_title(text) and not announces(text, page.cues)
    return plain and year_cell(text) is None


def _columns_at(texts: Sequence[str], place: int) -> int:
    width = 0
    while place + width < len(texts) and width < 12 and _is_column(texts[place + width]):
        width += 1
    # Columns of other names may follow: where the cells of a column of numbers stand shows how long a row is
    counted = next((n for n in range(width) if is_line(texts[place + n], "lines.numbers")), None)
    if counted is None:
        return width
    below = range(place + width, min(place + 5 * _MORE + 2 * width, len(texts)))
    numbers = [n for n in below if texts[n].isdecimal()][:2]
    period = numbers[1] - numbers[0] if len(numbers) == 2 else 0
    fits = width < period <= width + _MORE and numbers[0] == place + period + counted
    return period if fits else width


def _is_column(text: str) -> bool:
    return len(text) < 40 and any(is_line(text, f"lines.{kind}") for kind in ("columns", "remarks", "title_columns"))


def _reviewed(page: Page, line: Line) -> Span | None:
    """The item of a heading "Review: ..." or "... review"."""
    if not line.heading or line.mark:
        return None
    text = page.text(line)
    before = _REVIEW_BEFORE.match(text)
    after = _REVIEW_AFTER.search(text[before.end() if before else 0 :])
    if before is None and after is None:
        return None
    start = line.body + (before.end() if before else 0)
    end = line.end - len(after[0]) if after else line.end
    head = page.chunk[start:end]
    separator = _SEPARATOR.search(head)
    if separator and not title_like(head):
        head = head[: separator.start()]
    by = _BY.search(head)
    head = head[: by.start()] if by else head
    if not title_like(head) or never_title(head) or announces(head, page.cues) or cue("lists.items").match(head):
        return None
    return trimmed(page.chunk, start, start + len(head))


def _head(page: Page, lines: Sequence[Line], place: int, *, one_item: bool) -> Span | None:
    """The title of a line without a year, where something bears out that it is one."""
    line = lines[place]
    name, tail, parted = _parted(page.text(line))
    if is_line(name, "labels.picks") or is_line(name, "lines.title_columns"):
        inner, rest, _ = _parted(tail)
        good = title_like(inner) and not _refused(page, inner) and (" " in inner or has_cjk(inner) or bool(rest))
        start = line.end - len(tail)
        return trimmed(page.chunk, start, start + len(inner)) if good and page.lists_items else None
    if not title_like(name) or _refused(page, name) or name.strip().casefold() in page.speakers:
        return None
    maker = parted == "by" and persons_like(_AFTER_MAKER.split(tail, maxsplit=1)[0])
    fits = maker or _borne_out(page, lines, place, (name, tail, parted), one_item=one_item)
    return trimmed(page.chunk, line.body, line.body + len(name)) if fits else None


def _borne_out(page: Page, lines: Sequence[Line], place: int, parts: tuple[str, str, str], *, one_item: bool) -> bool:
    """Whether the page, the rest of a line or the lines below show that the line names an item."""
    line, (name, tail, parted) = lines[place], parts
    below = _below(page, lines, place)
    spoken = sum(1 for _ in page.cues.speaks.finditer(f"{tail}\n{below}"))
    if line.mark and page.lists_others:
        return False
    if line.mark == "number":
        return not _is_order(name) and (page.lists_items or spoken > 1)
    if line.mark == "bullet":
        return page.lists_items and (spoken > 0 or (bool(tail) and parted != "bracket"))
    if tail:
        return page.lists_items and spoken > 0 and parted in ("dash", "colon") and " " in name
    if one_item or not line.heading:
        return False
    again = len(name) > 3 and name in below
    return again or _labelled(page, lines, place + 1) or (bool(below) and page.lists_items and spoken > 0)


def _labelled(page: Page, lines: Sequence[Line], place: int) -> bool:
    """Whether a line is a label of an item with its value ("Director: ...")."""
    label, colon, _ = page.text(lines[place]).replace("：", ":").partition(":") if place < len(lines) else ("", "", "")
    return bool(colon) and len(label) < 24 and (is_line(label, "lines.columns") or is_line(label, "lines.remarks"))


def _refused(page: Page, name: str) -> bool:
    single = name.strip().casefold()
    return never_title(name) or announces(name, page.cues) or single in words("names.openers") or single.isdigit()


def _parted(text: str) -> tuple[str, str, str]:
    """The title of a line, what follows it, and how they are parted; a capitalised subtitle stays with its title."""
    for match in _SEPARATOR.finditer(text):
        mark = match[0].strip()
        kind = "by" if "by" in mark else "bracket" if mark[:1] in "（([【" else "colon" if mark[:1] in ":：" else "dash"
        rest = text[match.end() :]
        subtitle = rest.split(" – ")[0].split(" - ")[0].split("(")[0].strip()
        if kind == "colon" and title_like(subtitle) and len(subtitle.split()) <= 6 and _goes_on(text, match, subtitle):
            continue
        return text[: match.start()], rest, kind
    return text, "", ""


def _goes_on(text: str, colon: re.Match[str], subtitle: str) -> bool:
    label = text[: colon.start()]
    labelled = any(is_line(label, kind) for kind in ("labels.picks", "lines.columns", "lines.title_columns"))
    return not labelled and not has_cjk(subtitle) and len(subtitle.split()) > 1 and is_capital(subtitle)


def _is_order(name: str) -> bool:
    """Whether a numbered line tells the reader to do something ("Know Your Audience")."""
    first = name.split()[0].casefold().replace("’", "'")
    return first in words("names.imperatives") and (" your " in name.casefold() or first in ("don't", "do", "be"))


def _below(page: Page, lines: Sequence[Line], place: int) -> str:
    """The text under a heading, up to the next heading of the same kind."""
    below: list[str] = []
    for line in lines[place + 1 : place + 1 + _BELOW]:
        if line.part in ("ends", "links") or (line.mark and lines[place].mark == line.mark):
            break
        below.append(page.chunk[line.body : min(line.end, line.body + 500)])
    return "\n".join(below) if any(len(text) > 40 or text[-1:] in ".!?。！？" for text in below) else ""
