"""Tests of metadata: what a constraint is, and whether an item's metadata satisfies it. Pure."""

import re
from enum import StrEnum

from pdgf.constraints import levels as scales
from pdgf.constraints.amounts import Comparison
from pdgf.constraints.columns import Bound, Dimension, Heading, Standing, quantity_of, standing
from pdgf.constraints.metadata import KeyKind, MetadataKey, fold, pieces_of, truth_of
from pdgf.models import Metadata, MetadataValue, Value


class Requirement(StrEnum):
    """What a metadata value is tested for."""

    LESS = "less"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    MORE = "more"
    COVERS = "covers"
    YES = "yes"
    NO = "no"
    ONE_OF = "one_of"
    NONE_OF = "none_of"


class MetadataConstraint(Value):
    """One test of one metadata key that the node `node` asks for.

    `number` goes with the comparisons: a quantity in the key's own unit, or a level where `scale` names one.
    `values` goes with ONE_OF and NONE_OF. `complete` says that a value missing from an item's list is not there;
    otherwise it is merely not known, and so is whether an unwanted one is away. `heading` goes with a number that is
    asked of a column of quantities: how its values are read, `unit` then being what they must be in.
    """

    node: str
    key: str
    requirement: Requirement
    number: float = 0.0
    scale: str | None = None
    values: tuple[str, ...] = ()
    complete: bool = True
    heading: Heading | None = None
    dimension: Dimension | None = None
    unit: str = ""


class Verdict(StrEnum):
    """What metadata says about a constraint; PARTLY of a range that holds what is asked for and more ("30-90 min" of
    "under an hour")."""

    SATISFIED = "satisfied"
    VIOLATED = "violated"
    UNKNOWN = "unknown"
    PARTLY = "partly"


_VERDICT_OF = {
    Standing.MET: Verdict.SATISFIED,
    Standing.FAILED: Verdict.VIOLATED,
    Standing.BOTH: Verdict.PARTLY,
    Standing.UNKNOWN: Verdict.UNKNOWN,
}


def check(constraint: MetadataConstraint, metadata: Metadata) -> Verdict:
    """Whether an item's metadata satisfies a constraint; UNKNOWN where it does not say (METHOD 7.5)."""
    value = metadata.get(constraint.key)
    if value is None:
        return Verdict.UNKNOWN
    if constraint.heading is not None:
        return _check_quantity(constraint, constraint.heading, value)
    if constraint.requirement in (Requirement.YES, Requirement.NO):
        truth = truth_of(value)
        return Verdict.UNKNOWN if truth is None else _verdict(truth is (constraint.requirement is Requirement.YES))
    if constraint.requirement in (Requirement.ONE_OF, Requirement.NONE_OF):
        return _check_values(constraint, value, metadata)
    number = _measure(constraint, value)
    return (
        Verdict.UNKNOWN
        if number is None
        else _verdict(Comparison(constraint.requirement.value).holds(number, constraint.number))
    )


def scale_of(key: MetadataKey) -> str | None:
    """The scale whose levels are the values of a key."""
    if key.kind is KeyKind.NUMBER:
        return scales.PRICE if scales.SCALE_OF_KEY.get(key.words) == scales.PRICE and key.words != "price" else None
    if key.kind is not KeyKind.CATEGORY or not key.values:
        return None
    named = scales.SCALE_OF_KEY.get(key.words)
    possible = (named,) if named else (scales.INTENSITY, scales.AMOUNT)
    return next((scale for scale in possible if all(value in scales.LEVELS[scale] for value in key.values)), None)


def tells_amounts(key: MetadataKey) -> bool:
    """Whether a key is a closed list from none to much of what its header names."""
    return key.words not in scales.CONTENT_OF_KEY and scale_of(key) in (scales.AMOUNT, scales.INTENSITY)


def _check_quantity(constraint: MetadataConstraint, heading: Heading, value: MetadataValue) -> Verdict:
    quantity = quantity_of(value, heading)
    if quantity is None or (constraint.dimension is not None and quantity.dimension is not constraint.dimension):
        return Verdict.UNKNOWN
    return _VERDICT_OF[standing(Bound(constraint.requirement.value), constraint.number, constraint.unit, quantity)]


def _check_values(constraint: MetadataConstraint, value: MetadataValue, metadata: Metadata) -> Verdict:
    listed = pieces_of(value)
    if not listed:
        return Verdict.UNKNOWN
    hit = not set(listed).isdisjoint(constraint.values)
    if constraint.requirement is Requirement.NONE_OF:
        return Verdict.VIOLATED if hit else Verdict.SATISFIED if constraint.complete else Verdict.UNKNOWN
    if hit:
        return Verdict.SATISFIED
    return Verdict.UNKNOWN if not constraint.complete or _mentioned(constraint.values, metadata) else Verdict.VIOLATED


def _mentioned(values: tuple[str, ...], metadata: Metadata) -> bool:
    """Whether any metadata names a wanted value in other words ("silent (German intertitles)", a vegan dish)."""
    texts = [fold(text) for value in metadata.values() for text in _texts(value)]
    return any(re.search(rf"\b{re.escape(wanted)}\b", text) for wanted in values for text in texts)


def _texts(value: MetadataValue) -> list[str]:
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []


def _measure(constraint: MetadataConstraint, value: MetadataValue) -> float | None:
    """The quantity or level that a value stands for."""
    if constraint.scale is None:
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
    levels = scales.LEVELS[constraint.scale]
    name = fold(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    return float(levels[name]) if name in levels else None


def _verdict(satisfied: bool) -> Verdict:
    return Verdict.SATISFIED if satisfied else Verdict.VIOLATED
