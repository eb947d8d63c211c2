"""The wishes in numbers of an English or Chinese text, for the columns of a person's own catalogue. Pure.

"under an hour", "at least 4 stars", "for two", "between €20 and €40", "rated above 4.5", "一小时以内", "适合三个人".
A number without a comparison asks for nothing, except where it says for how many, for what age, or of how many stars.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from pdgf.constraints.ages import child_ages
from pdgf.constraints.amounts import NUMBER, ROUGHLY, number_said, plainly, prices
from pdgf.constraints.columns.bounds import FLIPPED, Ask, Bound
from pdgf.constraints.columns.chinese_asks import chinese_asks
from pdgf.constraints.columns.parties import parties
from pdgf.constraints.columns.people_asks import people_asks
from pdgf.constraints.columns.words import Dimension, Unit, either_of, singular, unit_pattern, units, words_of_header
from pdgf.glossary import has_han

_SIGN = either_of(word for word, unit in units().items() if unit.dimension is Dimension.MONEY and len(word) <= 3)
_NO_UNIT = (
    r"(?:and|or|at|max|tops|each|for|please|but|with|if|would|is|the|it|that|in|near|to|of|on|from|plus|out|stands?)\b"
)


def _quantity(tag: str) -> str:
    return (
        rf"(?P<sign{tag}>{_SIGN})?\s?(?<![\w.])(?P<number{tag}>{NUMBER})(?P<half{tag}>\s+and\s+a\s+half)?"
        rf"(?:[\s-]*(?:(?:a|per)\s+)?(?P<unit{tag}>{unit_pattern()}|(?!{_NO_UNIT})[a-z]{{2,}}))?"
        rf"(?P<half_after{tag}>\s+and\s+a\s+half)?(?:(?:\s+(?:and\s+)?(?=\d+\s*min)|(?<=\dh)|(?<=\dh )|(?<=\d h)\s?)"
        rf"(?P<minutes{tag}>\d+)(?:\s*min(?:ute)?s?\b|(?!\w)))?"
    )


_A_YEAR = r"\s+(?:1[5-9]|20)\d\d\b"
_BEFORE = {
    Bound.LESS: "under|less than|below|fewer than|shorter than|cheaper than|lower than|lighter than"
    rf"|(?:before|earlier than|older than)(?={_A_YEAR})",
    Bound.AT_MOST: "at (?:the )?most|up to|a maximum of|maximum(?: of)?|max(?:\\.| of)?|within|until",
    Bound.MORE: "over|more than|above|longer than|exceeding|higher than|greater than|better than"
    rf"|(?:after|later than|newer than)(?={_A_YEAR})",
    Bound.AT_LEAST: "at least|a minimum of|minimum(?: of)?|min(?:\\.| of)?|upwards of|from",
}
_AFTER = {
    Bound.AT_MOST: "or less|or under|or shorter|or fewer|or below|or lower|or cheaper|at (?:the )?most|max(?:imum)?"
    "|tops",
    Bound.AT_LEAST: r"or more|or longer|or over|or above|or higher|or better|at least|minimum|and up|and above|\+",
}
_NO = r"(?:no|not|nothing|never|isn't|doesn't|don't want to (?:spend|pay)|do not want to (?:spend|pay))\s+(?:too\s+)?"


def _named(words: dict[Bound, str]) -> str:
    return "|".join(f"(?P<{bound.value}>{pattern})" for bound, pattern in words.items())


_LIMIT_BEFORE = re.compile(
    rf"\b(?P<no>{_NO})?(?:{_named(_BEFORE)})\s+(?:about\s+|around\s+)?{_quantity('')}(?!\s*(?:-|to)\s*\d)"
)
_LIMIT_AFTER = re.compile(rf"{_quantity('')}\s*(?:{_named(_AFTER)})(?!\w)")
_BETWEEN = re.compile(
    rf"\bbetween\s+{_quantity('_low')}\s+and\s+{_quantity('_high')}|\bfrom\s+{_quantity('_from')}\s+to\s+"
    rf"{_quantity('_until')}|(?<![\w.$€£])(?P<number_plain>\d+(?:\.\d+)?)\s*(?:-|to)\s*(?=\S){_quantity('_high_plain')}"
)
_HAVE = re.compile(  # time that somebody has is all that it may take
    rf"\b(?:have|has|['’]ve got|got|with)\s+(?:only|just|no more than)\s+{_quantity('')}"
    rf"|\b(?:only|just)\s+(?:have|has|got)\s+{_quantity('_only')}|\b(?:we|i)\s+have\s+{_quantity('_have')}"
)
_AROUND = re.compile(rf"\b(?:around|about|roughly|approximately|circa)\s+{_quantity('')}")
_STARS = re.compile(rf"(?<![\w.])(?P<number>{NUMBER})[\s-]stars?\b(?!\s*(?:or|and (?:up|above)|at least))")
_FREE = re.compile(
    r"^\s*free\s*$|\b(?:for free|free of charge|completely free"
    r"|(?:a|any|some|something|totally|is|are|be|it's)\s+(?=free))(?:free)?\b"
    r"(?![\s-]*(?:of|from|parking|wifi|breakfast|range|form|cancellation|time|spirit)|-)"
)
_BEFORE_WORDS, _AFTER_WORDS = 3, 2  # words beside a number that may name its column
_HINT_STOP = re.compile(r"[.,;!?]")


@lru_cache(maxsize=8_192)
def asks_in(text: str) -> tuple[Ask, ...]:
    """The wishes in numbers of a text in order, without overlap; what the text says twice counts once."""
    found = chinese_asks(text) if has_han(text) else _english(plainly(text), text)
    return tuple(sorted(found, key=lambda ask: (ask.span, ask.bound)))


def _english(said: str, text: str) -> list[Ask]:
    found: list[Ask] = []
    for reader in (
        _parties(said, text),
        _ages(text),
        people_asks(said),
        _between(said),
        _limits(said),
        _times(said),
        _rest(said),
        _money(text),
    ):
        for group in reader:
            taken = {ask.span for ask in found}
            start, end = group[0].span
            if all(end <= first or start >= last for first, last in taken):
                found += group
    return found


def _ages(text: str) -> Iterator[list[Ask]]:
    for age, span in child_ages(text):
        yield [_age(age, span)]


def _age(age: int, span: tuple[int, int]) -> Ask:
    return Ask(dimension=Dimension.AGE, bound=Bound.COVERS, number=float(age), span=span)


def _parties(said: str, text: str) -> Iterator[list[Ask]]:
    """How many a party is, and how old the children in it are: one wish, since they are told as one."""
    ages = child_ages(text)
    for number, (start, end) in parties(said):
        own = [(age, span) for age, span in ages if start <= span[0] < end]
        whole = (start, max([end, *(span[1] for _, span in own)]))
        people = Ask(dimension=Dimension.PEOPLE, bound=Bound.COVERS, number=float(number), span=whole)
        yield [people, *(_age(age, whole) for age, _ in own)]


def _between(said: str) -> Iterator[list[Ask]]:
    for match in _BETWEEN.finditer(said):
        if match["number_plain"]:
            high, unit, named = _measured(match, "_high_plain")
            low = float(match["number_plain"]) * (unit.factor if unit else 1.0)
            if not named or unit is None or unit.dimension is Dimension.PEOPLE:
                continue
        else:
            low_tag, high_tag = ("_low", "_high") if match["number_low"] else ("_from", "_until")
            (low, unit_low, named_low), (high, unit, named) = _measured(match, low_tag), _measured(match, high_tag)
            unit = unit if named else unit_low
            low = low if named_low or unit is None else low * unit.factor
            high = high if named or unit is None else high * unit.factor
        if low <= high and (unit is not None or _hint(said, match.span())):
            ends = ((Bound.AT_LEAST, low), (Bound.AT_MOST, high))
            yield [_ask(said, match.span(), unit, bound, number) for bound, number in ends]


def _limits(said: str) -> Iterator[list[Ask]]:
    for match in (*_LIMIT_BEFORE.finditer(said), *_LIMIT_AFTER.finditer(said)):
        bound = next(bound for bound in Bound if match.groupdict().get(bound.value))
        bound = FLIPPED[bound] if match.groupdict().get("no") else bound
        number, unit, _ = _measured(match, "")
        ask = _ask(said, match.span(), unit, bound, number)
        at_a_time = match.groupdict().get("at_least") == "from" and unit is None  # "open from 8"
        if unit is not None or (ask.hint and not at_a_time):
            yield [ask]


def _times(said: str) -> Iterator[list[Ask]]:
    for match in _HAVE.finditer(said):
        tag = next(tag for tag in ("", "_only", "_have") if match[f"number{tag}"])
        number, unit, _ = _measured(match, tag)
        if unit is not None and unit.dimension in (Dimension.TIME, Dimension.CALENDAR):
            yield [_ask(said, match.span(), unit, Bound.AT_MOST, number)]


def _rest(said: str) -> Iterator[list[Ask]]:
    for match in _AROUND.finditer(said):
        number, unit, _ = _measured(match, "")
        if unit is not None and number > 0 and unit.dimension is not Dimension.PEOPLE:
            ends = ((Bound.AT_LEAST, number * (1 - ROUGHLY)), (Bound.AT_MOST, number * (1 + ROUGHLY)))
            yield [_ask(said, match.span(), unit, bound, round(end, 2), rough=True) for bound, end in ends]
    star = units()["star"]
    for match in _STARS.finditer(said):
        yield [_ask(said, match.span(), star, Bound.COVERS, number_said(match["number"]), rough=True)]
    for match in _FREE.finditer(said):
        start = said.index("free", match.start())
        yield [_ask(said, (start, match.end()), Unit(Dimension.MONEY), Bound.AT_MOST, 0.0)]


def _money(text: str) -> Iterator[list[Ask]]:
    """Limits without a unit, which are of money where the catalogue has prices ("under 30")."""
    groups: dict[tuple[int, int], list[Ask]] = {}
    for amount in prices(text):
        ask = Ask(
            dimension=Dimension.MONEY, bound=Bound(amount.comparison.value), number=amount.number, span=amount.span,
            rough=amount.rough,
        )  # fmt: skip
        groups.setdefault(amount.span, []).append(ask)
    bare = (span for span in groups if not re.search(unit_pattern(), text[slice(*span)].lower()))
    yield from (groups[span] for span in bare)


def _measured(match: re.Match[str], tag: str) -> tuple[float, Unit | None, bool]:
    """The number in the dimension's own unit, its unit, and whether one is named."""
    number = number_said(match[f"number{tag}"])
    if match[f"half{tag}"] or match[f"half_after{tag}"]:
        number += 0.5
    word = match[f"sign{tag}"] or match[f"unit{tag}"] or ""
    unit = units().get(word) or (Unit(Dimension.COUNT, name=singular(word)) if word else None)
    extra = float(match[f"minutes{tag}"] or 0)
    return (number * unit.factor + extra if unit else number), unit, bool(word)


def _ask(
    said: str, span: tuple[int, int], unit: Unit | None, bound: Bound, number: float, *, rough: bool = False
) -> Ask:
    """An ask with the words beside it; without a unit its span reaches back over the word that names what is meant."""
    hint = _hint(said, span) if unit is not None else _hint(said, span, before=2, after=1)
    start, end = span[0] + len(said[slice(*span)]) - len(said[slice(*span)].lstrip()), span[1]
    if unit is None and hint:
        word = re.sub(r"y$", "(?:y|ies)", hint[0])  # the hint is in the singular
        before = re.search(rf"\b{word}\w*(?:\s+(?:is|of|are|a|an|:))*\s*$", said[: span[0]])
        start = before.start() if before else start
    elif unit is not None:
        start, end = _with_header(said, start, end, unit.dimension)
    return Ask(
        dimension=unit.dimension if unit else None,
        bound=bound,
        number=number,
        unit=unit.name if unit else "",
        span=(start, end),
        hint=hint,
        rough=rough,
    )


def _with_header(said: str, start: int, end: int, dimension: Dimension) -> tuple[int, int]:
    """A span with the word beside it that tells which column of a dimension is meant ("400 m of ascent")."""
    words = _header_words(dimension)
    if not words:
        return start, end
    after = re.match(rf"\s+(?:of\s+|in\s+)?(?:\w+\s+)?(?:{words})(?!\w)", said[end:])
    before = None if after else re.search(rf"\b(?:{words})\s+(?:(?:of|is|time|for)\s+)*$", said[:start])
    return (before.start() if before else start), (end + after.end() if after else end)


@cache
def _header_words(dimension: Dimension) -> str:
    return "|".join(re.escape(word) for word in words_of_header(dimension) if word.isascii())


def _hint(
    said: str, span: tuple[int, int], *, before: int = _BEFORE_WORDS, after: int = _AFTER_WORDS
) -> tuple[str, ...]:
    """The words beside a number in its own clause, the nearest before it first."""
    earlier = _words(_HINT_STOP.split(said[: span[0]])[-1])[-before:]
    later = _words(_HINT_STOP.split(said[span[1] :])[0])[:after]
    return tuple(dict.fromkeys(map(singular, (*reversed(earlier), *later))))


def _words(text: str) -> list[str]:
    small = {"a", "an", "the", "of", "is", "are", "with", "and", "for", "to", "in", "at", "be", "i", "we", "it", "that"}
    return [word for word in re.findall(r"[a-z]+", text) if word not in small]
