"""The columns of a person's own catalogue: what they measure, what wishes in numbers ask of them (METHOD 7.5). Pure.

header            -> heading_of    what is measured, in which unit, which side of a range
header, values    -> column_of     the column that they make, None where they are no quantities
value, heading    -> quantity_of   what one value amounts to
words of a wish   -> asks_in       the limits and numbers that they name
"""

from pdgf.constraints.columns.asks import asks_in
from pdgf.constraints.columns.bounds import FLIPPED, Ask, Bound, Standing, standing
from pdgf.constraints.columns.headings import Heading, Side, heading_of
from pdgf.constraints.columns.quantities import Quantity, quantity_of
from pdgf.constraints.columns.reading import Column, column_of
from pdgf.constraints.columns.words import Dimension, chinese_item_nouns, item_nouns, words_of_header

__all__ = (
    "FLIPPED",
    "Ask",
    "Bound",
    "Column",
    "Dimension",
    "Heading",
    "Quantity",
    "Side",
    "Standing",
    "asks_in",
    "chinese_item_nouns",
    "column_of",
    "heading_of",
    "item_nouns",
    "quantity_of",
    "standing",
    "words_of_header",
)
