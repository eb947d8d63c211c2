"""Wishes about places that are read by their words as they stand, whatever the parse makes of them.

"either a bar or somewhere casual" is one wish with alternatives; opening hours and facts about a place that the
lexicon of concepts does not name ("dog-friendly", "indoor-only") are wishes of their own.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pdgf.constraints.opening import opening_asked
from pdgf.constraints.places import PlaceMention, place_mentions
from pdgf.engines.builtin.lexicon import concept_mentions
from pdgf.engines.builtin.scenes import SENTENCE
from pdgf.models import Atom, Node, Polarity, node_id
from pdgf.ports import Span

ALTERNATIVES = "alternatives"  # the perspective of a wish that one of several things meets
_EITHER = re.compile(
    r"\beither\s+(?P<parts>[^.;!?]+?\bor\b[^.;!?]+?)"
    r"(?=\s*(?:[.;!?]|$|,?\s*\b(?:and|but)\s+either\b|\s(?:would|will)\s+(?:work|do|be)\b|\s(?:is|are)\s+fine\b))",
    re.IGNORECASE,
)
_BARE_BEFORE = re.compile(
    r"^(?:(?:either|an?|the|some|somewhere|something|anywhere|place|places|spot|spots|cafe|restaurant|with|that|which"
    r"|that['’]s|has|have|is|serves?|good for)\s+)+",
    re.IGNORECASE,
)
_BARE_AFTER = re.compile(r"\s+(?:place|spot|vibes?|atmosphere|ambience|feel|restaurant|cafe)$", re.IGNORECASE)
_NEED = re.compile(r"\b(?:must|needs?|has to|have to|required|essential)\b", re.IGNORECASE)
_SOFT = re.compile(r"\b(?:ideally|preferably|bonus|would be (?:great|nice|lovely|good)|if possible)\b", re.IGNORECASE)
_BEEN = re.compile(r"\b(?:went|was|were|ate|had|visited|tried|been|came|last)\b", re.IGNORECASE)  # "on Friday we went"
_WE_WENT = re.compile(rf",?\s*(?:i|we|he|she|they)\s+{_BEEN.pattern}", re.IGNORECASE)
_REFUSED = re.compile(
    r"\b(?P<no>no|not|without|isn['’]?t|aren['’]?t|never|avoid|nothing)\s+(?:(?:an?|any|too|really|at all)\s+)*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class PlaceWish:
    """A wish at `span` of the narrative, said from `said_from` on; `words` say it where the span does not."""

    span: Span
    said_from: int
    perspective: str
    avoid: bool = False
    strength: str = ""
    hard: bool = False
    words: str = ""


def place_wishes(narrative: str) -> tuple[PlaceWish, ...]:
    """The wishes of a narrative that are read so, in its order, without overlap."""
    found: list[PlaceWish] = []
    for sentence in SENTENCE.finditer(narrative):
        start, text = sentence.start(), sentence[0]
        found += [_shifted(wish, text, start) for wish in (*_eithers(text), *_hours(text))]
        taken = [(wish.span[0] - start, wish.span[1] - start) for wish in found]
        found += [
            _shifted(wish, text, start)
            for wish in _facts(text)
            if all(wish.span[1] <= a or wish.span[0] >= b for a, b in taken)
        ]
    return tuple(sorted(found, key=lambda wish: wish.span))


def place_node(
    wish: PlaceWish, narrative: str, hard_spans: Sequence[Span] | None, *, number: int, order: int
) -> tuple[Atom, Node]:
    """The atom and the node of such a wish; its hardness is that of the spans, where they are given."""
    said, words = narrative[wish.said_from : wish.span[1]], narrative[slice(*wish.span)]
    words = _bare(words) if wish.perspective == ALTERNATIVES else wish.words or words
    hard = wish.hard
    if hard_spans is not None:
        hard = any(start < wish.span[1] and wish.said_from < end for start, end in hard_spans)
    polarity = Polarity.AVOID if wish.avoid else Polarity.WANT
    atom = Atom(id=f"a{number}", text=said, span=(wish.said_from, wish.span[1]), hard=hard)
    return atom, Node(
        id=node_id(said, wish.perspective, words, polarity),
        atom=atom.id,
        perspective=wish.perspective,
        instantiation=words,
        polarity=polarity,
        hard=hard,
        order=order,
        span=wish.span,
        strength=wish.strength,
    )


def _bare(alternatives: str) -> str:
    """The alternatives by what they ask for alone: "a bar, or a place with a casual feel" -> "bar or casual"."""
    parts = (part.strip() for part in re.split(r",|\bor\b", alternatives, flags=re.IGNORECASE))
    bare = (_BARE_AFTER.sub("", _BARE_BEFORE.sub("", part)) for part in parts if part)
    return " or ".join(bare)


def _eithers(sentence: str) -> list[PlaceWish]:
    return [
        PlaceWish(span=match.span("parts"), said_from=match.start(), perspective=ALTERNATIVES)
        for match in _EITHER.finditer(sentence)
        if place_mentions(match["parts"])
    ]


def _hours(sentence: str) -> list[PlaceWish]:
    asked = opening_asked(sentence)
    if asked is None:
        return []
    told = _BEEN.search(sentence, 0, asked.span[0]) or _WE_WENT.match(sentence, asked.span[1])
    if asked.words and told:
        return []
    return [PlaceWish(span=asked.span, said_from=asked.span[0], perspective="hours", words=asked.words)]


def _facts(sentence: str) -> list[PlaceWish]:
    """What is asked for in words that no concept of the same perspective has."""
    wishes: list[PlaceWish] = []
    for mention in place_mentions(sentence):
        words = sentence[mention.start : mention.end]
        known = {found.concept.perspective for found in concept_mentions(words)}
        if mention.implied or mention.fact.perspective in known:
            continue
        refused = _REFUSED.search(sentence[: mention.start]) if _said_as_there(mention, words) else None
        wishes.append(
            PlaceWish(
                span=(mention.start, mention.end),
                said_from=refused.start() if refused else mention.start,
                perspective=mention.fact.perspective,
                avoid=refused is not None,
                strength=refused["no"].casefold() if refused else "",
            )
        )
    return wishes


def _said_as_there(mention: PlaceMention, words: str) -> bool:
    """Whether the words name the thing itself and not its absence ("indoor-only")."""
    return bool(mention.fact.said.fullmatch(words))


def _shifted(wish: PlaceWish, sentence: str, by: int) -> PlaceWish:
    """The wish of a sentence at its place in the narrative; hard where the sentence says so before it."""
    before = sentence[: wish.said_from]
    hard = bool(_NEED.search(before)) and not _SOFT.search(sentence) and wish.perspective != ALTERNATIVES
    return PlaceWish(
        span=(wish.span[0] + by, wish.span[1] + by),
        said_from=wish.said_from + by,
        perspective=wish.perspective,
        avoid=wish.avoid,
        strength=wish.strength,
        hard=hard,
        words=wish.words,
    )
