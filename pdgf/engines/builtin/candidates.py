"""Candidate extraction without an LLM: the items that a chunk of a page names, with the passages about them.

The story of METHOD 6.1 and 12: lines, mentions from sure to unsure sources, what is said after each mention, one
record an item. Nothing is known that the chunk does not state: the gazetteer helps to see a title, never its year.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pdgf.engines.builtin.candidate_cues import kind_cues
from pdgf.engines.builtin.candidate_gazetteer import known_mentions, repeated_mentions
from pdgf.engines.builtin.candidate_heads import head_mentions, row_mentions, with_label_years, with_subject
from pdgf.engines.builtin.candidate_kinds import of_kind
from pdgf.engines.builtin.candidate_lines import page_of
from pdgf.engines.builtin.candidate_marks import marked_mentions, quoted_mentions
from pdgf.engines.builtin.candidate_mentions import Mention, Mentions
from pdgf.engines.builtin.candidate_names import (
    bracketed_mentions,
    called_mentions,
    defined_mentions,
    lone_mentions,
)
from pdgf.engines.builtin.candidate_passages import ITEM_SENTENCES, chosen, joined, passages_of, relevance
from pdgf.engines.builtin.candidate_stretches import Piece, Stretch, stretches
from pdgf.engines.builtin.title_index import TitleIndex
from pdgf.identity import name_key
from pdgf.ports import FoundRecord

Item = tuple[str, int | None]  # name key and year: who an item is within one chunk


@dataclass(frozen=True, kw_only=True)
class ReadChunk:
    """What a chunk says of which items, whatever the preference: their names in order, and the stretches about them."""

    mentions: Mentions
    names: Mapping[Item, str]
    stretches: tuple[tuple[Item, Stretch], ...]


def candidates_of(chunk: str, feature: str, *, item_word: str, known_titles: TitleIndex) -> list[FoundRecord]:
    """The records <name, year, x> of a chunk in order of first mention (METHOD 6.1).

    `chunk` has one block or table cell a line; `feature` is f_v; `item_word` is what one item is called ("film").
    A name is a piece of the chunk, a year one that the chunk states for the item, a passage a piece of one line. An
    item of which the chunk says nothing has no record.
    """
    return records_of(read_chunk(chunk, item_word, known_titles), feature)


def read_chunk(chunk: str, item_word: str, known_titles: TitleIndex) -> ReadChunk:
    """Which items a chunk names and which of its text is about each, for any f_v."""
    mentions = _mentions_of(chunk, item_word, known_titles)
    judged = mentions.judged()
    items = items_of(chunk, judged)
    judged = of_kind(mentions, judged, items, item_word)
    about = [(items[s.mention.start], s) for s in stretches(mentions, judged) if not s.mention.other]
    return ReadChunk(mentions=mentions, names=_names(chunk, judged, items), stretches=tuple(about))


def records_of(read: ReadChunk, feature: str) -> list[FoundRecord]:
    """The records of a chunk that has been read, their passages chosen by f_v."""
    page, bears = read.mentions.page, relevance(feature)
    pieces: dict[Item, list[Piece]] = defaultdict(list)
    for item, stretch in read.stretches:
        pieces[item] += passages_of(read.mentions, stretch, bears)
    return [
        FoundRecord(name=name, year=item[1], passages=tuple(texts))
        for item, name in read.names.items()
        if (texts := joined(page, chosen(page, pieces[item], bears, ITEM_SENTENCES)))
    ]


def items_of(chunk: str, mentions: Sequence[Mention]) -> dict[int, Item]:
    """The item of each mention by its start (METHOD 6.3 within one chunk).

    A mention without a year is the only dated item of its name; with several of them it is the one under whose
    heading it stands, and else an undated item of its own.
    """
    keys = {m.start: name_key(chunk[m.start : m.end]) for m in mentions}
    years: dict[str, set[int]] = defaultdict(set)
    for mention in mentions:
        years[keys[mention.start]].update(() if mention.year is None else (mention.year,))
    items: dict[int, Item] = {}
    section: Item | None = None
    for mention in mentions:
        key, year = keys[mention.start], mention.year
        if year is None and len(years[key]) == 1:
            year = next(iter(years[key]))
        elif year is None and section is not None and section[0] == key:
            year = section[1]
        items[mention.start] = (key, year)
        section = (key, year) if mention.owns else section
    return items


def _mentions_of(chunk: str, item_word: str, known_titles: TitleIndex) -> Mentions:
    """The mentions of a chunk, from sure to unsure sources."""
    mentions = Mentions(page_of(chunk, kind_cues(item_word)), known_titles)
    known = known_titles.matches(chunk)
    known_ends = {match.end: match.start for match in known}
    for line in mentions.lines:
        marked_mentions(mentions, line)
        quoted_mentions(mentions, line)
        bracketed_mentions(mentions, line, known_ends)
        defined_mentions(mentions, line)
        lone_mentions(mentions, line)
    known_mentions(mentions, known)
    row_mentions(mentions)
    head_mentions(mentions)
    for line in mentions.lines:
        called_mentions(mentions, line)
    repeated_mentions(mentions)
    with_subject(mentions)
    with_label_years(mentions)
    return mentions


def _names(chunk: str, mentions: Sequence[Mention], items: dict[int, Item]) -> dict[Item, str]:
    """The first spelling of each item's name, in order of first mention."""
    names: dict[Item, str] = {}
    for mention in mentions:
        if not mention.refers and not mention.other:
            names.setdefault(items[mention.start], chunk[mention.start : mention.end])
    return names
