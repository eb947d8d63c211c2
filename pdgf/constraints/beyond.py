"""What somebody wants who asks for a "cheaper" one than an item: a limit in numbers that the item itself just fails
(METHOD 7.5). Pure.

item of 127 minutes, "shorter" -> "shorter than 127 minutes"
item of 1987, "newer"          -> "after 1987"
"""

import re
from collections.abc import Iterator

from pdgf.constraints.columns import Column, Dimension, quantity_of
from pdgf.constraints.metadata import UNITS, MetadataKey, MetadataSchema
from pdgf.constraints.relative import measured_by
from pdgf.constraints.wishes import constraints_of
from pdgf.constraints.words import tokens_of
from pdgf.glossary import has_han
from pdgf.models import Candidate, Node

_MORE = re.compile(
    r"^(?:(?:something|one|any|much|a bit|a little|a|an|even)\s+)+|^更|^再|(?:一点|一些|些|点)(?:的|儿)?$"
)
_MORE_THAN = re.compile(r"(?:er|est)$|^(?:more|less|cheapest)\b")
_LESS_OF: dict[Dimension | None, tuple[str, str]] = {
    Dimension.MONEY: ("under", "over"),
    Dimension.TIME: ("shorter than", "longer than"),
    Dimension.COUNT: ("shorter than", "longer than"),
}
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "dollar": "$", "euro": "€", "pound": "£"}


def limit_beyond(comparison: str, item: Candidate, schema: MetadataSchema) -> str | None:
    """The wish in words that a comparison with an item amounts to; None where no number of the item tells it.
    `comparison` is "shorter", "a bit cheaper", "older", 便宜一点.

    The words are such that `constraints_of` reads the limit back from them; those about years are read by the year
    rule.
    """
    said = _bare(comparison)
    if not (_MORE_THAN.search(said) or (has_han(comparison) and _MORE.search(comparison.strip()))):
        return None
    stated = MetadataSchema(keys=tuple(key for key in schema.keys if key.key in item.metadata))
    found = measured_by(said, stated)
    if found is not None:
        key, high = found
        return _limit(key, item, less=not high)
    return _years(said, item)


def _bare(comparison: str) -> str:
    text = comparison.strip().casefold()
    return _MORE.sub("", _MORE.sub("", text)).strip() if has_han(text) else " ".join(tokens_of(_MORE.sub("", text)))


_YEARS = range(1500, 2101)
_OLD = frozenset({"old", "older", "dated", "老", "旧"})
_NEW = frozenset({"new", "newer", "recent", "more recent", "新"})


def _years(said: str, item: Candidate) -> str | None:
    """For what is to be newer than an item "after 1987", for what is to be older "before 1987"."""
    if item.year is None or said not in _OLD | _NEW:
        return None
    later = said in _NEW
    if has_han(said):
        return f"{item.year + 1}年以后" if later else f"{item.year}年以前"
    return f"{'after' if later else 'before'} {item.year}"


def _limit(key: MetadataKey, item: Candidate, *, less: bool) -> str | None:
    """A limit on a key in the words that are read back as one, below or above the item's own number."""
    value, column = item.metadata.get(key.key), key.column
    quantity = quantity_of(value, column.heading) if value is not None and column is not None else None
    if quantity is None or column is None or not (less or quantity.high != float("inf")):
        return None
    number = quantity.low if less else quantity.high
    schema = MetadataSchema(keys=(key,))
    for words in _worded(key, column, number, less=less):
        node = Node(id="limit", atom="limit", perspective="limit", instantiation=words)
        read = constraints_of(node, schema)
        if len(read) == 1 and read[0].key == key.key and abs(read[0].number - number) < 0.01:
            return words
    return None


def _worded(key: MetadataKey, column: Column, number: float, *, less: bool) -> Iterator[str]:
    """Ways to say the limit, the plainest first."""
    said = f"{number:.2f}".rstrip("0").rstrip(".")
    below, above = _LESS_OF.get(column.dimension, ("under", "over"))
    words = below if less else above
    unit = next((unit for unit in UNITS if key.words.endswith(unit)), "")
    if column.dimension is Dimension.TIME:
        yield f"{words} {said} minutes"
    elif column.dimension is Dimension.MONEY:
        yield f"{words} {_SIGNS.get(column.unit, _SIGNS.get(column.written.upper(), '$'))}{said}"
        yield f"{words} {said} {column.written or column.unit}"
    elif unit:
        yield f"{words} {said} {unit}"
    elif number in _YEARS:
        yield f"{' '.join(column.heading.words)} {'before' if less else 'after'} {said}"
    else:
        plain = "under" if less else "over"
        counted = column.written or column.heading.noun
        yield f"{plain} {said} {counted if counted.endswith('s') or has_han(counted) else f'{counted}s'}"
        yield f"{' '.join(column.heading.words)} {plain} {said}"
