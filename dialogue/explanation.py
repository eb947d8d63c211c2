"""Why an item is shown, from its labels, paths and quotes alone. Pure: nothing here can say what no source says."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from dialogue import claims, wording
from dialogue.models import Piece, QuotedSource
from dialogue.standings import Standing, best_path, short_of, source_of, standings, wish_of
from pdgf.constraints.metadata import key_words
from pdgf.glossary import has_han
from pdgf.models import Label, Polarity, PreferenceGraph, RankedItem, normalised

QUOTED = 2  # quotes for what is met, and for what speaks against; the other wishes are named
NAMED_PARTLY = 3  # wishes that are partly met; more are counted
NAMED_SILENT = 3  # wishes of which nothing is known; more are counted
LONGEST_LINK = 30  # characters of the user's words between a wish and what qualifies it
GENRES = "Genres: "  # a metadata line that says no more than the wish does


class Reasons(NamedTuple):
    """The sentences why an item is shown, and the quotes in them in order, each with the first source it stands in."""

    sentences: tuple[str, ...]
    sources: tuple[QuotedSource, ...]


def reasons(item: RankedItem, graph: PreferenceGraph) -> Reasons:
    """At most four sentences. For a demoted item first the condition it breaks; then what speaks against it, and the
    musts that it meets only in part. Then what is met, along the path that won at the item's best node: the base wish
    and what qualifies it, then the other wishes. Then what else is partly met and what nothing is known about; last the
    conditions that could not be checked."""
    sentences, quotes = _told(item, graph)
    sources = (source_of(item, quote) for quote in quotes)
    return Reasons(sentences, tuple(source for source in sources if source is not None))


def told_by_labels(item: RankedItem, graph: PreferenceGraph) -> tuple[Piece, ...]:
    """`reasons` as pieces, a sentence each; the sources of all its quotes come with the first."""
    said = reasons(item, graph)
    return tuple(
        Piece(text=f"{wording.say('list.gap')}{sentence}" if place else sentence, sources=() if place else said.sources)
        for place, sentence in enumerate(said.sentences)
    )


class _Quotes:
    """The quotes that were given so far: each is given once, and only so many for what is met."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self._before = 0

    def begin_what_is_met(self) -> None:
        """From here on quotes are counted."""
        self._before = len(self.given)

    @property
    def room(self) -> bool:
        """Whether one more may be given for what is met."""
        return len(self.given) - self._before < QUOTED

    def after(self, words: str, quote: str) -> str:
        """The words with the quote behind them, unless there is none or it was given already."""
        if not quote or quote in self.given:
            return words
        self.given.append(quote)
        return wording.say("explain.shown", wishes=words, quote=wording.quoted(quote))


def _told(item: RankedItem, graph: PreferenceGraph) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sentences of the reasons, and the quotes in them."""
    broken = claims.phrase(item.demoted or "")
    found = [s for s in standings(item, graph) if not (item.demoted and _words(s, graph) in broken)]
    open_ = set() if item.demoted is not None else set(item.unchecked)
    quotes, said = _Quotes(), list[str]()
    if item.demoted is not None:
        said.append(wording.say("explain.demoted", reason=wording.reason(item.demoted)))
    failing, others = [s for s in found if short_of(s, graph)], [s for s in found if not short_of(s, graph)]
    said += _together_said([*_against(failing, quotes), *_partly(failing, quotes, key="explain.partly_must")])
    met = [standing for standing in found if standing.label is Label.SUPPORT]
    quotes.begin_what_is_met()
    if met:
        said.append(_met(item, graph, met, quotes))
    silent = [s for s in found if s.label is Label.NOT_ADDRESSED and s.node not in open_]
    said += _together_said([*_partly(others, quotes), *_silent(silent)])
    if item.unknown and item.demoted is None:
        said += _open(item, [_named(s) for s in found if s.node in open_ and s.label is not Label.SUPPORT])
    return tuple(said), tuple(quotes.given)


def _open(item: RankedItem, named: Sequence[str]) -> list[str]:
    """What the record leaves open, and of which wishes: because it is silent, or gives examples alone (dishes)."""
    recorded = {key_words(key) for key, value in item.candidate.metadata.items() if value not in (None, "", [])}
    parts = [words for words in item.unknown if words in recorded] if named else []
    key = "explain.unsettled" if parts else "explain.unchecked" if named else "explain.unknown"
    parts = parts or [words for words in item.unknown if words not in recorded]
    about = wording.listed([wording.key_said(words) for words in parts])
    return [wording.say(key, parts=about, wishes=wording.listed(named))] if parts else []


def _words(standing: Standing, graph: PreferenceGraph) -> str:
    return claims.phrase(graph.node_by_id[standing.node].instantiation)


def _met(item: RankedItem, graph: PreferenceGraph, met: Sequence[Standing], quotes: _Quotes) -> str:
    """What is met: along the winning path first where it has more than one wish that is, then the others."""
    along = _along_the_path(item, graph, met)
    shown = any(s.quotes and not s.quotes[0].startswith(GENRES) for s in along)
    path = _path_in_words(graph, along, quotes, genres=not shown) if len(along) > 1 else ""
    told = {standing.wish for standing in along} if path else set()
    groups = _by_quote([standing for standing in met if standing.wish not in told])
    others = [_together(group, graph, along if path else (), quotes) for group in groups]
    last = "also" if any(len(group) > 1 for group in groups) else "and"  # a list within a list
    if not path:
        return wording.say("explain.met", parts=wording.listed(others, last))
    if not others:
        return wording.say("explain.met", parts=path)
    return wording.say("explain.met_also", path=path, parts=wording.listed(others, last))


def _along_the_path(item: RankedItem, graph: PreferenceGraph, met: Sequence[Standing]) -> list[Standing]:
    """The wishes that are met on the path that won at the item's best node, base first, with the quotes found there."""
    path = best_path(item)
    by_wish = {normalised(standing.wish): standing for standing in met}
    found: dict[str, Standing] = {}
    for node in (node for node in path if node in graph.node_by_id):
        standing = by_wish.get(normalised(wish_of(graph.node_by_id[node])))
        if standing:
            here = item.judged.get(path[-1], {}).get(node)
            quotes = here.quotes if here and here.label is Label.SUPPORT else standing.quotes
            found.setdefault(standing.wish, standing._replace(quotes=quotes, node=node))
    return list(found.values())


def _path_in_words(graph: PreferenceGraph, along: Sequence[Standing], quotes: _Quotes, *, genres: bool) -> str:
    """The wishes of a path as one phrase, each joined to its base by the user's words, quotes behind what they show."""
    words = ""
    for place, standing in enumerate(along):
        link = _link(graph, along[place - 1].node, standing.node) if place else ""
        gap = wording.say("list.gap")
        words = f"{words}{gap}{link.strip()}{gap}{_named(standing)}" if place else _named(standing)
        quote = _quote_of(standing)
        followed = place + 1 < len(along) and _quote_of(along[place + 1]) == quote
        if not followed and quotes.room and (genres or not quote.startswith(GENRES)):
            words = quotes.after(words, quote)
    return words


def _link(graph: PreferenceGraph, base: str, qualifier: str) -> str:
    """The user's words that join a wish to its base ("shown through"), or else a plain "and"."""
    edge = next((edge for edge in graph.edges if edge.ends == (base, qualifier)), None)
    words = edge.span.strip() if edge else ""
    for node in (graph.node_by_id[base], graph.node_by_id[qualifier]):
        for known in filter(None, (node.instantiation, node.strength)):
            words = re.sub(rf"\b{re.escape(known)}\b", "", words, flags=re.IGNORECASE).strip(" ,;:")
    fitting = 0 < len(words) <= LONGEST_LINK and not re.search(r"[.!?\n]", words)
    fitting = fitting and not has_han(words)  # 的 joins what qualifies to its base, not the other way round
    wanted = graph.node_by_id[qualifier].polarity is Polarity.WANT
    return words if fitting and wanted else wording.say("explain.and")


def _by_quote(met: Sequence[Standing]) -> list[list[Standing]]:
    """Wishes that one quote shows, together. What shows most comes first, a bare list of genres last."""
    groups: dict[str, list[Standing]] = {}
    for standing in met:
        groups.setdefault(_quote_of(standing), []).append(standing)
    order = list(groups)
    return [
        groups[q]
        for q in sorted(groups, key=lambda q: (not q or q.startswith(GENRES), -len(groups[q]), order.index(q)))
    ]


def _together(group: Sequence[Standing], graph: PreferenceGraph, along: Sequence[Standing], quotes: _Quotes) -> str:
    """Wishes that one quote shows; one that qualifies a wish of the path told before says how."""
    named = []
    for standing in group:
        base = next((s.node for s in along if s.node in graph.bases(standing.node)), None)
        link = _link(graph, base, standing.node) if base else wording.say("explain.and")
        named.append(_named(standing) if link == wording.say("explain.and") else f"{link} {_named(standing)}")
    words = wording.listed(named)
    return quotes.after(words, _quote_of(group[0])) if quotes.room else words


def _together_said(parts: Sequence[str]) -> list[str]:
    """Some parts as one sentence; none without any."""
    return [wording.say("explain.rest", parts=_capital(wording.say("list.semicolon").join(parts)))] if parts else []


def _partly(found: Sequence[Standing], quotes: _Quotes, key: str = "explain.partly") -> list[str]:
    partly = [standing for standing in found if standing.label is Label.PARTIAL]
    if not partly:
        return []
    parts = [_named(standing) for standing in partly[:NAMED_PARTLY]]
    parts[0] = quotes.after(parts[0], _quote_of(partly[0]))
    if len(partly) > NAMED_PARTLY:
        parts.append(wording.say("explain.more", count=len(partly) - NAMED_PARTLY))
    return [wording.say(key, parts=wording.listed(parts))]


def _against(found: Sequence[Standing], quotes: _Quotes) -> list[str]:
    against = [standing for standing in found if standing.label is Label.CONTRADICTS]
    parts = [
        quotes.after(_named(standing), _quote_of(standing) if place < QUOTED else "")
        for place, standing in enumerate(against)
    ]
    return [wording.say("explain.against", parts=wording.listed(parts))] if parts else []


def _silent(silent: Sequence[Standing]) -> list[str]:
    if not silent:
        return []
    parts = [_named(standing) for standing in silent[:NAMED_SILENT]]
    if len(silent) > NAMED_SILENT:
        parts.append(wording.say("explain.more", count=len(silent) - NAMED_SILENT))
    return [
        wording.say("explain.silent", parts=wording.listed(parts, last="and" if len(silent) > NAMED_SILENT else "or"))
    ]


def _quote_of(standing: Standing) -> str:
    return standing.quotes[0] if standing.quotes else ""


def _named(standing: Standing) -> str:
    return wording.say("explain.named", wish=standing.wish)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
