"""Words that say how much only beside others ("cheap", "old", "short"), over a column of numbers (METHOD 7.5). Pure.

Such a word is measured on the file itself: the lowest third of a column is cheap in it, the highest is dear, and what
lies between is neither. Where the file has no such column, nothing is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pdgf.constraints.checks import Verdict
from pdgf.constraints.columns import Column, Dimension, Side, chinese_item_nouns, item_nouns, quantity_of
from pdgf.constraints.metadata import KeyKind, MetadataKey, MetadataSchema
from pdgf.constraints.words import FILLERS, either, tokens_of
from pdgf.glossary import has_han
from pdgf.models import Node, Polarity


@dataclass(frozen=True, kw_only=True)
class Measure:
    """What a relative word measures: the dimensions whose columns answer it, the first that there is one of, and else
    the words of a header; and the words for little and for much of it."""

    dimensions: tuple[Dimension, ...] = ()
    headers: frozenset[str] = frozenset()
    further: frozenset[str] = frozenset()  # words of a header that tells it where there is no such column
    low: frozenset[str]
    high: frozenset[str]


_MEASURES = (
    Measure(
        dimensions=(Dimension.MONEY,),
        low=either(
            "cheap|cheaper|less expensive|cheapest|inexpensive|affordable|low priced|low cost|budget|便宜|实惠|平价"
        ),
        high=either("expensive|more expensive|dearer|most expensive|pricey|costly|high priced|贵|昂贵|高价"),
    ),
    Measure(
        dimensions=(Dimension.TIME,),
        low=either("quick|quicker|quickest|fast|faster|fastest|brief|快"),
        high=either("slow|slower|slowest"),
    ),
    Measure(
        dimensions=(Dimension.TIME, Dimension.CALENDAR, Dimension.DISTANCE),
        headers=either("page|pages|length|runtime|页数|长度"),
        further=either("episode|集数"),
        low=either("short|shorter|shortest|短"),
        high=either("long|longer|longest|lengthy|overlong|长"),
    ),
    Measure(
        dimensions=(Dimension.RATING,),
        low=either("badly rated|poorly rated|low rated"),
        high=either("highly rated|well rated|top rated|best rated|high rated|highest rated|well reviewed|高分|评分高"),
    ),
    Measure(
        headers=either("difficulty|complexity|难度"),
        low=either("easy|easier|easiest|simple|simpler|simplest|简单|容易"),
        high=either("hard|harder|hardest|difficult|challenging|complex|难|困难"),
    ),
    Measure(
        headers=either("year|published|released|release|vintage|founded|built|年份|年代"),
        low=either("old|older|oldest|老|旧"),
        high=either("new|newer|newest|recent|modern|新"),
    ),
)
# Keys whose numbers have rules of their own, in whatever catalogue
_MEASURED_OTHERWISE = either("average spend|suitable from age|episodes")
_MORE_OR_LESS = either("very|really|quite|fairly|pretty|rather|relatively|too|super|one|ones")
_SILENT = (FILLERS - {"easy"}) | item_nouns() | _MORE_OR_LESS


@dataclass(frozen=True, kw_only=True)
class RelativeWish:
    """A wish for the low or the high end of a column; `key` is None where the file has none to tell by."""

    words: str
    high: bool
    avoid: bool
    key: MetadataKey | None


def measured_by(word: str, schema: MetadataSchema) -> tuple[MetadataKey, bool] | None:
    """The key that a relative word is told by, with whether the word names its high end. What money there is to be
    paid is measured by that here, though "cheap" itself may be said in levels."""
    for measure in _MEASURES:
        if word in measure.low | measure.high:
            key = _key_of(measure, schema, otherwise=frozenset())
            if key is not None:
                return key, word in measure.high
    return None


def relative_wish(node: Node, schema: MetadataSchema) -> RelativeWish | None:
    """What a node asks by a relative word alone; None for a node that says anything else."""
    said = _bare(node.instantiation)
    for measure in _MEASURES:
        if said in measure.low | measure.high:
            return RelativeWish(
                words=said,
                high=said in measure.high,
                avoid=node.polarity is Polarity.AVOID,
                key=_key_of(measure, schema),
            )
    return None


def check_relative(wish: RelativeWish, value: str) -> Verdict:
    """How a value stands among those of its column: at the wished end, PARTLY in the middle, or at the other end. What
    is not to be cheap may be anything but."""
    column = wish.key.column if wish.key is not None else None
    if column is None or column.thirds is None:
        return Verdict.UNKNOWN
    quantity = quantity_of(value, column.heading)
    if quantity is None or (quantity.dimension, quantity.unit) != (column.dimension, column.unit):
        return Verdict.UNKNOWN
    low, high = column.thirds
    at_end = quantity.middle >= high if wish.high else quantity.middle <= low
    if wish.avoid:
        return Verdict.VIOLATED if at_end else Verdict.SATISFIED
    at_other = quantity.middle <= low if wish.high else quantity.middle >= high
    return Verdict.SATISFIED if at_end else Verdict.VIOLATED if at_other else Verdict.PARTLY


def _bare(text: str) -> str:
    """A wish without the words for items and those that ask for nothing."""
    if has_han(text):
        for noun in chinese_item_nouns():
            text = text.removesuffix(noun)
        return text.strip(" ，。").removesuffix("的").removeprefix("很").removeprefix("比较")
    return " ".join(token for token in tokens_of(text) if token not in _SILENT)


def _key_of(
    measure: Measure, schema: MetadataSchema, *, otherwise: frozenset[str] = _MEASURED_OTHERWISE
) -> MetadataKey | None:
    """The one column that a measure is told by; None where there is none, or several and no telling which."""
    measured = [
        (key, key.column)
        for key in schema.keys
        if key.column is not None and key.column.thirds is not None and key.words not in otherwise
    ]
    for dimension in measure.dimensions:
        found = _main([(key, column) for key, column in measured if column.dimension is dimension])
        if found:
            return found[0] if len(found) == 1 else None
    counted = [(key, column) for key, column in measured if key.kind in (KeyKind.NUMBER, KeyKind.MEASURE)]
    for headers in (measure.headers, measure.further):
        found = _main([(key, column) for key, column in counted if headers & set(column.heading.words)])
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _main(columns: Sequence[tuple[MetadataKey, Column]]) -> list[MetadataKey]:
    """The columns that hold no part and no side of what they measure, where there are such."""
    whole = [(key, column) for key, column in columns if not column.heading.part] or list(columns)
    exact = [(key, column) for key, column in whole if column.heading.side is Side.EXACT] or whole
    return [key for key, _ in exact]
