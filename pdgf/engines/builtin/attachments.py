"""Which node of the built-in engine qualifies which: inside a phrase and between phrases (METHOD 4.3, 12)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pdgf.engines.builtin.instantiations import ITEM_FACETS
from pdgf.engines.builtin.lexicon import concept_mentions
from pdgf.engines.builtin.phrases import Phrase
from pdgf.models import Aspect, Node

# "romance ... the relationship": a definite noun that speaks of an earlier theme without naming it again.
_BRIDGES: Mapping[str, frozenset[str]] = {"relationship": frozenset({"romance"})}
_BRIDGE_CONFIDENCE = 0.5
# What an item is: an adjective that stands after its name may as well be said of the item ("a romance, gentle").
_KINDS_OF_ITEM = ITEM_FACETS | {"genre", "format"}
# Facets that something in an item can have too: "humour that is quiet"
_OF_PARTS = frozenset({"noise", "audience", "atmosphere", "length", "service", "diet"})


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """That a node qualifies another, as the narrative shows it."""

    base: str
    qualifier: str
    cue: str
    aspect: Aspect
    confidence: float


def head_among(own: Sequence[Node]) -> Node:
    """The node of a phrase that others are said of: its last, and of "romance on the side" the romance."""
    wishes = [node for node in own if node.perspective != "prominence"]
    return wishes[-1] if wishes else own[-1]


def inside(own: Sequence[Node], narrative: str) -> list[Attachment]:
    """That the modifiers of a phrase qualify its head; what is said of the item ("a Japanese crime novel") does not."""
    head = head_among(own)
    return [
        Attachment(
            base=head.id,
            qualifier=node.id,
            cue=narrative[head.span[1] : node.span[0]].strip() if node.order > head.order else "",
            aspect=Aspect.MANNER,
            confidence=0.7,
        )
        for node in own
        if node.id != head.id and node.perspective not in ITEM_FACETS
    ]


def between(
    phrase: Phrase,
    own: Sequence[Node],
    phrases: Sequence[Phrase | None],
    head_of: Mapping[int, str],
    nodes: Sequence[Node],
) -> list[Attachment]:
    """That the head of a phrase qualifies that of an earlier one."""
    node = head_among(own)
    link = phrase.link
    if link is None:
        return [] if node.perspective in ITEM_FACETS else _bridged(node, nodes)
    base = phrases[link.base]
    if base is None or link.base not in head_of or head_of[link.base] == node.id:
        return []
    if not (base.bears or link.by_clause):
        return []
    of = next(other.perspective for other in nodes if other.id == head_of[link.base])
    told_apart = link.said_of or link.by_clause
    if node.perspective in ITEM_FACETS and not (
        told_apart and node.perspective in _OF_PARTS and of not in _KINDS_OF_ITEM - _OF_PARTS
    ):
        return []
    if (of in ITEM_FACETS and not told_apart) or (link.loose and of in _KINDS_OF_ITEM):
        return []
    return [
        Attachment(
            base=head_of[link.base],
            qualifier=node.id,
            cue=link.cue,
            aspect=link.aspect,
            confidence=link.confidence,
        )
    ]


def _bridged(node: Node, nodes: Sequence[Node]) -> list[Attachment]:
    concepts = _BRIDGES.get(_head_concept(node.instantiation) or "", frozenset())
    for other in nodes:
        if other.id != node.id and other.order < node.order and _head_concept(other.instantiation) in concepts:
            return [
                Attachment(
                    base=other.id, qualifier=node.id, cue="", aspect=Aspect.TARGET, confidence=_BRIDGE_CONFIDENCE
                )
            ]
    return []


def _head_concept(text: str) -> str | None:
    mentions = concept_mentions(text)
    return mentions[-1].concept.name if mentions else None
