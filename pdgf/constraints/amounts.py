"""Amounts in a wish: "under two hours", "at most 12 episodes", "$20 or less". Pure.

An amount without a comparison ("a 90-minute film") is no limit and gives nothing; "around two hours" is a band.
"""

import re
from collections.abc import Sequence
from enum import StrEnum

from pdgf.models import Value


class Comparison(StrEnum):
    """How a value must stand to the number."""

    LESS = "less"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    MORE = "more"

    def holds(self, number: float, limit: float) -> bool:
        """Whether a number stands to the limit as said."""
        if self is Comparison.LESS:
            return number < limit
        if self is Comparison.AT_MOST:
            return number <= limit
        return number >= limit if self is Comparison.AT_LEAST else number > limit


class Amount(Value):
    """A limit: the comparison, the number, its unit, the characters that say it, and whether a "no" is among them.

    `rough` marks the ends of the band that "around" leaves. Hours are given as
    minutes, and a unit that is a noun of its own as that noun in the singular.
    """

    comparison: Comparison
    number: float
    unit: str
    span: tuple[int, int]
    negated: bool = False
    rough: bool = False


ROUGHLY = 0.2  # of the number: how far "around two hours" may be off
MINUTES, DOLLARS, OTHER_MONEY, PAGES, EPISODES = "minute", "dollar", "money", "page", "episode"
SEASONS = "season"
EPISODES_A_SEASON = 13  # a quarter of a year, an episode a week
SCENE = 30  # minutes of something in an item: "at most ten minutes of fighting" says nothing of how long the item is

WORD_NUMBERS = {
    "half an": 0.5, "an": 1, "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "a hundred": 100, "one hundred": 100, "hundred": 100,
}  # fmt: skip
_UNITS = {
    "minute": (MINUTES, 1), "min": (MINUTES, 1), "hour": (MINUTES, 60), "hr": (MINUTES, 60), "h": (MINUTES, 60),
    "dollar": (DOLLARS, 1), "buck": (DOLLARS, 1), "usd": (DOLLARS, 1), "$": (DOLLARS, 1), "person": (DOLLARS, 1),
    "head": (DOLLARS, 1), "£": (OTHER_MONEY, 1), "€": (OTHER_MONEY, 1), "pound": (OTHER_MONEY, 1),
    "euro": (OTHER_MONEY, 1), "ep": (EPISODES, 1),
}  # fmt: skip
_BEFORE = {
    Comparison.LESS: "under|less than|below|fewer than|shorter than|cheaper than|lower than",
    Comparison.AT_MOST: "at (?:the )?most|up to|a maximum of|maximum(?: of)?|max(?: of)?|within",
    Comparison.MORE: "over|more than|above|longer than|exceeding",
    Comparison.AT_LEAST: "at least|a minimum of|minimum(?: of)?|min(?: of)?",
}
_AFTER = {
    Comparison.AT_MOST: "or less|or under|or shorter|or fewer|or below|at (?:the )?most|max(?:imum)?|tops",
    Comparison.AT_LEAST: r"or more|or longer|or over|or above|at least|minimum|\+",
}
_OPPOSITE = {
    Comparison.LESS: Comparison.AT_LEAST,
    Comparison.MORE: Comparison.AT_MOST,
    Comparison.AT_MOST: Comparison.MORE,
    Comparison.AT_LEAST: Comparison.LESS,
}

_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_WORD_NUMBER = "|".join(sorted((word.replace(" ", r"\s+") for word in WORD_NUMBERS), key=len, reverse=True))
NUMBER = rf"(?:\d+(?:,\d{{3}})*(?:\.\d+)?|(?:{_TENS})[\s-](?:{_ONES})\b|{_WORD_NUMBER})"


def _quantity(tag: str) -> str:
    """A number with its unit, on either side of it; `tag` keeps group names of one expression apart."""
    return (
        rf"(?:(?P<sign{tag}>[$£€])\s?)?\b(?P<number{tag}>{NUMBER})(?:\b|(?=h\b))(?P<half{tag}>\s+and\s+a\s+half)?"
        rf"(?:[\s-]*(?:(?:a|per)\s+)?(?P<unit{tag}>[a-z]+|[$£€]))?(?P<half_after{tag}>\s+and\s+a\s+half)?"
        rf"(?:\s+(?:and\s+)?(?P<minutes{tag}>\d+)\s*min(?:ute)?s?\b)?"
    )


def _named(words: dict[Comparison, str]) -> str:
    return "|".join(f"(?P<{comparison.value}>{pattern})" for comparison, pattern in words.items())


_NOT_TO_SPEND = (
    r"(?:do not|don't|does not|doesn't|did not|didn't|cannot|can't|can not|will not|won't|would not|wouldn't|should not"
    r"|shouldn't|must not|mustn't)\s+(?:(?:want|like|wish|have) to\s+|really\s+)*(?:spend|pay|cost|be|take|last"
    r"|run|have|exceed)"
)
# "Hates anything under 90 minutes", "falls asleep in anything over two hours": the other side is wished for
_CANNOT = r"(?:can't|cannot|can not|couldn't|won't|will not|wouldn't)"
_REFUSES = (
    rf"(?:(?:hates?|dislikes?|avoids?|refuses?|{_CANNOT} (?:stand|bear|sit through|take|handle|do|watch|read"
    r"|get through|finish)|(?:do|does)(?:n't| not) (?:like|want|enjoy|watch|read)|never (?:watch(?:es)?|finish(?:es)?"
    r"|reads?|(?:gets?|sits?) through)|f(?:alls?|ell|alling) asleep (?:in|during|at|with)"
    r"|(?:gets?|is|am|are) (?:so |too )?(?:bored|restless|fidgety) (?:by|in|with|during|at)"
    r"|(?:loses?|has no|have no) (?:patience|interest) (?:with|in|for)|walks? out of|gives? up on|too tired for)"
    r"\s+(?:(?:anything|everything|something|films|movies|books|ones|(?:a|any) (?:film|movie|book|one))\s+)?"
    r"(?:(?:that|which) (?:is|are|lasts?|runs?|goes)\s+|lasting\s+|running\s+)?(?:for\s+)?)"
)
_LIMIT_BEFORE = re.compile(
    rf"\b(?P<no>(?:(?:no|not|nothing|never|isn't|doesn't|is not|{_NOT_TO_SPEND})\s+|{_REFUSES})(?:too\s+)?)?"
    rf"(?:{_named(_BEFORE)})\s+(?:about\s+|around\s+|roughly\s+)?{_quantity('')}"
)
# "Shorter than 100 minutes but longer than 90": of the unit before it
HOURS = 5  # so small a number beside a length in time counts hours
_LIMIT_WITHOUT = re.compile(
    rf"\s*(?:,\s*(?:and|but)?|\band|\bbut)\s+(?:also\s+)?(?P<no>(?:no|not|nothing)\s+)?(?:{_named(_BEFORE)})"
    rf"\s+(?P<number>{NUMBER})(?=\s*(?:$|[.,;!?)]))"
)
# "I can't sit through three hours", "we won't last a 3-hour film": shorter than that
_TOO_MUCH = re.compile(
    rf"\b(?:{_CANNOT}|(?:do|does)(?:n't| not) want to)"
    r" (?:sit through|watch|read|last|manage|endure|stay awake for|face)"
    rf"\s+(?:an?\s+(?=\d|{_TENS}|{_ONES})|another\s+|anything\s+)?{_quantity('')}"
)
_LIMIT_AFTER = re.compile(rf"{_quantity('')}\s*(?:{_named(_AFTER)})(?!\w)")
_BETWEEN = re.compile(
    rf"(?:\bbetween\s+{_quantity('_low')}\s+and|\bfrom\s+{_quantity('_from')}\s+to"
    rf"|(?P<sign_plain>[$£€])?(?<![\d.,])(?P<number_plain>\d+)(?P<half_plain>)(?P<unit_plain>)(?P<half_after_plain>)"
    rf"(?P<minutes_plain>)\s*(?:-|to))\s*{_quantity('_high')}"
)
# A number with nothing behind it that it could count, after words of a limit
_BARE = re.compile(
    r"(?<![$£€\d.,:])(?<!\baged )(?<!\bage )\b(?P<number>(?!(?:19|20)\d\d\b)\d+(?:[.,]\d+)?)"
    r"(?=\s*(?:$|[,.;!?)](?!\d)|(?:and|or|at|max|tops|each|apiece|pp|altogether|in total|for|please|but|with|if"
    r"|would|is|the|it|that|in|near)\b))"
)
_NO_PRICE = re.compile(  # before the words of a limit: "kids under 12", "a party of up to 8"
    r"\b(?:kids?|child(?:ren)?|toddlers?|teens?|boys?|girls?|anyone|everyone|people|adults?|guests|we|age[sd]?|party|group"
    r"|table|rat(?:ed|ing)|scores?|stars?|episodes?|seasons?|pages?|parts?|volumes?|number|room"
    r"|floor)\b(?: \w+['’]?\w*){0,2}"
    r"(?: (?:than|to|of|most|least|and|\d+))*\s*$"
)
_AROUND = re.compile(
    rf"\b(?P<around>around|about|roughly|approximately|circa|more or less|give or take)\s+{_quantity('')}"
)
_ROUGH_UNITS = frozenset({MINUTES, DOLLARS, OTHER_MONEY, PAGES, EPISODES})
_PARTS = frozenset({"scene", "moment", "second", "bit"})
_UNCOUNTED = frozenset({"few", "couple", "lot"})  # "at most a few"
_OF_SOMETHING = re.compile(r"\s+of\s+(?!(?:running|screen|run|reading|viewing|playing)\b|length\b)[a-z]")
_PLAIN = str.maketrans("–—’\u00a0", "--' ")


def prices(text: str) -> tuple[Amount, ...]:
    """The limits that a text states, in order, where prices are what is talked of: "under 30" is money then, though a
    year, a time of day and a number of something else are not."""
    plain = plainly(text)
    bare = [match for match in _BARE.finditer(plain) if not _NO_PRICE.search(plain, 0, match.start())]
    for match in reversed(bare):
        plain = f"{plain[: match.start()]}{match['number']}${plain[match.end() :]}"
    shifted = amounts(plain)
    return tuple(amount.model_copy(update={"span": _unshifted(amount.span, bare)}) for amount in shifted)


def _unshifted(span: tuple[int, int], bare: Sequence[re.Match[str]]) -> tuple[int, int]:
    """A span of a text in which each bare number got a "$" as a span of the text itself."""
    places = [match.end() + number for number, match in enumerate(bare)]  # of the signs
    return span[0] - sum(p < span[0] for p in places), span[1] - sum(p < span[1] for p in places)


def amounts(text: str) -> tuple[Amount, ...]:
    """The limits that a text states, in order."""
    plain = plainly(text)
    found: list[Amount] = []
    taken: list[tuple[int, int]] = []
    for pattern, read in (
        (_BETWEEN, _read_between),
        (_LIMIT_BEFORE, _read_limit),
        (_LIMIT_AFTER, _read_limit),
        (_TOO_MUCH, _read_too_much),
        (_AROUND, _read_around),
    ):
        for match in pattern.finditer(plain):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            taken.append(match.span())
            found.extend(amount for amount in read(match) if not _is_of_a_scene(amount, plain))
    found = [amount for before in found for amount in _with_its_other_end(before, plain)]
    return tuple(sorted(found, key=lambda amount: (amount.span, amount.comparison)))


def _read_limit(match: re.Match[str]) -> list[Amount]:
    comparison, negated = _compared(match)
    number, unit = _measured(match, "")
    return [Amount(comparison=comparison, number=number, unit=unit, span=match.span(), negated=negated)] if unit else []


def _read_too_much(match: re.Match[str]) -> list[Amount]:
    number, unit = _measured(match, "")
    less = Amount(comparison=Comparison.LESS, number=number, unit=unit, span=match.span(), negated=True)
    return [less] if unit in _ROUGH_UNITS else []


def _compared(match: re.Match[str]) -> tuple[Comparison, bool]:
    """How the words of a limit compare, a "no" among them counted, and whether there is one."""
    said = next(comparison for comparison in Comparison if match.groupdict().get(comparison.value))
    negated = bool(match.groupdict().get("no"))
    return (_OPPOSITE[said] if negated else said), negated


def _read_between(match: re.Match[str]) -> list[Amount]:
    low_tag = next(tag for tag in ("_low", "_from", "_plain") if match.group(f"number{tag}"))
    (low, low_unit), (high, unit) = _measured(match, low_tag), _measured(match, "_high")
    if not unit or (low_unit and low_unit != unit) or low > high:
        return []
    low = low if low_unit else low * _UNITS.get(_singular(match.group("unit_high") or ""), ("", 1))[1]
    return [
        Amount(comparison=Comparison.AT_LEAST, number=low, unit=unit, span=match.span()),
        Amount(comparison=Comparison.AT_MOST, number=high, unit=unit, span=match.span()),
    ]


def _read_around(match: re.Match[str]) -> list[Amount]:
    """The band of "around two hours"; of counted nouns that measure nothing of an item ("some people") none."""
    number, unit = _measured(match, "")
    if unit not in _ROUGH_UNITS or number <= 0:
        return []
    ends = ((Comparison.AT_LEAST, number * (1 - ROUGHLY)), (Comparison.AT_MOST, number * (1 + ROUGHLY)))
    return [
        Amount(comparison=comparison, number=round(limit, 2), unit=unit, span=match.span(), rough=True)
        for comparison, limit in ends
    ]


def _with_its_other_end(limit: Amount, plain: str) -> list[Amount]:
    """The limit, and the one that goes on after it without a unit of its own; both are said by all of these words."""
    match = _LIMIT_WITHOUT.match(plain, limit.span[1])
    if match is None:
        return [limit]
    comparison, negated = _compared(match)
    number, span = number_said(match["number"]), (limit.span[0], match.end())
    hours = limit.unit == MINUTES and number <= HOURS
    other = Amount(
        comparison=comparison,
        number=number * 60 if hours else number,
        unit=limit.unit,
        span=span,
        negated=negated,
    )
    return [limit.model_copy(update={"span": span}), other]


def _is_of_a_scene(amount: Amount, plain: str) -> bool:
    counted = amount.unit in _PARTS or (amount.unit == MINUTES and amount.number <= SCENE)
    return counted and bool(_OF_SOMETHING.match(plain, amount.span[1]))


def _measured(match: re.Match[str], tag: str) -> tuple[float, str]:
    """Number and unit of a quantity; an empty unit if it has none."""
    number = number_said(match.group(f"number{tag}"))
    if match.group(f"half{tag}") or match.group(f"half_after{tag}"):
        number += 0.5
    said = match.group(f"sign{tag}") or _singular(match.group(f"unit{tag}") or "")
    unit, factor = _UNITS.get(said, ("" if said in _UNCOUNTED else said, 1))
    extra = float(match.group(f"minutes{tag}") or 0) if unit == MINUTES else 0.0
    return number * factor + extra, unit


def number_said(said: str) -> float:
    word = " ".join(said.split())
    if word in WORD_NUMBERS:
        return float(WORD_NUMBERS[word])
    if word[0].isdigit():
        return float(word.replace(",", ""))
    tens, ones = word.replace("-", " ").split()
    return float(WORD_NUMBERS[tens] + WORD_NUMBERS[ones])


def _singular(noun: str) -> str:
    return noun.removesuffix("s") if len(noun) > 2 and not noun.endswith("ss") else noun


def plainly(text: str) -> str:
    """Lower case with plain dashes and apostrophes, character for character, so that spans stay true."""
    lowered = "".join(char if len(low := char.lower()) != 1 else low for char in text)
    return lowered.translate(_PLAIN)
