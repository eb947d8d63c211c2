"""What a whole column measures, by its header and its values. Pure."""

from collections import Counter
from collections.abc import Sequence

from pdgf.constraints.columns.headings import Heading, heading_of
from pdgf.constraints.columns.quantities import UNKNOWN_UNIT, Quantity, quantity_of
from pdgf.constraints.columns.words import Dimension
from pdgf.models import MetadataValue, Value

MOSTLY = 0.8  # the share of values that must be quantities of one kind
SCALE_TOPS = (5, 10, 20, 100)  # what ratings go up to


class Column(Value):
    """A column of quantities: its heading, its dimension and unit, and the largest number in it.

    `thirds` are the numbers up to which a value is of its lowest third and from which it is of its highest; None where
    its values are too few or too alike to tell.
    """

    heading: Heading
    dimension: Dimension
    unit: str = ""
    written: str = ""
    largest: float = 0.0
    thirds: tuple[float, float] | None = None

    @property
    def comparable(self) -> bool:
        """Whether amounts can be compared with it at all."""
        return self.unit != UNKNOWN_UNIT

    @property
    def top(self) -> float:
        """What a rating of this column goes up to, as far as its numbers show."""
        return next((float(top) for top in SCALE_TOPS if self.largest <= top), float("inf"))


def column_of(header: str, values: Sequence[MetadataValue]) -> Column | None:
    """The column that these values make; None where they are no quantities, or of several kinds."""
    heading = heading_of(header)
    if heading.dimension is None and all(isinstance(value, int | float) and value in (0, 1) for value in values):
        return None  # a yes or no
    found = [quantity for value in values if (quantity := quantity_of(value, heading)) is not None]
    kinds = Counter((quantity.dimension, quantity.unit) for quantity in found)
    if not kinds or len(found) < MOSTLY * len(values):
        return None
    by_dimension = Counter(quantity.dimension for quantity in found)
    dimension, count = by_dimension.most_common(1)[0]
    if count < MOSTLY * len(found):
        return None
    (_, unit), alike = max(
        ((kind, number) for kind, number in kinds.items() if kind[0] is dimension), key=lambda pair: pair[1]
    )
    if dimension is Dimension.COUNT and alike < MOSTLY * len(found):
        return None
    own = [quantity for quantity in found if quantity.dimension is dimension]
    return Column(
        heading=heading,
        dimension=dimension,
        unit=unit,
        written=Counter(quantity.written for quantity in own).most_common(1)[0][0],
        largest=max(map(_end, own)),
        thirds=_thirds([quantity.middle for quantity in own if quantity.unit == unit]),
    )


def _thirds(numbers: Sequence[float]) -> tuple[float, float] | None:
    """The last number of the lowest third and the first of the highest."""
    ordered, third = sorted(numbers), len(numbers) // 3
    if not third or ordered[third - 1] >= ordered[-third]:
        return None
    return ordered[third - 1], ordered[-third]


def _end(quantity: Quantity) -> float:
    return quantity.high if quantity.high != float("inf") else quantity.low
