"""Permitted alternatives: "A, B or C" is one wish, of which one is enough, and a permission widens one (METHOD 4.6)."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pdgf.constraints.words import either
from pdgf.engines.builtin.instantiations import perspective_of
from pdgf.engines.builtin.permissions import permits
from pdgf.engines.builtin.phrases import Phrase
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Node, Polarity

_COMMA = re.compile(r"\s*,\s*(?:(?:an?|some|the|in|from|at)\s+)?", re.IGNORECASE)
_SMALL = either("or|else|a|an|either|some|the|in|from|at|maybe|perhaps|even|something|somewhere|anything")


def with_alternatives(phrases: Sequence[Phrase], narrative: str, vocabulary: Vocabulary) -> list[Phrase | None]:
    """Join "A, B or C" to one phrase. What only a comma joins must be of the same perspective ("quiet, Thai or Lao").

    Joined-away members become None so that the indices that links use stay true.
    """
    result: list[Phrase | None] = list(phrases)
    for index in range(len(phrases) - 1, 0, -1):
        later, before = result[index], result[index - 1]
        if later is None or before is None or not _joins(before, later, narrative):
            continue
        kinds = [perspective_of(narrative[p.start : p.end], p, vocabulary) for p in (before, later)]
        by_comma = not phrases[index].alternative
        if by_comma and kinds[0] != kinds[1]:
            continue
        listed = index >= 2 and bool(_COMMA.fullmatch(narrative, phrases[index - 2].end, before.start))
        result[index - 1] = replace(
            before,
            end=later.end,
            tokens=(*before.tokens, *later.tokens),
            alternatives=True,
            alternative=before.alternative or listed,
            hard_cue=before.hard_cue or later.hard_cue,
        )
        result[index] = None
    return result


def _joins(before: Phrase, later: Phrase, narrative: str) -> bool:
    """Whether nothing but "or" or a comma of its list stands between two wishes that are said of the same thing."""
    if not later.alternative or later.avoid or before.avoid or before.sentence != later.sentence:
        return False
    if _base(before) != _base(later) or before.generic or later.generic or before.reference or later.reference:
        return False
    if before.permitted is not None or later.permitted is not None:
        return False
    between = narrative[before.end : later.start].lower().replace(",", " ").split()
    return set(between) <= _SMALL


def _base(phrase: Phrase) -> int | None:
    return phrase.link.base if phrase.link is not None else None


def of_two_kinds(phrase: Phrase, own: Sequence[Node], narrative: str) -> bool:
    """Whether the nodes of a phrase are alternatives of different perspectives, none of which qualifies another."""
    pairs = pairwise(own) if phrase.alternatives else ()
    return any(re.search(r"\bor\b", narrative[one.span[1] : other.span[0]], re.IGNORECASE) for one, other in pairs)


def widened(nodes: list[Node], phrase: Phrase, narrative: str, vocabulary: Vocabulary) -> list[Node]:
    """The nodes with what is permitted as an alternative of the wish that it stands beside, if there is one."""
    words = narrative[phrase.start : phrase.end]
    perspective = perspective_of(words, phrase, vocabulary)
    permission = phrase.permitted
    if perspective is None or permission is None or not permits(permission, perspective):
        return nodes
    return widened_by(nodes, words, perspective)


def widened_by(nodes: list[Node], words: str, perspective: str) -> list[Node]:
    """The nodes with the words as an alternative of the last wish of their perspective, if there is one."""
    for place in range(len(nodes) - 1, -1, -1):
        node = nodes[place]
        if _kind(node.perspective) != _kind(perspective) or node.polarity is Polarity.AVOID:
            continue
        if words.casefold() in node.instantiation.casefold():
            return nodes
        wider = node.model_copy(update={"instantiation": f"{node.instantiation} or {words}"})
        return [*nodes[:place], wider, *nodes[place + 1 :]]
    return nodes


def _kind(perspective: str) -> str:
    return "country" if perspective == "language" else perspective  # "from Japan; French is fine too"
