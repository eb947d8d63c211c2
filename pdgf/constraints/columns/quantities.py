"""What a value of a column amounts to: "45 min", "2-4", "8+", "€12 per bottle", "1 h 30", "2–4人", "★★★★". Pure.

A value is read whole or not at all. A plain number has the unit of its header; where neither names one, the number is
of no known unit, and nothing is compared with it.
"""

import math
import re
from functools import lru_cache

from pdgf.constraints.columns.headings import Heading, Side
from pdgf.constraints.columns.words import Dimension, Unit, either_of, listed, singular, tables, unit_pattern, units
from pdgf.glossary import folded, has_han
from pdgf.glossary.numbers import number_of
from pdgf.models import MetadataValue, Value
from pdgf.texts import collapsed

UNKNOWN_UNIT = "?"
_NEED_UNITS = frozenset(
    {Dimension.TIME, Dimension.CALENDAR, Dimension.DISTANCE, Dimension.MASS, Dimension.VOLUME}
)  # of which a plain number says nothing
_RATING_OF = re.compile(r"\s*(?:/|out of)\s*(?P<top>5|10|20|100)(?:\s*(?:stars?|points?))?$")
_STARS = re.compile(r"(?P<full>★+)(?P<half>½)?☆*|(?P<emoji>⭐+)")
_DASHES = str.maketrans("–—−～~〜", "------")
_LEAD = re.compile(
    r"^(?:(?:recommended |suitable )?(?:ages?|aged|players?|for)\b:?|about|around|approx(?:\.|imately)?|ca?\.|circa"
    r"|roughly|≈|-(?=\s*\d)|大约|大概|约|人均|每人|适合)\s*"
)
_TAIL = re.compile(
    r"\s*(?:\([^()]*\)|(?:per|/)\s*[a-z]+|\b(?:an?|each)\s+(?:night|person|head|bottle|day|week|month|year|game|session"
    r"|class|lesson|hour|glass|piece)|\beach|\blong|\bone way|(?:/|每)\s*[\u4e00-\u9fff]{1,3}|左右|起|\bp\.?\s?p\.?)$"
)
_NUMBER = r"\d{1,3}(?:[, \u00a0']\d{3})+(?:\.\d+)?(?!\d)|\d+(?:[.,]\d+)?"
_SMALL_WORDS = r"(?:and|or|to|plus|max|up|of|for|in|at|over|under|with)\b"
_HAN_NUMBER = re.compile(r"[零一二三四五六七八九十百两]+(?=[\u4e00-\u9fff])")
_SIGN = either_of(word for word, unit in units().items() if unit.dimension is Dimension.MONEY)


def _amount(tag: str) -> str:
    return (
        rf"(?P<sign{tag}>{_SIGN})?\s*(?P<number{tag}>{_NUMBER}|half an?|半)(?P<zh_half{tag}>个半)?"
        rf"(?:\s*-?\s*(?P<unit{tag}>{unit_pattern()}|(?!{_SMALL_WORDS})[a-z][a-z ]*?[a-z](?![a-z])))?"
        rf"(?P<half_after{tag}>半)?"
    )


_COMPOUND = re.compile(
    r"(?P<hours>\d+(?:\.\d+)?)\s*(?:hours?|hrs?|h|个?小时|个?钟头)\s*(?:and\s+)?(?P<minutes>[0-5]?\d)\s*"
    r"(?:minutes?|mins?|m|分钟|分)?"
)
_FROM = r"at least|minimum|min\.?|from|over|more than|≥|>=|>|至少|最少|不少于|超过"
_TO = r"up to|at most|no more than|maximum|max\.?|under|less than|≤|<=|<|最多|至多|不超过"
_ON = r"\+|plus|(?:and|or|&) (?:up|above|over|older|more)|upwards|及以上|以上|及以上年龄"
_DOWN = r"(?:or|and) (?:less|under|below|fewer|younger)|max|及以下|以下|以内|之内"
_VALUE = re.compile(
    rf"(?:(?P<from>{_FROM})|(?P<to>{_TO}))?\s*{_amount('')}"
    rf"(?:\s*(?:-|\bto\b|至|到)\s*{_amount('_high')})?\s*(?:(?P<on>{_ON})|(?P<down>{_DOWN}))?(?:\s*{unit_pattern()})?"
)
_MIXED_ON = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*\+\s*(?P<rest>\D.*)")  # "2+ players", "8+ years"


class Quantity(Value):
    """From `low` to `high` of a dimension, both the same for a single number; `unit` is a currency, what is counted,
    the kind of a rating, or UNKNOWN_UNIT. `written` is the word of the unit as it stands."""

    dimension: Dimension
    low: float
    high: float
    unit: str = ""
    written: str = ""

    @property
    def middle(self) -> float:
        """The middle of the range, of an open one its end."""
        ends = [end for end in (self.low, self.high) if math.isfinite(end)]
        return sum(ends) / len(ends)


def quantity_of(value: MetadataValue, heading: Heading) -> Quantity | None:
    """What a value amounts to under its header; None for what is no quantity."""
    if isinstance(value, bool):
        return None
    if isinstance(value, list):
        return quantity_of(value[0], heading) if len(value) == 1 else None
    if isinstance(value, int | float):
        return _of(float(value), float(value), "", heading)
    return _read(value, heading)


@lru_cache(maxsize=65_536)
def _read(text: str, heading: Heading) -> Quantity | None:
    said = collapsed(folded(text).translate(_DASHES)).strip(" .")
    if has_han(said):
        said = _HAN_NUMBER.sub(lambda found: f"{number_of(found[0]):g}", said)
    if heading.dimension is Dimension.MONEY and said in listed(tables()["free"]["words"]):
        return _of(0.0, 0.0, heading.unit, heading)
    if stars := _STARS.fullmatch(said):
        number = len(stars["full"] or stars["emoji"]) + (0.5 if stars["half"] else 0.0)
        return Quantity(dimension=Dimension.RATING, low=number, high=number, unit="star", written="star")
    if rated := _RATING_OF.search(said):
        share = _plain_number(said[: rated.start()].strip())
        if share is None:
            return None
        return Quantity(dimension=Dimension.RATING, low=share, high=share, unit=f"/{rated['top']}")
    for _ in range(3):
        said = _TAIL.sub("", _LEAD.sub("", said)).strip()
    if compound := _COMPOUND.fullmatch(said):
        minutes = float(compound["hours"]) * 60 + float(compound["minutes"])
        return Quantity(dimension=Dimension.TIME, low=minutes, high=minutes, written="h")
    if mixed := _MIXED_ON.fullmatch(said):
        said = f"{mixed['number']} {mixed['rest']} +"
    match = _VALUE.fullmatch(said)
    return _from_match(match, heading) if match else None


def _from_match(match: re.Match[str], heading: Heading) -> Quantity | None:
    ranged = match["number_high"] is not None
    word_high = match["unit_high"] or match["sign_high"] or ""
    word = match["unit"] or match["sign"] or ""
    low, high = _number(match, ""), _number(match, "_high") if ranged else _number(match, "")
    last = word_high if ranged else word
    if ranged and word and word_high and word != word_high:
        one, other = _unit(word, heading), _unit(word_high, heading)
        if one.dimension is not other.dimension or one.name != other.name:
            return None
        low = low * one.factor / other.factor
    found = _of(low, high, last or word, heading)
    if found is None or found.low > found.high:
        return None
    if match["from"] or match["on"]:
        return found.model_copy(update={"high": math.inf})
    return found.model_copy(update={"low": -math.inf}) if match["to"] or match["down"] else found


def _of(low: float, high: float, word: str, heading: Heading) -> Quantity | None:
    """A quantity in the unit that stands beside it, or else in that of its header."""
    word = word or heading.unit
    unit = _unit(word, heading)
    if unit.dimension is Dimension.CALENDAR and word in ("年", "year") and low > 200:
        return None  # a year, not so many of them
    single = low == high
    quantity = Quantity(
        dimension=unit.dimension, low=low * unit.factor, high=high * unit.factor, unit=unit.name, written=word
    )
    side = heading.side
    if single and (side is Side.LOW or (unit.dimension is Dimension.AGE and side is Side.EXACT)):
        return quantity.model_copy(update={"high": math.inf})
    if single and side is Side.HIGH:
        return quantity.model_copy(update={"low": -math.inf})
    if single and side is Side.CAPACITY:
        return quantity.model_copy(update={"low": min(1.0, quantity.low)})
    return quantity


def _unit(word: str, heading: Heading) -> Unit:
    """The unit that a word names under a header; for no word what the header measures."""
    dimension = heading.dimension
    if dimension is Dimension.AGE and (not word or word in ("years", "year", "yrs", "岁")):
        return Unit(Dimension.AGE)
    if word == "m" and dimension is Dimension.TIME:
        return Unit(Dimension.TIME)
    if word == "分" and dimension is Dimension.TIME:
        return Unit(Dimension.TIME)
    if word in units():
        return units()[word]
    if dimension is Dimension.PEOPLE:
        return Unit(Dimension.PEOPLE)
    if word:
        return Unit(Dimension.COUNT, name=" ".join(map(singular, word.split())))
    if dimension is Dimension.RATING:
        return Unit(dimension, name=next((kind for kind in ("star", "point") if kind in heading.words), ""))
    if dimension in _NEED_UNITS and dimension is not None:
        return Unit(dimension, name=UNKNOWN_UNIT)
    return Unit(dimension) if dimension else Unit(Dimension.COUNT, name=heading.noun)


def _number(match: re.Match[str], tag: str) -> float:
    said = match[f"number{tag}"]
    number = 0.5 if said.startswith(("half", "半")) else _plain_number(said) or 0.0
    return number + (0.5 if match[f"zh_half{tag}"] or match[f"half_after{tag}"] else 0.0)


def _plain_number(said: str) -> float | None:
    """A number as it is written: "1,299", "12,50", "1 299.00"."""
    if re.fullmatch(r"\d{1,3}(?:[, \u00a0']\d{3})+(?:\.\d+)?", said):
        return float(re.sub(r"[, \u00a0']", "", said))
    return float(said.replace(",", ".")) if re.fullmatch(r"\d+(?:[.,]\d+)?", said) else None
