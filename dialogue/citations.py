"""What of a model's prose may be shown: sentences whose citations and quotes stand in what it was given. Pure.

A sentence stays only if it cites an id that was given or quotes words of a given text, cites no unknown id, quotes
nothing that stands nowhere, and names no year and no other item that no given text names. Marks are taken out of what
stays; the sources they named come with it.
"""

import re
from collections.abc import Iterable, Sequence

from dialogue import explanation
from dialogue.models import ItemRef, Piece, QuotedSource
from pdgf.constraints import fact_line
from pdgf.models import Metadata, PreferenceGraph, RankedItem, Value
from pdgf.ports import ReviewHit
from pdgf.quotes import borne_out
from pdgf.texts import clean, sentences

QUOTES_PER_WISH = 2
DISTINCTIVE = 8  # characters from which a title of one word is no ordinary word

_MARK = re.compile(r"\[\s*(?:[a-z]\d{1,3})(?:\s*[,;]\s*[a-z]\d{1,3})*\s*\]")
_ID = re.compile(r"[a-z]\d{1,3}")
_BRACKETED = re.compile(r"\[[^\]]*\]")
_MARKS_AFTER_STOP = re.compile(r"([.!?…。！？][\"”’」』)]*)((?:\s*\[[^\]\n]{1,40}\])+)")
_OPEN_MARK = re.compile(r"\[[^\]\n]{0,40}$")
_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"|「([^」]+)」|『([^』]+)』|«([^»]+)»")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_LINK = re.compile(r"https?://|\]\(|<[a-z/!]", re.IGNORECASE)


class Sourced(Value):
    """A text that a model may cite by `id`, and where it stands."""

    id: str
    text: str
    source: QuotedSource


def evidence_of(item: RankedItem, graph: PreferenceGraph) -> tuple[Sourced, ...]:
    """The quotes that an explanation may cite, e1, e2 ... in the order of the wishes."""
    found: dict[str, QuotedSource] = {}
    for standing in explanation.standings(item, graph):
        for quote in standing.quotes[:QUOTES_PER_WISH]:
            if quote not in found and (source := explanation.source_of(item, quote)) is not None:
                found[quote] = source
    return tuple(
        Sourced(id=f"e{number}", text=quote, source=source)
        for number, (quote, source) in enumerate(found.items(), start=1)
    )


def facts_of(item: ItemRef, metadata: Metadata) -> tuple[Sourced, ...]:
    """An item's metadata as lines, f1, f2 ...; the catalogue's index knows them by the item's id and the key."""
    lines = {key: fact_line(key, value) for key, value in metadata.items()}
    if item.year is not None:
        lines.setdefault("year", fact_line("year", item.year))
    return tuple(
        Sourced(
            id=f"f{number}",
            text=line,
            source=QuotedSource(item=item.id, title=item.title, quote=line, source=f"{item.id}#{key}"),
        )
        for number, (key, line) in enumerate(lines.items(), start=1)
    )


def passages_of(item: ItemRef, hits: Sequence[ReviewHit]) -> tuple[Sourced, ...]:
    """Passages about an item, p1, p2 ..."""
    return tuple(
        Sourced(
            id=f"p{number}",
            text=hit.passage.text,
            source=QuotedSource(
                item=item.id,
                title=item.title,
                quote=hit.passage.text,
                source=hit.passage.source.id,
                url=hit.passage.source.url,
            ),
        )
        for number, hit in enumerate(hits, start=1)
    )


class CitationCheck:
    """Holds the sentences of one explanation or answer against what it may cite.

    `known` are texts that may be repeated without being a source (the wishes, the title, the question); `others` are
    the titles of other items, which only a source may name.
    """

    def __init__(self, sourced: Sequence[Sourced], *, known: Iterable[str] = (), others: Iterable[str] = ()) -> None:
        self._sourced = {each.id: each for each in sourced}
        self._free = "\n".join(known)
        self._all = "\n".join([self._free, *(each.text for each in sourced)])
        self._others = [title for title in others if len(title.split()) > 1 or len(title) >= DISTINCTIVE]

    def piece(self, sentence: str) -> Piece | None:
        """The sentence as it may be shown, with its sources; None when it may not."""
        marks = [mark for found in _MARK.findall(sentence) for mark in _ID.findall(found)]
        text = _tidied(_MARK.sub("", sentence))
        if not text or _BRACKETED.search(text) or _LINK.search(text) or any(m not in self._sourced for m in marks):
            return None
        quotes = [next(filter(None, groups)) for groups in _QUOTED.findall(text)]
        if any(borne_out(quote, self._all) is None for quote in quotes):
            return None
        if any(year not in self._all for year in _YEAR.findall(text)) or self._names_another(text):
            return None
        cited = list(dict.fromkeys(marks))
        cited += [
            each.id
            for quote in quotes
            for each in self._sourced.values()
            if each.id not in cited and borne_out(quote, each.text)
        ]
        if not cited:
            return None
        return Piece(text=text, sources=tuple(self._cited(mark, quotes) for mark in dict.fromkeys(cited)))

    def _cited(self, mark: str, quotes: Sequence[str]) -> QuotedSource:
        """The source of a mark, with the words that the sentence quotes from it where it does."""
        sourced = self._sourced[mark]
        quote = next((found for each in quotes if (found := borne_out(each, sourced.text))), None)
        return sourced.source.model_copy(update={"quote": quote}) if quote else sourced.source

    def _names_another(self, text: str) -> bool:
        return any(title in text and title not in self._all for title in self._others)


class SentenceStream:
    """Cuts growing prose into whole sentences; a citation mark after a full stop belongs before it."""

    def __init__(self) -> None:
        self._rest = ""

    def feed(self, text: str) -> list[str]:
        """The sentences that are certainly complete now."""
        self._rest = _MARKS_AFTER_STOP.sub(r"\2\1", self._rest + text)
        if _OPEN_MARK.search(self._rest):
            return []
        found = sentences(self._rest)
        if len(found) < 2:
            return []
        self._rest = found[-1] + (" " if self._rest[-1:].isspace() else "")
        return list(found[:-1])

    def end(self) -> list[str]:
        """What is left when the prose has ended."""
        rest, self._rest = self._rest, ""
        return list(sentences(rest))


def _tidied(text: str) -> str:
    text = re.sub(r"\s+([.,;:!?…。，！？])", r"\1", clean(text))
    return re.sub(r"[*_#`]{2,}|^#+\s*|^[-*•]\s+", "", " ".join(text.split()))
