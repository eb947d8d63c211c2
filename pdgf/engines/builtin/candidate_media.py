"""What items of each medium are called, and which media are those of the wanted kind of item."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from pdgf.engines.builtin.candidate_cues import bounded, data, entries

Said = Literal["own", "other", ""]

_OF_A = re.compile(
    r"(?:\s(?:adaptation|version|remake))?\s(?:of|from)\s(?:the|a|an|his|her|their|this|that)\s(?:[\w'’-]{1,20}\s){0,3}$"
)


@dataclass(frozen=True, kw_only=True)
class Media:
    """What items of the wanted kind and of others are called. `own` and `other` are names of media."""

    own: frozenset[str]
    other: frozenset[str]
    noun: re.Pattern[str]
    medium_of: Mapping[str, str]
    own_words: re.Pattern[str]

    def said(self, media: frozenset[str] | set[str]) -> Said:
        """What naming these media says of an item, "" where it says nothing for certain."""
        if media & self.own:
            return "own"
        return "other" if media and media <= self.other else ""

    def named(self, text: str) -> set[str]:
        """The media that a text names."""
        return {self.medium_of[folded(match[0])] for match in self.noun.finditer(text)}

    def ends(self, text: str) -> set[str]:
        """The medium whose noun ends a text; an empty set where none does."""
        return {self.medium_of[folded(m[0])] for m in self.noun.finditer(text) if m.end() == len(text)}

    def begins(self, text: str) -> set[str]:
        """The medium whose noun begins a text."""
        match = self.noun.match(text)
        return {self.medium_of[folded(match[0])]} if match else set()


@cache
def media_of(item_word: str) -> Media:
    """The media of a kind of item. For a kind without lists that is itself a noun of a medium, that medium; where it
    is none, no medium is another one, and nothing is said of any item."""
    lists = {name: found for name, found in data()["media"].items() if name != "plural"}
    medium_of = {folded(noun): name for name, nouns in lists.items() for noun in nouns}
    kind = data()["kinds"].get(item_word.casefold())
    single = medium_of.get(folded(item_word))
    own = frozenset(kind["media"]) if kind else frozenset({single} - {None})
    neutral = frozenset(kind["neutral"]) if kind else frozenset[str]()
    wanted = kind["words"] if kind else [item_word]
    strangers = {noun for name in lists if name not in own | neutral for noun in lists[name]}
    return Media(
        own=frozenset(name for name in own if name is not None),
        other=frozenset(lists) - own - neutral if own else frozenset(),
        noun=bounded([noun for nouns in lists.values() for noun in nouns]),
        medium_of=medium_of,
        own_words=bounded(set(wanted) - set(entries("shared.words")) - strangers or {item_word}),
    )


def adaptation(lead: str, media: Media) -> set[str]:
    """The medium of "the film (adaptation) of the novel", words that end right before a name."""
    nouns = list(media.noun.finditer(lead))
    if len(nouns) < 2 or nouns[-1].end() != len(lead) or not _OF_A.fullmatch(lead, nouns[-2].end(), nouns[-1].start()):
        return set()
    return {media.medium_of[folded(nouns[-2][0])]}


def folded(noun: str) -> str:
    """The spelling under which nouns are looked up."""
    return " ".join(noun.casefold().replace("-", " ").split())
