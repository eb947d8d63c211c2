"""Reads the limits that a preference node sets: quantities, pages against length categories, ages of children. Pure."""

from collections.abc import Iterator

from pdgf.constraints import levels as scales
from pdgf.constraints import words as said
from pdgf.constraints.ages import child_ages
from pdgf.constraints.amounts import (
    DOLLARS,
    EPISODES,
    EPISODES_A_SEASON,
    MINUTES,
    OTHER_MONEY,
    PAGES,
    SEASONS,
    Amount,
    Comparison,
    amounts,
    prices,
)
from pdgf.constraints.checks import MetadataConstraint, Requirement, scale_of
from pdgf.constraints.metadata import KeyKind, MetadataKey, MetadataSchema
from pdgf.constraints.words import tokens_of, without
from pdgf.models import Node, Polarity


def limits_of(node: Node, schema: MetadataSchema) -> Iterator[MetadataConstraint]:
    """Numeric limits and ages of children."""
    text = node.instantiation if node.strength in node.instantiation else f"{node.strength} {node.instantiation}"
    words = set(tokens_of(text))
    if words & said.STORY_WORDS:
        return
    for amount in prices(text) if node.perspective == "price" else amounts(text):
        flip = node.polarity is Polarity.AVOID and not amount.negated
        comparison = _FLIPPED[amount.comparison] if flip else amount.comparison
        yield from _limit(node, amount, comparison, schema)
    ages = child_ages(text)
    rest = set(tokens_of(without(text, [span for _, span in ages])))
    age_key = next((schema.by_words[name] for name in said.AGE_KEYS if name in schema.by_words), None)
    told = (
        rest & said.CHILD_CUES or "audience" in node.perspective
    ) and rest <= said.CHILD_WORDS | said.CHILD_CUES | said.FILLERS
    if ages and told and node.polarity is Polarity.WANT and age_key and age_key.kind is KeyKind.NUMBER:
        youngest = min(ages)[0]
        yield MetadataConstraint(node=node.id, key=age_key.key, requirement=Requirement.AT_MOST, number=youngest)


_FLIPPED = {
    Comparison.LESS: Comparison.AT_LEAST,
    Comparison.MORE: Comparison.AT_MOST,
    Comparison.AT_MOST: Comparison.MORE,
    Comparison.AT_LEAST: Comparison.LESS,
}


def _limit(node: Node, amount: Amount, comparison: Comparison, schema: MetadataSchema) -> Iterator[MetadataConstraint]:
    """The limit on the key that is counted in the amount's unit. Money of any currency is compared as a number: what
    metadata name is an amount, and no rate of exchange is known."""
    own = DOLLARS if amount.unit == OTHER_MONEY else amount.unit
    if own == SEASONS and not any(_counts(key, SEASONS) for key in schema.keys):  # a season has its episodes
        own, amount = EPISODES, amount.model_copy(update={"number": amount.number * EPISODES_A_SEASON})
    for unit, factor in ((own, 1.0), ("hour", 60.0)) if own == MINUTES else ((own, 1.0),):
        names = said.KEYS_OF_UNIT.get(unit, ())
        key = next((schema.by_words[name] for name in names if _is_number(schema, name)), None)
        if key:
            number = amount.number / factor
            yield MetadataConstraint(
                node=node.id, key=key.key, requirement=Requirement(comparison.value), number=number
            )
            return
    if amount.unit == PAGES:
        yield from _pages(node, amount.number, comparison, schema)
    elif own not in (MINUTES, DOLLARS, EPISODES):
        keys = [key for key in schema.keys if key.kind is KeyKind.NUMBER and _counts(key, amount.unit)]
        if len(keys) == 1:
            yield MetadataConstraint(
                node=node.id, key=keys[0].key, requirement=Requirement(comparison.value), number=amount.number
            )


def _pages(node: Node, pages: float, comparison: Comparison, schema: MetadataSchema) -> Iterator[MetadataConstraint]:
    """A limit in pages against length categories: those that lie wholly beyond it are ruled out."""
    key = schema.by_words.get("length")
    if key is None or scale_of(key) != scales.LENGTH:
        return
    upper = comparison in (Comparison.LESS, Comparison.AT_MOST)
    out = [
        name
        for name, (fewest, most) in scales.PAGES_OF_LENGTH.items()
        if (fewest >= pages and fewest > 0 if upper else most <= pages)
    ]
    if out:
        yield MetadataConstraint(node=node.id, key=key.key, requirement=Requirement.NONE_OF, values=tuple(out))


def _is_number(schema: MetadataSchema, name: str) -> bool:
    return name in schema.by_words and schema.by_words[name].kind is KeyKind.NUMBER


def _counts(key: MetadataKey, noun: str) -> bool:
    return any(word.removesuffix("s") == noun for word in key.words.split())
