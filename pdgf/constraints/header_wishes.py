"""Wishes that name a column of amounts by its header: "no text on the cards", "lots of luck" (METHOD 7.5). Pure.

Such a column is a closed list from none to much. Its header may be of several words, and small words may stand between
them that it has not.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pdgf.constraints import levels as scales
from pdgf.constraints import words as said
from pdgf.constraints.amounts import plainly
from pdgf.constraints.checks import MetadataConstraint, Requirement, tells_amounts
from pdgf.constraints.metadata import MetadataKey, MetadataSchema
from pdgf.constraints.words import tokens_of
from pdgf.models import Node, Polarity

_AMOUNTS: tuple[tuple[str, tuple[int | None, int | None]], ...] = (  # words before a header: lowest, highest level
    (r"(?:no|zero|without(?: any)?(?! much))", (None, 0)),
    (
        r"(?:(?:only )?(?:a )?(?:very |as )?(?:little|few)|hardly any|barely any|almost no|minimal|low|a bit of)",
        (None, 1),
    ),
    (r"(?:(?:a )?(?:medium|moderate|average)(?: amount of)?)", (2, 2)),
    (r"(?:some|any)", (1, None)),
    (
        r"(?:(?:so |very )?(?:much|many)|(?:quite )?a lot of|lots of|plenty of|loads of|tons of|high|heavy)",
        (3, None),
    ),
)
_SMALL_WORDS = said.either("the|a|an|of|on|in|for|to|its|their|any")
_SMALL = rf"(?:{'|'.join(sorted(_SMALL_WORDS))})"
_NEGATED = re.compile(r"\b(?:not|no|without|never)\s+(?:too\s+)?$")


@dataclass(frozen=True, kw_only=True)
class HeaderWish:
    """A column of amounts named at half-open offsets of a text, with the levels that are named: (lowest, highest), None
    for open ends, and no pair where the header stands alone."""

    key: MetadataKey
    span: tuple[int, int]
    limits: tuple[int | None, int | None] | None = None


def header_wishes(text: str, schema: MetadataSchema) -> Iterator[HeaderWish]:
    """The columns of amounts that a text names; without the negation before them, which may be of the whole wish."""
    plain = plainly(text)
    for key in schema.keys:
        pattern = _pattern(key, schema)
        for match in pattern.finditer(plain) if pattern is not None else ():
            named = next((limits for i, (_, limits) in enumerate(_AMOUNTS) if match.group(f"amount{i}")), None)
            yield HeaderWish(key=key, span=match.span(), limits=named)


def header_constraints(node: Node, schema: MetadataSchema) -> Iterator[MetadataConstraint]:
    """What a node asks of the columns of amounts that it names."""
    softly = bool(set(tokens_of(node.strength)) & said.SOFTENERS)
    for wish in header_wishes(node.instantiation, schema):
        inside = node.instantiation[: wish.span[0]]
        avoided = node.polarity is Polarity.AVOID or bool(_NEGATED.search(plainly(inside)))
        limits = _limits(wish.limits, avoided=avoided, softly=softly)
        if limits is not None:
            yield _constraint(node.id, wish.key, *limits)


def _limits(
    named: tuple[int | None, int | None] | None, *, avoided: bool, softly: bool
) -> tuple[int | None, int | None] | None:
    """The levels that keep a wish; those on the other side of what is to be kept away."""
    if not avoided:
        return named or (1, None)
    if named is None:
        return (None, 2 if softly else 0)
    low, high = named
    if low is not None and high is not None:
        return None
    return (None, low - 1) if low is not None else ((high or 0) + 1, None)


def _constraint(node: str, key: MetadataKey, low: int | None, high: int | None) -> MetadataConstraint:
    if low is not None and high is not None:
        within = tuple(name for name, level in scales.LEVELS[scales.AMOUNT].items() if low <= level <= high)
        return MetadataConstraint(node=node, key=key.key, requirement=Requirement.ONE_OF, values=within)
    requirement, number = (Requirement.AT_LEAST, low) if low is not None else (Requirement.AT_MOST, high)
    return MetadataConstraint(
        node=node, key=key.key, requirement=requirement, number=float(number or 0), scale=scales.AMOUNT
    )


def _pattern(key: MetadataKey, schema: MetadataSchema) -> re.Pattern[str] | None:
    """An expression of a column's header with an amount before it; None for columns of anything else."""
    memo = ("header", key.key)
    if memo not in schema.memo:
        words = [re.escape(word) for word in tokens_of(re.sub(r"[(（\[].*", "", key.words)) if word not in _SMALL_WORDS]
        amounts = "|".join(f"(?P<amount{i}>{pattern})" for i, (pattern, _) in enumerate(_AMOUNTS))
        joint = rf"[\s-]+(?:{_SMALL}\s+)*"
        header = joint.join(words)
        found = re.compile(rf"\b(?:(?:{amounts})\s+(?:{_SMALL}\s+)*)?{header}\b(?:\s+as possible)?")
        schema.memo[memo] = found if words and tells_amounts(key) else None
    pattern: re.Pattern[str] | None = schema.memo[memo]
    return pattern
