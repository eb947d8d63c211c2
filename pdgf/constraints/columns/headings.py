"""What the header of a column says: what is measured, in which unit, and which side or part of it. Pure."""

import re
from enum import StrEnum
from functools import lru_cache

from pdgf.constraints.columns.words import (
    Dimension,
    dimensions_of_headers,
    either_of,
    listed,
    singular,
    tables,
    units,
)
from pdgf.glossary import folded
from pdgf.models import Value
from pdgf.texts import collapsed

_BRACKET = re.compile(r"[(（\[](?P<said>[^)）\]]*)[)）\]]")
_IN_UNIT = re.compile(r"\bin (?P<said>[^ ]+)$")
_COUNTED = re.compile(r"^(?:(?:total )?(?:number|no\.?|count|amount) of |# ?|num )|(?: count| number)$")
_JOINS = re.compile(r"[-_/]+")
_WORD = re.compile(r"[a-z]+|[\u4e00-\u9fff]+")
_SMALL = frozenset({"of", "the", "a", "an", "in", "per", "for", "to", "and", "or", "is", "at", "with", "by"})


class Side(StrEnum):
    """Which bound of a range a column holds; a capacity is a highest number from which fewer may be too."""

    EXACT = "exact"
    LOW = "low"
    HIGH = "high"
    CAPACITY = "capacity"


class Heading(Value):
    """What a header says of its values. `unit` is a word of the unit table, `noun` what a plain number counts."""

    dimension: Dimension | None = None
    unit: str = ""
    side: Side = Side.EXACT
    part: bool = False
    noun: str = ""
    words: tuple[str, ...] = ()


@lru_cache(maxsize=4_096)
def heading_of(header: str) -> Heading:
    """Read a header: "Playing time (min)", "max_players", "价格（元）"."""
    text = collapsed(_JOINS.sub(" ", folded(header)))
    bracket = _BRACKET.search(text)
    base = collapsed(_BRACKET.sub(" ", text))
    said = _unit_of(bracket["said"]) if bracket else ""
    dimension, name = _dimension(base)
    if not said:
        base, said = _trailing_unit(base, dimension)
        dimension, name = _dimension(base)
    if said and (dimension is None or units()[said].dimension is not dimension):
        aged = dimension is Dimension.AGE and units()[said].dimension is Dimension.CALENDAR
        dimension = dimension if aged else units()[said].dimension
        said = "" if aged else said
    rest = base.replace(name, " ", 1) if name else base
    return Heading(
        dimension=dimension,
        unit=said,
        side=_side(rest, name),
        part=bool(_found("part", base)),
        noun=" ".join(map(singular, collapsed(_COUNTED.sub("", base)).split())),
        words=tuple(dict.fromkeys(singular(word) for word in _WORD.findall(base) if word not in _SMALL)),
    )


def _dimension(base: str) -> tuple[Dimension | None, str]:
    """The dimension that the first header word names, the longest at its place, and that word."""
    match = re.search(rf"(?<![a-z])(?:{either_of(dimensions_of_headers())})", base)
    return (dimensions_of_headers()[match[0]], match[0]) if match else (None, "")


def _unit_of(said: str) -> str:
    words = said.strip().removeprefix("in ").strip(" .")
    return words if words in units() else ""


def _trailing_unit(base: str, dimension: Dimension | None) -> tuple[str, str]:
    """A unit at the end of a header that names its dimension, or that is all there is to it."""
    said = _IN_UNIT.search(base)
    if said and said["said"] in units():
        return base[: said.start()].strip(), said["said"]
    first, _, last = base.rpartition(" ")
    if last not in units() or units()[last].dimension in (Dimension.PEOPLE, Dimension.RATING, Dimension.COUNT):
        return base, ""
    alike = units()[last].dimension is _dimension(first)[0] if first else True
    if not alike and not (first and units()[last].dimension is dimension):
        return base, ""
    return (first or base), last


def _side(rest: str, name: str) -> Side:
    if _found("low", rest) or name.startswith("minimum"):
        return Side.LOW
    if name in listed(tables()["parts"]["capacity"]):
        return Side.CAPACITY
    return Side.HIGH if _found("high", rest) else Side.EXACT


def _found(kind: str, text: str) -> bool:
    return bool(re.search(rf"(?<![a-z])(?:{either_of(listed(tables()['parts'][kind]))})", text))
