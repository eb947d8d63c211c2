"""Titles that somebody only says to know already: "we've seen Alien, Aliens and The Thing" wishes for none of them, but
where something like them is asked for (METHOD 4.2, 6.4). Pure."""

import re
from dataclasses import dataclass

from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.identity import name_key
from pdgf.ports import Span

_MANNER = r"(?:(?:already|just|also|both|all|probably|actually|recently|even)\s+)*"
_KNOWING = re.compile(
    r"(?:\b(?:i|we|he|she|they|everyone|(?:my|our) \w+)(?:['’](?:ve|s|d)|\s+have|\s+has|\s+had)?\s+"
    rf"{_MANNER}(?:seen|watched|read|finished|been to|saw)\s+"
    rf"|(?:(?<=^)|(?<=[.,;!?]\s)){_MANNER}(?:seen|watched|read)\s+)",
    re.IGNORECASE,
)
_JOINT = re.compile(r"\s*(?:,\s*(?:and\s+|or\s+)?|;\s*|&\s*|\band\s+|\bor\s+)", re.IGNORECASE)
_UNKNOWN = re.compile(r"(?:[\w'’:-]+ ){0,4}?[\w'’:-]+(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)", re.IGNORECASE)
_JUDGED = re.compile(
    r"\s*,?\s*(?:(?:and|but|which|that)\s+)?(?:i|we|he|she|they)?\s*(?:(?:really|both|all|absolutely|just|also)\s+)*"
    r"(?:(?P<liked>lov|lik|enjoy|ador)|did(?:n['’]?t| not)|hat|dislik|wasn|weren|was|were)",
    re.IGNORECASE,
)
_LIKE_THEM = re.compile(
    r"\b(?:like|similar to|along the lines of)\s+(?:them|those|these|that|it|this)\b|\bsimilar\b(?! to)"
    r"|\bmore of (?:the same|that|those|them)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class SeenList:
    """Known titles in a row: where the words stand that `lead` up to them, and each of the `names`; `others` are names
    amid them that no item has. `wished` says that something like them is asked for."""

    lead: Span
    names: tuple[Span, ...]
    others: tuple[Span, ...]
    wished: bool

    @property
    def silent(self) -> tuple[Span, ...]:
        """What of it asks for nothing."""
        return self.others if self.wished else (self.lead, *self.others)


def seen_lists(text: str, vocabulary: Vocabulary) -> tuple[SeenList, ...]:
    """The lists of titles of the catalogue that a text says to be known already, in order, those aside that it goes on
    to dislike. What it likes ("and loved them") is wished for."""
    found = []
    for lead in _KNOWING.finditer(text):
        names, others = _names(text, lead.end(), vocabulary)
        if not names:
            continue
        end = names[-1][1]
        judged = _JUDGED.match(text, end)
        if judged and not judged["liked"]:
            continue
        wished = judged is not None or _LIKE_THEM.search(text, end) is not None
        found.append(SeenList(lead=lead.span(), names=names, others=others, wished=wished))
    return tuple(found)


def _names(text: str, start: int, vocabulary: Vocabulary) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The titles in a row from a place on, and what stands amid them; a title may hold a joint ("War and Peace")."""
    names: list[Span] = []
    others: list[Span] = []
    while True:
        name = _longest(text, start, vocabulary)
        unknown = _UNKNOWN.match(text, start) if name is None and names else None
        if unknown is not None and _longest(text, unknown.end(), vocabulary):  # no item of ours amid those that are
            others.append(unknown.span())
            start = unknown.end()
            continue
        if name is None:
            return tuple(names), tuple(others)
        names.append(name)
        joint = _JOINT.match(text, name[1])
        if joint is None:
            return tuple(names), tuple(others)
        start = joint.end()


def _longest(text: str, start: int, vocabulary: Vocabulary) -> Span | None:
    within = text[start : start + 80].split("(")[0]  # the year is no part of a title
    stops = [match.end() for match in re.finditer(r"[\w!?'’]+", within)]
    for stop in reversed(stops[:10]):
        words = text[start : start + stop].strip('"“”*_ ')
        if name_key(words) in vocabulary.titles:
            begin = text.index(words, start)
            return begin, begin + len(words)
    return None
