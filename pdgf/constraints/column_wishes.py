"""The wishes in numbers of a node against the columns of a pool that hold quantities (METHOD 7.5). Pure.

Which column a number is asked of is told by what it measures and by the words beside it; where several remain and no
word says which is meant, nothing is asked.
"""

from collections.abc import Iterator, Sequence

from pdgf.constraints import words as said
from pdgf.constraints.checks import MetadataConstraint, Requirement, scale_of
from pdgf.constraints.columns import FLIPPED, Ask, Column, Dimension, Side, asks_in, words_of_header
from pdgf.constraints.metadata import KeyKind, MetadataKey, MetadataSchema
from pdgf.constraints.words import tokens_of
from pdgf.glossary import has_han
from pdgf.models import Node, Polarity

# Numbers under these keys are read without their header's help (`limits_of`)
_READ_ALREADY = frozenset({*(name for names in said.KEYS_OF_UNIT.values() for name in names), *said.AGE_KEYS})
_SAID_OF = {
    "rated": Dimension.RATING, "scored": Dimension.RATING, "reviewed": Dimension.RATING,
    "priced": Dimension.MONEY, "costing": Dimension.MONEY, "cost": Dimension.MONEY,
}  # fmt: skip
_LARGE = frozenset({"km", "kms", "mi", "miles", "mile", "公里", "千米", "英里"})  # of ways, not of heights
_FROM_LARGE = 1_000.0  # metres


def column_constraints(node: Node, schema: MetadataSchema) -> Iterator[MetadataConstraint]:
    """What the numbers of a node ask of columns."""
    if not any(of_column(key) for key in schema.keys):
        return
    text = node.instantiation if node.strength in node.instantiation else f"{node.strength} {node.instantiation}"
    if set(tokens_of(text)) & said.STORY_WORDS:
        return
    for ask in asks_in(text):
        bound = ask.bound
        if node.polarity is Polarity.AVOID:
            if bound not in FLIPPED:
                continue
            bound = FLIPPED[bound]
        for key in keys_of(ask, schema):
            column = of_column(key)
            if column is not None:
                yield MetadataConstraint(
                    node=node.id,
                    key=key.key,
                    requirement=Requirement(bound.value),
                    number=ask.number,
                    heading=column.heading,
                    dimension=column.dimension,
                    unit=ask.unit,
                )


def of_column(key: MetadataKey) -> Column | None:
    """The column of a key whose numbers are read by their header and units; none where they stand for levels ("price
    range: 2")."""
    if key.column is None or scale_of(key) is not None or (key.kind is KeyKind.NUMBER and key.words in _READ_ALREADY):
        return None
    return key.column


def keys_of(ask: Ask, schema: MetadataSchema) -> Sequence[MetadataKey]:
    """The key that an ask is about, or the two that hold the ends of one range; empty where that is open."""
    found = [key for key in schema.keys if (column := of_column(key)) is not None and _fits(ask, key, column)]
    if len(found) > 1 and ask.unit:
        found = [key for key in found if key.column is not None and key.column.unit == ask.unit] or found
    if len(found) > 1:
        named = [key for key in found if _named(ask, key)]
        hinted = named or [key for key in found if _hinted(ask, key)]
        main = [key for key in found if key.column is not None and not key.column.heading.part]
        found = hinted or main or found
    if len(found) > 1 and ask.dimension is Dimension.DISTANCE:
        far = ask.number >= _FROM_LARGE
        found = [key for key in found if key.column is not None and (key.column.written in _LARGE) is far]
    if len(found) > 1:
        exact = [key for key in found if key.column is not None and key.column.heading.side is Side.EXACT]
        found = exact if len(exact) == 1 else found
    sides = [key.column.heading.side for key in found if key.column is not None]
    return found if len(found) == 1 or sorted(sides) == [Side.HIGH, Side.LOW] else ()


def _fits(ask: Ask, key: MetadataKey, column: Column) -> bool:
    if not column.comparable:
        return False
    if ask.dimension is None:
        if not _hinted(ask, key) and not any(_SAID_OF.get(word) is column.dimension for word in ask.hint):
            return False
        return column.dimension is not Dimension.RATING or ask.number <= column.top
    if ask.dimension is Dimension.COUNT:
        counted = column.dimension in (Dimension.COUNT, Dimension.PEOPLE)
        return counted and (ask.unit == column.unit or ask.unit in column.heading.words)
    if ask.dimension is not column.dimension:
        return False
    return ask.dimension is not Dimension.RATING or (ask.number <= column.top and _one_kind(ask.unit, column.unit))


def _one_kind(unit: str, other: str) -> bool:
    """Whether two ratings are in one kind of unit, as far as both name theirs."""
    return unit == other or not (unit and other) or {unit, other} == {"star", "/5"}


def _named(ask: Ask, key: MetadataKey) -> bool:
    """Whether a word beside the number stands in the header of the key."""
    words = key.column.heading.words if key.column is not None else ()
    return any(word in (key.words if has_han(word) else words) for word in ask.hint)


def _hinted(ask: Ask, key: MetadataKey) -> bool:
    """Whether a word beside the number names the key, by its header or by another word for what it measures."""
    column = key.column
    for word in ask.hint:
        if has_han(word):
            if word in key.words or (column is not None and word in words_of_header(column.dimension)):
                return True
        elif column is not None and (word in column.heading.words or word in words_of_header(column.dimension)):
            return True
    return False
