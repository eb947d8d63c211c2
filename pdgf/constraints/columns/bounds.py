"""What a wish in numbers asks of a value, and whether a quantity meets it. Pure."""

from enum import StrEnum

from pdgf.constraints.columns.quantities import UNKNOWN_UNIT, Quantity
from pdgf.constraints.columns.words import Dimension
from pdgf.models import Value


class Bound(StrEnum):
    """How a value must stand to the number that is asked for; COVERS asks that a range holds it."""

    LESS = "less"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    MORE = "more"
    COVERS = "covers"


FLIPPED = {
    Bound.LESS: Bound.AT_LEAST,
    Bound.MORE: Bound.AT_MOST,
    Bound.AT_MOST: Bound.MORE,
    Bound.AT_LEAST: Bound.LESS,
}


class Ask(Value):
    """One limit or number of a wish, at half-open offsets of its text.

    `dimension` is None where only words beside the number say what is meant (`hint`, folded, in the singular).
    `number` is in the dimension's own unit, `unit` the name that must be equal (a currency, what is counted, a kind of
    rating). `rough` marks what is no condition: the ends of the band of "around".
    """

    dimension: Dimension | None
    bound: Bound
    number: float
    unit: str = ""
    span: tuple[int, int]
    hint: tuple[str, ...] = ()
    rough: bool = False


class Standing(StrEnum):
    """How a quantity stands to an ask: it meets it, fails it, does both within its range, or cannot be compared."""

    MET = "met"
    FAILED = "failed"
    BOTH = "both"
    UNKNOWN = "unknown"


def standing(bound: Bound, number: float, unit: str, quantity: Quantity) -> Standing:
    """How a quantity of the dimension that is asked for stands to a bound. Other currencies, kinds of ratings and
    unknown units are not compared."""
    if not comparable(unit, quantity):
        return Standing.UNKNOWN
    low, high = quantity.low, quantity.high
    if bound is Bound.COVERS:
        return Standing.MET if low <= number <= high else Standing.FAILED
    if bound in (Bound.LESS, Bound.AT_MOST):
        met = high < number if bound is Bound.LESS else high <= number
        failed = low >= number if bound is Bound.LESS else low > number
    else:
        met = low > number if bound is Bound.MORE else low >= number
        failed = high <= number if bound is Bound.MORE else high < number
    return Standing.MET if met else Standing.FAILED if failed else Standing.BOTH


def comparable(unit: str, quantity: Quantity) -> bool:
    """Whether what is asked for and a quantity of its dimension are in one unit. Where one side names no currency, it
    is taken to be the other's; stars, points and "out of 10" are compared with their own kind only."""
    if UNKNOWN_UNIT in (unit, quantity.unit):
        return False
    if {unit, quantity.unit} == {"star", "/5"}:
        return True
    if quantity.dimension in (Dimension.MONEY, Dimension.RATING):
        return unit == quantity.unit or not unit or not quantity.unit
    return quantity.dimension is Dimension.COUNT or unit == quantity.unit
