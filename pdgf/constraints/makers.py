"""Who made an item: wishes for people and makers, and against them, by any part of their names. Pure.

"Ghibli" is Studio Ghibli and "Le Guin" Ursula K. Le Guin: a part matches by whole words.
"""

import re
from collections.abc import Iterator, Sequence

from pdgf.constraints import words as said
from pdgf.constraints.checks import MetadataConstraint, Requirement
from pdgf.constraints.metadata import KeyKind, MetadataKey, MetadataSchema
from pdgf.constraints.words import either, tokens_of
from pdgf.models import Node, Polarity

# Of a maker's name, what many share
_COMMON = either(
    "studio|studios|animation|animations|pictures|films|film|production|productions|works|company|entertainment|the|de"
    "|von|van|le|la|del|du|di|da|of|and|jr|sr"
)
_LEADS = either("by|from|with|of|directed|written|made|starring|featuring|the|a|an|any|anything|films|film|books|book")
_OR = re.compile(r"\s*(?:,|\bor\b|\bnor\b)\s*", re.IGNORECASE)


def makers_of(node: Node, schema: MetadataSchema) -> list[MetadataConstraint]:
    """The tests of a wish about makers; empty where it names none of the pool's.

    Unwanted is who is named under whatever key; a wanted name that several keys have says not which is meant.
    """
    if node.perspective != "creator":
        return []
    parts = [_name(part) for part in _OR.split(node.instantiation)]
    hits = {key: tuple(v for v in key.values if any(named(part, v) for part in parts)) for key in _keys(schema)}
    hits = {key: values for key, values in hits.items() if values}
    if node.polarity is Polarity.AVOID:
        return [_test(node, key, Requirement.NONE_OF, values) for key, values in hits.items()]
    return [_test(node, key, Requirement.ONE_OF, values) for key, values in hits.items()] if len(hits) == 1 else []


def named(part: Sequence[str], name: str) -> bool:
    """Whether the words of a part stand side by side in a name, and are not merely what many names share."""
    words = tokens_of(name)
    if not set(part) - _COMMON:
        return list(part) == words
    return any(words[at : at + len(part)] == list(part) for at in range(len(words) - len(part) + 1))


def parts_of(name: str) -> Iterator[tuple[str, ...]]:
    """The shorter forms by which a maker is called: the ends of the name, and any word of its own in a firm's."""
    words = tokens_of(name)
    firm = bool(set(words) & either("studio|studios|animation|pictures|films|production|productions"))
    ends = (tuple(words[at:]) for at in range(1, len(words)))
    single = ((word,) for word in words) if firm else ()
    for part in (*ends, *single):
        if set(part) - _COMMON and any(len(word) > 1 for word in part) and part != tuple(words):
            yield part


def _test(node: Node, key: MetadataKey, requirement: Requirement, values: tuple[str, ...]) -> MetadataConstraint:
    complete = key.words not in said.NEVER_COMPLETE
    return MetadataConstraint(node=node.id, key=key.key, requirement=requirement, values=values, complete=complete)


def _name(text: str) -> tuple[str, ...]:
    words = tokens_of(text)
    while len(words) > 1 and words[0] in _LEADS:
        words = words[1:]
    return tuple(words)


def _keys(schema: MetadataSchema) -> Iterator[MetadataKey]:
    people = (key for key in schema.keys if key.words.removesuffix("s") in said.PERSON_CUES)
    return (key for key in people if key.kind is KeyKind.CATEGORY)
